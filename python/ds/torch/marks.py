"""The marks of gradients in a traced step. `gradient` is an identity that make_fx records as an operation of its own. torch-mlir has
no form for it in StableHLO, so the graph is cut there before it is lowered, each operand a further result of the function and each
result a further argument, and the ends are joined in the StableHLO by the call that ds.frontend reads.
"""
import torch
from jaxlib.mlir import ir

from ..frontend import builder, marks

_library = torch.library.Library("ds", "DEF")
_library.define("gradient(Tensor value, str param) -> Tensor")
_library.impl("gradient", lambda value, param: value.clone(), "CompositeExplicitAutograd")
gradient = torch.ops.ds.gradient.default


def cut(module):
    """Takes the marks out of an FX graph module; returns the parameters' names in the order of the further arguments and results."""
    graph = module.graph
    output = next(node for node in graph.nodes if node.op == "output")
    arguments = [node for node in graph.nodes if node.op == "placeholder"]
    names, operands = [], []
    for node in [n for n in graph.nodes if n.op == "call_function" and n.target is gradient]:
        value, name = node.args
        with graph.inserting_after(arguments[-1]):
            arguments.append(graph.placeholder(f"gradient{len(names)}"))
        arguments[-1].meta = dict(node.meta)
        node.replace_all_uses_with(arguments[-1])
        graph.erase_node(node)
        names.append(name)
        operands.append(value)
    if names:
        output.args = ((*output.args[0], *operands),)
    graph.lint()
    module.recompile()
    return names


def _sort(block):
    """Operations after what they use; otherwise in the order that they have."""
    placed, body = set(), [op.operation for op in block.operations]
    position = {op: i for i, op in enumerate(body)}

    def used(op):
        inner = [op, *builder.operations(op)]
        return sorted({position[v.owner] for o in inner for v in o.operands if not isinstance(v.owner, ir.Block) and v.owner in position})

    for op in body[:-1]:
        waiting = [op]
        while waiting:
            before = [body[i] for i in used(waiting[-1]) if body[i] not in placed]
            if waiting[-1] in placed or not before:
                last = waiting.pop()
                if last not in placed:
                    placed.add(last)
                    last.move_before(body[-1])
            else:
                waiting += before[::-1]


def join(text, names):
    """StableHLO whose function has an argument and a result more for each name, as one with marks."""
    if not names:
        return text
    with builder.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        entry = next(op for op in module.body.operations if op.operation.name == "func.func")
        block = entry.regions[0].blocks[0]
        returned = list(block.operations)[-1].operation
        kept = len(block.arguments) - len(names)
        results = list(returned.operands)
        for name, value, argument in zip(names, results[-len(names):], list(block.arguments)[kept:], strict=True):
            mark = builder.create(returned, "stablehlo.custom_call", [argument.type], [value], attributes={
                "call_target_name": ir.StringAttr.get(marks.GRADIENT), "backend_config": ir.StringAttr.get(name)})
            argument.replace_all_uses_with(mark.results[0])
        builder.create(returned, "func.return", [], list(returned.operands)[:-len(names)])
        returned.erase()
        for position in reversed(range(kept, len(block.arguments))):
            block.erase_argument(position)
        old = ir.FunctionType(ir.TypeAttr(entry.attributes["function_type"]).value)
        entry.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(old.inputs[:kept], old.results[:-len(names)]))
        _sort(block)
        return str(module)

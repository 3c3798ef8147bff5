"""FX graph of a step -> StableHLO, one rule per operation of ATen.

    text = lower(module)

The rules lie in files by kind: elementwise, shapes, reductions, contractions, windows, indexing, linear algebra, and
special functions with their gamma functions and polynomials; `emit` holds their helpers. Every operation carries the
line of the user's program that it comes from. An operation without a rule and a decomposition (dstep.torch.decompositions)
is an error that names it and that line; it is found before anything is written.
"""
import operator

import torch
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo as hlo

from ...base import limits
from ...base.errors import FrontendError
from ...frontend.ir import builder, marks
from ..base import graph, places
from ..base.marks import combine, gradient, shard_mark
from . import contractions, elementwise, gamma, indexing, linear_algebra, polynomials, reductions, shapes, special, windows  # noqa: F401
from .emit import RULES, constant, lowers, tensor

__all__ = ["RULES", "lower"]


def mark(operation, name):
    @lowers(operation)
    def rule(node, value, said):
        return hlo.custom_call([value.type], [value], name, backend_config=ir.StringAttr.get(said))


mark(gradient, marks.GRADIENT)
mark(combine, marks.COMBINE)
mark(shard_mark, marks.SHARD)


@lowers(operator.getitem)
def part(node, values, number):
    return values[number]


def check(module):
    """Raises FrontendError for an operation without a rule."""
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target not in RULES:
            raise FrontendError(f"the operation '{graph.operation_name(node)}'{places.of(node)} has no form in StableHLO that ds knows; "
                                "write it with other operations")


def location(node):
    found = places.frame(node)
    return ir.Location.file(found[0], found[1], 0) if found else ir.Location.unknown()


def _given(argument, values):
    """Returns an argument of a node, with values for nodes."""
    if isinstance(argument, torch.fx.Node):
        return values[argument]
    if isinstance(argument, (list, tuple)):
        return [_given(a, values) for a in argument]
    return {k: _given(v, values) for k, v in argument.items()} if isinstance(argument, dict) else argument


def write(module, entry):
    """Writes the operations of a graph into the function `entry`."""
    values, arguments = {}, iter(entry.entry_block.arguments)
    for node in module.graph.nodes:
        if node.op == "placeholder":
            values[node] = next(arguments)
        elif node.op == "output":
            results = node.args[0] if isinstance(node.args[0], (list, tuple)) else [node.args[0]]
            func.return_([values[v] for v in results])
        elif node.op == "get_attr":
            values[node] = constant(getattr(module, node.target))
        else:
            with location(node):
                given, options = _given(list(node.args), values), _given(dict(node.kwargs), values)
                try:
                    values[node] = RULES[node.target](node, *given, **options)
                except (ir.MLIRError, ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
                    raise FrontendError(f"the operation '{graph.operation_name(node)}'{places.of(node)} is given what ds has no form for: "
                                        f"{str(error).splitlines()[0] if str(error) else type(error).__name__}") from error


def lower(module):
    """Returns the StableHLO text of a tidy FX graph module, its function called main."""
    check(module)
    limits.phase(f"writing {len(module.graph.nodes)} operations as StableHLO")
    with builder.context(), ir.Location.unknown():
        made = ir.Module.create()
        inputs = [graph.meta(n) for n in module.graph.nodes if n.op == "placeholder"]
        with ir.InsertionPoint(made.body):
            entry = func.FuncOp("main", ([tensor(m.shape, m.dtype) for m in inputs], []))
            with ir.InsertionPoint(entry.add_entry_block()):
                write(module, entry)
        returned = list(entry.entry_block.operations)[-1]
        kind = ir.FunctionType.get(entry.type.inputs, [v.type for v in returned.operands])
        entry.attributes["function_type"] = ir.TypeAttr.get(kind)
        made.operation.verify()
        return made.operation.get_asm(enable_debug_info=True)

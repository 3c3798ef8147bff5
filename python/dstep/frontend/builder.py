"""Rewriting IR through jaxlib's bindings: a context, walks, and `splice`, which replaces an operation by IR given as text.

jaxlib has no Python classes for linalg, tensor and scf. Text is also what the reader of a rewrite knows, so rewrites print
the operations they want and `splice` parses them, moves them in place and connects operands and results.
"""
import importlib.util
import sys
import types

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

_passes_registered = False
DIALECTS = ("arith", "builtin", "ds", "func", "linalg", "math", "scf", "tensor")


def _end_searches():
    """For every operation that is looked at, the bindings look for a module with the classes of its dialect, again and again where there is
    none, which took most of the time of an export. An empty module is one."""
    for dialect in DIALECTS:
        name = f"jaxlib.mlir.dialects.{dialect}"
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = types.ModuleType(name)


def context():
    """A context that knows the dialects of jaxlib; `import jax` is not needed for it."""
    global _passes_registered
    if not _passes_registered:
        _end_searches()
        stablehlo.register_stablehlo_passes()
        _passes_registered = True
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    ctx = ir.Context()
    ctx.append_dialect_registry(registry)
    ctx.load_all_available_dialects()
    stablehlo.register_dialect(ctx)
    chlo.register_dialect(ctx)
    sdy.register_dialect(ctx)
    with ctx, ir.Location.unknown():
        # The dialect linalg becomes known when a pass that makes it is about to run.
        passmanager.PassManager.parse("builtin.module(stablehlo-legalize-to-linalg)").run(ir.Module.create().operation)
    return ctx


def operations(root):
    """Every operation below `root`, in order; an operation comes before what it contains."""
    for region in root.regions:
        for block in region:
            for op in list(block):
                yield op.operation
                yield from operations(op.operation)


def innermost_first(root, name):
    """The operations called `name`, nested ones before the ones around them."""
    return [op for op in operations(root) if op.name == name][::-1]


def next_operation(op):
    """The operation after `op` in its block."""
    body = list(op.block.operations)
    return body[next(i for i, other in enumerate(body) if other.operation == op) + 1].operation


def element_type(value):
    return ir.RankedTensorType(value.type).element_type


def shape(value):
    return list(ir.RankedTensorType(value.type).shape)


def splat_constant(value):
    """The attribute of the number that a constant tensor holds everywhere, else None."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
        return None
    elements = ir.DenseElementsAttr(owner.attributes["value"])
    return elements.get_splat_value() if elements.is_splat else None


def tensor_text(dims, element):
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


def signless(type_):
    """The type with unsigned integers replaced by signless ones of the same width."""
    if isinstance(type_, ir.RankedTensorType):
        element = signless(type_.element_type)
        return type_ if element == type_.element_type else ir.RankedTensorType.get(type_.shape, element)
    if isinstance(type_, ir.IntegerType) and type_.is_unsigned:
        return ir.IntegerType.get_signless(type_.width)
    return type_


def create(before, name, results, operands, **more):
    """An operation in front of another one."""
    with ir.InsertionPoint(before):
        return ir.Operation.create(name, results=results, operands=operands, **more)


def cast(value, type_, before):
    """`value` as `type_`, through a cast of signedness that `fix_signedness` removes."""
    if value.type == type_:
        return value
    return create(before, "builtin.unrealized_conversion_cast", [type_], [value]).results[0]


def insert(text, operands, before):
    """Puts the body of a function, given as text, before an operation and returns what it returns. The function's arguments
    are of signless types; operands are cast to them."""
    module = ir.Module.parse(text)
    block = module.body.operations[0].regions[0].blocks[0]
    for argument, operand in zip(block.arguments, operands, strict=True):
        argument.replace_all_uses_with(cast(operand, argument.type, before))
    body = list(block.operations)
    for op in body[:-1]:
        op.operation.detach_from_parent()
        ir.InsertionPoint(before).insert(op)
    return list(body[-1].operands)


def replace(op, values):
    """Replaces an operation by values, cast to its result types."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(cast(value, result.type, op))
    op.erase()


def splice(op, text, operands):
    """Replaces `op` by the body of the function in `text`, applied to `operands`."""
    replace(op, insert(text, operands, op))

"""Rewriting IR through jaxlib's bindings: a context, walks, and `splice`, which replaces an operation by IR given as
text.

jaxlib has no Python classes for linalg, tensor and scf, and a rewrite reads best as IR. So rewrites print the new
operations, and `splice` parses them, moves them in place and connects operands and results.
"""
import importlib.util
import sys
import types

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

from ...base.errors import FrontendError

_passes_registered = False
DIALECTS = ("arith", "builtin", "ds", "func", "linalg", "math", "scf", "tensor")


def _end_searches():
    """Registers empty modules for dialects without Python classes. The bindings search for the module of every
    operation's dialect, again each time if there is none, which took most of the time of an export."""
    for dialect in DIALECTS:
        name = f"jaxlib.mlir.dialects.{dialect}"
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = types.ModuleType(name)


def context():
    """Returns a context with the dialects of jaxlib, without `import jax`."""
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
        # The dialect linalg is registered when a pass that creates it is about to run.
        passmanager.PassManager.parse("builtin.module(stablehlo-legalize-to-linalg)").run(ir.Module.create().operation)
    return ctx


def function(module, name):
    """Returns the function of a module that has this name."""
    found = [op for op in module.body.operations if op.operation.name == "func.func"
             and op.attributes["sym_name"].value == name]
    if not found:
        raise FrontendError(f"the module has no function '{name}'")
    return found[0].operation


def operations(root):
    """Returns every operation below `root`, in order; an operation comes before its contents."""
    found = []

    def visit(op):
        found.append(op)
        return ir.WalkResult.ADVANCE
    root.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found[1:]


def innermost_first(root, name):
    """Returns the operations called `name`, nested ones before the ones around them."""
    return [op for op in operations(root) if op.name == name][::-1]


def next_operation(op):
    """Returns the operation after `op` in its block."""
    body = list(op.block.operations)
    return body[next(i for i, other in enumerate(body) if other.operation == op) + 1].operation


def element_type(value):
    return ir.RankedTensorType(value.type).element_type


def shape(value):
    return list(ir.RankedTensorType(value.type).shape)


def splat_constant(value):
    """Returns the attribute of the number of a splat constant, else None."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
        return None
    elements = ir.DenseElementsAttr(owner.attributes["value"])
    return elements.get_splat_value() if elements.is_splat else None


def tensor_text(dims, element):
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


def signless(type_):
    """Returns the type with unsigned integers replaced by signless ones of the same width."""
    if isinstance(type_, ir.RankedTensorType):
        element = signless(type_.element_type)
        return type_ if element == type_.element_type else ir.RankedTensorType.get(type_.shape, element)
    if isinstance(type_, ir.IntegerType) and type_.is_unsigned:
        return ir.IntegerType.get_signless(type_.width)
    return type_


def create(before, name, results, operands, **more):
    """Creates an operation before another one."""
    with ir.InsertionPoint(before):
        return ir.Operation.create(name, results=results, operands=operands, **more)


def cast(value, type_, before):
    """Returns `value` as `type_`, through a cast of signedness that signedness.py removes."""
    if value.type == type_:
        return value
    return create(before, "builtin.unrealized_conversion_cast", [type_], [value]).results[0]


def insert(text, operands, before):
    """Inserts the body of a function, given as text, before an operation; returns the values that the function returns.
    The function's arguments have signless types; operands are cast to them."""
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

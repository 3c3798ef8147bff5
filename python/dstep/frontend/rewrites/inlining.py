"""Inlines calls inside of the element functions by which reductions, sorts and scatters combine or compare, since a
nest of loops holds only arithmetic. A jitted function, such as jnp.where, is a separate function in StableHLO."""
from jaxlib.mlir import ir

from ...base.errors import FrontendError
from ..ir import builder
from ..ir.leftovers import where

OF_ELEMENTS = ("map", "reduce", "reduce_window", "scatter", "select_and_scatter", "sort")
NESTED = ("stablehlo.case", "stablehlo.if", "stablehlo.while")


def inline(call, function):
    copy = function.operation.clone()
    body = copy.regions[0].blocks[0]
    for argument, operand in zip(body.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    operations = list(body.operations)
    for op in operations[:-1]:
        op.operation.detach_from_parent()
        ir.InsertionPoint(call).insert(op)
    builder.replace(call, list(operations[-1].operands))
    copy.erase()


def rewrite(module):
    functions = {
        op.attributes["sym_name"].value: op for op in module.body.operations if op.operation.name == "func.func"}
    roots = {f"stablehlo.{name}": [] for name in OF_ELEMENTS}
    for op in builder.operations(module.operation)[::-1]:
        if op.name in roots:
            roots[op.name].append(op)
    for root in [op for found in roots.values() for op in found]:
        while calls := builder.innermost_first(root, "func.call"):
            for call in calls:
                inline(call, functions[ir.FlatSymbolRefAttr(call.attributes["callee"]).value])
        for op in builder.operations(root):
            if op.name in NESTED:
                raise FrontendError(f"the function of single elements of '{root.name}' ({where(root, module)}) holds "
                                    f"'{op.name}', expected arithmetic; a choice between two values is a select "
                                    "(jnp.where)")

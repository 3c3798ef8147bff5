"""Concatenations, and tensors without elements.

concatenate becomes tensor.concat: jaxlib's pass would make a kernel of reads at computed positions, which hides the
copies. Values without elements, which jax.lax.associative_scan slices and concatenates, become constants first, because
tensor.extract_slice refuses an empty range. A reduction over no dimension, such as the sum of a scalar, becomes one
over a dimension of size 1, because jaxlib's pass requires a dimension.
"""
from jaxlib.mlir import ir

from ..ir import builder


def is_empty(value):
    return str(value.type).startswith("tensor<") and 0 in builder.shape(value)


def fill(op):
    """Replaces an operation on no elements by a broadcast of its init or padding value."""
    value, t = op.operands[1].type, op.results[0].type
    builder.splice(op, f"""func.func @padding(%value: {value}) -> {t} {{
        %all = stablehlo.broadcast_in_dim %value, dims = [] : ({value}) -> {t}
        return %all : {t}
    }}""", [op.operands[1]])


def nothing(op):
    t = op.results[0].type
    builder.splice(op, f"func.func @empty() -> {t} {{\n %c = stablehlo.constant dense<> : {t}\n return %c : {t}\n}}",
                   [])


def drop_empty(module):
    """Replaces operations on no elements. Those with a region come first, since they take the operations in it
    along."""
    def makes_nothing(op):
        return (op.name.startswith("stablehlo.") and op.name != "stablehlo.constant" and len(op.results) == 1
                and is_empty(op.results[0]))

    for name in ("stablehlo.reduce", "stablehlo.pad"):
        for op in builder.innermost_first(module.operation, name):
            if makes_nothing(op):
                nothing(op)
            elif len(op.operands) == 2 and is_empty(op.operands[0]):
                fill(op)
    for op in [op for op in builder.operations(module.operation) if makes_nothing(op)]:
        nothing(op)


def rewrite_concatenate(op):
    operands = [v for v in op.operands if not is_empty(v)]
    types = [str(builder.signless(v.type)) for v in operands]
    result = builder.signless(op.results[0].type)
    names = [f"%part{i}" for i in range(len(operands))]
    builder.splice(op, f"""func.func @join({', '.join(f'{n}: {t}' for n, t in zip(names, types))}) -> {result} {{
        %whole = tensor.concat dim({op.attributes["dimension"].value}) {', '.join(names)}
            : ({', '.join(types)}) -> {result}
        return %whole : {result}
    }}""", operands)


def add_dimension(op):
    if list(op.attributes["dimensions"]):
        return
    for i in range(len(op.operands) // 2):
        operand = op.operands[i]
        longer = ir.RankedTensorType.get([1, *builder.shape(operand)], builder.element_type(operand))
        op.operands[i] = builder.create(op, "stablehlo.reshape", [longer], [operand]).results[0]
    op.attributes["dimensions"] = ir.DenseI64ArrayAttr.get([0])


def rewrite(module):
    drop_empty(module)
    for op in builder.innermost_first(module.operation, "stablehlo.reduce"):
        add_dimension(op)
    for op in builder.innermost_first(module.operation, "stablehlo.concatenate"):
        rewrite_concatenate(op)

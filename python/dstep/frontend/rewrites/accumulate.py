"""16-bit contractions and sums get f32 accumulators, as in the frameworks' own libraries.

    dot_general, convolution   the result becomes f32 and is rounded once
    reduce, reduce_window      operands and inits become f32, the result is rounded once (sums and products; a maximum
                               is exact)
"""
from jaxlib.mlir import ir

from ..ir import builder

CONTRACTIONS = ("stablehlo.dot_general", "stablehlo.dot", "stablehlo.convolution")
REDUCTIONS = ("stablehlo.reduce", "stablehlo.reduce_window")


def _narrow(type_):
    return isinstance(type_, ir.RankedTensorType) and isinstance(type_.element_type, (ir.BF16Type, ir.F16Type))


def _with_element(type_, element):
    return ir.RankedTensorType.get(type_.shape, element)


def _convert(value, element, before):
    return builder.create(before, "stablehlo.convert", [_with_element(value.type, element)], [value]).results[0]


def _round_result(op, result, wide):
    narrow = result.type.element_type
    result.set_type(_with_element(result.type, wide))
    users = [(use.owner, use.operand_number) for use in result.uses]
    rounded = _convert(result, narrow, builder.next_operation(op))
    for owner, number in users:
        owner.operands[number] = rounded


def _sums(op):
    return all(inner.operation.name in ("stablehlo.add", "stablehlo.multiply", "stablehlo.return")
               for inner in op.regions[0].blocks[0].operations)


def rewrite(module):
    wide = ir.F32Type.get()
    for op in builder.operations(module.operation):
        if op.name in CONTRACTIONS and _narrow(op.results[0].type):
            _round_result(op, op.results[0], wide)
        elif op.name in REDUCTIONS and all(_narrow(r.type) for r in op.results) and _sums(op):
            for i, operand in enumerate(list(op.operands)):
                op.operands[i] = _convert(operand, wide, op)
            for block in op.regions[0]:
                for argument in block.arguments:
                    argument.set_type(_with_element(argument.type, wide))
                for inner in block:
                    for value in inner.operation.results:
                        value.set_type(_with_element(value.type, wide))
            for result in list(op.results):
                _round_result(op, result, wide)

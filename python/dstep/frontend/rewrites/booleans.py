"""Large constants of booleans as bytes. MLIR prints many elements as hexadecimal digits of their memory, which holds
booleans as bits in one version and as bytes in another, so the compiler could not read jaxlib's output. Bytes are the
same in both.
"""
import numpy as np
from jaxlib.mlir import ir

from ..ir import builder

PRINTED = 100  # elements; MLIR prints more of them as digits


def rewrite(module):
    for op in builder.operations(module.operation):
        if op.name != "arith.constant" or not str(op.results[0].type).endswith("xi1>"):
            continue
        value, kind = ir.DenseElementsAttr(op.attributes["value"]), op.results[0].type
        if value.is_splat or len(value) <= PRINTED:
            continue
        flags = np.array([bool(flag) for flag in ir.DenseIntElementsAttr(op.attributes["value"])], np.int8)
        wide = ir.RankedTensorType.get(kind.shape, ir.IntegerType.get_signless(8))
        held = ir.DenseElementsAttr.get(flags, type=ir.IntegerType.get_signless(8), shape=list(kind.shape))
        constant = builder.create(op, "arith.constant", [wide], [], attributes={"value": held})
        builder.replace(op, [builder.create(op, "arith.trunci", [kind], [constant.results[0]]).results[0]])

"""A reduce_window over all elements before each one (cumsum, cummax) -> a masked reduction.

    result[i] = combination over j of (j <= i ? x[j] : neutral)

As a window, it would be padded by as many elements as there are, which hides that all rows are read: as a reduction,
sharded samples give partial results. The cost is that of the window.
"""
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from ..ir import builder


def _direction(op):
    """Returns (dimension, True if it runs backwards) of a window over all elements on one side; else None."""
    if len(op.operands) != 2:
        return None
    dims = builder.shape(op.operands[0])
    ones = [1] * len(dims)
    array = lambda name: list(ir.DenseI64ArrayAttr(op.attributes[name])) if name in op.attributes else ones
    if any(array(name) != ones for name in ("window_strides", "base_dilations", "window_dilations")):
        return None
    window = array("window_dimensions")
    flat = ([int(v) for v in ir.DenseIntElementsAttr(op.attributes["padding"])] if "padding" in op.attributes
            else [0] * 2 * len(dims))
    wide = [d for d, size in enumerate(window) if size > 1]
    if len(wide) != 1 or window[wide[0]] != dims[wide[0]] or any(flat[2 * d:2 * d + 2] != [0, 0]
                                                                 for d in range(len(dims)) if d != wide[0]):
        return None
    low, high = flat[2 * wide[0]:2 * wide[0] + 2]
    span = dims[wide[0]] - 1
    return (wide[0], low == 0) if (low, high) in ((span, 0), (0, span)) else None


def rewrite_window(op, dim, backwards):
    value, start = op.operands
    dims, element = builder.shape(value), builder.element_type(value)
    wide = [*dims[:dim + 1], dims[dim], *dims[dim + 1:]]
    typed = lambda dims, of: ir.RankedTensorType.get(dims, of)
    i32 = ir.IntegerType.get_signless(32)
    with ir.InsertionPoint(op), op.location:
        i, j = hlo.iota(typed(wide, i32), dim), hlo.iota(typed(wide, i32), dim + 1)
        counted = hlo.compare(j, i, hlo.ComparisonDirectionAttr.get("GE" if backwards else "LE"),
                              compare_type=hlo.ComparisonTypeAttr.get("SIGNED"))
        order = [d if d < dim else d + 1 for d in range(len(dims))]
        spread = hlo.broadcast_in_dim(typed(wide, element), value, order)
        neutral = hlo.broadcast_in_dim(typed(wide, element), start, [])
        made = hlo.ReduceOp([op.results[0].type], [hlo.select(counted, spread, neutral)], [start], [dim + 1])
    op.regions[0].blocks[0].append_to(made.regions[0])
    builder.replace(op, list(made.results))


def rewrite(module):
    for op in builder.innermost_first(module.operation, "stablehlo.reduce_window"):
        found = _direction(op)
        if found:
            rewrite_window(op, *found)

"""stablehlo.sort -> counting ranks.

    before[j, i] = comparator(x[j], x[i])  or  j < i and not comparator(x[i], x[j])      a stable order
    rank[i]      = number of j with before[j, i]
    result[r]    = x[i] where rank[i] == r                                              a maximum with one term

All operations are elementwise or reductions, so the sort is batched over the other dimensions, shards along them, and
applies to several operands (keys and values) at once. Cost: the square of the sorted size for each row, refused above a
limit.
"""
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from ...base.errors import FrontendError
from ..ir import builder
from ..ir.leftovers import place, where

LIMIT = 1 << 32  # comparisons of one sort


def _typed(dims, element):
    return ir.RankedTensorType.get(dims, element)


def _spread(value, dims, at):
    """Returns a value with one more dimension: at = (position of its sorted dimension, the sorted dimension itself)."""
    rank, sorted_dim = len(dims), at[1]
    order = [d if d <= sorted_dim else d + 1 for d in range(rank - 1)]
    order[sorted_dim] = at[0]
    return hlo.broadcast_in_dim(_typed(dims, builder.element_type(value)), value, order)


class Comparator:
    """The region of a sort on whole arrays. Values that depend on one side only are computed before the comparison of
    all pairs."""

    def __init__(self, op, dim):
        self.op, self.block, self.dim = op, op.regions[0].blocks[0], dim
        self.shape = builder.shape(op.operands[0])
        self.wide = [*self.shape[:dim + 1], self.shape[dim], *self.shape[dim + 1:]]

    def __call__(self, first, second):
        """Returns [.., first, second, ..] if first is dim and second is dim + 1; these are the dimensions of each
        side's elements."""
        sides, values = {}, {}
        for number, argument in enumerate(self.block.arguments):
            values[argument], sides[argument] = self.op.operands[number // 2], (first, second)[number % 2]
        operations = [o.operation for o in self.block.operations]
        for inner in operations[:-1]:
            if inner.regions or not inner.name.startswith("stablehlo.") or len(inner.results) != 1:
                raise FrontendError(f"'stablehlo.sort' compares by '{inner.name}', expected functions of single "
                                    f"elements ({place(self.op.location) or self.op.location})")
            # A value from outside of the region is a constant, the same for all elements.
            of = {sides.get(v) for v in inner.operands} - {None}
            side = None if not of else of.pop() if len(of) == 1 else "both"
            operands = [self.at(values.get(v, v), sides.get(v), side) for v in inner.operands]
            dims = {None: [], "both": self.wide}.get(side, self.shape)
            made = ir.Operation.create(inner.name, results=[_typed(dims, inner.results[0].type.element_type)],
                                       operands=operands,
                                       attributes={name: inner.attributes[name] for name in inner.attributes})
            values[inner.results[0]], sides[inner.results[0]] = made.results[0], side
        answer = operations[-1].operands[0]
        return self.at(values.get(answer, answer), sides.get(answer), "both")

    def at(self, value, side, wanted):
        """Returns a value of one side (or a scalar) in the shape of `wanted`."""
        if side == wanted:
            return value
        if side is None:
            return hlo.broadcast_in_dim(_typed(self.wide if wanted == "both" else self.shape,
                                               builder.element_type(value)), value, [])
        return _spread(value, self.wide, (side, self.dim))


def _number(value, element):
    return ir.IntegerAttr.get(element, value)


def _full(dims, attribute, element):
    return hlo.constant(ir.DenseElementsAttr.get_splat(_typed(dims, element), attribute))


def _reduced(value, dim, start, combine):
    element = builder.element_type(value)
    dims = builder.shape(value)
    op = hlo.ReduceOp([_typed(dims[:dim] + dims[dim + 1:], element)], [value], [_full([], start, element)], [dim])
    scalar = _typed([], element)
    block = op.regions[0].blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        hlo.return_([combine(*block.arguments)])
    return op.results[0]


def _compare(direction, a, b):
    return hlo.compare(a, b, hlo.ComparisonDirectionAttr.get(direction),
                       compare_type=hlo.ComparisonTypeAttr.get("SIGNED"))


def _least(element):
    """Returns a lower bound of all elements, and the operation that selects the greater one."""
    if isinstance(element, ir.FloatType):
        return ir.FloatAttr.get(element, -float("inf")), hlo.maximum
    kind = ir.IntegerType(element)
    if kind.width == 1:
        return _number(0, element), hlo.or_
    return _number(0 if kind.is_unsigned else -(1 << (kind.width - 1)), element), hlo.maximum


def rewrite_sort(op, module):
    dims = builder.shape(op.operands[0])
    dim = ir.IntegerAttr(op.attributes["dimension"]).value if "dimension" in op.attributes else len(dims) - 1
    dim %= len(dims)
    size, count = dims[dim], 1
    for extent in [*dims, size]:
        count *= extent
    if count > LIMIT:
        raise FrontendError(f"a sort of {size} elements in {count // size ** 2} rows makes {count} comparisons, "
                            f"expected at most {LIMIT} ({where(op, module)})")
    if size < 2:
        return builder.replace(op, list(op.operands))
    i32 = ir.IntegerType.get_signless(32)
    with ir.InsertionPoint(op), op.location:
        compare = Comparator(op, dim)
        wide = compare.wide
        j, i = hlo.iota(_typed(wide, i32), dim), hlo.iota(_typed(wide, i32), dim + 1)
        earlier = _compare("LT", j, i)
        before = hlo.or_(compare(dim, dim + 1), hlo.and_(earlier, hlo.not_(compare(dim + 1, dim))))
        rank = _reduced(hlo.convert(_typed(wide, i32), before), dim, _number(0, i32), hlo.add)
        # [.., r, i, ..]: true for the element i of rank r.
        chosen = _compare("EQ", hlo.iota(_typed(wide, i32), dim), _spread(rank, wide, (dim + 1, dim)))
        results = []
        for value in op.operands:
            element = builder.element_type(value)
            least, greater = _least(element)
            kept = hlo.select(chosen, _spread(value, wide, (dim + 1, dim)), _full(wide, least, element))
            results.append(_reduced(kept, dim + 1, least, greater))
    builder.replace(op, results)


def exact_top_k(op, module):
    """Rewrites ApproxTopK, which in JAX selects the greatest elements up to a recall, as a sort of which the first
    elements are kept: the recall is 1."""
    options = op.attributes["mhlo.backend_config"]
    dim, count = (ir.IntegerAttr(options[name]).value for name in ("reduction_dim", "top_k"))
    held = list(op.operands)[:len(op.operands) // 2]
    name = ir.FlatSymbolRefAttr(op.attributes["called_computations"][0]).value
    comparator = next(f for f in module.body.operations if f.operation.attributes["sym_name"].value == name)
    with ir.InsertionPoint(op), op.location:
        made = hlo.SortOp([v.type for v in held], held, dimension=dim, is_stable=True)
        copy = comparator.operation.clone()
        copy.regions[0].blocks[0].append_to(made.regions[0])
        copy.erase()
        dims = builder.shape(held[0])
        ends = [count if d == dim else size for d, size in enumerate(dims)]
        builder.replace(op, [hlo.slice(v, [0] * len(dims), ends, [1] * len(dims)) for v in made.results])
    return comparator


def rewrite(module):
    calls = [op for op in builder.innermost_first(module.operation, "stablehlo.custom_call")
             if op.attributes["call_target_name"].value == "ApproxTopK"]
    for function in {str(f.attributes["sym_name"]): f for f in [exact_top_k(op, module) for op in calls]}.values():
        function.operation.erase()
    for op in builder.innermost_first(module.operation, "stablehlo.sort"):
        rewrite_sort(op, module)

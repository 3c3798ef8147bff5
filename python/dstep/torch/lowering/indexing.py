"""Rows by number: embedding, index, index_put, and sorts.

A replicated table is read by StableHLO's gather and written by its scatter. If one of the indices counts the rows of
the operand (`x[torch.arange(n), k]`), every row reads from itself, so the choice is a sum over the other dimension with
one term: the rows stay in place.
"""
import torch
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import broadcast, compare, convert, dtype, fill_region, full, iota, lowers, reduce, reshape, rows, select, shape, slice_dim, tensor, transpose

aten = torch.ops.aten


def positive(index, size):
    """Returns the index with negative numbers counted from the end."""
    index = convert(index, torch.int64)
    zero = full(shape(index), 0, torch.int64)
    return select(compare("LT", index, zero), hlo.add(index, full(shape(index), size, torch.int64)), index)


@lowers(aten.embedding.default)
def embedding(node, table, index, *options):
    return rows(table, index)


@lowers(aten.index_select.default)
def index_select(node, x, dim, index):
    dim %= max(len(shape(x)), 1)
    order = [dim] + [d for d in range(len(shape(x))) if d != dim]
    index = reshape(index, [shape(index)[0] if shape(index) else 1])
    return transpose(rows(transpose(x, order), index), [order.index(d) for d in range(len(order))])


def counts(index):
    """True if a node of the graph is 0, 1, 2 .. in its only dimension that is not 1."""
    while getattr(index, "target", None) in (aten.unsqueeze.default, aten.view.default, aten.expand.default,
                                             aten._to_copy.default):
        dims = [size for size in index.meta["tensor_meta"].shape if size != 1]
        index = index.args[0]
        if dims != [size for size in index.meta["tensor_meta"].shape if size != 1]:
            return False
    if getattr(index, "target", None) is not aten.arange.start_step:
        return False
    step = index.args[2] if len(index.args) > 2 else 1
    return index.args[0] == 0 and step == 1


class Places:
    """The meaning of `indices` of index and index_put for an operand: the indexed dimensions, and the position of the
    indices' common shape in the result."""

    def __init__(self, node, x, indices):
        self.dims = [d for d, index in enumerate(indices) if index is not None]
        shapes = [torch.empty(shape(indices[d]), device="meta") for d in self.dims]
        self.common = list(torch.broadcast_tensors(*shapes)[0].shape)
        adjacent = self.dims == list(range(self.dims[0], self.dims[-1] + 1))
        self.at = self.dims[0] if adjacent else 0
        self.rest = [d for d in range(len(shape(x))) if d not in self.dims]
        self.indices = [broadcast(positive(indices[d], shape(x)[d]), self.common) for d in self.dims]
        given = [list(node.args[1])[d] for d in self.dims]
        # True: the rows of dimension 0 in their own order, and one number for each of them.
        self.own_row = (len(self.dims) == 2 and self.dims == [0, 1] and self.common == [shape(x)[0]]
                        and counts(given[0]))

    def start(self):
        """Returns the coordinates of each element of the common shape, in its last dimension."""
        parts = [reshape(index, [*self.common, 1]) for index in self.indices]
        return parts[0] if len(parts) == 1 else hlo.concatenate(parts, len(self.common))

    def window(self, x):
        """Returns the dimensions of the result that are whole dimensions of the operand."""
        count = len(self.common)
        return [d for d in range(len(self.rest) + count) if not self.at <= d < self.at + count]

    def hit(self, x):
        """Returns, for the rows of dimension 0, [n, k, ..]: whether k is the row's number."""
        own = broadcast(self.indices[1], shape(x), [0])
        return compare("EQ", own, iota(shape(x), 1))


@lowers(aten.index.Tensor, aten._unsafe_index.Tensor)
def index(node, x, indices):
    places = Places(node, x, indices)
    if places.own_row:
        zero = full(shape(x), 0, dtype(x))
        return reduce(select(places.hit(x), x, zero), [1], "or" if dtype(x) == torch.bool else "add")
    sizes = [1 if d in places.dims else size for d, size in enumerate(shape(x))]
    numbers = hlo.GatherDimensionNumbers.get(places.window(x), places.dims, [], [], places.dims, len(places.common))
    return hlo.gather(x, places.start(), numbers, sizes)


@lowers(aten.index_put.default, aten._unsafe_index_put.default)
def index_put(node, x, indices, values, accumulate=False, unsafe=False):
    places, of = Places(node, x, indices), dtype(x)
    kept = [shape(x)[d] for d in places.rest]
    values = broadcast(convert(values, of), kept[:places.at] + places.common + kept[places.at:])
    if places.own_row:
        wide = broadcast(values, shape(x), [0, *range(2, len(shape(x)))])
        hit = places.hit(x)
        return hlo.add(x, select(hit, wide, full(shape(x), 0, of))) if accumulate else select(hit, wide, x)
    numbers = hlo.ScatterDimensionNumbers.get(places.window(x), places.dims, [], [], places.dims, len(places.common))
    op = hlo.ScatterOp([x.type], [x], places.start(), [values], numbers)
    fill_region(op, of, (hlo.or_ if of == torch.bool else hlo.add) if accumulate else lambda old, new: new)
    return op.results[0]


def sorted_pair(x, dim, descending):
    """Returns (values, original positions), stable; a NaN is greater than every number."""
    of, positions = dtype(x), iota(shape(x), dim)
    op = hlo.SortOp([x.type, positions.type], [x, positions], dimension=dim, is_stable=True)
    scalar, number = tensor([], of), tensor([], torch.int64)
    block = op.regions[0].blocks.append(scalar, scalar, number, number)
    with ir.InsertionPoint(block):
        a, b = block.arguments[:2] if not descending else list(block.arguments[:2])[::-1]
        before = compare("LT", a, b)
        if of.is_floating_point:
            before = hlo.or_(before, hlo.and_(compare("EQ", a, a), compare("NE", b, b)))
        hlo.return_([before])
    return op.results[0], op.results[1]


@lowers(aten.sort.default)
def sort(node, x, dim=-1, descending=False):
    return sorted_pair(x, dim % len(shape(x)), descending) if shape(x) else (x, full([], 0, torch.int64))


@lowers(aten.sort.stable)
def stable_sort(node, x, stable=None, dim=-1, descending=False):
    return sort(node, x, dim, descending)


@lowers(aten.topk.default)
def topk(node, x, k, dim=-1, largest=True, sorted=True):
    dim %= len(shape(x))
    return tuple(slice_dim(part, dim, 0, k) for part in sorted_pair(x, dim, largest))

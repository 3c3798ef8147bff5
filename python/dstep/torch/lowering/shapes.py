"""Operations that move elements and compute nothing: views, slices, pads, constants, counting."""
import itertools

import torch
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import (broadcast, compare, constant, convert, dtype, full, iota, lowers, pad, reduce, reshape, result_of,
                   rows, select, shape, slice_dim, tensor, transpose)

aten = torch.ops.aten
ZEROS = (aten.zeros.default, aten.zeros_like.default, aten.new_zeros.default)


@lowers(aten.view.default, aten._unsafe_view.default, aten.unsqueeze.default, aten.squeeze.dim, aten.squeeze.dims,
        aten.squeeze.default)
def view(node, x, *options):
    return reshape(x, result_of(node)[0])


@lowers(aten.expand.default)
def expand(node, x, size, **options):
    return broadcast(x, result_of(node)[0])


@lowers(aten.permute.default)
def permute(node, x, order):
    return transpose(x, [d % len(order) for d in order])


@lowers(aten.t.default)
def t(node, x):
    return transpose(x, list(range(len(shape(x))))[::-1])


@lowers(aten.transpose.int)
def swap(node, x, a, b):
    order = list(range(len(shape(x))))
    if order:
        order[a], order[b] = order[b], order[a]
    return transpose(x, order)


@lowers(aten.repeat.default)
def repeat(node, x, times):
    dims = [1] * (len(times) - len(shape(x))) + shape(x)
    pairs = [size for pair in zip(times, dims) for size in pair]
    spread = hlo.broadcast_in_dim(tensor(pairs, dtype(x)), reshape(x, dims), list(range(1, len(pairs), 2)))
    return reshape(spread, result_of(node)[0])


@lowers(aten.flip.default)
def flip(node, x, dims):
    return hlo.reverse(x, sorted({d % len(shape(x)) for d in dims}))


@lowers(aten.cat.default)
def cat(node, parts, dim=0):
    dims, of = result_of(node)
    parts = [convert(p, of) for p in parts if shape(p) != [0]]
    return parts[0] if len(parts) == 1 else hlo.concatenate(parts, dim % len(dims))


def bounds(size, start, end):
    start, end = 0 if start is None else start, size if end is None else end
    start, end = (min(max(v + size if v < 0 else v, 0), size) for v in (start, end))
    return start, max(start, end)


@lowers(aten.slice.Tensor)
def slices(node, x, dim=0, start=None, end=None, step=1):
    dim %= len(shape(x))
    return slice_dim(x, dim, *bounds(shape(x)[dim], start, end), step)


@lowers(aten.select.int)
def select_int(node, x, dim, index):
    dim %= len(shape(x))
    index %= shape(x)[dim]
    return reshape(slice_dim(x, dim, index, index + 1), result_of(node)[0])


@lowers(aten.split_with_sizes.default)
def split(node, x, sizes, dim=0):
    ends = list(itertools.accumulate(sizes))
    return tuple(slice_dim(x, dim % len(shape(x)), end - size, end) for size, end in zip(sizes, ends))


@lowers(aten.unbind.int)
def unbind(node, x, dim=0):
    dim %= len(shape(x))
    rest = [size for d, size in enumerate(shape(x)) if d != dim]
    return tuple(reshape(slice_dim(x, dim, i, i + 1), rest) for i in range(shape(x)[dim]))


def is_zero(node):
    """True if a node of the graph is a tensor of zeros: the gradient of a slice writes a slice of one."""
    if node.target in (aten.full.default, aten.full_like.default):
        return node.args[1] == 0
    return node.target in ZEROS


def placed(value, x, dim, start, step=1, number=0):
    """Returns `value` padded to the shape of x, at every `step`th place of a dimension from `start` on."""
    low, high, inner = ([0] * len(shape(x)) for _ in range(3))
    low[dim], inner[dim] = start, step - 1
    high[dim] = shape(x)[dim] - 1 - start - (shape(value)[dim] - 1) * step
    return pad(value, low, high, inner, number)


@lowers(aten.slice_scatter.default)
def slice_scatter(node, x, source, dim=0, start=None, end=None, step=1):
    """In zeros, the padded source; else the concatenation of the part before, the source, and the part after; with
    gaps, a select per element."""
    dim %= len(shape(x))
    size, source = shape(x)[dim], convert(source, dtype(x))
    start, end = bounds(size, start, end)
    if shape(source)[dim] == 0:
        return x
    if step == 1 and not is_zero(node.args[0]):
        parts = [slice_dim(x, dim, 0, start), source, slice_dim(x, dim, end, size)]
        parts = [p for p in parts if shape(p)[dim]]
        return parts[0] if len(parts) == 1 else hlo.concatenate(parts, dim)
    found = placed(source, x, dim, start, step)
    if is_zero(node.args[0]):
        return found
    return select(placed(full(shape(source), True, torch.bool), x, dim, start, step, False), found, x)


@lowers(aten.select_scatter.default)
def select_scatter(node, x, source, dim, index):
    dim %= len(shape(x))
    index %= shape(x)[dim]
    source = reshape(convert(source, dtype(x)), [1 if d == dim else size for d, size in enumerate(shape(x))])
    if is_zero(node.args[0]):
        return placed(source, x, dim, index)
    here = compare("EQ", iota(shape(x), dim), full(shape(x), index, torch.int64))
    return select(here, broadcast(source, shape(x)), x)


@lowers(aten.constant_pad_nd.default)
def constant_pad(node, x, padding, value=0):
    low, high = [0] * len(shape(x)), [0] * len(shape(x))
    for i in range(0, len(padding), 2):
        low[-1 - i // 2], high[-1 - i // 2] = padding[i], padding[i + 1]
    return pad(x, low, high, number=value) if any(low + high) else x


def on_diagonal(x, offset, dim1, dim2):
    """Returns where an element lies on the diagonal, and the first row of that."""
    rows, columns = iota(shape(x), dim1), iota(shape(x), dim2)
    return compare("EQ", hlo.add(rows, full(shape(x), offset, torch.int64)), columns), max(-offset, 0)


@lowers(aten.diagonal.default)
def diagonal(node, x, offset=0, dim1=0, dim2=1):
    """Keeps the diagonal and sums over the second of the two dimensions."""
    rank = len(shape(x))
    dim1, dim2 = dim1 % rank, dim2 % rank
    here, start = on_diagonal(x, offset, dim1, dim2)
    found = reduce(select(here, x, full(shape(x), 0, dtype(x))), [dim2], "add")
    at = dim1 - (dim2 < dim1)
    found = slice_dim(found, at, start, start + result_of(node)[0][-1])
    return transpose(found, [d for d in range(rank - 1) if d != at] + [at])


@lowers(aten.diagonal_scatter.default)
def diagonal_scatter(node, x, source, offset=0, dim1=0, dim2=1):
    """Writes the source, whose last dimension is the diagonal, over the diagonal."""
    rank = len(shape(x))
    dim1, dim2 = dim1 % rank, dim2 % rank
    here, start = on_diagonal(x, offset, dim1, dim2)
    none = [0] * (rank - 2)
    found = pad(convert(source, dtype(x)), [*none, start], [*none, shape(x)[dim1] - start - shape(source)[-1]])
    rest = [d for d in range(rank) if d not in (dim1, dim2)]
    return select(here, broadcast(found, shape(x), [*rest, dim1]), x)


def storage(node):
    """Returns [address in memory] -> the number of the node's element there, -1 for none."""
    meta = node.meta["tensor_meta"]
    numbers = torch.arange(meta.shape.numel())
    held = torch.full((1 + sum((n - 1) * s for n, s in zip(meta.shape, meta.stride)),), -1)
    held.as_strided(meta.shape, meta.stride).copy_(numbers.reshape(meta.shape))
    return held


def elements(node, x, size, stride, offset):
    """Returns the number of x's element at each position of a view of its memory, in one row."""
    numbers = storage(node.args[0]).as_strided(size, stride, offset or 0).reshape(-1)
    if (numbers < 0).any():
        raise ValueError(f"memory between the elements of {shape(x)} by sizes {size} and strides {stride}")
    return numbers


@lowers(aten.as_strided.default)
def as_strided(node, x, size, stride, offset=0):
    """Kernels of PyTorch pass sizes and strides explicitly, mostly for the same elements in the same order."""
    numbers = elements(node, x, size, stride, offset)
    flat = reshape(x, [torch.Size(shape(x)).numel()])
    if numbers.tolist() == list(range(shape(flat)[0])):
        return reshape(x, size)
    return reshape(rows(flat, constant(numbers)), size)


@lowers(aten.as_strided_scatter.default)
def as_strided_scatter(node, x, source, size, stride, offset=0):
    numbers = elements(node, x, size, stride, offset)
    chosen = torch.full((torch.Size(shape(x)).numel(),), -1)
    # For each element, the element of the source that replaces it.
    chosen[numbers] = torch.arange(len(numbers))
    if chosen.tolist() == list(range(len(chosen))):
        return reshape(source, shape(x))
    found = rows(reshape(convert(source, dtype(x)), [len(numbers)]), constant(chosen.clamp(min=0)))
    return select(constant(chosen.reshape(shape(x)) >= 0), reshape(found, shape(x)), x)


@lowers(aten.arange.start_step)
def arange(node, start, end, step=1, **options):
    dims, of = result_of(node)
    counted = convert(iota(dims, 0, torch.int64 if of.is_floating_point else of), of)
    counted = counted if step == 1 else hlo.multiply(counted, full(dims, step, of))
    return counted if start == 0 else hlo.add(counted, full(dims, start, of))


@lowers(aten.full.default, aten.scalar_tensor.default)
def filled(node, *arguments, **options):
    dims, of = result_of(node)
    return full(dims, arguments[-1], of)


def constants(number, *operations):
    @lowers(*operations)
    def rule(node, *arguments, **options):
        dims, of = result_of(node)
        return full(dims, number, of)


constants(0, *ZEROS, aten.empty.memory_format, aten.empty_like.default, aten.new_empty.default,
          aten.empty_strided.default, aten.new_empty_strided.default)
constants(1, aten.ones.default, aten.ones_like.default, aten.new_ones.default)

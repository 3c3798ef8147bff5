"""gather, scatter and reductions by an index, through comparisons of positions: an address computed from data hides
which sample reads which row.

Elements [.., dim, .., k] of `hits` are true if the k-th index along `dim` is that position; other dimensions stay in
place.
"""
import torch

from ..lowering.emit import highest, lowest

aten = torch.ops.aten


def _hits(index, dim, size):
    places = torch.arange(size, dtype=index.dtype).reshape([-1] + [1] * (index.dim() - dim))
    return index.movedim(dim, -1).unsqueeze(dim) == places


def _beside(x, dim, index):
    """Returns the part of x that index reaches: the sizes of index in all dimensions except `dim`."""
    for other in range(x.dim()):
        if other != dim and x.shape[other] != index.shape[other]:
            x = x.narrow(other, 0, index.shape[other])
    return x


def _put(x, part):
    """Returns x with its leading elements in every dimension replaced by part."""
    for dim in range(x.dim()):
        if part.shape[dim] < x.shape[dim]:
            rest = x.narrow(dim, part.shape[dim], x.shape[dim] - part.shape[dim])
            for other in range(dim + 1, x.dim()):
                rest = rest.narrow(other, 0, part.shape[other])
            part = torch.cat([part, rest], dim)
    return part


def _scattered(combine):
    """Returns an operation (x, dim, index, source, ..): combine(x, hits, values) gets the part that index reaches, and
    the source as [.., 1 at dim, .., k]."""
    def operation(x, dim, index, source, *arguments, **options):
        if x.dim() == 0:
            return combine(x.reshape(1), _hits(index.reshape(-1), 0, 1), *_values(source, index.reshape(-1), 0),
                           *arguments, **options).reshape(())
        dim %= x.dim()
        part = _beside(x, dim, index)
        return _put(x, combine(part, _hits(index, dim, x.shape[dim]), *_values(source, index, dim), *arguments,
                               **options))
    return operation


def _values(source, index, dim):
    if not isinstance(source, torch.Tensor):
        return [source]
    source = source.reshape(index.shape) if source.dim() != index.dim() else source
    return [source[tuple(slice(0, size) for size in index.shape)].movedim(dim, -1).unsqueeze(dim)]


def _selected(hits, values, other):
    return torch.where(hits, values, torch.full((), other, dtype=values.dtype))


def gather(x, dim, index, sparse_grad=False):
    """A sum over the one position that the index names."""
    if x.dim() == 0:
        return NotImplemented
    dim %= x.dim()
    found = _selected(_hits(index, dim, x.shape[dim]), _beside(x, dim, index).unsqueeze(-1), 0)
    return found.sum(dim, dtype=x.dtype).movedim(-1, dim)


def _add(x, hits, values):
    return x + _selected(hits, values, 0).sum(-1, dtype=x.dtype)


def _replace(x, hits, values):
    """Where indices collide, the largest value is kept; PyTorch leaves the choice open."""
    if isinstance(values, torch.Tensor):
        values = _selected(hits, values, lowest(x.dtype)).amax(-1)
    return torch.where(hits.any(-1), values, x)


def _reduce(x, hits, values, reduce, include_self=True):
    """scatter_reduce: 'sum', 'prod', 'mean', 'amax' or 'amin' of the colliding values, and of x itself."""
    reached = hits.any(-1)
    start = x if include_self else torch.where(reached, torch.full((), NEUTRAL[reduce](x.dtype), dtype=x.dtype), x)
    if reduce == "amax":
        return torch.maximum(start, _selected(hits, values, lowest(x.dtype)).amax(-1))
    if reduce == "amin":
        return torch.minimum(start, _selected(hits, values, highest(x.dtype)).amin(-1))
    if reduce == "prod":
        return start * _selected(hits, values, 1).prod(-1, dtype=x.dtype)
    total = _add(start, hits, values)
    if reduce == "sum":
        return total
    count = (hits.sum(-1) + int(include_self)).clamp(min=1)
    found = total / count if x.is_floating_point() else torch.div(total, count, rounding_mode="floor")
    return found.to(x.dtype)


NEUTRAL = {"sum": lambda dtype: 0, "mean": lambda dtype: 0, "prod": lambda dtype: 1, "amax": lowest, "amin": highest}
scatter_add, scatter, scatter_reduce = _scattered(_add), _scattered(_replace), _scattered(_reduce)


def index_reduce(x, dim, index, source, reduce, *, include_self=True):
    """scatter_reduce of whole rows."""
    dim %= max(x.dim(), 1)
    wide = index.reshape([-1] + [1] * (source.dim() - dim - 1)).expand(source.shape)
    return scatter_reduce(x, dim, wide, source, reduce, include_self=include_self)


OPERATIONS = {
    aten.gather.default: gather, aten.scatter_add.default: scatter_add, aten.scatter.src: scatter,
    aten.scatter.value: scatter,
    aten.scatter_reduce.two: scatter_reduce, aten.index_reduce.default: index_reduce,
}

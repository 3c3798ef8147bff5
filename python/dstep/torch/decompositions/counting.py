"""Statistics that count elements: every element is compared with every other of its row, and the counts select the
result.

A row of n takes n^2 comparisons, as in a sort; a histogram compares with the edges of its bins.
"""
import torch

aten = torch.ops.aten


def mode(x, dim=-1, keepdim=False):
    """Returns the most frequent element, the least of several, and its last position; a NaN equals no other element,
    and is greater than all numbers."""
    if x.dim() == 0:
        return x, torch.zeros((), dtype=torch.int64)
    x = x.movedim(dim, -1)
    places = torch.arange(x.shape[-1])
    own = places.unsqueeze(1) == places.unsqueeze(0)
    counts = ((x.unsqueeze(-1) == x.unsqueeze(-2)) | own).sum(-1)
    best = counts == counts.amax(-1, keepdim=True)
    number = best & (x == x)
    most = float("inf") if x.is_floating_point() else True if x.dtype == torch.bool else torch.iinfo(x.dtype).max
    least = torch.where(number, x, torch.full((), most, dtype=x.dtype)).amin(-1, keepdim=True)
    some = number.any(-1, keepdim=True)
    chosen = torch.where(some, number & (x == least), best)
    position = torch.where(chosen, places, torch.full((), -1)).amax(-1, keepdim=True)
    value = torch.where(some, least, x.narrow(-1, 0, 1))
    found = value.movedim(-1, dim), position.movedim(-1, dim)
    return found if keepdim else tuple(v.squeeze(dim) for v in found)


def nonzero_static(x, *, size, fill_value=-1):
    """Returns the positions of the first `size` nonzero elements, in rows; the number of rows does not depend on the
    data."""
    flat = x.reshape(-1) != 0
    rank = torch.cumsum(flat.to(torch.int64), 0) - 1
    hit = (rank == torch.arange(size).unsqueeze(1)) & flat
    number = torch.where(hit, torch.arange(flat.shape[0]), torch.zeros((), dtype=torch.int64)).sum(1)
    columns = []
    for extent in reversed(x.shape):
        columns.insert(0, number % extent)
        number = number // extent
    found = torch.stack(columns, 1) if columns else torch.zeros(size, 0, dtype=torch.int64)
    return torch.where(hit.any(1, keepdim=True), found, torch.full((), fill_value))


def histogram_of_edges(x, edges, *, weight=None, density=False):
    """Returns the sums between adjacent edges; an interval excludes its upper edge, except for the last one."""
    x, last = x.reshape(-1), edges.shape[0] - 2
    inside = (x >= edges[0]) & (x <= edges[-1])
    number = ((edges <= x.unsqueeze(1)).sum(1) - 1).clamp(0, last)
    weights = torch.ones((), dtype=x.dtype) if weight is None else weight.reshape(-1, 1)
    hit = (number.unsqueeze(1) == torch.arange(last + 1)) & inside.unsqueeze(1)
    found = torch.where(hit, weights, torch.zeros((), dtype=x.dtype)).sum(0)
    return (found / found.sum() / (edges[1:] - edges[:-1]) if density else found), edges


def histogram(x, bins=100, *, range=None, weight=None, density=False):
    """Returns a histogram with the edges of torch.linspace, computed from the nearer end; if all elements are equal,
    the edges extend half a unit to each side."""
    low, high = (torch.full((), v, dtype=x.dtype) for v in range) if range else (x.amin(), x.amax())
    half = torch.where(low == high, 0.5, 0.0).to(x.dtype)
    low, high = low - half, high + half
    places = torch.arange(bins + 1, dtype=x.dtype)
    step = (high - low) / bins
    edges = torch.where(places < (bins + 1) // 2, low + step * places, high - step * (bins - places))
    return histogram_of_edges(x, edges, weight=weight, density=density)


OPERATIONS = {aten.histogram.bin_ct: histogram, aten.histogram.bins_tensor: histogram_of_edges,
              aten.mode.default: mode, aten.nonzero_static.default: nonzero_static,
              aten.dist.default: lambda a, b, p=2: torch.linalg.vector_norm(a - b, p)}

"""Operations of ATen in terms of others, before the graph is lowered.

The rules are exact arithmetic on whole tensors: comparisons and selects instead of scatters, products with constant
matrices instead of windows of different sizes. Operations without a rule here use PyTorch's own core decompositions.
"""
import functools
import itertools

import torch
from torch._decomp import core_aten_decompositions, decomposition_table

from ..lowering import RULES
from ..lowering.emit import each, highest, lowest
from . import counting, foreach, matrices, resampling, scattering

aten = torch.ops.aten
MEAN, SUM = 1, 2


def _class_hit(scores, target, ignore_index):
    """Returns which entry of dimension 1 is the sample's class; none for an ignored sample."""
    classes = torch.arange(scores.shape[1], dtype=target.dtype).reshape([-1] + [1] * (scores.dim() - 2))
    labels = target.unsqueeze(1)
    return (classes == labels) & (labels != ignore_index)


def _weights(scores, hit, weight):
    """Returns [N, C, ...] with the weight of each entry: 0, or the weight of its class."""
    one = torch.ones((), dtype=scores.dtype) if weight is None else weight.reshape([-1] + [1] * (scores.dim() - 2))
    return torch.where(hit, one, torch.zeros((), dtype=scores.dtype))


def nll_loss_forward(scores, target, weight, reduction, ignore_index):
    if scores.dim() == 1:
        loss, total = nll_loss_forward(scores.unsqueeze(0), target.unsqueeze(0), weight, reduction, ignore_index)
        return (loss.squeeze(0) if loss.dim() else loss), total
    hit = _class_hit(scores, target, ignore_index)
    weights = _weights(scores, hit, weight)
    # A select before the product: log-probabilities of other classes may be -inf.
    losses = -(torch.where(hit, scores, torch.zeros((), dtype=scores.dtype)) * weights).sum(1)
    total = weights.sum()
    if reduction == MEAN:
        return losses.sum() / total, total
    return (losses.sum() if reduction == SUM else losses), total


def nll_loss_backward(gradient, scores, target, weight, reduction, ignore_index, total_weight):
    if scores.dim() == 1:
        return nll_loss_backward(gradient.unsqueeze(0) if gradient.dim() else gradient, scores.unsqueeze(0), target.unsqueeze(0), weight,
                                 reduction, ignore_index, total_weight).squeeze(0)
    hit = _class_hit(scores, target, ignore_index)
    each = gradient / total_weight if reduction == MEAN else gradient if reduction == SUM else gradient.unsqueeze(1)
    # A select after the product: if all samples are ignored, the product is 0 times infinity.
    return torch.where(hit, -_weights(scores, hit, weight) * each, torch.zeros((), dtype=scores.dtype))


def embedding_dense_backward(gradient, indices, num_weights, padding_idx, scale_grad_by_freq):
    """out[v] = sum of the gradients of the rows that looked up v, as a matmul with the indicator of v."""
    flat = indices.reshape(-1)
    rows = torch.arange(num_weights, dtype=flat.dtype)
    hit = (rows.unsqueeze(1) == flat.unsqueeze(0)) & (flat != padding_idx).unsqueeze(0)
    gradient = gradient.reshape(flat.shape[0], -1)
    if padding_idx >= 0:  # rows of padding may hold any value
        gradient = torch.where((flat != padding_idx).unsqueeze(1), gradient, torch.zeros((), dtype=gradient.dtype))
    one_hot = hit.to(gradient.dtype)
    if scale_grad_by_freq:
        one_hot = one_hot / one_hot.sum(1, keepdim=True).clamp(min=1)
    return one_hot @ gradient


def max_pool2d_with_indices_backward(gradient, x, kernel, stride, padding, dilation, ceil_mode, indices):
    """For each position in the window, the outputs whose maximum is there add their gradient to it. Windows without
    dilation are left to a rule of the lowering."""
    if set(dilation) == {1}:
        return NotImplemented
    (kh, kw), (ph, pw), (dh, dw) = (each(values, 2) for values in (kernel, padding, dilation))
    sh, sw = each(stride, 2) if stride else (kh, kw)
    (high, wide), (rows, columns) = x.shape[-2:], gradient.shape[-2:]
    # The image with its padding, and what windows of ceil_mode reach beyond that.
    tall, broad = (rows - 1) * sh + 1, (columns - 1) * sw + 1
    rest = x.shape[:-2]
    whole = [max(high + ph, tall + (kh - 1) * dh), max(wide + pw, broad + (kw - 1) * dw)]
    first = (torch.arange(rows) * sh - ph).reshape(-1, 1) * wide + (torch.arange(columns) * sw - pw)
    total = torch.zeros((), dtype=gradient.dtype)
    for top, left in itertools.product(range(0, kh * dh, dh), range(0, kw * dw, dw)):
        # Outside of the image the number belongs to an element of another row, but is cut off.
        part = torch.where(indices == first + top * wide + left, gradient, torch.zeros((), dtype=gradient.dtype))
        part = torch.slice_scatter(gradient.new_zeros(*rest, rows, whole[1]), part, -1, left, left + broad, sw)
        total = total + torch.slice_scatter(gradient.new_zeros(*rest, *whole), part, -2, top, top + tall, sh)
    return total[..., ph:ph + high, pw:pw + wide]


def _spans(size, out):
    """Returns [out, longest]: the elements of each window of an adaptive pool; a shorter window repeats its last
    element."""
    ends = [(o * size // out, -(-(o + 1) * size // out)) for o in range(out)]
    longest = max(end - start for start, end in ends)
    return torch.tensor([[min(start + k, end - 1) for k in range(longest)] for start, end in ends])


def adaptive_max_pool(space):
    """Returns (forward, backward): a max pool if all windows have one size, else a gather of each window's elements.
    Then the gradient goes to the position of the maximum, by comparing it with all positions."""
    pool, backward_of_pool = ((aten.max_pool2d_with_indices, aten.max_pool2d_with_indices_backward) if space == 2 else
                              (aten.max_pool3d_with_indices, aten.max_pool3d_with_indices_backward))

    def picked(x, size):
        """Returns [.., out, .., out, elements of a window], and their numbers in the image."""
        lead, values, numbers = x.dim() - space, x, torch.zeros((), dtype=torch.int64)
        for d in range(space):
            spans = _spans(x.shape[lead + d], size[d])
            dim = lead + d
            values = values.index_select(dim, spans.reshape(-1))
            values = values.reshape(*values.shape[:dim], *spans.shape, *values.shape[dim + 1:]).movedim(dim + 1, -1)
            numbers = numbers.unsqueeze(-1).unsqueeze(-1) * x.shape[lead + d] + spans.reshape([1] * (2 * d) + list(spans.shape))
        # values [.., out1, out2, .., k1, k2]; numbers [out1, k1, out2, k2]
        numbers = numbers.permute([*range(0, 2 * space, 2), *range(1, 2 * space, 2)])
        values = values.reshape(*values.shape[:x.dim()], -1)
        numbers = numbers.reshape(*numbers.shape[:space], -1)
        found, at = values.max(-1)
        chosen = torch.arange(values.shape[-1]) == at.unsqueeze(-1)
        return found, torch.where(chosen, numbers, torch.zeros((), dtype=torch.int64)).sum(-1)

    def forward(x, size):
        window = resampling.whole(x.shape[-space:], size)
        return pool(x, window, window, [0] * space, [1] * space, False) if window else picked(x, size)

    def backward(gradient, x, indices):
        window = resampling.whole(x.shape[-space:], gradient.shape[-space:])
        if window:
            return backward_of_pool(gradient, x, window, window, [0] * space, [1] * space, False, indices)
        rest = list(x.shape[:-space])
        flat = lambda v: v.reshape(*rest, 1, -1)
        here = flat(indices) == torch.arange(x.shape[-space:].numel()).unsqueeze(1)
        return torch.where(here, flat(gradient), torch.zeros((), dtype=gradient.dtype)).sum(-1).reshape(x.shape)
    return forward, backward


def shrink_backward(gradient, x, limit):
    return torch.where(x.abs() <= limit, torch.zeros((), dtype=gradient.dtype), gradient)


def smooth_l1_loss_backward(gradient, x, target, reduction, beta):
    """Compares like the kernel, so that the gradient of a NaN is NaN."""
    apart = x - target
    each = gradient / x.numel() if reduction == MEAN else gradient
    return torch.where(apart <= -beta, -each, torch.where(apart >= beta, each, each * apart / beta))


def logit_backward(gradient, x, eps=None):
    """The gradient is 0 beyond the clamped range; without clamping, it is NaN outside of 0 to 1."""
    low, high, beyond = (0, 1, float("nan")) if eps is None else (eps, 1 - eps, 0.0)
    return torch.where((x < low) | (x > high), torch.full((), beyond, dtype=x.dtype), gradient / (x * (1 - x)))


def histc(x, bins=100, min=0, max=0):
    """Counts by comparisons; without bounds these are the least and the greatest element."""
    x = x.reshape(-1)
    low, high = (x.amin(), x.amax()) if min == max == 0 else (torch.full((), min, dtype=x.dtype), torch.full((), max, dtype=x.dtype))
    bin_of = torch.floor((x - low) * bins / (high - low)).clamp(max=bins - 1)
    inside = (x >= low) & (x <= high)
    return ((bin_of.unsqueeze(1) == torch.arange(bins, dtype=x.dtype)) & inside.unsqueeze(1)).sum(0).to(x.dtype)


def grouped_mm(a, b, offsets=None, bias=None, out_dtype=None):
    """Returns matrix products of groups of rows, which end at `offsets`: every group's matrix times all rows, of which
    each row keeps the product of its group. Shapes in this form do not depend on the data of the routing."""
    if bias is not None or out_dtype not in (None, a.dtype):
        return NotImplemented
    if offsets is None:
        return a @ b
    count = offsets.shape[0]
    extent = a.shape[-1] if a.dim() == b.dim() == 2 else a.shape[0] if a.dim() == 2 else b.shape[1]
    group = (torch.arange(extent, dtype=offsets.dtype).unsqueeze(1) >= offsets.unsqueeze(0)).sum(1)
    member = group.unsqueeze(0) == torch.arange(count).unsqueeze(1)  # [groups, rows]
    zero = torch.zeros((), dtype=a.dtype)
    if a.dim() == b.dim() == 2:
        return torch.where(member.unsqueeze(1), a.unsqueeze(0), zero) @ torch.where(member.unsqueeze(2), b.unsqueeze(0), zero)
    if a.dim() == 2:
        return torch.where(member.unsqueeze(2), a.unsqueeze(0).expand(count, *a.shape) @ b, zero).sum(0)
    return torch.where(member.unsqueeze(1), a @ b.unsqueeze(0).expand(count, *b.shape), zero).sum(0)


def grouped_mm_backward(rows, experts, offsets, gradient):
    return grouped_mm(gradient, experts.transpose(1, 2), offsets), grouped_mm(rows.t(), gradient, offsets)


def index_put(x, indices, values, accumulate=False):
    """A masked write of one value is a select; other forms have no rule here."""
    mask = indices[0]
    if len(indices) != 1 or mask is None or mask.dtype != torch.bool or values.numel() != 1 or accumulate:
        return NotImplemented
    return torch.where(mask.reshape([*mask.shape, *[1] * (x.dim() - mask.dim())]), values.reshape(()).to(x.dtype), x)


def _before(x, dim, neutral):
    """Returns [.., i, .., j]: x[j] if j is not after i, else the neutral number; and where j is not after i."""
    places = torch.arange(x.shape[dim])
    counted = (places.unsqueeze(0) <= places.unsqueeze(1)).reshape([-1] + [1] * (x.dim() - 1 - dim) + [x.shape[dim]])
    return torch.where(counted, x.movedim(dim, -1).unsqueeze(dim), torch.full((), neutral, dtype=x.dtype)), counted


def cumulative_extreme(neutral, extreme):
    def cumulative(x, dim):
        """Returns the running extremes and their positions; of equal elements the last one counts, as in PyTorch's
        kernel."""
        if x.dim() == 0:
            return x, torch.zeros((), dtype=torch.int64)
        dim %= x.dim()
        wide, counted = _before(x, dim, neutral(x.dtype))
        found = extreme(wide, -1)
        chosen = (wide == found.unsqueeze(-1)) & counted
        return found, torch.where(chosen, torch.arange(x.shape[dim]), torch.zeros((), dtype=torch.int64)).amax(-1)
    return cumulative


def logcumsumexp(x, dim):
    return x if x.dim() == 0 else torch.logsumexp(_before(x, dim % x.dim(), -float("inf"))[0], -1)


def kthvalue(x, k, dim=-1, keepdim=False):
    if x.dim() == 0:
        return x, torch.zeros((), dtype=torch.int64)
    take = lambda v: v.narrow(dim, k - 1, 1) if keepdim else v.select(dim, k - 1)
    return tuple(map(take, torch.sort(x, dim)))


def median(skips_nan):
    """Returns the lower of the two middle elements, among the numbers if it skips NaN; else a row with a NaN has the
    median NaN, which a sort puts last."""
    def function(x, dim, keepdim=False):
        if x.dim() == 0:
            return x, torch.zeros((), dtype=torch.int64)
        values, positions = torch.sort(x, dim)
        last, count = x.shape[dim] - 1, torch.isnan(values).logical_not().sum(dim, keepdim=True)
        at = (count - 1).clamp(min=0) // 2 if skips_nan else torch.where(count > last, last // 2, last)
        found = values.gather(dim, at), positions.gather(dim, at)
        return found if keepdim else tuple(v.squeeze(dim) for v in found)
    return function


def unfold(x, dim, size, step):
    """Returns the windows along a dimension, gathered by their positions."""
    if x.dim() == 0:
        return NotImplemented
    dim %= x.dim()
    count = (x.shape[dim] - size) // step + 1
    numbers = (torch.arange(count).unsqueeze(1) * step + torch.arange(size)).reshape(-1)
    picked = torch.index_select(x, dim, numbers)
    return picked.reshape(*x.shape[:dim], count, size, *x.shape[dim + 1:]).movedim(dim + 1, -1)


def searchsorted(edges, values, out_int32=False, right=False, side=None, sorter=None):
    """Returns the number of edges before each value; all edges are before a NaN."""
    if sorter is not None:
        return NotImplemented
    right = right or side == "right"
    values = torch.as_tensor(values)
    edges = edges if edges.dim() == 1 else edges.unsqueeze(-2)
    behind = edges > values.unsqueeze(-1) if right else edges >= values.unsqueeze(-1)
    return behind.logical_not().sum(-1).to(torch.int32 if out_int32 else torch.int64)


def lerp_scalar(start, end, weight):
    """Uses PyTorch's formula that is exact at the nearer end; the weight is known here."""
    return start + weight * (end - start) if abs(weight) < 0.5 else end - (end - start) * (1 - weight)


def var_mean(x, dim=None, *, correction=1, keepdim=False):
    dims = list(range(x.dim())) if not dim else dim
    return torch.var(x, dims, correction=correction, keepdim=keepdim), x.mean(dims, keepdim=keepdim)


OVERRIDDEN = {
    aten.var_mean.correction: var_mean,
    aten.cummax.default: cumulative_extreme(lowest, torch.amax),
    aten.cummin.default: cumulative_extreme(highest, torch.amin),
    aten.logcumsumexp.default: logcumsumexp,
    aten.kthvalue.default: kthvalue,
    aten.median.dim: median(False),
    aten.median.default: lambda x: median(False)(x.reshape(-1), 0)[0],
    aten.nanmedian.dim: median(True),
    aten.nanmedian.default: lambda x: median(True)(x.reshape(-1), 0)[0],
    aten.unfold.default: unfold,
    aten.searchsorted.Tensor: searchsorted,
    aten.bucketize.Tensor: lambda x, edges, out_int32=False, right=False: searchsorted(edges, x, out_int32, right),
    aten.lerp.Scalar: lerp_scalar,
    aten.nll_loss_forward.default: nll_loss_forward,
    aten.nll_loss2d_forward.default: nll_loss_forward,
    aten.nll_loss_backward.default: nll_loss_backward,
    aten.nll_loss2d_backward.default: nll_loss_backward,
    aten.embedding_dense_backward.default: embedding_dense_backward,
    aten.max_pool2d_with_indices_backward.default: max_pool2d_with_indices_backward,
    aten.hardshrink_backward.default: shrink_backward,
    aten.softshrink_backward.default: shrink_backward,
    aten.histc.default: histc,
    aten.smooth_l1_loss_backward.default: smooth_l1_loss_backward,
    aten.logit_backward.default: logit_backward,
    aten._grouped_mm.default: grouped_mm,
    aten.index_put.default: index_put,
    aten.empty_permuted.default: lambda size, physical_layout, dtype=None, **options: torch.zeros(size, dtype=dtype),
}
# Operations that libraries of models define, by name; they exist once the library is loaded.
OF_LIBRARIES = {"transformers::grouped_mm_fallback": grouped_mm, "transformers::grouped_mm_fallback_backward": grouped_mm_backward}


def _loaded():
    for name, decomposition in OF_LIBRARIES.items():
        library, operation = name.split("::")
        found = getattr(getattr(torch.ops, library), operation, None)
        if found is not None:
            yield found.default, decomposition


for _space in (2, 3):
    OVERRIDDEN |= dict(zip((getattr(aten, f"adaptive_max_pool{_space}d").default, getattr(aten, f"adaptive_max_pool{_space}d_backward").default),
                           adaptive_max_pool(_space)))
# Operations outside of PyTorch's core set that use its decompositions.
BESIDE_CORE = [aten.unfold_backward.default, aten.grid_sampler_2d.default, aten.polar.default]


@functools.lru_cache(1)
def _table(registered):
    known = {op: decomposition_table[op] for op in BESIDE_CORE} | dict(core_aten_decompositions())
    return {op: f for op, f in known.items() if op not in RULES} | foreach.table() | resampling.table() | matrices.OPERATIONS | scattering.OPERATIONS | counting.OPERATIONS | OVERRIDDEN | dict(_loaded())


def table():
    """Returns {operation: decomposition}. Operations with a rule of the lowering are left out, unless they are named
    above. It is made again when a library has registered operations."""
    return _table(len(torch._C._dispatch_get_all_op_names()))

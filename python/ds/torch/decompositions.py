"""Operations of ATen in terms of others, before the graph is lowered.

Everything here is exact arithmetic on whole tensors: comparisons and selects instead of scatters, products with constant matrices instead of
windows of different sizes. PyTorch's own core decompositions stand below, for what is not named here.
"""
import torch
from torch._decomp import core_aten_decompositions

from .lowering import RULES

aten = torch.ops.aten
MEAN, SUM = 1, 2


def _class_hit(scores, target, ignore_index):
    """Which entry of dimension 1 is the sample's class; none for an ignored sample."""
    classes = torch.arange(scores.shape[1], dtype=target.dtype).reshape([-1] + [1] * (scores.dim() - 2))
    labels = target.unsqueeze(1)
    return (classes == labels) & (labels != ignore_index)


def _weights(scores, hit, weight):
    """[N, C, ...] of what each entry counts: 0, or the weight of its class."""
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
    return -_weights(scores, hit, weight) * each


def embedding_dense_backward(gradient, indices, num_weights, padding_idx, scale_grad_by_freq):
    """out[v] = sum of the gradients of the rows that looked up v, as a matmul with the indicator of v."""
    flat = indices.reshape(-1)
    rows = torch.arange(num_weights, dtype=flat.dtype)
    hit = (rows.unsqueeze(1) == flat.unsqueeze(0)) & (flat != padding_idx).unsqueeze(0)
    gradient = gradient.reshape(flat.shape[0], -1)
    one_hot = hit.to(gradient.dtype)
    if scale_grad_by_freq:
        one_hot = one_hot / one_hot.sum(1, keepdim=True).clamp(min=1)
    return one_hot @ gradient


def _pair(values):
    return (values[0], values[0]) if len(values) == 1 else tuple(values)


def _place(x, high, wide, top, left, stride):
    """x spread by `stride` (zeros between) into zeros of [high, wide], its first element at (top, left); what lies outside is cut off."""
    n, c, rows, columns = x.shape
    sh, sw = stride
    if sh > 1:
        x = torch.constant_pad_nd(x.unsqueeze(3), [0, 0, 0, sh - 1]).reshape(n, c, rows * sh, columns)
    if sw > 1:
        x = torch.constant_pad_nd(x.unsqueeze(4), [0, sw - 1]).reshape(n, c, x.shape[2], columns * sw)
    return _window(x, -top, -left, high, wide)


def _window(x, top, left, high, wide):
    """x[top : top + high, left : left + wide] of the last two dimensions, zeros outside."""
    return torch.constant_pad_nd(x, [-left, left + wide - x.shape[3], -top, top + high - x.shape[2]])


def max_pool2d_with_indices_backward(gradient, x, kernel, stride, padding, dilation, ceil_mode, indices):
    """For each place in the window: the outputs whose maximum lies there send their gradient to it. Windows without gaps have a rule of
    their own."""
    if set(dilation) == {1}:
        return NotImplemented
    if x.dim() == 3:
        return max_pool2d_with_indices_backward(gradient.unsqueeze(0), x.unsqueeze(0), kernel, stride, padding, dilation, ceil_mode,
                                                indices.unsqueeze(0)).squeeze(0)
    (kh, kw), (ph, pw), (dh, dw) = _pair(kernel), _pair(padding), _pair(dilation)
    sh, sw = _pair(stride) if stride else (kh, kw)
    high, wide = x.shape[2:]
    rows = (torch.arange(gradient.shape[2]) * sh - ph).reshape(-1, 1)
    columns = (torch.arange(gradient.shape[3]) * sw - pw).reshape(1, -1)
    result = None
    for i in range(kh):
        for j in range(kw):
            here = (rows + i * dh) * wide + (columns + j * dw)
            # Beside the image that is the number of an element of another row, but _place cuts off what lies there.
            part = torch.where(indices == here, gradient, torch.zeros((), dtype=gradient.dtype))
            part = _place(part, high, wide, i * dh - ph, j * dw - pw, (sh, sw))
            result = part if result is None else result + part
    return result


def _along(x, rows, columns):
    """rows @ x @ columns^T on the last two dimensions."""
    return torch.tensor(rows, dtype=x.dtype) @ x @ torch.tensor(columns, dtype=x.dtype).t()


def _transposed(matrix):
    return [list(column) for column in zip(*matrix)]


def _averages(size, out):
    """[out, size]: which elements each output of an adaptive pool averages, and their weight."""
    windows = [(o * size // out, -(-(o + 1) * size // out)) for o in range(out)]
    return [[1 / (end - start) if start <= i < end else 0.0 for i in range(size)] for start, end in windows]


def adaptive_avg_pool2d(x, size):
    """An average pool where all windows are whole; else two products with matrices of weights."""
    (high, wide), size = x.shape[-2:], _pair(size)
    if high % size[0] or wide % size[1]:
        return _along(x, _averages(high, size[0]), _averages(wide, size[1]))
    window = [high // size[0], wide // size[1]]
    return aten.avg_pool2d(x, window, window)


def adaptive_avg_pool2d_backward(gradient, x):
    (high, wide), size = x.shape[-2:], gradient.shape[-2:]
    if high % size[0] or wide % size[1]:
        return _along(gradient, _transposed(_averages(high, size[0])), _transposed(_averages(wide, size[1])))
    window = [high // size[0], wide // size[1]]
    return aten.avg_pool2d_backward(gradient, x, window, window, [0, 0], False, True, None)


def _between(size, out, align_corners, scale):
    """[out, size]: the two neighbours between which each output of a linear interpolation lies, and their weights."""
    if align_corners:
        step = (size - 1) / (out - 1) if out > 1 else 0.0
    else:
        step = 1 / scale if scale else size / out
    matrix = []
    for o in range(out):
        at = o * step if align_corners else max((o + 0.5) * step - 0.5, 0.0)
        first = min(int(at), size - 1)
        second, weight = min(first + 1, size - 1), at - first
        row = [0.0] * size
        row[first] += 1 - weight
        row[second] += weight
        matrix.append(row)
    return matrix


def upsample_bilinear2d(x, size, align_corners, scale_h=None, scale_w=None):
    """Two products with matrices of weights."""
    return _along(x, _between(x.shape[2], size[0], align_corners, scale_h), _between(x.shape[3], size[1], align_corners, scale_w))


def upsample_bilinear2d_vec(x, size, align_corners, scales):
    if size is not None:
        return upsample_bilinear2d(x, size, align_corners)
    size = [int(extent * scale) for extent, scale in zip(x.shape[2:], scales)]
    return upsample_bilinear2d(x, size, align_corners, *scales)


def upsample_bilinear2d_backward(gradient, size, input_size, align_corners, scale_h=None, scale_w=None):
    return _along(gradient, _transposed(_between(input_size[2], size[0], align_corners, scale_h)),
                  _transposed(_between(input_size[3], size[1], align_corners, scale_w)))


def adaptive_max_pool2d(x, size):
    """Only whole windows, which are a max pool."""
    if x.shape[-2] % size[0] or x.shape[-1] % size[1]:
        return NotImplemented
    window = [x.shape[-2] // size[0], x.shape[-1] // size[1]]
    return aten.max_pool2d_with_indices(x, window, window, [0, 0], [1, 1], False)


def upsample_nearest2d(x, output_size, *scales):
    """Only whole factors: every element is repeated that often."""
    n, c, high, wide = x.shape
    size = [int(extent * factor) for extent, factor in zip((high, wide), scales[0])] if output_size is None else output_size
    if size[0] % high or size[1] % wide:
        return NotImplemented
    return x.reshape(n, c, high, 1, wide, 1).expand(n, c, high, size[0] // high, wide, size[1] // wide).reshape(n, c, *size)


def upsample_nearest2d_backward(gradient, output_size, input_size, scales_h=None, scales_w=None):
    """Only whole factors: every element was repeated that often."""
    n, c, high, wide = input_size
    if gradient.shape[2] % high or gradient.shape[3] % wide:
        return NotImplemented
    return gradient.reshape(n, c, high, gradient.shape[2] // high, wide, gradient.shape[3] // wide).sum((3, 5))


def adaptive_max_pool2d_backward(gradient, x, indices):
    """Only whole windows, which are a max pool."""
    if x.shape[-2] % gradient.shape[-2] or x.shape[-1] % gradient.shape[-1]:
        return NotImplemented
    window = [x.shape[-2] // gradient.shape[-2], x.shape[-1] // gradient.shape[-1]]
    return aten.max_pool2d_with_indices_backward(gradient, x, window, window, [0, 0], [1, 1], False, indices)


def _hits(index, dim, size):
    """[.., dim, .., k]: whether the k-th index along `dim` is that position; dimensions beside it stay where they are."""
    places = torch.arange(size, dtype=index.dtype).reshape([-1] + [1] * (index.dim() - dim))
    return index.movedim(dim, -1).unsqueeze(dim) == places


def gather(x, dim, index, sparse_grad=False):
    """A sum over the one position that the index names: every sample reads its own row, which an address computed from data hides."""
    if x.dim() == 0:
        return NotImplemented
    dim %= x.dim()
    for other in range(x.dim()):
        if other != dim and x.shape[other] != index.shape[other]:
            x = x.narrow(other, 0, index.shape[other])
    found = torch.where(_hits(index, dim, x.shape[dim]), x.unsqueeze(-1), torch.zeros((), dtype=x.dtype))
    return found.sum(dim, dtype=x.dtype).movedim(-1, dim)


def scatter_add(x, dim, index, source):
    """The reverse of gather, for indices of all rows."""
    if x.dim() == 0 or any(x.shape[d] != index.shape[d] for d in range(x.dim()) if d != dim % x.dim()):
        return NotImplemented
    dim %= x.dim()
    source = source[tuple(slice(0, size) for size in index.shape)].movedim(dim, -1).unsqueeze(dim)
    return x + torch.where(_hits(index, dim, x.shape[dim]), source, torch.zeros((), dtype=x.dtype)).sum(-1, dtype=x.dtype)


def scatter(x, dim, index, source, reduce=None):
    """Where indices meet, one of their values is kept; PyTorch does not say which."""
    if reduce is not None or x.dim() == 0 or any(x.shape[d] != index.shape[d] for d in range(x.dim()) if d != dim % x.dim()):
        return NotImplemented
    dim %= x.dim()
    hits = _hits(index, dim, x.shape[dim])
    if isinstance(source, torch.Tensor):
        source = source[tuple(slice(0, size) for size in index.shape)].movedim(dim, -1).unsqueeze(dim)
        least = -float("inf") if x.is_floating_point() else 0 if x.dtype == torch.bool else torch.iinfo(x.dtype).min
        source = torch.where(hits, source, torch.full((), least, dtype=x.dtype)).amax(-1)
    return torch.where(hits.any(-1), source, x)


def histc(x, bins=100, min=0, max=0):
    """Counts by comparisons; without bounds they are the least and the greatest element."""
    x = x.reshape(-1)
    low, high = (x.amin(), x.amax()) if min == max == 0 else (torch.full((), min, dtype=x.dtype), torch.full((), max, dtype=x.dtype))
    bin_of = torch.floor((x - low) * bins / (high - low)).clamp(max=bins - 1)
    inside = (x >= low) & (x <= high)
    return ((bin_of.unsqueeze(1) == torch.arange(bins, dtype=x.dtype)) & inside.unsqueeze(1)).sum(0).to(x.dtype)


def grouped_mm(a, b, offsets=None, bias=None, out_dtype=None):
    """Matrix products of groups of rows, which end at `offsets`: every group's product with all rows, of which each row keeps its own. Routing in
    this form depends on no sizes that are data."""
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
        return torch.where(member.unsqueeze(1), a.unsqueeze(0), zero) @ b.unsqueeze(0).expand(count, *b.shape)
    if a.dim() == 2:
        return torch.where(member.unsqueeze(2), a.unsqueeze(0).expand(count, *a.shape) @ b, zero).sum(0)
    return torch.where(member.unsqueeze(1), a @ b.unsqueeze(0).expand(count, *b.shape), zero).sum(0)


def grouped_mm_backward(rows, experts, offsets, gradient):
    return grouped_mm(gradient, experts.transpose(1, 2), offsets), grouped_mm(rows.t(), gradient, offsets)


def index_put(x, indices, values, accumulate=False):
    """A mask that is set to one value is a select."""
    mask = indices[0]
    if len(indices) != 1 or mask is None or mask.dtype != torch.bool or values.numel() != 1 or accumulate:
        return NotImplemented
    return torch.where(mask.reshape([*mask.shape, *[1] * (x.dim() - mask.dim())]), values.reshape(()).to(x.dtype), x)


def lerp_scalar(start, end, weight):
    """PyTorch's formula is exact at the nearer end; which one that is is known here."""
    return start + weight * (end - start) if abs(weight) < 0.5 else end - (end - start) * (1 - weight)


OVERRIDDEN = {
    aten.lerp.Scalar: lerp_scalar,
    aten.nll_loss_forward.default: nll_loss_forward,
    aten.nll_loss2d_forward.default: nll_loss_forward,
    aten.nll_loss_backward.default: nll_loss_backward,
    aten.nll_loss2d_backward.default: nll_loss_backward,
    aten.embedding_dense_backward.default: embedding_dense_backward,
    aten.max_pool2d_with_indices_backward.default: max_pool2d_with_indices_backward,
    aten._adaptive_avg_pool2d.default: adaptive_avg_pool2d,
    aten._adaptive_avg_pool2d_backward.default: adaptive_avg_pool2d_backward,
    aten.upsample_bilinear2d.default: upsample_bilinear2d,
    aten.upsample_bilinear2d.vec: upsample_bilinear2d_vec,
    aten.upsample_bilinear2d_backward.default: upsample_bilinear2d_backward,
    aten.adaptive_max_pool2d.default: adaptive_max_pool2d,
    aten.upsample_nearest2d.default: upsample_nearest2d,
    aten.upsample_nearest2d.vec: upsample_nearest2d,
    aten.upsample_nearest2d_backward.default: upsample_nearest2d_backward,
    aten.adaptive_max_pool2d_backward.default: adaptive_max_pool2d_backward,
    aten.gather.default: gather,
    aten.scatter_add.default: scatter_add,
    aten.scatter.src: scatter,
    aten.scatter.value: scatter,
    aten.histc.default: histc,
    aten._grouped_mm.default: grouped_mm,
    aten.index_put.default: index_put,
    aten.empty_permuted.default: lambda size, physical_layout, dtype=None, **options: torch.zeros(size, dtype=dtype),
}
# Operations that libraries of models define, by name: known where the library is loaded.
OF_LIBRARIES = {"transformers::grouped_mm_fallback": grouped_mm, "transformers::grouped_mm_fallback_backward": grouped_mm_backward}


def _loaded():
    for name, decomposition in OF_LIBRARIES.items():
        library, operation = name.split("::")
        found = getattr(getattr(torch.ops, library), operation, None)
        if found is not None:
            yield found.default, decomposition


def table():
    """What has a rule of its own is left alone, unless it is named above."""
    return {op: f for op, f in core_aten_decompositions().items() if op not in RULES} | OVERRIDDEN | dict(_loaded())

"""Operations of ATen in terms of others, where torch-mlir has no way to StableHLO or only one that stock MLIR cannot run.

Everything here is exact arithmetic on whole tensors: comparisons and selects instead of scatters, slices instead of windows with
offsets. PyTorch's own core decompositions stand below, for what is not named here.
"""
import torch
from torch._decomp import core_aten_decompositions

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
    return constant_pad_nd(x, [-left, left + wide - x.shape[3], -top, top + high - x.shape[2]])


def max_pool2d_with_indices_backward(gradient, x, kernel, stride, padding, dilation, ceil_mode, indices):
    """For each place in the window: the outputs whose maximum lies there send their gradient to it."""
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


def avg_pool2d_backward(gradient, x, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override):
    if x.dim() == 3:
        return avg_pool2d_backward(gradient.unsqueeze(0), x.unsqueeze(0), kernel, stride, padding, ceil_mode, count_include_pad,
                                   divisor_override).squeeze(0)
    (kh, kw), (ph, pw) = _pair(kernel), _pair(padding)
    sh, sw = _pair(stride) if stride else (kh, kw)
    high, wide = x.shape[2:]

    def counts(outputs, size, k, s, p):
        """How many elements of its row (or column) each output averaged; windows end at the padding."""
        starts = [o * s - p for o in range(outputs)]
        ends = [min(b + k, size + p) for b in starts]
        if not count_include_pad:
            starts, ends = [max(b, 0) for b in starts], [min(e, size) for e in ends]
        return [e - b for b, e in zip(starts, ends)]

    if divisor_override:
        gradient = gradient / divisor_override
    else:
        down, across = counts(gradient.shape[2], high, kh, sh, ph), counts(gradient.shape[3], wide, kw, sw, pw)
        if len(set(down)) == len(set(across)) == 1:
            gradient = gradient / (down[0] * across[0])
        else:
            gradient = gradient / (torch.tensor(down, dtype=x.dtype).reshape(-1, 1) * torch.tensor(across, dtype=x.dtype))
    result = None
    for i in range(kh):
        for j in range(kw):
            part = _place(gradient, high, wide, i - ph, j - pw, (sh, sw))
            result = part if result is None else result + part
    return result


def adaptive_avg_pool2d_backward(gradient, x):
    """Only whole windows: every output averages the same number of elements."""
    high, wide = x.shape[-2] // gradient.shape[-2], x.shape[-1] // gradient.shape[-1]
    if x.shape[-2] % gradient.shape[-2] or x.shape[-1] % gradient.shape[-1]:
        return NotImplemented
    return avg_pool2d_backward(gradient, x, [high, wide], [high, wide], [0, 0], False, True, None)


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
    return max_pool2d_with_indices_backward(gradient, x, window, window, [0, 0], [1, 1], False, indices)


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


def convolution_backward(gradient, x, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, mask):
    """One dimension is two with a row; each group is a convolution of its own; the gradients of a transposed convolution are
    those of the convolution that it transposes. What is none of these is left to torch-mlir."""
    if gradient.dim() == 3:
        found = aten.convolution_backward(gradient.unsqueeze(2), x.unsqueeze(2), weight.unsqueeze(2), bias_sizes, [1, *stride], [0, *padding],
                                          [1, *dilation], transposed, [0, *output_padding], groups, mask)
        return tuple(t.squeeze(2) if t is not None and t.dim() == 4 else t for t in found)
    if groups == 1 and not transposed:
        return NotImplemented
    bias = gradient.sum([d for d in range(gradient.dim()) if d != 1]) if mask[2] else None
    if groups > 1:
        parts = [aten.convolution_backward(g, a, w, None, stride, padding, dilation, transposed, output_padding, 1,
                                           [mask[0], mask[1], False])
                 for g, a, w in zip(gradient.chunk(groups, 1), x.chunk(groups, 1), weight.chunk(groups, 0))]
        return torch.cat([p[0] for p in parts], 1) if mask[0] else None, torch.cat([p[1] for p in parts], 0) if mask[1] else None, bias
    plain = (stride, padding, dilation, False, [0] * len(stride), 1)
    to_x = aten.convolution(gradient, weight, None, *plain) if mask[0] else None
    to_weight = aten.convolution_backward(x, gradient, weight, None, *plain, [False, True, False])[1] if mask[1] else None
    return to_x, to_weight, bias


def reciprocal(x):
    return torch.ones((), dtype=x.dtype) / x


def squeeze_dims(x, dims):
    dims = [d % x.dim() for d in dims]
    return x.reshape([size for d, size in enumerate(x.shape) if d not in dims or size != 1])


def constant_pad_nd(x, pad, value=0):
    """Negative padding is a slice."""
    for i in range(0, len(pad), 2):
        dim, low, high = x.dim() - 1 - i // 2, pad[i], pad[i + 1]
        if low < 0 or high < 0:
            x = x.narrow(dim, max(-low, 0), x.shape[dim] - max(-low, 0) - max(-high, 0))
    pad = [max(p, 0) for p in pad]
    return aten.constant_pad_nd.default(x, pad, value) if any(pad) else x


def _constant_pad_nd(x, pad, value=0):
    return constant_pad_nd(x, pad, value) if min(pad, default=0) < 0 else NotImplemented


def lerp_scalar(start, end, weight):
    """PyTorch's formula is exact at the nearer end; which one that is is known here."""
    return start + weight * (end - start) if abs(weight) < 0.5 else end - (end - start) * (1 - weight)


def _with_tensor(operation):
    """An integer operation with a number, as the one with a tensor: only that form is known to torch-mlir."""
    return lambda x, number: operation(x, torch.full((), number, dtype=x.dtype))


OVERRIDDEN = {
    aten.lerp.Scalar: lerp_scalar,
    aten.bitwise_and.Scalar: _with_tensor(aten.bitwise_and.Tensor),
    aten.bitwise_or.Scalar: _with_tensor(aten.bitwise_or.Tensor),
    aten.bitwise_xor.Scalar: _with_tensor(aten.bitwise_xor.Tensor),
    aten.bitwise_left_shift.Tensor_Scalar: _with_tensor(aten.bitwise_left_shift.Tensor),
    aten.bitwise_right_shift.Tensor_Scalar: _with_tensor(aten.bitwise_right_shift.Tensor),
    aten.__lshift__.Scalar: _with_tensor(aten.bitwise_left_shift.Tensor),
    aten.__rshift__.Scalar: _with_tensor(aten.bitwise_right_shift.Tensor),
    aten.nll_loss_forward.default: nll_loss_forward,
    aten.nll_loss2d_forward.default: nll_loss_forward,
    aten.nll_loss_backward.default: nll_loss_backward,
    aten.nll_loss2d_backward.default: nll_loss_backward,
    aten.embedding_dense_backward.default: embedding_dense_backward,
    aten.max_pool2d_with_indices_backward.default: max_pool2d_with_indices_backward,
    aten.avg_pool2d_backward.default: avg_pool2d_backward,
    aten._adaptive_avg_pool2d_backward.default: adaptive_avg_pool2d_backward,
    aten.adaptive_max_pool2d.default: adaptive_max_pool2d,
    aten.upsample_nearest2d.default: upsample_nearest2d,
    aten.upsample_nearest2d.vec: upsample_nearest2d,
    aten.upsample_nearest2d_backward.default: upsample_nearest2d_backward,
    aten.adaptive_max_pool2d_backward.default: adaptive_max_pool2d_backward,
    aten.convolution_backward.default: convolution_backward,
    aten.gather.default: gather,
    aten.scatter_add.default: scatter_add,
    aten.empty_permuted.default: lambda size, physical_layout, dtype=None, **options: torch.zeros(size, dtype=dtype),
    aten.reciprocal.default: reciprocal,
    aten.squeeze.dims: squeeze_dims,
    aten.constant_pad_nd.default: _constant_pad_nd,
}
# torch-mlir lowers these itself, from a form in which more is known.
LEFT_ALONE = (aten.t.default, aten.addmm.default)


def table():
    decompositions = {op: f for op, f in core_aten_decompositions().items() if op not in LEFT_ALONE}
    return decompositions | OVERRIDDEN

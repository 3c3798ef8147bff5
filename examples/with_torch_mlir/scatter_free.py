"""Backward operations of ATen without scatters, as a table of decompositions.

torch-mlir lowers a scatter to tm_tensor.scatter, an operation of its own that upstream's dialects lack. These select by
comparing positions, so an analysis sees which sample goes where.
"""
import torch

aten = torch.ops.aten


def nll_loss_backward(gradient, scores, target, weight, reduction, ignore_index, total_weight):
    """The gradient goes to the target's class."""
    shape = [-1] + [1] * (scores.dim() - 2)
    hit = (torch.arange(scores.shape[1]).reshape(shape) == target.unsqueeze(1)) & (target != ignore_index).unsqueeze(1)
    weights = torch.ones(()) if weight is None else weight.reshape(shape)
    each = gradient / total_weight if reduction == 1 else gradient if reduction == 2 else gradient.unsqueeze(1)
    return torch.where(hit, -weights * each, 0.0)


def embedding_dense_backward(gradient, indices, rows, padding, scale_by_frequency):
    """Row v is the sum of the gradients of its look-ups: a product with a matrix of zeros and ones."""
    if scale_by_frequency:
        return NotImplemented
    flat = indices.reshape(-1)
    hit = (torch.arange(rows).unsqueeze(1) == flat) & (flat != padding)
    return hit.to(gradient.dtype) @ gradient.reshape(flat.shape[0], -1)


def max_pool2d_backward(gradient, x, kernel, stride, padding, dilation, ceil_mode, indices):
    """Every position takes its window's gradient if it is the window's maximum; windows that overlap are left as they
    are."""
    high, wide = kernel if len(kernel) == 2 else kernel * 2
    even = x.shape[-2] == gradient.shape[-2] * high and x.shape[-1] == gradient.shape[-1] * wide
    if list(stride or kernel) != list(kernel) or any(padding) or set(dilation) != {1} or not even:
        return NotImplemented

    def spread(value):
        *lead, rows, columns = value.shape
        return value[..., None, :, None].expand(*lead, rows, high, columns, wide).reshape(x.shape)

    position = torch.arange(x.shape[-2] * x.shape[-1]).reshape(x.shape[-2:])
    return torch.where(spread(indices) == position, spread(gradient), 0.0)


def empty_permuted(size, order, **options):
    """Memory that is written before it is read; core ATen asks for it in the order of another tensor."""
    return torch.zeros(size, dtype=options.get("dtype"))


DECOMPOSITIONS = {
    aten.empty_permuted.default: empty_permuted,
    aten.nll_loss_backward.default: nll_loss_backward,
    aten.nll_loss2d_backward.default: nll_loss_backward,
    aten.embedding_dense_backward.default: embedding_dense_backward,
    aten.max_pool2d_with_indices_backward.default: max_pool2d_backward,
}

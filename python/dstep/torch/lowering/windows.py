"""Pooling. The gradient of a max pool is StableHLO's select_and_scatter, which finds each window's maximum again: the
first one, or the last NaN, as in PyTorch's kernel."""
import numpy as np
import torch
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import (broadcast, compare, constant, dtype, each, fill_region, full, iota, lowers, lowest, pad, part_shape,
                   reduce_window, result_of, select, shape, tensor)

aten = torch.ops.aten
BACKWARD = (aten.max_pool2d_with_indices_backward.default, aten.max_pool3d_with_indices_backward.default)


def _space(node):
    """Returns the number of dimensions of a window."""
    return 3 if "3d" in str(node.target) else 2


def _window(node, x, out, kernel, stride, padding, dilation):
    """Returns (window, strides, (low, high) paddings, dilation) of all dimensions; a window beyond the end extends the
    padding."""
    count = _space(node)
    kernel, padding, dilation = (each(values, count) for values in (kernel, padding, dilation))
    stride = each(stride, count) if stride else kernel
    lead = len(shape(x)) - count
    high = [max((o - 1) * s + (k - 1) * d + 1 - size - p, 0)
            for o, s, k, d, size, p in zip(out[lead:], stride, kernel, dilation, shape(x)[lead:], padding)]
    ones = [1] * lead
    return ones + kernel, ones + stride, [[0, 0]] * lead + [list(pair) for pair in zip(padding, high)], ones + dilation


def _better(value, best):
    """True where an element replaces the best one before it."""
    return hlo.or_(compare("GT", value, best), compare("NE", value, value))


def _indices(x, padded, out, space, window, strides, pads, dilation):
    """Returns the position of each window's maximum in its image: the first of equal elements, compared in order."""
    best, at = None, None
    for offset in np.ndindex(*window):
        starts = [o * d for o, d in zip(offset, dilation)]
        ends = [a + (n - 1) * s + 1 for a, n, s in zip(starts, out, strides)]
        value = hlo.slice(padded, starts, ends, strides)
        number, weight = full(out, 0, torch.int64), 1
        for d in reversed(space):
            place = hlo.add(hlo.multiply(iota(out, d), full(out, strides[d], torch.int64)), full(out, starts[d] - pads[d][0], torch.int64))
            number = hlo.add(number, hlo.multiply(place, full(out, weight, torch.int64)))
            weight *= shape(x)[d]
        if best is None:
            best, at = value, number
        else:
            better = _better(value, best)
            best, at = select(better, value, best), select(better, number, at)
    return at


@lowers(aten.max_pool2d_with_indices.default, aten.max_pool3d_with_indices.default)
def max_pool(node, x, kernel, stride=(), padding=(0,), dilation=(1,), ceil_mode=False):
    out = part_shape(node, 0)
    window, strides, pads, dilation = _window(node, x, out, kernel, stride, padding, dilation)
    pooled = reduce_window(x, window, strides, pads, "maximum", dilation)
    if not any(user.target not in BACKWARD for part in node.users if part.args[1] == 1 for user in part.users):
        return pooled, None
    padded = pad(x, [low for low, _ in pads], [high for _, high in pads], number=lowest(dtype(x)))
    return pooled, _indices(x, padded, out, range(len(out) - _space(node), len(out)), window, strides, pads, dilation)


@lowers(*BACKWARD)
def max_pool_backward(node, gradient, x, kernel, stride, padding, dilation, ceil_mode, indices=None):
    of = dtype(x)
    window, strides, pads, _ = _window(node, x, shape(gradient), kernel, stride, padding, dilation)
    op = hlo.SelectAndScatterOp(tensor(shape(x), of), x, gradient, full([], 0, of), window_dimensions=window, window_strides=strides,
                                padding=ir.DenseIntElementsAttr.get(np.array(pads, np.int64)))
    fill_region(op, of, lambda best, value: hlo.not_(_better(value, best)), 0)
    fill_region(op, of, hlo.add, 1)
    return op.results[0]


def _averaged(x, value, out, window, strides, pads, count_include_pad, divisor):
    """Returns `value`, with an element per window, divided by the number of elements that each window averages. Windows
    end at the requested padding; the padding of ceil_mode does not count."""
    if divisor:
        return hlo.divide(value, full(out, divisor, dtype(value)))
    whole = torch.ones(())
    for size, o, k, s, (low, _) in zip(shape(x), out, window, strides, pads):
        ends = [(i * s - low, min(i * s - low + k, size + low)) for i in range(o)]
        ends = ends if count_include_pad else [(max(a, 0), min(b, size)) for a, b in ends]
        whole = whole.unsqueeze(-1) * torch.tensor([float(b - a) for a, b in ends])
    return hlo.divide(value, broadcast(constant(whole.to(dtype(value))), out))


@lowers(aten.avg_pool2d.default, aten.avg_pool3d.default)
def avg_pool(node, x, kernel, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
    out = result_of(node)[0]
    window, strides, pads, dilation = _window(node, x, out, kernel, stride, padding, [1])
    return _averaged(x, reduce_window(x, window, strides, pads, "add", dilation), out, window, strides, pads, count_include_pad, divisor_override)


@lowers(aten.avg_pool2d_backward.default, aten.avg_pool3d_backward.default)
def avg_pool_backward(node, gradient, x, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """Each element sums the gradients of its windows: a window over the gradients, which are spread by the stride."""
    out = shape(gradient)
    window, strides, pads, dilation = _window(node, x, out, kernel, stride, padding, [1])
    share = _averaged(x, gradient, out, window, strides, pads, count_include_pad, divisor_override)
    low = [k - 1 - p for k, (p, _) in zip(window, pads)]
    high = [size + k - 1 - ((o - 1) * s + 1) - a for size, k, o, s, a in zip(shape(x), window, out, strides, low)]
    around = pad(share, low, high, [s - 1 for s in strides])
    return reduce_window(around, window, [1] * len(window), [[0, 0]] * len(window), "add", dilation)

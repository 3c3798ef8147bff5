"""Matrix products, and convolutions with their gradients, as one operation each.

Dimension numbers name the dimensions of the batch, the features and the sums, so nothing is transposed here. Gradients
follow from the definition: with respect to the input, a convolution with the reversed kernel; with respect to the
kernel, a convolution whose batch is the channels of the input. Groups stay groups (of features, or of the batch).
"""
import numpy as np
import torch
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import broadcast, convert, dtype, each, full, lowers, reduce, reshape, result_of, shape, tensor, transpose

aten = torch.ops.aten


def dot(a, b, batch, contract, of):
    """Returns a product; `batch` and `contract` are pairs (dimensions of a, dimensions of b)."""
    left = [d for d in range(len(shape(a))) if d not in batch[0] + contract[0]]
    right = [d for d in range(len(shape(b))) if d not in batch[1] + contract[1]]
    dims = [shape(a)[d] for d in batch[0] + left] + [shape(b)[d] for d in right]
    numbers = hlo.DotDimensionNumbers.get(batch[0], batch[1], contract[0], contract[1])
    return hlo.dot_general(tensor(dims, of), convert(a, of), convert(b, of), numbers)


@lowers(aten.mm.default, aten.mv.default, aten.dot.default)
def mm(node, a, b):
    return dot(a, b, ([], []), ([len(shape(a)) - 1], [0]), result_of(node)[1])


@lowers(aten.bmm.default)
def bmm(node, a, b):
    return dot(a, b, ([0], [0]), ([2], [1]), result_of(node)[1])


@lowers(aten.addmm.default, aten.baddbmm.default)
def addmm(node, base, a, b, beta=1, alpha=1):
    dims, of = result_of(node)
    rank = len(dims)
    product = dot(a, b, ([0], [0]) if rank == 3 else ([], []), ([rank - 1], [rank - 2]), of)
    if alpha != 1:
        product = hlo.multiply(product, full(dims, alpha, of))
    base = broadcast(convert(base, of), dims)
    return product if beta == 0 else hlo.add(product, base if beta == 1 else hlo.multiply(base, full(dims, beta, of)))


def convolve(x, kernel, out, numbers, strides, padding, spread, dilation, groups=1, batch_groups=1):
    """Returns a convolution. `numbers` are (batch, feature) of x, (input, output feature) of the kernel, (batch,
    feature) of the result; other dimensions are spatial, in order. `spread` inserts zeros between the elements of x."""
    rank = len(shape(x))
    space = lambda used: [d for d in range(rank) if d not in used]
    (b, f), (i, o), (rb, rf) = numbers
    attribute = hlo.ConvDimensionNumbers.get(b, f, space((b, f)), i, o, space((i, o)), rb, rf, space((rb, rf)))
    return hlo.convolution(tensor(out, dtype(x)), x, kernel, attribute, groups, batch_groups, window_strides=strides, lhs_dilation=spread,
                           rhs_dilation=dilation, window_reversal=[False] * (rank - 2),
                           padding=ir.DenseIntElementsAttr.get(np.array(padding, np.int64).reshape(-1, 2)))


PLAIN = ((0, 1), (1, 0), (0, 1))


def forward(x, weight, out, stride, padding, dilation, groups):
    ones = [1] * len(stride)
    return convolve(x, weight, out, PLAIN, stride, [[p, p] for p in padding], ones, dilation, groups)


def to_input(gradient, weight, out, stride, padding, dilation, groups):
    """Returns the reverse of `forward`: from the shape of its result to that of its input."""
    space = len(stride)
    kernel = shape(weight)[2:]
    low = [d * (k - 1) - p for d, k, p in zip(dilation, kernel, padding)]
    high = [size - ((g - 1) * s + 1) - a + d * (k - 1)
            for size, g, s, a, d, k in zip(out[2:], shape(gradient)[2:], stride, low, dilation, kernel)]
    turned = hlo.reverse(weight, list(range(2, 2 + space)))
    if groups > 1:  # [groups * O, I, k] -> [O, groups * I, k]: the features of each group become inputs
        o, i = shape(weight)[:2]
        turned = transpose(reshape(turned, [groups, o // groups, i, *kernel]), [1, 0, 2, *range(3, 3 + space)])
        turned = reshape(turned, [o // groups, groups * i, *kernel])
    return convolve(gradient, turned, out, ((0, 1), (0, 1), (0, 1)), [1] * space, list(zip(low, high)), stride, dilation, groups)


def to_weight(gradient, x, out, stride, padding, dilation, groups):
    """Returns the gradient of the kernel: sums over the samples and over the kernel's positions."""
    ones = [1] * len(stride)
    high = [d * (k - 1) + (g - 1) * s + 1 - size - p
            for d, k, g, s, size, p in zip(dilation, out[2:], shape(gradient)[2:], stride, shape(x)[2:], padding)]
    return convolve(x, gradient, out, ((1, 0), (0, 1), (1, 0)), dilation, list(zip(padding, high)), ones, stride, 1, groups)


@lowers(aten.convolution.default)
def convolution(node, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    out, of = result_of(node)
    x, weight = convert(x, of), convert(weight, of)
    options = *(each(v, len(out) - 2) for v in (stride, padding, dilation)), groups
    result = (to_input if transposed else forward)(x, weight, out, *options)
    return result if bias is None else hlo.add(result, broadcast(convert(bias, of), out, [1]))


@lowers(aten.convolution_backward.default)
def convolution_backward(node, gradient, x, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, mask):
    options = *(each(v, len(shape(x)) - 2) for v in (stride, padding, dilation)), groups
    others = [d for d in range(len(shape(gradient))) if d != 1]
    of_x = (forward if transposed else to_input)(gradient, weight, shape(x), *options) if mask[0] else None
    pair = (x, gradient) if transposed else (gradient, x)
    of_weight = to_weight(*pair, shape(weight), *options) if mask[1] else None
    return of_x, of_weight, reduce(gradient, others, "add") if mask[2] else None

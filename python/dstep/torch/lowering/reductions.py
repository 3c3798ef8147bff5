"""Sums, means, extremes, and normalisations along a dimension."""
import math

import torch
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import (broadcast, compare, convert, dtype, full, highest, iota, lowers, reduce, reduce_window, reshape,
                   result_of, select, shape)

aten = torch.ops.aten


def all_dims(x, dims):
    return list(range(len(shape(x)))) if dims is None or dims == [] else dims if isinstance(dims, (list, tuple)) else [dims]


def reduction(kind, *operations, of=None):
    """Registers a reduction computed in the type of the result, or in the type `of`."""
    @lowers(*operations)
    def rule(node, x, dims=None, keepdim=False, dtype=None):
        return reduce(convert(x, of or result_of(node)[1]), all_dims(x, dims), kind, keepdim)


reduction("add", aten.sum.dim_IntList, aten.sum.default)
reduction("multiply", aten.prod.default, aten.prod.dim_int)
reduction("maximum", aten.amax.default, aten.max.default)
reduction("minimum", aten.amin.default, aten.min.default)
reduction("or", aten.any.default, aten.any.dim, aten.any.dims, of=torch.bool)
reduction("and", aten.all.default, aten.all.dim, aten.all.dims, of=torch.bool)


def count(x, dims):
    """Returns the number of elements along dimensions."""
    return math.prod(shape(x)[d] for d in {d % max(len(shape(x)), 1) for d in dims})


def mean_of(x, dims, keepdim):
    summed = reduce(x, dims, "add", keepdim)
    return hlo.divide(summed, full(shape(summed), count(x, dims), dtype(summed)))


@lowers(aten.mean.dim, aten.mean.default)
def mean(node, x, dims=None, keepdim=False, dtype=None):
    return mean_of(convert(x, result_of(node)[1]), all_dims(x, dims), keepdim)


@lowers(aten.var.correction)
def variance(node, x, dims=None, correction=None, keepdim=False):
    dims = all_dims(x, dims)
    apart = hlo.subtract(x, broadcast(mean_of(x, dims, True), shape(x)))
    summed = reduce(hlo.multiply(apart, apart), dims, "add", keepdim)
    freedom = count(x, dims) - (1 if correction is None else correction)
    return hlo.divide(summed, full(shape(summed), max(freedom, 0), dtype(summed)))


def first(x, dim, kind, keepdim):
    """Returns (extreme value, position of the first element that has it) along a dimension; a NaN is every extreme."""
    found = reduce(x, [dim], kind, True)
    hit = compare("EQ", x, broadcast(found, shape(x)))
    hit = hlo.or_(hit, compare("NE", x, x)) if dtype(x).is_floating_point else hit
    places = select(hit, iota(shape(x), dim), full(shape(x), highest(torch.int64), torch.int64))
    places = reduce(places, [dim], "minimum", True)
    dims = [size for d, size in enumerate(shape(x)) if d != dim]
    return (found, places) if keepdim else (reshape(found, dims), reshape(places, dims))


def extreme(kind, with_positions, positions):
    """Registers the operations for the first extreme along a dimension, and for its position alone."""
    @lowers(with_positions)
    def pair(node, x, dim, keepdim=False):
        return first(x, dim % len(shape(x)), kind, keepdim)

    @lowers(positions)
    def position(node, x, dim=None, keepdim=False):
        if dim is None:
            x, dim = reshape(x, [math.prod(shape(x))]), 0
        if not shape(x):
            return full([], 0, torch.int64)
        return reshape(first(x, dim % len(shape(x)), kind, keepdim)[1], result_of(node)[0])


extreme("maximum", aten.max.dim, aten.argmax.default)
extreme("minimum", aten.min.dim, aten.argmin.default)


@lowers(aten._softmax.default)
def softmax(node, x, dim, half_to_float):
    x = convert(x, result_of(node)[1])
    grown = hlo.exponential(hlo.subtract(x, broadcast(reduce(x, [dim], "maximum", True), shape(x))))
    return hlo.divide(grown, broadcast(reduce(grown, [dim], "add", True), shape(x)))


@lowers(aten._log_softmax.default)
def log_softmax(node, x, dim, half_to_float):
    x = convert(x, result_of(node)[1])
    below = hlo.subtract(x, broadcast(reduce(x, [dim], "maximum", True), shape(x)))
    total = reduce(hlo.exponential(below), [dim], "add", True)
    return hlo.subtract(below, broadcast(hlo.log(total), shape(x)))


def normalised(x, dims, epsilon):
    """Returns (x without mean and deviation over `dims`, the mean, 1 / deviation), the last two with dimensions of 1.
    16-bit values are normalised in f32, as in PyTorch's kernels."""
    x = convert(x, torch.promote_types(dtype(x), torch.float32))
    middle = mean_of(x, dims, True)
    apart = hlo.subtract(x, broadcast(middle, shape(x)))
    spread = mean_of(hlo.multiply(apart, apart), dims, True)
    inverse = hlo.rsqrt(hlo.add(spread, full(shape(spread), epsilon, dtype(spread))))
    return hlo.multiply(apart, broadcast(inverse, shape(x))), middle, inverse


def affine(x, weight, bias, at):
    """Returns x * weight + bias, whose dimensions are `at` of x; in the type of x."""
    for value, apply in ((weight, hlo.multiply), (bias, hlo.add)):
        x = x if value is None else apply(x, broadcast(convert(value, dtype(x)), shape(x), at))
    return x


@lowers(aten.native_layer_norm.default)
def layer_norm(node, x, inner, weight, bias, epsilon):
    rank = len(shape(x))
    dims = list(range(rank - len(inner), rank))
    result, middle, inverse = normalised(x, dims, epsilon)
    return convert(affine(result, weight, bias, dims), dtype(x)), middle, inverse


@lowers(aten.native_group_norm.default)
def group_norm(node, x, weight, bias, n, channels, inner, groups, epsilon):
    result, middle, inverse = normalised(reshape(x, [n, groups, channels // groups, inner]), [2, 3], epsilon)
    result = convert(affine(reshape(result, shape(x)), weight, bias, [1]), dtype(x))
    return result, reshape(middle, [n, groups]), reshape(inverse, [n, groups])


@lowers(aten._native_batch_norm_legit.no_stats)
def batch_norm(node, x, weight, bias, training, momentum, epsilon):
    """Computes no running statistics: the step does (dstep.torch.functions)."""
    result, middle, inverse = normalised(x, [d for d in range(len(shape(x))) if d != 1], epsilon)
    result = convert(affine(result, weight, bias, [1]), dtype(x))
    return result, reshape(middle, shape(x)[1:2]), reshape(inverse, shape(x)[1:2])


def cumulative(kind):
    def rule(node, x, dim, dtype=None):
        x = convert(x, result_of(node)[1])
        if not shape(x):
            return x
        dim, rank = dim % len(shape(x)), len(shape(x))
        window = [shape(x)[d] if d == dim else 1 for d in range(rank)]
        return reduce_window(x, window, [1] * rank, [[window[d] - 1, 0] for d in range(rank)], kind)
    return rule


lowers(aten.cumsum.default)(cumulative("add"))
lowers(aten.cumprod.default)(cumulative("multiply"))

"""Sums, means, extremes, and normalisations along a dimension."""
import torch
from jaxlib.mlir.dialects import stablehlo as hlo

from .emit import broadcast, compare, convert, dtype, full, highest, iota, is_float, lowers, reduce, reduce_window, reshape, result_of, select, shape

aten = torch.ops.aten


def all_dims(x, dims):
    return list(range(len(shape(x)))) if dims is None or dims == [] else dims if isinstance(dims, (list, tuple)) else [dims]


@lowers(aten.sum.dim_IntList, aten.sum.default)
def total(node, x, dims=None, keepdim=False, dtype=None):
    return reduce(convert(x, result_of(node)[1]), all_dims(x, dims), "add", keepdim)


@lowers(aten.prod.default, aten.prod.dim_int)
def product(node, x, dims=None, keepdim=False, dtype=None):
    return reduce(convert(x, result_of(node)[1]), all_dims(x, dims), "multiply", keepdim)


def mean_of(x, dims, keepdim):
    summed = reduce(x, dims, "add", keepdim)
    count = 1
    for d in {d % max(len(shape(x)), 1) for d in dims}:
        count *= shape(x)[d]
    return hlo.divide(summed, full(shape(summed), count, dtype(summed)))


@lowers(aten.mean.dim, aten.mean.default)
def mean(node, x, dims=None, keepdim=False, dtype=None):
    return mean_of(convert(x, result_of(node)[1]), all_dims(x, dims), keepdim)


@lowers(aten.var.correction)
def variance(node, x, dims=None, correction=None, keepdim=False):
    dims = all_dims(x, dims)
    apart = hlo.subtract(x, broadcast(mean_of(x, dims, True), shape(x)))
    summed = reduce(hlo.multiply(apart, apart), dims, "add", keepdim)
    count = 1
    for d in {d % len(shape(x)) for d in dims}:
        count *= shape(x)[d]
    return hlo.divide(summed, full(shape(summed), max(count - (1 if correction is None else correction), 0), dtype(summed)))


def extreme(kind):
    def rule(node, x, dims=None, keepdim=False):
        return reduce(x, all_dims(x, dims), kind, keepdim)
    return rule


lowers(aten.amax.default, aten.max.default)(extreme("maximum"))
lowers(aten.amin.default, aten.min.default)(extreme("minimum"))


@lowers(aten.any.default, aten.any.dim, aten.any.dims)
def any_(node, x, dims=None, keepdim=False):
    return reduce(convert(x, torch.bool), all_dims(x, dims), "or", keepdim)


@lowers(aten.all.default, aten.all.dim, aten.all.dims)
def all_(node, x, dims=None, keepdim=False):
    return reduce(convert(x, torch.bool), all_dims(x, dims), "and", keepdim)


def first(x, dim, kind, keepdim):
    """Returns (extreme value, position of the first element that has it) along a dimension; a NaN is every extreme."""
    found = reduce(x, [dim], kind, True)
    hit = compare("EQ", x, broadcast(found, shape(x)))
    hit = hlo.or_(hit, compare("NE", x, x)) if is_float(dtype(x)) else hit
    places = select(hit, iota(shape(x), dim), full(shape(x), highest(torch.int64), torch.int64))
    places = reduce(places, [dim], "minimum", True)
    dims = [size for d, size in enumerate(shape(x)) if d != dim]
    return (found, places) if keepdim else (reshape(found, dims), reshape(places, dims))


def argument_of(kind):
    def rule(node, x, dim=None, keepdim=False):
        if dim is None:
            x, dim = reshape(x, [_count(x)]), 0
        if not shape(x):
            return full([], 0, torch.int64)
        return reshape(first(x, dim % len(shape(x)), kind, keepdim)[1], result_of(node)[0])
    return rule


def _count(x):
    count = 1
    for size in shape(x):
        count *= size
    return count


lowers(aten.argmax.default)(argument_of("maximum"))
lowers(aten.argmin.default)(argument_of("minimum"))


def pair_of(kind):
    def rule(node, x, dim, keepdim=False):
        return first(x, dim % len(shape(x)), kind, keepdim)
    return rule


lowers(aten.max.dim)(pair_of("maximum"))
lowers(aten.min.dim)(pair_of("minimum"))


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
    """Returns (x without mean and deviation over `dims`, the mean, 1 / deviation), the last two with dimensions of
    1."""
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
    """16-bit values are normalised in f32, as in PyTorch's kernel."""
    of, rank = dtype(x), len(shape(x))
    dims = list(range(rank - len(inner), rank))
    result, middle, inverse = normalised(convert(x, torch.float64 if of == torch.float64 else torch.float32), dims, epsilon)
    return convert(affine(result, weight, bias, dims), of), middle, inverse


@lowers(aten.native_group_norm.default)
def group_norm(node, x, weight, bias, n, channels, inner, groups, epsilon):
    of, dims = dtype(x), shape(x)
    wide = reshape(convert(x, torch.float64 if of == torch.float64 else torch.float32), [n, groups, channels // groups, inner])
    result, middle, inverse = normalised(wide, [2, 3], epsilon)
    result = affine(reshape(result, dims), weight, bias, [1])
    return convert(result, of), reshape(middle, [n, groups]), reshape(inverse, [n, groups])


@lowers(aten._native_batch_norm_legit.no_stats)
def batch_norm(node, x, weight, bias, training, momentum, epsilon):
    """Computes no running statistics: the step does (dstep.torch.functions)."""
    of = dtype(x)
    dims = [d for d in range(len(shape(x))) if d != 1]
    result, middle, inverse = normalised(convert(x, torch.float64 if of == torch.float64 else torch.float32), dims, epsilon)
    return convert(affine(result, weight, bias, [1]), of), reshape(middle, shape(x)[1:2]), reshape(inverse, shape(x)[1:2])


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

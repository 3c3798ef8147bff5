"""Operations of ATen that are linear along each dimension of an image: interpolation, averages of windows of different
sizes, replicated edges. Each is a product with a matrix of weights per dimension, and its gradient is the product with
the transposed matrix.

The weights are PyTorch's own: the operation applied to the unit vectors gives its matrix, in every mode, with every
scale.
"""
import torch
from torch.utils._python_dispatch import _disable_current_modes

aten = torch.ops.aten


def _picked(matrix):
    """Returns the one element that each row of a matrix selects, or None if a row does not select."""
    with _disable_current_modes():
        return matrix.argmax(1) if bool((matrix.sum(1) == 1).all() and ((matrix == 0) | (matrix == 1)).all()) else None


def along(x, *matrices):
    """Applies [out, size] matrices to the last dimensions of x; None leaves a dimension unchanged. A matrix that only
    selects becomes an index_select, since 0 times infinity is NaN in a product."""
    for back, matrix in enumerate(reversed(matrices), 1):
        if matrix is None:
            continue
        picked = _picked(matrix)
        if picked is not None:
            x = x.index_select(x.dim() - back, picked)
            continue
        if back == 1:
            x = x @ matrix.t()
        elif back == 2:
            x = matrix @ x
        else:
            x = torch.tensordot(x, matrix, ([x.dim() - back], [1])).movedim(-1, -back)
    return x


def whole(sizes, out):
    """Returns the size of the windows of an adaptive pool if all have one, else a false value."""
    return all(s % o == 0 for s, o in zip(sizes, out)) and [s // o for s, o in zip(sizes, out)]


# The extent of the other dimensions while one is computed: kernels of PyTorch are wrong for extent 1.
OTHER = 2


def weights(size, space, dim, function, dtype):
    """Returns [out, size]: `function` of the unit vectors along dimension `dim` of `space` dimensions; it leaves the
    others unchanged."""
    with _disable_current_modes(), torch.no_grad():
        units = torch.eye(size, dtype=torch.float64).reshape([size, 1] + [size if d == dim else 1 for d in range(space)])
        found = function(units.expand([size, 1] + [size if d == dim else OTHER for d in range(space)]).contiguous())
        for d in range(space):
            found = found if d == dim else found.narrow(2 + d, 0, 1)
        return found.reshape(size, -1).t().contiguous().to(dtype)


def _one(values, dim):
    """Returns a list of sizes in which only that of one dimension is kept."""
    return [v if d == dim else OTHER for d, v in enumerate(values)]


class Interpolation:
    """One mode: its operation and that of its gradient, in `space` dimensions; `aligned` modes take align_corners."""

    def __init__(self, name, space, aligned):
        self.operation, self.space, self.aligned = getattr(aten, name).default, space, aligned
        self.names = [f"{name}.default", f"{name}.vec"]
        self.gradient = getattr(aten, f"{name}_backward").default
        self.vector = getattr(getattr(aten, name), "vec", None)

    def matrices(self, sizes, out, options, dtype):
        """Returns a matrix for each dimension. A scale of the caller's takes precedence over the ratio of the sizes."""
        corners, scales = (options[:1], options[1:]) if self.aligned else ([], options)
        scales = [*scales, *[None] * (self.space - len(scales))]
        made = lambda d: lambda units: self.operation(units, _one(out, d), *corners, *[s if e == d else None for e, s in enumerate(scales)])
        return [weights(sizes[d], self.space, d, made(d), dtype) for d in range(self.space)]

    def repeats(self, sizes, out):
        """Returns how often each element is repeated, if the operation only repeats elements."""
        return not self.aligned and whole(out, sizes)

    def forward(self, x, out, *options):
        factors = self.repeats(x.shape[2:], out)
        if not factors:
            return along(x, *self.matrices(x.shape[2:], out, options, x.dtype))
        n, c, *sizes = x.shape
        apart = [extent for size in sizes for extent in (size, 1)]
        wide = [extent for size, factor in zip(sizes, factors) for extent in (size, factor)]
        return x.reshape(n, c, *apart).expand(n, c, *wide).reshape(n, c, *out)

    def forward_by_scales(self, x, out, *options):
        *corners, scales = options
        sizes = list(out) if out is not None else [int(size * scale) for size, scale in zip(x.shape[2:], scales)]
        return self.forward(x, sizes, *corners, *(scales if out is None else []))

    def backward(self, gradient, out, input_size, *options):
        factors = self.repeats(input_size[2:], out)
        if not factors:
            return along(gradient, *[m.t() for m in self.matrices(input_size[2:], out, options, gradient.dtype)])
        apart = [extent for size, factor in zip(input_size[2:], factors) for extent in (size, factor)]
        return gradient.reshape(*input_size[:2], *apart).sum(list(range(3, 3 + 2 * self.space, 2)))


MODES = [Interpolation(f"{prefix}{space}d", space, False) for prefix in ("upsample_nearest", "_upsample_nearest_exact") for space in (1, 2, 3)] + [
    Interpolation(name, space, True) for name, space in (
        ("upsample_linear1d", 1), ("upsample_bilinear2d", 2), ("upsample_bicubic2d", 2), ("upsample_trilinear3d", 3), ("_upsample_bilinear2d_aa", 2),
        ("_upsample_bicubic2d_aa", 2))]


def _average(space):
    operation = aten.adaptive_avg_pool1d.default if space == 1 else getattr(aten, f"_adaptive_avg_pool{space}d").default
    return lambda sizes, out, dtype: [weights(sizes[d], space, d, lambda units, d=d: operation(units, _one(out, d)), dtype) for d in range(space)]


def adaptive_average(space):
    """Returns (forward, backward): an average pool if all windows have one size, else products."""
    matrices = _average(space)
    pool, gradient_of_pool = ((aten.avg_pool2d, aten.avg_pool2d_backward) if space == 2 else (aten.avg_pool3d, aten.avg_pool3d_backward))

    def forward(x, size):
        sizes, size = x.shape[-space:], list(size) * (space if len(size) == 1 else 1)
        window = whole(sizes, size)
        return pool(x, window, window) if window else along(x, *matrices(sizes, size, x.dtype))

    def backward(gradient, x):
        sizes, size = x.shape[-space:], gradient.shape[-space:]
        window = whole(sizes, size)
        if window:
            return gradient_of_pool(gradient, x, window, window, [0] * space, False, True, None)
        return along(gradient, *[m.t() for m in matrices(sizes, size, gradient.dtype)])
    return forward, backward


def replication_backward(space):
    """Returns the gradient of replication padding; `padding` begins with the last dimension."""
    operation = getattr(aten, f"replication_pad{space}d").default

    def backward(gradient, x, padding):
        def matrix(d):
            k = 2 * (space - 1 - d)
            return weights(x.shape[d - space], space, d, lambda units: operation(units, [v if k <= i < k + 2 else 0 for i, v in enumerate(padding)]), x.dtype)
        return along(gradient, *[matrix(d).t() for d in range(space)])
    return backward


def table():
    """{operation: decomposition}"""
    found = {}
    for mode in MODES:
        found |= {mode.operation: mode.forward, mode.gradient: mode.backward} | ({mode.vector: mode.forward_by_scales} if mode.vector else {})
    for space in (2, 3):
        forward, backward = adaptive_average(space)
        found |= {getattr(aten, f"_adaptive_avg_pool{space}d").default: forward, getattr(aten, f"_adaptive_avg_pool{space}d_backward").default: backward}
    for space in (1, 2, 3):
        found[getattr(aten, f"replication_pad{space}d_backward").default] = replication_backward(space)
    return found

"""grid_sample as products with the weights of each dimension, which autograd can differentiate.

PyTorch's own is a kernel, and so is its gradient. A sample at (y, x) is a sum over the rows of weights of y times a sum
over the columns of weights of x; a weight is nonzero at two positions (four, if cubic), found by comparison, so that
neither reads nor writes depend on data. Padding with zeros needs no code: positions outside of the image match no
column. After ATen's GridSampler.h.
"""
import torch

from ...base.errors import FrontendError

CUBIC = -0.75  # PyTorch's coefficient


def _clipped(at, size):
    """At and beyond the border the gradient is 0."""
    inside = (at > 0) & (at < size - 1)
    return torch.where(inside, at, at.detach().clamp(0, size - 1))


def _reflected(at, size, align_corners):
    """Reflects at the centres of the outer pixels, or at their edges."""
    low, span = (0.0, size - 1) if align_corners else (-0.5, size)
    if span == 0:
        return torch.zeros_like(at)
    away = (at - low).abs()
    flips = torch.floor(away.detach() / span)
    rest = away - flips * span
    return torch.where(flips % 2 == 0, rest + low, span - rest + low)


def _padded(at, size, padding, align_corners):
    if padding == "reflection":
        at = _reflected(at, size, align_corners)
    return at if padding == "zeros" else _clipped(at, size)


def _cubic(t):
    """Returns the weights of the positions before, at, one after and two after, for a sample at the fraction t after
    the second."""
    near = lambda s: ((CUBIC + 2) * s - (CUBIC + 3)) * s * s + 1
    far = lambda s: ((CUBIC * s - 5 * CUBIC) * s + 8 * CUBIC) * s - 4 * CUBIC
    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def _weights(at, size, mode, padding, align_corners):
    """Returns [N, positions, size]: the weight of each column for each position."""
    if mode != "bicubic":
        at = _padded(at, size, padding, align_corners)
    columns, zero = torch.arange(size), torch.zeros((), dtype=at.dtype)
    hits = lambda place, weight: torch.where(columns == place.detach().to(torch.int64).unsqueeze(-1),
                                             weight.unsqueeze(-1), zero)
    if mode == "nearest":
        nearest = torch.round(at)  # its gradient is 0, not None
        return hits(nearest, 1 + nearest - nearest.detach())
    first = torch.floor(at).detach()
    t = at - first
    if mode == "bilinear":
        return hits(first, 1 - t) + hits(first + 1, t)
    places = [_padded(first + k, size, padding, align_corners) for k in (-1, 0, 1, 2)]
    return sum(hits(place, weight) for place, weight in zip(places, _cubic(t)))


def grid_sample(random, x, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """x [N, C, ..], grid [N, .., D] with the coordinates of the last dimension first; an image or, except for bicubic,
    a volume."""
    spatial = x.dim() - 2
    if mode == "bicubic" and spatial != 2:
        raise FrontendError("grid_sample is bicubic for images alone, expected bilinear or nearest for a volume")
    places = grid.flatten(1, -2)
    result = x
    for k, size in enumerate(reversed(x.shape[2:])):
        at = (places[..., k] + 1) / 2 * (size - 1) if align_corners else ((places[..., k] + 1) * size - 1) / 2
        weights = _weights(at, size, mode, padding_mode, bool(align_corners))
        if k == 0:
            result = torch.einsum("n...w,npw->n...p", x, weights)
        else:
            result = torch.einsum("n...hp,nph->n...p", result, weights)
    return result.reshape(*x.shape[:2], *grid.shape[1:-1])


def grid_sampler(random, x, grid, mode, padding, align_corners):
    """torch.grid_sampler, whose modes are numbers."""
    return grid_sample(random, x, grid, ("bilinear", "nearest", "bicubic")[mode],
                       ("zeros", "border", "reflection")[padding], align_corners)

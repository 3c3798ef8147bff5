"""Fourier transforms as products with matrices of cosines and sines.

    n = a b:   X[k1 + a k2] = sum over j2 of W_b[j2, k2] W_n[j2 k1] (sum over j1 of W_a[j1, k1] x[b j1 + j2])

A length up to 64 is one product with the matrix W; a longer one is factorised (Cooley and Tukey): n (a + b + ..)
operations in place of n^2, as products, which ds computes fast. Complex numbers are pairs (real, imaginary or None for
zeros).
"""
import numpy as np

from ..ir.expressions import concatenate, constant

WHOLE = 64  # the longest length that is one product
PRIME = 4096  # the largest prime length: its matrix is part of the step


def _factor(n):
    """Returns the greatest factor of n that is at most WHOLE; if all are greater, the least one."""
    factors = [a for a in range(2, WHOLE + 1) if n % a == 0]
    if factors:
        return factors[-1]
    return next((a for a in range(WHOLE + 1, int(n**0.5) + 1) if n % a == 0), n)


def _waves(products, n, inverse):
    """Returns cos and sin of the angles; products are reduced modulo n, so that large ones lose no digits."""
    angles = 2 * np.pi * (products % n) / n
    return np.cos(angles), np.sin(angles) if inverse else -np.sin(angles)


def _times(z, c, s, combine):
    """Returns (re + i im) (c + i s) for a bilinear `combine`."""
    re, im = z
    if im is None:
        return combine(re, c), combine(re, s)
    return combine(re, c) - combine(im, s), combine(re, s) + combine(im, c)


def along(z, dim, inverse):
    """Returns the unscaled transform along one dimension."""
    re = z[0]
    n, element = re.shape[dim], re.element
    if n == 1:
        return z
    a = n if n <= WHOLE else _factor(n)
    if a > PRIME:
        raise ValueError(f"of {n} elements has the prime factor {a}, expected at most {PRIME}; pad to another length")
    rows, columns = np.arange(a)[:, None], np.arange(a)[None, :]
    cosines, sines = (constant(w, element) for w in _waves(rows * columns, a, inverse))
    if a == n:
        return _times(z, cosines, sines, lambda x, w: x.product(w, dim))
    b = n // a
    apart = lambda x: None if x is None else x.reshape(x.shape[:dim] + [a, b] + x.shape[dim + 1:])
    z = _times(tuple(apart(x) for x in z), cosines, sines, lambda x, w: x.product(w, dim))
    twists = _waves(np.arange(a)[:, None] * np.arange(b)[None, :], n, inverse)
    behind = [1] * (re.rank - dim - 1)
    z = _times(z, *(constant(w, element).reshape([a, b] + behind) for w in twists), lambda x, w: x * w)
    z = along(z, dim + 1, inverse)
    order = [*range(dim), dim + 1, dim, *range(dim + 2, re.rank + 1)]
    return tuple(None if x is None else x.transpose(order).reshape(re.shape) for x in z)


def _scaled(z, factor):
    return tuple(None if x is None else x * factor for x in z)


def _mirrored(z, n):
    """Returns all n numbers of the last dimension; the second half is the conjugate of the first one, reversed."""
    last = z[0].rank - 1
    count = (n + 1) // 2
    joined = []
    for x, sign in zip(z, (1, -1)):
        x = z[0].like(0) if x is None else x
        tail = x.part(last, 1, count).reverse(last)
        joined.append(concatenate([x, tail if sign == 1 else -tail], last) if count > 1 else x)
    return tuple(joined)


def transform(kind, z, lengths):
    """Returns stablehlo.fft over the last dimensions: a pair, or an array for IRFFT."""
    kind = next(k for k in ("IRFFT", "RFFT", "IFFT", "FFT") if k in kind)
    rank, count = z[0].rank, len(lengths)
    dims = list(range(rank - count, rank))
    if kind == "IRFFT":
        for dim in dims[:-1]:
            z = along(z, dim, True)
        z = along(_mirrored(z, lengths[-1]), dims[-1], True)
        return z[0] * (1 / float(np.prod(lengths)))
    if kind == "RFFT":
        z = along(z, dims[-1], False)
        half = lengths[-1] // 2 + 1
        z = tuple(None if x is None else x.part(rank - 1, 0, half) for x in z)
        dims = dims[:-1]
    for dim in dims[::-1]:
        z = along(z, dim, kind == "IFFT")
    return _scaled(z, 1 / float(np.prod(lengths))) if kind == "IFFT" else z

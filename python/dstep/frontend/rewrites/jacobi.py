"""Eigenvalues and singular values by Jacobi rotations, n/2 at a time.

A rotation acts on columns i and i + n/2; n - 1 rounds are a sweep, in which every pair has met once and after which all
columns are back in place. An odd matrix gets a column of zeros, which no rotation changes. (Golub and Van Loan, Matrix
Computations, 8.5 and 8.6.3; Drmac and Veselic 2008 for the steps of Svd before and after.)
"""
from ..ir.expressions import concatenate, counted, loop, repeat, where
from ..ir.matrices import identity, ordered, positions
from .householder import householder, orthogonal

SWEEPS = 30  # at most; eight are enough except for matrices with a NaN, which never converge


def _rotation(p, q, off):
    """Returns sin(t) and tan(t / 2) for the least angle t that makes [[p, off], [off, q]] diagonal."""
    none = off == 0
    ratio = (q - p) / (2 * where(none, off.like(1), off))
    # For a large ratio the square overflows to infinity, and the tangent is 0 as it should be.
    tangent = where(ratio < 0, ratio.like(-1), ratio.like(1)) / (ratio.abs() + (ratio * ratio + 1).sqrt())
    tangent = where(none, tangent.like(0), tangent)
    cosine = 1 / (tangent * tangent + 1).sqrt()
    sine = tangent * cosine
    return sine, sine / (cosine + 1)


def _advance(a, dim):
    """Advances a tournament in which every player meets every other one: the first one stays, the others rotate."""
    dim %= a.rank
    half = a.shape[dim] // 2
    take = lambda start, end: a.part(dim, start, end)
    if half == 1:
        return a
    return concatenate([take(0, 1), take(half, half + 1), take(1, half - 1), take(half + 1, 2 * half),
                        take(half - 1, half)], dim)


def _turned(a, dim, s, t):
    """Returns the rotated columns. The cosine is 1 - s t: as an update of the columns, small angles lose no digits."""
    low, high = _halves(a, dim)
    return concatenate([low - s * (high + t * low), high + s * (low - t * high)], dim)


def _halves(a, dim):
    dim %= a.rank
    half = a.shape[dim] // 2
    return a.part(dim, 0, half), a.part(dim, half, 2 * half)


def _even(a):
    """Returns the matrix, with a row and a column of zeros if its size is odd."""
    *batch, n, _ = a.shape
    if n % 2:
        a = concatenate([a, a.like(0, [*batch, 1, n])], -2)
        a = concatenate([a, a.like(0, [*batch, n + 1, 1])], -1)
    return a


def _sweeps(far, one_round, a, v):
    """Runs sweeps as long as far(a)."""
    zero = counted([1], 0).reshape([])
    condition = lambda k, a, v: (k < SWEEPS) & far(a).any()
    return repeat(condition, lambda k, a, v: [k + 1, *loop(a.shape[-1] - 1, one_round, a, v)], [zero, a, v])[1:]


def _largest(a):
    """Returns a divisor of a, so that the squares of its elements are finite."""
    largest = a.abs().max(-1).max(-2)
    return where(largest == 0, largest.like(1), largest)


def _straightened(v):
    """Restores orthogonality lost in a thousand rotations: one step of Newton and Schulz."""
    return 1.5 * v - 0.5 * (v @ (v.T @ v))


def _epsilon(a):
    return {"f64": 2.0**-52}.get(str(a.element), 2.0**-23)


def symmetric_eigen(given):
    """Returns (vectors, values) of a symmetric matrix, in ascending order."""
    *batch, n, _ = given.shape
    largest = _largest(given)
    given = given / largest
    a = _even(given)
    half = a.shape[-1] // 2
    rows, columns = positions(a)
    diagonal = rows == columns
    halves = counted([half, 1], 0) == counted([1, half], 1)

    def on_diagonal(block):
        return where(halves, block, block.like(0)).sum(-1)  # a column

    def one_round(k, a, v):
        left, right = _halves(a, -1)
        p, off = on_diagonal(_halves(left, -2)[0]), on_diagonal(_halves(right, -2)[0])
        s, t = _rotation(p, on_diagonal(_halves(right, -2)[1]), off)
        a = _turned(_turned(a, -2, s, t), -1, s.T, t.T)
        v = _turned(v, -1, s.T, t.T)
        return [_advance(_advance(a, -1), -2), _advance(v, -1)]

    def far(a):
        """Returns whether elements beside the diagonal are still significant."""
        square = a * a
        total = square.sum(-1).sum(-2)
        off = where(diagonal, square.like(0), square).sum(-1).sum(-2)
        return off > total * _epsilon(a)**2

    _, vectors = _sweeps(far, one_round, a, identity(a))
    vectors = _straightened(vectors.part(vectors.rank - 1, 0, n).part(vectors.rank - 2, 0, n))
    values = (vectors * (given @ vectors)).sum(-2) * largest  # a row
    values, vectors = ordered(values, vectors)
    return vectors, values.reshape([*batch, n])


def _square_singular(given):
    """Returns (U, S as a row, V) of a square matrix, in descending order. Its columns are rotated until they are
    orthogonal, which gives V; the rotated columns are U S. U is computed by Householder reflections, which are
    orthogonal even if a column is zero."""
    n = given.shape[-1]
    a = _even(given)
    rows, columns = positions(a)

    def one_round(k, a, v):
        left, right = _halves(a, -1)
        s, t = _rotation((left * left).sum(-2), (right * right).sum(-2), (left * right).sum(-2))
        return [_advance(_turned(a, -1, s, t), -1), _advance(_turned(v, -1, s, t), -1)]

    def far(a):
        """Returns whether two columns are not orthogonal, relative to their lengths."""
        products = a.T @ a
        square = where(rows == columns, products, products.like(0)).sum(-1)
        near = (n * _epsilon(a))**2 * square * square.T
        return (rows != columns) & (products * products > near)

    a, v = _sweeps(far, one_round, a, identity(a))
    a, v = (x.part(x.rank - 1, 0, n).part(x.rank - 2, 0, n) for x in (a, v))
    values, a, v = ordered(-((a * a).sum(-2).sqrt()), a, _straightened(v))
    packed, taus = householder(a)
    rows, columns = positions(a)
    heads = where(rows == columns, packed, packed.like(0)).sum(-2)
    u = orthogonal(packed, taus)
    return where(heads < 0, -u, u), -values, v


def singular_values(given, full):
    """Returns (U, S, V^T), in descending order; U and V^T are square if full. The rotations start from the transposed
    triangle of QR, whose columns are nearly orthogonal."""
    *batch, m, n = given.shape
    if m < n:
        u, s, vt = singular_values(given.T, full)
        return vt.T, s, u.T
    largest = _largest(given)
    packed, taus = householder(given / largest)
    rows, columns = positions(packed)
    top = packed.part(packed.rank - 2, 0, n)
    rows = rows.part(0, 0, n)
    right, s, left = _square_singular(where(rows <= columns, top, top.like(0)).T)
    beside = [packed.like(0, [*batch, m, m - n])] if full and m > n else []
    q = orthogonal(concatenate([packed, *beside], -1), taus)
    u = q.part(q.rank - 1, 0, n) @ left
    if beside:
        u = concatenate([u, q.part(q.rank - 1, n, m)], -1)
    return u, (s * largest).reshape([*batch, n]), right.T

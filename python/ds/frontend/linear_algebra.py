"""Factorisations of matrices -> loops over columns, written in StableHLO.

    cholesky              L[:, j] = (A[:, j] - L L[j, :]) / sqrt(of the pivot)       column by column
    triangular_solve      X[i, :] = (B[i, :] - A[i, :] X) / A[i, i]                  row by row; other forms are transposed and turned to this one
    Qr, ProductOf..       reflections of Householder in the packed form of LAPACK, which leave zeros below the diagonal
    LuDecomposition       elimination with the greatest pivot of each column
    Eigh                  rotations of Jacobi, n/2 at a time

The last three are calls of libraries that JAX makes; solve, inv, det, svd and pinv are made of them in JAX itself. Rows and columns are picked
by comparing positions, so nothing is addressed by data, and matrices may be batched. Made for the matrices of optimizers (Shampoo, SOAP,
whitening), which all ranks have alike: n rounds over n^2 elements, one after another; Eigh takes 6 to 12 times n rounds.
"""
from jaxlib.mlir import ir

from . import builder
from .expressions import Array, concatenate, counted, loop, repeat, where


def positions(a):
    """The row and the column of each element, as a column and as a row."""
    n, m = a.shape[-2:]
    return counted([n, 1], 0), counted([1, m], 1)


def picked(a, chosen, dim):
    """The one row (dim = -2) or column (dim = -1) of a that is chosen."""
    return where(chosen, a, a.like(0)).sum(dim)


def lower_cholesky(a):
    rows, columns = positions(a)

    def column(j, l):
        row = picked(l, rows == j, -2)
        rest = picked(a, columns == j, -1) - (l * row).sum(-1)
        pivot = picked(rest, rows == j, -2)
        return [where((rows >= j) & (columns == j), rest / pivot.sqrt(), l)]
    return loop(a.shape[-1], column, a.like(0))[0]


def substitute(a, b, unit):
    """X of A X = B for a lower triangle A."""
    rows, columns = positions(a)

    def row(i, x):
        factors = picked(a, rows == i, -2)
        known = (where(columns < i, factors, factors.like(0)).T * x).sum(-2)
        rest = picked(b, rows == i, -2) - known
        return [where(rows == i, rest if unit else rest / picked(factors, columns == i, -1), x)]
    return loop(a.shape[-1], row, b.like(0))[0]


def cholesky(op):
    lower = "lower" in op.attributes and ir.BoolAttr(op.attributes["lower"]).value
    a = Array(op.operands[0])
    return [lower_cholesky(a) if lower else lower_cholesky(a.T).T]


def triangular_solve(op):
    flag = lambda name: ir.BoolAttr(op.attributes[name]).value
    left, lower, unit = flag("left_side"), flag("lower"), flag("unit_diagonal")
    turned = "NO_TRANSPOSE" not in str(op.attributes["transpose_a"])
    a, b = (Array(v) for v in op.operands)
    # x a = b is the transpose of a^T x^T = b^T.
    if not left:
        turned, b = not turned, b.T
    if turned:
        a, lower = a.T, not lower
    if not lower:  # from the last row to the first
        a, b = a.reverse(-2, -1), b.reverse(-2)
    x = substitute(a, b, unit)
    x = x if lower else x.reverse(-2)
    return [x if left else x.T]


def qr(op):
    """R on and above the diagonal, and below it the vectors v of the reflections I - tau v v^T, whose first element is 1."""
    a = Array(op.operands[0])
    count = min(a.shape[-2:])
    rows, columns = positions(a)
    places = counted([1, count], 1)

    def column(j, a, taus):
        x = picked(a, columns == j, -1)
        below = where(rows > j, x, x.like(0))
        alpha = picked(x, rows == j, -2)
        # Scaled, so that squares neither overflow nor vanish.
        scale = below.abs().max(-2).maximum(alpha.abs())
        scale = where(scale == 0, scale.like(1), scale)
        tail = below / scale
        tail = (tail * tail).sum(-2)
        head = alpha / scale
        norm = (tail + head * head).sqrt() * scale
        beta = where(alpha > 0, -norm, norm)
        flat = tail == 0
        tau = where(flat, alpha.like(0), (beta - alpha) / where(flat, beta.like(1), beta))
        v = below / where(flat, alpha.like(1), alpha - beta)
        reflector = where(rows == j, v.like(1), v)
        turned = a - tau * reflector * (reflector * a).sum(-2)
        done = where(rows < j, x, where(rows == j, where(flat, alpha, beta), v))
        a = where(columns == j, done, where(columns > j, turned, a))
        return [a, where(places == j, tau, taus)]
    a, taus = loop(count, column, a, a.like(0, [*a.shape[:-2], 1, count]))
    return [a, taus.reshape([*a.shape[:-2], count])]


def reflectors(op):
    """The first columns of the product of the reflections of qr."""
    a, taus = (Array(v) for v in op.operands)
    count = taus.shape[-1]
    rows, columns = positions(a)
    taus = taus.reshape([*taus.shape[:-1], 1, count])
    places = counted([1, count], 1)

    def reflect(k, q):
        j = count - 1 - k
        v = picked(a, columns == j, -1)
        v = where(rows > j, v, where(rows == j, v.like(1), v.like(0)))
        tau = picked(taus, places == j, -1)
        return [q - tau * v * (v * q).sum(-2)]
    identity = where((rows == columns), a.like(1), a.like(0))
    return [loop(count, reflect, identity)[0]]


def lu(op):
    """Both triangles in one matrix, which row each was swapped with, and the order of the rows."""
    a = Array(op.operands[0])
    n, m = a.shape[-2:]
    rows, columns = positions(a)
    count = min(n, m)
    places = counted([count, 1], 0)
    batch = a.shape[:-2]

    def swapped(a, j, other):
        return where(rows == j, picked(a, rows == other, -2), where(rows == other, picked(a, rows == j, -2), a))

    def column(j, a, pivots, order):
        x = picked(a, columns == j, -1)
        size = where(rows >= j, x.abs(), x.like(-1))
        first = where(size == size.max(-2), rows, rows.like(n)).min(-2)
        # A column with a NaN has no greatest element; any row will do.
        pivot = first.minimum(n - 1).maximum(j)
        a = swapped(a, j, pivot)
        order = where(rows == j, picked(order, rows == pivot, -2), where(rows == pivot, picked(order, rows == j, -2), order))
        x, row = picked(a, columns == j, -1), picked(a, rows == j, -2)
        top = picked(x, rows == j, -2)
        factor = where(rows > j, x / where(top == 0, top.like(1), top), x)
        a = where((rows > j) & (columns > j), a - factor * row, where(columns == j, factor, a))
        return [a, where(places == j, pivot, pivots), order]
    zeros = rows.like(0, [*batch, count, 1])
    a, pivots, order = loop(count, column, a, zeros, rows.to([*batch, n, 1]))
    return [a, pivots.reshape([*batch, count]), order.reshape([*batch, n])]


def _rotation(p, q, off):
    """Sine and tangent of the half of the least angle that makes [[p, off], [off, q]] diagonal."""
    none = off == 0
    ratio = (q - p) / (2 * where(none, off.like(1), off))
    # Where the ratio is large its square overflows to infinity, and the tangent is 0 as it should be.
    tangent = where(ratio < 0, ratio.like(-1), ratio.like(1)) / (ratio.abs() + (ratio * ratio + 1).sqrt())
    tangent = where(none, tangent.like(0), tangent)
    cosine = 1 / (tangent * tangent + 1).sqrt()
    sine = tangent * cosine
    return sine, sine / (cosine + 1)


def _advance(a, dim, half):
    """A tournament in which every player meets every other one: the first one stays, the others go round the table."""
    dim %= a.rank
    take = lambda start, end: a.part(dim, start, end)
    if half == 1:
        return a
    return concatenate([take(0, 1), take(half, half + 1), take(1, half - 1), take(half + 1, 2 * half), take(half - 1, half)], dim)


def eigh(op):
    """(vectors, values), in ascending order. Rows and columns i and i + n/2 meet, n/2 rotations at a time; n - 1 rounds are a sweep, after which all
    stand where they stood. An odd matrix has a partner of zeros, which nothing turns."""
    given = Array(op.operands[0])
    n, batch = given.shape[-1], given.shape[:-2]
    largest = given.abs().max(-1).max(-2)
    largest = where(largest == 0, largest.like(1), largest)
    given = given / largest  # the squares of its elements shall be numbers
    half = (n + 1) // 2
    a = given
    if n % 2:
        a = concatenate([a, a.like(0, [*batch, 1, n])], -2)
        a = concatenate([a, a.like(0, [*batch, n + 1, 1])], -1)
    rows, columns = positions(a)
    diagonal = rows == columns
    vectors = where(diagonal, a.like(1), a.like(0))
    epsilon = {"f64": 2.0**-52}.get(str(a.element), 2.0**-23)
    halves = counted([half, 1], 0) == counted([1, half], 1)

    def on_diagonal(block):
        return where(halves, block, block.like(0)).sum(-1)  # a column

    def turn(a, dim, s, t):
        """The cosine is 1 - s t: written as changes of what is turned, small angles lose nothing."""
        low, high = a.part(dim, 0, half), a.part(dim, half, 2 * half)
        return concatenate([low - s * (high + t * low), high + s * (low - t * high)], dim)

    def one_round(k, a, v):
        last = a.rank - 1
        left, right = a.part(last, 0, half), a.part(last, half, 2 * half)
        p, off = on_diagonal(left.part(last - 1, 0, half)), on_diagonal(right.part(last - 1, 0, half))
        s, t = _rotation(p, on_diagonal(right.part(last - 1, half, 2 * half)), off)
        a = turn(turn(a, last - 1, s, t), last, s.T, t.T)
        v = turn(v, last, s.T, t.T)
        return [_advance(_advance(a, -1, half), -2, half), _advance(v, -1, half)]

    def far(k, a, v):
        """Whether what is beside the diagonal still counts."""
        square = a * a
        total = square.sum(-1).sum(-2)
        off = where(diagonal, square.like(0), square).sum(-1).sum(-2)
        return (k < 30) & (off > total * epsilon**2).any()

    def sweep(k, a, v):
        return [k + 1, *loop(2 * half - 1, one_round, a, v)]

    zero = counted([1], 0).reshape([])
    _, a, vectors = repeat(far, sweep, [zero, a, vectors]) if n > 1 else (zero, a, vectors)
    vectors = vectors.part(vectors.rank - 1, 0, n).part(vectors.rank - 2, 0, n)
    # A thousand rotations leave vectors a little oblique: one step of Newton and Schulz, and the values of what that makes.
    vectors = 1.5 * vectors - 0.5 * (vectors @ (vectors.T @ vectors))
    values = (vectors * (given @ vectors)).sum(-2) * largest  # a row
    # In ascending order: a column goes where as many values are less than its own.
    numbers = counted([n, 1], 0), counted([1, n], 1)
    before = (values.T < values) | ((values.T == values) & (numbers[0] < numbers[1]))
    place = where(before, numbers[0].like(1, before.shape), numbers[0].like(0, before.shape)).sum(-2)
    chosen = place.T == numbers[1]  # [from, to]
    values = where(chosen, values.T, values.T.like(0)).sum(-2)
    wide = vectors.reshape([*batch, n, n, 1])
    vectors = where(chosen.reshape([*chosen.shape[:-2], 1, n, n]), wide, wide.like(0)).sum(-2).reshape([*batch, n, n])
    return [vectors, values.reshape([*batch, n])]


OPERATIONS = {"stablehlo.cholesky": cholesky, "stablehlo.triangular_solve": triangular_solve}
CALLS = {"Qr": qr, "ProductOfElementaryHouseholderReflectors": reflectors, "LuDecomposition": lu, "Eigh": eigh}


def _rule(op):
    if op.name != "stablehlo.custom_call":
        return OPERATIONS.get(op.name)
    kinds = {str(builder.element_type(v)) for v in op.operands}
    return CALLS.get(op.attributes["call_target_name"].value) if kinds <= {"f32", "f64"} else None


def rewrite(module):
    for op in [op for op in builder.operations(module.operation) if _rule(op)]:
        with ir.InsertionPoint(op), op.location:
            found = _rule(op)(op)
        builder.replace(op, [f.value for f in found])

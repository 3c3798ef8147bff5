"""Factorisations of matrices -> loops over columns, written in StableHLO.

    cholesky              L[:, j] = (A[:, j] - L L[j, :]) / sqrt(of the pivot)       column by column
    triangular_solve      X[i, :] = (B[i, :] - A[i, :] X) / A[i, i]                  row by row; others are transposed
    Qr, ProductOf..       Householder reflections in the packed form of LAPACK, which leave zeros below the diagonal
    LuDecomposition       elimination with the greatest pivot of each column
    Eigh, Svd             Jacobi rotations (jacobi.py)
    MatrixExponential     a polynomial of the scaled matrix, squared again (matrix_exponential.py)

The names are those of JAX's library calls, on which solve, inv, det, svd and pinv are built in JAX itself, and three
more of that kind for PyTorch. Rows and columns are selected by comparing positions, so no address depends on data, and
matrices may be batched. Intended for the matrices of optimizers (Shampoo, SOAP, whitening), which are replicated: n
sequential rounds over n^2 elements; Jacobi's take 6 to 12 times n rounds.
"""
from jaxlib.mlir import ir

from ..ir import builder
from ..ir.expressions import Array, counted, loop, where
from ..ir.matrices import picked, positions
from .householder import householder, orthogonal
from .jacobi import singular_values, symmetric_eigen
from .matrix_exponential import matrix_exponential


def lower_cholesky(a):
    rows, columns = positions(a)

    def column(j, l):
        row = picked(l, rows == j, -2)
        rest = picked(a, columns == j, -1) - (l * row).sum(-1)
        pivot = picked(rest, rows == j, -2)
        return [where((rows >= j) & (columns == j), rest / pivot.sqrt(), l)]
    return loop(a.shape[-1], column, a.like(0))[0]


def substitute(a, b, unit):
    """Returns X of A X = B for a lower triangle A."""
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
    return list(householder(Array(op.operands[0])))


def reflectors(op):
    return [orthogonal(*(Array(v) for v in op.operands))]


def eigh(op):
    return list(symmetric_eigen(Array(op.operands[0])))


def svd(op):
    left, _, right = op.results
    return list(singular_values(Array(op.operands[0]), left.type.shape[-1] != right.type.shape[-2]))


def exponential(op):
    return [matrix_exponential(Array(op.operands[0]))]


def lu(op):
    """Returns both triangles in one matrix, the row that each row was swapped with, and the order of the rows."""
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
        # A column with a NaN has no greatest element; any row serves as the pivot.
        pivot = first.minimum(n - 1).maximum(j)
        a = swapped(a, j, pivot)
        order = where(rows == j, picked(order, rows == pivot, -2),
                      where(rows == pivot, picked(order, rows == j, -2), order))
        x, row = picked(a, columns == j, -1), picked(a, rows == j, -2)
        top = picked(x, rows == j, -2)
        factor = where(rows > j, x / where(top == 0, top.like(1), top), x)
        a = where((rows > j) & (columns > j), a - factor * row, where(columns == j, factor, a))
        return [a, where(places == j, pivot, pivots), order]
    zeros = rows.like(0, [*batch, count, 1])
    a, pivots, order = loop(count, column, a, zeros, rows.to([*batch, n, 1]))
    return [a, pivots.reshape([*batch, count]), order.reshape([*batch, n])]


OPERATIONS = {"stablehlo.cholesky": cholesky, "stablehlo.triangular_solve": triangular_solve}
CALLS = {"Qr": qr, "ProductOfElementaryHouseholderReflectors": reflectors, "LuDecomposition": lu, "Eigh": eigh,
         "Svd": svd,
         "MatrixExponential": exponential}


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

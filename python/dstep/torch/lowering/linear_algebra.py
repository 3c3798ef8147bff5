"""Factorisations and Fourier transforms: operations and calls that dstep.frontend implements (linear_algebra.py,
fourier.py)."""
import math

import torch
from jaxlib.mlir.dialects import stablehlo as hlo

from ...frontend.ir.expressions import Array, counted, loop, where
from ...frontend.ir.matrices import picked
from ..base.graph import meta
from .elementwise import sign
from .emit import broadcast, compare, constant, convert, dtype, full, iota, lowers, pad, reduce, reshape, select, shape, slice_dim, tensor, transpose

aten = torch.ops.aten


def call(name, types, operands):
    return hlo.custom_call(types, operands, name)


def flipped(x):
    return Array(x).T.value


def where_rows(relation, x):
    """Returns where the number of the row is in a relation to that of the column."""
    rank = len(shape(x))
    return compare(relation, iota(shape(x), rank - 2), iota(shape(x), rank - 1))


def triangle(x, upper):
    """Returns x with zeros below (or above) the diagonal."""
    return select(where_rows("LE" if upper else "GE", x), x, full(shape(x), 0, dtype(x)))


@lowers(aten.linalg_qr.default)
def qr(node, x, mode="reduced"):
    *batch, n, m = shape(x)
    of, count = dtype(x), min(n, m)
    packed, taus = call("Qr", [x.type, tensor([*batch, count], of)], [x])
    rank = len(shape(x))
    r = triangle(packed if mode == "complete" else slice_dim(packed, rank - 2, 0, count), upper=True)
    if mode == "r":
        return full([0], 0, of), r
    wide = n if mode == "complete" else count
    given = slice_dim(packed, rank - 1, 0, min(m, wide))
    if shape(given)[-1] < wide:
        given = pad(given, [0] * rank, [0] * (rank - 1) + [wide - shape(given)[-1]])
    return call("ProductOfElementaryHouseholderReflectors", [given.type], [given, taus]), r


@lowers(aten.geqrf.default)
def packed_qr(node, x):
    *batch, n, m = shape(x)
    return tuple(call("Qr", [x.type, tensor([*batch, min(n, m)], dtype(x))], [x]))


@lowers(aten.ormqr.default)
def by_reflections(node, x, taus, other, left=True, transpose=False):
    """Returns the product with the full orthogonal matrix, of which x holds the first reflections."""
    rank, n = len(shape(x)), shape(x)[-2]
    more = n - shape(x)[-1]
    square = pad(x, [0] * rank, [0] * (rank - 1) + [more]) if more else x
    q = call("ProductOfElementaryHouseholderReflectors", [square.type], [square, taus])
    q = flipped(q) if transpose else q
    return times(q, other) if left else times(other, q)


@lowers(aten.linalg_householder_product.default)
def reflections(node, x, taus):
    return call("ProductOfElementaryHouseholderReflectors", [x.type], [x, taus])


@lowers(aten._linalg_eigh.default)
def eigh(node, x, half="L", compute_v=True):
    *batch, n, _ = shape(x)
    part = triangle(x, upper=half.upper() == "U")
    whole = hlo.add(part, select(where_rows("NE", x), flipped(part), full(shape(x), 0, dtype(x))))
    vectors, values = call("Eigh", [x.type, tensor([*batch, n], dtype(x))], [whole])
    return values, vectors


@lowers(aten._linalg_svd.default)
def svd(node, x, full_matrices=False, compute_uv=True, driver=None):
    *batch, m, n = shape(x)
    of, count = dtype(x), min(m, n)
    full_matrices = full_matrices and compute_uv
    left, right = [m, m if full_matrices else count], [n if full_matrices else count, n]
    u, s, vt = call("Svd", [tensor([*batch, *left], of), tensor([*batch, count], of), tensor([*batch, *right], of)], [x])
    return (u, s, vt) if compute_uv else (full([0], 0, of), s, full([0], 0, of))


@lowers(aten.linalg_matrix_exp.default)
def exponential(node, x):
    return call("MatrixExponential", [x.type], [x])


def success(x):
    """Returns LAPACK's error number as 0: the real one would be a value that depends on data."""
    return full(shape(x)[:-2], 0, torch.int32)


@lowers(aten.linalg_cholesky_ex.default)
def cholesky(node, x, upper=False, check_errors=False):
    return hlo.cholesky(x, lower=not upper), success(x)


def factors(x):
    """Returns (both triangles, the row that each row was swapped with, the order of the rows)."""
    *batch, n, m = shape(x)
    return call("LuDecomposition", [x.type, tensor([*batch, min(n, m)], torch.int32), tensor([*batch, n], torch.int32)], [x])


def permutation(order, of):
    """Returns the permutation as [.., to, from] of 0 and 1."""
    dims = shape(order) + shape(order)[-1:]
    rank = len(dims)
    return convert(compare("EQ", broadcast(order, dims, list(range(rank - 1))), iota(dims, rank - 1, torch.int32)), of)


def times(a, b):
    return (Array(a) @ Array(b)).value


def solve_triangle(a, b, lower, unit=False, turned=False, left=True):
    kind = hlo.TransposeAttr.get("TRANSPOSE" if turned else "NO_TRANSPOSE")
    return hlo.triangular_solve(a, b, left_side=left, lower=lower, unit_diagonal=unit, transpose_a=kind)


def solved(lu, order, b, turned=False):
    """Returns X of A X = B, or of A^T X = B, for P A = L U."""
    moved = permutation(order, dtype(b))
    if not turned:
        return solve_triangle(lu, solve_triangle(lu, times(moved, b), lower=True, unit=True), lower=False)
    return times(flipped(moved), solve_triangle(lu, solve_triangle(lu, b, lower=False, turned=True), lower=True, unit=True, turned=True))


@lowers(aten.linalg_lu_factor_ex.default)
def lu_factor(node, x, pivot=True, check_errors=False):
    lu, pivots, _ = factors(x)
    return lu, one_based(pivots), success(x)


def lu_parts(lu):
    """Returns L and U of the matrix that holds both."""
    of, rank, count = dtype(lu), len(shape(lu)), min(shape(lu)[-2:])
    lower = slice_dim(lu, rank - 1, 0, count)
    unit = select(where_rows("EQ", lower), full(shape(lower), 1, of), triangle(lower, upper=False))
    return unit, triangle(slice_dim(lu, rank - 2, 0, count), upper=True)


@lowers(aten.linalg_lu.default)
def lu(node, x, pivot=True):
    """Returns (P, L, U) of x = P L U."""
    lu, _, order = factors(x)
    return flipped(permutation(order, dtype(lu))), *lu_parts(lu)


@lowers(aten.lu_unpack.default)
def lu_unpack(node, lu, pivots, unpack_data=True, unpack_pivots=True):
    """Computes only the requested parts: the order of the rows is a loop over the pivots."""
    nothing = full([0], 0, dtype(lu))
    order = flipped(permutation(order_of(pivots, shape(lu)[-2]), dtype(lu))) if unpack_pivots else nothing
    return order, *(lu_parts(lu) if unpack_data else (nothing, nothing))


@lowers(aten.linalg_inv_ex.default)
def inverse(node, x, check_errors=False):
    lu, _, order = factors(x)
    return solved(lu, order, convert(where_rows("EQ", x), dtype(x))), success(x)


def one_based(pivots):
    return hlo.add(pivots, full(shape(pivots), 1, torch.int32))


def solved_on(lu, order, b, left, turned):
    """Returns X of A X = B, or of X A = B, with A transposed or not."""
    return solved(lu, order, b, turned) if left else flipped(solved(lu, order, flipped(b), not turned))


@lowers(aten._linalg_solve_ex.default)
def solve(node, x, b, left=True, check_errors=False):
    vector = len(shape(b)) == len(shape(x)) - 1 and shape(b) == shape(x)[:-1]
    given = reshape(b, [*shape(b), 1]) if vector else b
    given = broadcast(given, [*shape(x)[:-2], *shape(given)[-2:]])
    lu, pivots, order = factors(x)
    found = solved_on(lu, order, given, left, False)
    return reshape(found, shape(b)) if vector else found, lu, one_based(pivots), success(x)


def order_of(pivots, n):
    """Returns 0, 1, 2 .. after the swaps."""
    *batch, count = shape(pivots)
    swaps = Array(reshape(hlo.subtract(pivots, full(shape(pivots), 1, torch.int32)), [*batch, count, 1]))
    places, rows = counted([count, 1], 0), counted([n, 1], 0)

    def swap(j, order):
        other = picked(swaps, places == j, -2)
        first, second = picked(order, rows == j, -2), picked(order, rows == other, -2)
        return [where(rows == j, second, where(rows == other, first, order))]
    return reshape(loop(count, swap, rows.to([*batch, n, 1]))[0].value, [*batch, n])


@lowers(aten.linalg_lu_solve.default)
def lu_solve(node, lu, pivots, b, left=True, adjoint=False):
    return solved_on(lu, order_of(pivots, shape(pivots)[-1]), b, left, adjoint)


@lowers(aten.linalg_solve_triangular.default)
def triangular(node, a, b, upper, left=True, unitriangular=False):
    return solve_triangle(broadcast(a, [*shape(b)[:-2], *shape(a)[-2:]]), b, not upper, unitriangular, left=left)


def is_contiguous(node):
    held = meta(node)
    return held.is_contiguous() if isinstance(held, torch.Tensor) else held.memory_format == torch.contiguous_format


@lowers(aten._linalg_slogdet.default)
def slogdet(node, x):
    """Factorises the transpose of a row-major matrix, as PyTorch's kernel does."""
    lu, pivots, _ = factors(flipped(x) if is_contiguous(node.args[0]) else x)
    of, rank = dtype(x), len(shape(x))
    diagonal = reduce(select(where_rows("EQ", x), lu, full(shape(x), 0, of)), [rank - 1], "add")
    kept = compare("EQ", pivots, iota(shape(pivots), rank - 2, torch.int32))
    swaps = reduce(select(kept, full(shape(pivots), 1, of), full(shape(pivots), -1, of)), [rank - 2], "multiply")
    sign = hlo.multiply(swaps, reduce(hlo.sign(diagonal), [rank - 2], "multiply"))
    return sign, reduce(hlo.log(hlo.abs(diagonal)), [rank - 2], "add"), lu, one_based(pivots)


# Fourier transforms.
def along(x, dim, kind, length=None):
    """Transforms one dimension, which StableHLO requires to be the last one."""
    order = [d for d in range(len(shape(x))) if d != dim] + [dim]
    turned = hlo.fft(transpose(x, order), hlo.FftTypeAttr.get(kind), [length or shape(x)[dim]])
    return transpose(turned, [order.index(d) for d in range(len(order))])


def scaled(x, dims, sizes, normalization, inverse=False):
    """Scales by 1, the root of the size or the size; StableHLO's inverse transforms divide by the size already."""
    size = math.prod(sizes[d] for d in dims)
    factor = (size if inverse else 1) / {0: 1, 1: size**0.5, 2: size}[normalization]
    return x if factor == 1 else hlo.multiply(x, full(shape(x), factor, dtype(x)))


@lowers(aten._fft_c2c.default)
def complex_transform(node, x, dims, normalization, forward):
    dims = [d % len(shape(x)) for d in dims]
    for d in dims:
        x = along(x, d, "FFT" if forward else "IFFT")
    return scaled(x, dims, shape(x), normalization, not forward)


@lowers(aten._fft_r2c.default)
def real_transform(node, x, dims, normalization, onesided):
    if not onesided:
        return complex_transform(node, convert(x, dtype(x).to_complex()), dims, normalization, True)
    *others, last = dims = [d % len(shape(x)) for d in dims]
    result = along(x, last, "RFFT")
    for d in others:
        result = along(result, d, "FFT")
    return scaled(result, dims, shape(x), normalization)


@lowers(aten._fft_c2r.default)
def to_real_transform(node, x, dims, normalization, size):
    *others, last = dims = [d % len(shape(x)) for d in dims]
    for d in others:
        x = along(x, d, "IFFT")
    result = along(slice_dim(x, last, 0, size // 2 + 1), last, "IRFFT", size)
    return scaled(result, dims, shape(result), normalization, True)


# Complex numbers and their parts.
@lowers(aten.view_as_real.default)
def parts(node, x):
    rank = len(shape(x))
    return hlo.concatenate([reshape(hlo.real(x), [*shape(x), 1]), reshape(hlo.imag(x), [*shape(x), 1])], rank)


@lowers(aten.view_as_complex.default)
def together(node, x):
    rank = len(shape(x)) - 1
    part = lambda k: reshape(slice_dim(x, rank, k, k + 1), shape(x)[:-1])
    return hlo.complex(part(0), part(1))


@lowers(aten.complex.default)
def of_parts(node, re, im):
    return hlo.complex(re, im)


@lowers(aten._conj.default, aten._conj_physical.default)
def conjugate(node, x):
    return hlo.complex(hlo.real(x), hlo.negate(hlo.imag(x)))


@lowers(aten.angle.default)
def angle(node, x):
    return hlo.atan2(hlo.imag(x), hlo.real(x))


@lowers(aten.sgn.default)
def sgn(node, x):
    return hlo.sign(x) if dtype(x).is_complex else sign(x)


@lowers(aten.triu_indices.default, aten.tril_indices.default)
def corner(node, rows, columns, offset=0, **options):
    make = torch.triu_indices if node.target is aten.triu_indices.default else torch.tril_indices
    return constant(make(rows, columns, offset))

"""Cases of linear algebra for test_torch_lowering.py, in groups as those of torch_cases.py."""
import itertools

import torch

from torch_cases import f, group

aten = torch.ops.aten


def definite(*dims):
    a = f(*dims, dims[-1])
    return a @ a.mT + 2 * torch.eye(dims[-1])


@group
def linear_algebra(case):
    for dims in ((5, 3), (3, 5), (2, 4, 4)):
        for mode in ("reduced", "complete"):
            case(lambda x, m=mode: aten.linalg_qr(x, m), f(*dims))
        case(lambda x: aten.linalg_qr(x, "r")[1], f(*dims))
    for half in "LU":
        case(lambda x, h=half: [p.abs() for p in aten._linalg_eigh(x, h)],
             definite(2, 4).tril() if half == "L" else definite(5).triu())
    for upper in (False, True):
        case(lambda x, u=upper: aten.linalg_cholesky_ex(x, upper=u), definite(2, 4))
    a, b = f(2, 4, 4), f(2, 4, 3)
    case(lambda a: aten.linalg_inv_ex(a), a)
    case(lambda a, b: aten._linalg_solve_ex(a, b), a, b)
    case(lambda a, b: aten._linalg_solve_ex(a, b), f(4, 4), f(4))
    case(lambda a, b: aten._linalg_solve_ex(a, b, left=False)[0], a, b.mT.contiguous())
    lu, pivots, _ = aten.linalg_lu_factor_ex(a)
    for left, adjoint in itertools.product((True, False), (True, False)):
        case(lambda l, p, b, s=left, t=adjoint: aten.linalg_lu_solve(l, p, b, left=s, adjoint=t), lu, pivots,
             b if left else b.mT.contiguous())
        case(lambda a, b, s=left, u=adjoint: aten.linalg_solve_triangular(a, b, upper=u, left=s), definite(4),
             f(4, 3) if left else f(3, 4))
    case(lambda a: aten._linalg_slogdet(a), a)
    case(lambda l, p: aten.lu_unpack(l, p), lu, pivots)
    case(lambda l, p: aten.lu_unpack(l, p, unpack_pivots=False)[1:], lu, pivots)
    case(lambda l, p: aten.lu_unpack(l, p, unpack_data=False)[0], lu, pivots)
    for dims in ((2, 4, 4), (5, 3), (3, 5)):
        case(lambda x: aten.linalg_lu(x), f(*dims))
        case(lambda x: aten.linalg_lu_factor_ex(x), f(*dims))
    low = torch.linalg.cholesky(definite(2, 4))
    for upper in (False, True):
        case(lambda x, u=upper: aten.cholesky_inverse(x, u), low.mT.contiguous() if upper else low)
        case(lambda b, x, u=upper: aten.cholesky_solve(b, x, u), f(2, 4, 3), low.mT.contiguous() if upper else low)
    case(lambda x, t: aten.linalg_householder_product(x, t), *torch.geqrf(f(2, 5, 3)))
    case(lambda x, t: aten.linalg_householder_product(x, t[:1]), *torch.geqrf(f(5, 3)))


def parts_of_svd(x, full, k):
    """What does not depend on the signs of the vectors, nor on a basis of what is left."""
    u, s, vt = aten._linalg_svd(x, full)
    return s, u[..., :k].abs(), vt[..., :k, :].abs(), (u[..., :k] * s[..., None, :k]) @ vt[..., :k,
                                                                                           :], u @ u.mT, vt.mT @ vt


@group
def singular_values(case):
    for dims in ((1, 1), (5, 3), (3, 5), (2, 4, 4), (9, 9)):
        for full in (False, True):
            case(lambda x, f=full, k=min(dims[-2:]): parts_of_svd(x, f, k), f(*dims))
        case(lambda x: aten._linalg_svd(x, False, False)[1], f(*dims))
    thin = f(6, 2) @ f(2, 4)
    case(lambda x: parts_of_svd(x, False, 2)[:4], thin)  # of rank 2
    # what completes the basis is a basis, too
    case(lambda x: [part @ part.mT for part in aten._linalg_svd(x, True)[::2]], thin)
    case(lambda x: aten._linalg_svd(x)[1], torch.zeros(3, 4))
    for scale in (1e30, 1e-30):
        case(lambda x, s=scale: aten._linalg_svd(x)[1] / s, f(4, 4) * scale)
    for options in ({}, {"rtol": torch.tensor(0.3)}, {"atol": torch.tensor(0.5)}):
        case(lambda x, o=options: aten.linalg_pinv(x, **o), f(5, 3))
    case(lambda x: aten.linalg_pinv(x, hermitian=True), definite(2, 4))
    for m, n in ((6, 3), (3, 5)):
        for driver in ("gelsy", "gelsd", "gels"):
            case(lambda a, b, d=driver: aten.linalg_lstsq(a, b, driver=d)[0], f(2, m, n), f(2, m, 2))
    case(lambda a, b: aten.linalg_lstsq(a, b, driver="gelsd"), f(6, 3), f(6, 2))
    case(lambda a, b: aten.linalg_lstsq(a, b)[0], f(2, 6, 3), f(2, 6))


@group
def exponentials_of_matrices(case):
    for dims in ((1, 1), (3, 3), (3, 5, 5)):
        for scale in (1e-3, 0.3, 2.0):
            case(aten.linalg_matrix_exp.default, f(*dims) * scale)
    turn = f(6, 6).double()
    case(aten.linalg_matrix_exp.default, 30 * (turn - turn.mT))
    case(aten.linalg_matrix_exp.default, torch.stack([10 * (turn - turn.mT), 0.01 * turn, torch.zeros(6, 6).double()]))
    # it ends
    case(lambda x: aten.linalg_matrix_exp(x)[1].isfinite().any(),
         torch.tensor([[float("inf"), 0.0], [0.0, float("nan")]]))


@group
def reflections(case):
    for dims in ((5, 3), (3, 5), (2, 4, 4)):
        case(aten.geqrf.default, f(*dims))
    for dims in ((5, 3), (2, 4, 4)):
        packed, taus = torch.geqrf(f(*dims))
        n = dims[-2]
        for left in (True, False):
            for transpose in (True, False):
                case(lambda x, t, b, s=left, u=transpose: aten.ormqr(x, t, b, s, u), packed, taus,
                     f(*dims[:-2], n, 2) if left else f(*dims[:-2], 2, n))

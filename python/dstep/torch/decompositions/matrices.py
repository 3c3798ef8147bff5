"""Linear algebra in terms of factorisations, as functions that read no value of a tensor.

PyTorch's own functions ask whether LAPACK succeeded, which a trace does not (known.py): for a singular matrix the
results are infinite or NaN. Singular values and least squares follow torch.linalg's documentation, with its thresholds
for zero.
"""
import math

import torch

from ...base.errors import FrontendError

aten = torch.ops.aten


class _WithSlope(torch.autograd.Function):
    """A value of a matrix, and its gradient, which may be infinite where the value is. To differentiate the gradient
    again, it is `formula` of the matrix, which does not exist for a singular one."""

    @staticmethod
    def forward(ctx, a, value, slope, formula):
        ctx.save_for_backward(a, slope)
        ctx.formula = formula
        return value.clone()

    @staticmethod
    def backward(ctx, gradient):
        a, slope = ctx.saved_tensors
        return gradient[..., None, None] * (ctx.formula(a) if torch.is_grad_enabled() else slope), None, None, None


def _inverse_of_factors(a):
    """Returns the transposed inverse from the factors that _linalg_slogdet uses: those of the transpose if the matrix
    is row-major. With other factors, a determinant of pure rounding error would not cancel against its own inverse."""
    return torch.linalg.inv_ex(a.mT)[0] if a.is_contiguous() else torch.linalg.inv_ex(a)[0].mT


def slogdet(random, a):
    """The gradient of the logarithm is the transposed inverse."""
    with torch.no_grad():
        sign, value = aten._linalg_slogdet(a)[:2]
        slope = _inverse_of_factors(a)
    return torch.return_types.linalg_slogdet((sign, _WithSlope.apply(a, value, slope, _inverse_of_factors)))


def _cofactors(a):
    """For U S V, returns det(U V) U (the products of all other singular values) V, for a matrix of any rank."""
    u, s, v = torch.linalg.svd(a)
    own = torch.eye(s.shape[-1], dtype=torch.bool)
    others = torch.where(own, torch.ones((), dtype=s.dtype), s.unsqueeze(-2)).prod(-1)
    return aten._linalg_slogdet(u @ v)[0][..., None, None] * (u * others.unsqueeze(-2)) @ v


def det(random, a):
    """The gradient is the matrix of cofactors: det times the transposed inverse; if that is not finite, from the
    singular values. There, regular matrices are replaced by the identity, which costs no iterations."""
    with torch.no_grad():
        sign, _, factors, _ = aten._linalg_slogdet(a)
        found = sign * factors.diagonal(0, -2, -1).abs().prod(-1)
        slope = found[..., None, None] * _inverse_of_factors(a)
        regular = ((found != 0) & slope.isfinite().all(-1).all(-1))[..., None, None]
        slope = torch.where(regular, slope, _cofactors(torch.where(regular, torch.eye(a.shape[-1], dtype=a.dtype), a)))
    return _WithSlope.apply(a, found, slope, lambda a: det(random, a)[..., None, None] * _inverse_of_factors(a))


def logdet(random, a):
    sign, value = slogdet(random, a)
    return torch.where(sign < 0, torch.full((), math.nan, dtype=value.dtype), value)


def cov(random, x, *, correction=1, fweights=None, aweights=None):
    """Returns the covariance of rows that are variables; columns are samples."""
    x = x.reshape(1, -1) if x.dim() < 2 else x
    weights = torch.ones(x.shape[1], dtype=x.dtype)
    for given in (fweights, aweights):
        weights = weights if given is None else weights * given
    total = weights.sum()
    beside = x - ((x * weights).sum(1) / total).unsqueeze(1)
    # As numpy.cov: importance weights do not count as samples.
    freedom = total - correction * (1 if aweights is None else (weights * aweights).sum() / total)
    found = beside * weights @ beside.mT / freedom.clamp(min=0)
    return found.squeeze() if len(x) == 1 else found


def corrcoef(random, x):
    products = cov(random, x)
    if not products.dim():
        return products / products
    size = products.diagonal().sqrt()
    return (products / size.unsqueeze(1) / size.unsqueeze(0)).clamp(-1, 1)


def no_schur(name):
    def refuse(random, *arguments, **options):
        raise FrontendError(f"torch.linalg.{name} has no form that ds knows: the eigenvalues of a general matrix take a factorisation of Schur; "
                            "those of a symmetric one are torch.linalg.eigh")
    return refuse


# Functions in the form that the step calls; the first argument is the step's source of random numbers.
FUNCTIONS = {
    torch.linalg.slogdet: slogdet, torch.slogdet: slogdet, torch.Tensor.slogdet: slogdet, torch.linalg.det: det, torch.det: det, torch.Tensor.det: det,
    torch.logdet: logdet, torch.Tensor.logdet: logdet, torch.cov: cov, torch.Tensor.cov: cov,
    torch.corrcoef: corrcoef, torch.Tensor.corrcoef: corrcoef,
    torch.linalg.eig: no_schur("eig"), torch.linalg.eigvals: no_schur("eigvals"),
}


# Operations of ATen.
def _limits(a, atol, rtol):
    """Returns the absolute and the relative threshold for zero. By default the relative one is the rounding error of
    the largest value."""
    usual = max(a.shape[-2:]) * torch.finfo(a.dtype).eps
    absolute = torch.zeros((), dtype=a.dtype) if atol is None else atol
    relative = torch.where(absolute > 0, 0.0, usual).to(a.dtype) if rtol is None else rtol
    return absolute.unsqueeze(-1), relative.unsqueeze(-1)


def _inverses(sizes, values, absolute, relative):
    """Returns 1 / values, or zero where the size is below the threshold."""
    kept = sizes > torch.maximum(absolute, relative * sizes.amax(-1, keepdim=True))
    return torch.where(kept, 1 / torch.where(kept, values, torch.ones((), dtype=values.dtype)), torch.zeros((), dtype=values.dtype)), kept


def pinv(a, *, atol=None, rtol=None, hermitian=False):
    limits = _limits(a, atol, rtol)
    if hermitian:
        values, vectors = torch.linalg.eigh(a)
        return (vectors * _inverses(values.abs(), values, *limits)[0].unsqueeze(-2)) @ vectors.mT
    u, s, vt = torch.linalg.svd(a, full_matrices=False)
    return (vt.mT * _inverses(s, s, *limits)[0].unsqueeze(-2)) @ u.mT


def lstsq(a, b, rcond=None, *, driver=None):
    vector = b.dim() == 1 or b.dim() == a.dim() - 1 and b.shape == a.shape[:-1]
    given = b.unsqueeze(-1) if vector else b
    u, s, vt = torch.linalg.svd(a, full_matrices=False)
    inverses, kept = _inverses(s, s, *_limits(a, None, None if rcond is None else torch.full((), rcond, dtype=a.dtype)))
    found = vt.mT @ (inverses.unsqueeze(-1) * (u.mT @ given))
    m, n = a.shape[-2:]
    rest = (a @ found - given).square().sum(-2) if m > n and driver != "gelsy" else a.new_zeros(0)
    rank = kept.sum(-1) if driver != "gels" else torch.zeros(0, dtype=torch.int64)
    return found.squeeze(-1) if vector else found, rest, rank, s if driver in ("gelsd", "gelss") else a.new_zeros(0)


def cholesky_inverse(factor, upper=False):
    unit = torch.eye(factor.shape[-1], dtype=factor.dtype).expand(factor.shape)
    half = torch.linalg.solve_triangular(factor.mT if upper else factor, unit, upper=False)
    return half.mT @ half


def cholesky_solve(b, factor, upper=False):
    lower = factor.mT if upper else factor
    return torch.linalg.solve_triangular(lower.mT, torch.linalg.solve_triangular(lower, b, upper=False), upper=True)


OPERATIONS = {aten.linalg_pinv.atol_rtol_tensor: pinv, aten.linalg_lstsq.default: lstsq, aten.cholesky_inverse.default: cholesky_inverse,
              aten.cholesky_solve.default: cholesky_solve}

"""QR by Householder reflections, in the packed form of LAPACK (geqrf, orgqr)."""
from ..ir.expressions import counted, loop, where
from ..ir.matrices import identity, picked, positions


def householder(a):
    """Returns (packed, taus): R on and above the diagonal, and below it the vectors v of the reflections I - tau v v^T,
    whose first element is 1."""
    count = min(a.shape[-2:])
    rows, columns = positions(a)
    places = counted([1, count], 1)

    def column(j, a, taus):
        x = picked(a, columns == j, -1)
        below = where(rows > j, x, x.like(0))
        alpha = picked(x, rows == j, -2)
        # Scaled, so that squares neither overflow nor underflow.
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
    return a, taus.reshape([*a.shape[:-2], count])


def orthogonal(a, taus):
    """Returns the first columns of the product of the reflections in a, as many as a has."""
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
    return loop(count, reflect, identity(a))[0]

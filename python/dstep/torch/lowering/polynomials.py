"""Orthogonal polynomials by their recurrences, p[k + 1] = (a p[k] - b p[k - 1]) / c, from p[0] = 1 and p[1] (DLMF 18.9).

A degree that is a number takes that many products; degrees per element take as many rounds as the greatest one, and an
element that has reached its own degree keeps its value. PyTorch has no gradients of these functions.
"""
import torch

from ...frontend.ir.expressions import Array, loop, repeat, where
from .elementwise import together
from .emit import is_value, lowers, result_of
from .special import floor, is_double

aten = torch.ops.aten
UNROLLED = 16


def chebyshev(first):
    return first, lambda x, k: (x * 2, 1.0, 1.0)


# Name: p[1], and (a, b, c) of the degree k.
KINDS = {
    "chebyshev_polynomial_t": chebyshev(lambda x: x), "chebyshev_polynomial_u": chebyshev(lambda x: x * 2),
    "chebyshev_polynomial_v": chebyshev(lambda x: x * 2 - 1), "chebyshev_polynomial_w": chebyshev(lambda x: x * 2 + 1),
    "hermite_polynomial_h": (lambda x: x * 2, lambda x, k: (x * 2, k * 2, 1.0)), "hermite_polynomial_he": (lambda x: x, lambda x, k: (x, k, 1.0)),
    "laguerre_polynomial_l": (lambda x: 1 - x, lambda x, k: (k * 2 + 1 - x, k, k + 1)),
    "legendre_polynomial_p": (lambda x: x, lambda x, k: (x * (k * 2 + 1), k, k + 1)),
}


def next_one(step, x, k, now, before):
    a, b, c = step(x, k)
    found = a * now - b * before
    return found if isinstance(c, float) and c == 1 else found / c


def of_number(first, step, x, n):
    """Returns degree n of all elements."""
    if n < 1:
        return x.like(0 if n < 0 else 1)
    if n <= UNROLLED:
        now, before = first(x), x.like(1)
        for k in range(1, n):
            now, before = next_one(step, x, float(k), now, before), now
        return now

    def body(j, k, now, before):
        return [k + 1, next_one(step, x, k, now, before), now]
    return loop(n - 1, body, x.like(1, []), first(x), x.like(1))[1]


def of_each(first, step, x, n):
    """Returns a degree for each element, rounded down to an integer."""
    n = where(n < 0, -1.0, floor(n))

    def body(k, now, before):
        going = k < n
        return [k + 1, where(going, next_one(step, x, k, now, before), now), where(going, now, before)]
    found = repeat(lambda k, now, before: (k < n).any(), body, [x.like(1, []), first(x), x.like(1)])[1]
    return where(n < 0, 0.0, where(n == 0, 1.0, found))


def recurrence(name, shifted):
    first, step = KINDS[name]

    def rule(node, x, n):
        dims, of = result_of(node)
        given = Array(together(dims, of, x)[0])
        argument = given * 2 - 1 if shifted else given
        # Beyond these degrees PyTorch returns NaN, as the values overflow.
        most = (512 if is_double(given) else 128) if name.startswith("hermite") else None
        if not is_value(n):
            return (given.like(float("nan")) if most and n > most else of_number(first, step, argument, int(n))).value
        degrees = Array(together(dims, of, n)[0])
        degrees = where(degrees.abs() < float("inf"), degrees, -1.0)
        if not most:
            return of_each(first, step, argument, degrees).value
        return where(degrees > most, given.like(float("nan")), of_each(first, step, argument, degrees.minimum(most))).value
    operation = getattr(aten, f"special_{'shifted_' if shifted else ''}{name}")
    lowers(*(getattr(operation, overload) for overload in ("default", "x_scalar", "n_scalar")))(rule)


for _name in KINDS:
    recurrence(_name, False)
    if _name.startswith("chebyshev"):
        recurrence(_name, True)

"""The regularised incomplete gamma functions P (igamma) and Q (igammac).

Up to x = 1, each has a series without cancellation; above 1, P has a series for x below a and Q a continued fraction
for x above a, and the other function is the rest to 1. Both run until no element changes, after a multiple of sqrt(a)
terms. (DLMF 8.7.1, 8.7.3 and 8.9.2; the fraction by Lentz's method.) Their common factor, x^a exp(-x) / Gamma(a + 1),
is a difference of large numbers for a large a; Stirling's series cancels these.
"""
import math

import torch
from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from ...frontend.ir.expressions import Array, repeat, where
from .special import exp, is_double, log, polynomial, special

aten = torch.ops.aten
LONGEST = 20000  # terms: enough for a of some millions
# Coefficients of log(Gamma(a)) - (a - 1/2) log(a) + a - log(2 pi) / 2 in 1 / a, without its even powers (DLMF 5.11.1).
STIRLING = (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)


def log_gamma_beside_1(a):
    """Returns log(Gamma(1 + a)), by its Taylor series where 1 + a would lose digits of a."""
    terms = [0.0, -0.5772156649015329]
    terms += [(-1) ** k / k * float(torch.special.zeta(torch.tensor(float(k), dtype=torch.float64), 1))
              for k in range(2, 26)]
    return where(a < 0.25, polynomial(a, terms[::-1]), Array(chlo.lgamma((a + 1).value)))


def scale(a, x):
    """Returns x^a exp(-x) / Gamma(a + 1)."""
    small = exp(a * log(x) - x - log_gamma_beside_1(a))
    # exp(-a (d - log1p(d))) with d = x / a - 1; r = d / (2 + d) gives a series without cancellation for a small d.
    d = (x - a) / a
    r = d / (d + 2)
    z = r * r
    apart = where(d.abs() < 0.3, d * r - 2 * r * z * polynomial(z, [1 / k for k in range(23, 2, -2)]),
                  d - Array(hlo.log_plus_one(d.value)))
    inverse = 1.0 / a
    large = exp(-(a * apart) - inverse * polynomial(inverse * inverse, STIRLING)) / (a * (2 * math.pi)).sqrt()
    return where(a < 10, small, large)


def both_near(a, x):
    """Returns (P, Q) for x up to 1."""
    rest, term = x.like(0), x.like(1)
    for n in range(1, 20):
        term = term * x * (-1 / n)
        rest = rest + term / (a + n)
    power = a * log(x) - log_gamma_beside_1(a)
    rest = exp(power) * a * rest
    return exp(power) + rest, -Array(hlo.exponential_minus_one(power.value)) - rest


def epsilon(x):
    return 2.0**-53 if is_double(x) else 2.0**-24


def counter(x):
    return x.like(1, [])


def lower_series(a, x, taken):
    """Returns the sum of x^n / ((a + 1) .. (a + n)) for the elements in `taken`."""
    x = where(taken, x, 0.0)

    def body(n, term, total):
        term = term * (x / (a + n))
        return [n + 1, term, total + term]
    one = x.like(1)
    return repeat(lambda n, term, total: (term > total * epsilon(x)).any() & (n < LONGEST), body,
                  [counter(x), one, one])[2]


def upper_fraction(a, x, taken):
    """Returns Gamma(a, x) exp(x) / x^a for the elements in `taken`, with x above a; others compute that of a = 1 and x
    = 2."""
    a, x = where(taken, a, 1.0), where(taken, x, 2.0)
    tiny = 1e-30
    held = lambda v: where(v.abs() < tiny, tiny, v)
    start = 1.0 / held(x + 1 - a)

    def body(n, c, d, found, change):
        numerator = n * (a - n)
        b = x + 1 - a + n * 2
        d = 1.0 / held(numerator * d + b)
        c = held(b + numerator / c)
        change = c * d
        return [n + 1, c, d, found * change, change]
    going = lambda n, c, d, found, change: ((change - 1).abs() > 2 * epsilon(x)).any() & (n < LONGEST)
    return repeat(going, body, [counter(x), x.like(1 / tiny), start, start, x.like(2)])[3]


def incomplete(upper):
    def function(a, x):
        valid = (a > 0) & (x > 0) & (a < math.inf) & (x < math.inf)
        near = x <= 1
        below = x < a
        held_a, held_x = where(valid, a, 1.0), where(valid, x, 1.0)
        p_near, q_near = both_near(held_a, where(near, held_x, 1.0))
        factor = scale(held_a, held_x)
        p = factor * lower_series(held_a, held_x, valid & ~near & below)
        q = factor * held_a * upper_fraction(held_a, held_x, valid & ~near & ~below)
        found = where(near, q_near, where(below, 1 - p, q)) if upper else where(near, p_near, where(below, p, 1 - q))
        # At the edges: the whole mass is above x = 0, and below infinity; a = 0 has it at 0, an infinite a at infinity.
        none, all_of_it = (x.like(v) for v in ((1, 0) if upper else (0, 1)))
        edge = where((x == math.inf) | (a == 0), all_of_it, none)
        bad = (a < 0) | (x < 0) | (a != a) | (x != x) | ((a == 0) & (x == 0)) | ((a == math.inf) & (x == math.inf))
        return where(bad, x.like(math.nan), where(valid, found, edge))
    return function


special(incomplete(False), aten.igamma.default)
special(incomplete(True), aten.igammac.default)

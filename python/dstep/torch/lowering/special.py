"""Bessel's and Airy's functions, the scaled erfc, the quantiles of the normal distribution, and Hurwitz's zeta.

Each is computed by a few polynomials (cephes.py); every element selects the one of its interval and ignores the others.
Gradients are PyTorch's own formulas in terms of these functions. 16-bit inputs are computed in float32.
"""
import math

import torch
from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from ...frontend.ir.expressions import Array, where
from . import cephes
from .elementwise import together
from .emit import convert, lowers, result_of

aten = torch.ops.aten
ROOT_2_PI = math.sqrt(2 / math.pi)


def of_array(function):
    return lambda x: Array(function(x.value))


exp, log, sin, cos, floor = map(of_array, (hlo.exponential, hlo.log, hlo.sine, hlo.cosine, hlo.floor))


def is_double(x):
    return str(x.element) == "f64"


def polynomial(x, table):
    total = x.like(table[0])
    for coefficient in table[1:]:
        total = total * x + coefficient
    return total


def ratio(x, above, below):
    return polynomial(x, above) / polynomial(x, below)


def chebyshev(x, table):
    """Clenshaw's recurrence for a series in x / 2, with half of its constant term; omits terms too small for
    float32."""
    least = 0 if is_double(x) else 1e-9 * max(map(abs, table))
    table = table[next(k for k, coefficient in enumerate(table) if abs(coefficient) > least):]
    now = before = last = x.like(0)
    for coefficient in table:
        now, before, last = x * now - before + coefficient, now, before
    return (now - last) * 0.5


def bessel_far(x, order, first, second):
    """Returns sqrt(2 / (pi x)) (P first(t) + Q second(t)) for x above 5; t is its distance from (order / 2 + 1 / 4)
    pi."""
    z = 25.0 / (x * x)
    tables = [getattr(cephes, f"{name}_{order}") for name in ("PP", "PQ", "QP", "QQ")]
    t = x - (order / 2 + 0.25) * math.pi
    return (ratio(z, *tables[:2]) * first(t) + 5.0 / x * ratio(z, *tables[2:]) * second(t)) * ROOT_2_PI / x.sqrt()


def j0(x):
    x = x.abs()
    z = x * x
    near = (z - 5.78318596294678452118) * (z - 30.4712623436620863991) * ratio(z, cephes.RP_0, cephes.RQ_0)
    return where(x <= 5, where(x < 1e-5, 1 - z * 0.25, near), bessel_far(x, 0, cos, lambda t: -sin(t)))


def j1(x):
    size = x.abs()
    z = x * x
    near = x * (z - 14.6819706421238932572) * (z - 49.2184563216946036703) * ratio(z, cephes.RP_1, cephes.RQ_1)
    far = bessel_far(size, 1, cos, lambda t: -sin(t))
    return where(size <= 5, near, where(x < 0, -far, far))


def y0(x):
    near = ratio(x * x, cephes.YP_0, cephes.YQ_0) + 2 / math.pi * log(x) * j0(x)
    return of_positive(x, where(x <= 5, near, bessel_far(x, 0, sin, cos)), -math.inf)


def y1(x):
    near = x * ratio(x * x, cephes.YP_1, cephes.YQ_1) + 2 / math.pi * (j1(x) * log(x) - 1.0 / x)
    return of_positive(x, where(x <= 5, near, bessel_far(x, 1, sin, cos)), -math.inf)


def of_positive(x, found, at_zero):
    """Returns a function of positive numbers, with its value at 0, and NaN below."""
    return where(x > 0, found, where(x == 0, x.like(at_zero), x.like(math.nan)))


def i0e(x):
    x = x.abs()
    return where(x <= 8, chebyshev(x * 0.5 - 2, cephes.I0_LOW), chebyshev(32.0 / x - 2, cephes.I0_HIGH) / x.sqrt())


def i1e(x):
    size = x.abs()
    found = where(size <= 8, size * chebyshev(size * 0.5 - 2, cephes.I1_LOW), chebyshev(32.0 / size - 2, cephes.I1_HIGH) / size.sqrt())
    return where(x < 0, -found, found)


def grown(x, scaled):
    """Returns exp(|x|) times a function that was scaled by its inverse."""
    return exp(x.abs()) * scaled


def i0(x):
    return grown(x, i0e(x))


def i1(x):
    return grown(x, i1e(x))


def k0_near(x):
    return chebyshev(x * x - 2, cephes.K0_LOW) - log(x * 0.5) * i0(x)


def k1_near(x):
    return chebyshev(x * x - 2, cephes.K1_LOW) / x + log(x * 0.5) * i1(x)


def second_kind(near, table, scaled):
    def function(x):
        far = chebyshev(8.0 / x - 2, table) / x.sqrt()
        found = where(x <= 2, near(x) * exp(x), far) if scaled else where(x <= 2, near(x), exp(-x) * far)
        return of_positive(x, found, math.inf)
    return function


def spherical_j0(x):
    return where(x == 0, 1.0, where(x.abs() == math.inf, 0.0, sin(x) / x))


def airy_ai(x):
    """NaN at infinity, as in PyTorch."""
    size = x.abs()
    zeta = 2 / 3 * size * size.sqrt()
    inverse = 1.0 / zeta
    scale = 1 / math.sqrt(math.pi) / size.sqrt().sqrt()
    decayed = scale * 0.5 * exp(-zeta) * ratio(inverse, cephes.AIRY_N, cephes.AIRY_D)
    z, t = inverse * inverse, zeta + math.pi / 4
    turned = scale * (sin(t) * (1 + z * ratio(z, cephes.AIRY_FN, cephes.AIRY_FD)) - cos(t) * (inverse * ratio(z, cephes.AIRY_GN, cephes.AIRY_GD)))
    # Maclaurin's series: every third power, from the constant and from x.
    series = [[1.0], [1.0]]
    for k in range(1, 19):
        for first, terms in enumerate(series):
            terms.append(terms[-1] / ((3 * k + first) * (3 * k + first - 1)))
    even, odd = (polynomial(x * x * x, terms[::-1]) for terms in series)
    near = 0.355028053887817239260 * even - 0.258819403792806798405 * x * odd
    found = where(x < -2.09, turned, where(x < 2.09, near, decayed))
    return where(size == math.inf, x.like(math.nan), found)


def erfcx(x):
    size = x.abs()
    u = 1 - 7.5 / (size + 3.75)  # equals (size - 3.75) / (size + 3.75), also at infinity
    positive = chebyshev(u * 2, cephes.SCALED_ERFC) / (size * 2 + 1)
    return where(x < 0, 2 * exp(x * x) - positive, positive)


def ndtri(p):
    """A rational function in the middle, and one of sqrt(-2 log p) for the lower tail, which is mirrored for the upper
    one."""
    upper = p > 1 - math.exp(-2)
    y = where(upper, 1 - p, p)
    centre = y - 0.5
    z = centre * centre
    middle = (centre + centre * (z * ratio(z, cephes.NORMAL_P0, cephes.NORMAL_Q0))) * math.sqrt(2 * math.pi)
    x = (log(y) * -2).sqrt()
    inverse = 1.0 / x
    beside = inverse * where(x < 8, ratio(inverse, cephes.NORMAL_P1, cephes.NORMAL_Q1), ratio(inverse, cephes.NORMAL_P2, cephes.NORMAL_Q2))
    tail = x - log(x) * inverse - beside
    found = where(y > math.exp(-2), middle, where(upper, tail, -tail))
    return where(p == 0, p.like(-math.inf), where(p == 1, p.like(math.inf), where((p > 0) & (p < 1), found, p.like(math.nan))))


def zeta(s, q):
    """For q = 0, -1, -2, .. one term is infinite."""
    pole = (s > 1) & (q <= 0) & (q == floor(q))
    return where(pole, math.inf, Array(chlo.zeta(s.value, q.value)))


def special(function, *operations):
    @lowers(*operations)
    def rule(node, *arguments):
        dims, of = result_of(node)
        wide = torch.float32 if of.itemsize == 2 else of
        return convert(function(*(Array(v) for v in together(dims, wide, *arguments))).value, of)


for _function, *_names in (
        (j0, "special_bessel_j0"), (j1, "special_bessel_j1"), (y0, "special_bessel_y0"), (y1, "special_bessel_y1"),
        (i0, "i0", "special_modified_bessel_i0"), (i1, "special_i1", "special_modified_bessel_i1"), (i0e, "special_i0e"), (i1e, "special_i1e"),
        (second_kind(k0_near, cephes.K0_HIGH, False), "special_modified_bessel_k0"), (second_kind(k1_near, cephes.K1_HIGH, False), "special_modified_bessel_k1"),
        (second_kind(k0_near, cephes.K0_HIGH, True), "special_scaled_modified_bessel_k0"),
        (second_kind(k1_near, cephes.K1_HIGH, True), "special_scaled_modified_bessel_k1"),
        (spherical_j0, "special_spherical_bessel_j0"), (airy_ai, "special_airy_ai"), (erfcx, "special_erfcx"), (ndtri, "special_ndtri")):
    special(_function, *(getattr(aten, name).default for name in _names))
special(zeta, *(getattr(aten.special_zeta, name) for name in ("default", "self_scalar", "other_scalar")))

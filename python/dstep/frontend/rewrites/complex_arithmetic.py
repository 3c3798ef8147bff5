"""Arithmetic of complex numbers as pairs (real, imaginary) of arrays; the imaginary part is None if it is known to be
0."""
from jaxlib.mlir.dialects import stablehlo as hlo

from ..ir.expressions import Array, where


def times(a, b):
    return None if a is None or b is None else a * b


def plus(a, b):
    return a if b is None else b if a is None else a + b


def minus(a, b):
    return a if b is None else -b if a is None else a - b


def function(name):
    return lambda a: Array(getattr(hlo, name)(a.value))


exponential, sine, cosine, logarithm = function("exponential"), function("sine"), function("cosine"), function("log")


def magnitude(z):
    """Scaled by the larger part, whose square may overflow."""
    re, im = z
    if im is None:
        return re.abs()
    re, im = re.abs(), im.abs()
    most, least = re.maximum(im), re.minimum(im)
    ratio = least / where(most == 0, most.like(1), most)
    return most * (ratio * ratio + 1).sqrt()


def product(a, b):
    return minus(times(a[0], b[0]), times(a[1], b[1])), plus(times(a[0], b[1]), times(a[1], b[0]))


def quotient(a, b):
    """Smith's method: the divisor is divided by its larger part."""
    if b[1] is None:
        return a[0] / b[0], None if a[1] is None else a[1] / b[0]
    wide = b[0].abs() >= b[1].abs()
    more, less = where(wide, b[0], b[1]), where(wide, b[1], b[0])
    ratio = less / more
    under = more + less * ratio
    im = a[0].like(0) if a[1] is None else a[1]
    return (where(wide, a[0] + im * ratio, a[0] * ratio + im) / under,
            where(wide, im - a[0] * ratio, im * ratio - a[0]) / under)


def exponent(z):
    size = exponential(z[0])
    return (size, None) if z[1] is None else (size * cosine(z[1]), size * sine(z[1]))


def log(z):
    re, im = z[0], z[0].like(0) if z[1] is None else z[1]
    return logarithm(magnitude(z)), Array(hlo.atan2(im.value, re.value))


def power(a, b):
    return exponent(product(log(a), b))


def root(z):
    """The root of half the sum of magnitude and |real part|, which does not cancel, gives one part; the other one
    follows."""
    re, im = z[0], z[0].like(0) if z[1] is None else z[1]
    main = ((magnitude((re, im)) + re.abs()) * 0.5).sqrt()
    other = im / (2 * where(main == 0, main.like(1), main))
    sign = where(im < 0, im.like(-1), im.like(1))
    return where(re >= 0, main, other.abs()), where(re >= 0, other, sign * main)


def sign(z):
    size = magnitude(z)
    size = where(size == 0, size.like(1), size)
    return z[0] / size, None if z[1] is None else z[1] / size


def cosine_and_sine(z):
    re, im = z[0], z[0].like(0) if z[1] is None else z[1]
    up, down = exponential(im), exponential(-im)
    wide, narrow = (up + down) * 0.5, (up - down) * 0.5
    return (cosine(re) * wide, -(sine(re) * narrow)), (sine(re) * wide, cosine(re) * narrow)


def hyperbolic_tangent(z):
    """Returns 1 - 2 / (exp(2 z) + 1)."""
    grown = exponent((2 * z[0], None if z[1] is None else 2 * z[1]))
    one = z[0].like(1)
    re, im = quotient((2 * one, None), (grown[0] + 1, grown[1]))
    return 1 - re, None if im is None else -im


FUNCTIONS = {"multiply": product, "divide": quotient, "exponential": exponent, "log": log, "power": power, "sqrt": root,
             "sign": sign,
             "cosine": lambda z: cosine_and_sine(z)[0], "sine": lambda z: cosine_and_sine(z)[1],
             "tanh": hyperbolic_tangent}

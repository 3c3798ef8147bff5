"""exp(A) of square matrices: A is halved until its norm is small, a polynomial is evaluated, and the result is squared
as often.

The polynomial is Taylor's of degree 16, in powers of A^4 (Paterson and Stockmeyer 1973): six products. Its truncation
error is below rounding for 1-norms up to 0.78 in f64 (Al-Mohy and Higham 2011, table 3.1) and 2 in f32.
"""
import math

from ..ir.expressions import repeat, where
from ..ir.matrices import identity

HALVINGS = 60  # at most: a norm that is infinite or NaN stays so


def matrix_exponential(a):
    limit = 0.75 if str(a.element) == "f64" else 2.0
    norm = a.abs().sum(-2).max(-1)
    halvings, zero = norm.like(0), norm.like(0, [])

    def halve(k, a, norm, halvings):
        large = norm > limit
        return [k + 1, where(large, 0.5 * a, a), where(large, 0.5 * norm, norm), where(large, halvings + 1, halvings)]

    _, a, _, halvings = repeat(lambda k, a, norm, halvings: (k < HALVINGS) & (norm > limit).any(), halve,
                               [zero, a, norm, halvings])
    second = a @ a
    powers, fourth = [identity(a), a, second, second @ a], second @ second
    term = lambda first: sum(power * (1 / math.factorial(first + i)) for i, power in enumerate(powers))
    result = term(12) + fourth * (1 / math.factorial(16))
    for first in (8, 4, 0):
        result = term(first) + fourth @ result

    def square(k, x):
        return [k + 1, where(halvings > k, x @ x, x)]
    return repeat(lambda k, x: (halvings > k).any(), square, [zero, result])[1]

"""Functions of single elements, with PyTorch's broadcasting and promotion of types."""
import math

import torch
from jaxlib.mlir.dialects import chlo, stablehlo as hlo

from ...frontend.ir.expressions import Array, repeat, where as choice
from .emit import broadcast, compare, convert, dtype, full, is_value, lowers, result_of, select, shape, tensor

aten = torch.ops.aten


def common(*operands):
    """Returns the type in which PyTorch computes with these operands, some of which may be Python's numbers."""
    samples = [torch.empty([1] * len(shape(o)), dtype=dtype(o), device="meta") if is_value(o) else o for o in operands]
    found = samples[0]
    for sample in samples[1:]:
        found = torch.empty((1,) if any(isinstance(s, torch.Tensor) and s.dim() for s in (found, sample)) else (), device="meta",
                            dtype=torch.result_type(found, sample))
    return found.dtype if isinstance(found, torch.Tensor) else torch.get_default_dtype()


def together(dims, of, *operands):
    """Returns the operands as tensors of one shape and type."""
    return [broadcast(convert(o, of), dims) if is_value(o) else full(dims, o, of) for o in operands]


def unary(operation, function):
    @lowers(operation)
    def rule(node, x, **options):
        return function(convert(x, result_of(node)[1]))


def sign(x):
    """Returns the sign, with 0 for NaN as in PyTorch."""
    return select(compare("NE", x, x), number(x, 0), hlo.sign(x)) if dtype(x).is_floating_point else hlo.sign(x)


def sign_away(x):
    return hlo.multiply(hlo.sign(x), hlo.floor(hlo.abs(x)))


def number(x, value):
    return full(shape(x), value, dtype(x))


for _operation, _function in {
        aten.neg: hlo.negate, aten.exp: hlo.exponential, aten.expm1: hlo.exponential_minus_one, aten.log: hlo.log, aten.log1p: hlo.log_plus_one,
        aten.sqrt: hlo.sqrt, aten.rsqrt: hlo.rsqrt, aten.sin: hlo.sine, aten.cos: hlo.cosine, aten.tan: hlo.tan, aten.tanh: hlo.tanh,
        aten.sigmoid: hlo.logistic, aten.floor: hlo.floor, aten.ceil: hlo.ceil, aten.round: hlo.round_nearest_even, aten.sign: sign,
        aten.erf: chlo.erf, aten.erfc: chlo.erfc, aten.erfinv: chlo.erf_inv, aten.trunc: sign_away,
        aten.acos: chlo.acos, aten.asin: chlo.asin, aten.atan: chlo.atan, aten.cosh: chlo.cosh, aten.sinh: chlo.sinh, aten.acosh: chlo.acosh,
        aten.asinh: chlo.asinh, aten.atanh: chlo.atanh, aten.lgamma: chlo.lgamma, aten.digamma: chlo.digamma,
        aten.bitwise_not: hlo.not_, aten.logical_not: hlo.not_, aten._to_copy: lambda x: x,
        aten.relu: lambda x: hlo.maximum(x, number(x, 0)),
        aten.reciprocal: lambda x: hlo.divide(number(x, 1), x),
        aten.log2: lambda x: hlo.multiply(hlo.log(x), number(x, 1 / math.log(2))),
        aten.log10: lambda x: hlo.multiply(hlo.log(x), number(x, 1 / math.log(10))),
        aten.exp2: lambda x: hlo.exponential(hlo.multiply(x, number(x, math.log(2))))}.items():
    unary(_operation.default, _function)


@lowers(aten.abs.default)
def absolute(node, x):
    return hlo.abs(x)


@lowers(aten.isnan.default)
def isnan(node, x):
    return compare("NE", x, x)


@lowers(aten.isinf.default)
def isinf(node, x):
    is_float = dtype(x).is_floating_point
    return compare("EQ", hlo.abs(x), number(x, math.inf)) if is_float else full(shape(x), False, torch.bool)


def is_negative(x):
    """Returns whether the sign is set: -0.0 has one, and so may NaN."""
    if not dtype(x).is_floating_point:
        return compare("LT", x, number(x, 0))
    bits = {torch.float64: torch.int64, torch.float32: torch.int32}.get(dtype(x), torch.int16)
    return compare("LT", hlo.bitcast_convert(tensor(shape(x), bits), x), full(shape(x), 0, bits))


@lowers(aten.signbit.default)
def signbit(node, x):
    return full(shape(x), False, torch.bool) if dtype(x) == torch.bool else is_negative(x)


@lowers(aten.polygamma.default)
def polygamma(node, order, x):
    x = convert(x, result_of(node)[1])
    return chlo.digamma(x) if order == 0 else chlo.polygamma(number(x, order), x)


def binary(function, *operations):
    """Registers a function computed in the type of the result."""
    @lowers(*operations)
    def rule(node, a, b, **options):
        dims, of = result_of(node)
        return function(*together(dims, of, a, b))


def copied_sign(a, b):
    return select(is_negative(b), hlo.negate(hlo.abs(a)), hlo.abs(a))


def hypotenuse(a, b):
    """Scaled by the larger leg, so that squares neither overflow nor underflow."""
    a, b = hlo.abs(a), hlo.abs(b)
    long, short = hlo.maximum(a, b), hlo.minimum(a, b)
    ratio = select(compare("EQ", long, short), number(a, 1), hlo.divide(short, long))  # also for 0 / 0 and inf / inf
    found = hlo.multiply(long, hlo.sqrt(hlo.add(hlo.multiply(ratio, ratio), number(a, 1))))
    return select(compare("EQ", long, number(a, math.inf)), long, found)


def remainder(a, b):
    """Returns the remainder with the sign of the dividend, and where it is nonzero with another sign than the
    divisor."""
    rest, zero = hlo.remainder(a, b), number(a, 0)
    return rest, hlo.and_(compare("NE", rest, zero), hlo.xor(compare("LT", rest, zero), compare("LT", b, zero)))


def modulo(a, b):
    """Returns the remainder with the sign of the divisor."""
    rest, is_other = remainder(a, b)
    return select(is_other, hlo.add(rest, b), rest)


for _function, *_operations in (
        (hlo.multiply, aten.mul.Tensor, aten.mul.Scalar), (hlo.maximum, aten.maximum.default), (hlo.minimum, aten.minimum.default),
        (hlo.remainder, aten.fmod.Tensor, aten.fmod.Scalar), (modulo, aten.remainder.Tensor, aten.remainder.Scalar), (hlo.atan2, aten.atan2.default),
        (copied_sign, aten.copysign.Tensor, aten.copysign.Scalar), (hypotenuse, aten.hypot.default),
        (lambda a, b: hlo.multiply(a, hlo.power(number(b, 2), b)), aten.ldexp.Tensor),
        (hlo.and_, aten.logical_and.default), (hlo.or_, aten.logical_or.default), (hlo.xor, aten.logical_xor.default),
        (hlo.and_, aten.bitwise_and.Tensor, aten.bitwise_and.Scalar), (hlo.or_, aten.bitwise_or.Tensor, aten.bitwise_or.Scalar),
        (hlo.xor, aten.bitwise_xor.Tensor, aten.bitwise_xor.Scalar),
        (hlo.shift_left, aten.bitwise_left_shift.Tensor, aten.bitwise_left_shift.Tensor_Scalar, aten.__lshift__.Scalar),
        (hlo.shift_right_arithmetic, aten.bitwise_right_shift.Tensor, aten.bitwise_right_shift.Tensor_Scalar, aten.__rshift__.Scalar)):
    binary(_function, *_operations)


def scaled(function):
    def rule(node, a, b, alpha=1, **options):
        dims, of = result_of(node)
        a, b = together(dims, of, a, b)
        return function(a, b if alpha == 1 else hlo.multiply(b, full(dims, alpha, of)))
    return rule


lowers(aten.add.Tensor, aten.add.Scalar)(scaled(hlo.add))
lowers(aten.sub.Tensor, aten.sub.Scalar)(scaled(hlo.subtract))


def comparison(direction, *operations):
    """Registers a comparison computed in the common type of the operands."""
    @lowers(*operations)
    def rule(node, a, b):
        return compare(direction, *together(result_of(node)[0], common(a, b), a, b))


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    comparison(_name.upper(), getattr(aten, _name).Tensor, getattr(aten, _name).Scalar)


def number_of(extreme):
    """Returns a function for the extreme of two elements that ignores a NaN."""
    def function(a, b):
        if not dtype(a).is_floating_point:
            return extreme(a, b)
        return select(compare("NE", a, a), b, select(compare("NE", b, b), a, extreme(a, b)))
    return function


def magnitude(x):
    """Returns the magnitude of integers, some types of which have no sign."""
    return x if dtype(x) == torch.uint8 else hlo.abs(x)


def common_divisor(a, b):
    """Euclid's algorithm, until every remainder is 0."""
    def body(a, b):
        ended = b == 0
        rest = Array(hlo.remainder(a.value, choice(ended, 1, b).value))
        return [choice(ended, a, b), choice(ended, 0, rest)]
    found = repeat(lambda a, b: (b != 0).any(), body, [Array(magnitude(a)), Array(magnitude(b))])
    return found[0].value


def common_multiple(a, b):
    """0 for a pair of zeros, too."""
    divisor = hlo.maximum(common_divisor(a, b), number(a, 1))
    return magnitude(hlo.multiply(hlo.divide(a, divisor), b))


for _function, _operation in ((number_of(hlo.maximum), aten.fmax), (number_of(hlo.minimum), aten.fmin), (chlo.next_after, aten.nextafter),
                              (common_divisor, aten.gcd), (common_multiple, aten.lcm)):
    binary(_function, _operation.default)


@lowers(aten.round.decimals)
def round_decimals(node, x, decimals=0):
    """Scaled as in PyTorch's kernel: negative decimals divide by a whole power of ten."""
    power = number(x, 10.0 ** abs(decimals))
    there, back = (hlo.multiply, hlo.divide) if decimals >= 0 else (hlo.divide, hlo.multiply)
    return back(hlo.round_nearest_even(there(x, power)), power)


@lowers(aten.frexp.Tensor)
def mantissa_and_exponent(node, x):
    """Reads both from the bits of x, which is scaled first if it is subnormal; a value that is not finite is its own
    mantissa."""
    of = torch.float64 if dtype(x) == torch.float64 else torch.float32
    bits, kept, bias = (torch.int64, 52, 1022) if of == torch.float64 else (torch.int32, 23, 126)
    wide = convert(x, of)
    size = hlo.abs(wide)
    small = compare("LT", size, number(size, torch.finfo(of).tiny))
    scaled_up = hlo.multiply(wide, number(wide, 2.0 ** (kept + 1)))
    held = Array(hlo.bitcast_convert(tensor(shape(x), bits), select(small, scaled_up, wide)))
    field = (2 * bias + 3) << kept
    exponent = Array(hlo.shift_right_arithmetic((held & field).value, held.like(kept).value)) - bias
    exponent = exponent - choice(Array(small), exponent.like(kept + 1), exponent.like(0))
    mantissa = hlo.bitcast_convert(wide.type, ((held & ~held.like(field)) | (bias << kept)).value)
    plain = hlo.and_(compare("LT", size, number(size, math.inf)), compare("NE", size, number(size, 0)))
    return convert(select(plain, mantissa, wide), dtype(x)), convert(select(plain, exponent.value, exponent.like(0).value), torch.int32)


def floor_quotient(a, b):
    """Computed from the exact remainder, since a quotient such as 1 / 0.1 may round up to a whole number that is too
    large."""
    (rest, is_other), zero, one = remainder(a, b), number(a, 0), number(a, 1)
    whole = hlo.divide(hlo.subtract(a, rest), b)
    whole = select(is_other, hlo.subtract(whole, one), whole)
    found = hlo.floor(whole)
    found = select(compare("GT", hlo.subtract(whole, found), number(a, 0.5)), hlo.add(found, one), found)
    found = select(compare("EQ", whole, zero), copied_sign(zero, hlo.divide(a, b)), found)
    return select(compare("EQ", b, zero), hlo.divide(a, b), found)


def floor_divide(a, b):
    if dtype(a).is_floating_point:
        return floor_quotient(a, b)
    return select(remainder(a, b)[1], hlo.subtract(hlo.divide(a, b), number(a, 1)), hlo.divide(a, b))


@lowers(aten.div.Tensor, aten.div.Scalar, aten.div.Tensor_mode, aten.div.Scalar_mode, aten.floor_divide.default)
def divide(node, a, b, rounding_mode=None):
    dims, of = result_of(node)
    a, b = together(dims, of, a, b)
    if rounding_mode == "floor" or node.target is aten.floor_divide.default:
        return floor_divide(a, b)
    quotient = hlo.divide(a, b)
    return sign_away(quotient) if rounding_mode == "trunc" and of.is_floating_point else quotient


@lowers(aten.pow.Tensor_Scalar, aten.pow.Tensor_Tensor, aten.pow.Scalar)
def powers(node, base, exponent):
    """Small integer exponents become products, as in PyTorch's kernel."""
    dims, of = result_of(node)
    if is_value(exponent) or exponent not in (0, 0.5, 1, 2, 3, -0.5, -1, -2):
        return hlo.power(*together(dims, of, base, exponent))
    x = convert(base, of)
    if exponent in (0.5, -0.5):
        return hlo.sqrt(x) if exponent > 0 else hlo.rsqrt(x)
    if exponent == 0:
        return number(x, 1)
    product = x
    for _ in range(int(abs(exponent)) - 1):
        product = hlo.multiply(product, x)
    return product if exponent > 0 else hlo.divide(number(x, 1), product)


@lowers(aten.clamp.default, aten.clamp.Tensor, aten.hardtanh.default)
def clamp(node, x, low=None, high=None):
    dims, of = result_of(node)
    if node.target is aten.hardtanh.default:
        low, high = (-1.0 if low is None else low), (1.0 if high is None else high)
    x, = together(dims, of, x)
    x = x if low is None else hlo.maximum(x, *together(dims, of, low))
    return x if high is None else hlo.minimum(x, *together(dims, of, high))


@lowers(aten.where.self)
def where(node, condition, a, b):
    dims, of = result_of(node)
    return select(broadcast(convert(condition, torch.bool), dims), *together(dims, of, a, b))


@lowers(aten.copy.default, aten.fill.Scalar, aten.fill.Tensor, aten.full_like.default)
def filled(node, x, value, *more, **options):
    return together(*result_of(node), value)[0]


@lowers(aten.gelu.default)
def gelu(node, x, approximate="none"):
    half, one = number(x, 0.5), number(x, 1)
    if approximate == "tanh":
        cubic = hlo.add(x, hlo.multiply(number(x, 0.044715), hlo.multiply(x, hlo.multiply(x, x))))
        grown = hlo.tanh(hlo.multiply(number(x, math.sqrt(2 / math.pi)), cubic))
    else:
        grown = chlo.erf(hlo.multiply(x, number(x, math.sqrt(0.5))))
    return hlo.multiply(hlo.multiply(half, x), hlo.add(one, grown))


@lowers(aten.leaky_relu.default)
def leaky_relu(node, x, slope=0.01):
    return select(compare("GT", x, number(x, 0)), x, hlo.multiply(x, number(x, slope)))


@lowers(aten.elu.default)
def elu(node, x, alpha=1, scale=1, input_scale=1):
    grown = hlo.multiply(number(x, alpha * scale), hlo.exponential_minus_one(hlo.multiply(x, number(x, input_scale))))
    return select(compare("GT", x, number(x, 0)), hlo.multiply(x, number(x, scale)), grown)

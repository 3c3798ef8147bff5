"""Operations of ATen with what they are given, in groups that are one step each: GROUPS[name](case) calls case(operation, *tensors)."""
import itertools

import torch
import torch.nn.functional as F

aten = torch.ops.aten
GROUPS = {}


def group(function):
    GROUPS[function.__name__] = function
    return function


def f(*dims):
    return torch.randn(dims)


def positive(*dims):
    return torch.rand(dims) + 0.1


def i(limit, *dims):
    return torch.randint(-limit, limit, dims)


def with_gradient(case, operation, x, *others):
    """The value and the gradient of the first argument, by PyTorch's formula."""
    def both(x, *others):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = operation(x, *others)
            return y.detach(), torch.autograd.grad(y.sum(), x)[0]
    case(both, x, *others)


@group
def elementwise(case):
    x = f(3, 4)
    for name in ("neg", "exp", "expm1", "sin", "cos", "tan", "tanh", "sigmoid", "floor", "ceil", "round", "sign", "abs", "erf", "erfc", "trunc",
                 "atan", "sinh", "cosh", "asinh", "relu", "reciprocal", "exp2", "isnan", "isinf", "logical_not"):
        case(getattr(aten, name).default, x * 2)
    for name in ("log", "log1p", "sqrt", "rsqrt", "log2", "log10", "lgamma", "digamma"):
        case(getattr(aten, name).default, positive(3, 4) * 3)
    for name in ("acos", "asin", "atanh", "erfinv"):
        case(getattr(aten, name).default, torch.rand(3, 4) * 1.8 - 0.9)
    case(aten.acosh.default, positive(3, 4) + 1)
    case(aten.round.default, torch.tensor([0.5, 1.5, -0.5, -2.5]))
    case(aten.isinf.default, torch.tensor([1.0, -float("inf"), float("nan")]))
    case(aten.isnan.default, torch.tensor([1.0, -float("inf"), float("nan")]))
    case(aten.bitwise_not.default, i(9, 4))
    case(aten.bitwise_not.default, f(4) > 0)
    case(aten.logical_not.default, i(2, 6))
    case(aten.exp.default, i(3, 4))  # an integer becomes a float
    case(lambda x: aten.gelu(x), x)
    case(lambda x: aten.gelu(x, approximate="tanh"), x)
    case(lambda x: aten.leaky_relu(x, 0.2), x)
    case(lambda x: aten.elu(x, 0.7, 1.5, 2.0), x)
    case(lambda x: aten.hardtanh(x, -0.5, 0.7), x)
    case(lambda x: aten.hardtanh(x), x * 2)
    case(lambda x: aten.clamp(x, -0.5, 0.7), x)
    case(lambda x: aten.clamp(x, None, 0.7), x)
    case(lambda x, low: aten.clamp.Tensor(x, low), x, f(4))
    case(lambda x: aten.fill.Scalar(x, 3), x)
    case(lambda x, v: aten.fill.Tensor(x, v), x, torch.tensor(2.5))
    case(lambda x: aten.full_like(x, 7), i(3, 4))
    case(lambda x: aten._to_copy(x, dtype=torch.int64), torch.tensor([1.7, -1.7, 0.2]))
    case(lambda x: aten._to_copy(x, dtype=torch.bool), torch.tensor([0, 3, -1]))
    case(lambda x: aten._to_copy(x, dtype=torch.float64), x)
    case(lambda x: aten._to_copy(x, dtype=torch.float32), x > 0)
    case(lambda x, y: aten.copy(x, y), x, i(9, 4))


@group
def two_operands(case):
    x, y, row, integer = f(3, 4), f(3, 4), f(4), i(9, 3, 4)
    case(aten.add.Tensor, x, row)
    case(lambda a, b: aten.add.Tensor(a, b, alpha=2), x, integer)
    case(lambda a: aten.add.Scalar(a, 1.5), integer)
    case(lambda a, b: aten.sub.Tensor(a, b, alpha=0.5), row, y)
    case(lambda a: aten.sub.Scalar(a, 2), x)
    case(aten.mul.Tensor, x > 0, y > 0)
    case(aten.mul.Tensor, x, torch.tensor(2.0, dtype=torch.float64))  # a scalar does not widen
    case(lambda a: aten.mul.Scalar(a, 3), integer)
    case(aten.maximum.default, x, torch.full((4,), float("nan")))
    case(aten.minimum.default, integer, i(9, 3, 4))
    case(aten.atan2.default, x, y)
    signs = torch.tensor([[0.0, -0.0, 3e38, float("inf")], [-1.0, 1e-38, -3e38, -float("inf")], [2.0, 0.0, 3e38, 1.0]])
    for operation in (aten.hypot.default, aten.copysign.Tensor):
        case(operation, x, y)
        case(operation, signs, signs.flip(1))
    case(lambda x: aten.copysign.Scalar(x, -0.0), signs)
    case(aten.signbit.default, signs)
    case(aten.signbit.default, torch.tensor([-1, 0, 1]))
    case(aten.ldexp.Tensor, x, torch.tensor([-3, 0, 1, 20]))
    for order in (0, 1, 2):
        case(lambda x, n=order: aten.polygamma(n, x), x.abs() + 0.3)
    for left, right in ((x, y), (integer, torch.tensor([2, -3, 4, 5]))):
        case(aten.fmod.Tensor, left, right)
        case(aten.remainder.Tensor, left, right)
        case(aten.div.Tensor, left, right)
        for mode in ("floor", "trunc"):
            case(lambda a, b, mode=mode: aten.div.Tensor_mode(a, b, rounding_mode=mode), left, right)
        case(aten.floor_divide.default, left, right)
    case(lambda a: aten.fmod.Scalar(a, 0.7), x)
    case(lambda a: aten.remainder.Scalar(a, -3), integer)
    case(lambda a: aten.div.Scalar(a, 3), integer)
    case(lambda a: aten.div.Scalar_mode(a, 3, rounding_mode="floor"), integer)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        case(getattr(aten, name).Tensor, integer, i(9, 4))
        case(lambda a, name=name: getattr(aten, name).Scalar(a, 0.5), integer)  # compared as floats
    for name in ("and", "or", "xor"):
        case(getattr(aten, f"bitwise_{name}").Tensor, integer, i(9, 4))
        case(lambda a, name=name: getattr(aten, f"bitwise_{name}").Scalar(a, 5), integer)
        case(getattr(aten, f"logical_{name}").default, integer, x)
    shift = torch.tensor([0, 1, 2, 3])
    case(aten.bitwise_left_shift.Tensor, integer, shift)
    case(aten.bitwise_right_shift.Tensor, integer, shift)
    case(lambda a: aten.bitwise_left_shift.Tensor_Scalar(a, 2), integer)
    case(lambda a: aten.bitwise_right_shift.Tensor_Scalar(a, 2), integer)
    case(lambda a: aten.__lshift__.Scalar(a, 2), integer)
    case(lambda a: aten.__rshift__.Scalar(a, 2), integer)
    for exponent in (0, 0.5, 1, 2, 3, -0.5, -1, -2, 1.7):
        case(lambda a, e=exponent: aten.pow.Tensor_Scalar(a, e), positive(3, 4))
    case(lambda a: aten.pow.Tensor_Scalar(a, 3), x)
    case(lambda a: aten.pow.Tensor_Scalar(a, 2), integer)
    case(aten.pow.Tensor_Tensor, positive(3, 4), row)
    case(lambda a: aten.pow.Scalar(1.5, a), x)
    case(aten.where.self, x > 0, row, i(9, 3, 4))
    case(lambda c, a: aten.where.ScalarOther(c, a, 2.0), x > 0, y)
    case(lambda c, a: aten.where.ScalarSelf(c, 2.0, a), x > 0, y)
    case(lambda c: aten.where.Scalar(c, 2.0, 3.0), x > 0)


@group
def shapes(case):
    x = f(2, 3, 4)
    for operation in (lambda x: aten.view(x, [6, 4]), lambda x: aten.reshape(x, [4, 6]), lambda x: aten._unsafe_view(x, [24]), lambda x: aten.unsqueeze(x, 1),
                      lambda x: aten.expand(x, [5, 2, 3, 4]), lambda x: aten.permute(x, [2, 0, -2]), lambda x: aten.transpose.int(x, 0, -1),
                      lambda x: aten.repeat(x, [2, 1, 3, 1]), lambda x: aten.flip(x, [0, -1]), lambda x: aten.slice.Tensor(x, 2, 1, 4, 2),
                      lambda x: aten.slice.Tensor(x, -1, -3, 9223372036854775807), lambda x: aten.select.int(x, 1, -1),
                      lambda x: aten.split_with_sizes(x, [1, 3], -1), lambda x: aten.unbind.int(x, 1), lambda x: aten.diagonal(x, 1, 1, 2),
                      lambda x: aten.diagonal(x, -1, 2, 0), lambda x: aten.diagonal(x)):
        case(operation, x)
    one = f(1, 3, 1, 2)
    case(lambda x: aten.squeeze.dim(x, 2), one)
    case(lambda x: aten.squeeze.dims(x, [0, 1, -2]), one)
    case(aten.squeeze.default, one)
    case(lambda x: aten.expand(x, [4, 3, 5, -1]), one)
    case(aten.t.default, f(2, 3))
    case(lambda a, b: aten.cat([a, b], -1), f(2, 3), i(9, 2, 4))
    case(lambda a, b: aten.cat([a, b]), f(0), f(2, 3))
    for start, end, step in ((1, 3, 1), (0, 9, 2), (1, 9, 2), (-2, 9, 1), (0, 1, 3)):
        count = len(range(*slice(start, end, step).indices(4)))
        case(lambda x, s, o=(start, end, step): aten.slice_scatter(x, s, 2, *o), x, f(2, 3, count))
        case(lambda s, o=(start, end, step): aten.slice_scatter(aten.full([2, 3, 4], 0.0), s, 2, *o), f(2, 3, count))
    case(lambda x, s: aten.slice_scatter(x, s, 0, 0, 0), x, f(0, 3, 4))
    case(lambda x, s: aten.select_scatter(x, s, 1, -1), x, f(2, 4))
    case(lambda s: aten.select_scatter(aten.full([2, 3, 4], 0.0), s, 1, 1), f(2, 4))
    for padding in ([-1, 2, 1, -2], [-2, -1], [0, -3, -1, 0], [1, 2]):
        case(lambda x, p=padding: aten.constant_pad_nd(x, p, 0.5), f(2, 5, 6))
    case(lambda x: aten.as_strided(x, [2, 3, 1, 1], [3, 1, 3, 3]), f(2, 3, 1, 1))
    case(lambda x: aten.as_strided(x, [3, 2], [1, 3], 1), f(2, 4))
    case(lambda x, s: aten.as_strided_scatter(x, s, [2, 3], [3, 1], 0), f(6), f(2, 3))
    case(lambda x, s: aten.as_strided_scatter(x, s, [3, 2], [5, 2], 1), f(4, 4), f(3, 2))
    case(lambda x: x.clone().fill_diagonal_(0.5), f(4, 6))


@group
def constants(case):
    x, table = f(3), torch.randn(3)
    flags = torch.tensor([[True, False, True], [False, False, True]])
    case(lambda x: (x + aten.arange.start_step(1, 7, 2), x + aten.arange.start_step(0.5, 2.0, 0.5)), x)
    case(lambda x: (x + aten.full([3], 2.5), aten.scalar_tensor(3.0) + x), x)
    case(lambda x: x + aten.ones([2, 3]) + aten.ones_like(x) + aten.new_ones(x, [3]), x)
    case(lambda x: x + aten.zeros([2, 3]) + aten.zeros_like(x) + aten.new_zeros(x, [3]), x)
    # What is not initialised may be NaN: it takes part without being chosen.
    for empty in (lambda x: aten.empty([2, 3]), aten.empty_like, lambda x: aten.new_empty(x, [3]), lambda x: aten.empty_strided([3], [1]),
                  lambda x: aten.new_empty_strided(x, [3], [1])):
        case(lambda x, empty=empty: aten.where.self(flags, x, torch.where(flags, empty(x), -x)), x)
    case(lambda x: x + table, x)
    case(lambda x: x.to(torch.bfloat16) + table.to(torch.bfloat16), x)


@group
def reductions(case):
    x = f(3, 4, 5)
    for operation in (lambda x: aten.sum.dim_IntList(x, [0, -1]), lambda x: aten.sum.dim_IntList(x, None, True), aten.sum.default, aten.prod.default,
                      lambda x: aten.prod.dim_int(x, 1, True), lambda x: aten.mean.dim(x, [1], True), aten.mean.default,
                      lambda x: aten.var.correction(x, [0, 2], correction=1), lambda x: aten.var.correction(x, None, correction=0, keepdim=True),
                      lambda x: aten.amax(x, [1]), lambda x: aten.amin(x, [0, 2], True), aten.max.default, aten.min.default,
                      lambda x: aten.argmax(x, 1), lambda x: aten.argmin(x, -1, True), aten.argmax.default, lambda x: aten.max.dim(x, 1),
                      lambda x: aten.min.dim(x, 0, True), lambda x: aten._softmax(x, -1, False), lambda x: aten._log_softmax(x, 1, False),
                      lambda x: aten.cumsum(x, 1), lambda x: aten.cumsum(x, 0)):
        case(operation, x)
    flags = x > 1
    for operation in (aten.any.default, lambda x: aten.any.dim(x, 1), lambda x: aten.any.dims(x, [0, 2]), aten.all.default,
                      lambda x: aten.all.dim(x, 1, True), lambda x: aten.all.dims(x, [0, 2]), lambda x: aten.sum.dim_IntList(x, [0]), aten.sum.default,
                      lambda x: aten.cumsum(x, -1)):
        case(operation, flags)
    ties = torch.tensor([[1.0, 3.0, 3.0], [2.0, float("nan"), 5.0]])
    case(lambda x: aten.argmax(x, 1), ties)
    case(lambda x: aten.max.dim(x, 1), ties)
    case(lambda x: aten.amax(x, [1]), i(9, 3, 4))
    case(lambda x, w, b: aten.native_layer_norm(x, [4, 5], w, b, 1e-5), x, f(4, 5), f(4, 5))
    case(lambda x: aten.native_layer_norm(x, [5], None, None, 1e-5), x)
    case(lambda x, w, b: aten.native_group_norm(x, w, b, 2, 6, 5, 3, 1e-5), f(2, 6, 5), f(6), f(6))
    for operation in (aten.native_batch_norm.default, ):
        case(lambda x, w, b, operation=operation: operation(x, w, b, None, None, True, 0.1, 1e-5), f(4, 3, 5, 5), f(3), f(3))
    case(lambda x, w: aten._native_batch_norm_legit.no_stats(x, w, None, True, 0.1, 1e-5), f(4, 3, 5), f(3))


@group
def products(case):
    case(aten.mm.default, f(3, 4), f(4, 5))
    case(aten.mv.default, f(3, 4), f(4))
    case(aten.dot.default, f(4), f(4))
    case(aten.bmm.default, f(2, 3, 4), f(2, 4, 5))
    case(lambda c, a, b: aten.addmm(c, a, b, beta=0.5, alpha=2), f(5), f(3, 4), f(4, 5))
    case(lambda c, a, b: aten.addmm(c, a, b, beta=0), f(5), f(3, 4), f(4, 5))
    case(lambda c, a, b: aten.baddbmm(c, a, b), f(2, 3, 5), f(2, 3, 4), f(2, 4, 5))


@group
def convolutions(case):
    """(shape, kernel, stride, padding, dilation, transposed, output padding, groups), and all gradients of each."""
    for shape, kernel, stride, padding, dilation, transposed, more, groups in (
            ((2, 3, 7, 7), (4, 3, 3, 3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1), ((2, 3, 8, 7), (4, 3, 3, 2), [2, 3], [1, 0], [1, 1], False, [0, 0], 1),
            ((2, 3, 9, 9), (4, 3, 3, 3), [2, 1], [2, 1], [2, 2], False, [0, 0], 1), ((2, 4, 7, 7), (8, 2, 3, 3), [2, 2], [1, 1], [1, 1], False, [0, 0], 2),
            ((2, 4, 7, 7), (4, 1, 3, 3), [1, 1], [1, 1], [1, 1], False, [0, 0], 4), ((2, 4, 7, 7), (8, 1, 3, 3), [2, 2], [0, 0], [1, 1], False, [0, 0], 4),
            ((2, 4, 6, 6), (4, 8, 3, 3), [2, 2], [1, 1], [1, 1], True, [0, 0], 1), ((2, 4, 6, 6), (4, 8, 3, 3), [2], [1], [1], True, [1], 1),
            ((2, 4, 6, 6), (4, 2, 3, 3), [2, 2], [1, 1], [1, 1], True, [0, 0], 2), ((2, 4, 9), (8, 4, 3), [2], [1], [1], False, [0], 1),
            ((2, 4, 9), (4, 1, 3), [1], [2], [1], False, [0], 4), ((2, 2, 5, 5, 4), (3, 2, 2, 3, 2), [2, 1, 1], [0, 1, 0], [1, 1, 1], False, [0, 0, 0], 1),
            ((2, 4, 4, 4), (4, 4, 1, 1), [2, 2], [0, 0], [1, 1], False, [0, 0], 1), ((2, 3, 8, 6), (4, 3, 2, 2), [2], [0], [1], False, [0], 1)):
        options = (stride, padding, dilation, transposed, more, groups)
        x, weight = f(*shape), f(*kernel)
        out = aten.convolution(x, weight, None, *options)
        bias = f(out.shape[1])
        case(lambda x, w, b, o=options: aten.convolution(x, w, b, *o), x, weight, bias)
        case(lambda g, x, w, o=options, c=out.shape[1]: aten.convolution_backward(g, x, w, [c], *o, [True, True, True]), f(*out.shape), x, weight)


@group
def pools(case):
    for kernel, stride, padding, dilation, ceil in (([2, 2], [], [0, 0], [1, 1], False), ([3, 3], [2, 2], [1, 1], [1, 1], False),
                                                    ([3, 2], [1, 2], [1, 0], [1, 1], False), ([2, 2], [3, 3], [0, 0], [1, 1], False),
                                                    ([2, 3], [2, 1], [1, 1], [2, 2], False), ([3, 3], [2, 2], [0, 0], [1, 1], True), ([2], [], [0], [1], False)):
        x = f(2, 3, 9, 8)
        options = (kernel, stride, padding, dilation, ceil)
        out, indices = aten.max_pool2d_with_indices(x, *options)
        case(lambda x, o=options: aten.max_pool2d_with_indices(x, *o), x)
        case(lambda x, o=options: aten.max_pool2d_with_indices(x, *o)[0], x)
        case(lambda g, x, n, o=options: aten.max_pool2d_with_indices_backward(g, x, *o, n), f(*out.shape), x, indices)
    case(lambda x: aten.max_pool2d_with_indices(x, [2, 2]), f(3, 6, 6))
    case(lambda x: aten.max_pool3d_with_indices(x, [2, 2, 2])[0], f(2, 3, 4, 4, 4))
    x = f(2, 3, 4, 4, 4)
    out, indices = aten.max_pool3d_with_indices(x, [2, 2, 2])
    case(lambda g, x, n: aten.max_pool3d_with_indices_backward(g, x, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False, n), f(*out.shape), x, indices)
    for options in (([2, 2], [], [0, 0], False, True, None), ([3, 3], [2, 2], [1, 1], False, True, None), ([3, 3], [2, 2], [1, 1], False, False, None),
                    ([3, 2], [2, 2], [1, 0], True, True, None), ([3, 2], [2, 2], [1, 1], True, False, None), ([3, 3], [1, 1], [0, 0], False, True, 5)):
        x = f(2, 3, 8, 7)
        out = aten.avg_pool2d(x, *options)
        case(lambda x, o=options: aten.avg_pool2d(x, *o), x)
        case(lambda g, x, o=options: aten.avg_pool2d_backward(g, x, *o), f(*out.shape), x)
    case(lambda x: aten.avg_pool1d(x, [2], [2]), f(2, 3, 6))
    case(lambda x: aten.avg_pool3d(x, [2, 2, 2], [2, 2, 2]), f(2, 3, 4, 4, 4))
    case(lambda g, x: aten.avg_pool3d_backward(g, x, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None), f(2, 3, 2, 2, 2), f(2, 3, 4, 4, 4))

    def behind_relu(x, g, *window):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = F.max_pool2d(F.relu(x), *window)
            return y.detach(), torch.autograd.grad(y, x, g)[0]

    for x in (f(2, 3, 8, 6), torch.randint(-3, 2, (2, 3, 8, 6)).float(), f(2, 3, 8, 6).masked_fill(torch.rand(2, 3, 8, 6) < 0.3, float("nan"))):
        case(lambda x, g: behind_relu(x, g, 2), x, f(2, 3, 4, 3))
        case(lambda x, g: behind_relu(x, g, 3, 2, 1), x, f(2, 3, 4, 3))


@group
def indexing(case):
    table, x = f(7, 3), f(4, 5, 6)
    case(lambda t, n: aten.embedding(t, n), table, torch.randint(0, 7, (2, 5)))
    case(lambda x, n: aten.index_select(x, 1, n), x, torch.randint(0, 5, (3,)))
    first, second = i(4, 3), i(5, 2, 3)
    for name in ("index", "_unsafe_index"):
        for places, tensors in ((lambda a, b: [a], (first, second)), (lambda a, b: [None, b], (first, second)), (lambda a, b: [a, b], (first, second)),
                                (lambda a, b: [a, None, b], (first, second))):
            case(lambda x, a, b, p=places, name=name: getattr(aten, name).Tensor(x, p(a, b)), x, *tensors)
    case(lambda x, n: aten.index.Tensor(x, [aten.arange.start_step(0, 4), n]), x, i(5, 4))
    case(lambda x, n: aten.index_put(x, [n], aten.scalar_tensor(2.0)), x, torch.tensor([1, 3]))
    case(lambda x, n, v: aten.index_put(x, [None, n], v), x, torch.tensor([1, -2]), f(4, 2, 6))
    case(lambda x, n, v: aten.index_put(x, [n], v, True), x, torch.tensor([1, -1, 1]), f(3, 5, 6))
    case(lambda x, a, b, v: aten._unsafe_index_put(x, [a, None, b], v, True), x, first, i(6, 2, 3), f(2, 3, 5))
    for add in (False, True):
        case(lambda x, n, v, add=add: aten.index_put(x, [aten.arange.start_step(0, 4), n], v, add), x, i(5, 4), f(4, 6))


@group
def sorting(case):
    x = f(3, 8)
    ties = torch.tensor([[2.0, 1.0, 2.0, float("nan"), -1.0, 1.0]])
    for dim, descending in itertools.product((0, -1), (False, True)):
        case(lambda x, d=dim, r=descending: aten.sort(x, d, r), x)
    for descending in (False, True):
        case(lambda x, r=descending: aten.sort.stable(x, stable=True, dim=-1, descending=r), ties)
        case(lambda x, r=descending: aten.topk(x, 3, 1, r), x)
    case(lambda x: aten.sort(x)[0], i(9, 12))
    case(lambda x: aten.topk(x, 2, 0), f(5, 2, 2))


@group
def sorted_and_cumulative(case):
    x = torch.tensor([[2.0, 1.0, 2.0, 3.0, -1.0, 3.0], [0.5, 0.5, -1.0, 0.0, 2.0, 1.0]])
    for dim in (0, 1):
        case(lambda x, d=dim: aten.cumprod(x, d), x)
        case(lambda x, d=dim: aten.cummax(x, d), x)
        case(lambda x, d=dim: aten.cummin(x, d), x)
        case(lambda x, d=dim: aten.logcumsumexp(x, d), x)
        case(lambda x, d=dim: aten.kthvalue(x, 2, d)[0], x)
        case(lambda x, d=dim: aten.median.dim(x, d, True)[0], x)
    case(lambda x: aten.cummax(x, 0), i(9, 7))
    case(lambda x: aten.median(x), torch.tensor([1.0, float("nan"), 2.0]))
    for right in (False, True):
        case(lambda e, v, r=right: aten.searchsorted.Tensor(e, v, right=r), torch.tensor([-1.0, 0.0, 0.0, 2.0]), x)
        case(lambda v, e, r=right: aten.bucketize.Tensor(v, e, right=r), x, torch.tensor([-1.0, 0.0, 2.0]))
    case(lambda x: aten.unfold(x, 1, 3, 2), f(2, 8, 3))
    case(lambda x: aten.triu_indices(3, 4, 1), x)
    case(lambda x: aten.tril_indices(4, 3, -1), x)
    for offset in (0, 1, -2):
        case(lambda x, s, o=offset: aten.diagonal_scatter(x, s, o, 2, 0), f(4, 3, 5), aten.diagonal(f(4, 3, 5), offset, 2, 0).clone())


@group
def scattering(case):
    index, source = torch.randint(0, 4, (5, 3)), f(5, 3)
    for reduce, itself in itertools.product(("sum", "prod", "mean", "amax", "amin"), (True, False)):
        case(lambda x, i, s, r=reduce, k=itself: aten.scatter_reduce(x, 0, i, s, r, include_self=k), f(4, 3), index, source)
        case(lambda x, i, s, r=reduce, k=itself: aten.scatter_reduce(x, 0, i, s, r, include_self=k), torch.arange(12).reshape(4, 3), index, torch.arange(15).reshape(5, 3) - 4)
        if reduce != "sum":
            case(lambda x, i, s, r=reduce, k=itself: aten.index_reduce(x, 1, i, s, r, include_self=k), f(2, 4, 3), index[:, 0], f(2, 5, 3))
    # An index of fewer elements than the tensor has beside the dimension, and a source of more.
    for dim in (0, 1):
        few, wide = torch.randint(0, 3, (2, 2)), f(4, 5)
        case(lambda x, i, s, d=dim: aten.scatter_add(x, d, i, s), f(4, 5), few, wide)
        case(lambda x, i, s, d=dim: aten.scatter_reduce(x, d, i, s, "amax"), f(4, 5), few, wide)
    case(lambda x, i, s: aten.scatter.src(x, 1, i, s), f(4, 5), torch.tensor([[0, 3], [4, 1]]), f(4, 5))
    case(lambda x, i, s: aten.scatter_add(x, 0, i, s), torch.tensor(1.5), torch.tensor(0), torch.tensor(2.0))


@group
def complex_numbers(case):
    pair, x = f(3, 4, 2), f(4, 6)
    parts = lambda v: torch.view_as_real(v.resolve_conj())
    case(lambda p: parts(aten.complex(p[..., 0], p[..., 1]) * aten.view_as_complex(p)), pair)
    case(lambda p: [aten.view_as_complex(p).abs(), aten.angle(aten.view_as_complex(p))], pair)
    case(lambda p: parts(aten.sgn(aten.view_as_complex(p))), pair)
    case(lambda p: parts(torch.conj_physical(aten.view_as_complex(p)) + 1j), pair)
    case(lambda p: parts((aten.view_as_complex(p).conj() @ torch.ones(4, 2, dtype=torch.complex64)).resolve_conj()), pair)
    case(lambda x: parts(aten.polar(x, x)), x)
    case(lambda x: parts(x * torch.tensor([1j, 2, 3 + 1j, -1, 0, 1], dtype=torch.complex64)), x)
    for norm in ("backward", "ortho", "forward"):
        case(lambda x, n=norm: parts(torch.fft.rfft(x, norm=n)), x)
        case(lambda x, n=norm: parts(torch.fft.fft2(x, norm=n)), x)
        case(lambda x, n=norm: parts(torch.fft.ifft(x, dim=0, norm=n)), x)
        case(lambda x, n=norm: torch.fft.irfft(torch.fft.rfft(x, dim=0), n=3, dim=0, norm=n), x)
    case(lambda x: parts(torch.fft.rfftn(x)), f(2, 3, 5))
    case(lambda x: torch.fft.irfft2(torch.fft.rfft2(x), s=(4, 6)), x)


@group
def resampling(case):
    """Also where the ratio is no whole number, and the gradients of all."""
    images = {1: f(2, 3, 6), 2: f(2, 3, 6, 5), 3: f(2, 2, 4, 3, 5)}
    modes = [("nearest", 1), ("nearest", 2), ("nearest", 3), ("nearest-exact", 1), ("nearest-exact", 2), ("nearest-exact", 3), ("linear", 1), ("bilinear", 2),
             ("bicubic", 2), ("trilinear", 3)]

    def both(operation, x):
        def with_gradient(x, g):
            with torch.enable_grad():
                x = x.detach().requires_grad_()
                y = operation(x)
                return y.detach(), torch.autograd.grad(y, x, g)[0]
        case(with_gradient, x, torch.randn_like(operation(x)))
    for mode, space in modes:
        for factor in (2, 1.5, 0.6):
            both(lambda x, m=mode, s=factor: F.interpolate(x, scale_factor=s, mode=m), images[space])
        both(lambda x, m=mode, n=space: F.interpolate(x, size=[7, 3, 4][:n], mode=m), images[space])
        if "nearest" not in mode:
            both(lambda x, m=mode, n=space: F.interpolate(x, size=[7, 3, 4][:n], mode=m, align_corners=True), images[space])
    for mode in ("bilinear", "bicubic"):
        both(lambda x, m=mode: F.interpolate(x, size=(4, 3), mode=m, antialias=True), images[2])
    for space in (1, 2, 3):
        pad = [1, 2, 2, 1, 1, 0][:2 * space]
        for size, kind in itertools.product((1, 2, 3), ("avg", "max")):
            both(lambda x, n=space, s=size, k=kind: getattr(F, f"adaptive_{k}_pool{n}d")(x, s), images[space])
        both(lambda x, p=pad: F.pad(x, p, mode="replicate"), images[space])
    for shrink in (F.hardshrink, F.softshrink):
        both(shrink, f(3, 4))

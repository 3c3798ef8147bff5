"""The operations that front ends meet, as small functions of JAX: {group: {name: (function, arguments)}}."""
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import windowed_reductions

RNG = np.random.default_rng(0)
GROUPS = {}


def f(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def i(limit, *shape):
    return RNG.integers(0, limit, shape).astype(np.int32)


def group(function):
    """A group's cases are the keyword arguments that the function hands to `case`."""
    cases = GROUPS[function.__name__] = {}

    def case(name, operation, *args):
        cases[name] = (operation, args)

    function(case)
    return function


def gradient(operation, *args):
    """The gradients of `operation` with respect to its first argument, against a given cotangent (the last argument)."""
    return jax.vjp(lambda x: operation(x, *args[1:-1]), args[0])[1](args[-1])[0]


@group
def scatter(case):
    at, four = i(7, 5), (f(7, 3), i(7, 5), f(5, 3))
    for name in ("add", "max", "min", "mul"):
        case(name, lambda x, at, u, name=name: getattr(x.at[at], name)(u), *four)
    case("set", lambda x, at, u: x.at[at].set(u), f(7, 3), np.array([1, 0, 5], np.int32), f(3, 3))
    case("out_of_range_and_twice", lambda x, at, u: x.at[at].add(u, mode="drop"), f(7, 3), np.array([0, 0, 9, -9, 6], np.int32), f(5, 3))
    case("two_indices", lambda x, a, b, u: x.at[a, b].add(u), f(7, 3), at, i(3, 5), f(5))
    case("columns", lambda x, at, u: x.at[:, at].add(u), f(4, 7), at, f(4, 5))
    case("one_row", lambda x, k, u: x.at[k].set(u), f(7, 3), np.int32(3), f(3))
    case("integers", lambda x, at, u: x.at[at].add(u), i(9, 7, 3), at, i(9, 5, 3))
    case("largest_integers", lambda x, at, u: x.at[at].max(u), i(9, 7, 3), at, i(9, 5, 3))
    case("least_unsigned", lambda x, at, u: x.at[at].min(u), i(9, 7, 3).astype(np.uint32), at, i(9, 5, 3).astype(np.uint32) - 3)
    case("booleans", lambda x, at: x.at[at].set(True), np.zeros(5, bool), np.array([1, 3], np.int32))
    rows = lax.ScatterDimensionNumbers(update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,))
    case("partial_windows", lambda x, at, u: lax.scatter_add(x, at, u, rows), f(7, 3), np.array([[0], [2], [6], [-1], [4]], np.int32), f(5, 2, 3))
    both = lax.ScatterDimensionNumbers(update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(1, 0))
    case("windows_of_two_indices", lambda x, at, u: lax.scatter_mul(x, at, u, both), f(7, 4), np.array([[0, 1], [2, 2], [1, 6]], np.int32), f(3, 2, 3))
    case("batching", jax.vmap(lambda x, at, u: x.at[at].add(u)), f(2, 7, 3), i(7, 2, 5), f(2, 5, 3))
    case("gradient_of_take", lambda *a: gradient(lambda x, at: jnp.take_along_axis(x, at, 1), *a), f(4, 6), i(6, 4, 3), f(4, 3))
    case("infinities_elsewhere", lambda x, at, u: x.at[at].add(u), f(3), np.array([0, 1], np.int32), np.array([np.inf, 1], np.float32))


@group
def gather_and_slices(case):
    case("gather", lambda x, at: x[at], f(7, 3), i(7, 5))
    case("gather_fill", lambda x, at: jnp.take(x, at, axis=0, mode="fill"), f(7, 3), np.array([0, 9, -1], np.int32))
    case("take_along_axis", lambda x, at: jnp.take_along_axis(x, at, 1), f(4, 6), i(6, 4, 3))
    case("dynamic_slice", lambda x, k: lax.dynamic_slice(x, (k, 0), (3, 3)), f(7, 3), np.int32(6))
    case("dynamic_update", lambda x, u, k: lax.dynamic_update_slice(x, u, (k, 0)), f(7, 3), f(3, 3), np.int32(-2))
    case("pad_between", lambda x: lax.pad(x, 1.5, ((1, 2, 1), (-1, 0, 2))), f(5, 4))
    case("reverse", lambda x: x[::-1, ::2], f(5, 4))
    case("concatenate", lambda x, y: jnp.concatenate([x, y], 1), f(5, 4), f(5, 2))
    case("sum_of_nothing", lambda x: (x[:0].sum(), x[:, :0].max(1, initial=-1), jnp.concatenate([x[:, :0].sum(0), x[0]])), f(5, 4))
    case("transpose_reshape", lambda x: x.transpose(2, 0, 1).reshape(4, -1), f(3, 2, 4))


@group
def pooling(case):
    def pool(size, stride, padding, how=(-jnp.inf, lax.max)):
        return lambda x: lax.reduce_window(x, *how, size, stride, padding)

    def both(name, operation, x):
        case(name, operation, x)
        case(f"gradient_{name}", lambda x, g: gradient(operation, x, g), x, f(*jax.eval_shape(operation, x).shape))

    both("overlapping", pool((1, 3, 3, 1), (1, 2, 2, 1), "SAME"), f(2, 9, 9, 2))
    both("ties", pool((1, 3, 3, 1), (1, 2, 2, 1), "SAME"), i(3, 2, 9, 9, 2).astype(np.float32))
    both("oblong", pool((1, 3, 2, 1), (1, 2, 1, 1), "VALID"), f(2, 8, 7, 2))
    both("gaps", pool((1, 2, 2, 1), (1, 3, 3, 1), "VALID"), f(2, 8, 9, 2))
    both("disjoint", pool((1, 2, 2, 1), (1, 2, 2, 1), "VALID"), f(2, 8, 8, 2))
    both("disjoint_ties", pool((1, 2, 3, 1), (1, 2, 3, 1), "VALID"), i(3, 2, 8, 9, 2).astype(np.float32))
    both("disjoint_with_a_rest", pool((1, 1, 2, 2), (1, 1, 2, 2), "VALID"), f(2, 3, 9, 8))
    both("average", pool((1, 3, 3, 1), (1, 2, 2, 1), "SAME", (0.0, lax.add)), f(2, 9, 9, 2))
    both("cumsum", lambda x: jnp.cumsum(x, 0), f(7, 3))
    case("cumprod", lambda x: jnp.cumprod(x, 1), f(7, 3))
    case("least", lambda x, g: gradient(pool((2, 3), (1, 2), "SAME", (jnp.inf, lax.min)), x, g), f(5, 7), f(5, 4))


@group
def control_flow(case):
    case("fori", lambda x, w: lax.fori_loop(0, 5, lambda k, c: jnp.tanh(c @ w) + k, x), f(2, 3), f(3, 3))
    case("fori_to_argument", lambda x, n: lax.fori_loop(1, n, lambda k, c: c * 0.5 + k, x), f(2, 3), np.int32(4))
    case("scan", lambda x, xs: lax.scan(lambda c, a: (jnp.tanh(c + a), c.sum()), x, xs), f(3), f(5, 3))
    case("scan_backwards", lambda x, xs: lax.scan(lambda c, a: (jnp.tanh(c + a), c), x, xs, reverse=True), f(3), f(5, 3))
    case("scan_gradient", jax.grad(lambda x, xs: lax.scan(lambda c, a: (jnp.tanh(c + a), c), x, xs)[1].sum(), argnums=(0, 1)), f(3), f(5, 3))
    case("while", lambda x: lax.while_loop(lambda c: (c * c).sum() < 100, lambda c: c * 1.7, x), f(3))
    case("counter_after_loop", lambda x: lax.while_loop(lambda c: c[0] < 7, lambda c: (c[0] + 3, c[1] * 2), (1, x)), f(3))
    case("counter_of_floats", lambda x: lax.while_loop(lambda c: c[0] < 7, lambda c: (c[0] + 1, c[1] * 2), (0.5, x)), f(3))
    case("counts_nothing", lambda x: lax.while_loop(lambda c: c[0] < 0, lambda c: (c[0] + 1, c[1] * 2), (3, x)), f(3))
    for p in (1, -1):
        case(f"cond{p}", lambda p, x: lax.cond(p > 0, lambda x: x + 1, lambda x: x * 2, x), np.float32(p), f(3))
    for k in (-1, 0, 1, 2, 5):
        case(f"switch{k}", lambda k, x: lax.switch(k, [lambda x: x, lambda x: x + 1, lambda x: x * 2], x), np.int32(k), f(3))
    case("nested", lambda x, xs: lax.scan(lambda c, a: (lax.fori_loop(0, 3, lambda k, d: d * a + k, c), lax.cond(a.sum() > 0, lambda: c, lambda: c + 1)), x, xs), f(3), f(5, 3))
    case("remat", lambda x, w: jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x @ w)).sum()))(x), f(3, 3), f(3, 3))
    case("associative_scan", lambda x: lax.associative_scan(jnp.multiply, x), f(7))


@group
def random_bits(case):
    key = np.array([1, 2**32 - 5], np.uint32)
    case("uniform", lambda k: jax.random.uniform(k, (5,)), key)
    case("bernoulli", lambda k: jax.random.bernoulli(k, 0.3, (5, 4)), key)
    case("split", lambda k: jax.random.split(k, 3), key)
    case("fold_in", lambda k, s: jax.random.fold_in(k, s), key, np.int32(9))
    case("randint", lambda k: jax.random.randint(k, (7,), 0, 10), key)
    case("bits", lambda k: jax.random.bits(k, (7,)), key)
    case("generator", lambda k: lax.rng_bit_generator(k, (6,), algorithm=lax.RandomAlgorithm.RNG_THREE_FRY), np.array([1, 2, 3, 4], np.uint32))
    case("typed_key", lambda k: jax.random.uniform(jax.random.split(k)[1], (3,)), jax.random.key(3))


@group
def random_normal(case):  # the inverse of erf is arithmetic of floats
    case("normal", lambda k: jax.random.normal(k, (5,)), np.array([1, 77], np.uint32))


@group
def integers(case):
    case("bytes", lambda x: x.astype(jnp.float32) / 255 + (x > 200), i(256, 9).astype(np.uint8))
    case("unsigned", lambda x, y: (x // y, x % y, x >> 3, x << 2, x > y, ~x & y | x ^ y), np.array([2**32 - 1, 7, 2**31], np.uint32), np.array([3, 2, 5], np.uint32))
    case("signed", lambda x, y: (x // y, x % y, lax.div(x, y), lax.rem(x, y), x >> 1, -x, jnp.abs(x), jnp.sign(x)), np.array([7, -7, 2**31 - 1], np.int32), np.array([3, 2, -5], np.int32))
    case("int8_dot", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), i(100, 4, 9).astype(np.int8), i(100, 9, 3).astype(np.int8))
    case("bits", lambda x: (lax.population_count(x), lax.clz(x), lax.bitcast_convert_type(x, jnp.float32)), np.array([7, 2**30 + 5], np.int32))
    case("any_all", lambda x: ((x > 0).any(1), (x > 0).all(1), (x > 0).sum()), f(4, 5))


@group
def sixteen_bits(case):
    bf = lambda *s: jnp.asarray(f(*s), jnp.bfloat16)
    case("dot", lambda a, b: a @ b, bf(4, 300), bf(300, 5))
    case("sum", lambda a: a.sum(0), bf(600, 5))
    case("softmax_mean", lambda a: jax.nn.softmax(a).mean(), bf(60, 50))
    case("f16_convolution", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
         jnp.asarray(f(2, 8, 8, 3), jnp.float16), jnp.asarray(f(3, 3, 3, 4), jnp.float16))
    case("scatter", lambda x, at, u: x.at[at].add(u), bf(7, 3), i(7, 5), bf(5, 3))
    case("loop", lambda x: lax.fori_loop(0, 3, lambda k, c: c * x, x), bf(7))


@group
def convolutions(case):
    def conv(name, x, w, stride=(1, 1), padding="SAME", spread=None, dilation=None, dims=("NHWC", "HWIO", "NHWC"), groups=1):
        operation = lambda x, w: lax.conv_general_dilated(x, w, stride, padding, spread, dilation, dims, groups)
        x, w = f(*x), f(*w)
        case(name, operation, x, w)
        case(f"gradient_{name}", lambda x, w, g: jax.vjp(operation, x, w)[1](g), x, w, f(*jax.eval_shape(operation, x, w).shape))

    conv("plain", (2, 8, 8, 3), (3, 3, 3, 4))
    conv("stride", (2, 9, 8, 3), (3, 3, 3, 4), stride=(2, 2))
    conv("dilation", (2, 9, 8, 3), (3, 3, 3, 4), dilation=(2, 2), padding="VALID")
    conv("transposed", (2, 5, 5, 3), (3, 3, 3, 4), spread=(2, 2), padding=[(2, 2), (1, 2)])
    conv("depthwise", (2, 8, 8, 4), (3, 3, 1, 4), groups=4)
    conv("groups", (2, 8, 8, 4), (3, 3, 2, 6), groups=2, stride=(2, 1))
    conv("nchw", (2, 3, 8, 8), (4, 3, 3, 3), dims=("NCHW", "OIHW", "NCHW"))


@group
def arithmetic(case):
    case("functions", lambda x: (jax.scipy.special.erf(x), jax.nn.gelu(x, approximate=False), jnp.log1p(x * x), jnp.cbrt(x),
                                 jax.scipy.special.erfinv(jnp.tanh(x)), jnp.clip(x, -.5, .5), jnp.expm1(x), lax.rsqrt(x * x + 1), jnp.sqrt(x * x),
                                 jnp.log(x * x + 1), jnp.sin(x), jnp.cos(x), jnp.tan(x), jax.nn.sigmoid(x), jnp.arctan2(x, x + 1), jnp.exp(-x)), f(9))
    case("rounding", lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x), lax.round(x), jnp.sign(x), jnp.abs(x), -x, lax.reduce_precision(x, 8, 7)), f(9) * 3)
    case("choices", lambda x, y: (jnp.where(x > y, x, y), jnp.isfinite(x / 0), jnp.nan_to_num(x / 0), x ** 2.5 if False else jnp.abs(x) ** y, jnp.fmod(x, y)), f(4), f(4))
    case("one_hot", lambda k: jax.nn.one_hot(k, 5), i(5, 4))
    case("products", lambda a, b: (jnp.einsum("bhqd,bkhd->bqhk", a, b), a[0] @ b[0].transpose(1, 2, 0)[0]), f(2, 3, 4, 5), f(2, 6, 3, 5))
    case("reductions_of_a_scalar", lambda x: (x.sum(), x.max(), x.argmax(), jax.nn.logsumexp(x)), np.float32(3))
    case("reductions_over_no_axis", lambda x: (jnp.sum(x, axis=()), lax.reduce(x, np.float32(1), lax.mul, ())), f(2, 3))
    case("reductions", lambda x: (x.sum(), x.mean(0), x.max(1), x.min(), x.prod(1), x.argmax(1), x.argmin(0), jax.nn.logsumexp(x, 1), x.var(0)), f(7, 3))
    case("attention", lambda q, k, v: jax.grad(lambda q: jax.nn.dot_product_attention(q, k, v, is_causal=True).sum())(q), f(2, 5, 2, 4), f(2, 5, 2, 4), f(2, 5, 2, 4))


@group
def functions_of_elements(case):
    """Reductions, windows, sorts and scatters by functions that call others, as jnp.where and every jitted function are calls."""
    greater = lambda a, c: jnp.where(a >= c, a, c)
    pair = lambda a, c: tuple(jnp.where(a[0] >= c[0], x, y) for x, y in zip(a, c))
    first = lambda a, c: tuple(jnp.where((c[0] > a[0]) | ((c[0] == a[0]) & (c[1] < a[1])), y, x) for x, y in zip(a, c))
    places = lambda x: lax.broadcasted_iota(jnp.int32, x.shape, 1)
    least, none = np.float32(-np.inf), np.int32(99)
    tangent = jax.custom_jvp(jnp.maximum)
    tangent.defjvp(lambda primals, tangents: (tangent(*primals), tangents[0]))
    for name, start, function in (("where", least, greater), ("jitted", 0, jax.jit(lambda a, c: jax.jit(jnp.add)(a, c))), ("logaddexp", least, jnp.logaddexp),
                                  ("relu", 0, lambda a, c: a + jax.nn.relu(c)), ("clip", 0, lambda a, c: jnp.clip(a + c, -1, 1)), ("tangent", least, tangent)):
        case(f"reduce_{name}", lambda x, start=start, function=function: lax.reduce(x, np.float32(start), function, (1,)), f(4, 6))
    for name, function in (("pair", pair), ("first", first)):
        case(f"reduce_{name}", lambda x, function=function: lax.reduce((x, places(x)), (least, none), function, (1,)), np.round(f(4, 6)))
        case(f"window_{name}", lambda x, function=function: lax.reduce_window((x, places(x)), (least, none), function, (1, 2), (1, 2), "VALID"), np.round(f(4, 6)))
    case("window_where", lambda x: lax.reduce_window(x, least, greater, (1, 3), (1, 2), "SAME"), f(4, 6))
    case("scan_where", lambda x: lax.associative_scan(lambda a, c: jnp.where(a > c, a, c * 0.9), x, axis=1), f(4, 6))
    case("in_a_loop", lambda x: lax.fori_loop(0, 3, lambda k, c: c + lax.reduce(x * k, least, greater, (1,)), jnp.zeros(4)), f(4, 6))


@group
def special_functions(case):
    """Those of jax.scipy.special that are not one operation of StableHLO; some are series and fractions that go on until they have converged."""
    s, x = jax.scipy.special, np.array([1e-3, 0.3, 0.7, 1.0, 1.9, 4.5, 12.0], np.float32)
    for name in ("dawsn", "digamma", "entr", "erfcx", "expi", "gamma", "i0", "i0e", "i1", "i1e", "log_ndtr", "spence"):
        case(name, lambda x, name=name: getattr(s, name)(x), x)
    case("gradient_of_bessel", lambda *a: gradient(lambda x: s.i0e(x) + s.i1(x), *a), x, f(7))
    case("bessel_jn", lambda x: s.bessel_jn(x, v=3, n_iter=40), x)
    case("quantiles", lambda p: (s.ndtri(p), s.erfinv(p), s.logit(p)), np.array([1e-4, 0.2, 0.5, 0.99], np.float32))
    case("gamma_functions", lambda a, x: (s.gammainc(a, x), s.gammaincc(a, x)), x + 0.5, x[::-1].copy())
    case("beta_functions", lambda a, x: (s.betainc(a, 2.5, x), s.betaln(a, x), s.poch(a, x)), x[:5] + 0.5, x[:5] / 2)
    case("zeta", lambda x, q: (s.zeta(x, q), s.polygamma(2, q)), x + 1.5, x)
    case("hypergeometric", lambda x: (s.hyp1f1(1.5, 2.5, x), s.hyp2f1(1.5, 2.5, 3.5, x / 20), s.expn(3, x)), x)
    case("integrals", lambda x: (*s.fresnel(x), *s.sici(x), s.owens_t(x, 0.5)), x)


@group
def constants(case):
    flags = RNG.random((9, 17)) > 0.5
    case("many_booleans", lambda x: jnp.where(flags, x, -x), f(9, 17))
    case("few_booleans", lambda x: jnp.where(flags[:2, :3], x, -x), f(2, 3))


def ties():
    return np.array([[2, 1, 2, np.nan, -1, 1], [0, -0.0, np.inf, -np.inf, 0, np.nan]], np.float32)


@group
def sorting(case):
    x = f(3, 4, 7)
    for dim in range(3):
        case(f"sort_{dim}", lambda x, dim=dim: jnp.sort(x, dim), x)
        case(f"argsort_{dim}", lambda x, dim=dim: jnp.argsort(x, dim, descending=True), x)
    case("ties", lambda x: (jnp.sort(x), jnp.argsort(x), jnp.argsort(x, descending=True)), ties())
    case("integers", lambda x: (jnp.sort(x), jnp.argsort(x)), i(5, 2, 9))
    case("unsigned", jnp.sort, i(5, 9).astype(np.uint32) - 3)
    case("bytes", jnp.sort, i(255, 9).astype(np.uint8))
    case("flags", jnp.sort, i(2, 9) > 0)
    case("keys_and_values", lambda *a: lax.sort(a, num_keys=2), i(3, 9), f(9), i(9, 9))
    case("top_k", lambda x: lax.top_k(x, 3), x)
    case("approximate_top_k", lambda x: (lax.approx_max_k(x, 3, recall_target=1.0), lax.approx_min_k(x, 2, recall_target=1.0)), x)
    case("median", jnp.median, f(9))
    case("one", jnp.sort, f(3, 1))
    case("sixteen_bits", lambda x: jnp.sort(x.astype(jnp.bfloat16)), f(9))
    case("permuted", lambda k, x: jax.random.permutation(jax.random.wrap_key_data(k), x), np.array([1, 2], np.uint32), f(9))


@group
def cumulative(case):
    x = f(5, 6)
    for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
        for dim in range(2):
            case(f"{name}_{dim}", lambda x, name=name, dim=dim: getattr(lax, name)(x, dim), x)
            case(f"{name}_{dim}_reverse", lambda x, name=name, dim=dim: getattr(lax, name)(x, dim, reverse=True), x)
    case("integers", lambda x: jnp.cumsum(x, 0), i(9, 7))
    case("gradient", lambda x, g: gradient(lambda x: jnp.cumsum(x, 0), x, g), x, f(5, 6))


def definite(*dims):
    a = f(*dims, dims[-1])
    return a @ np.swapaxes(a, -1, -2) + 2 * np.eye(dims[-1], dtype=np.float32)


def separated(*dims):
    """Symmetric, of eigenvalues 1, 2, 3 and so on: those that lie close together turn by more than a rounding what belongs to them."""
    vectors = np.linalg.qr(f(*dims, dims[-1]).astype(np.float64))[0]
    return ((vectors * np.arange(1, dims[-1] + 1)) @ np.swapaxes(vectors, -1, -2)).astype(np.float32)


@group
def linear_algebra(case):
    a, b = definite(4), f(4, 3)
    case("cholesky", jnp.linalg.cholesky, a)
    case("cholesky_upper", lambda a: jnp.linalg.cholesky(a, upper=True), a)
    case("cholesky_batched", jnp.linalg.cholesky, definite(2, 3, 4))
    for name, side in (("left", True), ("right", False)):
        for lower in (True, False):
            for turned in (True, False):
                case(f"solve_{name}_{lower}_{turned}", lambda a, b, s=side, l=lower, t=turned: lax.linalg.triangular_solve(
                    a, b, left_side=s, lower=l, transpose_a=t), a, b if side else b.T.copy())
    case("solve_unit", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True, unit_diagonal=True), a, b)
    case("solve_batched", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True), definite(2, 4), f(2, 4, 3))
    case("cho_solve", lambda a, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(a), b), a, b)
    case("gradient", lambda a, g: gradient(jnp.linalg.cholesky, a, g), a, f(4, 4))


@group
def factorisations(case):
    """What does not depend on the signs that a vector may have."""
    a, b = f(5, 5), f(5, 3)
    case("qr", jnp.linalg.qr, f(6, 4))
    case("qr_wide", jnp.linalg.qr, f(4, 6))
    case("qr_complete", lambda a: jnp.linalg.qr(a, mode="complete"), f(2, 5, 3))
    case("qr_of_a_triangle", jnp.linalg.qr, np.triu(f(4, 4)))
    case("lu", jax.scipy.linalg.lu_factor, f(2, 5, 5))
    case("lu_wide_and_high", lambda a, b: (lax.linalg.lu(a), lax.linalg.lu(b)), f(3, 5), f(5, 3))
    case("solve", jnp.linalg.solve, a, b)
    case("inv_and_det", lambda a: (jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.slogdet(a)), a)
    for n in (1, 2, 5, 8):
        case(f"eigh_{n}", lambda a: (jnp.linalg.eigh(a)[0], jnp.abs(jnp.linalg.eigh(a)[1])), separated(2, n))
    case("gradient_of_eigh", lambda a, g: gradient(lambda a: jnp.linalg.eigh(a)[0], a, g), separated(4), f(4))
    case("svd", lambda a: jnp.linalg.svd(a, compute_uv=False), f(6, 4))
    case("svd_again", lambda a: (lambda u, s, v: u * s @ v)(*jnp.linalg.svd(a, full_matrices=False)), f(4, 6))


@group
def complex_numbers(case):
    """Arguments and results are real: their parts."""
    both = lambda value: (value.real, value.imag)
    pair = f(4, 6), f(4, 6)
    joined = lambda operation: lambda *parts: both(operation(*(lax.complex(parts[i], parts[i + 1]) for i in range(0, len(parts), 2))))
    for name in ("exp", "log", "sqrt", "tanh", "cos", "sin", "sign", "square", "conj"):
        case(name, joined(getattr(jnp, name)), *pair)
    for name in ("add", "subtract", "multiply", "divide", "power"):
        case(name, joined(getattr(jnp, name)), *pair, f(4, 6), f(4, 6))
    case("absolute", lambda a, b: (jnp.abs(lax.complex(a, b)), jnp.angle(lax.complex(a, b))), *pair)
    case("of_huge_and_none", lambda a: jnp.abs(lax.complex(a, a)), np.array([1e30, 0, 1e-30], np.float32))
    case("dot", joined(lambda x, y: x @ y.T), *pair, *pair)
    case("moved", joined(lambda x: jnp.concatenate([x[:, ::-1].T, jnp.pad(x, 1)[:, :4]]).reshape(-1)[1:]), *pair)
    case("gathered", joined(lambda x: x.at[:, np.array([1, 3])].add(x[:, np.array([0, 0])]).sum(0)), *pair)
    case("chosen", lambda a, b: jnp.where(lax.complex(a, b) == lax.complex(a, a), a, b), *pair)
    case("looped", joined(lambda x: lax.fori_loop(0, 3, lambda k, c: c * x + 1j, x)), *pair)
    case("branches", lambda p, a, b: both(lax.cond(p > 0, lambda x: x * 2j, lambda x: x, lax.complex(a, b))), np.float32(1), *pair)
    case("table", lambda a: both(a * np.exp(1j * np.arange(6)).astype(np.complex64)), pair[0])
    case("long_table", lambda a: both(a * np.exp(1j * np.arange(200)).astype(np.complex64)), f(200))
    case("scanned", joined(lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (jnp.exp(1j * x.real), x), axis=1)[1]), *pair)
    case("gradient", lambda *a: gradient(lambda x: jnp.abs(jnp.exp(1j * x) + x), *a), f(5), f(5))


@group
def fourier(case):
    both = lambda value: (value.real, value.imag)
    for n in (1, 2, 7, 64, 67, 96, 360, 1024):
        case(f"fft_{n}", lambda a, b: both(jnp.fft.fft(lax.complex(a, b))), f(2, n), f(2, n))
    for n in (6, 7, 130):
        case(f"rfft_{n}", lambda a: both(jnp.fft.rfft(a)), f(3, n))
        case(f"irfft_{n}", lambda a, b, n=n: jnp.fft.irfft(lax.complex(a, b), n), f(3, n // 2 + 1), f(3, n // 2 + 1))
    case("ifft", lambda a: both(jnp.fft.ifft(a)), f(3, 10))
    case("two_dimensions", lambda a: both(jnp.fft.fft2(a)), f(2, 5, 6))
    case("two_real_dimensions", lambda a: jnp.fft.irfft2(jnp.fft.rfft2(a) * 2, s=(5, 6)), f(2, 5, 6))
    case("three_dimensions_and_back", lambda a: both(jnp.fft.ifftn(jnp.fft.fftn(a))), f(2, 3, 4))
    case("first_dimension", lambda a: both(jnp.fft.fft(a, axis=0)), f(6, 3))
    case("gradient", lambda *a: gradient(lambda x: jnp.abs(jnp.fft.rfft(x)), *a), f(2, 8), f(2, 5))


@group
def masked_pooling(case):
    """Of what was pooled, some is set to zero again in the backward pass: ties with what is not, and NaNs, too."""
    spoilt = np.where(f(2, 9, 9, 2) > 1.8, np.float32(np.nan), i(5, 2, 9, 9, 2) - np.float32(3))
    windows = {"disjoint": ((1, 3, 3, 1), (1, 3, 3, 1), "VALID"), "overlapping": ((1, 3, 2, 1), (1, 2, 1, 1), "SAME")}
    masks = {"relu": jax.nn.relu, "threshold": lambda x: jnp.where(x > 0, x, 0), "relu6": jax.nn.relu6, "limit": lambda x: jnp.maximum(x, 1)}
    for (kind, window), (name, mask) in itertools.product(windows.items(), masks.items()):
        pool = lambda x, window=window, mask=mask: lax.reduce_window(mask(x), -jnp.inf, lax.max, *window)
        for data, x in {"random": f(2, 9, 9, 2), "spoilt": spoilt}.items():
            case(f"{kind}_{name}_{data}", lambda x, g, pool=pool: (pool(x), gradient(pool, x, g)), x, f(*jax.eval_shape(pool, x).shape))


REFUSED = {
    "branch_of_elements": (lambda x: lax.reduce(x, np.float32(0), lambda a, c: lax.cond(a > c, lambda: a, lambda: c), (0,)), (f(4),),
                           "the function of single elements of 'stablehlo.reduce'"),
    "sort": (jnp.sort, (np.zeros((2, 1 << 16), np.float32),), "a sort of 65536 elements in 2 rows makes 8589934592 comparisons, expected at most 4294967296"),
    "complex_qr": (lambda x: jnp.abs(jnp.linalg.qr(x + 1j)[0]), (f(3, 3),), "'Qr' of complex numbers has no form on real ones"),
    "complex_product": (lambda x: jnp.abs(jnp.prod(x + 1j)), (f(4),), "'stablehlo.reduce' of complex numbers combines them in a way that is no sum"),
    "long_prime_fft": (lambda x: jnp.abs(jnp.fft.fft(x)), (f(4099),), "'stablehlo.fft' of 4099 elements has the prime factor 4099, expected at most 4096"),
    "eig": (lambda x: jnp.linalg.eigvals(x).real, (f(3, 3),), "the operation 'eig'"),
    "schur": (lambda x: jax.scipy.linalg.schur(x)[0], (f(3, 3),), "the operation 'schur'"),
    "scatter_apply": (lambda x, at: x.at[at].apply(lambda v: v * v + 1), (f(4), i(4, 2)), "'stablehlo.scatter' combines by"),
    "pool_selects": (lambda x: windowed_reductions._select_and_scatter(x, lambda a, b: a + a >= b, (2,), (2,), ((0, 0),), x[:2], np.float32(0), jax.lax.add),
                     (f(4),), "'stablehlo.select_and_scatter' selects by 'stablehlo.add', expected comparisons of signed numbers"),
}

"""Eight training steps of JAX whose shardings divide more than the batch. A program takes the number of devices and
returns a step, its first arguments, which are divided over a mesh of these, and a function that makes batches. The
roles are params=0, state=1, batch=2."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

ROLES = dict(params=0, state=1, batch=2)


def mesh_of(**axes):
    return jax.make_mesh(tuple(axes.values()), tuple(axes), axis_types=(AxisType.Auto,) * len(axes))


class Draw:
    """Arrays of a mesh's devices, of random numbers."""

    def __init__(self, mesh, seed=0):
        self.mesh, self.rng = mesh, np.random.default_rng(seed)

    def put(self, array, *dims):
        return jax.device_put(array, NamedSharding(self.mesh, P(*dims)))

    def normal(self, shape, *dims, scale=0.3):
        return self.put(self.rng.normal(0, scale, shape).astype(np.float32), *dims)

    def below(self, bound, shape, *dims):
        return self.put(self.rng.integers(0, bound, shape, np.int32), *dims)

    def mark(self, value, *dims):
        return jax.lax.with_sharding_constraint(value, NamedSharding(self.mesh, P(*dims)))


def trained(loss_of, optimizer):
    def step(params, state, batch):
        loss, grads = jax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss
    return step


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def of_momentum(params, loss_of, batches):
    optimizer = optax.sgd(0.1, momentum=0.9)
    return trained(loss_of, optimizer), params, optimizer.init(params), batches


def tensor(devices):
    """Columns and rows of matrices; all devices have the whole batch."""
    draw = Draw(mesh_of(tp=devices))
    params = {"w1": draw.normal((12, 32), None, "tp"), "b1": draw.normal((32,), "tp"), "w2": draw.normal((32, 5), "tp"),
              "b2": draw.normal((5,))}

    def loss_of(p, batch):
        h = jax.nn.gelu(batch["x"] @ p["w1"] + p["b1"])
        return jnp.mean((h @ p["w2"] + p["b2"] - batch["y"]) ** 2)

    return of_momentum(params, loss_of, lambda: {"x": draw.normal((8, 12)), "y": draw.normal((8, 5))})


def data_tensor(devices):
    """A block of a transformer as Megatron divides it: heads and hidden units; the axis of the batch is the last one.
    The shardings are those of a jitted step."""
    mesh = mesh_of(tp=devices // 2, dp=2)
    draw = Draw(mesh)
    spec = {"q": P(None, "tp"), "k": P(None, "tp"), "v": P(None, "tp"), "o": P("tp"), "up": P(None, "tp"),
            "down": P("tp")}
    shapes = {"q": (16, 16), "k": (16, 16), "v": (16, 16), "o": (16, 16), "up": (16, 32), "down": (32, 16)}
    params = {name: draw.rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}

    def loss_of(p, batch):
        x, y = batch
        heads = lambda w: (norm(x) @ w).reshape(*x.shape[:2], 4, 4).swapaxes(1, 2)
        scores = heads(p["q"]) @ heads(p["k"]).swapaxes(2, 3) / 2
        scores = jnp.where(jnp.tri(x.shape[1], dtype=bool), scores, -1e9)
        mixed = (jax.nn.softmax(scores) @ heads(p["v"])).swapaxes(1, 2).reshape(x.shape)
        x = x + mixed @ p["o"]
        return jnp.mean((x + jax.nn.relu(norm(x) @ p["up"]) @ p["down"] - y) ** 2)

    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-2))
    at = {name: NamedSharding(mesh, axes) for name, axes in spec.items()}
    state = optimizer.init(params)
    count = NamedSharding(mesh, P())
    of_state = jax.tree.map(lambda leaf: count, state)
    of_state = (of_state[0], (of_state[1][0]._replace(mu=at, nu=at), of_state[1][1]))
    step = jax.jit(trained(loss_of, optimizer), in_shardings=(at, of_state, NamedSharding(mesh, P("dp"))),
                   out_shardings=(at, of_state, None))
    return step, params, state, lambda: tuple(np.asarray(draw.normal((4, 6, 16))) for _ in range(2))


def sequence(devices):
    """The positions of a sequence where an operation knows one position alone, hidden units in between."""
    draw = Draw(mesh_of(dp=2, tp=devices // 2))
    params = {"up": draw.normal((2, 16, 32), None, None, "tp"), "down": draw.normal((2, 32, 16), None, "tp")}

    def loss_of(p, batch):
        x = draw.mark(batch["x"], "dp", "tp", None)
        for up, down in zip(p["up"], p["down"]):
            h = draw.mark(norm(x), "dp", None, None)
            h = draw.mark(jax.nn.silu(h @ up), "dp", None, "tp")
            x = x + draw.mark(h @ down, "dp", "tp", None)
        return jnp.mean((norm(x) - batch["y"]) ** 2)

    return of_momentum(params, loss_of, lambda: {"x": draw.normal((4, 8, 16), "dp"),
                                                 "y": draw.normal((4, 8, 16), "dp")})


def zero3(devices):
    """Parameters, moments and samples over the same axis."""
    draw = Draw(mesh_of(fsdp=devices))
    params = {"w1": draw.normal((8, 24), "fsdp"), "b1": draw.normal((24,), "fsdp"), "w2": draw.normal((24, 3), "fsdp"),
              "b2": draw.normal((3,))}

    def loss_of(p, batch):
        h = jnp.tanh(batch["x"] @ p["w1"] + p["b1"])
        return optax.softmax_cross_entropy_with_integer_labels(h @ p["w2"] + p["b2"], batch["y"]).mean()

    optimizer = optax.adamw(1e-2)
    return (trained(loss_of, optimizer), params, optimizer.init(params),
            lambda: {"x": draw.normal((16, 8), "fsdp"), "y": draw.below(3, (16,), "fsdp")})


def embedding_rows(devices):
    """The rows of a table that is read by tokens and multiplied with at the end."""
    draw = Draw(mesh_of(dp=2, tp=devices // 2))
    params = {"table": draw.normal((48, 8), "tp"), "w": draw.normal((8, 8))}

    def loss_of(p, batch):
        h = jnp.tanh(p["table"][batch[:, :-1]] @ p["w"])
        logits = draw.mark(h @ p["table"].T, "dp", None, "tp")
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:]).mean()

    return of_momentum(params, loss_of, lambda: draw.below(48, (4, 6), "dp"))


def convolution_channels(devices):
    """Channels that one convolution makes and the next one takes."""
    draw = Draw(mesh_of(dp=2, tp=devices // 2))
    params = {"k1": draw.normal((3, 3, 2, 8), None, None, None, "tp"), "s": draw.normal((8,), "tp"),
              "k2": draw.normal((3, 3, 8, 4), None, None, "tp"),
              "w": draw.normal((4, 3))}

    def loss_of(p, batch):
        conv = lambda x, k: jax.lax.conv_general_dilated(x, k, (1, 1), "SAME",
                                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        h = conv(batch["x"], p["k1"])
        mean, var = h.mean((0, 1, 2)), h.var((0, 1, 2))
        h = jax.nn.relu((h - mean) * jax.lax.rsqrt(var + 1e-5) * p["s"])
        h = jax.nn.relu(conv(h, p["k2"])).mean((1, 2))
        return optax.softmax_cross_entropy_with_integer_labels(h @ p["w"], batch["y"]).mean()

    return of_momentum(params, loss_of, lambda: {"x": draw.normal((4, 6, 6, 2), "dp"), "y": draw.below(3, (4,), "dp")})


def scan_over_layers(devices):
    """Layers that are stacked and run by one loop."""
    draw = Draw(mesh_of(dp=2, tp=devices // 2))
    params = {"up": draw.normal((3, 8, 16), None, None, "tp"), "down": draw.normal((3, 16, 8), None, "tp"),
              "out": draw.normal((8, 2))}

    def loss_of(p, batch):
        def layer(x, weights):
            h = draw.mark(jnp.tanh(norm(x) @ weights[0]), "dp", "tp")
            return x + h @ weights[1], None
        x, _ = jax.lax.scan(layer, batch["x"], (p["up"], p["down"]))
        return jnp.mean((x @ p["out"] - batch["y"]) ** 2)

    return of_momentum(params, loss_of, lambda: {"x": draw.normal((8, 8), "dp"), "y": draw.normal((8, 2), "dp")})


def contradicting_marks(devices):
    """Marks that take back one another, in a value, its gradient and against the parameters; samples over two axes, of
    which one divides weights."""
    draw = Draw(mesh_of(ep=2, dp=devices // 2))
    params = {"w1": draw.normal((8, 16), "ep"), "w2": draw.normal((16, 4), None, "ep")}

    def loss_of(p, batch):
        h = draw.mark(batch["x"] @ p["w1"], "dp", "ep")
        h = draw.mark(draw.mark(jnp.tanh(h), None, "ep"), ("ep", "dp"), None)
        h = draw.mark(draw.mark(h, "ep"), "dp", P.UNCONSTRAINED)
        return jnp.mean((h @ draw.mark(p["w2"], "ep", None) - batch["y"]) ** 2)

    return of_momentum(params, loss_of, lambda: {"x": draw.normal((16, 8), ("ep", "dp")),
                                                 "y": draw.normal((16, 4), "dp")})


PROGRAMS = (tensor, data_tensor, sequence, zero3, embedding_rows, convolution_channels, scan_over_layers,
            contradicting_marks)

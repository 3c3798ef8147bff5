"""The four steps that ds is measured on with a GPU: the same networks in JAX and in PyTorch, in single precision, on
random data.

A step is sgd(0.1) of a perceptron or Adam(1e-3) of a decoder-only transformer with tied embeddings, without dropout.
JAX's are also what ds compiles (pack.py exports them); PyTorch's are for its compiler alone.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Mlp:
    widths: tuple
    batch: int


@dataclasses.dataclass(frozen=True)
class Gpt:
    layers: int
    width: int
    heads: int
    length: int
    batch: int
    words: int


ALL = {"mlp": Mlp((784, 512, 256, 10), 256), "mlp_large": Mlp((784, 4096, 4096, 1000), 4096),
       "gpt": Gpt(2, 128, 4, 64, 16, 256), "gpt_large": Gpt(4, 768, 12, 512, 4, 8192)}
# What a test without a GPU can execute.
SMALL = {"mlp": Mlp((12, 8, 4), 8), "mlp_large": Mlp((12, 16, 16, 5), 8), "gpt": Gpt(1, 16, 2, 8, 2, 11),
         "gpt_large": Gpt(2, 16, 4, 8, 2, 11)}


def data(network, seed=1):
    """{"x", "y"}: inputs and classes."""
    import numpy as np
    draw = np.random.default_rng(seed)
    if isinstance(network, Mlp):
        return {"x": draw.standard_normal((network.batch, network.widths[0]), np.float32),
                "y": draw.integers(0, network.widths[-1], network.batch, np.int32)}
    words = draw.integers(0, network.words, (network.batch, network.length + 1), np.int32)
    return {"x": np.ascontiguousarray(words[:, :-1]), "y": np.ascontiguousarray(words[:, 1:])}


def parameters(network, seed=0):
    """{name: array}, of standard deviation 0.02, or 1 where a LayerNorm scales."""
    import numpy as np
    draw = np.random.default_rng(seed)
    normal = lambda *shape: (0.02 * draw.standard_normal(shape)).astype(np.float32)
    if isinstance(network, Mlp):
        layers = list(zip(network.widths, network.widths[1:]))
        return {f"w{i}": normal(*shape) for i, shape in enumerate(layers)} | {f"b{i}": np.zeros(shape[1], np.float32)
                                                                              for i, shape in enumerate(layers)}
    width = network.width
    found = {"words": normal(network.words, width), "places": normal(network.length, width)}
    for i in range(network.layers):
        found |= {f"q{i}": normal(width, width), f"k{i}": normal(width, width), f"v{i}": normal(width, width),
                  f"o{i}": normal(width, width),
                  f"up{i}": normal(width, 4 * width), f"down{i}": normal(4 * width, width),
                  f"first{i}": np.ones(width, np.float32), f"second{i}": np.ones(width, np.float32)}
    return found | {"last": np.ones(width, np.float32)}


def jax_step(network):
    """(step, state): step(params, state, batch) -> (params, state, loss)."""
    import jax
    import jax.numpy as jnp
    import optax

    def logits(p, x):
        if isinstance(network, Mlp):
            last = len(network.widths) - 2
            for i in range(last):
                x = jax.nn.relu(x @ p[f"w{i}"] + p[f"b{i}"])
            return x @ p[f"w{last}"] + p[f"b{last}"]
        norm = lambda v, scale: (v - v.mean(-1, keepdims=True)) * jax.lax.rsqrt(v.var(-1, keepdims=True) + 1e-5) * scale
        heads = lambda v: v.reshape(*v.shape[:2], network.heads, -1).swapaxes(1, 2)
        x = p["words"][x] + p["places"]
        for i in range(network.layers):
            h = norm(x, p[f"first{i}"])
            q, k, v = (heads(h @ p[f"{kind}{i}"]) for kind in "qkv")
            scores = q @ k.swapaxes(2, 3) / (network.width // network.heads) ** 0.5
            weights = jax.nn.softmax(jnp.where(jnp.tri(network.length, dtype=bool), scores, -1e9))
            x = x + (weights @ v).swapaxes(1, 2).reshape(x.shape) @ p[f"o{i}"]
            x = x + jax.nn.gelu(norm(x, p[f"second{i}"]) @ p[f"up{i}"]) @ p[f"down{i}"]
        return norm(x, p["last"]) @ p["words"].T

    def loss_of(p, batch):
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits(p, batch["x"])), batch["y"][..., None], -1)
        return -picked.mean()

    optimizer = optax.sgd(0.1) if isinstance(network, Mlp) else optax.adam(1e-3)

    def step(params, state, batch):
        loss, gradients = jax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, loss
    return step, optimizer.init


def torch_network(network):
    """(module, optimizer): module(x, y) is the loss. The parameters are those of `parameters`."""
    import torch
    from torch.nn import functional as F

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.p = torch.nn.ParameterDict({name: torch.nn.Parameter(torch.from_numpy(value))
                                             for name, value in parameters(network).items()})

        def logits(self, x):
            p = self.p
            if isinstance(network, Mlp):
                last = len(network.widths) - 2
                for i in range(last):
                    x = F.relu(torch.addmm(p[f"b{i}"], x, p[f"w{i}"]))
                return torch.addmm(p[f"b{last}"], x, p[f"w{last}"])
            heads = lambda v: v.unflatten(-1, (network.heads, -1)).transpose(1, 2)
            norm = lambda v, scale: F.layer_norm(v, (network.width,), scale)
            x = F.embedding(x, p["words"]) + p["places"]
            for i in range(network.layers):
                h = norm(x, p[f"first{i}"])
                mixed = F.scaled_dot_product_attention(*(heads(h @ p[f"{kind}{i}"]) for kind in "qkv"), is_causal=True)
                x = x + mixed.transpose(1, 2).flatten(2) @ p[f"o{i}"]
                x = x + F.gelu(norm(x, p[f"second{i}"]) @ p[f"up{i}"], approximate="tanh") @ p[f"down{i}"]
            return norm(x, p["last"]) @ p["words"].T

        def forward(self, x, y):
            return F.cross_entropy(self.logits(x).flatten(0, -2), y.flatten().long())

    module = Network()

    def optimizer(parameters, capturable):
        if isinstance(network, Mlp):
            return torch.optim.SGD(parameters, 0.1, fused=True)
        return torch.optim.Adam(parameters, 1e-3, fused=True, capturable=capturable)
    return module, optimizer

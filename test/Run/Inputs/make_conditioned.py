"""Steps in which Adam amplifies rounding: some gradients are zero but for rounding, and Adam makes a whole step of
each.

    python test/Run/Inputs/make_conditioned.py --out test/Run/Inputs [NAME..]     writes NAME.mlir and NAME.npz (two
                                                                                  recorded steps)

Needs what `scripts/make-venv DIR jax test` installs; running the tests does not.
"""
import argparse
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import dstep as ds


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def batches(make):
    rng = np.random.default_rng(1)
    return [make(rng) for _ in range(2)]


def trained(loss, params, batches, extra=None):
    """Adam on `loss(params, extra, batch)`, which returns the new `extra` (running statistics), too."""
    optimizer = optax.adam(1e-3)

    def step(params, state, batch):
        opt_state, extra = state
        (value, extra), grads = jax.value_and_grad(loss, has_aux=True)(params, extra, batch)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), (opt_state, extra), value

    steps = [(params, (optimizer.init(params), extra), batch) for batch in batches]
    return step, steps


class Attention(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.MultiHeadDotProductAttention(2)(x)


def attention():
    """Softmax does not see what is added to all keys: the gradient of their bias is zero."""
    data = batches(lambda rng: rng.standard_normal((8, 6, 16), np.float32))
    model = Attention()
    params = model.init(jax.random.key(0), data[0])
    return trained(lambda p, extra, x: (jnp.mean(model.apply(p, x) ** 2), extra), params, data)


class Normalised(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(4, (3, 3), strides=2)(x)  # its bias is gone once the mean is taken out
        x = nn.relu(nn.BatchNorm(use_running_average=False)(x))
        return nn.Dense(5)(x.reshape(x.shape[0], -1))


def batch_norm():
    data = batches(lambda rng: {"x": rng.standard_normal((8, 8, 8, 3), np.float32),
                                "y": rng.integers(0, 5, 8, np.int32)})
    model = Normalised()
    start = model.init(jax.random.key(0), data[0]["x"])

    def loss(params, stats, batch):
        logits, new = model.apply({"params": params, "batch_stats": stats}, batch["x"], mutable=["batch_stats"])
        return cross_entropy(logits, batch["y"]), new["batch_stats"]

    return trained(loss, start["params"], data, start["batch_stats"])


def resumed(case, rounds):
    """The same from where training has come to, with a fresh optimizer: most gradients are small differences by
    then."""
    step, steps = case
    step = jax.jit(step)
    params, fresh, _ = steps[0]
    state = fresh
    for number in range(rounds):
        params, state, _ = step(params, state, steps[number % len(steps)][2])
    return step, [(jax.tree.map(np.asarray, params), fresh, batch) for _, _, batch in steps]


class Vae(nn.Module):
    """Flax's example, smaller; the noise is given with the samples."""

    @nn.compact
    def __call__(self, x, noise):
        h = nn.relu(nn.Dense(24)(x))
        mean, log_variance = nn.Dense(4)(h), nn.Dense(4)(h)
        z = mean + jnp.exp(0.5 * log_variance) * noise
        return nn.Dense(x.shape[-1])(nn.relu(nn.Dense(24)(z))), mean, log_variance


def vae():
    data = batches(lambda rng: {"x": (rng.random((8, 64)) < 0.3).astype(np.float32),
                                "noise": rng.standard_normal((8, 4), np.float32)})
    model = Vae()
    params = model.init(jax.random.key(0), **data[0])

    def loss(params, extra, batch):
        logits, mean, log_variance = model.apply(params, **batch)
        sure = jax.nn.log_sigmoid(logits)
        entropy = -jnp.sum(batch["x"] * sure + (1 - batch["x"]) * jnp.log(-jnp.expm1(sure)), -1).mean()
        divergence = -0.5 * jnp.sum(1 + log_variance - jnp.square(mean) - jnp.exp(log_variance), -1).mean()
        return entropy + divergence, extra

    return resumed(trained(loss, params, data), 6000)


ALL = {"adam_attention": attention, "adam_batch_norm": batch_norm, "adam_vae": vae}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; default: all")
    options = parser.parse_args()
    for name in options.names or ALL:
        step, steps = ALL[name]()
        made = ds.jax.export(step, steps[0], params=0, state=1, batch=2, name=name)
        made.write(options.out, steps=steps)
        for other in (".json", ".safetensors"):
            (options.out / (name + other)).unlink(missing_ok=True)


if __name__ == "__main__":
    main()

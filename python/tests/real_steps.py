"""Training steps as people write them: Flax and Optax, control flow, random masks, mixed precision.

    python python/tests/real_steps.py --out DIR [NAME..]     writes NAME.mlir, NAME.json, NAME.safetensors, NAME.npz

Each is a function that returns a ds.jax export and the arguments of two steps. Sizes are small; structure is real.
"""
import argparse
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import dstep as ds


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def images(rng, batch, *shape, classes=10):
    return {"x": rng.standard_normal((batch, *shape), np.float32), "y": rng.integers(0, classes, batch, np.int32)}


def words(rng, batch, length, vocabulary):
    text = rng.integers(0, vocabulary, (batch, length + 1), np.int32)
    return {"tokens": np.ascontiguousarray(text[:, :-1]), "targets": np.ascontiguousarray(text[:, 1:])}


def two_batches(make, *args, **more):
    rng = np.random.default_rng(1)
    return [make(rng, *args, **more) for _ in range(2)]


class MLP(nn.Module):
    widths: tuple = (32, 24, 10)

    @nn.compact
    def __call__(self, x):
        x = x.reshape(x.shape[0], -1)
        for width in self.widths[:-1]:
            x = nn.gelu(nn.Dense(width)(x))
        return nn.Dense(self.widths[-1])(x)


def plain(name, model, batches, optimizer, inputs="x", targets="y"):
    """value_and_grad, an Optax optimizer, nothing else."""
    params = model.init(jax.random.key(0), batches[0][inputs])

    @jax.jit
    def step(params, opt_state, batch):
        loss, grads = jax.value_and_grad(lambda p: cross_entropy(model.apply(p, batch[inputs]), batch[targets]))(params)
        grads = ds.jax.gradients(grads)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    steps = [(params, optimizer.init(params), b) for b in batches]
    return ds.jax.export(step, steps[0], params=0, state=1, batch=2, name=name), steps


def accumulation_scan():
    """Four micro-batches by lax.scan, one update."""
    model, optimizer, micro = MLP(), optax.sgd(0.1, momentum=0.9), 4
    batches = two_batches(images, 32, 8, 8)
    params = model.init(jax.random.key(0), batches[0]["x"])

    def step(params, opt_state, batch):
        parts = jax.tree.map(lambda a: a.reshape(micro, -1, *a.shape[1:]), batch)

        def one(total, part):
            loss, grads = jax.value_and_grad(lambda p: cross_entropy(model.apply(p, part["x"]), part["y"]))(params)
            return (total[0] + loss / micro, jax.tree.map(lambda t, g: t + g / micro, total[1], grads)), None

        (loss, grads), _ = jax.lax.scan(one, (jnp.float32(0), jax.tree.map(jnp.zeros_like, params)), parts)
        updates, opt_state = optimizer.update(ds.jax.gradients(grads), opt_state, params)
        return optax.apply_updates(params, updates), opt_state, {"loss": loss}

    steps = [(params, optimizer.init(params), b) for b in batches]
    return ds.jax.export(step, steps[0], state="opt_state", batch="batch", name="accumulation_scan"), steps


def threefry_dropout():
    """Dropout from a key that is folded with the step count; the mask belongs to the whole batch."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Dropout(0.4, deterministic=False)(nn.gelu(nn.Dense(32)(x.reshape(x.shape[0], -1))))
            return nn.Dense(10)(nn.Dropout(0.2, deterministic=False)(nn.gelu(nn.Dense(24)(x))))

    model, optimizer = Net(), optax.adam(1e-2)
    batches = two_batches(images, 16, 8, 8)
    key = jax.random.key(7)
    params = model.init({"params": key, "dropout": key}, batches[0]["x"])

    def step(params, state, batch, key):
        dropout = jax.random.fold_in(key, state["count"])
        loss_of = lambda p: cross_entropy(model.apply(p, batch["x"], rngs={"dropout": dropout}), batch["y"])
        loss, grads = jax.value_and_grad(loss_of)(params)
        grads = ds.jax.gradients(grads)
        updates, opt = optimizer.update(grads, state["opt"], params)
        return optax.apply_updates(params, updates), {"opt": opt, "count": state["count"] + 1}, {"loss": loss}

    state = {"opt": optimizer.init(params), "count": jnp.int32(0)}
    steps = [(params, state, b, jax.random.key(k)) for k, b in enumerate(batches)]
    return ds.jax.export(step, steps[0], params=0, state=1, batch=2, seed=3, name="threefry_dropout"), steps


def bf16_loss_scaling():
    """bf16 compute, f32 master weights, a loss scale that halves on overflow and doubles after two good steps."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = x.reshape(x.shape[0], -1).astype(jnp.bfloat16)
            x = nn.gelu(nn.Dense(32, dtype=jnp.bfloat16)(x))
            return nn.Dense(10, dtype=jnp.bfloat16)(x).astype(jnp.float32)

    model, optimizer = Net(), optax.sgd(0.05, momentum=0.9)
    batches = two_batches(images, 16, 8, 8)
    params = model.init(jax.random.key(0), batches[0]["x"])

    def step(params, opt_state, scaling, batch):
        scale = scaling["scale"]
        loss_of = lambda p: cross_entropy(model.apply(p, batch["x"]), batch["y"])
        loss, grads = jax.value_and_grad(lambda p: loss_of(p) * scale)(params)
        grads = ds.jax.gradients(grads)
        grads = jax.tree.map(lambda g: g / scale, grads)
        finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
        updates, new_opt = optimizer.update(grads, opt_state, params)
        keep = lambda new, old: jax.tree.map(lambda a, b: jnp.where(finite, a, b), new, old)
        good = jnp.where(finite, scaling["good"] + 1, 0)
        grown = jnp.where(good >= 2, scale * 2, scale)
        scaling = {"scale": jnp.where(finite, grown, scale / 2), "good": jnp.where(good >= 2, 0, good)}
        return keep(optax.apply_updates(params, updates), params), keep(new_opt,
                                                                        opt_state), scaling, {"loss": loss / scale}

    scaling = {"scale": jnp.float32(2.0**12), "good": jnp.int32(0)}
    steps = [(params, optimizer.init(params), scaling, b) for b in batches]
    return ds.jax.export(step, steps[0], state=("opt_state", "scaling"), batch="batch", name="bf16_loss_scaling"), steps


def lstm_scan():
    """An LSTM by flax.linen.RNN (lax.scan), the last state classified."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(10)(nn.RNN(nn.OptimizedLSTMCell(12))(x)[:, -1])

    return plain("lstm_scan", Net(), two_batches(images, 16, 6, 5), optax.adam(1e-2))


def tied_lm_ema():
    """A language model whose embedding is also its head, with an exponential moving average of the parameters."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            embed = nn.Embed(30, 16)
            x = embed(tokens) + self.param("position", nn.initializers.normal(0.02), (tokens.shape[1], 16))
            mask = nn.make_causal_mask(tokens)
            x = x + nn.MultiHeadDotProductAttention(num_heads=2, use_bias=False)(nn.LayerNorm()(x), mask=mask)
            x = x + nn.Dense(16)(nn.gelu(nn.Dense(32)(nn.LayerNorm()(x))))
            return embed.attend(nn.LayerNorm()(x))

    model, optimizer = Net(), optax.adamw(1e-3)
    batches = two_batches(words, 8, 12, 30)
    params = model.init(jax.random.key(0), batches[0]["tokens"])

    def step(params, ema, opt_state, batch):
        loss, grads = jax.value_and_grad(lambda p: cross_entropy(model.apply(p, batch["tokens"]),
                                                                 batch["targets"]))(params)
        grads = ds.jax.gradients(grads)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        ema = jax.tree.map(lambda e, p: 0.99 * e + 0.01 * p, ema, params)
        return params, ema, opt_state, {"loss": loss, "grad_norm": optax.global_norm(grads)}

    steps = [(params, params, optimizer.init(params), b) for b in batches]
    return ds.jax.export(step, steps[0], state=("ema", "opt_state"), batch="batch", name="tied_lm_ema"), steps


def lamb_embedding():
    """Embedding lookup (gather, and scatter-add in its gradient), mean pooling, LAMB."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            return nn.Dense(10)(nn.relu(nn.Dense(16)(nn.Embed(50, 12)(tokens).mean(1))))

    make = lambda rng: {"x": rng.integers(0, 50, (24, 7), np.int32), "y": rng.integers(0, 10, 24, np.int32)}
    return plain("lamb_embedding", Net(), two_batches(make), optax.lamb(1e-2, weight_decay=1e-3))


def vit_adafactor():
    """A vision transformer: patches by convolution, class token, pre-norm blocks; Adafactor."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Conv(16, (4, 4), (4, 4))(x).reshape(x.shape[0], -1, 16)
            token = self.param("token", nn.initializers.normal(0.02), (1, 1, 16))
            x = jnp.concatenate([jnp.tile(token, (x.shape[0], 1, 1)), x], axis=1)
            x = x + self.param("position", nn.initializers.normal(0.02), (x.shape[1], 16))
            for _ in range(2):
                x = x + nn.MultiHeadDotProductAttention(num_heads=2, use_bias=False)(nn.LayerNorm()(x))
                x = x + nn.Dense(16)(nn.gelu(nn.Dense(32)(nn.LayerNorm()(x))))
            return nn.Dense(10)(nn.LayerNorm()(x)[:, 0])

    optimizer = optax.adafactor(1e-2, min_dim_size_to_factor=8)
    return plain("vit_adafactor", Net(), two_batches(images, 8, 16, 16, 3), optimizer)


def resnet_rmsprop():
    """A residual network with batch normalisation and an overlapping max-pool; RMSprop with momentum."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            norm = lambda: nn.BatchNorm(use_running_average=False, momentum=0.9)
            x = nn.relu(norm()(nn.Conv(8, (3, 3), (2, 2), use_bias=False)(x)))
            x = nn.max_pool(x, (3, 3), (2, 2), padding="SAME")
            y = nn.relu(norm()(nn.Conv(8, (3, 3), use_bias=False)(x)))
            x = nn.relu(x + norm()(nn.Conv(8, (3, 3), use_bias=False)(y)))
            return nn.Dense(10)(x.mean((1, 2)))

    # Torch's and TensorFlow's start: without them the first updates are the signs of gradients that may be rounding
    # noise.
    model, optimizer = Net(), optax.rmsprop(1e-2, momentum=0.9, eps=1e-3, initial_scale=1.0)
    batches = two_batches(images, 8, 16, 16, 3)
    variables = model.init(jax.random.key(0), batches[0]["x"])

    def step(params, state, batch):
        def loss_of(params):
            logits, new = model.apply({"params": params, "batch_stats": state["batch_stats"]}, batch["x"],
                                      mutable=["batch_stats"])
            return cross_entropy(logits, batch["y"]), (logits, new["batch_stats"])

        (loss, (logits, statistics)), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
        grads = ds.jax.gradients(grads)
        updates, opt = optimizer.update(grads, state["opt"], params)
        accuracy = (logits.argmax(-1) == batch["y"]).mean()
        return optax.apply_updates(params, updates), {"batch_stats": statistics, "opt": opt}, {"loss": loss,
                                                                                               "accuracy": accuracy}

    state = {"batch_stats": variables["batch_stats"], "opt": optimizer.init(variables["params"])}
    steps = [(variables["params"], state, b) for b in batches]
    return ds.jax.export(step, steps[0], state="state", batch="batch", name="resnet_rmsprop"), steps


def contrastive():
    """Two encoders and the loss of CLIP: every image against every text of the batch, with a learned temperature."""
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x, tokens):
            unit = lambda a: a * jax.lax.rsqrt(jnp.sum(a * a, -1, keepdims=True) + 1e-6)
            image = unit(nn.Dense(8)(nn.gelu(nn.Dense(24)(x.reshape(x.shape[0], -1)))))
            text = unit(nn.Dense(8)(nn.Embed(30, 12)(tokens).mean(1)))
            temperature = self.param("temperature", nn.initializers.constant(1.0), ())
            return jnp.exp(temperature) * image @ text.T

    make = lambda rng: images(rng, 16, 6, 6) | words(rng, 16, 5, 30)
    model, optimizer = Net(), optax.adam(1e-2)
    batches = two_batches(make)
    params = model.init(jax.random.key(0), batches[0]["x"], batches[0]["tokens"])

    def step(params, opt_state, batch):
        def loss_of(params):
            logits = model.apply(params, batch["x"], batch["tokens"])
            pairs = jnp.arange(logits.shape[0])
            return (cross_entropy(logits, pairs) + cross_entropy(logits.T, pairs)) / 2

        loss, grads = jax.value_and_grad(loss_of)(params)
        grads = ds.jax.gradients(grads)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, {"loss": loss}

    for batch in batches:
        del batch["y"], batch["targets"]
    steps = [(params, optimizer.init(params), b) for b in batches]
    return ds.jax.export(step, steps[0], state="opt_state", batch="batch", name="contrastive"), steps


ALL = {f.__name__: f for f in (accumulation_scan, threefry_dropout, bf16_loss_scaling, lstm_scan, tied_lm_ema,
                               lamb_embedding,
                               vit_adafactor, resnet_rmsprop, contrastive)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="folder that receives the files")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; default: all")
    options = parser.parse_args()
    for name in options.names or ALL:
        exported, steps = ALL[name]()
        exported.write(options.out, steps)
        print(f"{name}: {len(exported.carried)} parameters and states, batch of {exported.batch_size}", flush=True)


if __name__ == "__main__":
    main()

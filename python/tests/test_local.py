"""`local` with gradients_mean against JAX's own data parallelism: the same step under vmap, its gradients through
pmean. DS_TEST_RANKS="2,4,8" tests more numbers of ranks."""
import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import dstep as ds
from dstep.base.errors import RunError
from real_steps import MLP, cross_entropy, images, two_batches, words

CONFIG = {"batch": "local", "gradients_mean": True, "local_state": "mean"}
ACROSS = "ranks"
RANKS = [int(n) for n in os.environ.get("DS_TEST_RANKS", "4").split(",") if int(n) > 1]


@jax.custom_vjp
def normalised(x, scale, shift):
    """Batch normalisation whose backward is written by hand: the sums that are the gradients of scale and shift are
    also what the gradient of every sample needs, so they are a rank's own and gradients at once."""
    return forward(x, scale, shift)[0]


def forward(x, scale, shift):
    mean, variance = x.mean(0), x.var(0)
    inverse = jax.lax.rsqrt(variance + 1e-3)
    hat = (x - mean) * inverse
    return hat * scale + shift, (hat, inverse, scale)


def backward(kept, g):
    hat, inverse, scale = kept
    for_scale, for_shift = (g * hat).sum(0), g.sum(0)
    return scale * inverse * (g - (hat * for_scale + for_shift) / g.shape[0]), for_scale, for_shift


normalised.defvjp(forward, backward)


class HandNorm(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (24, 16):
            x = nn.Dense(width, use_bias=False)(x.reshape(x.shape[0], -1))
            x = nn.gelu(normalised(x, self.param(f"scale{width}", nn.initializers.ones, (width,)),
                                   self.param(f"shift{width}", nn.initializers.zeros, (width,))))
        return nn.Dense(10)(x)


class Convolutions(nn.Module):
    @nn.compact
    def __call__(self, x):
        norm = lambda: nn.BatchNorm(use_running_average=False, momentum=0.9)
        x = nn.gelu(norm()(nn.Conv(6, (3, 3), (2, 2), use_bias=False)(x)))
        x = nn.gelu(x + norm()(nn.Conv(6, (3, 3), use_bias=False)(x)))
        return nn.Dense(10)(x.mean((1, 2)))


class Language(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        embed = nn.Embed(30, 16)
        x = embed(tokens)
        x = x + nn.MultiHeadDotProductAttention(num_heads=2, use_bias=False)(nn.LayerNorm()(x),
                                                                             mask=nn.make_causal_mask(tokens))
        return embed.attend(nn.LayerNorm()(x))


class Patches(nn.Module):
    """A position embedding of the shape of a sample, and convolutions."""
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(12, (4, 4), (4, 4))(x).reshape(x.shape[0], -1, 12)
        x = x + self.param("position", nn.initializers.normal(0.02), (1, *x.shape[1:]))
        x = x + nn.Dense(12)(nn.gelu(nn.Dense(24)(nn.LayerNorm()(x))))
        return nn.Dense(10)(nn.LayerNorm()(x).mean(1))


class Pairs(nn.Module):
    """Logits of CLIP: every image of the rank against every text of the rank, with a learned temperature."""
    @nn.compact
    def __call__(self, batch):
        unit = lambda a: a * jax.lax.rsqrt(jnp.sum(a * a, -1, keepdims=True) + 1e-6)
        image = unit(nn.Dense(8)(nn.gelu(nn.Dense(24)(batch["x"].reshape(batch["x"].shape[0], -1)))))
        text = unit(nn.Dense(8)(nn.Embed(30, 12)(batch["tokens"]).mean(1)))
        return jnp.exp(self.param("temperature", nn.initializers.constant(1.0), ())) * image @ text.T


def contrast(logits, _):
    pairs = jnp.arange(logits.shape[0])
    return (cross_entropy(logits, pairs) + cross_entropy(logits.T, pairs)) / 2


def steps_of(model, batches, optimizer, inputs="x", targets="y", micro=1, loss_fn=cross_entropy):
    """A step that hands its gradients to `mean` before anything else sees them, and the arguments of the first call."""
    pick = lambda batch: batch[inputs] if inputs else batch
    variables = model.init(jax.random.key(0), pick(batches[0]))
    params, statistics = variables["params"], variables.get("batch_stats", {})

    def gradients(params, statistics, batch):
        def loss_of(params):
            logits, new = model.apply({"params": params, "batch_stats": statistics}, pick(batch),
                                      mutable=["batch_stats"])
            return loss_fn(logits, batch[targets]), new.get("batch_stats", {})

        (loss, new), grads = jax.value_and_grad(loss_of, has_aux=True)(params)
        return loss, grads, new

    def step(mean, params, state, batch):
        statistics, losses, total = state["statistics"], [], None
        for i in range(micro):
            part = jax.tree.map(lambda a: a.reshape(micro, -1, *a.shape[1:])[i], batch)
            loss, grads, statistics = gradients(params, statistics, part)
            losses.append(loss / micro)
            grads = jax.tree.map(lambda g: g / micro, grads)
            total = grads if total is None else jax.tree.map(jnp.add, total, grads)
        updates, opt = optimizer.update(mean(total), state["opt"], params)
        return optax.apply_updates(params, updates), {"opt": opt, "statistics": statistics}, {"loss": sum(losses)}

    return step, (params, {"opt": optimizer.init(params), "statistics": statistics})


def in_jax(step, ranks, params, state, batches):
    """What `ranks` ranks hold after each step: parameters and optimizers alike, statistics and losses averaged."""
    combined = lambda grads: jax.lax.pmean(grads, ACROSS)
    of_ranks = jax.jit(jax.vmap(lambda *args: step(combined, *args), in_axes=(None, 0, 0), axis_name=ACROSS))
    state = jax.tree.map(lambda a: jnp.stack([a] * ranks), state)
    for batch in batches:
        shares = jax.tree.map(lambda a: a.reshape(ranks, -1, *a.shape[1:]), batch)
        params, state, metrics = of_ranks(params, state, shares)
        params = jax.tree.map(lambda a: a[0], params)
        state["statistics"] = jax.tree.map(lambda a: jnp.broadcast_to(a.mean(0), a.shape), state["statistics"])
        yield params, jax.tree.map(lambda a: a[0], state), jax.tree.map(lambda a: a.mean(0), metrics)


class Local(unittest.TestCase):
    def in_ds(self, step, ranks, marks, carried, batches):
        parallel = ds.jax.data_parallel(lambda params, state, batch: step(marks, params, state, batch),
                                        ranks=ranks, config=CONFIG, params=0, state=1, batch=2)
        return parallel.run([(*carried, batch) for batch in batches])

    def check(self, model, batches, optimizer, rtol=2e-4, atol=2e-5, ranks=RANKS, marks=lambda grads: grads, **more):
        step, carried = steps_of(model, batches, optimizer, **more)
        for number in ranks:
            if len(jax.tree.leaves(batches[0])[0]) % number:
                continue
            with self.subTest(ranks=number):
                got = self.in_ds(step, number, marks, carried, batches)
                for mine, theirs in zip(got, in_jax(step, number, *carried, batches), strict=True):
                    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=rtol, atol=atol), mine, theirs)

    def test_momentum_and_weight_decay(self):
        optimizer = optax.chain(optax.add_decayed_weights(1e-2), optax.sgd(0.1, momentum=0.9, nesterov=True))
        self.check(MLP(), two_batches(images, 16, 8, 8), optimizer)

    def test_batch_norm_clipped_by_norm(self):
        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.adamw(1e-2, eps=1e-3))
        self.check(Convolutions(), two_batches(images, 16, 8, 8, 3), optimizer)

    def test_batch_norm_by_hand_clipped_by_norm(self):
        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.sgd(0.5, momentum=0.9))
        self.check(HandNorm(), two_batches(images, 16, 6, 6), optimizer)

    def test_batch_norm_by_hand_clipped_by_value_in_microbatches(self):
        self.check(HandNorm(), two_batches(images, 32, 6, 6), optax.chain(optax.clip(0.01), optax.sgd(0.5)), micro=2)

    def test_batch_norm_by_hand_adaptive_clipping(self):
        self.check(HandNorm(), two_batches(images, 16, 6, 6),
                   optax.chain(optax.adaptive_grad_clip(0.01), optax.sgd(0.5)))

    def test_batch_norm_by_hand_lamb(self):
        self.check(HandNorm(), two_batches(images, 16, 6, 6), optax.lamb(1e-2, eps=1e-3))

    def test_batch_norm_in_microbatches(self):
        self.check(Convolutions(), two_batches(images, 32, 8, 8, 3), optax.sgd(0.1, momentum=0.9), micro=2)

    def test_normalised_gradients(self):
        optimizer = optax.chain(optax.normalize_by_update_norm(), optax.sgd(0.1))
        self.check(HandNorm(), two_batches(images, 16, 6, 6), optimizer)

    def test_language_model_adafactor(self):
        optimizer = optax.adafactor(1e-2, min_dim_size_to_factor=8)
        self.check(Language(), two_batches(words, 16, 8, 30), optimizer, inputs="tokens", targets="targets")

    def test_pairs_of_a_ranks_samples(self):
        batches = two_batches(lambda rng: images(rng, 16, 6, 6) | words(rng, 16, 5, 30))
        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.adam(1e-2, eps=1e-3))
        self.check(Pairs(), batches, optimizer, inputs=None, loss_fn=contrast)

    def check_mixed(self, mix):
        """`mix` makes the images of a rank's batch into others before a network with BatchNorm sees them."""
        class Mixed(nn.Module):
            @nn.compact
            def __call__(self, x):
                return HandNorm()(mix(nn.Dense(12)(x.reshape(x.shape[0], -1))))

        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.sgd(0.5, momentum=0.9))
        self.check(Mixed(), two_batches(images, 16, 6, 6), optimizer)

    def test_samples_mixed_with_the_next(self):
        self.check_mixed(lambda x: 0.7 * x + 0.3 * jnp.roll(x, 1, 0))

    def test_samples_mixed_with_those_from_behind(self):
        self.check_mixed(lambda x: 0.7 * x + 0.3 * jnp.flip(x, 0))

    def test_nothing_but_the_next_sample(self):
        self.check_mixed(lambda x: jnp.roll(x, 1, 0))

    def test_distances_to_the_first_sample(self):
        self.check_mixed(lambda x: x - x[0])

    def test_halves_swapped(self):
        self.check_mixed(lambda x: jnp.concatenate([x[2:], x[:2]]) * x)

    def test_one_sample_per_rank(self):
        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.adamw(1e-2, eps=1e-3))
        for model, make, more in ((MLP(), lambda rng, ranks: images(rng, ranks, 6, 6), {}),
                                  (Language(), lambda rng, ranks: words(rng, ranks, 8, 30),
                                   dict(inputs="tokens", targets="targets")),
                                  (Patches(), lambda rng, ranks: images(rng, ranks, 8, 8, 3), {})):
            for ranks in RANKS:
                with self.subTest(type(model).__name__):
                    batches = two_batches(make, ranks)
                    step, carried = steps_of(model, batches, optimizer, **more)
                    with self.assertRaisesRegex(RunError, "a rank has one sample.*dstep.jax.gradients"):
                        self.in_ds(step, ranks, lambda grads: grads, carried, batches)
                    self.check(model, batches, optimizer, ranks=[ranks], marks=ds.jax.gradients, **more)

    def test_signs_of_moments(self):
        self.check(MLP(), two_batches(images, 16, 8, 8), optax.lion(1e-3))


if __name__ == "__main__":
    unittest.main()

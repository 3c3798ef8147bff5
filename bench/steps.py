"""The five training steps that ds is measured on: Flax models, Optax optimisers, random data, sizes of real use."""
import functools

import flax.linen as nn
import jax
import numpy as np
import optax

import dstep as ds

STEPS = 2  # recorded steps


def exported(name, step, params, state, batches, source):
    """The step with what it starts from; `steps` are the arguments of the recorded steps."""
    steps = [(params, state, batch) for batch in batches]
    made = ds.jax.export(step, steps[0], state="state", batch="batch", init=ds.jax.flax_init, name=name)
    made.steps, made.source = steps, source
    return made


def cross_entropy(logits, labels):
    return -(jax.nn.one_hot(labels, logits.shape[-1]) * jax.nn.log_softmax(logits)).sum(-1).mean()


class MLP(nn.Module):
    widths: tuple = (512, 256, 10)

    @nn.compact
    def __call__(self, x):
        x = x.reshape(x.shape[0], -1)
        for width in self.widths[:-1]:
            x = nn.relu(nn.Dense(width)(x))
        return nn.Dense(self.widths[-1])(x)


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (32, 64):
            x = nn.relu(nn.Conv(width, (3, 3))(x))
            x = nn.max_pool(x, (2, 2), (2, 2))
        x = x.reshape(x.shape[0], -1)
        return nn.Dense(10)(nn.relu(nn.Dense(256)(x)))


class Block(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x, mask):
        # No bias in the attention: a key bias has a true gradient of zero, and Adam would amplify its rounding noise.
        attention = nn.MultiHeadDotProductAttention(num_heads=self.heads, use_bias=False)
        x = x + attention(nn.LayerNorm()(x), mask=mask)
        h = nn.gelu(nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x)))
        return x + nn.Dense(x.shape[-1])(h)


class GPT(nn.Module):
    vocabulary: int = 256
    width: int = 128
    layers: int = 2
    heads: int = 4

    @nn.compact
    def __call__(self, tokens):
        embedding = self.param("embedding", nn.initializers.normal(0.02), (self.vocabulary, self.width))
        position = self.param("position", nn.initializers.normal(0.02), (tokens.shape[1], self.width))
        x = jax.nn.one_hot(tokens, self.vocabulary) @ embedding + position
        mask = nn.make_causal_mask(tokens)
        for _ in range(self.layers):
            x = Block(self.heads)(x, mask)
        return nn.LayerNorm()(x) @ embedding.T


class ResNet(nn.Module):
    """A stem and three residual blocks on 32x32 images; the second and third halve the image and double the
    channels."""

    @nn.compact
    def __call__(self, x):
        conv = functools.partial(nn.Conv, use_bias=False)
        norm = lambda: nn.BatchNorm(use_running_average=False, momentum=0.9)
        x = nn.relu(norm()(conv(16, (3, 3))(x)))
        for width, stride in ((16, 1), (32, 2), (64, 2)):
            y = nn.relu(norm()(conv(width, (3, 3), (stride, stride))(x)))
            y = norm()(conv(width, (3, 3))(y))
            skip = x if stride == 1 else conv(width, (1, 1), (stride, stride))(x)
            x = nn.relu(y + skip)
        return nn.Dense(10)(x.mean((1, 2)))


def trained(loss_of, optimizer):
    """A step out of a loss and an optimiser."""
    def step(params, state, batch):
        loss, gradients = jax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, {"loss": loss}
    return step


def images(rng, batch, *shape):
    return [{"x": rng.standard_normal((batch, *shape), np.float32),
             "y": rng.integers(0, 10, batch, np.int32)} for _ in range(STEPS)]


def plain(name, source, model, batches, optimizer, inputs="x", targets="y"):
    """A step of a model without running statistics."""
    params = model.init(jax.random.key(0), batches[0][inputs])["params"]
    loss_of = lambda p, b: cross_entropy(model.apply({"params": p}, b[inputs]), b[targets])
    return exported(name, trained(loss_of, optimizer), params, optimizer.init(params), batches, source)


def mlp_sgd(batch=32):
    return plain("mlp_sgd", "MLP 784-512-256-10, sgd(0.1)", MLP(), images(np.random.default_rng(1), batch, 28, 28),
                 optax.sgd(0.1))


def mlp_momentum_wd(batch=32):
    optimizer = optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(0.1, momentum=0.9))
    return plain("mlp_momentum_wd", "MLP 784-512-256-10, weight decay 1e-4, sgd(0.1, momentum 0.9)", MLP(),
                 images(np.random.default_rng(1), batch, 28, 28), optimizer)


def cnn_adam(batch=32):
    return plain("cnn_adam", "CNN 28x28, 3x3x32, pool, 3x3x64, pool, 256, 10, adam(1e-3)", CNN(),
                 images(np.random.default_rng(1), batch, 28, 28, 1), optax.adam(1e-3))


def gpt_adamw_clip(batch=8, length=64):
    rng = np.random.default_rng(1)
    text = [rng.integers(0, 256, (batch, length + 1), np.int32) for _ in range(STEPS)]
    batches = [{"tokens": np.ascontiguousarray(t[:, :-1]), "targets": np.ascontiguousarray(t[:, 1:])} for t in text]
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-4))
    return plain("gpt_adamw_clip", "GPT of 2 layers, width 128, 4 heads, 64 tokens, tied embedding of 256 symbols, "
                 "clip_by_global_norm(1), adamw(3e-4)", GPT(), batches, optimizer, "tokens", "targets")


def resnet_bn_momentum(batch=32):
    model, optimizer = ResNet(), optax.sgd(0.05, momentum=0.9)
    batches = images(np.random.default_rng(1), batch, 32, 32, 3)
    variables = model.init(jax.random.key(0), batches[0]["x"])
    params = variables["params"]

    def step(params, state, batch):
        def loss_of(params):
            logits, new = model.apply({"params": params, "batch_stats": state["batch_stats"]}, batch["x"],
                                      mutable=["batch_stats"])
            return cross_entropy(logits, batch["y"]), (logits, new["batch_stats"])
        (loss, (logits, statistics)), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
        updates, opt = optimizer.update(gradients, state["opt"], params)
        accuracy = (logits.argmax(-1) == batch["y"]).mean()
        return (optax.apply_updates(params, updates), {"batch_stats": statistics, "opt": opt},
                {"loss": loss, "accuracy": accuracy})

    state = {"batch_stats": variables["batch_stats"], "opt": optimizer.init(params)}
    return exported("resnet_bn_momentum", step, params, state, batches,
                    "residual CNN with BatchNorm on 32x32 images, sgd(0.05, momentum 0.9)")


ALL = {f.__name__: f for f in (mlp_sgd, mlp_momentum_wd, cnn_adam, gpt_adamw_clip, resnet_bn_momentum)}

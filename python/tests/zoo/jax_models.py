"""Models of Flax, Haiku and Equinox, and optimizers of Optax. `make` returns (step, [arguments, arguments]) with the
arguments params, state, batch. The libraries hold layers and a few networks; the examples that come in no package are
written as they are there, at smaller sizes."""
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax

import dstep as ds
from table import Entry

RNG = np.random.default_rng(0)


def cross_entropy(scores, labels):
    return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()


def images(*dims, classes=10):
    return {"x": RNG.standard_normal(dims).astype(np.float32), "y": RNG.integers(0, classes, dims[0], np.int32)}


def words(rows=4, length=6, vocabulary=30):
    text = RNG.integers(0, vocabulary, (rows, length + 1), np.int32)
    return {"x": np.ascontiguousarray(text[:, :-1]), "y": np.ascontiguousarray(text[:, 1:])}


def trained(params, apply, make_batch, optimizer=None, loss_of=None):
    """value_and_grad and an Optax optimizer; `apply` gives scores."""
    optimizer = optimizer or optax.adam(1e-3)
    loss_of = loss_of or (lambda params, batch: cross_entropy(apply(params, batch["x"]), batch["y"]))

    def step(params, state, batch):
        loss, gradients = jax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(ds.jax.gradients(gradients), state, params)
        return optax.apply_updates(params, updates), state, loss
    return step, [(params, optimizer.init(params), make_batch()) for _ in range(2)]


def with_statistics(params, statistics, apply, make_batch):
    """The same with running statistics: `apply` gives scores and new statistics."""
    optimizer = optax.sgd(0.01, momentum=0.9)

    def step(params, state, batch):
        def loss_of(params):
            scores, statistics = apply(params, state["statistics"], batch["x"])
            return cross_entropy(scores, batch["y"]), statistics
        (loss, statistics), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
        updates, optimizer_state = optimizer.update(ds.jax.gradients(gradients), state["optimizer"], params)
        return optax.apply_updates(params, updates), {"statistics": statistics, "optimizer": optimizer_state}, loss
    return step, [(params, {"statistics": statistics, "optimizer": optimizer.init(params)}, make_batch())
                  for _ in range(2)]


def flax_mnist():
    import flax.linen as nn

    class CNN(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.avg_pool(nn.relu(nn.Conv(4, (3, 3))(x)), (2, 2), strides=(2, 2))
            x = nn.avg_pool(nn.relu(nn.Conv(8, (3, 3))(x)), (2, 2), strides=(2, 2))
            return nn.Dense(10)(nn.relu(nn.Dense(16)(x.reshape(x.shape[0], -1))))
    make_batch = lambda: images(8, 12, 12, 1)
    model = CNN()
    return trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch, optax.sgd(0.1, 0.9))


def flax_resnet():
    import flax.linen as nn

    class Block(nn.Module):
        width: int
        stride: int

        @nn.compact
        def __call__(self, x):
            norm = lambda: nn.BatchNorm(use_running_average=False, momentum=0.9)
            y = nn.relu(norm()(nn.Conv(self.width, (3, 3), (self.stride, self.stride), use_bias=False)(x)))
            y = norm()(nn.Conv(self.width, (3, 3), use_bias=False)(y))
            if x.shape != y.shape:
                x = norm()(nn.Conv(self.width, (1, 1), (self.stride, self.stride), use_bias=False)(x))
            return nn.relu(x + y)

    class ResNet(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.max_pool(nn.Conv(8, (7, 7), (2, 2), use_bias=False)(x), (3, 3), (2, 2), padding="SAME")
            for width, stride in ((8, 1), (16, 2)):
                x = Block(width, stride)(x)
            return nn.Dense(10)(x.mean((1, 2)))
    make_batch = lambda: images(8, 32, 32, 3)
    model = ResNet()
    variables = model.init(jax.random.key(0), make_batch()["x"])

    def apply(params, statistics, x):
        scores, changed = model.apply({"params": params, "batch_stats": statistics}, x, mutable=["batch_stats"])
        return scores, changed["batch_stats"]
    return with_statistics(variables["params"], variables["batch_stats"], apply, make_batch)


def flax_transformer():
    import flax.linen as nn

    class Layer(nn.Module):
        @nn.compact
        def __call__(self, x, mask):
            h = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=2, use_bias=False)(h, h, mask=mask)
            return x + nn.Dense(16)(nn.gelu(nn.Dense(32)(nn.LayerNorm()(x))))

    class LanguageModel(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(30, 16)(tokens) + self.param("position", nn.initializers.normal(0.02), (6, 16))
            for _ in range(2):
                x = Layer()(x, nn.make_causal_mask(tokens))
            return nn.Dense(30)(nn.LayerNorm()(x))
    model = LanguageModel()
    return trained(model.init(jax.random.key(0), words()["x"]), model.apply, words, optax.adamw(1e-3))


def flax_recurrent(cell):
    def make():
        import flax.linen as nn

        class Tagger(nn.Module):
            @nn.compact
            def __call__(self, tokens):
                return nn.Dense(30)(nn.RNN(getattr(nn, cell)(8))(nn.Embed(30, 8)(tokens)))
        model = Tagger()
        return trained(model.init(jax.random.key(0), words()["x"]), model.apply, words)
    return make


def flax_nnx():
    from flax import nnx

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.conv, self.norm = nnx.Conv(1, 4, (3, 3), rngs=rngs), nnx.LayerNorm(4, rngs=rngs)
            self.linear = nnx.Linear(4, 10, rngs=rngs)

        def __call__(self, x):
            return self.linear(nnx.relu(self.norm(self.conv(x))).mean((1, 2)))
    definition, params = nnx.split(Net(nnx.Rngs(0)))
    return trained(params, lambda params, x: nnx.merge(definition, params)(x), lambda: images(8, 8, 8, 1))


def haiku_network(build, make_batch, state=False):
    """A function of Haiku; with `state` one whose BatchNorm keeps statistics."""
    def make():
        import haiku as hk
        function = lambda x: build(hk)(x)
        if not state:
            model = hk.without_apply_rng(hk.transform(function))
            return trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch)
        model = hk.without_apply_rng(hk.transform_with_state(function))
        params, statistics = model.init(jax.random.key(0), make_batch()["x"])
        return with_statistics(params, statistics, model.apply, make_batch)
    return make


def haiku_resnet(hk):
    model = hk.nets.ResNet((1, 1, 1, 1), 10, channels_per_group=(8, 16, 16, 32), bottleneck=False)
    return lambda x: model(x, is_training=True)


def haiku_mobilenet(hk):
    model = hk.nets.MobileNetV1((1, 2, 2), (8, 16, 16), num_classes=10)
    return lambda x: model(x, is_training=True)


def haiku_attention(hk):
    def apply(x):
        h = hk.Embed(30, 8)(x)
        mask = jnp.tril(jnp.ones((1, 1, x.shape[1], x.shape[1])))
        h = h + hk.MultiHeadAttention(2, 4, w_init=hk.initializers.VarianceScaling(), with_bias=False)(h, h, h,
                                                                                                       mask=mask)
        return hk.Linear(30)(hk.LayerNorm(-1, True, True)(h))
    return apply


def haiku_lstm(hk):
    def apply(x):
        core = hk.LSTM(8)
        outputs, _ = hk.dynamic_unroll(core, hk.Embed(30, 8)(x), core.initial_state(x.shape[0]), time_major=False)
        return hk.Linear(30)(outputs)
    return apply


def equinox_network(build, make_batch):
    """A module of Equinox, mapped over the samples."""
    def make():
        import equinox as eqx
        params, static = eqx.partition(build(eqx), eqx.is_inexact_array)
        return trained(params, lambda params, x: jax.vmap(eqx.combine(params, static))(x), make_batch)
    return make


def equinox_gru(eqx):
    class Classifier(eqx.Module):
        cell: eqx.nn.GRUCell
        out: eqx.nn.Linear

        def __call__(self, x):
            last, _ = jax.lax.scan(lambda h, v: (self.cell(v, h), None), jnp.zeros(8), x)
            return self.out(last)
    first, second = jax.random.split(jax.random.key(0))
    return Classifier(eqx.nn.GRUCell(5, 8, key=first), eqx.nn.Linear(8, 10, key=second))


def equinox_cnn(eqx):
    keys = jax.random.split(jax.random.key(0), 3)
    return eqx.nn.Sequential([eqx.nn.Conv2d(1, 4, 3, key=keys[0]), eqx.nn.MaxPool2d(2, 2), eqx.nn.Lambda(jax.nn.relu),
                              eqx.nn.Lambda(jnp.ravel),
                              eqx.nn.Linear(4 * 25, 10, key=keys[1])])


def optimizer(make_optimizer):
    """A network of two layers under an optimizer of Optax."""
    def make():
        import flax.linen as nn
        model = nn.Sequential([nn.Dense(16), nn.gelu, nn.Dense(10)])
        make_batch = lambda: images(8, 12)
        return trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch, make_optimizer())
    return make


ENTRIES = [
    Entry("flax/examples/mnist", flax_mnist, "12x12 images", quick=True, local=True),
    Entry("flax/examples/imagenet", flax_resnet, "two blocks, 32x32 images"),
    Entry("flax/examples/lm1b", flax_transformer, "two layers of width 16", local=True),
    Entry("flax/LSTM", flax_recurrent("OptimizedLSTMCell"), "width 8, six positions", local=True),
    Entry("flax/GRU", flax_recurrent("GRUCell"), "width 8, six positions", local=True),
    Entry("flax/nnx", flax_nnx, "a convolution, a norm and a layer, 8x8 images", local=True),
    Entry("haiku/nets/ResNet", haiku_network(haiku_resnet, lambda: images(8, 32, 32, 3), True),
          "one block per group, 32x32 images"),
    Entry("haiku/nets/MobileNetV1", haiku_network(haiku_mobilenet, lambda: images(8, 16, 16, 3), True),
          "three blocks, 16x16 images"),
    Entry("haiku/nets/MLP", haiku_network(lambda hk: hk.nets.MLP([16, 10]), lambda: images(8, 12)), "two layers",
          quick=True, local=True),
    Entry("haiku/MultiHeadAttention", haiku_network(haiku_attention, words), "one layer of width 8", local=True),
    Entry("haiku/LSTM", haiku_network(haiku_lstm, words), "width 8, six positions", local=True),
    Entry("equinox/nn/MLP", equinox_network(lambda eqx: eqx.nn.MLP(12, 10, 16, 2, key=jax.random.key(0)),
                                            lambda: images(8, 12)), "two layers of width 16",
          local=True),
    Entry("equinox/nn/GRUCell", equinox_network(equinox_gru, lambda: images(8, 6, 5)), "width 8, six positions",
          quick=True, local=True),
    Entry("equinox/nn/Conv2d", equinox_network(equinox_cnn, lambda: images(8, 1, 12, 12)), "12x12 images", local=True),
    Entry("optax/lamb", optimizer(lambda: optax.lamb(1e-3)), "two layers of width 16", local=True),
    Entry("optax/adafactor", optimizer(lambda: optax.adafactor(1e-3)), "two layers of width 16", local=True),
    Entry("optax/lion", optimizer(lambda: optax.lion(1e-3)), "two layers of width 16", local=True),
    Entry("optax/muon", optimizer(lambda: optax.contrib.muon(1e-3)), "two layers of width 16", local=True),
]

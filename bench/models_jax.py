"""What bench/models.py has of its models in JAX: the ResNets of Haiku, a transformer of Flax, an LSTM of Haiku, in the
sizes of models_torch.py.

ALL names them; each value is called with nothing and returns (step, (params, state, batch)), as the models of
python/tests/zoo do. They draw no random masks, which is less work than the models of PyTorch have.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python/tests/zoo"))
import jax
import jax.numpy as jnp
import optax

import jax_models as zoo
import steps

WORDS = 2000


def first(made):
    step, arguments = made
    return step, arguments[0]


def resnet(name, rows=8, size=64):
    def build(hk):
        model = getattr(hk.nets, name)(10, resnet_v2=False)
        return lambda x: model(x, is_training=True)
    return lambda: first(zoo.haiku_network(build, lambda: zoo.images(rows, size, size, 3), True)())


def clipped(optimizer):
    return optax.chain(optax.clip_by_global_norm(1.0), optimizer)


def transformer(batch, length, optimizer, **sizes):
    def make():
        model, make_batch = steps.GPT(**sizes), lambda: zoo.words(batch, length, sizes["vocabulary"])
        return first(zoo.trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch, optimizer))
    return make


def lstm(words=WORDS, width=200, rows=8):
    import haiku as hk

    def network(x):
        core = hk.DeepRNN([hk.LSTM(width), hk.LSTM(width)])
        embedding = hk.get_parameter("embedding", (words, width), init=hk.initializers.RandomNormal(0.1))
        outputs, _ = hk.dynamic_unroll(core, embedding[x], core.initial_state(x.shape[0]), time_major=False)
        return outputs @ embedding.T + hk.get_parameter("bias", (words,), init=jnp.zeros)
    model, make_batch = hk.without_apply_rng(hk.transform(network)), lambda: zoo.words(rows, 35, words)
    optimizer = optax.chain(optax.clip_by_global_norm(0.25), optax.sgd(0.5))
    return first(zoo.trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch, optimizer))


def network(kind, optimizer, batch, *shape):
    def make():
        model, make_batch = kind(), lambda: zoo.images(batch, *shape)
        return first(zoo.trained(model.init(jax.random.key(0), make_batch()["x"]), model.apply, make_batch, optimizer))
    return make


ALL = {
    "resnet18": resnet("ResNet18"),
    "resnet50": resnet("ResNet50"),
    "gpt2": transformer(8, 64, clipped(optax.adamw(1e-3)), vocabulary=WORDS, width=256, layers=4, heads=4),
    "lstm": lstm,
    "mlp": network(steps.MLP, optax.sgd(0.1), 256, 28, 28),
    "gpt": transformer(16, 64, optax.adam(1e-3), vocabulary=256, width=128, layers=2, heads=4),
    "cnn": network(steps.CNN, optax.adam(1e-3), 128, 28, 28, 1),
    **{f"gpt_s{length}": transformer(8, length, optax.adamw(1e-3), vocabulary=256, width=512, layers=4, heads=8)
       for length in (128, 512, 1024)},
    "gpt2_124m": transformer(4, 512, optax.adamw(1e-3), vocabulary=50257, width=768, layers=12, heads=12),
    "resnet50_224": resnet("ResNet50", 32, 224),
    "lstm_1024": lambda: lstm(10_000, 1024, 20),
}

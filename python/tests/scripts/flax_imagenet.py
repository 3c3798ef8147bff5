"""A residual network of Flax with batch norm: a TrainState that holds its running statistics, weight decay in the loss,
a warm-up and a cosine."""
import functools
import time
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class Block(nn.Module):
    filters: int
    strides: tuple[int, int]
    train: bool

    @nn.compact
    def __call__(self, x):
        norm = functools.partial(nn.BatchNorm, use_running_average=not self.train, momentum=0.9, epsilon=1e-5)
        y = nn.relu(norm()(nn.Conv(self.filters, (3, 3), self.strides, use_bias=False)(x)))
        y = norm(scale_init=nn.initializers.zeros_init())(nn.Conv(self.filters, (3, 3), use_bias=False)(y))
        if x.shape != y.shape:
            x = norm(name="norm_proj")(nn.Conv(self.filters, (1, 1), self.strides, use_bias=False, name="conv_proj")(x))
        return nn.relu(x + y)


class ResNet(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.relu(nn.BatchNorm(use_running_average=not train, momentum=0.9)(nn.Conv(8, (3, 3), use_bias=False)(x)))
        for filters, strides in ((8, (1, 1)), (16, (2, 2)), (32, (2, 2))):
            x = Block(filters, strides, train)(x)
        return nn.Dense(10)(jnp.mean(x, axis=(1, 2)))


class TrainState(train_state.TrainState):
    batch_stats: Any


@jax.jit
def train_step(state, image, label):
    def loss_fn(params):
        logits, new = state.apply_fn({"params": params, "batch_stats": state.batch_stats}, image,
                                     mutable=["batch_stats"])
        decay = sum(jnp.sum(x ** 2) for x in jax.tree_util.tree_leaves(params) if x.ndim > 1)
        return optax.softmax_cross_entropy_with_integer_labels(logits, label).mean() + 1e-4 * 0.5 * decay, new

    (loss, new), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=new["batch_stats"]), loss


rng = np.random.default_rng(0)
images = rng.standard_normal((256, 16, 16, 3), np.float32)
labels = ((images.mean((1, 2, 3)) > 0) + 2 * (images[..., 0].mean((1, 2)) > 0)).astype(np.int32)
variables = ResNet().init(jax.random.key(0), jnp.ones([1, 16, 16, 3]))
state = TrainState.create(apply_fn=ResNet().apply, params=variables["params"], batch_stats=variables["batch_stats"],
                          tx=optax.sgd(optax.warmup_cosine_decay_schedule(0.0, 0.05, 8, 24), 0.9, nesterov=True))
for epoch in range(3):
    begin, losses = time.perf_counter(), []
    for rows in rng.permutation(256).reshape(-1, 32):
        state, loss = train_step(state, images[rows], labels[rows])
        losses.append(float(loss))
    print(f"epoch {epoch} loss {np.mean(losses):.6f} seconds {time.perf_counter() - begin:.4f}")

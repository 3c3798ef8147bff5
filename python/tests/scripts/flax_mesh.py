"""A convolutional network of Flax on all devices there are: samples are sharded, the state is replicated and
donated."""
import time

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state
from jax.sharding import AxisType, NamedSharding, PartitionSpec


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(features=8, kernel_size=(3, 3))(x))
        x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(features=16, kernel_size=(3, 3))(x))
        x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        return nn.Dense(features=10)(nn.relu(nn.Dense(features=32)(x)))


def train_step(state, image, label):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, image)
        return optax.softmax_cross_entropy_with_integer_labels(logits, label).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


mesh = jax.make_mesh((len(jax.devices()),), ("data",), axis_types=(AxisType.Auto,))
samples, whole = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
train_step = jax.jit(train_step, donate_argnums=0, in_shardings=(whole, samples, samples), out_shardings=(whole, whole))

rng = np.random.default_rng(0)
images = rng.standard_normal((512, 16, 16, 1), np.float32)
labels = (4 * images.mean((1, 2, 3)) > 0).astype(np.int32)
cnn = CNN()


@jax.jit
def create(key):
    params = cnn.init(key, jnp.ones([1, 16, 16, 1]))["params"]
    return train_state.TrainState.create(apply_fn=cnn.apply, params=params, tx=optax.sgd(0.05, 0.9))


state = jax.device_put(create(jax.random.key(0)), whole)
for epoch in range(3):
    begin, losses = time.perf_counter(), []
    for rows in rng.permutation(512).reshape(-1, 32):
        state, loss = train_step(state, *jax.device_put((images[rows], labels[rows]), samples))
        losses.append(float(loss))
    print(f"epoch {epoch} loss {np.mean(losses):.6f} seconds {time.perf_counter() - begin:.4f}")

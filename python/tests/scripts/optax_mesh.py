"""A perceptron in plain JAX, trained by AdamW of Optax on all devices there are, over which samples and weights are
sharded."""
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec

devices = len(jax.devices())
mesh = jax.make_mesh((max(devices // 2, 1), min(devices, 2)), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
sharded = lambda *axes: NamedSharding(mesh, PartitionSpec(*axes))
rng = np.random.default_rng(0)
inputs = rng.standard_normal((1024, 32)).astype(np.float32)
targets = np.sin(inputs @ rng.standard_normal((32, 4)).astype(np.float32) / 4)
params = {"w1": rng.standard_normal((32, 64)).astype(np.float32) / 6, "b1": np.zeros(64, np.float32),
          "w2": rng.standard_normal((64, 4)).astype(np.float32) / 8, "b2": np.zeros(4, np.float32)}
params = jax.device_put(params, {"w1": sharded(None, "model"), "b1": sharded("model"), "w2": sharded("model", None),
                                 "b2": sharded()})
optimizer = optax.adamw(3e-3)
opt_state = jax.tree.map(lambda leaf: leaf if leaf.ndim else jax.device_put(leaf, sharded()), optimizer.init(params))


def loss_of(params, batch):
    x, y = batch
    return ((jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"] - y) ** 2).mean()


def update(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_of)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


shardings = lambda tree: jax.tree.map(lambda leaf: leaf.sharding, tree)
update = jax.jit(update, donate_argnums=(0, 1), out_shardings=(shardings(params), shardings(opt_state), sharded()))

for epoch in range(3):
    begin, losses = time.perf_counter(), []
    for rows in rng.permutation(1024).reshape(-1, 64):
        params, opt_state, loss = update(params, opt_state,
                                         jax.device_put((inputs[rows], targets[rows]), sharded("data")))
        losses.append(float(loss))
    print(f"epoch {epoch} loss {np.mean(losses):.6f} seconds {time.perf_counter() - begin:.4f}")

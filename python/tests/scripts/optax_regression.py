"""A perceptron in plain JAX, trained by a chain of Optax: clipping, AdamW, a warm-up."""
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(0)
inputs = rng.standard_normal((1024, 32)).astype(np.float32)
targets = np.sin(inputs @ rng.standard_normal((32, 4)).astype(np.float32) / 4)
params = {"w1": rng.standard_normal((32, 64)).astype(np.float32) / 6, "b1": np.zeros(64, np.float32),
          "w2": rng.standard_normal((64, 4)).astype(np.float32) / 8, "b2": np.zeros(4, np.float32)}
optimizer = optax.chain(optax.clip_by_global_norm(1.0),
                        optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 3e-3, 10, 100)))
opt_state = optimizer.init(params)


def loss_of(params, batch):
    x, y = batch
    return ((jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"] - y) ** 2).mean()


@jax.jit
def update(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_of)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


for epoch in range(3):
    begin, losses = time.perf_counter(), []
    for rows in rng.permutation(1024).reshape(-1, 64):
        params, opt_state, loss = update(params, opt_state, (inputs[rows], targets[rows]))
        losses.append(float(loss))
    print(f"epoch {epoch} loss {np.mean(losses):.6f} seconds {time.perf_counter() - begin:.4f}")

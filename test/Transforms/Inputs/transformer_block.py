"""Writes transformer_block.mlir: a block of a transformer at the size of a real one (8 x 512 tokens, width 1024, 16
heads, 4096 in between) with Adam.

    python transformer_block.py            (needs the package in python/ with JAX, and Optax)
"""
import pathlib

import dstep as ds
import jax
import jax.numpy as jnp
import numpy as np
import optax

BATCH, TOKENS, WIDTH, BETWEEN, HEADS = 8, 512, 1024, 4096, 16
SHAPES = {name: (WIDTH, WIDTH) for name in ("q", "k", "v", "proj")} | {"up": (WIDTH, BETWEEN), "down": (BETWEEN, WIDTH)}
optimizer = optax.adam(1e-3)


def normal(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def block(params, x):
    q, k, v = ((normal(x) @ params[name]).reshape(BATCH, TOKENS, HEADS, -1).transpose(0, 2, 1, 3) for name in "qkv")
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * (WIDTH // HEADS) ** -0.5
    weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((TOKENS, TOKENS), bool)), scores, -1e30))
    x += jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3).reshape(x.shape) @ params["proj"]
    return x + jax.nn.gelu(normal(x) @ params["up"]) @ params["down"]


def step(params, state, x, y):
    loss, gradients = jax.value_and_grad(lambda params: ((block(params, x) - y) ** 2).mean())(params)
    updates, state = optimizer.update(gradients, state, params)
    return optax.apply_updates(params, updates), state, loss


params = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
x = np.zeros((BATCH, TOKENS, WIDTH), np.float32)
made = ds.jax.export(step, (params, optimizer.init(params), x, x), params="params", state="state", batch=["x", "y"],
                     name="transformer_block")
pathlib.Path(__file__).with_suffix(".mlir").write_text(made.mlir, encoding="utf-8")

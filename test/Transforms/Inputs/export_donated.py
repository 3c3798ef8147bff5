#!/usr/bin/env python3
"""Writes the unannotated JAX export and the two recordings beside it: what a user gets from jax.jit(step,
donate_argnums=(0, 1)).

JAX records donation as tf.aliasing_output, paired by shape and dtype alone. In donated_state_first the step returns the
momentum before the parameters, which have the same shapes, so that pairing is crossed. The recordings (.npz) hold two
steps computed by JAX; inputs of the second one are its batch only.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "bench"))

import jax
import jax.numpy as jnp
import numpy as np
import optax

from dstep.frontend import normalise
from models import MLP, cross_entropy

BATCH = 8


def main():
    rng = np.random.default_rng(7)
    batches = [(rng.standard_normal((BATCH, 12), np.float32), rng.integers(0, 4, BATCH, np.int32)) for _ in range(2)]
    model, optimizer = MLP((6, 4)), optax.sgd(0.1, momentum=0.9)
    params = model.init(jax.random.key(0), batches[0][0])["params"]
    # A momentum unlike the parameters and unlike zero, so that a crossed pairing changes every number.
    state = jax.tree.map(lambda p: jnp.asarray(rng.standard_normal(p.shape), p.dtype) * 0.1, optimizer.init(params))

    def train(params, state, x, y):
        loss, gradients = jax.value_and_grad(lambda p: cross_entropy(model.apply({"params": p}, x), y))(params)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, loss

    def state_first(params, state, x, y):
        params, state, loss = train(params, state, x, y)
        return state, params, loss

    for name, step in (("donated_params_first", train), ("donated_state_first", state_first)):
        jitted = jax.jit(step, donate_argnums=(0, 1))
        lowered = jitted.trace(params, state, *batches[0]).lower(lowering_platforms=("tpu",))
        if step is train:  # donated_state_first.sed makes the other export of it
            (HERE / f"{name}.mlir").write_text(normalise(str(lowered.compiler_ir("stablehlo"))))
        arrays, carried = {}, (params, state)
        for k, batch in enumerate(batches, 1):
            leaves = jax.tree.leaves((*carried, *batch))
            stored = range(len(leaves)) if k == 1 else range(len(leaves) - 2, len(leaves))
            arrays |= {f"step{k}_arg{i}": np.asarray(leaves[i]) for i in stored}
            results = jax.jit(step)(*carried, *batch)
            arrays |= {f"step{k}_res{i}": np.asarray(r) for i, r in enumerate(jax.tree.leaves(results))}
            carried = results[:2] if step is train else (results[1], results[0])
        np.savez(HERE / f"{name}.npz", **arrays)


if __name__ == "__main__":
    main()

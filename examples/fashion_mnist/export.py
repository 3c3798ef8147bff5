#!/usr/bin/env python3
"""Exports this example from JAX: step.mlir (one training step) and forward.mlir (logits, for the test accuracy).

    python examples/fashion_mnist/export.py [--batch 128] [--train]

Needs the package in python/ (pip install ./python[jax] flax optax); running the exported files needs none of it.
--train also trains the same step in JAX on the real images and prints the test accuracy after each epoch.
"""
import argparse
import gzip
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
HERE = pathlib.Path(__file__).resolve().parent

import flax.linen as nn
import jax
import numpy as np
import optax

import dstep

DATA = pathlib.Path("/usr/share/datasets/fashion-mnist")
EVAL_BATCH = 250  # divides the 10000 test images


class MLP(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x.reshape(x.shape[0], -1)
        for width in (512, 256):
            # A smooth activation: with relu a rounding difference can flip a unit that is almost zero, and two correct
            # runs then part visibly within 50 steps.
            x = nn.gelu(nn.Dense(width)(x))
        return nn.Dense(10)(x)


model = MLP()
momentum = optax.trace(decay=0.9)


def loss_of(params, batch):
    scores = jax.nn.log_softmax(model.apply({"params": params}, batch["x"]))
    return -(jax.nn.one_hot(batch["y"], 10) * scores).sum(-1).mean()


def step(params, state, batch, hyper):
    loss, gradients = jax.value_and_grad(loss_of)(params, batch)
    updates, trace = momentum.update(gradients, state["momentum"], params)
    rate = hyper["lr"] / (1 + state["count"] / 400)  # falls slowly and never ends, whatever the number of epochs
    params = jax.tree.map(lambda p, u: p - rate * u, params, updates)
    return params, {"momentum": trace, "count": state["count"] + 1}, {"loss": loss}


def idx(name, header):
    return np.frombuffer(gzip.decompress((DATA / name).read_bytes()), np.uint8, offset=header)


def train(params, state, batch, rate, epochs):
    images = idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28) / np.float32(255)
    labels = idx("train-labels-idx1-ubyte.gz", 8).astype(np.int32)
    test = idx("t10k-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28) / np.float32(255)
    truth = idx("t10k-labels-idx1-ubyte.gz", 8)
    rng, jitted = np.random.default_rng(0), jax.jit(step, donate_argnums=(0, 1))
    for epoch in range(epochs):
        order = rng.permutation(len(images))
        for k in range(len(images) // batch):
            rows = order[k * batch:(k + 1) * batch]
            params, state, metrics = jitted(params, state, {"x": images[rows], "y": labels[rows]}, {"lr": rate})
        right = (model.apply({"params": params}, test).argmax(-1) == truth).mean()
        print(f"epoch {epoch + 1}: loss {float(metrics['loss']):.4f}, test accuracy {100 * float(right):.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=128, help="samples of one step (default 128)")
    parser.add_argument("--train", action="store_true", help="train in JAX too, for 3 epochs")
    parser.add_argument("--lr", type=float, default=0.1, help="learning rate of --train (default 0.1)")
    options = parser.parse_args()
    sample = {"x": np.zeros((options.batch, 28, 28), np.float32), "y": np.zeros(options.batch, np.int32)}
    params = model.init(jax.random.key(0), sample["x"])["params"]
    state = {"momentum": momentum.init(params), "count": np.int32(0)}
    exported = dstep.jax.export(step, (params, state, sample, {"lr": np.float32(options.lr)}), state="state",
                                batch="batch",
                                init=dstep.jax.flax_init)
    (HERE / "step.mlir").write_text(exported.mlir)
    logits = lambda params, x: model.apply({"params": params}, x)
    forward = dstep.jax.export_forward(logits, (params, np.zeros((EVAL_BATCH, 28, 28), np.float32)), batch="x",
                                       name="logits")
    (HERE / "forward.mlir").write_text(forward.mlir)
    if options.train:
        train(params, state, options.batch, np.float32(options.lr), 3)


if __name__ == "__main__":
    main()

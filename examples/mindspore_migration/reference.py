"""What n processes of mindspore_train.py compute, written out in numpy: python reference.py [--ranks 2] [--out
reference.npz]

Each process has the samples r, r + n, .. in their order; gradients are summed over the processes and multiplied by 1/n;
Momentum adds the weight decay to the gradient, v' = momentum v + g, p' = p - rate v'.
"""
import argparse

import numpy as np

import common


def gradients(values, x, y):
    """Of the mean cross entropy of one process's batch."""
    hidden = x @ values["0.weight"].T + values["0.bias"]
    active = np.maximum(hidden, 0)
    logits = active @ values["2.weight"].T + values["2.bias"]
    weights = np.exp(logits - logits.max(1, keepdims=True))
    of_logits = weights / weights.sum(1, keepdims=True)
    of_logits[np.arange(len(y)), y] -= 1
    of_logits /= len(y)
    of_hidden = of_logits @ values["2.weight"] * (hidden > 0)
    return {"0.weight": of_hidden.T @ x, "0.bias": of_hidden.sum(0), "2.weight": of_logits.T @ active,
            "2.bias": of_logits.sum(0)}


def train(ranks):
    x, y = common.samples()
    x, values = x.astype(np.float64), {name: value.astype(np.float64) for name, value in common.initial().items()}
    velocity = {name: np.zeros_like(value) for name, value in values.items()}
    for step in range(common.EPOCHS * (len(x) // ranks // common.BATCH)):
        first = step % (len(x) // ranks // common.BATCH) * common.BATCH
        of_ranks = []
        for rank in range(ranks):
            rows = np.arange(rank, len(x), ranks)[first:first + common.BATCH]
            of_ranks.append(gradients(values, x[rows], y[rows]))
        for name in values:
            gradient = sum(g[name] for g in of_ranks) / ranks + common.WEIGHT_DECAY * values[name]
            velocity[name] = common.MOMENTUM * velocity[name] + gradient
            values[name] = values[name] - common.LEARNING_RATE * velocity[name]
    return values


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--out", default="reference.npz")
    arguments = parser.parse_args()
    np.savez(arguments.out, **train(arguments.ranks))

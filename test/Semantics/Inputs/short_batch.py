"""weighted.mlir over 26 samples, which its batch does not divide: every sample counts once per epoch, padding never.

short_batch.py STEP.mlir DIR
"""
import sys

import numpy as np

from step import expect, for_samples, run

step, folder = sys.argv[1:3]
x, y, weight = (np.load(f"{folder}/{name}26.npy").astype(np.float64) for name in ("x", "y", "weight"))
DATA = ",".join(f"{name}={folder}/{name}26.npy" for name in ("x", "y", "id"))
EPOCHS = 2


def gradient(w, samples, weights):
    share = weights / weights.sum()
    return (share * (x[samples] @ w - y[samples])) @ x[samples]


def train(ranks, rows, epochs, *flags, data=DATA):
    return run(for_samples(step, folder, rows), folder, ranks, "--data", data, "--epochs", str(epochs), *flags)


# `global`: several steps per epoch mean the same on any number of ranks; a step that takes all samples is computed by
# hand.
for rows in (16, 32):
    for weights in (np.ones(26), weight):
        data = DATA if weights[1] == 1 else f"{DATA},weight={folder}/weight26.npy"
        one = None
        for ranks in (1, 2, 4, 8, 16):
            saved, results = train(ranks, rows, EPOCHS, "--config", "batch=global", data=data)
            what = f"global, {ranks} x {rows // ranks} rows: "
            expect(what + "how often samples count", saved["seen"], EPOCHS * weights, rtol=0, atol=0)
            one = one or (saved, results)
            expect(what + "w", saved["w"], one[0]["w"])
            expect(what + "loss", results[2], one[1][2])
            expect(what + "weights in sample order", results[4], one[1][4], rtol=0, atol=0)
        if rows == 32:
            w = np.zeros(3)
            for _ in range(EPOCHS):
                w = w - 0.1 * gradient(w, np.arange(26), weights)
            expect("26 of 32 rows by hand", one[0]["w"], w)

# `local`: each rank divides by the weight of its own rows; the ranks' gradients are then summed.
for ranks, rows in ((2, 8), (4, 4), (8, 2), (4, 3), (2, 13), (4, 7)):
    saved, _ = train(ranks, rows, EPOCHS)
    expect(f"local, {ranks} x {rows} rows: how often samples count", saved["seen"], [EPOCHS] * 26, rtol=0, atol=0)
    if ranks * rows < 26:
        continue
    w = np.zeros(3)
    for epoch in range(1, EPOCHS + 1):
        _, results = train(ranks, rows, epoch)
        numbers, weights = results[3].reshape(ranks, rows), results[4].reshape(ranks, rows).astype(np.float64)
        w = w - 0.1 * sum(gradient(w, n, k) for n, k in zip(numbers, weights))
    expect(f"local, {ranks} x {rows} rows: w by hand", saved["w"], w)
print("every sample counts once per epoch")

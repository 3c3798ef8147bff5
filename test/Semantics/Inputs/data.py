"""Data of the semantics tests: 16 samples, so that one step of 16 takes them all and their order does not matter.

data.py DIR    x.npy [16, 3], y.npy [16], token.npy [16, 2] of 7 words, series.npy [16, 5, 3], id.npy [16] = 0, 1, ..,
               large.npy (x with one row that overflows f16 when scaled), ones.npy,
               x26.npy, y26.npy, id26.npy, weight26.npy: 26 samples, which no step divides
"""
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(7)


def save(name, array):
    np.save(f"{folder}/{name}.npy", array)


# Multiples of 1/8: sums of them are exact in f32, in any order.
x = (rng.integers(-8, 9, (26, 3)) / 8).astype(np.float32)
y = (x @ np.array([1, -2, 3]) + rng.integers(-2, 3, 26) / 8).astype(np.float32)
for suffix, count in (("", 16), ("26", 26)):
    save("x" + suffix, x[:count])
    save("y" + suffix, y[:count])
    save("id" + suffix, np.arange(count, dtype=np.int32))
save("token", rng.integers(0, 7, (16, 2), dtype=np.int32))
save("series", (rng.integers(-8, 9, (16, 5, 3)) / 8).astype(np.float32))
save("weight26", np.array([1, 2, 0.5, 4] * 6 + [1, 1], dtype=np.float32))
save("ones", np.ones((16, 3), np.float32))
large = x[:16].copy()
large[5] = 1000
save("large", large)

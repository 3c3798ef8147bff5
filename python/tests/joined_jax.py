"""A script as mpirun starts it (test_data_parallel.py): joined_jax.py FOLDER. Each process calls the step with the
whole batch."""
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np

import dstep.jax
from dstep.session.run import started_by


def step(w, batch):
    x, y = batch
    loss, gradient = jax.value_and_grad(lambda w: ((x @ w - y) ** 2).mean())(w)
    return w - 0.1 * gradient, loss


rank, size, _ = started_by()
train = dstep.jax.data_parallel(step, params=0, batch=1)
w, x, y = np.zeros(3, np.float32), np.arange(24, dtype=np.float32).reshape(8, 3) / 24, np.ones(8, np.float32)
expected = w
for _ in range(3):
    w, loss = train(w, (x, y))
    expected, wanted = step(expected, (x, y))
np.testing.assert_allclose(w, expected, rtol=1e-5)
np.testing.assert_allclose(loss, wanted, rtol=1e-5)
(pathlib.Path(sys.argv[1]) / f"{rank}of{size}").touch()

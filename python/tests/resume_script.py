"""resume_script.py FILE KIND [STEP]: a training of JAX that a kill ends before its step STEP; test_resume.py runs
it."""
import os
import pathlib
import signal
import sys

import jax
import numpy as np
import optax

import dstep as ds
from dstep.training import samples, streams

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/Data.md"
OPTIMIZER = optax.adam(0.05)


def step(params, opt_state, batch, key):
    def loss(params):
        kept = jax.random.bernoulli(key, 0.7, batch["x"].shape)
        return ((batch["x"] * kept @ params["w"] - batch["y"]) ** 2).mean()
    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = OPTIMIZER.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, value


class Batches:
    """A user's own, with a state."""

    def __init__(self, x, y):
        self.x, self.y, self.generator, self.left = x, y, np.random.default_rng(5), []

    def __iter__(self):
        self.left = self.left or self.generator.permutation(40).tolist()
        while self.left:
            rows, self.left = self.left[:8], self.left[8:]
            yield {"x": self.x[rows], "y": self.y[rows]}

    def state_dict(self):
        return {"left": self.left, "generator": self.generator.bit_generator.state}

    def load_state_dict(self, state):
        self.left, self.generator.bit_generator.state = state["left"], state["generator"]


def main(file, kind, killed_at=None):
    for of in (samples.Data, streams.Stream):
        def run(self, number, stop=False, run=of.run):
            if number == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return run(self, number, stop)
        of.run = run
    rng = np.random.default_rng(0)
    x = rng.standard_normal((40, 6)).astype(np.float32)
    y = x @ rng.standard_normal((6, 2)).astype(np.float32)
    params = {"w": np.zeros((6, 2), np.float32)}
    batches = {"arrays": {"x": x, "y": y}, "list": [{"x": x[k:k + 8], "y": y[k:k + 8]} for k in range(0, 40, 8)],
               "state": Batches(x, y)}[kind]
    parallel = ds.jax.data_parallel(step, ranks=2, params=0, state=1, batch=2, seed=3)
    start = params, OPTIMIZER.init(params), {"x": x[:8], "y": y[:8]}, jax.random.key(0)
    # The line of the page, with what it leaves out.
    line = next(line for line in PAGE.read_text().splitlines() if line.startswith("parallel.fit") and "resume" in line)
    os.chdir(os.path.dirname(file))
    told = {}

    def fit(_, batch, **options):
        told["history"] = parallel.fit(*start, progress="none", **options)[-1]

    class Parallel:
        pass

    Parallel.fit = staticmethod(fit)
    exec(line.replace("w.safetensors", os.path.basename(file)),
         {"parallel": Parallel, "params": params, "batch": start[2], "batches": batches})
    pathlib.Path(f"{file}.history").write_text(repr(told["history"]))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)

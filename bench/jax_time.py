"""Times a step in JAX: donated, compiled ahead, on whatever threads XLA_FLAGS and the processor affinity allow."""
import time

import jax
import numpy as np


class Timed:
    """A compiled step that keeps training; parameters stay on the device between calls."""

    def __init__(self, step):
        # Parameters and states come first, among arguments and among results.
        self.donated = len(step.carried)
        self.names = [r["role"].removeprefix("metric:") for r in step.manifest["results"][self.donated:]]
        leaves = [jax.numpy.array(leaf) for leaf in step.flatten(step.args)]
        self.carried, self.rest = leaves[:self.donated], leaves[self.donated:]
        jitted = jax.jit(step.flat, donate_argnums=tuple(range(self.donated)), keep_unused=True)
        start = time.perf_counter()
        self.compiled = jitted.lower(*leaves).compile()
        self.compile_s = time.perf_counter() - start

    def block(self, steps):
        """Milliseconds per step of `steps` consecutive ones."""
        start = time.perf_counter()
        for _ in range(steps):
            results = self.compiled(*self.carried, *self.rest)
            self.carried = list(results[:self.donated])
        jax.block_until_ready(results)
        self.metrics = dict(zip(self.names, results[self.donated:]))
        return (time.perf_counter() - start) / steps * 1e3


def milliseconds(step, blocks=9, seconds=0.3):
    """The fastest of `blocks` blocks."""
    timed = Timed(step)
    timed.block(2)
    steps = max(1, int(seconds * 1e3 / timed.block(2)))
    return float(np.min([timed.block(steps) for _ in range(blocks)]))

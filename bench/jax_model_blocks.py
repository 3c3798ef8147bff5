"""The JAX side of models.py: trains a model of models_jax.py on all cores that it may use, and times blocks of steps
when told to.

    python bench/jax_model_blocks.py NAME          (peer.py has the protocol)
"""
import json
import resource
import sys
import time

import jax

import models_jax

step, (params, state, batch) = models_jax.ALL[sys.argv[1]]()
start = time.perf_counter()
compiled = jax.jit(step, donate_argnums=(0, 1)).lower(params, state, batch).compile()
compile_s = time.perf_counter() - start
# Libraries give two leaves one buffer, which cannot be donated twice.
params, state, batch = jax.tree.map(lambda leaf: jax.numpy.array(leaf, copy=True), (params, state, batch))


def block(count):
    """Milliseconds per step, and what the caller is told besides."""
    global params, state
    begin = time.perf_counter()
    for _ in range(count):
        params, state, loss = compiled(params, state, batch)
    loss = float(loss)
    return (time.perf_counter() - begin) / count * 1e3, {"loss": loss,
                                                         "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}  # noqa: E501


print(json.dumps({"compile_s": compile_s} | block(1)[1]), flush=True)
for line in sys.stdin:
    ms, said = block(int(line))
    print(json.dumps({"ms": ms} | said), flush=True)

"""The JAX side of step_time.py: trains one step of steps.py and times blocks of it when told to, one JSON line each.

    python bench/jax_blocks.py NAME          (reads block lengths from standard input; see step_bench.cpp for the protocol)
"""
import json
import sys

import jax_time
import steps

timed = jax_time.Timed(steps.ALL[sys.argv[1]]())


def loss():
    return float(timed.metrics["loss"])


timed.block(1)
print(json.dumps({"compile_s": timed.compile_s, "loss": loss()}), flush=True)
for line in sys.stdin:
    print(json.dumps({"ms": timed.block(int(line)), "loss": loss()}), flush=True)

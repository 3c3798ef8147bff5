#!/usr/bin/env python3
"""Writes the benchmark steps as MLIR: NAME.mlir, NAME.npz (inputs and JAX's results of two steps), NAME.json.

    python bench/export.py --out DIR [NAME..] [--time]

Needs the package in python/ (pip install ./python[jax] flax optax). --time adds JAX's own step time on one thread to NAME.json; bench/step_time.py
is the fair comparison, because it measures both in one run.
"""
import argparse
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # one thread, as ds uses per rank

import jax_time  # noqa: E402
import steps  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="folder that receives the files")
    parser.add_argument("--time", action="store_true", help="measure JAX on one thread too")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(steps.ALL)}; default: all")
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in steps.ALL]
    if unknown:
        parser.error(f"unknown step '{unknown[0]}', expected one of {', '.join(steps.ALL)}")
    for name in options.names or steps.ALL:
        step = steps.ALL[name]()
        more = {"jax_step_ms": jax_time.milliseconds(step)} if options.time else {}
        step.write(options.out, step.steps, source=step.source, **more)
        print(f"{name}: {len(step.carried)} parameters and states, {step.source}", flush=True)


if __name__ == "__main__":
    main()

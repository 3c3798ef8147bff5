#!/usr/bin/env python3
"""What the second start of a step takes beside the first, which compiles it.

    bench/second_start.py [--rounds N] [--bin DIR] [STEP.mlir..]

Each step starts in turns: without kept steps (DS_CACHE_DIR=off) and from a folder that has it, and repeats two recorded steps (STEP.npz) on 2 ranks. Prints
the best of each in milliseconds, their ratio, and that ratio without what `ds-run --version` takes, which is loading the program. Without STEPs those of
test/Run/Inputs are taken that have a recording.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def milliseconds(command, cache):
    start = time.perf_counter()
    done = subprocess.run(command, env=dict(os.environ, DS_CACHE_DIR=cache), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return 1e3 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    parser.add_argument("steps", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        steps = [pathlib.Path(step) for step in options.steps] or sorted((ROOT / "test/Run/Inputs").glob("*.mlir"))
        steps = [step for step in steps if step.with_suffix(".npz").exists()]
        program = f"{options.bin}/ds-run"
        load = min(milliseconds([program, "--version"], "off") for _ in range(options.rounds))
        print(f"{'step':28} {'first':>8} {'second':>8} {'ratio':>6} {'without loading':>16}   (ds-run --version: {load:.0f} ms)")
        for step in steps:
            command = [program, str(step), "--ranks", "2", "--config", "batch=global", "--replay", str(step.with_suffix(".npz"))]
            cache = f"{folder}/cache"
            milliseconds(command, cache)
            first = second = float("inf")
            for _ in range(options.rounds):
                first = min(first, milliseconds(command, "off"))
                second = min(second, milliseconds(command, cache))
            print(f"{step.stem:28} {first:8.0f} {second:8.0f} {second / first:6.2f} {(second - load) / (first - load):16.2f}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How good the plans of auto_parallel are, and how long their search takes: the recorded steps, or others, on several meshes.

    bench/plan.py [STEP.mlir ..] [--mesh 4 8 dp=2,tp=2 dp=2,tp=4] [--memory-limit MIB] [--json FILE]

A mesh that is a number is chosen among those of so many ranks. `time` and `bound` are those of the cost model, for one step: no plan takes less
than the bound; `gap` is what lies between the two. `dp` is data parallelism by the same costs, `held` what a rank holds of arguments, beside what it
holds in data parallelism. `search` is the time of the compiler's passes with the search over that without. Ends with 1 if a plan takes longer
than data parallelism, or differs between two runs.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = [ROOT / "test/Run/Inputs" / f"{name}.mlir" for name in (
    "jax_mlp_sgd", "jax_mlp_momentum_wd", "torch_mlp_sgd", "jax_cnn_adam", "jax_resnet_bn_momentum", "jax_gpt_adamw_clip")]


def compile_step(build, step, config):
    begin = time.monotonic()
    done = subprocess.run([build / "bin/ds-opt", step, f"--ds-data-parallel=config={config}"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{step}: " + next((line for line in done.stderr.splitlines() if "error:" in line), "ds-opt failed"))
    return done.stdout, time.monotonic() - begin


def figures(text):
    plan = re.search(r"ds\.plan = \{([^}]*)\}", text)[1]
    found = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", plan)}
    return found | {"mesh": re.search(r'mesh = "([^"]*)"', text)[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", type=pathlib.Path, metavar="STEP.mlir")
    parser.add_argument("--mesh", nargs="+", default=["4", "8", "dp=2,tp=2", "dp=2,tp=4"])
    parser.add_argument("--memory-limit", type=int, metavar="MIB")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    rows, bad = [], False
    print(f"{'step':<24}{'asked':>12}{'mesh':>14}{'time ms':>10}{'bound':>9}{'gap %':>8}{'dp':>9}{'held KiB':>10}{'of dp':>10}{'search s':>10}")
    for step in options.steps or RECORDED:
        for asked in options.mesh:
            mesh = f"device_num={asked}" if asked.isdigit() else f"mesh=[{asked}]"
            ranks = int(asked) if asked.isdigit() else math.prod(map(int, re.findall(r"\d+", asked)))
            _, without = compile_step(options.build, step, f"batch=global,device_num={ranks}")
            config = f"batch=global,parallel_mode=auto_parallel,{mesh}"
            if options.memory_limit:
                config += f",memory_limit={options.memory_limit}"
            first, seconds = compile_step(options.build, step, config)
            second, _ = compile_step(options.build, step, config)
            row = figures(first)
            row |= {"step": step.stem, "asked": asked, "search_s": max(0.0, seconds - without)}
            bound, alone = row.get("bound_ns"), row.get("data_parallel_ns")
            gap = None if bound is None else 100 * (row["time_ns"] - bound) / max(1, row["time_ns"])
            print(f"{row['step']:<24}{asked:>12}{row['mesh']:>14}{row['time_ns'] / 1e6:>10.3f}"
                  f"{'-' if bound is None else format(bound / 1e6, '.3f'):>9}{'-' if gap is None else format(gap, '.3f'):>8}"
                  f"{'-' if alone is None else format(alone / 1e6, '.3f'):>9}{row['held_bytes'] / 1024:>10.1f}"
                  f"{'-' if alone is None else format(row['data_parallel_bytes'] / 1024, '.1f'):>10}{row['search_s']:>10.2f}")
            if first != second:
                bad = True
                print(f"{row['step']}: two runs found different plans", file=sys.stderr)
            if asked.isdigit() and alone is not None and not options.memory_limit and row["time_ns"] > alone:
                bad = True
                print(f"{row['step']}: the plan takes longer than data parallelism", file=sys.stderr)
            rows.append(row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return bad


if __name__ == "__main__":
    sys.exit(main())

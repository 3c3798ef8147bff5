#!/usr/bin/env python3
"""How good the plans of auto_parallel are, and how long their search takes: the recorded steps, or others, on several
meshes.

    bench/plan.py [STEP.mlir ..] [--mesh 4 8 dp=2,tp=2 dp=2,tp=4] [--memory-limit MIB] [--json FILE]
    bench/plan.py --layers 48 480 [--mesh dp=2,tp=4]

A mesh that is a number is chosen among those of so many ranks. `time` and `bound` are those of the cost model, for one
step: no plan takes less than the bound; `gap` is what lies between the two. `dp` is data parallelism by the same costs,
`held` what a rank holds of arguments, beside what it holds in data parallelism. `search` is the time of the pass that
searches. Ends with 1 if a plan takes longer than data parallelism, or differs between two runs. With --layers the steps
are transformers of so many layers (transformer_step.py), each searched three times in both modes; `cpu` are the seconds
of a processor that the search took: those of the compiler with it over those of the passes before it.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import transformer_step

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = [ROOT / "test/Run/Inputs" / f"{name}.mlir" for name in (
    "jax_mlp_sgd", "jax_mlp_momentum_wd", "torch_mlp_sgd", "jax_cnn_adam", "jax_resnet_bn_momentum",
    "jax_gpt_adamw_clip")]


def compile_step(build, step, config, first="--ds-data-parallel", *others):
    """The module behind the passes, and the seconds of the search and of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([build / "bin/ds-opt", step, f"{first}=config={config}", *others, "--mlir-timing",
                           "--mlir-disable-threading"],
                          capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{step}: " + next((line for line in done.stderr.splitlines() if "error:" in line), "ds-opt failed"))
    seconds = re.search(r"([\d.]+) \( *[\d.]+%\) +ShardAxesPass", done.stderr)
    return (done.stdout, float(seconds[1]) if seconds else 0.0,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def figures(text):
    plan = re.search(r"ds\.plan = \{([^}]*)\}", text)[1]
    found = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", plan)}
    return found | {"mesh": re.search(r'mesh = "([^"]*)"', text)[1]}


def scale(build, layers, meshes, runs=3):
    """How long the search takes for transformers of so many layers. Returns the rows, and whether two runs differ."""
    rows, bad = [], False
    print(
        f"{'layers':>6}{'operations':>12}{'mesh':>14}{'mode':>24}{'time ms':>12}{'bound':>12}{'search s':>10}{'cpu s':>8}")  # noqa: E501
    with tempfile.TemporaryDirectory() as folder:
        for count in layers:
            step = pathlib.Path(folder, f"{count}.mlir")
            text = transformer_step.write_step(count)
            step.write_text(text)
            operations = len(re.findall(r"^    %\d+ = ", text, re.M))
            for asked in meshes:
                _, _, without = compile_step(build, step, f"batch=global,mesh=[{asked}]", "--ds-prepare-sharding")
                for mode in ("dynamic_programming", "recursive_programming"):
                    config = f"batch=global,parallel_mode=auto_parallel,mesh=[{asked}],search_mode={mode}"
                    done = [compile_step(build, step, config, "--ds-prepare-sharding", "--ds-shard-axes")
                            for _ in range(runs)]
                    row = {"layers": count, "operations": operations, "mode": mode, "search_s": min(d[1] for d in done),
                           "cpu_s": min(d[2] for d in done) - without} | figures(done[0][0])
                    rows.append(row)
                    bound = row.get("bound_ns")
                    print(f"{count:>6}{operations:>12}{row['mesh']:>14}{mode:>24}{row['time_ns'] / 1e6:>12.3f}"
                          f"{'-' if bound is None else format(bound / 1e6, '.3f'):>12}{row['search_s']:>10.2f}{row['cpu_s']:>8.2f}", flush=True)  # noqa: E501
                    if len({d[0] for d in done}) > 1:
                        bad = True
                        print(f"{count} layers: {runs} runs found different plans", file=sys.stderr)
    return rows, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", type=pathlib.Path, metavar="STEP.mlir")
    parser.add_argument("--mesh", nargs="+")
    parser.add_argument("--memory-limit", type=int, metavar="MIB")
    parser.add_argument("--layers", nargs="+", type=int, metavar="N")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    if options.layers:
        rows, bad = scale(options.build, options.layers, options.mesh or ["dp=2,tp=4"])
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
        return bad
    rows, bad = [], False
    print(
        f"{'step':<24}{'asked':>12}{'mesh':>14}{'time ms':>10}{'bound':>9}{'gap %':>8}{'dp':>9}{'held KiB':>10}{'of dp':>10}{'search s':>10}")  # noqa: E501
    for step in options.steps or RECORDED:
        for asked in options.mesh or ["4", "8", "dp=2,tp=2", "dp=2,tp=4"]:
            mesh = f"device_num={asked}" if asked.isdigit() else f"mesh=[{asked}]"
            config = f"batch=global,parallel_mode=auto_parallel,{mesh}"
            if options.memory_limit:
                config += f",memory_limit={options.memory_limit}"
            first, seconds, _ = compile_step(options.build, step, config)
            second, *_ = compile_step(options.build, step, config)
            row = figures(first)
            row |= {"step": step.stem, "asked": asked, "search_s": seconds}
            bound, alone = row.get("bound_ns"), row.get("data_parallel_ns")
            gap = None if bound is None else 100 * (row["time_ns"] - bound) / max(1, row["time_ns"])
            print(f"{row['step']:<24}{asked:>12}{row['mesh']:>14}{row['time_ns'] / 1e6:>10.3f}"
                  f"{'-' if bound is None else format(bound / 1e6, '.3f'):>9}{'-' if gap is None else format(gap, '.3f'):>8}"  # noqa: E501
                  f"{'-' if alone is None else format(alone / 1e6, '.3f'):>9}{row['held_bytes'] / 1024:>10.1f}"
                  f"{'-' if alone is None else format(row['data_parallel_bytes'] / 1024, '.1f'):>10}{row['search_s']:>10.2f}")  # noqa: E501
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

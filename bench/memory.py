#!/usr/bin/env python3
"""Plans of auto_parallel under `memory_limit`: what a rank's step takes, as it is compiled and run, beside what data
parallelism takes.

    bench/models.py --only gpt2 bert resnet18     # exports the steps
    bench/memory.py [--only NAME..] [--ranks 4] [--share 0.6] [--mesh dp=4,tp=1] [--steps FOLDER] [--json FILE]

The limit is a share of what a rank's step takes in data parallelism (arguments, results and temporary values, as the
compiler has planned them), in whole MiB below. `rank` is the same figure of the plan, `of dp` over data parallelism.
`plan` is the time of the plan by its costs over the bound of all plans within the limit, `free` over the plan without a
limit. Both runs must report the same first loss. Ends with 1 if a plan takes more than its limit, more than 1.1 of the
bound's time, or if there is none.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

from peer import Peer, PeerError

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIB = 1 << 20


def time_of(build, step, config):
    """Nanoseconds of a plan by its costs."""
    done = subprocess.run([build / "bin/ds-opt", step, f"--ds-data-parallel=config={config}"], capture_output=True,
                          text=True)
    if done.returncode:
        raise PeerError(next((line.split("error: ")[1] for line in done.stderr.splitlines() if "error:" in line),
                             "ds-opt failed"))
    return int(re.search(r"time_ns = (\d+)", done.stdout)[1])


def measured(build, step, ranks, *config):
    """Bytes of a rank's step, its plan and its first loss, after the step has run."""
    peer = Peer([build / "bin/step_bench", step, step.with_suffix(".npz"), ranks, *config],
                {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    peer.close()
    return peer.first


def compare(options, name):
    step = options.steps / f"{name}.mlir"
    if not step.exists():
        sys.exit(f"error: no '{step}'; bench/models.py --only {name} exports it")
    alone = measured(options.build, step, options.ranks)
    limit = int(options.share * alone["rank_bytes"] / MIB)
    row = {"model": name, "ranks": options.ranks, "data_parallel_bytes": alone["rank_bytes"],
           "limit_bytes": limit * MIB}
    searched = "parallel_mode=auto_parallel" + (f",mesh=[{options.mesh}]" if options.mesh else "")
    free = time_of(options.build, step, f"batch=global,device_num={options.ranks},{searched}")
    try:
        ran = measured(options.build, step, options.ranks, f"{searched},memory_limit={limit}")
    except PeerError as error:
        return row | {"refused": str(error)}
    if not math.isclose(ran["loss"], alone["loss"], rel_tol=1e-4):
        sys.exit(f"error: {name}: the first loss is {ran['loss']}, {alone['loss']} in data parallelism")
    return row | {"rank_bytes": ran["rank_bytes"], "mesh": ran["mesh"],
                  "optimizer": f"level{ran['optimizer_level']}" if ran["optimizer_level"] else "-",
                  "held_bytes": ran["held_bytes"],
                  "of_bound": ran["time_ns"] / ran["bound_ns"] if ran["bound_ns"] else None,
                  "of_free": ran["time_ns"] / free}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=["gpt2", "bert", "resnet18"], metavar="NAME")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--share", type=float, default=0.6)
    parser.add_argument("--mesh", metavar="dp=4,tp=1", help="instead of the best one")
    parser.add_argument("--steps", type=pathlib.Path, metavar="FOLDER", help="of exported steps; default: "
                        "build/bench/models")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    options.steps = options.steps or options.build / "bench/models"
    rows, bad = [], False
    print(
        f"{'model':<14}{'ranks':>6}{'dp MiB':>9}{'limit':>7}{'rank':>8}{'of dp':>7}{'mesh':>12}{'optimizer':>11}{'held MiB':>10}{'plan':>7}{'free':>7}")  # noqa: E501
    for name in options.only:
        row = compare(options, name)
        rows.append(row)
        start = f"{name:<14}{options.ranks:>6}{row['data_parallel_bytes'] / MIB:>9.1f}{row['limit_bytes'] / MIB:>7.0f}"
        if "refused" in row:
            bad = True
            print(f"{start}  refused: {row['refused']}", flush=True)
            continue
        bound = "-" if row["of_bound"] is None else f"{row['of_bound']:.3f}"
        print(
            f"{start}{row['rank_bytes'] / MIB:>8.1f}{row['rank_bytes'] / row['data_parallel_bytes']:>7.2f}{row['mesh']:>12}{row['optimizer']:>11}"  # noqa: E501
              f"{row['held_bytes'] / MIB:>10.1f}{bound:>7}{row['of_free']:>7.2f}", flush=True)
        bad |= row["rank_bytes"] > row["limit_bytes"] or (row["of_bound"] or 1) > 1.1
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return bad


if __name__ == "__main__":
    sys.exit(main())

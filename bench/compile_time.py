#!/usr/bin/env python3
"""Compile time per operation of generated training steps of growing size.

    bench/compile_time.py [--build build] [--out build/bench] [--distribute-only] [--rounds 3] [--config K=V,..] [OPS..]

Prints, for every pass, microseconds of processor time per operation of the step at each size, passes of ds and of
upstream apart, and writes compile_time.json. "looking at each operation once" is one walk over the result, which says
what the machine's caches add: a step of 100,000 operations does not fit them. `growth` is the largest factor by which
time per operation rises from one size to a larger one; 1 is linear, and a time short of 10 ms does not count. Sizes
take turns, and of each pass the fastest round counts, since a shared machine only ever adds time. Each run is a process
of its own, so that `peak` is the memory of one size.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENOUGH_S = 0.01  # less than this is the clock's noise and fixed cost


def run(options, ops):
    command = [options.build / "bin/compile_time", str(ops), f"--config={options.config}"]
    if options.distribute_only:
        command.append("--distribute-only")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"error: '{' '.join(map(str, command))}' ended with status {done.returncode}")
    return json.loads(done.stdout)


def fastest(rounds):
    """Of several runs of one size, the fastest time of each pass."""
    best = rounds[0]
    for other in rounds[1:]:
        for mine, theirs in zip(best["passes"], other["passes"]):
            mine["s"] = min(mine["s"], theirs["s"])
        for key in ("peak_bytes", "walk_s"):
            best[key] = min(best[key], other[key])
    return best


def seconds(size, chosen):
    return sum(entry["s"] for entry in size["passes"] if chosen(entry))


def growth(sizes, chosen):
    """The largest rise of time per operation towards a larger step."""
    worst, least = None, None
    for size in sizes:
        total = seconds(size, chosen)
        if total < ENOUGH_S:
            continue
        rate = total / size["ops"]
        if least is not None:
            worst = max(worst or 0, rate / least)
        least = rate if least is None else min(least, rate)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/bench", help="folder for the results")
    parser.add_argument("--distribute-only", action="store_true", help="stop after ds-data-parallel")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each size")
    parser.add_argument("--config", default="batch=global,device_num=4", help="keys of ds.config")
    parser.add_argument("ops", nargs="*", type=int, help="sizes; default: 1000 10000 100000, and 1000000 with "
                        "--distribute-only")
    options = parser.parse_args()
    wanted = sorted(options.ops or [1000, 10000, 100000] + [1000000] * options.distribute_only)
    rounds = {ops: [] for ops in wanted}
    for _ in range(options.rounds):
        for ops in wanted:
            rounds[ops].append(run(options, ops))
    sizes = [fastest(rounds[ops]) for ops in wanted]

    rows = []

    def row(label, chosen):
        rows.append({"name": label, "us_per_op": [seconds(size, chosen) / size["ops"] * 1e6 for size in sizes],
                     "growth": growth(sizes, chosen)})

    names = {entry["name"]: entry["ours"] for size in sizes for entry in size["passes"]}
    for ours, title in ((True, "ds"), (False, "upstream")):
        for name in (name for name, mine in names.items() if mine == ours):
            row(name, lambda entry: entry["name"] == name)
        row(f"all of {title}", lambda entry: entry["ours"] == ours)
    row("whole compiler", lambda entry: True)
    walk = [size["walk_s"] / size["ops_distributed"] * 1e6 for size in sizes]
    print(f"{'us per operation':34}" + "".join(f"{size['ops']:>11}" for size in sizes) + f"{'growth':>9}")
    for entry in rows:
        rise = f"{entry['growth']:9.2f}" if entry["growth"] else f"{'-':>9}"
        print(f"{entry['name']:34}" + "".join(f"{us:11.3f}" for us in entry["us_per_op"]) + rise)
    print(f"{'looking at each operation once':34}" + "".join(f"{us:11.3f}" for us in walk)
          + f"{walk[-1] / walk[0]:9.2f}")
    print(f"{'peak of memory, MB':34}" + "".join(f"{size['peak_bytes'] / 1e6:11.0f}" for size in sizes))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "compile_time.json").write_text(json.dumps({"sizes": sizes, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Ranks that outnumber the cores: a step on 8 ranks beside the same step, with the same batch, on 2, taking turns block
by block.

    bench/models.py --only mlp gpt cnn            # exports the steps
    bench/crowded.py [--only NAME..] [--ranks 8] [--few 2] [--rounds 7] [--config KEY=VALUE,..] [--steps FOLDER] [--json
    FILE]

`time` is the median over the rounds of the ratio within a round, `cpu` that of the processes' time on all cores, which
other programs on the machine disturb less, `memory` that of their largest resident memory. `switches` are those of
threads in a step on the many ranks. Ends with 1 if a ratio of time or memory is above its --limit.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import sys

from peer import BLOCK_MS, Peer, PeerError

ROOT = pathlib.Path(__file__).resolve().parent.parent


def compare(options, name):
    step = options.steps / f"{name}.mlir"
    if not step.exists():
        sys.exit(f"error: no '{step}'; bench/models.py --only {name} exports it")
    peers = []
    try:
        for ranks in (options.few, options.ranks):
            command = [options.build / "bin/step_bench", step, step.with_suffix(".npz"), ranks,
                       *([options.config] if options.config else [])]
            peers.append(Peer(command, {"OMP_NUM_THREADS": "1"}))
            peers[-1].calibrate(options.block_ms)
        few, many = peers
        if not math.isclose(few.first["loss"], many.first["loss"], rel_tol=1e-3):
            sys.exit(f"error: {name}: the first loss is {many.first['loss']}, {few.first['loss']} on {options.few} "
                     "ranks")
        rounds = []
        for _ in range(options.rounds):
            blocks = [(peer.block(), peer.last) for peer in peers]
            rounds.append([(ms, line["cpu_ms"], line["switches"]) for ms, line in blocks])
    finally:
        for peer in peers:
            peer.close()
    ratio = lambda column: statistics.median(many[column] / few[column] for few, many in rounds)
    return {"model": name, "few_ms": min(few[0] for few, _ in rounds), "many_ms": min(many[0] for _, many in rounds),
            "time": ratio(0), "cpu": ratio(1),
            "few_mib": few.last["peak_mib"], "many_mib": many.last["peak_mib"],
            "memory": many.last["peak_mib"] / few.last["peak_mib"],
            "switches": statistics.median(many[2] for _, many in rounds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=("mlp", "gpt", "cnn"),
                        help="steps that bench/models.py has exported")
    parser.add_argument("--ranks", type=int, default=8, help="the many ranks; default: 8")
    parser.add_argument("--few", type=int, default=2, help="the few ranks; default: 2")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--block-ms", type=float, default=BLOCK_MS, help="how long a block takes at least; default: "
                        f"{BLOCK_MS}")
    parser.add_argument("--config", default="", metavar="KEY=VALUE,..", help="of both")
    parser.add_argument("--limit", type=float, metavar="RATIO", help="of time and of memory")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--steps", type=pathlib.Path, help="folder of exported steps; default: build/bench/models")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    options.steps = options.steps or options.build / "bench/models"
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.few])
    rows = []
    print(f"{'model':14}{options.few:3} ranks ms{options.ranks:3} ranks ms{'time':>7}{'cpu':>7}{options.few:4} "
          f"MiB{options.ranks:4} MiB{'memory':>8}{'switches':>10}", flush=True)
    for name in options.only:
        try:
            rows.append(row := compare(options, name))
        except PeerError as error:
            sys.exit(f"error: {name}: {error}")
        print(
            f"{name:14}{row['few_ms']:12.3f}{row['many_ms']:12.3f}{row['time']:7.2f}{row['cpu']:7.2f}{row['few_mib']:8.0f}{row['many_mib']:8.0f}{row['memory']:8.2f}"
              f"{row['switches']:10.1f}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(bool(options.limit) and any(max(row["time"], row["memory"]) > options.limit for row in rows))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Memory and step time of a parallel optimizer: the same step with whole parameters and states, and with shards of
them.

    bench/models.py --only gpt2 bert resnet18     # exports the steps
    bench/parallel_optimizer.py [--only NAME..] [--ranks 2 4] [--rounds 3] [--json FILE]

`held` is what a rank holds of parameters and states between two steps, beside the whole; `rank` all memory of one
rank's step: arguments, results and temporary values as the compiler has planned them; `of whole` the same over that of
whole parameters. `formula` is what the textbook says a rank holds: a share of every tensor, also of those that stay
whole (below the threshold, or with no dimension that the ranks divide). `time` is the step's over that with whole
parameters, block by block in turns: the lower the better. All ranks are threads of this machine, so that with more of
them than cores times say little.
"""
import argparse
import json
import math
import pathlib
import statistics
import sys

from peer import Peer, PeerError

LEVELS = {
    "whole": "", "level1": "enable_parallel_optimizer=true",
    "level3": "enable_parallel_optimizer=true,optimizer_level=level3"}
ROOT = pathlib.Path(__file__).resolve().parent.parent


def mib(bytes_):
    return f"{bytes_ / 2**20:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=["gpt2", "bert", "resnet18"], metavar="NAME")
    parser.add_argument("--ranks", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    folder, rows = options.build / "bench/models", []
    print(
        f"{'model':<14}{'ranks':>6}{'level':>8}{'held MiB':>10}{'of MiB':>9}{'formula':>9}{'rank MiB':>10}{'of whole':>10}{'ms':>9}{'time':>7}")  # noqa: E501
    for name in options.only:
        step = folder / f"{name}.mlir"
        if not step.exists():
            sys.exit(f"error: no '{step}'; bench/models.py --only {name} exports it")
        for ranks in options.ranks:
            peers = {}
            try:
                for level, config in LEVELS.items():
                    command = [options.build / "bin/step_bench", step, step.with_suffix(".npz"), ranks,
                               *([config] if config else [])]
                    peers[level] = Peer(command, {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
                    peers[level].calibrate()
                losses = {level: peer.first["loss"] for level, peer in peers.items()}
                if not all(math.isclose(loss, losses["whole"], rel_tol=1e-4) for loss in losses.values()):
                    sys.exit(f"error: {name}: the first losses differ: {losses}")
                for _ in range(options.rounds):
                    for peer in peers.values():
                        peer.times.append(peer.block())
            except PeerError as error:
                sys.exit(f"error: {name}: {error}")
            finally:
                for peer in peers.values():
                    peer.close()
            whole = peers["whole"]
            for level, peer in peers.items():
                row = {"model": name, "ranks": ranks, "level": level, "held_bytes": peer.first["held_bytes"],
                       "whole_bytes": whole.first["held_bytes"],
                       "rank_bytes": peer.first["rank_bytes"],
                       "of_whole": peer.first["rank_bytes"] / whole.first["rank_bytes"], "ms": min(peer.times),
                       "time": statistics.median(mine / theirs for mine, theirs in zip(peer.times, whole.times))}
                rows.append(row)
                formula = whole.first["held_bytes"] / (1 if level == "whole" else ranks)
                row["formula_bytes"] = formula
                print(
                    f"{name:<14}{ranks:>6}{level:>8}{mib(row['held_bytes']):>10}{mib(row['whole_bytes']):>9}{mib(formula):>9}{mib(row['rank_bytes']):>10}"
                      f"{row['of_whole']:>10.2f}{row['ms']:>9.1f}{row['time']:>7.2f}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()

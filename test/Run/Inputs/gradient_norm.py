"""The metric gradient_norm of the steps of a log (--log-dir).

gradient_norm.py check DIR RANKS LOG KEYS    whether it is what Python computes of linear.mlir for every rank by itself,
                                             with the data of update_modes.py
gradient_norm.py moved LR FILE FILE LOG      whether that of the last step is what parameters moved by from the first
                                             file to the second, divided by the learning rate
gradient_norm.py same RATIO LOG LOG..        whether all logs have the same numbers of the same steps, within so much of
                                             each; 0: the same bits
"""
import json
import math
import pathlib
import re
import sys

import update_modes as modes


def norms(log):
    events = map(json.loads, (pathlib.Path(log) / "events.jsonl").read_text().splitlines())
    return [event["metrics"]["gradient_norm"] for event in events if event["event"] == "step"]


def norm(vector):
    return math.sqrt(sum(x * x for x in vector))


def expected(ranks, steps, keys):
    """Step by step, as ranks update."""
    scale = 1 / len(ranks) if "gradients_mean=true" in keys else 1
    add = lambda gradients: [scale * sum(values) for values in zip(*gradients)]
    if found := re.search(r"average_parameters=(\d+)", keys):
        for step in range(1, steps + 1):
            gradients = [rank.gradient() for rank in ranks]
            yield sum(map(norm, gradients)) / len(ranks)
            for rank, gradient in zip(ranks, gradients):
                rank.update(gradient)
            if step % int(found[1]) == 0:
                middle = modes.mean([rank.w for rank in ranks])
                for rank in ranks:
                    rank.w = list(middle)
        return
    delay = int(found[1]) if (found := re.search(r"delayed=(\d+)", keys)) else 0
    queue = [[0.0] * modes.FEATURES for _ in range(delay)]
    for _ in range(steps):
        queue.append(add([rank.gradient() for rank in ranks]))
        gradient = queue.pop(0)
        yield norm(gradient)
        for rank in ranks:
            rank.update(gradient)


def main():
    if sys.argv[1] == "check":
        folder, count, got, keys = pathlib.Path(sys.argv[2]), int(sys.argv[3]), norms(sys.argv[4]), sys.argv[5]
        want = list(expected([modes.Rank(folder, rank) for rank in range(count)], len(got), keys))
        for step, (a, b) in enumerate(zip(got, want, strict=True), 1):
            if abs(a - b) > 2e-6 * b:
                sys.exit(f"step {step}: {a}, expected {b}")
        return print(f"{len(got)} steps as written out, the last {got[-1]:.4g}")
    if sys.argv[1] == "moved":
        before, after = map(modes.read, sys.argv[3:5])
        way = [b - a for name in before if "." not in name
               for a, b in zip(before[name][1], after[name][1], strict=True)]
        want, got = norm(way) / float(sys.argv[2]), norms(sys.argv[5])[-1]
        assert abs(got - want) < 1e-4 * want, (got, want)
        return print(f"moved by {got:.4g}")
    ratio, (first, *others) = float(sys.argv[2]), map(norms, sys.argv[3:])
    assert first and all(x > 0 for x in first), first
    for other in others:
        for step, (a, b) in enumerate(zip(first, other, strict=True), 1):
            if abs(a - b) > ratio * a:
                sys.exit(f"step {step}: {a} and {b}")
    print(f"{len(first)} steps alike in {1 + len(others)} logs")


main()

"""batch-norm.mlir in `local`, by hand: every rank normalises with the statistics of its own samples.

batch_norm_local.py STEP.mlir DIR DATA: the gradient is the mean of the ranks' gradients; running statistics are the
mean of the ranks' (local_state=mean), those of rank 0 (rank0), or each rank's own, of which rank 0's are saved
(per_rank).
"""
import sys

import numpy as np

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]


def rank_step(x, w):
    mean, variance = x.mean(0), x.var(0)
    hat = (x - mean) / np.sqrt(variance + 0.01)
    return ((w * hat - 1) ** 3 * hat).mean(0), mean, variance


for ranks in (2, 4, 8):
    rewritten = for_samples(step, folder, BATCH // ranks)
    for state in ("mean", "rank0", "per_rank"):
        flags = ["--data", data, "--config", f"gradients_mean=true,local_state={state}"]
        saved, results = run(rewritten, folder, ranks, "--steps", "1", *flags)
        samples = np.asarray(results[3], np.float64).reshape(ranks, BATCH // ranks, 3)  # as the ranks held them
        of_ranks = [rank_step(x, 0.5) for x in samples]
        gradient, mean, variance = (np.mean(values, 0) for values in zip(*of_ranks))
        expect(f"w on {ranks} ranks", saved["w"], 0.5 - 0.25 * gradient)
        if state != "mean":
            mean, variance = of_ranks[0][1:]
        expect(f"running.mean, {state}, {ranks} ranks", saved["running.mean"], 0.5 * mean)
        expect(f"running.variance, {state}, {ranks} ranks", saved["running.variance"], 0.5 * variance)
        # In the second step the metric tells what the ranks kept: each its own, or all the same.
        _, results = run(rewritten, folder, ranks, "--steps", "2", *flags)
        kept = [0.5 * m.sum() for _, m, _ in of_ranks]
        held = {"mean": np.mean(kept), "rank0": kept[0], "per_rank": np.mean(kept)}[state]
        expect(f"what ranks keep, {state}, {ranks} ranks", results[4], held)
        largest = {"mean": np.mean(kept), "rank0": kept[0], "per_rank": np.max(kept)}[state]
        expect(f"the most a rank keeps, {state}, {ranks} ranks", results[5], largest)
print("statistics are the ranks' own")

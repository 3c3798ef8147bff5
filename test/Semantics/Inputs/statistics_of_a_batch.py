"""statistics-of-a-batch.mlir in `local`, by hand: the new value of a statistic is that of each rank, and the mean of
these is kept.

statistics_of_a_batch.py STEP.mlir DIR DATA: with averaged and with summed gradients, where local_state is mean or
rank0. What follows from a gradient is no statistic: it is computed from the combined one.
"""
import sys

import numpy as np

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]


def statistics(x):
    mean, second = x.mean(0), (x * x).mean(0)
    return {
        "largest": np.maximum(0, x.max(0)), "smallest": np.minimum(0, x.min(0)), "root mean square": np.sqrt(second),
        "capped": np.minimum(mean, 0.05), "picked": np.where(mean > 0.05, second, 0), "exponential": np.exp(mean),
        "variance": x.var(0), "linear": mean,
    }


for ranks in (1, 2, 4, 8, 16):
    rewritten = for_samples(step, folder, BATCH // ranks)
    for mean in ("true", "false"):
        for state in ("mean", "rank0"):
            config = ["--config", f"gradients_mean={mean},local_state={state}"] if ranks > 1 else []
            saved, results = run(rewritten, folder, ranks, "--data", data, "--steps", "1", *config)
            samples = np.asarray(results[11], np.float64).reshape(ranks, BATCH // ranks, 3)  # as the ranks held them
            gradient = (np.mean if mean == "true" else np.sum)([(x**3).mean(0) for x in samples], 0)
            of_ranks = [statistics(x) for x in samples]
            where = f"{ranks} ranks, gradients_mean={mean}, local_state={state}"
            for name in of_ranks[0]:
                values = [each[name] for each in of_ranks]
                expect(f"{name}, {where}", saved[name], values[0] if state == "rank0" else np.mean(values, 0))
            expect(f"w, {where}", saved["w"], -gradient)
            expect(f"largest gradient, {where}", saved["largest gradient"], np.abs(gradient))
            beside = [each["root mean square"] + np.abs(gradient) for each in of_ranks]
            expect(f"beside a gradient, {where}", saved["beside a gradient"],
                   beside[0] if state == "rank0" else np.mean(beside, 0))
print("statistics are averaged as new values")

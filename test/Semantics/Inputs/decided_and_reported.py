"""decided-and-reported.mlir in `local`, by hand: ranks decide by the combined loss, and report their own.

decided_and_reported.py STEP.mlir DIR DATA: with averaged and with summed gradients; the sums are beyond the limit from
2 ranks on.
"""
import pathlib
import sys

import numpy as np

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]
VECTOR = np.array([1, -2])

for ranks in (1, 2, 4, 8):
    rewritten = for_samples(step, folder, BATCH // ranks)
    for mean in ("true", "false"):
        combine = np.mean if mean == "true" else np.sum
        text = pathlib.Path(rewritten).read_text()
        pathlib.Path(rewritten).write_text(text.replace("ds.combine mean", "ds.combine " + combine.__name__))
        config = ["--config", f"gradients_mean={mean}"] if ranks > 1 else []
        saved, results = run(rewritten, folder, ranks, "--data", data, "--steps", "1", *config)
        samples = np.asarray(results[6], np.float64).reshape(ranks, BATCH // ranks, 3)  # as the ranks held them
        losses = np.array([(x * x).sum() / len(x) for x in samples])
        w = combine([((x - x.mean(0)) * x).mean(0) for x in samples], 0)
        p = combine([np.outer(x.mean(0), VECTOR) for x in samples], 0)
        clip = 0.125 / max(0.125, np.sqrt((w**2).sum() + (p**2).sum()))
        steps = combine(losses) < 1.5
        where = f"{ranks} ranks, gradients_mean={mean}"
        expect(f"w, {where}", saved["w"], 0.5 - clip * w * steps)
        expect(f"p, {where}", saved["p"], 0.25 - clip * p * steps)
        expect(f"kept, {where}", saved["kept"], losses.mean())
        expect(f"squared, {where}", saved["squared"], (losses**2).mean())
        expect(f"loss, {where}", results[4], losses.mean())
        expect(f"most, {where}", results[5], losses.max())
print("ranks decide together and report their own")

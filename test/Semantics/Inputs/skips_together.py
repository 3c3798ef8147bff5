"""loss-scaling.mlir with one sample whose gradient overflows f16: all ranks skip, also those whose samples are fine.

skips_together.py STEP.mlir DIR DATA: the seed decides which rank holds that sample, so several are tried.
"""
import sys

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]
for ranks in (2, 4, 8):
    for semantics in ("global", "local"):
        for seed in ("1", "2", "3"):
            flags = ["--data", data, "--steps", "2", "--seed", seed]
            if semantics == "global":
                saved, results = run(step, folder, ranks, "--config", "batch=global", *flags)
            else:
                rewritten = for_samples(step, folder, BATCH // ranks)
                saved, results = run(rewritten, folder, ranks, "--config", "gradients_mean=true", *flags)
            start, _ = run(step, folder, 1, *flags)
            what = f"{semantics}, {ranks} ranks, seed {seed}: "
            # In `local` every rank counts itself; in `global` all of them compute one number.
            expect(what + "ranks that skip", results[3], 1)
            expect(what + "scale", saved["scale"], 4096 / 4)
            expect(what + "w", saved["w"], start["w"], rtol=0, atol=0)
            expect(what + "what all ranks hold", results[4], start["w"].sum())
print("all ranks skip together")

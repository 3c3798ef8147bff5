"""The results of a step on n ranks are those of one device, row by row.

rows_of_results.py STEP.mlir DIR DATA: two steps on 1, 2, 4, 8 and 16 ranks in `global`.
"""
import sys

import numpy as np

from step import expect, run

step, folder, data = sys.argv[1:4]
flags = ["--data", data, "--steps", "2", "--config", "batch=global"]
_, one = run(step, folder, 1, *flags)
expect("positions on one device", one[2], np.arange(16))
for ranks in (2, 4, 8, 16):
    _, many = run(step, folder, ranks, *flags)
    for number, result in one.items():
        if many[number].shape != result.shape:
            sys.exit(f"result #{number} on {ranks} ranks has the shape {many[number].shape}, on one device "
                     f"{result.shape}")
        expect(f"result #{number} on {ranks} ranks", many[number], result, rtol=1e-6, atol=1e-7)
print("all rows are in their places")

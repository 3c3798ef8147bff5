"""record.py FILE STEPS: what examples/c_api/train.c feeds its steps, as a recording of ds-run."""
import sys

import numpy as np

x = ((np.arange(24) * 7 % 11).astype(np.float32) / np.float32(5) - np.float32(1)).reshape(8, 3)
y = np.float32(2) * x[:, 0] - x[:, 1] + x[:, 2] / np.float32(2)
arrays = {"step1_arg0": np.zeros(3, np.float32)}
for step in range(1, int(sys.argv[2]) + 1):
    arrays |= {f"step{step}_arg1": x, f"step{step}_arg2": y, f"step{step}_arg3": np.float32(0.1)}
np.savez(sys.argv[1], **arrays)

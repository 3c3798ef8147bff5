"""scheduled.py FOLDER COMMAND.. SCHEDULE: trains 14 steps of linear.mlir under a schedule, dumping the parameters of
each, and computes the learning rate that each step had from how far it moved them: w' = w - lr m'."""
import math
import pathlib
import subprocess
import sys

import numpy as np

folder, command, schedule = pathlib.Path(sys.argv[1]), sys.argv[2:-1], sys.argv[-1]
folder.mkdir()
STEPS, PER_EPOCH = 14, 6
EXPECTED = {
    "lr=0.1@0,0.01@1,0.03@7steps": lambda s: 0.1 if s < 6 else 0.01 if s < 7 else 0.03,
    "lr=linear:0:0.1@0,cosine:0.1:0@5steps": lambda s: 0.1 * s / 5 if s < 5 else 0.05
    * (1 + math.cos(math.pi * (s - 5) / 9)),
    "lr=cosine(0.1,warmup=5)": lambda s: 0.1 * s / 5 if s < 5 else 0.05 * (1 + math.cos(math.pi * (s - 5) / 9)),
    "lr=linear(0.1, warmup=1epoch, end=0.02)": lambda s: 0.1 * s / 6 if s < 6 else 0.1 - 0.08 * (s - 6) / 8,
    "lr=exponential(0.1,rate=0.5)": lambda s: 0.1 * 0.5 ** (s / 6),
    "lr=exponential(0.1,rate=0.5,every=4steps,warmup=2)": lambda s: 0.05 * s if s < 2 else 0.1 * 0.5 ** ((s - 2) / 4),
    "lr=constant(0.1,warmup=3)": lambda s: 0.1 * min(1, s / 3),
    "lr=piecewise(0.1,0.01@1,0.03@2)": lambda s: 0.1 if s < 6 else 0.01 if s < 12 else 0.03,
    "lr=piecewise(0.1,warmup=4,0.01@9steps)": lambda s: 0.1 * s / 4 if s < 4 else 0.1 if s < 9 else 0.01,
    "lr=cosine:0.1:0.02": lambda s: 0.02 + 0.04 * (1 + math.cos(math.pi * s / 14)),
}


def read(path):
    import json
    import struct
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    return [np.frombuffer(data[8 + size:], np.float32, 3, header[name]["data_offsets"][0])
            for name in ("w", "w.momentum")]


subprocess.run([*command, "--arg", schedule, "--steps", str(STEPS), "--save", folder / "w.safetensors", "--save-every",
                "1", "--keep", "100"],
               check=True, stdout=subprocess.DEVNULL)
values = [read(path) for path in sorted(folder.glob("w-*"))]
assert len(values) == STEPS
for step in range(1, STEPS):  # from the second one on
    (before, _), (after, momentum) = values[step - 1:step + 1]
    widest = np.argmax(np.abs(momentum))
    rate = float(before[widest] - after[widest]) / float(momentum[widest])
    expected = EXPECTED[schedule](step)
    assert abs(rate - expected) < 1e-3 * 0.1 + 2e-7 / abs(momentum[widest]), (step, rate, expected)

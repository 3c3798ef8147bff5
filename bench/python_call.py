"""What a call from Python costs beyond the step: python_call.py [CALLS]. Needs DS_RUN, or ds-run on PATH, and the package ds.

For 1 and 2 ranks a small step is called from Python; `outside` is what of a call is not in the step. Memory is that of the process before and
after CALLS calls."""
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
from dstep import _native  # noqa: E402

calls = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
step = (pathlib.Path(__file__).resolve().parent.parent / "examples/c_api/step.mlir").read_text()
program = _native.Program(step, "batch=global")
x, y = np.ones((8, 3), np.float32), np.ones(8, np.float32)
resident = lambda: int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4
for ranks in (1, 2):
    instance = _native.Instance(program, ranks)
    instance.write(3, np.array(0.1, np.float32))
    batch = {1: x.ctypes.data, 2: y.ctypes.data}
    for _ in range(1000):
        instance.run(batch)
        instance.result(1)
    memory, before, best = resident(), instance.statistics()["step_ns"], []
    for part in range(100):
        begin, inside = time.perf_counter_ns(), instance.statistics()["step_ns"]
        for _ in range(calls // 100):
            instance.run(batch)
            loss = instance.result(1)
        took, inside = time.perf_counter_ns() - begin, instance.statistics()["step_ns"] - inside
        best.append((took * 100 / calls, inside * 100 / calls))
    call, within = (np.median([pair[k] for pair in best]) / 1000 for k in range(2))
    print(f"{ranks} rank{'s' * (ranks > 1)}: a call {call:.1f} us, the step {within:.1f} us, outside {call - within:.1f} us; memory {resident() - memory:+d} KiB in {calls} calls")

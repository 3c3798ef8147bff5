"""Steps in this process, by libds.so: the bytes of ds-run's, no growth, and what goes wrong leaves the interpreter as
it was."""
import gc
import os
import pathlib
import signal
import threading
import time
import unittest

import numpy as np

from dstep.session import native
from dstep.base.export import Export
from dstep.session.run import RunError, Runner

import by_ds_run

STEP = (pathlib.Path(__file__).resolve().parents[2] / "examples/c_api/step.mlir").read_text()
X = ((np.arange(24) * 7 % 11).astype(np.float32) / np.float32(5) - np.float32(1)).reshape(8, 3)
Y = np.float32(2) * X[:, 0] - X[:, 1] + X[:, 2] / np.float32(2)
RATE = np.array(0.1, np.float32)
BATCH = {1: X.ctypes.data, 2: Y.ctypes.data}


def instance(ranks):
    made = native.Instance(native.Program(STEP, "batch=global"), ranks)
    made.write(3, RATE)
    return made


def resident():
    """KiB."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


class Recorded(Export):
    """An export of the step above, as Runner wants it."""
    mlir, carried = STEP, [(0, 0)]

    def __init__(self):
        super().__init__("recorded", {"args": [], "results": [{"dtype": "float32"}] * 2})

    def flatten(self, args):
        return [np.array(value) for value in args]


class Native(unittest.TestCase):
    def test_the_bytes_are_those_of_ds_run(self):
        steps = [(np.zeros(3, np.float32), X + np.float32(k), Y, RATE) for k in range(5)]
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                found, expected = Runner(ranks).steps(Recorded(), steps), by_ds_run.replayed(Recorded(), steps, ranks)
                self.assertEqual([[v.tobytes() for v in step] for step in found],
                                 [[v.tobytes() for v in step] for step in expected])

    def test_calls_do_not_grow(self):
        made = instance(2)
        for count in (1000, 20000):
            gc.collect()
            before = resident()
            for _ in range(count):
                made.run(BATCH)
                made.result(1)
        self.assertLess(resident() - before, 512)

    def test_instances_do_not_grow(self):
        program = native.Program(STEP, "batch=global")
        for count in (5, 40):
            before = resident()
            for _ in range(count):
                native.Instance(program, 2).close()
        self.assertLess(resident() - before, 4096)

    def test_a_view_keeps_its_instance(self):
        made = instance(2)
        made.run(BATCH)
        view, copy = made.view(0), made.read(0)
        del made
        gc.collect()
        np.testing.assert_array_equal(view, copy)

    def test_a_child_of_fork_is_refused(self):
        made = instance(2)
        made.run(BATCH)
        child = os.fork()
        if child == 0:
            try:
                made.run(BATCH)
            except RunError as error:
                os._exit(0 if "forked" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        made.run(BATCH)

    def test_ctrl_c_between_steps_leaves_all_as_it_was(self):
        made = instance(2)
        thread = threading.Thread(target=lambda: (time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT)))
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                made.run(BATCH)
        thread.join()
        made.run(BATCH)
        self.assertTrue(np.isfinite(made.result(1)))

    def test_mistakes_are_sentences_and_nothing_is_broken_by_them(self):
        made = instance(2)
        with self.assertRaisesRegex(RunError, r"^step\.mlir:2:2: error: .*bad"):
            native.Program("func.func @step() {\n bad\n}")
        with self.assertRaisesRegex(RunError, "bach"):
            native.Program(STEP, "bach=global")
        with self.assertRaisesRegex(RunError, r"'w' is float64\[3\], expected float32\[3\]"):
            made.write(0, np.zeros(3))
        with self.assertRaisesRegex(RunError, "8"):
            native.Instance(native.Program(STEP, "batch=global"), 3)
        made.run(BATCH)

    def test_plans_and_certificates(self):
        program = native.Program(STEP, "batch=global")
        self.assertEqual(program.check(2)[0], "equal")
        self.assertEqual(program.plan(2)["ranks"], 2)
        distributed = native.Program(program.emit(ranks=2, bytecode=True))
        self.assertEqual(program.equivalent(distributed)[0], "equal")
        wrong = native.Program(program.emit(ranks=2).replace("ds.all_reduce sum", "ds.all_reduce max"))
        verdict, found = program.equivalent(wrong)
        self.assertEqual(verdict, "different")
        self.assertIn("differs from one device", found["reason"])


if __name__ == "__main__":
    unittest.main()

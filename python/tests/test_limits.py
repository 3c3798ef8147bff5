"""An export that takes too long or too much says so, and where; what it does is said while it lasts."""
import contextlib
import io
import subprocess
import sys
import time
import unittest
from unittest import mock

import numpy as np

import dstep as ds
from dstep.base import limits
from dstep.frontend import FrontendError


def endless(w, x):
    while True:
        w = w + x.mean(0)


def growing(w, x):
    held = []
    while True:
        held.append(np.ones(1 << 20))  # written, so that the memory is there
    return w


ARGUMENTS = (np.ones(2, np.float32), np.ones((4, 2), np.float32))


class Limits(unittest.TestCase):
    def export(self, step, **options):
        return ds.jax.export(step, ARGUMENTS, params=0, batch=1, **options)

    def test_a_profiler_runs_behind_an_export(self):
        """In a process of its own, since what this is about loops for ever."""
        profiled = "profile = cProfile.Profile(); profile.enable(); [abs(i) for i in range(300)]; profile.disable()"
        done = subprocess.run([sys.executable, "-c", "import cProfile, numpy as np, dstep as ds\n"
                               "ds.jax.export(lambda w, x: w + x.mean(0), (np.ones(2, np.float32), np.ones((4, 2), "
                               f"np.float32)), params=0, batch=1)\nfor i in range(2):\n  {profiled}"], timeout=60,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_too_long(self):
        with self.assertRaisesRegex(FrontendError, r"the export of 'step' took more than 1 s, the last of it .* at "
                                    r".*test_limits.py:\d+; time_limit="):
            self.export(endless, time_limit=1)

    def test_too_much_memory(self):
        with self.assertRaisesRegex(FrontendError, r"the export of 'big' took more than 0.125 GiB of memory.* at "
                                    r".*test_limits.py:\d+; memory_limit="):
            self.export(growing, name="big", memory_limit=0.125)

    def test_what_it_does_is_said(self):
        said = io.StringIO()

        def step(w, x):
            while "now" not in said.getvalue():
                w = w + 0
            return w - x.mean(0)
        with mock.patch.object(limits, "REPORT_AFTER", 0.0), contextlib.redirect_stderr(said):
            self.export(step)
        self.assertRegex(said.getvalue(), r"the export of 'step' has taken \d+ s and [\d.]+ GiB, now ")

    def test_a_terminal_has_one_line_that_goes(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True
        said = Terminal()

        def step(w, x):
            while "now" not in said.getvalue() and "export" not in said.getvalue():
                w = w + 0
            return w - x.mean(0)
        with mock.patch.object(limits, "SHOW_AFTER", 0.0), contextlib.redirect_stderr(said):
            self.export(step)
            with limits.shown("compiling 'step' for 2 ranks"):
                while "compiling" not in said.getvalue():
                    time.sleep(0.01)
        self.assertRegex(said.getvalue(), r"^(\rthe export of 'step': [^\r\n]*, \d+ s\x1b\[K)+\r\x1b\[K(\rcompiling "
                         r"'step' for 2 ranks, \d+ s\x1b\[K)+\r\x1b\[K$")

    def test_a_limit_is_a_positive_number(self):
        for options in ({"time_limit": 0}, {"memory_limit": "8GB"}):
            with self.assertRaisesRegex(FrontendError, "expected a positive number"):
                self.export(lambda w, x: w - x.mean(0), **options)

    def test_errors_of_the_step_stay_what_they_are(self):
        def step(w, x):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            self.export(step)
        self.assertEqual(self.export(lambda w, x: w - x.mean(0), time_limit=None).batch_size, 4)


if __name__ == "__main__":
    unittest.main()

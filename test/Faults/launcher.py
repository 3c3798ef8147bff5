#!/usr/bin/env python3
# ===- launcher.py - An mpirun that hangs, or passes no signal on -----------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# launcher.py --ds-run DS-RUN --step STEP.mlir MPIRUN..
#
# ds-run --launch over shell scripts around MPIRUN, nearly all at once, since they wait most of the time: each job must
# end in time with its code, its sentence and its file, and leave no process.
# ===------------------------------------------------------------------------===#
import argparse
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "Run" / "Inputs"
sys.path.insert(0, str(INPUTS))
import launchers

HANGS = 'MPIRUN "$@"; while :; do sleep 1; done'
SCRIPTS = {
    "hangs": HANGS,
    "stubborn": f"trap '' TERM; {HANGS}",
    # Its ranks have nobody to tell their exit codes to.
    "silent": f"unset DS_LAUNCHER; {HANGS}",
    "hangs once": f'[ -e hung ] && exec MPIRUN "$@"; touch hung; unset DS_LAUNCHER; {HANGS}',
    "lies": 'MPIRUN "$@"; exit 9',
    # Its ranks are in a session of their own, and it takes every signal for itself.
    "deaf": "trap : TERM INT HUP USR1; setsid MPIRUN \"$@\" & while kill -0 $! 2> /dev/null; do wait $!; done; wait $!",
}
ENDED = "ds-run: {}: 'SCRIPT' still ran 10 s after the job's end, and was ended{}"
WARNED = ENDED.format("warning", "")
UNKNOWN = ENDED.format("error", "; how the ranks ended is not known")
GRACE, KILL = 10, 15  # seconds after the end of the ranks

# name: launcher, signals, exit code, last line of ds-run, whether --save is written, seconds after the ranks' end, more
# options
JOBS = {
    "ends by itself": ("hangs", [], 0, WARNED, True, GRACE, ["--steps", "20"]),
    "ends in silence": ("silent", [], 1, UNKNOWN, True, GRACE, ["--steps", "20"]),
    "is brief": ("hangs", [], 0, WARNED, True, GRACE, ["--steps", "1"]),
    "is brief and silent": ("silent", [], 1, UNKNOWN, True, GRACE, ["--steps", "1"]),
    "fails": ("hangs", [], 1, WARNED, False, GRACE, ["--steps", "20", "--config", "batch=nowhere"]),
    "told to end": ("hangs", ["SIGTERM"], 75, WARNED, True, GRACE, []),
    "interrupted": ("hangs", ["SIGINT"], 130, WARNED, True, GRACE, []),
    "told to a stubborn one": ("stubborn", ["SIGTERM"], 75, WARNED, True, KILL, []),
    "told a deaf one": ("deaf", ["SIGTERM"], 75, None, True, 0, []),
    "interrupts a deaf one": ("deaf", ["SIGINT"], 130, None, True, 0, []),
    "told a liar": ("lies", ["SIGTERM"], 75, None, True, 0, []),
    "goes on": ("hangs once", [], 0, "ds-run: warning: 'SCRIPT' still ran 10 s after the job's end, and was ended; "
                "starting the job again (1 of 2 restarts)", True, GRACE,
                ["--steps", "20", "--resume", "--max-restarts", "2"]),
}

ALONE = "is brief and silent"  # on a machine that is free its ranks are gone within a second


class Job:
    def __init__(self, folder, name, arguments):
        self.name, (self.script, self.signals, self.code, self.line, self.saved, self.takes, more) = name, JOBS[name]
        self.place = folder / name.replace(" ", "-")
        self.place.mkdir()
        script = self.place / "launcher"
        script.write_text("#!/bin/sh\n" + SCRIPTS[self.script].replace("MPIRUN", shlex.join(arguments.mpirun)) + "\n")
        script.chmod(0o755)
        self.mark = f"{os.getpid()}-{self.place.name}"
        command = [arguments.ds_run, arguments.step, "--launch", "2", "--data", f"x={folder}/x.npy,y={folder}/y.npy",
                   "--arg", "lr=0.0001", "--save", "w.safetensors",
                   "--save-every", "1000", *(more or ["--steps", "100000000"])]
        self.process = subprocess.Popen(command, cwd=self.place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True, start_new_session=True,
                                        env={**os.environ, "DS_MPIRUN": str(script), "DS_TEST_MARK": self.mark,
                                             "OMP_NUM_THREADS": "1"})

    def ranks(self):
        return [pid for pid in launchers.ranks(self.mark) if pid != self.process.pid]

    def disturb(self):
        if self.signals:
            launchers.wait_for(lambda: list(self.place.glob("w-*.safetensors")), self.process, 60)
        for name in self.signals:
            self.process.send_signal(getattr(signal, name))

    def finish(self):
        """What is wrong."""
        launchers.wait_for(lambda: not self.ranks(), self.process, 60)
        began = time.monotonic()
        try:
            told = self.process.communicate(timeout=60)[1].splitlines()
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "still runs 60 s after the end of its ranks"
        took = time.monotonic() - began
        last = [line.replace(str(self.place / "launcher"), "SCRIPT")
                for line in told if line.startswith(("ds-run: error", "ds-run: warning"))][-1:]
        got = (self.process.returncode, last, (self.place / "w.safetensors").exists(),
               launchers.ranks(self.mark, "sh") + self.ranks())
        expected = self.code, [self.line] if self.line else [], self.saved, []
        if got != expected:
            return f"exit code, last line, saved, left: got {got}, expected {expected}: {told}"
        return "" if took < self.takes + 8 else f"{took:.0f} s after its ranks"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ds-run", required=True)
    parser.add_argument("--step", required=True)
    parser.add_argument("mpirun", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ds"))
    subprocess.run([sys.executable, INPUTS / "make_data.py", "linear", folder], check=True)
    wrong = []
    for names in ([ALONE], JOBS.keys() - {ALONE}):
        jobs = [Job(folder, name, arguments) for name in JOBS if name in names]
        for job in jobs:
            job.disturb()
        wrong += [f"{job.name}: {what}" for job in jobs if (what := job.finish())]
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit("\n".join(wrong) or 0)


main()

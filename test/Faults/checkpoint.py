#!/usr/bin/env python3
# ===- checkpoint.py - A rank dies while a job trains or writes its checkpoint -===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# checkpoint.py --ds-run DS-RUN --write-fault LIBRARY --step STEP.mlir [--mpirun COMMAND] [--fakes FOLDER] LAUNCH MOMENT
#
# Three ranks train over the checkpoint of an earlier run, and one of them is killed. All others must end within the
# timeout with an error that names the dead rank; the checkpoint must be the earlier one or the new one, byte for byte,
# with nothing beside it; and no process and no shared memory may be left.
# LAUNCH: mpi (the launcher ends the job and names the rank), mpi-alone (it is told not to, so the ranks must), nccl.
# ===------------------------------------------------------------------------===#
import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SUPPORT = pathlib.Path(__file__).resolve().parent.parent.parent / "runtime" / "test" / "support"
sys.path.insert(0, str(SUPPORT))
from jobs import Traces, by_store, end, slack

RANKS, TIMEOUT, GRACE = 3, 3.0, 5.0  # seconds; the grace is for the last words of a busy machine

# The rank that dies, and which checkpoint is there afterwards.
MOMENTS = {
    "training": (1, ["old"]),  # long before the checkpoint
    "write": (0, ["old"]),     # rank 0 writes it; half of the bytes are out
    "fsync": (0, ["old"]),     # all of them, but perhaps not on the disk
    "rename": (0, ["old"]),    # it is whole, under another name
    "renamed": (0, ["new"]),
    "beside": (1, ["new"]),    # another rank dies while rank 0 writes
}


class Job:
    def __init__(self, arguments):
        self.arguments, self.folder = arguments, pathlib.Path(tempfile.mkdtemp(prefix="ds"))
        self.checkpoints = self.folder / "checkpoints"
        self.checkpoints.mkdir()
        self.file, self.output = self.checkpoints / "w.safetensors", self.folder / "output"
        subprocess.run([sys.executable, arguments.step.parent / "make_data.py", "linear", self.folder], check=True)
        self.traces = Traces()

    def start(self, steps, **variables):
        """The processes that stand for the job: the launcher, or all ranks."""
        command = [self.arguments.ds_run, self.arguments.step, "--data", f"x={self.folder}/x.npy,y={self.folder}/y.npy",
                   "--arg", "lr=0.001", "--steps", str(steps), "--save", self.file, "--json",
                   "--config", f"timeout={round(TIMEOUT * 1000)}ms"]
        environment = dict(os.environ, **self.traces.environment, **variables)
        with open(self.output, "w") as output:
            popen = lambda line, **more: subprocess.Popen(line, stdout=output, stderr=subprocess.STDOUT,
                                                          start_new_session=True,
                                                          env=dict(environment, **more))
            if self.arguments.launch == "nccl":
                fakes = {f"DS_{n.upper()}_LIBRARY": f"{self.arguments.fakes}/libfake_{n}.so" for n in ("cuda", "nccl")}
                common = dict(by_store(RANKS), **fakes)
                return [popen([*command, "--backend", "nccl"], DS_RANK=str(r), **common) for r in range(RANKS)]
            if self.arguments.launch == "mpi-alone":
                environment["OMPI_MCA_orte_abort_on_non_zero_status"] = "0"
            return [popen([*shlex.split(self.arguments.mpirun), "-n", str(RANKS), *command])]

    def undisturbed(self, steps):
        """The checkpoint after so many steps."""
        if any(child.wait(timeout=60 * slack()) for child in self.start(steps)):
            sys.exit(f"a job without a fault fails:\n{self.output.read_text()}")
        return self.file.read_bytes()

    def ranks(self, rank):
        name = "DS_RANK" if self.arguments.launch == "nccl" else "OMPI_COMM_WORLD_RANK"
        return self.traces.processes(f"{name}={rank}")

    def wait_for(self, what, condition):
        limit = time.monotonic() + 60 * slack()
        while not condition():
            if time.monotonic() > limit:
                sys.exit(f"{what} did not happen:\n{self.output.read_text()}")
            time.sleep(0.005)


def disturb(job, moment, guilty):
    """The job's processes, after the rank has been killed."""
    if moment == "training":
        children = job.start(10**9)
        job.wait_for("a step", lambda: '"event":"progress"' in job.output.read_text())
    else:
        pause = job.folder / "pause"
        more = {"DS_TEST_PAUSE": str(pause)} if moment == "beside" else {}
        children = job.start(8, LD_PRELOAD=job.arguments.write_fault, DS_TEST_FOLDER=str(job.checkpoints),
                             DS_TEST_AT="write" if moment == "beside" else moment, **more)
        if moment != "beside":
            job.wait_for("the death of rank 0", lambda: any(c.poll() for c in children) or not job.ranks(0)
                         and job.ranks(1))
            return children
        job.wait_for("the writing", pause.exists)
    for process in job.ranks(guilty):
        os.kill(process, signal.SIGKILL)
    if moment == "beside":
        pause.unlink()
    return children


def run(job, moment):
    """Problems, as sentences."""
    guilty, allowed = MOMENTS[moment]
    kept = {"old": job.undisturbed(4)}
    kept["new"] = job.undisturbed(8)
    job.file.write_bytes(kept["old"])
    children = disturb(job, moment, guilty)
    died, problems, codes = time.monotonic(), [], []
    # The ranks that are left must end by themselves. A launcher that is told not to care waits for ever.
    others = [r for r in range(RANKS) if r != guilty]
    while any(job.ranks(r) for r in others) and time.monotonic() < died + (TIMEOUT + GRACE) * slack():
        time.sleep(0.02)
    took = time.monotonic() - died
    if left := [r for r in others if job.ranks(r)]:
        problems.append(f"ranks {left} still run {took:.1f} s after rank {guilty} was killed")
    alone = job.arguments.launch == "mpi-alone"
    for child in children:
        try:
            codes.append(child.wait(timeout=1 if alone else 10 * slack()))
        except subprocess.TimeoutExpired:
            if not alone:
                problems.append("the launcher still runs")
            end(child)
    said = job.output.read_text()
    if 0 in codes:
        problems.append(f"a process reports success: {codes}")
    names = rf"(ds-run: error|dsrt: rank \d of {RANKS} aborted): .*\brank {guilty}\b"
    if job.arguments.launch == "mpi":
        names = rf"process rank {guilty} with PID \d+ .*exited on signal 9"
    if not re.search(names, said):
        problems.append(f"no error names rank {guilty}")
    found = [name for name, contents in kept.items() if job.file.exists() and job.file.read_bytes() == contents]
    if not found or found[0] not in allowed:
        problems.append(f"the checkpoint is {found or 'neither'}, expected {allowed}")
    # A killed job leaves the file of its lock, which locks nothing any more.
    beside = [f for f in job.checkpoints.iterdir() if f not in (job.file, job.file.with_name(job.file.name + ".lock"))]
    if moment == "rename":  # the one moment at which the new checkpoint has a name of its own
        beside = [f for f in beside if ".safetensors.tmp-" not in f.name or f.read_bytes() != kept["new"]]
    if beside:
        problems.append(f"beside the checkpoint lie {[f.name for f in beside]}")
    problems += job.traces.leftovers()
    if problems:
        print(said)
    print(f"{job.arguments.launch} {moment}: rank {guilty} died, the others ended {took:.2f} s later, the checkpoint "
          f"is the {'/'.join(found)} one")
    shutil.rmtree(job.folder)
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ds-run", required=True)
    parser.add_argument("--write-fault", required=True)
    parser.add_argument("--step", required=True, type=pathlib.Path)
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--fakes", default="")
    parser.add_argument("launch", choices=["mpi", "mpi-alone", "nccl"])
    parser.add_argument("moment", choices=MOMENTS)
    arguments = parser.parse_args()
    sys.exit("\n".join(run(Job(arguments), arguments.moment)) or None)


main()

# ===- jobs.py - What is left of a job of processes -------------------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A job is told from all others of the machine by a mark in the environment of its processes.
# ===------------------------------------------------------------------------===#
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import time


def slack():
    """By how much longer things take now than on a machine that has nothing else to do; 1 or more."""
    return min(max(1, os.getloadavg()[0] / (os.cpu_count() or 1)), 8)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def by_store(ranks):
    """The variables by which `ranks` processes of this machine find each other; DS_RANK is each one's own."""
    return {"DS_WORLD_SIZE": str(ranks), "DS_MASTER_ADDR": "127.0.0.1", "DS_MASTER_PORT": str(free_port()),
            "DS_SECRET": secrets.token_hex(16)}


def end(child):
    """As a user or a scheduler does: politely, so that a launcher can tidy up, then not."""
    child.terminate()
    try:
        child.wait(timeout=5 * slack())
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


class Traces:
    """The environment that marks a job, and what the job leaves: processes and shared memory."""

    def __init__(self):
        self.mark = secrets.token_hex(8)
        # Open MPI keeps its segments where it is told, so that those of other jobs are not judged.
        self.memory = pathlib.Path("/dev/shm") / f"ds-{self.mark}"
        self.memory.mkdir()
        self.environment = {"DS_FAULT_JOB": self.mark, "DS_TEST_SLACK": f"{slack():.1f}",
                            "OMPI_MCA_btl_vader_backing_directory": str(self.memory)}

    def processes(self, *variables):
        """Processes that carry the mark, and these variables, in their environment."""
        marks, found = {f"DS_FAULT_JOB={self.mark}".encode(), *(v.encode() for v in variables)}, []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                    if state != "Z" and marks <= set((entry / "environ").read_bytes().split(b"\0")):
                        found.append(int(entry.name))
                except OSError:
                    pass
        return found

    def leftovers(self):
        """Problems, as sentences; afterwards nothing is left."""
        problems = []
        for _ in range(round(50 * slack())):  # the launcher's children need a moment to die
            if not (left := self.processes()):
                break
            time.sleep(0.1)
        if left:
            problems.append(f"processes are left: {left}")
            for process in left:
                os.kill(process, signal.SIGKILL)
        if segments := [entry.name for entry in self.memory.iterdir()]:
            problems.append(f"shared memory is left: {segments}")
        shutil.rmtree(self.memory)
        return problems

#!/usr/bin/env python3
# ===- faults.py - Every fault on every backend, judged and timed -----------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# faults.py --program DSRT-FAULT-RANK [--set NAME=VALUE ...] BACKEND FAULT       one job; fails unless it ends as it
# must faults.py --program DSRT-FAULT-RANK [--set NAME=VALUE ...] --table FILE        all of them, and their table into
# FILE
#
# A job has three ranks and rank 1 is at fault. All others must end within the timeout, with an error that names the
# call, the group, the bytes and rank 1; and nothing of the job may be left: no process, no shared memory, no file. A
# backend joins by an entry in BACKENDS.
#
# A job that is stopped and continued has no fault: SURVIVED lists what all ranks must get through. Not in the table.
# ===------------------------------------------------------------------------===#
import argparse
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from jobs import Traces, by_store, end, slack

RANKS = 3
# ms: of a call that cannot end; of one before which some ranks have more to do; of one in which a fault must be found
# long before the timeout.
SHORT, LONGER, PATIENT = 1000, 3000, 20000
GRACE = 2500  # ms beyond a timeout, for last words; a busy machine gets as much more of both as it is busy

# What the ranks other than 1 may end with, what their error must say, and the timeout of the job.
FAULTS = {
    "killed": (["timeout", "peer failed"], r"rank 1\b", SHORT),
    "hung": (["timeout", "peer failed"], r"waiting for rank 1\b", SHORT),
    "slow": (["timeout", "peer failed"], r"waiting for rank 1\b", SHORT),
    "sizes": (["mismatch", "peer failed"], r"ranks disagree on the elements(?: of buffer 0)?: rank 0 has 1024, rank 1 "
              r"has 999", PATIENT),
    "dtype": (["mismatch", "peer failed"], r"ranks disagree on the dtype: rank 0 has f32, rank 1 has i32", PATIENT),
    # Nobody can know that the other call was meant to be this one, so rank 1 is late, or gives up first.
    "group": (["timeout", "peer failed"], r"waiting for rank 1\b|rank 1 (?:failed first|gave up): .* in group \{0, 1\}",
              LONGER),
    "order": (["mismatch", "peer failed"], r"ranks disagree on the call: rank 0 has all_reduce, rank 1 has barrier",
              PATIENT),
    "vendor-error": (["peer failed"], r"rank 1 failed first: .*all_reduce", PATIENT),
    "lost": (["timeout", "peer failed"], r"rank 1\b", SHORT),
}
# The same once all ranks are in the call: only where the library below can be told to do it. Not in the table.
INSIDE = {
    "inside-killed": (["timeout", "peer failed", "internal"], r"rank 1\b", PATIENT),
    "inside-exchange-killed": (["timeout", "peer failed"], r"waiting for rank 1, which came to the call but did not "
                               r"finish it", SHORT),
    "stuck-and-killed": (["timeout", "peer failed"], r"waiting for rank 1\b", SHORT),  # rank 2 hangs one call earlier
    "inside-failed": (["peer failed"], r"rank 1 failed first: .*all_reduce", PATIENT),
    "inside-lost": (["internal", "peer failed"], r"remote|error cqe|failed first", PATIENT),
}
# The same on a mesh of four ranks, dp=2 and tp=2: rank 0 waits for rank 1 in its row, rank 3 in its column. Not in the
# table.
AXES = {
    "axis-killed": (["timeout", "peer failed"], r"rank 1\b.*; rank 1 is dp=0, tp=1", SHORT),
    "axis-hung": (["timeout", "peer failed"], r"waiting for rank 1\b.*; rank 1 is dp=0, tp=1", SHORT),
    "axis-slow": (["timeout", "peer failed"], r"waiting for rank 1\b.*; rank 1 is dp=0, tp=1", SHORT),
}
OF_AXES = {
    0: "all_to_all f32 (1 buffer, 2048 bytes) in group {0, 1} on rank 0: ",
    3: "all_reduce sum f32 (1 buffer, 4096 bytes) in group {1, 3} on rank 3: ",
}
# Every rank must end well. Whether all processes are stopped, for longer than the timeout, or rank 0 alone, for less.
SURVIVED = {"suspended": (True, 3000, 4.0), "paused": (False, PATIENT, 4.0), "joining": (True, 3000, 4.0)}
CALL = "all_reduce sum f32 (1 buffer, 4096 bytes) in the world of 3 on rank %d: "

# What the fake vendor libraries do in the third call of rank 1 (runtime/test/fakes/FakeWire.h).
ON_FAKES = {
    "vendor-error": {"DS_FAKE_FAULTS": "rank=1,call=3,do=error"},
    "inside-killed": {"DS_FAKE_FAULTS": "rank=1,call=3,do=die"},
    "inside-failed": {"DS_FAKE_FAULTS": "rank=1,call=3,do=async-error"},
    "inside-lost": {"DS_FAKE_FAULTS": "rank=1,call=3,do=disconnect"},
}

# launch: threads of one process, mpirun, or processes that find each other by DS_*. env and faults[...] add variables;
# {NAME} is what --set gives. `without` lists {fault: why it cannot happen}; for a fault of `ended by launcher` the job
# must end with an error, and in time, but the ranks need not say anything.
BACKENDS = {
    "local": {
        "launch": "threads",
        "without": {"vendor-error": "there is no library below", "lost": "there is no connection"},
    },
    "mpi.openmpi": {
        "launch": "mpirun",
        "faults": {
            # A launcher that ends the job when a rank dies would hide whether the runtime notices.
            "killed": {"OMPI_MCA_orte_abort_on_non_zero_status": "0"},
            "axis-killed": {"OMPI_MCA_orte_abort_on_non_zero_status": "0"},
            "vendor-error": {"LD_PRELOAD": "{mpi_error}", "DS_TEST_MPI_ERROR": "1"},
            "inside-exchange-killed": {"OMPI_MCA_orte_abort_on_non_zero_status": "0", "LD_PRELOAD": "{mpi_error}",
                                "DS_TEST_MPI_DEATH": "1"},
            "stuck-and-killed": {"OMPI_MCA_orte_abort_on_non_zero_status": "0", "LD_PRELOAD": "{mpi_error}",
                                 "DS_TEST_MPI_STUCK": "2"},
            "lost": {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1"},
        },
    },
    "tcp": {"launch": "processes", "without": {"vendor-error": "there is no library below"}},
    # Each rank takes itself for one of a host of its own, so that none share memory. Not in the table.
    "tcp.hosts": {"launch": "processes", "env": {"DS_LOCAL_RANK": "0", "DS_LOCAL_SIZE": "1"}},
    "nccl": {
        "launch": "processes",
        "env": {"DS_CUDA_LIBRARY": "{fakes}/libfake_cuda.so", "DS_NCCL_LIBRARY": "{fakes}/libfake_nccl.so"},
        "faults": ON_FAKES,
    },
    "hccl": {
        "launch": "processes",
        "env": {"DS_ASCENDCL_LIBRARY": "{fakes}/libfake_ascendcl.so", "DS_HCCL_LIBRARY": "{fakes}/libfake_hccl.so"},
        "faults": ON_FAKES,
    },
    "mpi.mpich": {
        "launch": "mpirun",
        # MPICH's launcher ends the job, whatever it is told, before the other ranks have anything to say.
        "ended by launcher": ["killed", "axis-killed"],
        "faults": {"vendor-error": {"LD_PRELOAD": "{mpi_error}", "DS_TEST_MPI_ERROR": "1"}},
        "without": {"lost": "ranks of one machine share memory, not connections"},
    },
    "store": {"launch": "processes", "faults": {"vendor-error": {"DS_TEST_STORE_ERROR": "1"}}},
}


class Job:
    """Starts a job, reads what its ranks say, ends it, and looks for what is left."""

    def __init__(self, backend, fault, timeout, settings):
        entry = BACKENDS[backend]
        settings = {**settings, **{k.split(":", 1)[1]: v for k, v in settings.items() if k.startswith(f"{backend}:")}}
        self.by_launcher = fault in entry.get("ended by launcher", [])
        self.launch, self.fault, self.timeout = entry["launch"], fault, timeout
        self.ranks = 4 if fault in AXES else RANKS
        self.traces = Traces()
        self.folder = tempfile.TemporaryDirectory(prefix="ds")
        # Ranks append: reading moves the position, which is theirs too.
        self.output = open(os.path.join(self.folder.name, "output"), "a+")
        self.scratch = os.path.join(self.folder.name, "tmp")
        os.mkdir(self.scratch)
        self.environment = dict(os.environ, TMPDIR=self.scratch, **self.traces.environment)
        for name, value in [*entry.get("env", {}).items(), *entry.get("faults", {}).get(fault, {}).items()]:
            self.environment[name] = value.format(**settings)
        self.command = [settings["program"], backend.split(".")[0], fault, str(timeout)]
        self.mpirun = shlex.split(settings.get("mpirun", ""))

    def popen(self, command, **variables):
        return subprocess.Popen(command, stdout=self.output, stderr=subprocess.STDOUT, start_new_session=True,
                                env=dict(self.environment, **variables))

    def start(self):
        if self.launch == "threads":
            return [self.popen([*self.command, "threads", str(self.ranks)])]
        if self.launch == "mpirun":
            return [self.popen([*self.mpirun, "-n", str(self.ranks), *self.command])]
        common = by_store(self.ranks)
        if self.fault == "joining":  # the others look for rank 0, are stopped and continued, and only then it comes
            others = [self.popen(self.command, DS_RANK=str(r), **common) for r in range(1, RANKS)]
            time.sleep(0.5)
            self.stop_and_continue()
            return [*others, self.popen(self.command, DS_RANK="0", **common)]
        return [self.popen(self.command, DS_RANK=str(r), **common) for r in range(self.ranks)]

    def said(self):
        self.output.seek(0)
        self.text = self.output.read()
        lines = [json.loads(line) for line in re.findall(r'\{"rank": .*\}', self.text)]
        self.began = next((line["at"] for line in lines if "fault" in line), None)
        self.ends = {line["rank"]: line for line in lines if "status" in line}
        return all(r in self.ends for r in range(self.ranks) if r != 1 or self.fault in SURVIVED)

    def stop_and_continue(self):
        """What a shell does with a job, or a scheduler with one of its nodes."""
        whole, _, seconds = SURVIVED[self.fault]
        if whole:
            for process in self.traces.processes():
                os.kill(process, signal.SIGSTOP)
        time.sleep(seconds)
        for process in self.traces.processes():
            os.kill(process, signal.SIGCONT)

    def run(self):
        """Problems, as sentences."""
        children = self.start()
        limit = time.monotonic() + 60 * slack()
        complete, stopped = False, self.fault not in SURVIVED or self.fault == "joining"
        while time.monotonic() < limit and not (complete := self.said()) and any(c.poll() is None for c in children):
            if not stopped and self.began is not None:
                self.stop_and_continue()
                stopped = True
            time.sleep(0.02)
        complete = complete or self.said()
        # Everybody has spoken. A job without hung ranks ends by itself; the launcher ends one that hangs.
        alone = (self.launch == "processes" and self.fault.endswith("hung") or self.launch == "mpirun"
                 and self.fault.endswith("killed"))
        alone = alone and not self.by_launcher
        problems = [] if complete or self.by_launcher else ["not every rank has said how it ended"]
        for child in children:
            try:
                child.wait(timeout=0.1 if alone else 15 * slack())
            except subprocess.TimeoutExpired:
                if not alone:
                    problems.append("the job did not end by itself")
                end(child)
        self.said()
        if self.by_launcher and children[0].returncode == 0:
            problems.append("the launcher reports success")
        if self.fault in SURVIVED and (codes := [c.returncode for c in children if c.returncode]):
            problems.append(f"processes end with {codes}, expected 0")
        problems += self.traces.leftovers()
        partial = [f for _, _, files in os.walk(self.folder.name) for f in files if f.endswith(".partial")
                   or ".tmp" in f]
        if partial:
            problems.append(f"partly written files are left: {partial}")
        self.folder.cleanup()
        return problems


def judge(backend, fault, settings):
    """(problems, milliseconds from the fault to the last other rank's error, their statuses)"""
    statuses, pattern, timeout = (FAULTS | INSIDE | AXES)[fault]
    job = Job(backend, fault, timeout, settings)
    problems = job.run()
    seen, latest = set(), 0
    if job.by_launcher:
        if problems:
            print(job.text)
        return problems, 0, "ended by its launcher"
    for rank in OF_AXES if fault in AXES else (0, 2):
        end = job.ends.get(rank)
        if not end:
            continue
        seen.add(end["status"])
        if end["status"] not in statuses:
            problems.append(f"rank {rank} ended with '{end['status']}', expected one of {statuses}")
        if not end["error"].startswith(OF_AXES[rank] if fault in AXES else CALL % rank):
            problems.append(f"rank {rank} does not name its call: {end['error']}")
        if not re.search(pattern, end["error"]):
            problems.append(f"rank {rank} does not say '{pattern}': {end['error']}")
        latest = max(latest, end["at"] - job.began if job.began else 0)
    allowed = PATIENT / 2 if timeout == PATIENT else (timeout + GRACE) * slack()
    if latest > allowed:
        problems.append(f"the fault was found after {latest} ms, expected {allowed:.0f} at most")
    if fault.endswith("slow") and job.ends.get(1, {}).get("status") not in ("peer failed", "timeout"):
        problems.append(f"the slow rank was not told that the others have given up: {job.ends.get(1)}")
    if fault == "group" and "in group {0, 1} on rank 1: " not in job.ends.get(1, {}).get("error", ""):
        problems.append(f"rank 1 does not say in which group it waits: {job.ends.get(1)}")
    if problems:
        print(job.text)
    return problems, latest, "/".join(sorted(seen))


def judge_survival(backend, fault, settings):
    _, timeout, seconds = SURVIVED[fault]
    job = Job(backend, fault, timeout, settings)
    problems = job.run()
    problems += [f"rank {rank} ended with '{end['status']}', expected ok: {end['error']}"
                 for rank, end in job.ends.items()
                 if end["status"] != "ok"]
    if problems:
        print(job.text)
    return problems, round(seconds * 1000), "ok"


def table(settings, backends):
    lines = ["| backend | " + " | ".join(FAULTS) + " |", "|---|" + "---|" * len(FAULTS)]
    failures = []
    for backend in backends:
        cells = []
        for fault in FAULTS:
            if reason := BACKENDS[backend].get("without", {}).get(fault):
                cells.append(f"- ({reason})")
                continue
            problems, ms, statuses = judge(backend, fault, settings)
            failures += [f"{backend} {fault}: {p}" for p in problems]
            cells.append(statuses if ms == 0 and "launcher" in statuses else f"{statuses}, {ms} ms")
        lines.append(f"| {backend} | " + " | ".join(cells) + " |")
    return lines, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--table", help="page whose text between the marks 'faults' is replaced")
    parser.add_argument("--backends", nargs="*", default=[b for b in BACKENDS if b not in ("store", "tcp.hosts")])
    parser.add_argument("what", nargs="*", metavar="BACKEND FAULT")
    arguments = parser.parse_args()
    settings = dict(pair.split("=", 1) for pair in arguments.set)  # NAME, or BACKEND:NAME
    settings["program"] = arguments.program
    if arguments.table:
        lines, failures = table(settings, arguments.backends)
        page = pathlib.Path(arguments.table)
        text, count = re.subn(r"(<!-- faults -->\n).*?(<!-- /faults -->)",
                              lambda m: m[1] + "\n".join(lines) + "\n" + m[2],
                              page.read_text(), flags=re.S)
        if count != 1:
            failures.append(f"{page} has no marks 'faults'")
        page.write_text(text)
        sys.exit("\n".join(failures) or None)
    backend, fault = arguments.what
    problems, ms, statuses = (judge_survival if fault in SURVIVED else judge)(backend, fault, settings)
    print(f"{backend} {fault}: {statuses}, after {ms} ms")
    sys.exit("\n".join(problems) or None)


main()

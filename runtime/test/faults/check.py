#!/usr/bin/env python3
# ===- check.py - Runs a faulty job and checks what every rank said ---------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.py SCENARIO LAUNCHER...: the launcher with its flags and the program, without the scenario. A job that hangs is
# ended after a generous limit and is a failure; so is a rank that does not say what it must.
# ===------------------------------------------------------------------------===#
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from jobs import slack

SLACK = slack()
LIMIT = round(60 * SLACK)  # seconds; every scenario ends in a few
CALL = r"all_reduce sum f32 \(1 buffer, 4096 bytes\) in the world of 3 on rank %d: "

# Per scenario: whether the job must end with an error (None: the launcher decides), and lines that must be in its
# output.
SCENARIOS = {
    "healthy": (False, ["rank 0: ok: ", "rank 1: ok: ", "rank 2: ok: "]),
    "late": (
        True,
        ["rank 0: timeout: " + CALL % 0 + "timed out after 1000 ms waiting for rank 2",
         "rank 1: timeout: " + CALL % 1 + "timed out after 1000 ms waiting for rank 2"],
    ),
    "late-first": (
        True,
        ["rank 1: (timeout: " + CALL % 1 + ".*waiting for rank 0|peer failed: .*rank 2 failed first.*waiting for rank "
         "0)",
         "rank 2: (timeout: " + CALL % 2 + ".*waiting for rank 0|peer failed: .*rank 1 failed first.*waiting for rank "
         "0)"],
    ),
    "stopped": (True, ["rank 0: (timeout|peer failed): .*waiting for rank 1", "rank 2: (timeout|peer failed): "
                       ".*waiting for rank 1"]),
    # The launcher ends the job; with "-alone" it is told not to, and the runtime itself finds the dead rank.
    "killed": (True, []),
    "exited": (True, []),
    "killed-alone": (None, ["rank 0: (timeout|peer failed): .*waiting for rank 1", "rank 2: (timeout|peer failed): "
                            ".*waiting for rank 1"]),
    "comes-late": (
        True,
        ["rank 0: timeout: .*waiting for rank 2", "rank 1: timeout: .*waiting for rank 2",
         "rank 2: peer failed: .*waiting for rank 2"],
    ),
    "first-comes-late": (True, ["rank 0: peer failed: .*waiting for rank 0"]),
    "mismatch": (
        True,
        [r"rank %d: mismatch: .*ranks disagree on the elements: rank 0 has 1024, rank 2 has 999" % r for r in range(3)],
    ),
    "sources": (
        True,
        [r"rank %d: mismatch: collective_permute f32 .*ranks disagree on the sources of the members: rank 0 has one "
         r"list, rank 2 has another" % r
         for r in range(3)],
    ),
    "order": (
        True,
        [r"rank %d: mismatch: .*ranks disagree on the call: rank 0 has all_reduce, rank 1 has barrier" % r
         for r in range(3)],
    ),
    "peer": (
        True,
        ["rank 0: peer failed: .*rank 1 failed first: all_reduce on rank 1: buffer 0 has -1 elements",
         "rank 1: invalid argument: all_reduce on rank 1: buffer 0 has -1 elements",
         "rank 2: peer failed: .*rank 1 failed first: all_reduce on rank 1: buffer 0 has -1 elements"],
    ),
    "abort": (True, ["dsrt: rank 1 of 3 aborted: loss is not a number"]),
    "leaves": (True, ["rank 1: ok: ", "rank 0: mismatch: .*rank 1 has left the training, rank 0 has all_reduce"]),
    "auto": (False, ["auto: 3 ranks"]),
    "again": (True, ["init: failed precondition: dsrt_init: backend 'mpi': MPI has been finalised in this process"]),
    "options": (True, ["init: mismatch: .*ranks disagree on the options 'deterministic', 'chunk_bytes' and "
                       "'check_calls'"]),
    "single": (True, ["init: unavailable: .*initialised for a single thread; MPI_THREAD_SERIALIZED is needed"]),
    # MPI itself would wait for ever.
    "absent": (True, ["init: timeout: dsrt_init: backend 'mpi': timed out after 10000 ms in MPI_Init, to which rank 1 "
                      "has not come"]),
    "stopped-early": (True, ["init: timeout: dsrt_init: backend 'mpi': timed out after 10000 ms in MPI_Init, to which "
                             "rank 1 has not come"]),
    "other": (True, ["init: unavailable: .*this process needs the plugin for 'lam', because DS_MPI is set; this build "
                     "has "]),
    "theirs": (False, ["theirs: 3"]),
    "group": (True, ["rank 1: timeout: dsrt_group_create of ranks 1, 2 on rank 1: timed out after 1000 ms waiting for "
                     "rank 2"]),
}


def run(command, environment, is_complete):
    """The exit code (None if the launcher still ran when the output was complete, or at the limit) and the output."""
    with tempfile.TemporaryFile(mode="a+") as output:
        job = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                               env=environment)
        text = ""
        for _ in range(LIMIT * 10):
            try:
                job.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                pass
            output.seek(0)
            text = output.read()
            if job.returncode is not None or is_complete(text):
                break
        code = job.returncode
        if code is None:
            job.terminate()  # lets the launcher tidy up
            try:
                job.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
        return code, text


def main():
    scenario, command = sys.argv[1], sys.argv[2:]
    must_fail, lines = SCENARIOS[scenario]
    environment = dict(os.environ, DS_TEST_SLACK=f"{SLACK:.1f}")
    alone = scenario.endswith("-alone")
    if alone:
        environment["OMPI_MCA_orte_abort_on_non_zero_status"] = "0"
    missing = lambda text: [line for line in lines if not re.search(line, text)]
    # A launcher that is told not to care about a killed rank may wait for it for ever: the ranks' words are enough.
    code, text = run(command + [scenario.removesuffix("-alone")], environment,
                     lambda text: alone and not missing(text))
    problems = [f"no line matches '{line}'" for line in missing(text)]
    if code is None and not alone:
        problems.append(f"the job did not end within {LIMIT} s")
    elif must_fail is not None and (code != 0) != must_fail:
        problems.append(f"the job ended with {code}")
    if problems:
        print(text)
        sys.exit(f"{scenario}: " + "; ".join(problems))


main()

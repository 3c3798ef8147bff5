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
import re
import signal
import subprocess
import sys

LIMIT = 60  # seconds; every scenario ends in a few
CALL = r"all_reduce sum f32 \(1 buffer, 4096 bytes\) in the world of 3 on rank %d: "

# Per scenario: whether the job must end with an error, and lines that must be in its output.
SCENARIOS = {
    "healthy": (False, ["rank 0: ok: ", "rank 1: ok: ", "rank 2: ok: "]),
    "late": (
        True,
        ["rank 0: timeout: " + CALL % 0 + "timed out after 1000 ms waiting for rank 2",
         "rank 1: timeout: " + CALL % 1 + "timed out after 1000 ms waiting for rank 2"],
    ),
    "late-first": (
        True,
        ["rank 1: (timeout: " + CALL % 1 + ".*waiting for rank 0|peer failed: .*rank 2 failed first.*waiting for rank 0)",
         "rank 2: (timeout: " + CALL % 2 + ".*waiting for rank 0|peer failed: .*rank 1 failed first.*waiting for rank 0)"],
    ),
    "stopped": (True, ["rank 0: timeout: .*waiting for rank 1", "rank 2: timeout: .*waiting for rank 1"]),
    "killed": (True, []),
    "exited": (True, []),
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
    "leaves": (True, ["rank 1: ok: ", "rank 0: mismatch: .*rank 0 has all_reduce, rank 1 has dsrt_shutdown"]),
    "group": (True, ["rank 1: timeout: dsrt_group_create of ranks 1, 2 on rank 1: timed out after 1000 ms waiting for rank 2"]),
}


def main():
    scenario, command = sys.argv[1], sys.argv[2:]
    must_fail, lines = SCENARIOS[scenario]
    job = subprocess.Popen(command + [scenario], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           start_new_session=True)
    try:
        output, _ = job.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        output, _ = job.communicate()
        print(output)
        sys.exit(f"{scenario}: the job did not end within {LIMIT} s")
    problems = []
    if (job.returncode != 0) != must_fail:
        problems.append(f"the job ended with {job.returncode}")
    problems += [f"no line matches '{line}'" for line in lines if not re.search(line, output)]
    if problems:
        print(output)
        sys.exit(f"{scenario}: " + "; ".join(problems))


main()

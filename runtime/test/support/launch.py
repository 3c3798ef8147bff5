#!/usr/bin/env python3
# ===- launch.py - Starts the ranks of a job as processes -------------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# launch.py N[xM] PROGRAM ARGUMENTS...: N processes on this machine that find each other by DS_*, or N groups of M that
# take each group for a host. Ends with the first error, and then ends the others.
# ===------------------------------------------------------------------------===#
import os
import secrets
import socket
import subprocess
import sys
import time


def main():
    (hosts, on_host), command = map(int, ("1x" * ("x" not in sys.argv[1]) + sys.argv[1]).split("x")), sys.argv[2:]
    ranks = hosts * on_host
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    job = {"DS_WORLD_SIZE": str(ranks), "DS_MASTER_ADDR": "127.0.0.1", "DS_MASTER_PORT": str(port),
           "DS_LOCAL_SIZE": str(on_host), "DS_SECRET": secrets.token_hex(16)}
    running = [subprocess.Popen(command, env={**os.environ, **job, "DS_RANK": str(rank),
                                              "DS_LOCAL_RANK": str(rank % on_host)})
               for rank in range(ranks)]
    code = 0
    try:
        while running and code == 0:
            time.sleep(0.02)
            for process in list(running):
                if process.poll() is not None:
                    running.remove(process)
                    code = code or process.returncode
        deadline = time.monotonic() + 5  # the others have a word to say too
        while running and time.monotonic() < deadline:
            time.sleep(0.02)
            running = [process for process in running if process.poll() is None]
    finally:
        for process in running:
            process.kill()
    sys.exit(code if code >= 0 else 128 - code)


main()

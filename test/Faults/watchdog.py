#!/usr/bin/env python3
# ===- watchdog.py - A rank that hangs outside of collectives ---------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# watchdog.py --ds-run DS-RUN --write-fault LIBRARY --step STEP.mlir [--fakes FOLDER] LAUNCH COMMAND..
#
# Rank 0 of two hangs in the disk while it writes a checkpoint. The other must name it, and it must say itself where it
# is; all processes must end. COMMAND starts what follows it on two ranks.
# ===------------------------------------------------------------------------===#
import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time


def npy(shape):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{count}f",
                                                                                                 *[0.5] * count)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ds-run", required=True)
    parser.add_argument("--write-fault", required=True)
    parser.add_argument("--step", required=True)
    parser.add_argument("--fakes")
    parser.add_argument("launch")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ds"))
    try:
        (folder / "x.npy").write_bytes(npy((16, 3)))
        (folder / "y.npy").write_bytes(npy((16,)))
        (folder / "disk").mkdir()
        environment = os.environ | {"DS_TEST_FOLDER": str(folder / "disk"), "DS_TEST_AT": "fsync",
                                    "DS_TEST_PAUSE": str(folder / "hangs")}
        if arguments.fakes:
            for name in ("cuda", "nccl", "ascendcl", "hccl", "opapi"):
                environment[f"DS_{name.upper()}_LIBRARY"] = f"{arguments.fakes}/libfake_{name}.so"
        # The launcher itself writes into no such folder.
        environment["LD_PRELOAD"] = arguments.write_fault
        options = ["--ranks", "2"] if not arguments.command else []
        options += ["--backend", arguments.launch] if arguments.launch in ("nccl", "hccl") else []
        began = time.monotonic()
        ended = subprocess.run([*arguments.command, arguments.ds_run, arguments.step, *options, "--data",
                                f"x={folder}/x.npy,y={folder}/y.npy",
                                "--arg", "lr=0.01", "--steps", "1000000", "--save",
                                str(folder / "disk" / "w.safetensors"), "--save-every",
                                "1steps", "--config", "timeout=2s"], env=environment, capture_output=True, text=True,
                               timeout=120)
        took = time.monotonic() - began
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    log = ended.stderr + ended.stdout
    problems = []
    if ended.returncode == 0:
        problems.append("it ended with 0")
    if not re.search(r"ds-run: warning: rank 0 has been in no collective for 1\.\d s: it writes the checkpoint after "
                     r"step \d+$", log, re.M):
        problems.append("rank 0 does not say where it is")
    if not re.search(r"rank 1: timed out after 2000 ms waiting for rank 0|given it up", log):
        problems.append("the other does not name rank 0")
    if took > 60:
        problems.append(f"it took {took:.0f} s")
    if problems:
        sys.exit(f"{arguments.launch}: {'; '.join(problems)}:\n{log}")
    print(f"{arguments.launch}: named, ended with {ended.returncode} after {took:.0f} s")


if __name__ == "__main__":
    main()

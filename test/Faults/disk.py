#!/usr/bin/env python3
# ===- disk.py - A training whose disk fails --------------------------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# disk.py --ds-run DS-RUN --write-fault LIBRARY --step STEP.mlir FAULT
#
# A training goes on from its checkpoints, and then nothing can be written any more. It must end with a sentence; every
# file of before must be whole and nothing may lie beside them; and with a disk that works again the same command must
# end with the bits of an undisturbed training.
# ===------------------------------------------------------------------------===#
import argparse
import errno
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The call that fails, and how.
FAULTS = {
    "full": ("write", errno.ENOSPC),
    "read-only": ("open", errno.EROFS),
    "broken": ("fsync", errno.EIO),
    "read-only-late": ("rename", errno.EROFS),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ds-run", required=True)
    parser.add_argument("--write-fault", required=True)
    parser.add_argument("--step", required=True, type=pathlib.Path)
    parser.add_argument("fault", choices=FAULTS)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ds"))
    subprocess.run([sys.executable, arguments.step.parent / "make_data.py", "linear", folder], check=True)

    def train(place, steps, *more, **variables):
        command = [arguments.ds_run, arguments.step, "--ranks", "2", "--data", f"x={folder}/x.npy,y={folder}/y.npy",
                   "--arg", "lr=0.01",
                   "--steps", str(steps), "--save", place / "w.safetensors", "--resume", *more]
        return subprocess.run(command, env=dict(os.environ, **variables), capture_output=True, text=True, timeout=60)

    files = lambda place: {path.name: path.read_bytes() for path in place.iterdir()}
    often = "--save-every=5", "--keep=2"
    alone, place = folder / "alone", folder / "checkpoints"
    alone.mkdir()
    place.mkdir()
    assert train(alone, 60, *often).returncode == 0 and train(place, 20, *often).returncode == 0
    before = files(place)
    call, number = FAULTS[arguments.fault]
    done = train(place, 60, *often, LD_PRELOAD=arguments.write_fault, DS_TEST_FOLDER=str(place), DS_TEST_AT=call,
                 DS_TEST_ERROR=str(number))
    problems = []
    if done.returncode != 1:
        problems.append(f"exit code {done.returncode}, expected 1")
    says = rf"^ds-run: error: cannot write '[^']*': {os.strerror(number).lower()}\n$"
    if not re.search(says, done.stderr, re.I):
        problems.append(f"the error is {done.stderr!r}, expected {says!r}")
    if files(place) != before:
        problems.append(f"the files are {sorted(files(place))}, expected {sorted(before)} as they were")
    if again := train(place, 60, *often).returncode:
        problems.append(f"going on with a disk that works ends with {again}")
    elif files(place)["w.safetensors"] != files(alone)["w.safetensors"]:
        problems.append("going on ends with other bits")
    shutil.rmtree(folder)
    print(f"{arguments.fault}: {done.stderr.strip()}; {len(before)} files are whole")
    sys.exit("\n".join(problems) or None)


main()

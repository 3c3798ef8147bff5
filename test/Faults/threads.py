#!/usr/bin/env python3
# ===- threads.py - A training that the system refuses something ------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# threads.py --ds-run DS-RUN --thread-fault LIBRARY --step STEP.mlir threads|memory|locks
#
# After the first N threads there are no more, or the address space ends: at each moment the training must end well,
# with the bits of one that had all it wanted, or with exit code 1 and one sentence. A file system without locks is told
# of, and the training goes on.
# ===------------------------------------------------------------------------===#
import argparse
import errno
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ds-run", required=True)
    parser.add_argument("--thread-fault", required=True)
    parser.add_argument("--step", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("kind", choices=("threads", "memory", "locks"))
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ds"))
    subprocess.run([sys.executable, arguments.step.parent / "make_data.py", "linear", folder], check=True)

    def train(place, limit=None, **variables):
        place.mkdir()
        command = [arguments.ds_run, arguments.step, "--ranks", "3", "--data", f"x={folder}/x.npy,y={folder}/y.npy",
                   "--arg", "lr=0.01", "--steps", "40",
                   "--save", "w.safetensors", "--save-every", "5", "--resume"]
        bounded = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
        return subprocess.run(command, cwd=place, env=dict(os.environ, OMP_NUM_THREADS="1", **variables),
                              capture_output=True, text=True, timeout=120, preexec_fn=bounded)

    assert train(folder / "alone").returncode == 0
    right = (folder / "alone" / "w.safetensors").read_bytes()
    if arguments.kind == "locks":
        done = train(folder / "locks", LD_PRELOAD=arguments.thread_fault, DS_TEST_FLOCK=str(errno.ENOLCK))
        said = (f"ds-run: warning: 'w.safetensors.lock' cannot be locked ({os.strerror(errno.ENOLCK).lower()}), so "
                "nothing keeps another job from writing the same files\n")
        shutil.rmtree(folder)
        sys.exit(f"exit code {done.returncode}, {done.stderr!r}" if done.returncode
                 or done.stderr.lower() != said.lower() else 0)
    rng, problems, ends = random.Random(arguments.kind), [], {0: 0, 1: 0}
    moments = range(arguments.count) if arguments.kind == "threads" else [int(rng.uniform(350e6, 500e6))
                                                                          for _ in range(arguments.count)]
    for moment in moments:
        place = folder / str(moment)
        done = train(place, LD_PRELOAD=arguments.thread_fault,
                     DS_TEST_THREADS=str(moment)) if arguments.kind == "threads" else train(place, moment)
        words = [line for line in done.stderr.splitlines() if not line.startswith("ds-run: warning: ")]
        what = f"{arguments.kind} {moment}: exit code {done.returncode}, {done.stderr.strip()[-400:]!r}"
        print(what)
        ends[done.returncode] = ends.get(done.returncode, 0) + 1
        # Where the loader itself finds no memory for a library, it says so in its own words.
        by_loader = arguments.kind == "memory" and done.returncode in (127, 1) and "shared librar" in done.stderr
        if done.returncode == 0:
            if (place / "w.safetensors").read_bytes() != right:
                problems.append(f"{what}: other bits")
        elif not by_loader and (done.returncode != 1 or len(words) != 1 or not words[0].startswith("ds-run: error: ")):
            problems.append(what)
    shutil.rmtree(folder)
    if arguments.kind == "threads" and not (ends[0] and ends[1]):
        problems.append(f"expected some to end well and some not, got {ends}")
    sys.exit("\n".join(problems) or 0)


main()

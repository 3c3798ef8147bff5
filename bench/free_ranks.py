#!/usr/bin/env python3
"""Time per step of ranks that are processes: update=asynchronous=4 beside update=gradient over the same backend, in turns.

    bench/free_ranks.py [--backends tcp openmpi mpich] [--ranks 2] [--steps 600] [--rounds 3] [--build BUILD]

The network of examples/fashion_mnist, on rows of its own. `slow`: rank 1 is stopped for 5 of each 10 ms all the time. `pauses`: ranks are stopped for 30 ms each,
in turn, every 100 ms. Between the tenth and the last step; the median of the rounds. Needs nothing but Python.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
UPDATES = ("gradient", "asynchronous=4")


def write_rows(folder, rows):
    draw = random.Random(3)
    for name, kind, shape, body in (("x", "<f4", (rows, 28, 28), struct.pack(f"<{rows * 784}f", *(draw.random() for _ in range(rows * 784)))),
                                    ("y", "<i4", (rows,), struct.pack(f"<{rows}i", *(draw.randrange(10) for _ in range(rows))))):
        header = repr({"descr": kind, "fortran_order": False, "shape": shape})
        header += " " * (-(len(header) + 11) % 64) + "\n"
        (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body)


def ranks_of(mark):
    """The ranks' processes, by the variables of their launcher."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.path.basename(os.readlink(entry / "exe")) == "ds-run":
                variables = dict(item.split(b"=", 1) for item in (entry / "environ").read_bytes().split(b"\0") if b"=" in item)
                rank = [variables[name] for name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK", b"DS_RANK") if name in variables]
                if rank and variables.get(b"DS_BENCH_MARK") == mark:
                    found[int(rank[0])] = int(entry.name)
        except OSError:
            continue
    return found


def disturb(how, ranks, over):
    """Stops ranks and lets them go on until `over` is set."""
    turn = 0
    while not over.is_set():
        pid = ranks[1 if how == "slow" else turn % len(ranks)]
        stopped, runs = (0.005, 0.005) if how == "slow" else (0.03, 0.07)
        turn += 1
        try:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(stopped)
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            return
        time.sleep(runs)


def measure(build, folder, backend, ranks, update, steps, how):
    """Milliseconds per step."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    environment = os.environ | {"OMP_NUM_THREADS": "1", "DS_BENCH_MARK": mark} | ({} if backend == "tcp" else {"DS_MPIRUN": f"mpirun.{backend}"})
    command = [build / "bin/ds-run", ROOT / "examples/fashion_mnist/step.mlir", "--launch", ranks, "--backend", "tcp" if backend == "tcp" else "mpi", "--config",
               f"update={update},batch=local", "--arg", "lr=0", "--steps", steps, "--json", "--data", f"x={folder}/x.npy,y={folder}/y.npy"]
    job = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    over, thread, seen = threading.Event(), None, []
    for line in job.stdout:
        event = json.loads(line)
        if event["event"] == "progress" and event["step"] >= 10:
            seen.append((time.monotonic(), event["step"]))
            if how != "none" and not thread:
                thread = threading.Thread(target=disturb, args=(how, ranks_of(mark.encode()), over))
                thread.start()
    over.set()
    if thread:
        thread.join()
    if job.wait():
        sys.exit(f"{backend}, {update}: {job.stderr.read().strip()}")
    (begin, first), (end, last) = seen[0], seen[-1]
    return (end - begin) * 1e3 / (last - first)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backends", nargs="+", default=["tcp", "openmpi", "mpich"])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_rows(folder, 2048)
        print("| backend | ranks | " + " | ".join(UPDATES) + " | ratio |\n|---|---|---|---|---|")
        for backend in options.backends:
            if backend != "tcp" and not shutil.which(f"mpirun.{backend}"):
                print(f"{backend}: left out, there is no mpirun.{backend}", file=sys.stderr)
                continue
            for how in ("none", "slow", "pauses"):
                times = {update: [] for update in UPDATES}
                for _ in range(options.rounds):
                    for update in UPDATES:
                        times[update].append(measure(options.build.resolve(), folder, backend, options.ranks, update, options.steps, how))
                medians = [statistics.median(times[update]) for update in UPDATES]
                print(f"| {backend} | {how} | " + " | ".join(f"{median:.2f} ms" for median in medians) + f" | {medians[1] / medians[0]:.2f} |", flush=True)


main()

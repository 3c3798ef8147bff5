#!/usr/bin/env python3
"""What checkpoints cost a training of a transformer of GPT-2 small's size (124 million parameters, with Adam 1.4 GiB):
threads of one process, and processes that write shares beside processes of which rank 0 writes all.

    bench/checkpoints.py [--build build] [--ranks 2] [--steps 8] [--every 2] [--batch 2] [--length 64] [--layers 12]
    [--width 768] [--folder FOLDER]

`step` is the median of steps that follow no checkpoint. `blocked` is how long rank 0 stands still at a checkpoint, `cpu
of it` what its thread computes meanwhile, which a busy machine changes less; `cpu` is what all processes compute more
per checkpoint, their background included. `of 100 steps` are `blocked`, and `cpu` by the processor time of steps, where
a checkpoint follows every 100. More than 2 % of the time of 100 steps is an error.
"""
import argparse
import json
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/Run/Inputs"))
from make_data import npy


def prepare(options, folder):
    sizes = ["--layers", options.layers, "--width", options.width, "--heads", options.width // 64, "--inner",
             4 * options.width, "--words", options.words,
             "--length", options.length, "--batch", options.batch]
    text = subprocess.run([sys.executable, ROOT / "bench/transformer_step.py", *map(str, sizes)], check=True,
                          capture_output=True, text=True).stdout
    lines = [line.replace('"}', '", ds.init = "normal(0.02)"}') if "ds.param" in line else line
             for line in text.splitlines()]
    (folder / "step.mlir").write_text("\n".join(lines) + "\n")
    rng, rows = random.Random(1), options.batch * options.ranks
    count = rows * options.length
    (folder / "x.npy").write_bytes(npy("<f4", (rows, options.length, options.width),
                                       [rng.gauss(0, 1) for _ in range(count * options.width)]))
    (folder / "y.npy").write_bytes(npy("<i4", (rows, options.length),
                                       [rng.randrange(options.words) for _ in range(count)]))


def train(options, folder, how, saves):
    """Returns the events of a training, and the processor seconds of all its processes."""
    place = folder / "run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    command = [options.build / "bin/ds-run", folder / "step.mlir", "--data", f"x={folder}/x.npy,y={folder}/y.npy",
               "--steps", options.steps, "--log-dir", place,
               "--config", "batch=local", *how]
    if saves:  # not of --save itself
        command += ["--save", place / "w.safetensors", "--save-every", options.every, "--keep", 1]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"bench/checkpoints.py: {done.stderr.strip()}")
    events = [json.loads(line) for line in (place / "events.jsonl").read_text().splitlines()]
    return events, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--folder", help="of the checkpoints: on the disk that is measured")
    for name, value in (("ranks", 2), ("steps", 8), ("every", 2), ("batch", 2), ("length", 64), ("layers", 12),
                        ("width", 768), ("words", 50257)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    launch = ["--launch", options.ranks, "--backend", "tcp"]
    wrong = False
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        prepare(options, folder)
        print("| ranks | step, ms | blocked, ms | cpu of it, ms | of 100 steps | cpu, s | of 100 steps "
              "|\n|---|---|---|---|---|---|---|")
        for label, how, saving in ((f"{options.ranks} threads", ["--ranks", options.ranks], []),
                                   (f"{options.ranks} processes, shares", launch, ["--shares", "on"]),
                                   (f"{options.ranks} processes, rank 0 alone", launch, ["--shares", "off"])):
            plain, cpu = train(options, folder, how, saves=False)
            events, cpu_saving = train(options, folder, [*how, *saving], saves=True)
            saved = [event for event in events if event["event"] == "checkpoint"]
            step = 1e3 * statistics.median([event["seconds"] for event in plain if event["event"] == "step"][1:])
            blocked, computed = (statistics.median(event[field] for event in saved)
                                 for field in ("blocked_ms", "cpu_ms"))
            more = (cpu_saving - cpu) / (len(saved) + 1)  # --save at the end is one, too
            of_time, of_cpu = blocked / (100 * step), more / (100 * cpu / options.steps)
            wrong = wrong or of_time > 0.02
            print(f"| {label} | {step:.0f} | {blocked:.0f} | {computed:.0f} | {of_time:.2%} | {more:.2f} | "
                  f"{of_cpu:.2%} |", flush=True)
    sys.exit(wrong)


main()

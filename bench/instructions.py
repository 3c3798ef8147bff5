#!/usr/bin/env python3
"""Instructions and bytes of ten recorded steps, ten times each, which do not change with the load of a machine as times
do.

    bench/instructions.py [--build BUILD] [--only NAME..]    compares with bench/results/instructions.csv; exit status 1
                                                             for a change above 2 %
    bench/instructions.py --write                            writes the file, for a change that is meant

The steps are compiled for x86-64-v3 (`ds-compile`) for one rank, and run by `ds-run-bundle` under valgrind's callgrind,
whose processor has AVX2 on every machine; exchanges between ranks wait for a time that no two runs share, so they are
not in it. A run of two steps is subtracted from one of twelve. Bytes are the lines of 64 bytes that reads and writes
miss in a first cache of 32 KiB, in callgrind's model. A few thousand instructions differ from run to run (addresses),
which the limit leaves out.
"""
import argparse
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT, STEPS = ROOT / "bench/results/instructions.csv", ROOT / "test/Run/Inputs"
NAMES = ("torch_mlp_sgd", "jax_mlp_momentum_wd", "jax_cnn_adam", "jax_resnet_bn_momentum", "jax_gpt_adamw_clip",
         "jax_softmax_bf16", "adam_attention",
         "adam_batch_norm", "adam_vae", "torch_resnet_amp")
SAMPLES = 256  # enough for twelve steps
COUNTED, LIMIT, SLACK, LINE = ("instructions", "bytes_read", "bytes_written"), 0.02, 20_000, 64
CACHES = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=os.environ | {"OMP_NUM_THREADS": "1"})
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if not line.startswith("==")]  # but for valgrind's
        sys.exit(f"error: {command[0]} ended with {done.returncode}: {' '.join(said)[-500:]}")


def count(library, given, steps, folder):
    found = pathlib.Path(folder, "callgrind.out")
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={found}", *CACHES, library.parent / "run", library,
        *given, "--steps", steps)
    lines = dict(line.split(": ", 1) for line in found.read_text().splitlines()
                 if line.startswith(("events: ", "totals: ")))
    events = dict(zip(lines["events"].split(), map(int, lines["totals"].split())))
    return events["Ir"], events["D1mr"] * LINE, events["D1mw"] * LINE


def measure(name, build):
    with tempfile.TemporaryDirectory() as folder:
        run(build / "bin/ds-compile", STEPS / f"{name}.mlir", "--ranks", 1, "--config", "batch=global", "--target-cpu",
            "x86-64-v3", "-o", f"{folder}/step")
        run(sys.executable, STEPS / "make_data.py", "recording", STEPS / f"{name}.npz", STEPS / f"{name}.mlir", folder,
            SAMPLES)
        given = ["--data", pathlib.Path(folder, "data").read_text(), "--init", f"{folder}/init.safetensors"]
        pathlib.Path(folder, "run").symlink_to(build / "bin/ds-run-bundle")
        few, many = (count(pathlib.Path(folder, "libstep.so"), given, steps, folder) for steps in (2, 12))
    return dict(zip(COUNTED, (more - less for less, more in zip(few, many))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME",
                        help=f"of {', '.join(NAMES)}")
    parser.add_argument("--write", action="store_true", help="write bench/results/instructions.csv")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("error: valgrind is not on PATH (Debian's package valgrind)")
    kept = {row["step"]: row for row in csv.DictReader(KEPT.open())} if KEPT.exists() else {}
    rows, changed = [], []
    for name in options.only:
        row = measure(name, options.build.resolve())
        rows.append({"step": name} | row)
        before = {what: int(kept[name][what]) for what in COUNTED} if name in kept else row
        moved = {what: row[what] / max(before[what], 1) - 1 for what in COUNTED}
        changed += [f"{name}: {what} {before[what]:,} -> {row[what]:,} ({moved[what]:+.1%})"
                    for what in COUNTED if abs(row[what] - before[what]) > max(LIMIT * before[what], SLACK)]
        print(f"{name:24}" + "".join(f"{row[what]:>16,} ({moved[what]:+.1%})" for what in COUNTED), flush=True)
    if options.write:
        kept = {name: {what: int(row[what]) for what in COUNTED}
                for name, row in kept.items()} | {row["step"]: {what: row[what] for what in COUNTED} for row in rows}
        with KEPT.open("w", newline="") as file:
            writer = csv.DictWriter(file, ("step", *COUNTED), lineterminator="\n")
            writer.writeheader()
            writer.writerows({"step": name} | kept[name] for name in NAMES if name in kept)
    elif changed:
        sys.exit("error: ten steps cost other amounts than bench/results/instructions.csv has, by more than 2 %:\n  "
                 + "\n  ".join(changed)
                 + "\n  bench/instructions.py --write keeps them, if the change is meant")


if __name__ == "__main__":
    main()

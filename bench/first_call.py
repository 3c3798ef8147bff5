#!/usr/bin/env python3
"""The first step of a GPT in PyTorch: dstep.torch.data_parallel on 2 ranks beside torch.compile, from the import of
PyTorch on.

    bench/first_call.py [--sizes 512:128 512:512] [--layers 4 12 48] [--batch 8] [--rounds 1] [--csv FILE]

A size is WIDTH:LENGTH, 8 heads, 256 symbols, AdamW (Gpt of models_torch.py). Each start is a process of its own, cold
with empty caches and then warm with what the cold one has left; systems take turns. Printed are seconds of the wall and
of the processors, the fewest of the rounds, from the start of the first step on; a step of eager PyTorch after its
first; and the processor's seconds of dstep over those of torch.compile. Shared machines add to the wall's seconds, and
less to the processors'.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEMS = ("eager", "compile", "dstep")


def model(width, length, layers, batch):
    import torch

    import models_torch
    torch.manual_seed(0)
    make = models_torch.network(lambda: models_torch.Gpt(length, width, layers, 8),
                                lambda: models_torch.symbols(batch, length), torch.optim.AdamW, lr=3e-4)
    made, optimizer, loss_fn, batches, _ = make()
    return made, optimizer, loss_fn, batches[0]


def child(system, *numbers):
    """Prints what a first step takes, in its own process."""
    import torch
    made, optimizer, loss_fn, (x, y) = model(*map(int, numbers))
    if system == "dstep":
        import dstep as ds
        train = ds.torch.data_parallel(made, optimizer, loss_fn, ranks=2)
        step = lambda: train((x, y))["loss"]
    else:
        called = torch.compile(made) if system == "compile" else made

        def step():
            optimizer.zero_grad(set_to_none=True)
            loss = loss_fn(called(x), y)
            loss.backward()
            optimizer.step()
            return float(loss.detach())
    if system == "eager":
        step()
    # Compilers that are processes count too.
    processors = lambda: sum(os.times()[:4])
    wall, used = time.perf_counter(), processors()
    loss = step()
    print(json.dumps({"wall_s": time.perf_counter() - wall, "cpu_s": processors() - used, "loss": loss}), flush=True)


def start(system, numbers, cache, options):
    environment = os.environ | {"PYTHONPATH": f"{ROOT}/python", "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "2",
                                "OMP_WAIT_POLICY": "passive",
                                "TORCHINDUCTOR_CACHE_DIR": f"{cache}/inductor", "TORCHINDUCTOR_COMPILE_THREADS": "1",
                                "DS_CACHE_DIR": f"{cache}/ds"}
    done = subprocess.run([sys.executable, __file__, "--child", system, *map(str, numbers)], env=environment,
                          stdout=subprocess.PIPE, text=True, timeout=options.timeout)
    if done.returncode:
        sys.exit(f"error: the first step of {system} ended with status {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(numbers, options):
    row = dict(zip(("width", "length", "layers", "batch"), numbers))
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as cache:
            for how in ("cold", "warm"):
                for system in SYSTEMS if how == "cold" else SYSTEMS[1:]:
                    for key, value in start(system, numbers, cache, options).items():
                        key = f"{system}_{how}_{key}"
                        row[key] = min(value, row.get(key, value))
    for how in ("cold", "warm"):
        row[f"of_compile_{how}"] = row[f"dstep_{how}_cpu_s"] / row[f"compile_{how}_cpu_s"]
    return row


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=["512:128", "512:512"], metavar="WIDTH:LENGTH")
    parser.add_argument("--layers", nargs="+", type=int, default=[4, 12, 48])
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=3600, help="seconds of one start")
    parser.add_argument("--csv", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for size in options.sizes:
        for layers in options.layers:
            rows.append(measure((*map(int, size.split(":")), layers, options.batch), options))
            print("  ".join(f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}"
                            for key, value in rows[-1].items()), flush=True)
            if options.csv:
                with options.csv.open("w", newline="") as file:
                    writer = csv.DictWriter(file, list(rows[0]))
                    writer.writeheader()
                    writer.writerows(rows)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Exports training steps of PyTorch by torch-mlir, runs them on ranks of ds, and compares every result with PyTorch's.

    python examples/with_torch_mlir/run.py [MODEL..] [--ranks 1,2,4] [--dynamic] [--out build/torch_mlir]

MODEL is a name of models.py (default: all). With --dynamic a step is exported for batches of any size, and runs on one
of twice the samples that it was traced with (default: the models that torch-mlir exports like this). Needs the packages
torch, torch-mlir and numpy, and ds-run from the environment variable DS_RUN or PATH. Exit code 1: a result differs by
more than 1e-5 of its size, or ds refuses a step.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import warnings

import numpy

warnings.filterwarnings("ignore")
import torch

from export import export_step
from models import MODELS

STEPS = 3
DYNAMIC = ["mlp", "gru", "rnn", "recommender", "contrastive"]


def record(step, parameters, state, batch):
    """STEPS steps as PyTorch computes them, one after another, in the form that ds-run --replay reads."""
    recording = {}
    for number in range(1, STEPS + 1):
        arguments = [*parameters.values(), *state.values(), *batch.values()]
        parameters, state, metrics = step(parameters, state, batch)
        results = [*parameters.values(), *state.values(), *metrics.values()]
        for kind, values in (("arg", arguments), ("res", results)):
            recording |= {f"step{number}_{kind}{i}": value.numpy() for i, value in enumerate(values)}
    return recording


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(MODELS))
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks (default: 1,2,4)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/torch_mlir"))
    parser.add_argument("--dynamic", action="store_true", help="leave the number of samples open")
    arguments = parser.parse_args()
    if unknown := set(arguments.models) - set(MODELS):
        parser.error(f"'{sorted(unknown)[0]}' is none of {', '.join(MODELS)}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    names, wrong = arguments.models or (DYNAMIC if arguments.dynamic else list(MODELS)), 0
    for name in names:
        torch.manual_seed(0)
        step = MODELS[name]()
        path = arguments.out / f"{name}.mlir"
        path.write_text(export_step(*step, dynamic=arguments.dynamic))
        config = "batch=global"
        if arguments.dynamic:
            step = (*step[:3], {key: torch.cat([rows, rows.flip(0)]) for key, rows in step[3].items()})
            config += f",sizes=[batch={len(next(iter(step[3].values())))}]"
        numpy.savez(path.with_suffix(".npz"), **record(*step))
        for ranks in arguments.ranks.split(","):
            done = subprocess.run([os.environ.get("DS_RUN", "ds-run"), path, "--ranks", ranks, "--config", config,
                                   "--replay", path.with_suffix(".npz"),
                                   "--rtol", "1e-5", "--atol", "1e-5"], capture_output=True, text=True)
            said = (done.stderr if done.returncode else done.stdout).strip().splitlines()[-1]
            wrong += not said.endswith(": equal")
            print(f"{name} on {ranks}: {said}", flush=True)
    print(f"{len(names)} models of PyTorch, {wrong} results wrong")
    return bool(wrong)


sys.exit(main())

"""Running exported steps by ds-run: recordings in, results out; datasets in, trained values out.

ds-run is taken from the argument `ds_run`, from the environment variable DS_RUN, or from PATH.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

from . import arrays, config as configuration


class RunError(RuntimeError):
    """ds-run refused or failed; the text is what it said."""


def find_ds_run(ds_run=None):
    found = ds_run or os.environ.get("DS_RUN") or shutil.which("ds-run")
    if not found or not shutil.which(str(found)):
        raise RunError(f"{found or 'ds-run'} is no program; build ds and put build/bin on PATH, or name it by DS_RUN or ds_run=")
    return str(found)


class Runner:
    """Runs exported steps on `ranks` ranks; `launcher` (["mpirun", "-n", "4"]) starts them as processes instead of threads.
    `config` goes over what set_auto_parallel_context has set, and that over batch=global."""

    def __init__(self, ranks=None, launcher=(), config=None, ds_run=None, timeout=None):
        if ranks is None and not launcher:
            raise ValueError("ranks= says on how many ranks to run, got none")
        if ranks is not None and launcher:
            raise ValueError("ranks= and launcher= are both given, expected one of them")
        self.program, self.ranks, self.launcher, self.timeout = find_ds_run(ds_run), ranks, list(launcher), timeout
        self.config = {"batch": "global"} | configuration.context() | (config or {})

    def call(self, mlir, *options):
        """Runs ds-run and returns its JSON lines."""
        command = [*self.launcher, self.program, str(mlir), "--json", "--config", configuration.assignments(self.config)]
        command += [] if self.ranks is None else ["--ranks", str(self.ranks)]
        done = subprocess.run([*command, *map(str, options)], capture_output=True, text=True, timeout=self.timeout)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        # A replay without recorded results ends with 0; one with them may end with 1 because of a difference.
        if done.returncode:
            raise RunError(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")
        return lines

    def steps(self, export, steps):
        """The results of consecutive steps, each a list of arrays in the manifest's order. Parameters and states of the second
        one on come from the step before."""
        steps, carried = list(steps), {a for a, _ in export.carried}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "step.mlir").write_text(export.mlir)
            inputs = {f"step{number}_arg{i}": arrays.recordable(value) for number, args in enumerate(steps, 1)
                      for i, value in enumerate(export.flatten(args)) if number == 1 or i not in carried}
            np.savez(folder / "inputs.npz", **inputs)
            self.call(folder / "step.mlir", "--replay", folder / "inputs.npz", "--dump-results", folder / "results.npz")
            described = export.manifest["results"]
            with np.load(folder / "results.npz") as results:
                return [[arrays.restore(results[f"step{number}_res{k}"], arrays.dtype(r["dtype"])) for k, r in enumerate(described)]
                        for number in range(1, len(steps) + 1)]

    def fit(self, export, args, data, epochs=1, seed=0):
        """Trains on a dataset: {name of a batch argument: array with all samples}. Returns the parameters and states by name, and
        the mean of every metric per epoch."""
        described = export.manifest["args"]
        batches = [a["name"] for a in described if a["role"] == "batch"]
        if set(data) != set(batches):
            raise ValueError(f"data= has {', '.join(sorted(data))}, expected the step's batch arguments {', '.join(batches)}")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "step.mlir").write_text(export.mlir)
            arrays.write_safetensors(folder / "start.safetensors", export.initial_values(args))
            for i, name in enumerate(batches):
                np.save(folder / f"data{i}.npy", arrays.recordable(data[name]))
            options = ["--data", ",".join(f"{name}={folder / f'data{i}.npy'}" for i, name in enumerate(batches)), "--epochs", epochs,
                       "--seed", seed, "--init", folder / "start.safetensors", "--save", folder / "end.safetensors"]
            for argument, value in zip(described, export.flatten(args)):
                if argument["role"] == "hyper":
                    options += ["--arg", f"{argument['name']}={float(value)!r}"]
            lines = self.call(folder / "step.mlir", *options)
            metrics = {line["epoch"]: line["metrics"] for line in lines if line["event"] == "progress"}
            dtypes = {a["name"]: arrays.dtype(a["dtype"]) for a in described}
            ended = {name: arrays.restore(value, dtypes[name])
                     for name, value in arrays.read_safetensors(folder / "end.safetensors").items() if name in dtypes}
        return ended, [metrics[epoch] for epoch in sorted(metrics)]

"""ds-run as another program beside the ranks of this process: what a test compares with them."""
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

from dstep.base import arrays, config as configuration, find

DS_RUN = os.environ.get("DS_RUN") or find.tool("ds-run")


def call(step, *options, ranks=2, config=None):
    """The JSON lines of a run of a file. What ds-run refuses is a RuntimeError of its words."""
    keys = configuration.assignments({"batch": "global"} | configuration.context() | (config or {}))
    command = [DS_RUN, step, "--json", "--config", keys, "--ranks", *map(str, (ranks, *options))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def replayed(export, steps, ranks=2):
    """The results of consecutive steps, as Runner.steps returns them."""
    carried, described = {a for a, _ in export.carried}, export.manifest["results"]
    with tempfile.TemporaryDirectory() as folder:
        step, given, found = (pathlib.Path(folder, name) for name in ("step.mlir", "given.npz", "found.npz"))
        step.write_text(export.mlir)
        np.savez(given, **{f"step{number}_arg{i}": arrays.recordable(value)
                           for number, args in enumerate(steps, 1) for i, value in enumerate(export.flatten(args))
                           if number == 1 or i not in carried})
        call(step, "--replay", given, "--dump-results", found, ranks=ranks)
        with np.load(found) as results:
            return [[arrays.restore(results[f"step{number}_res{k}"], arrays.dtype(r["dtype"]))
                     for k, r in enumerate(described)] for number in range(1, len(steps) + 1)]


def trained(export, args, data, epochs, seed=0, last_batch=None, **how):
    """(parameters and states by name, the means of the metrics of each epoch) of a training from the first step on;
    `data` is {name: array or file}."""
    with tempfile.TemporaryDirectory() as folder:
        step, start, end = (pathlib.Path(folder, name)
                            for name in ("step.mlir", "start.safetensors", "end.safetensors"))
        step.write_text(export.mlir)
        arrays.write_safetensors(start, export.initial_values(args), {"ds.step": "0"})
        files = {name: value if isinstance(value, str) else f"{folder}/{name}.npy" for name, value in data.items()}
        for name, file in files.items():
            if data[name] is not file:
                np.save(file, arrays.storable(np.asarray(data[name])))
        options = ["--data", ",".join(f"{name}={file}" for name, file in files.items()), "--epochs", epochs,
                   "--seed", seed, "--init", start, "--save", end]
        for argument, value in zip(export.manifest["args"], export.flatten(args)):
            options += ["--arg", f"{argument['name']}={float(value)!r}"] if argument["role"] == "hyper" else []
        lines = call(step, *options, *([] if last_batch is None else ["--last-batch", last_batch]), **how)
        means = {line["epoch"]: line["metrics"] for line in lines if line["event"] == "progress"}
        return arrays.read_safetensors(end), [means[epoch] for epoch in sorted(means)]

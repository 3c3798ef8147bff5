"""A training whose ranks a launcher starts, or that may take only so long: launches of ds-run, a process of its own that reads and writes files."""
import contextlib
import pathlib
import tempfile

import numpy as np

from . import arrays, checks, loading
from .run import Trained


LONGEST = 100000  # bytes that the system lets an argument of a program have, less some


def pieces(values, first):
    """A number, or the numbers of the steps from `first` on, as --arg takes them; one that stays is written once."""
    written = [repr(float(np.float32(value))) for value in values]
    changes = [f"{now}@{first + step}steps" for step, (before, now) in enumerate(zip(written, written[1:]), 1) if now != before]
    text = ",".join([f"{written[0]}@0", *changes]) if changes else repr(float(values[0]))
    if len(text) > LONGEST:
        raise ValueError(f"{len(changes)} values of a hyper-parameter in an epoch are more than a program's argument holds; let it change in fewer steps, or give `run` the "
                         "batches in parts")
    return text


class Training:
    """Launches for a runner's exports, on data that lies in files."""
    of_user = contextlib.nullcontext  # Ctrl-C is the runner's business while ds-run trains

    def __init__(self, runner, seed, last_batch):
        self.runner, self.seed, self.last_batch, self.opened = runner, seed, last_batch, None

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def open(self, export, values):
        """What comes next trains on {argument: array or file}."""
        if self.opened is not values:
            self.opened, self.files = values, loading.write(values, self.folder)

    def train(self, export, args, epochs, first, seen=None, between=None, values=None):
        """Trains for `epochs` from step `first` on. Returns a Trained.

        between(trained) is called after each epoch but the last one, with a Trained of what is new. It returns the arguments to go on with, or
        None to end; what is returned in the end then has the metrics of no epoch twice. The step is compiled once for all of them. `values` are hyper-parameters
        that change from step to step: {name: a value for each}."""
        start, end = self.folder / "start.safetensors", self.folder / "end.safetensors"
        (self.folder / "step.mlir").write_text(export.mlir)
        # The step chooses the samples and the random keys.
        arrays.write_safetensors(start, export.initial_values(args), {"ds.step": str(first)})
        end.unlink(missing_ok=True)
        options = ["--data", ",".join(f"{name}={file}" for name, file in self.files.items()), "--epochs", epochs, "--seed", self.seed,
                   "--init", start, "--save", end]

        def hyper(arguments):
            return {a["name"]: checks.number(a["name"], value) for a, value in zip(export.manifest["args"], export.flatten(arguments)) if a["role"] == "hyper"}

        for name, value in hyper(args).items():
            options += ["--arg", f"{name}={pieces((values or {}).get(name) or [value], first)}"]
        options += ["--wait-after-epoch"] if between else []
        options += [] if self.last_batch is None else ["--last-batch", self.last_batch]
        dtypes = {a["name"]: arrays.dtype(a["dtype"]) for a in export.manifest["args"]}
        metrics, passed = {}, set()

        def note(line):
            if line["event"] == "progress":
                metrics[line["epoch"]] = line["metrics"]
            if seen:
                seen(line)

        def trained(step, interrupted=False):
            """What is new in `end`."""
            epochs = sorted(metrics.keys() - passed)
            passed.update(epochs)
            stored = arrays.read_safetensors(end)
            values = {name: arrays.restore(value, dtypes[name]) for name, value in stored.items() if name in dtypes}
            return stored, Trained(values, [metrics[epoch] for epoch in epochs], step, interrupted)

        def answer(line):
            nonlocal current
            stored, new = trained(line["step"])
            following = between(new)
            if following is None:
                return {"go": False}
            values, arguments = export.initial_values(following), hyper(following)
            if arguments == current and all(np.asarray(stored[name]).tobytes() == np.asarray(value).tobytes() for name, value in values.items()):
                return {"go": True}
            current = arguments
            arrays.write_safetensors(start, values)
            return {"go": True, "values": str(start), "arguments": arguments}

        current = hyper(args)
        lines = self.runner.call(self.folder / "step.mlir", *options, seen=note, keeps=True, answer=answer if between else None)
        return trained(next(line["step"] for line in lines if line["event"] == "saved"),
                       any(line["event"] == "interrupted" for line in lines))[1]

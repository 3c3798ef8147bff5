"""Training on a dataset: launches of ds-run that go on where the one before ended, with what a person sees and does meanwhile.

An epoch is a launch of its own where something happens between epochs (callbacks, validation); the bits are those of one launch for all,
because the step that comes next decides about samples and random keys.
"""
import pathlib
import tempfile

import numpy as np

from . import arrays, progress as shown
from .run import Interrupted


class Position:
    """How far trainings have come: `step` counts all steps, `data` says what the last ones went through."""

    def __init__(self):
        self.step, self.data = 0, None

    def enter(self, samples, per_epoch, seed):
        """Other data begins with an epoch of its own; no key is used twice for that."""
        if self.data != (samples, per_epoch, seed) and per_epoch:
            self.step = -(-self.step // per_epoch) * per_epoch
        self.data = samples, per_epoch, seed

    def leave(self, steps):
        """So many steps on other samples."""
        self.step, self.data = self.step + steps, None


def steps_per_epoch(export, runner, samples):
    """What ds-run finds as well: an incomplete last batch is dropped, and with batch=local every rank has its own share."""
    if runner.config["batch"] == "local":
        return -(-samples // runner.ranks) // export.batch_size
    return samples // export.batch_size


def check_data(export, data):
    """The number of samples of `data`, which has an array for each batch argument."""
    names = [a["name"] for a in export.manifest["args"] if a["role"] == "batch"]
    if set(data) != set(names):
        raise ValueError(f"data= has {', '.join(sorted(data))}, expected the step's batch arguments {', '.join(names)}")
    return len(data[names[0]])


def fit(runner, position, data, *, now, accept, epochs=1, seed=0, validation=None, callbacks=(), progress="auto"):
    """Trains for `epochs`. now() gives (export, arguments) of this moment, accept(values) takes what was trained and returns what
    validation and callbacks get. Returns the metrics of each epoch."""
    display, history, files = shown.create(progress), [], {}
    with tempfile.TemporaryDirectory() as folder, display:
        folder = pathlib.Path(folder)
        try:
            while len(history) < epochs:
                export, args = now()
                if not files:
                    samples = check_data(export, data)
                    per_epoch = steps_per_epoch(export, runner, samples)
                    position.enter(samples, per_epoch, seed)
                    display.begin(epochs, per_epoch, position.step)
                    for i, (name, value) in enumerate(data.items()):
                        files[name] = folder / f"data{i}.npy"
                        np.save(files[name], arrays.recordable(value))
                count = 1 if validation or callbacks else epochs
                trained = runner.train(export, args, files, count, seed, position.step, folder, display.line)
                position.step = trained.step
                values = accept(trained.values)
                history += trained.metrics
                if trained.interrupted:
                    raise KeyboardInterrupt
                if validation:
                    history[-1] = history[-1] | {name: float(value) for name, value in validation(*values).items()}
                    display.validated(history[-1])
                # All of them are called.
                if True in [callback(len(history) - 1, history[-1], *values) for callback in callbacks]:
                    break
        except KeyboardInterrupt:
            if not history:  # nothing was trained
                raise
            raise Interrupted(f"interrupted after step {position.step}; what was trained is kept", history) from None
    return history

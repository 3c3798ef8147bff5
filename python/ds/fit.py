"""Training on a dataset: launches of ds-run that go on where the one before ended, with what a person sees and does meanwhile.

Where something happens between epochs (callbacks, validation) ds-run waits meanwhile, with the step that it has compiled. It is started again
where the step is another one: the step that comes next decides about samples and random keys, so the bits are those of one launch.
"""
import pathlib
import re
import tempfile

import numpy as np

from . import arrays, checks, progress as shown
from .checks import is_file
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


def has_own_files(data):
    """Whether every rank reads files of its own."""
    return any(is_file(value) and re.search(r"\{rank(:0\d)?\}", str(value)) for value in data.values())


def samples_of(value):
    """Of an array, or of a file; of files by rank those of rank 0."""
    if not is_file(value):
        return len(value)
    name = re.sub(r"\{rank(?::0(\d))?\}", lambda found: "0".zfill(int(found[1] or 1)), str(value)).partition(":")[0]
    if not name.endswith(".npy"):
        raise ValueError(f"data= names '{value}', expected a .npy file, or an array")
    return len(np.load(name, mmap_mode="r"))


def steps_per_epoch(export, runner, samples, own):
    """What ds-run finds as well: an incomplete last batch is dropped, and with batch=local, or with files of its own, every rank has
    its own share."""
    local, ranks = runner.config["batch"] == "local", next(iter(export.manifest.get("mesh", {}).values()), runner.ranks)
    if own and runner.config.get("parallel_mode") == "auto_parallel" and "mesh" not in export.manifest:
        raise ValueError("data= names files by {rank}, which needs mesh=, because its first axis says how many ranks read files of their own")
    if own and not local and not ranks:
        raise ValueError("data= names files by {rank}, which needs ranks=, because a rank's share of the batch depends on it")
    if not local and not own:
        return samples // export.batch_size
    shards = runner.config.get("num_shards", 1 if own else ranks)
    return -(-samples // int(shards)) // (export.batch_size if local else export.batch_size // ranks)


def checked(export, data):
    """(data, its number of samples): an array or a file for each batch argument."""
    batch = [a for a in export.manifest["args"] if a["role"] == "batch"]
    data, first = checks.dataset(data, batch), batch[0]
    value = data[first["name"]]
    return data, (samples_of(value) if is_file(value) else value.shape[first["dim"]]) // export.entries(first["name"])


def fit(runner, position, data, *, now, accept, epochs=1, seed=0, validation=None, callbacks=(), progress="auto"):
    """Trains for `epochs`. now() gives (export, arguments) of this moment, accept(values) takes what was trained and returns what
    validation and callbacks get. Returns the metrics of each epoch."""
    epochs, seed, callbacks = checks.integer("epochs", epochs, 1), checks.integer("seed", seed, 0), checks.calls(callbacks, validation)
    display, history, files, stopped = shown.create(progress), [], {}, False

    def pass_epoch(trained):
        nonlocal history, stopped
        position.step = trained.step
        values = accept(trained.values)
        history += trained.metrics
        if trained.interrupted:
            raise KeyboardInterrupt
        if validation:
            history[-1] = history[-1] | checks.validated(validation(*values))
            display.validated(history[-1])
        # All of them are called.
        stopped = True in [callback(len(history) - 1, history[-1], *values) for callback in callbacks]

    with tempfile.TemporaryDirectory() as folder, display:
        folder = pathlib.Path(folder)
        try:
            while len(history) < epochs and not stopped:
                export, args = now()
                if not files:
                    data, samples = checked(export, data)
                    per_epoch = steps_per_epoch(export, runner, samples, has_own_files(data))
                    position.enter(samples, per_epoch, seed)
                    display.begin(epochs, per_epoch, position.step)
                    for i, (name, value) in enumerate(data.items()):
                        files[name] = value if is_file(value) else folder / f"data{i}.npy"
                        if not is_file(value):
                            np.save(files[name], arrays.storable(value))

                def between(trained):
                    """The arguments of the next epoch, or None where this launch has no more to do."""
                    pass_epoch(trained)
                    following = (None, None) if stopped else now()
                    return following[1] if following[0] is export else None

                trained = runner.train(export, args, files, epochs - len(history), seed, position.step, folder, display.line,
                                       between if validation or callbacks else None)
                if trained.metrics:
                    pass_epoch(trained)
                elif trained.interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            if not history:  # nothing was trained
                raise
            raise Interrupted(f"interrupted after step {position.step}; what was trained is kept", history) from None
    return history

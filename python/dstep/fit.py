"""Training on a dataset, with what a person sees and does meanwhile. Each training goes on where the one before ended.

Ranks of this process train by inside.py. Where a launcher starts the ranks, ds-run trains (launches.py): where something happens between epochs (callbacks,
validation) it waits meanwhile, with the step that it has compiled, and is started again where the step is another one. The step that comes next decides about
samples and random keys, so the bits are those of one training.
"""
import re
import warnings

from . import checks, inside, launches, loading, progress as shown
from .checks import is_file
from .data.counts import count
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


def samples_of(value, argument):
    """Of an array, or of a file; of files by rank those of rank 0."""
    if not is_file(value):
        return len(value)
    return count(re.sub(r"\{rank(?::0(\d))?\}", lambda found: "0".zfill(int(found[1] or 1)), str(value)), argument)


def steps_per_epoch(export, runner, samples, own, last_batch=None):
    """As ds divides the data: an incomplete last batch is dropped unless it is wrapped, and with batch=local, or with files of its own, every
    rank has its own share."""
    divided = (lambda a, b: -(-a // b)) if last_batch == "wrap" else (lambda a, b: a // b)
    local, ranks = runner.config["batch"] == "local", next(iter(export.manifest.get("mesh", {}).values()), runner.ranks_of())
    if own and runner.config.get("parallel_mode") == "auto_parallel" and "mesh" not in export.manifest:
        raise ValueError("data= names files by {rank}, which needs mesh=, because its first axis says how many ranks read files of their own")
    if own and not local and not ranks:
        raise ValueError("data= names files by {rank}, which needs ranks=, because a rank's share of the batch depends on it")
    if not local and not own:
        return divided(samples, export.batch_size)
    shards = runner.config.get("num_shards", 1 if own else ranks)
    return divided(-(-samples // int(shards)), export.batch_size if local else export.batch_size // ranks)


def whole_batch(export, runner):
    """How many samples all ranks take together in a step."""
    return export.batch_size * (runner.ranks or 1 if runner.config["batch"] == "local" else 1)  # of a joined world: this process's


def tell_dropped(export, runner, samples, per_epoch, last_batch):
    """Once a training, unless the caller has chosen."""
    size = whole_batch(export, runner)
    if last_batch is None and 0 < per_epoch * size < samples and "num_shards" not in runner.config:
        warnings.warn(loading.told_of(samples - per_epoch * size, samples, size).replace("the last ", "", 1), stacklevel=4)


def check_options(runner, data, last_batch):
    if last_batch not in (None, "drop", "wrap"):
        raise ValueError(f"last_batch={last_batch!r}, expected 'drop' or 'wrap'")
    if isinstance(data, loading.Batches) and "num_shards" in runner.config:
        raise ValueError("num_shards divides what ranks read, but data= yields batches of all of them; give the arrays, or leave num_shards out")


def checked(export, data):
    """(data, its number of samples): an array or a file for each batch argument."""
    batch = [a for a in export.manifest["args"] if a["role"] == "batch"]
    data, first = checks.dataset(data, batch), batch[0]
    value = data[first["name"]]
    return data, (samples_of(value, first["name"]) if is_file(value) else value.shape[first["dim"]]) // export.entries(first["name"])


def fit(runner, position, data, *, now, accept, epochs=1, seed=0, validation=None, callbacks=(), progress="auto", last_batch=None, schedule=None):
    """Trains for `epochs`. now() gives (export, arguments) of this moment, accept(values) takes what was trained and returns what
    validation and callbacks get. `data` is {name: array or file}, or loading.Samples, which are read for every epoch anew. schedule.values(steps) gives
    {hyper-parameter: its value in each step} of the next epoch; schedule.keep(steps) says that fewer were taken. Returns the metrics of each epoch."""
    epochs, seed, callbacks = checks.integer("epochs", epochs, 1), checks.integer("seed", seed, 0), checks.calls(callbacks, validation)
    check_options(runner, data, last_batch)
    is_read = isinstance(data, loading.Samples)
    at_once = not is_read and schedule is None  # several epochs with one reading of the data
    display, history, read, stopped = shown.create(progress if runner.is_first else "none"), [], None, False

    def pass_epoch(trained):
        nonlocal history, stopped
        position.step = trained.step
        values = accept(trained.values)
        history += trained.metrics
        if trained.interrupted:
            raise KeyboardInterrupt
        with training.of_user():
            if validation:
                history[-1] = history[-1] | checks.validated(validation(*values))
                display.validated(history[-1])
            # All of them are called.
            stopped = True in [callback(len(history) - 1, history[-1], *values) for callback in callbacks]

    with display, (inside.Training if runner.inside else launches.Training)(runner, seed, last_batch) as training:
        try:
            while len(history) < epochs and not stopped:
                export, args = now()
                begins = read is None
                if is_read or begins:
                    with training.of_user():
                        read, samples = checked(export, data.read(whole_batch(export, runner)) if is_read else data)
                    if runner.joined:  # each process may have samples of its own
                        per_epoch = training.open(export, read)
                    else:
                        per_epoch = steps_per_epoch(export, runner, samples, has_own_files(read), last_batch)
                    position.enter(samples, per_epoch, seed)
                    if begins:
                        display.begin(epochs, per_epoch, position.step)
                        tell_dropped(export, runner, samples, per_epoch, last_batch)
                    if is_read:
                        read = data.ordered(read, seed, position.step // max(per_epoch, 1))
                training.open(export, read)

                def between(trained):
                    """The arguments of the next epoch, or None where it is one of another step, or of none."""
                    pass_epoch(trained)
                    following = (None, None) if stopped else now()
                    return following[1] if following[0] is export else None

                begun, values = position.step, schedule.values(per_epoch) if schedule else {}
                taken = 0
                try:
                    trained = training.train(export, args, epochs - len(history) if at_once else 1, position.step, display.line,
                                             between if at_once and (validation or callbacks) else None, values)
                    taken = trained.step - begun
                finally:
                    if schedule and taken < per_epoch:
                        schedule.keep(taken)
                if trained.metrics:
                    pass_epoch(trained)
                elif trained.interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            if not history:  # nothing was trained
                raise
            raise Interrupted(f"interrupted after step {position.step}; what was trained is kept", history) from None
    return history

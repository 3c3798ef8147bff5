"""Training on a dataset, with progress, validation and callbacks. Each training continues after the one before.

inside.py runs the steps of an epoch. Samples and random keys depend on the number of the next step only, so several
trainings give the bits of one.
"""
import contextlib
import math
import re

from ..base import checks
from ..base.checks import is_file
from ..base.errors import warn
from ..data.counts import count
from ..session.run import Interrupted
from . import inside, loading, progress as shown, streams
from .stopping import EarlyStopping


class Position:
    """The position of a training: `step` counts all steps, `data` identifies the data of the last ones."""

    def __init__(self):
        self.step, self.data = 0, None

    def enter(self, samples, per_epoch, seed):
        """Starts a new epoch for other data, so that no random key is used twice."""
        if self.data != (samples, per_epoch, seed) and per_epoch:
            self.step = -(-self.step // per_epoch) * per_epoch
        self.data = samples, per_epoch, seed

    def leave(self, steps):
        """Advances by `steps` steps on other samples."""
        self.step, self.data = self.step + steps, None


def samples_of(value, argument):
    """Returns the number of samples of an array or a file; for files by rank, that of rank 0's file."""
    if not is_file(value):
        return len(value)
    return count(re.sub(r"\{rank(?::0(\d))?\}", lambda found: "0".zfill(int(found[1] or 1)), str(value)), argument)


def check_own_files(export, runner, data):
    """Refuses files by rank if nothing states which ranks read the same file."""
    own = any(is_file(value) and re.search(r"\{rank(:0\d)?\}", str(value)) for value in data.values())
    if own and runner.config.get("parallel_mode") == "auto_parallel" and "mesh" not in export.manifest:
        raise ValueError("data= names files by {rank}, which needs mesh=, because its first axis says how many ranks read files of their own")


def whole_batch(export, runner):
    """Returns the number of samples that all ranks take together in a step."""
    # In a joined world, the samples of this process.
    return export.batch_size * (runner.ranks or 1 if runner.config["batch"] == "local" else 1)


def tell_dropped(export, runner, samples, per_epoch, last_batch):
    """Warns once a training that samples are dropped, unless the caller has chosen `last_batch`."""
    size = whole_batch(export, runner)
    if last_batch is None and 0 < per_epoch * size < samples and "num_shards" not in runner.config:
        warn(loading.told_of(samples - per_epoch * size, samples, size).replace("the last ", "", 1))


def check_options(runner, data, last_batch):
    if last_batch not in (None, "drop", "wrap"):
        raise ValueError(f"last_batch={last_batch!r}, expected 'drop' or 'wrap'")
    if isinstance(data, loading.Batches) and "num_shards" in runner.config:
        raise ValueError("num_shards divides what ranks read, but data= yields batches of all of them; give the arrays, or leave num_shards out")


def checked(export, data):
    """Returns (data, its number of samples): an array or a file for each batch argument."""
    batch = [a for a in export.manifest["args"] if a["role"] == "batch"]
    data, first = checks.dataset(data, batch), batch[0]
    value = data[first["name"]]
    return data, (samples_of(value, first["name"]) if is_file(value) else value.shape[first["dim"]]) // export.entries(first["name"])


class Saves:
    """When and what a training writes to its files (saving.py), and how it resumes from them."""

    def __init__(self, checkpoint, runner, seed, batch_size, stopper):
        self.checkpoint, self.runner, self.seed, self.batch_size, self.stopper = checkpoint, runner, seed, batch_size, stopper
        self.history, self.taken, self.stopped = [], 0, False  # `stopped`: by a callback
        self.is_used = checkpoint is not None and checkpoint.path is not None

    def told(self, position, done, sums, of_data):
        return {"history": self.history, "done": done, "sums": sums, "of_data": of_data, "taken": self.taken + done, "seed": self.seed, "batch_size": self.batch_size,
                "data": list(position.data) if position.data else None, "stopped": self.stopped, "stopper": self.stopper and self.stopper.state()}

    def write(self, values, step, position, export, data, done=0, sums=None, numbered=False):
        """Writes a checkpoint. `data` is the source of the training's samples: a Stream reports its own state, of other
        data ds records which samples they are."""
        if self.runner.is_first:
            is_stream = isinstance(data, streams.Stream)
            told = self.told(position, done, sums, data.state() if is_stream else None)
            self.checkpoint.write(values, step, told, self.runner.instance(export), None if is_stream else data, numbered)

    def found(self):
        """Returns the checkpoint of this training, or None."""
        found = self.checkpoint.found() if self.is_used else None
        if found is not None:
            told = found[2]
            for name, now in (("seed", self.seed), ("batch_size", self.batch_size)):
                if told[name] != now:
                    raise ValueError(f"save='{self.checkpoint.path}' is of another training: it has {name} {told[name]}, but this one {now}")
            self.history, self.taken, self.stopped = told["history"], told["taken"] - told["done"], told["stopped"]
            if self.stopper and told["stopper"]:
                self.stopper.load(told["stopper"])
        return found


def check_saving(runner, checkpoint, is_stream):
    if checkpoint is not None and checkpoint.path is not None and runner.joined and is_stream:
        raise ValueError("save= keeps the place in data= of one process, but data= yields batches in each of those that a launcher has started; give arrays or files")


def fit(runner, position, data, *, now, accept, epochs=1, seed=0, validation=None, callbacks=(), progress="auto", last_batch=None, schedule=None, checkpoint=None,
        early_stopping=None):
    """Trains for `epochs` and returns the metrics of each epoch.

    now() returns the current (export, arguments); accept(values) stores the trained values and returns the arguments of
    validation and callbacks. `data` is {name: array or file}, or loading.Samples, which are read again for every epoch;
    if all ranks are in this process, loading.Batches are taken one by one. schedule.values(steps) returns
    {hyper-parameter: its value in each of the next steps}; schedule.keep(steps) reports that fewer were taken.
    `checkpoint` is the file of the training, `early_stopping` the text of the stopping rule.

    Raises Interrupted at Ctrl-C if at least one step was trained, ValueError for a wrong option, and RunError if a step
    fails."""
    epochs, seed, callbacks = checks.integer("epochs", epochs, 1), checks.integer("seed", seed, 0), checks.calls(callbacks, validation)
    check_options(runner, data, last_batch)
    is_stream = isinstance(data, loading.Batches) and not runner.joined
    check_saving(runner, checkpoint, isinstance(data, loading.Batches))
    is_read = isinstance(data, loading.Samples)
    first_export, stopper = now()[0], None if early_stopping is None else EarlyStopping(early_stopping)
    if stopper and not validation:
        stopper.known([r["role"][len("metric:"):] for r in first_export.manifest["results"] if r["role"].startswith("metric:")])
    saves = Saves(checkpoint, runner, seed, whole_batch(first_export, runner), stopper)
    # True: one reading of the data serves several epochs.
    at_once = not is_read and schedule is None and not saves.is_used
    display, history, read, stopped = shown.create(progress if runner.is_first else "none"), saves.history, None, False
    # Of the first epoch: the steps taken before, the sums of their metrics, and the state of the data.
    begun = 0, None, None

    def pass_epoch(trained):
        nonlocal stopped
        position.step = trained.step
        values = accept(trained.values)
        history.extend(trained.metrics)
        if trained.interrupted:
            raise KeyboardInterrupt
        with training.of_user():
            if validation:
                history[-1] = history[-1] | checks.validated(validation(*values))
                display.validated(history[-1])
            # Every callback is called, even after one has stopped the training.
            stopped = saves.stopped = True in [callback(len(history) - 1, history[-1], *values) for callback in callbacks]
        if stopper:
            stopper.consider(history[-1])
            if stopper.ends:
                stopped = True
                display.told(str(stopper))

    def tells_of():
        """Returns the data that checkpoints identify; None for samples that are read again for every epoch, which may
        differ."""
        return training.data if is_stream or not is_read else None

    def save_step(values, step, done, sums, stops):
        if (stops or saves.checkpoint.is_due(step)) and all(map(math.isfinite, sums)):
            saves.write(values(step), step, position, training.export, tells_of(), done, sums, numbered=not stops)

    with display, checkpoint.opened(runner.is_first) if saves.is_used else contextlib.nullcontext(), \
            inside.Training(runner, seed, last_batch, saves.is_used) as training:
        try:
            found = saves.found()
            if found:
                values, position.step, told = found
                checkpoint.check(runner.instance(first_export))
                history, stopped = saves.history, saves.stopped or bool(stopper and stopper.ends)
                accept(checkpoint.values(now()[0], values))
                position.data, begun = tuple(told["data"]) if told["data"] else None, (told["done"], told["sums"], told["of_data"])
                if schedule:
                    schedule.skip(saves.taken + begun[0])
            while len(history) < epochs and not stopped:
                export, args = now()
                begins = read is None
                if is_stream:
                    per_epoch, rates = None, streams.Rates(schedule) if schedule else None
                    if begins:
                        read = data
                        display.begin(epochs, None, position.step)
                    training.open_stream(export, data, whole_batch(export, runner), begun[2])
                    values = rates.values() if rates else {}
                else:
                    if is_read or begins:
                        with training.of_user():
                            read, samples = checked(export, data.read(whole_batch(export, runner)) if is_read else data)
                            check_own_files(export, runner, read)
                        per_epoch = training.open(export, read)
                        of_file = position.data
                        position.enter(samples, per_epoch, seed)
                        if found and begins and of_file != position.data:
                            raise ValueError(f"save='{checkpoint.path}' is of another training: it has trained {of_file[0] if of_file else 'batches instead of'} samples, but data= has {samples}")
                        if begins:
                            display.begin(epochs, per_epoch, position.step - begun[0])
                            tell_dropped(export, runner, samples, per_epoch, last_batch)
                        if is_read:
                            read = data.ordered(read, seed, position.step // max(per_epoch, 1))
                    training.open(export, read)
                    if found and begins and not is_read:
                        checkpoint.check(training.data.instance, training.data)
                    rates, values = schedule, schedule.values(per_epoch - begun[0]) if schedule else {}

                def between(trained):
                    """Returns the arguments of the next epoch, or None if no epoch follows or it is one of another
                    step."""
                    pass_epoch(trained)
                    following = (None, None) if stopped else now()
                    return following[1] if following[0] is export else None

                first, taken = position.step, 0
                try:
                    trained = training.train(export, args, epochs - len(history) if at_once else 1, first, display.line,
                                             between if at_once and (validation or callbacks or stopper) else None, values, save_step if saves.is_used else None, begun[:2])
                    taken = trained.step - first
                finally:
                    if is_stream and rates:
                        rates.end(taken)
                    elif schedule and taken < per_epoch - begun[0]:
                        schedule.keep(taken)
                saves.taken += begun[0] + taken
                begun = 0, None, None
                if is_stream:
                    # Other samples start with an epoch of their own.
                    position.data = None
                if trained.metrics:
                    pass_epoch(trained)
                elif trained.interrupted:
                    raise KeyboardInterrupt
                if saves.is_used:
                    export, args = now()
                    saves.write(export.initial_values(args), position.step, position, export, tells_of())
        except KeyboardInterrupt:
            if not history:  # nothing was trained
                raise
            raise Interrupted(f"interrupted after step {position.step}; what was trained is kept", history) from None
    return history

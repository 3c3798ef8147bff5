"""The data of a training, epoch by epoch: arrays and files, whose order ds chooses, or batches as they come.

A feed opens the data of the next epoch in the instance of an export, and returns the values of the hyper-parameters
there, as schedules.Rates or AheadRates; None without a schedule.
"""
import re

from ..base import checks
from ..base.checks import is_file
from ..base.errors import warn
from ..data.counts import count
from . import loading, schedules


def count_samples(value, argument):
    """Returns the number of samples of an array or a file; for files by rank, that of rank 0's file."""
    if not is_file(value):
        return len(value)
    return count(re.sub(r"\{rank(?::0(\d))?\}", lambda found: "0".zfill(int(found[1] or 1)), str(value)), argument)


def checked(export, data):
    """Returns (data, its number of samples): an array or a file for each batch argument."""
    batch = [a for a in export.manifest["args"] if a["role"] == "batch"]
    data, first = checks.dataset(data, batch), batch[0]
    value = data[first["name"]]
    return data, (count_samples(value, first["name"]) if is_file(value)
                  else value.shape[first["dim"]]) // export.entries(first["name"])


def refuse_own_files(export, runner, data):
    """Refuses files by rank if nothing states which ranks read the same file."""
    own = any(is_file(value) and re.search(r"\{rank(:0\d)?\}", str(value)) for value in data.values())
    if own and runner.config.get("parallel_mode") == "auto_parallel" and "mesh" not in export.manifest:
        raise ValueError("data= names files by {rank}, which needs mesh=, because its first axis gives how many ranks "
                         "read files of their own")


class Arrays:
    """{name: array or file} of all samples. With `source`, a loading.Samples, they are read again for every epoch."""

    def __init__(self, fit, data):
        self.fit, self.source, self.read = fit, data if isinstance(data, loading.Samples) else None, None
        self.data = data

    @property
    def is_kept(self):
        """True if one reading serves all epochs."""
        return self.source is None

    def open(self, export):
        fit, begins = self.fit, self.read is None
        if begins or self.source:
            self._read(export, begins)
        steps = fit.epochs.open(export, self.read) - fit.begun.steps
        if fit.resumed and begins and self.is_kept:
            fit.policy.checkpoint.check(fit.epochs.data.instance, fit.epochs.data)
        return fit.schedule and schedules.Rates(fit.schedule, steps)

    def _read(self, export, begins):
        fit, position = self.fit, self.fit.position
        with fit.epochs.of_user():
            self.read, samples = checked(export, self.source.read(fit.size) if self.source else self.data)
            refuse_own_files(export, fit.runner, self.read)
        per_epoch, before = fit.epochs.open(export, self.read), position.data
        position.enter(samples, per_epoch, fit.policy.seed)
        if begins and fit.resumed and before != position.data:
            raise ValueError(f"save='{fit.policy.checkpoint.path}' is of another training: it has trained "
                             f"{before[0] if before else 'batches instead of'} samples, but data= has {samples}")
        if begins:
            fit.display.begin(fit.policy.epochs, per_epoch, position.step - fit.begun.steps)
            self._warn_of_dropped(samples, samples - per_epoch * fit.size)
        if self.source:
            self.read = self.source.ordered(self.read, fit.policy.seed, position.step // max(per_epoch, 1))

    def _warn_of_dropped(self, samples, dropped):
        """Warns once a training that samples are dropped, unless the caller has chosen `last_batch`."""
        fit = self.fit
        if fit.policy.last_batch is None and 0 < dropped < samples and "num_shards" not in fit.runner.config:
            warn(loading.describe_dropped(f"{dropped} of {samples}", fit.size))

    def identified(self):
        """Returns the data that a checkpoint identifies; None for samples that are read again for every epoch, which
        may differ."""
        return self.fit.epochs.data if self.is_kept else None


class Stream:
    """A loading.Batches, batch by batch."""
    is_kept = False

    def __init__(self, fit, data):
        self.fit, self.source, self.begins = fit, data, True

    def open(self, export):
        fit = self.fit
        rates = fit.schedule and schedules.AheadRates(fit.schedule)
        if self.begins:
            fit.display.begin(fit.policy.epochs, None, fit.position.step)
            self.begins = False
        fit.epochs.open_stream(export, self.source, fit.size, fit.begun.of_data)
        return rates

    def identified(self):
        return self.fit.epochs.data


def feed_of(fit, data):
    """Returns the feed of a training: batches stream if all ranks are in this process."""
    is_batches = isinstance(data, loading.Batches)
    if is_batches and "num_shards" in fit.runner.config:
        raise ValueError("num_shards divides what ranks read, but data= yields batches of all of them; give the "
                         "arrays, or leave num_shards out")
    if is_batches and fit.runner.joined and fit.policy.save is not None:
        raise ValueError("save= keeps the place in data= of one process, but data= yields batches in each of those "
                         "that a launcher has started; give arrays or files")
    return (Stream if is_batches and not fit.runner.joined else Arrays)(fit, data)

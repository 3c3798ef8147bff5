"""Batches of data= as they come: each is trained while what yields them prepares the next ones. What can say where it is goes on from there."""
import collections.abc
import concurrent.futures
import itertools

import numpy as np

from . import arrays, codes, loading
from .errors import RunError, warn
from .frontend.errors import FrontendError

CLOSES_WITHIN = 5  # seconds that a batch is waited for which nobody will train


def converted(name, value, dtype):
    """A batch as the step takes it: integers without loss, floats rounded."""
    value = arrays.narrowed(value, dtype)
    if value.dtype == dtype or value.dtype.kind == "u" and value.dtype.itemsize == dtype.itemsize and dtype.kind == "i":
        return value
    with np.errstate(all="ignore"):
        made = value.astype(dtype)
        is_float = value.dtype.kind in "fV" and made.dtype.kind in "fV"
        wrong = np.isfinite(value) & ~np.isfinite(made) if is_float else made.astype(value.dtype) != value
    if wrong.any():
        raise RunError(f"data= has for '{name}' {value[wrong].flat[0]} of the type {value.dtype.name}, which {dtype.name} does not hold")
    return made


def has_state(value):
    return callable(getattr(value, "state_dict", None)) and callable(getattr(value, "load_state_dict", None))


class Stream:
    """The batches of a loading.Batches in an instance, epoch by epoch; used as samples.Data is.

    `state()` says where the iterable is; `begin(state)` goes on there: by load_state_dict of the iterable or of its iterator, or, where neither has one,
    by reading what was trained of the epoch once more (the source sets the random generator of a DataLoader before)."""

    def __init__(self, export, instance, source, size, seed, last_batch, is_saved=False):
        self.export, self.instance, self.source, self.size, self.seed, self.last_batch = export, instance, source, size, seed, last_batch
        # Where workers make the batches, a thread takes over the next one while a step computes; a state that is saved would be one batch ahead.
        is_ahead = source.has_workers() and not (is_saved and has_state(source.iterable))
        self.pool = concurrent.futures.ThreadPoolExecutor(1) if is_ahead else None
        # A GPU is given the batch of the next step while it computes this one, so that has to be there before.
        self.ahead, self.fetched_ahead = collections.deque(), 2 if instance.is_on_gpu else 1
        self.announced = {}  # {slot: array} of the next step, and the batch that it is made of
        self.of_announced = None
        self.arguments = {a["name"]: (slot, a["dim"]) for slot, a in enumerate(export.manifest["args"]) if a["role"] == "batch"}
        self.results = [(r["name"], k) for k, r in enumerate(instance.results) if "metric" in r and np.prod(r["shape"]) == 1]
        self.metrics = [name for name, _ in self.results]
        self.first, self.steps_per_epoch = next(iter(self.arguments)), None
        self.iterator = self.head = self.held = self.started = None
        self.read = 0

    def close(self):
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            if self.ahead:  # nobody else uses the iterator then
                concurrent.futures.wait(self.ahead, CLOSES_WITHIN)
        self.ahead.clear()
        self.iterator = self.head = self.held = self.of_announced = None

    # Where the iterable is.
    def begin(self, state=None):
        """An epoch, from its first batch on or from where `state` says."""
        self.source.pass_begins()
        iterable, self.read, self.head = self.source.iterable, 0, None
        generator = state and state.get("generator")
        if state and "of_iterable" in state:
            iterable.load_state_dict(state["of_iterable"])
        elif generator:
            self.source.set_generator(generator)
        # As the epoch begins, for what has no state of its own.
        self.started = None if has_state(iterable) else self.source.generator()
        self.iterator = iter(iterable)
        if generator and "of_iterable" in state:
            self.source.set_generator(generator)  # which the epochs behind this one draw from
        if state:
            self.head, self.read = state.get("head"), state["read"]
            if "of_iterator" in state:
                self.iterator.load_state_dict(state["of_iterator"])
            elif "of_iterable" not in state and sum(1 for _ in itertools.islice(self.iterator, self.read)) < self.read:
                raise ValueError(f"data= yields fewer than the {self.read} batches of the epoch that were trained before, expected the same ones again")

    def state(self):
        """Behind the batch that was run last; between two epochs when the iterator has come to its end."""
        if self.held is None and self.read:
            keeps = has_state(self.source.iterable) and self.source.state_outlives_epochs()
            return {"read": 0, "generator": self.source.generator()} | ({"of_iterable": self.source.iterable.state_dict()} if keeps else {})
        found, iterable = {"read": self.read}, self.source.iterable
        if has_state(iterable):
            found |= {"of_iterable": iterable.state_dict(), "generator": self.source.generator()}
        elif has_state(self.iterator):
            found["of_iterator"] = self.iterator.state_dict()
        else:
            found["generator"] = self.started
        return found | ({"head": self.head} if self.last_batch == "wrap" else {})

    # Batches.
    def count(self, batch):
        _, dim = self.arguments[self.first]
        return batch[self.first].shape[dim] // self.export.entries(self.first)

    def _fetch(self):
        for batch in self.iterator:
            return self.source.arrays(batch)
        return None

    def _next(self):
        if self.pool is None:
            return self._fetch()
        batch = (self.ahead.popleft() if self.ahead else self.pool.submit(self._fetch)).result()
        while batch is not None and len(self.ahead) < self.fetched_ahead:
            self.ahead.append(self.pool.submit(self._fetch))
        if batch is None:
            self.ahead.clear()
        return batch

    def next(self):
        """Whether the epoch has another batch, which `run` takes."""
        batch = self._next()
        if batch is not None:
            self.read += 1
            count = self.count(batch)
            if count > self.size or count < self.size and self._next() is not None:
                raise ValueError(f"batch {self.read} of data= has {count} samples, expected {self.size} as the batch that fit is given has")
            if count < self.size:
                batch = self._short(batch, count)
            if self.head is None and self.last_batch == "wrap":
                self.head = {name: value.copy() for name, value in (batch or {}).items()}
        elif not self.read:
            raise ValueError(f"data= yields 0 samples, expected a batch of {self.size}")
        self.held = batch
        return batch is not None

    def _short(self, batch, count):
        """The last batch, filled with the first samples, or None."""
        if self.last_batch == "wrap":
            head = batch if self.head is None else self.head
            return {name: self._filled(name, value, head[name], count) for name, value in batch.items()}
        if self.read == 1:
            raise ValueError(f"data= yields {count} samples, expected a batch of {self.size}")
        if self.last_batch is None and not self.source.told:
            self.source.told = True
            warn(loading.told_of(count, (self.read - 1) * self.size + count, self.size))
        return None

    def _filled(self, name, value, head, count):
        (_, dim), entries = self.arguments[name], self.export.entries(name)
        if entries > 1 and next(a for a in self.export.manifest["args"] if a["name"] == name).get("apart"):
            raise ValueError(f"last_batch=\"wrap\" cannot fill '{name}', whose rows of a sample lie apart, expected whole batches")
        return np.concatenate([value, np.take(head, np.arange((self.size - count) * entries), dim, mode="wrap")], dim)

    def _fitting(self, batch):
        return {slot: self.instance.fitting(slot, converted(name, batch[name], self.instance.dtype(slot))) for name, (slot, _) in self.arguments.items()}

    def _announce(self):
        """The next step's values, of a whole batch that is there already; what is wrong with them is told in their own step."""
        self.announced, self.of_announced = {}, None
        if not self.instance.is_on_gpu or not self.ahead or not self.ahead[0].done() or self.ahead[0].exception():
            return
        batch = self.ahead[0].result()
        try:
            if batch is not None and self.count(batch) == self.size:
                self.announced, self.of_announced = self._fitting(batch), batch
        except Exception:  # as of a batch of another kind
            return

    def run(self, step, stop=False):
        """The step of the batch that `next` has found; its metrics, and whether to stop."""
        kept = self.announced if self.held is self.of_announced else self._fitting(self.held)
        self._announce()
        self.instance.write_seeds(self.seed, step)
        try:
            self.instance.run({slot: value.ctypes.data for slot, value in kept.items()}, following={slot: value.ctypes.data for slot, value in self.announced.items()})
        except RunError as error:  # the batch that a label out of range is in
            raise (error.of_index(f"batch {self.read} of data=") if error.code == codes.INDEX_RANGE else error) from None
        return [self.instance.number(k) for _, k in self.results], stop


class Values(collections.abc.Sequence):
    """A hyper-parameter in the steps of an epoch whose length nobody knows; asked for one after the other."""

    def __init__(self, rates, name):
        self.rates, self.name = rates, name

    def __len__(self):
        return 1 << 62

    def __getitem__(self, number):
        return self.rates.at(number)[self.name]


class Rates:
    """What a schedule gives, some steps at a time."""
    MANY = 32, 16, 8, 4, 2, 1

    def __init__(self, schedule):
        self.schedule, self.first = schedule, 0
        self._look()

    def _look(self):
        """Ahead, as far as the schedule goes: it may be made for the steps of the training alone."""
        for self.many in self.MANY:
            try:
                self.found = self.schedule.values(self.many)
                return
            except FrontendError:
                raise
            except Exception:  # the user's
                if self.many == 1:
                    raise

    def values(self):
        return {name: Values(self, name) for name in self.found}

    def at(self, number):
        while number >= self.first + self.many:
            self.first += self.many
            self._look()
        return {name: values[number - self.first] for name, values in self.found.items()}

    def end(self, taken):
        """So many steps of the epoch were taken."""
        if taken < self.first + self.many:
            self.schedule.keep(max(taken - self.first, 0))

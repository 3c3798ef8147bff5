"""Batches of data= as they come: a step computes while the source prepares the next batches. A source with a state
resumes from it."""
import collections.abc
import concurrent.futures
import itertools

import numpy as np

from ..base import arrays, codes
from ..base.errors import RunError, warn
from . import loading

CLOSES_WITHIN = 5  # seconds that close() waits for a batch that no step will use


def converted(name, value, dtype):
    """Returns a batch in the step's type: integers without loss, floats rounded."""
    value = arrays.narrowed(value, dtype)
    if value.dtype == dtype or value.dtype.kind == "u" and value.dtype.itemsize == dtype.itemsize and dtype.kind == "i":
        return value
    with np.errstate(all="ignore"):
        made = value.astype(dtype)
        is_float = value.dtype.kind in "fV" and made.dtype.kind in "fV"
        wrong = np.isfinite(value) & ~np.isfinite(made) if is_float else made.astype(value.dtype) != value
    if wrong.any():
        raise RunError(f"data= has for '{name}' {value[wrong].flat[0]} of the type {value.dtype.name}, which "
                       f"{dtype.name} does not hold")
    return made


def has_state(value):
    return callable(getattr(value, "state_dict", None)) and callable(getattr(value, "load_state_dict", None))


class Stream:
    """The batches of a loading.Batches in an instance, epoch by epoch; has the interface of samples.Data.

    `state()` returns the position of the iterable; `begin(state)` resumes there: by load_state_dict of the iterable or
    of its iterator, or, if neither has one, by reading the trained batches of the epoch once more (the source restores
    the random generator of a DataLoader first)."""

    def __init__(self, export, instance, source, size, seed, last_batch, is_saved=False):
        self.export, self.instance, self.source, self.size, self.seed, self.last_batch = (export, instance, source,
                                                                                          size, seed, last_batch)
        # If workers make the batches, a thread takes the next one while a step computes; with a saved state it must
        # not, because the state would be one batch ahead.
        is_ahead = source.has_workers() and not (is_saved and has_state(source.iterable))
        self.pool = concurrent.futures.ThreadPoolExecutor(1) if is_ahead else None
        # A GPU receives the next step's batch during a step, so that batch must be fetched one step earlier.
        self.ahead, self.fetched_ahead = collections.deque(), 2 if instance.is_on_gpu else 1
        self.announced = {}  # {slot: array} of the next step; `of_announced` is the batch that it was made of
        self.of_announced = None
        self.arguments = {
            a["name"]: (slot, a["dim"]) for slot, a in enumerate(export.manifest["args"]) if a["role"] == "batch"}
        self.results = [(r["name"], k) for k, r in enumerate(instance.results) if "metric" in r
                        and np.prod(r["shape"]) == 1]
        self.metrics = [name for name, _ in self.results]
        self.first, self.steps_per_epoch = next(iter(self.arguments)), None
        self.iterator = self.head = self.held = self.started = None
        self.read = 0

    def close(self):
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            if self.ahead:  # afterwards no other thread uses the iterator
                concurrent.futures.wait(self.ahead, CLOSES_WITHIN)
        self.ahead.clear()
        self.iterator = self.head = self.held = self.of_announced = None

    # Position of the iterable.
    def begin(self, state=None):
        """Starts an epoch at its first batch, or at the position that `state` holds."""
        self.source.pass_begins()
        iterable, self.read, self.head = self.source.iterable, 0, None
        generator = state and state.get("generator")
        if state and "of_iterable" in state:
            iterable.load_state_dict(state["of_iterable"])
        elif generator:
            self.source.set_generator(generator)
        # The generator's state at the start of the epoch, for an iterable without a state of its own.
        self.started = None if has_state(iterable) else self.source.generator()
        self.iterator = iter(iterable)
        if generator and "of_iterable" in state:
            self.source.set_generator(generator)  # later epochs draw from it
        if state:
            self.head, self.read = state.get("head"), state["read"]
            if "of_iterator" in state:
                self.iterator.load_state_dict(state["of_iterator"])
            elif "of_iterable" not in state and sum(1 for _ in itertools.islice(self.iterator, self.read)) < self.read:
                raise ValueError(f"data= yields fewer than the {self.read} batches of the epoch that were trained "
                                 "before, expected the same ones again")

    def state(self):
        """Returns the state after the last batch that ran; at the end of the iterator, the state between two epochs."""
        if self.held is None and self.read:
            keeps = has_state(self.source.iterable) and self.source.state_outlives_epochs()
            return ({"read": 0, "generator": self.source.generator()}
                    | ({"of_iterable": self.source.iterable.state_dict()} if keeps else {}))
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
        """Fetches the next batch for `run`; returns False at the end of the epoch."""
        batch = self._next()
        if batch is not None:
            self.read += 1
            count = self.count(batch)
            if count > self.size or count < self.size and self._next() is not None:
                raise ValueError(f"batch {self.read} of data= has {count} samples, expected {self.size} as the batch "
                                 "that fit is given has")
            if count < self.size:
                batch = self._short(batch, count)
            if self.head is None and self.last_batch == "wrap":
                self.head = {name: value.copy() for name, value in (batch or {}).items()}
        elif not self.read:
            raise ValueError(f"data= yields 0 samples, expected a batch of {self.size}")
        self.held = batch
        return batch is not None

    def _short(self, batch, count):
        """Returns the last batch filled up with the first samples, or None to drop it."""
        if self.last_batch == "wrap":
            head = batch if self.head is None else self.head
            return {name: self._filled(name, value, head[name], count) for name, value in batch.items()}
        if self.read == 1:
            raise ValueError(f"data= yields {count} samples, expected a batch of {self.size}")
        if self.last_batch is None and not self.source.warned:
            self.source.warned = True
            warn(loading.describe_dropped(f"the last {count} of {(self.read - 1) * self.size + count}", self.size))
        return None

    def _filled(self, name, value, head, count):
        (_, dim), entries = self.arguments[name], self.export.entries(name)
        if entries > 1 and next(a for a in self.export.manifest["args"] if a["name"] == name).get("apart"):
            raise ValueError(f"last_batch=\"wrap\" cannot fill '{name}', whose rows of a sample lie apart, expected "
                             "whole batches")
        return np.concatenate([value, np.take(head, np.arange((self.size - count) * entries), dim, mode="wrap")], dim)

    def _fitting(self, batch):
        return {slot: self.instance.fitting(slot, converted(name, batch[name], self.instance.dtype(slot)))
                for name, (slot, _) in self.arguments.items()}

    def _announce(self):
        """Prepares the next step's values from a full batch that is already fetched; an error in them is raised in that
        step."""
        self.announced, self.of_announced = {}, None
        if not self.instance.is_on_gpu or not self.ahead or not self.ahead[0].done() or self.ahead[0].exception():
            return
        batch = self.ahead[0].result()
        try:
            if batch is not None and self.count(batch) == self.size:
                self.announced, self.of_announced = self._fitting(batch), batch
        except Exception:  # for example a batch of another structure
            return

    def run(self, step, stop=False):
        """Runs the step of the batch that `next` fetched; returns its metrics, and `stop`."""
        kept = self.announced if self.held is self.of_announced else self._fitting(self.held)
        self._announce()
        self.instance.write_seeds(self.seed, step)
        try:
            self.instance.run({slot: value.ctypes.data for slot, value in kept.items()},
                              following={slot: value.ctypes.data for slot, value in self.announced.items()})
        except RunError as error:  # names the batch with a label out of range
            raise (error.of_index(f"batch {self.read} of data=") if error.code == codes.INDEX_RANGE
                   else error) from None
        return [self.instance.number(k) for _, k in self.results], stop

"""Samples of `fit` that are read again for every epoch: a dataset, whose order ds chooses, or an iterable of batches,
whose order is kept.

ds shuffles its arrays by the seed and the number of the epoch. To keep the caller's order, the samples are placed so
that this permutation restores it.
"""
import collections.abc

import numpy as np

from .. import data as sources
from ..base.checks import kind, numbers_of
from ..base.errors import warn

MASK, STRIDE = (1 << 64) - 1, 0x9E3779B97F4A7C15


def _mix(x):
    """Returns the last step of SplitMix64, of 64-bit words."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


MOST_LISTED = 1 << 24  # samples; larger data uses a keyed permutation


def _keyed(state, count):
    """Returns the Feistel network of lib/Data/Random.cpp at all positions."""
    keys = _mix(state + np.arange(1, 9, dtype=np.uint64) * np.uint64(STRIDE))
    bits = max(2, (count - 1).bit_length())
    low_bits = np.uint64(bits // 2)
    low_mask, high_mask = np.uint64((1 << bits // 2) - 1), np.uint64((1 << bits - bits // 2) - 1)
    numbers, outside = np.arange(count, dtype=np.uint64), np.arange(count)
    while len(outside):
        low, high = numbers[outside] & low_mask, numbers[outside] >> low_bits
        for even, odd in zip(keys[::2], keys[1::2]):
            low ^= _mix(high ^ even) & low_mask
            high ^= _mix(low ^ odd) & high_mask
        numbers[outside] = high << low_bits | low
        outside = outside[numbers[outside] >= count]
    return numbers.astype(np.int64)


def order_of(seed, epoch, count):
    """Returns the sample that ds takes at each position of an epoch (lib/Data/Random.cpp): the Fisher-Yates swaps from
    the last position down; for large data a keyed permutation without a list."""
    word = lambda value: np.array([value & MASK], np.uint64)
    state = _mix(word(seed)) ^ _mix(word(~epoch))
    if count > MOST_LISTED:
        return _keyed(state, count)
    order = list(range(count))
    bounds = np.arange(count, 1, -1, dtype=np.uint64)
    places = _mix(state + np.arange(1, count, dtype=np.uint64) * np.uint64(STRIDE)) % bounds if count > 1 else []
    for i, place in zip(range(count - 1, 0, -1), map(int, places)):
        order[i], order[place] = order[place], order[i]
    return np.array(order, np.int64)


class Samples:
    """A source of samples; `read(size)` returns {name: array}, whose first dimension counts samples."""
    has_order = False

    def __init__(self, read):
        self.read = read

    def ordered(self, read, seed, epoch):
        """Returns the samples of an epoch, placed so that ds's permutation restores their order."""
        if not self.has_order:
            return read
        placed = {name: np.empty_like(value) for name, value in read.items()}
        for name, value in read.items():
            placed[name][order_of(seed, epoch, len(value))] = value
        return placed


class Batches(Samples):
    """An iterable of batches; `arrays(batch)` makes {name: array} of one. All have `size` samples except for the last
    one, which is dropped or filled. Ranks of one process train on each batch as it comes (streams.py), processes of a
    launcher on all batches of an epoch, which `read` returns."""
    has_order = True

    def __init__(self, iterable, arrays, last_batch=None):
        self.iterable, self.arrays, self.last_batch, self.warned, self.passes = iterable, arrays, last_batch, False, 0

    def pass_begins(self):
        self.passes += 1
        if self.passes > 1 and isinstance(self.iterable, collections.abc.Iterator):
            raise ValueError(f"data= is a {type(self.iterable).__name__}, which has the batches of one epoch, expected "
                             "a list or a DataLoader for several")

    def generator(self):
        """Returns the state of the generator that shuffles batches without a state of their own; None if it is not
        known."""
        return None

    def has_workers(self):
        """True if other processes make the batches, so that any thread may take them."""
        return False

    def state_outlives_epochs(self):
        """True if the iterable's state between two epochs holds more than the start of an epoch."""
        return True

    def set_generator(self, state):
        """Restores a state that `generator` returned."""

    def read(self, size):
        self.pass_begins()
        found = [self.arrays(batch) for batch in self.iterable]
        counts = [len(next(iter(batch.values()))) for batch in found]
        for number, count in enumerate(counts):
            if count > size or count < size and number < len(counts) - 1:
                raise ValueError(f"batch {number + 1} of data= has {count} samples, expected {size} as the batch that "
                                 "fit is given has")
        if not found or counts == [counts[0]] and counts[0] < size and self.last_batch != "wrap":
            raise ValueError(f"data= yields {sum(counts)} samples, expected a batch of {size}")
        short = counts[-1] if counts[-1] < size else 0
        whole = {name: np.concatenate([batch[name] for batch in found]) for name in found[0]}
        if not short:
            return whole
        if self.last_batch == "wrap":
            return {name: np.take(value, np.arange(sum(counts) + size - short), 0, mode="wrap")
                    for name, value in whole.items()}
        if self.last_batch is None and not self.warned:
            self.warned = True
            warn(describe_dropped(f"the last {short} of {sum(counts)}", size))
        return {name: value[:-short] for name, value in whole.items()}


def dense(name, value):
    """Returns an array of a framework as one of NumPy: by its own conversion, or by DLPack."""
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        try:
            return np.from_dlpack(value)
        # on a device, or of a type that NumPy does not have
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise ValueError(f"data= has for '{name}' {kind(value)} that NumPy cannot take by DLPack: "
                             f"{str(error).splitlines()[0]}") from None
    return value


def columns_of(data, names):
    """Returns {name: column} of a dataset with named columns, such as one of the library `datasets`; None for
    others."""
    if not (hasattr(data, "column_names") and hasattr(data, "with_format")):
        return None
    missing = [name for name in names if name not in data.column_names]
    if missing:
        raise ValueError(f"data= has the columns {', '.join(data.column_names)}, expected {', '.join(missing)} among "
                         "them, as the step's batch arguments are called")
    columns = data.with_format("numpy")
    return {name: np.asarray(columns[name]) for name in names}


def source_of(data, batch, last_batch=None):
    """Returns `data=` of fit in one form, for a step with these batch arguments of the manifest.

    {name: array or file} stays as it is; a dataset with named columns, such as one of the library `datasets`, and a
    source of dstep.data become {name: array}; an iterable of batches, such as a DataLoader or a generator, becomes
    Batches. A batch is {name: array}, or a tuple of arrays in the order of the arguments."""
    names = [argument["name"] for argument in batch]
    if isinstance(data, collections.abc.Mapping):
        return {name: dense(name, value) for name, value in data.items()}
    columns = columns_of(data, names)
    if columns is not None:
        return columns
    source = sources.of_name(data)
    if source is not None:
        found = source.arrays({a["name"]: tuple(size for k, size in enumerate(a["shape"]) if k != a["dim"])
                               for a in batch})
        return {a["name"]: np.moveaxis(found[a["name"]], 0, a["dim"]) for a in batch}
    # True: arrays of all samples without names.
    of_all = isinstance(data, (tuple, list)) and len(names) > 1 and data and all(hasattr(value, "__array__")
                                                                                 for value in data)
    if of_all or isinstance(data, (str, bytes)) or hasattr(data,
                                                           "__array__") or not isinstance(data,
                                                                                          collections.abc.Iterable):
        return data  # checks.dataset reports the error

    def arrays_of(batch):
        if isinstance(batch, (tuple, list)):
            if len(batch) != len(names):
                raise ValueError(f"data= yields {len(batch)} arrays, expected {len(names)}: {', '.join(names)}")
            batch = dict(zip(names, batch))
        elif len(names) == 1 and not isinstance(batch, collections.abc.Mapping):
            batch = {names[0]: batch}
        if not isinstance(batch, collections.abc.Mapping) or set(batch) != set(names):
            got = ", ".join(map(str, batch)) if isinstance(batch, collections.abc.Mapping) else kind(batch)
            raise ValueError(f"data= yields {got}, expected {{name: array}} of {', '.join(names)}, or a tuple of them")
        return {name: numbers_of(name, dense(name, batch[name])) for name in names}

    return Batches(data, arrays_of, last_batch)


def describe_dropped(count, size):
    """Returns the warning that samples are left out; `count` is the text "DROPPED of SAMPLES"."""
    return (f"{count} samples are left out of every epoch, because they make no batch of {size}; last_batch=\"wrap\" "
            "fills it with the first ones, last_batch=\"drop\" leaves them out")

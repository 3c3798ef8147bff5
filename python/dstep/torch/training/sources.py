"""Values of `data=` of fit: arrays by name, a pair, a table or files of tables, a dataset, or an iterable of batches,
such as a DataLoader."""
import collections.abc
import os

import numpy as np
import torch
from torch.utils import data as loaders

from ... import data as sources
from ...base.errors import FrontendError
from ...training.loading import Batches, Samples, columns_of, dense
from ..base import checks
from ..base.values import to_array


def _is_array(value):
    return isinstance(value, (torch.Tensor, np.ndarray, str, os.PathLike)) or hasattr(value, "__dlpack__")


def _array(name, value):
    return to_array(value) if isinstance(value, torch.Tensor) else dense(name, value)


class LoaderBatches(Batches):
    """Batches of a DataLoader. Its own generator, its sampler's or PyTorch's global one shuffles them."""

    def _generators(self):
        found = {"loader": self.iterable.generator, "sampler": getattr(self.iterable.sampler, "generator", None)}
        return {name: generator for name, generator in found.items() if isinstance(generator, torch.Generator)}

    def generator(self):
        return {name: generator.get_state() for name, generator in self._generators().items()} | {"torch": torch.get_rng_state()}

    def has_workers(self):
        return self.iterable.num_workers > 0

    def state_outlives_epochs(self):
        """Loading the state of a StatefulDataLoader would draw an order once more; its generators determine the next
        order."""
        return isinstance(self.iterable.dataset, loaders.IterableDataset) or hasattr(self.iterable.dataset, "state_dict")

    def set_generator(self, state):
        for name, generator in self._generators().items():
            if name in state:
                generator.set_state(state[name])
        torch.set_rng_state(state["torch"])


class Source:
    """Reads data= with the names, the form and the shapes of the batch that fit gets; `is_own`: the batch of one
    rank."""

    def __init__(self, batch, is_own=False):
        (self.expected, self.form), self.is_own = checks.batch(batch), is_own

    def named(self, values, what):
        if self.form is not tuple and len(self.expected) != len(values):
            raise FrontendError(f"data= is {what} of {len(values)} tensors, expected {len(self.expected)}: {', '.join(self.expected)}")
        if len(values) != len(self.expected):
            raise FrontendError(f"data= is {what} of {len(values)} tensors, expected a pair as the batch is")
        return {name: _array(name, value) for name, value in zip(self.expected, values)}

    def arrays(self, batch):
        try:
            tensors, form = checks.batch(batch)
        except FrontendError as error:
            raise FrontendError(f"data= yields what is no batch: {error}") from None
        if form is not self.form:
            raise FrontendError(f"data= yields a {type(batch).__name__}, expected a {'pair' if self.form is tuple else 'dictionary'} as the batch is")
        described = lambda tensors: {name: (tuple(t.shape[1:]), str(t.dtype).removeprefix("torch.")) for name, t in tensors.items()}
        if described(tensors) != described(self.expected):
            raise FrontendError(f"data= yields samples of {described(tensors)}, expected {described(self.expected)} as the batch has")
        return {name: _array(name, value) for name, value in tensors.items()}

    def of(self, data, last_batch):
        """Returns {name: array or file}, or Samples that are read for every epoch."""
        if isinstance(data, collections.abc.Mapping):
            return {name: _array(name, value) for name, value in data.items()}
        columns = columns_of(data, list(self.expected))
        if columns is not None:
            return columns
        source = sources.of_name(data)
        if source is not None:
            return source.arrays({name: tuple(tensor.shape[1:]) for name, tensor in self.expected.items()})
        if isinstance(data, (tuple, list)) and data and all(map(_is_array, data)):
            return self.named(data, f"a {type(data).__name__}")
        if isinstance(data, loaders.TensorDataset):
            return self.named(data.tensors, "a TensorDataset")
        if isinstance(data, loaders.DataLoader):
            if not self.is_own and isinstance(data.sampler, loaders.DistributedSampler) and data.sampler.num_replicas > 1:
                raise FrontendError("the DataLoader has a DistributedSampler, which gives one rank its samples, expected all samples: ds divides each batch among ranks")
            return LoaderBatches(data, self.arrays, last_batch)
        if isinstance(data, loaders.IterableDataset):
            raise FrontendError("data= is an IterableDataset, expected a DataLoader of it, which makes batches")
        if isinstance(data, loaders.Dataset):
            return Samples(lambda size: self.arrays(loaders.default_collate([data[k] for k in range(len(data))])))
        if isinstance(data, collections.abc.Iterable) and not isinstance(data, (str, bytes, torch.Tensor, np.ndarray)):
            return Batches(data, self.arrays, last_batch)
        raise FrontendError(f"data= is a {type(data).__name__}, expected {{name: tensor, array or file}}, a pair of them, a table, files of Parquet, a Dataset, a DataLoader, or batches")

"""A step whose parameters and states are the memory of the user's model and optimizer: a call copies the batch in, and nothing else.

After the first call `p.data` of every parameter, the buffers that the step changes, and the tensors of the optimizer's state are views of what rank 0
holds. So the values of a step are there without a copy, and what is written between two calls counts in the next one:

    in place (copy_, load_state_dict, an EMA)              the tensor's version says so; the other ranks get the value
    another tensor (p.data = .., optimizer.load_state_dict)  its place in memory says so; the value is taken over, and the tensor is a view again

A tensor that another step of this process owns, such as a discriminator in the step of its generator, moves to the step that trains it, and is given
as an argument to one that reads it. What Python numbers a foreign optimizer keeps are given and taken in each call.
"""
import operator
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import torch

from ..frontend import FrontendError
from . import checks
from .optimizers import structure, torch_optim as optimizers
from .step import to_array

OWNERS: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()  # {address: the Resident whose step writes the tensor there}
VIEWED: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()  # {address: the Resident that a tensor may be a view of}


def tensor_of(array):
    """A tensor over an array's memory, which keeps what the array keeps."""
    return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16) if array.dtype == ml_dtypes.bfloat16 else torch.from_numpy(array)


def is_possible(instance, export):
    """Whether each rank holds all of what one step hands to the next."""
    return all(instance.arguments[a]["shape"] == instance.arguments[a]["global_shape"] for a, _ in export.carried)


class Slot:
    """One parameter, buffer or state: where it is, and the user's tensor there."""

    def __init__(self, number, name, view, is_written):
        self.number, self.name, self.view, self.is_written = number, name, tensor_of(view), is_written
        self.address, self.tensor, self.noted = self.view.data_ptr(), None, None

    def now(self):
        """What tells whether somebody has written the user's tensor."""
        return self.tensor, self.tensor.data_ptr(), self.tensor._version

    def is_as_left(self):
        return self.noted is not None and self.noted[0] is self.tensor and self.noted[1:] == self.now()[1:]


class Resident:
    """Steps of an export in an instance of it, on the user's model and optimizer."""

    def __init__(self, instance, export):
        capture = export.capture
        self.instance, self.capture, self.optimizer = instance, capture, capture.optimizer
        names, held = [n for n, _ in capture.leaves()], len(capture.parameters) + len(capture.changing)
        self.slots = [Slot(i, n, self._view(i), n in export.written) for i, n in enumerate(names)]
        for slot, tensor in zip(self.slots, [*capture.parameters.values(), *(capture.buffers[n] for n in capture.changing)]):
            slot.tensor = tensor
        self.buffers = self.slots[len(capture.parameters):held]
        self.of_state = dict(zip(capture.state, self.slots[held:]))
        plain = capture.foreign is None
        self.views = {key: slot for key, slot in self.of_state.items() if plain and key[1] != optimizers.STARTED}  # states that are tensors of the optimizer
        self.numbers = {key: slot for key, slot in self.of_state.items() if not plain}  # states that are given and taken in each call
        self.places = [(capture.parameters[name], key) for name, key in self.views]
        for slot in self.slots:
            if slot.view.numel():
                self._keep_owner(slot)
        for inner in structure.inside(self.optimizer):
            inner._opt_called = True
        self._describe(export)
        self.adopt()
        instance.broadcast()  # process 0 begins for all

    def _view(self, slot):
        return self.instance.view(slot)

    def _keep_owner(self, slot):
        VIEWED[slot.address] = self
        if slot.is_written:
            OWNERS[slot.address] = self

    def _describe(self, export):
        """What a call gives and takes."""
        described = export.manifest["args"]
        count, at = len(self.slots), {a["name"]: i for i, a in enumerate(described)}
        self.batch = [(at[name], name, torch.Size(export.shares * size if k == 0 else size for k, size in enumerate(tensor.shape)), tensor.dtype)
                      for name, tensor in self.capture.batch.items()]
        self.form, self.inputs, self.kept = self.capture.form, {}, []
        self.seed = self.rates = None
        at_seed = count + len(self.batch)
        if self.capture.random:
            self.seed = np.zeros(2, np.int32)
            self.inputs[at_seed] = self.seed.ctypes.data
        if self.capture.hyper:
            at_rates = at_seed + self.capture.random
            self.rates = [np.empty((), self.instance.dtype(at_rates + k)) for k in range(len(self.capture.hyper))]
            self.inputs |= {at_rates + k: rate.ctypes.data for k, rate in enumerate(self.rates)}
            self.given = None
        self.metrics = [(r["role"].partition(":")[2], k) for k, r in enumerate(export.manifest["results"]) if r["role"].startswith("metric:")]

    # What the user's objects hold.
    def _states(self):
        held = self.optimizer.state
        return [held[p].get(key) if p in held else None for p, key in self.places]

    def is_as_left(self):
        """Whether nobody has written anything since the last call, seen in some microseconds."""
        return self.addresses == [t.data_ptr() for t in self.tensors] and self.versions == [t._version for t in self.tensors] and \
            all(map(operator.is_, self._states(), self.states))

    def _bind(self):
        """The slots with the user's tensors; states that PyTorch has not made yet are made."""
        for slot, tensor in zip(self.views.values(), self._states()):
            slot.tensor = tensor if isinstance(tensor, torch.Tensor) else None
        missing = {key: slot for key, slot in self.of_state.items() if slot.tensor is None}
        values = self.capture.state_now() if missing else {}
        for key, slot in missing.items():
            self.instance.write(slot.number, to_array(values[key]))
            if key in self.views:
                self._show(slot, values[key])
                optimizers.keep(self.optimizer, self.capture.parameters[key[0]], key[1], slot.view)
                slot.tensor = slot.view
        return [slot for slot in self.slots if slot.tensor is not None]

    def _show(self, slot, value):
        """Gives a new state's view its value."""
        # The view is the memory that has been written.

    @torch.no_grad()
    def adopt(self):
        """Takes over what has changed in model and optimizer, and makes views of it. Finds the slots that a call must be given."""
        bound = self._bind()
        changed = [slot for slot in bound if not slot.is_as_left()]
        if any(slot in self.buffers for slot in changed):  # a forward pass in PyTorch: the count says that there was one, the statistics do not
            changed = [slot for slot in bound if slot in changed or slot in self.buffers]
        for slot in changed:
            self._take(slot)
        self.foreign = [slot for slot in bound if not slot.is_written and OWNERS.get(slot.tensor.data_ptr(), self) is not self]
        self.tensors, self.states = [slot.tensor for slot in bound], self._states()
        self.addresses, self.versions = [t.data_ptr() for t in self.tensors], [t._version for t in self.tensors]

    def _take(self, slot):
        """One tensor of the user."""
        tensor = slot.tensor
        if tensor.shape != slot.view.shape or tensor.dtype != slot.view.dtype:
            raise FrontendError(f"'{slot.name}' is {tensor.dtype}{list(tensor.shape)} now, expected {slot.view.dtype}{list(slot.view.shape)} as when the step was exported")
        self.instance.write(slot.number, to_array(tensor).copy())  # a copy: it may be this memory
        if tensor.numel() and tensor.data_ptr() != slot.address and (slot.is_written or tensor.data_ptr() not in VIEWED):
            tensor.data = slot.view
        slot.noted = slot.now()

    # A step.
    def _addresses(self, batch):
        """{slot: address} of a batch, after it has been found to be one of the step's."""
        tensors = batch if type(batch) is dict else dict(zip(("x", "y"), batch)) if len(batch) == 2 else {}
        self.kept.clear()
        if (type(batch) is dict) is (self.form is dict) and len(tensors) == len(self.batch):
            for slot, name, shape, dtype in self.batch:
                tensor = tensors.get(name)
                if type(tensor) is not torch.Tensor or tensor.shape != shape or tensor.dtype is not dtype or not tensor.is_contiguous() or not tensor.is_cpu:
                    break
                self.inputs[slot] = tensor.data_ptr()
            else:
                return
        tensors, form = checks.batch(batch)
        found = {name: (tuple(t.shape), t.dtype) for name, t in tensors.items()}
        expected = {name: (tuple(shape), dtype) for _, name, shape, dtype in self.batch}
        if form is not self.form or found != expected:
            raise FrontendError(f"the batch is {found}, but the step was exported for {expected}")
        for slot, name, _, _ in self.batch:
            self.kept.append(tensors[name].contiguous())
            self.inputs[slot] = self.kept[-1].data_ptr()

    def step(self, batch, number, hyper=None):
        """One step, the `number`th; returns the metrics."""
        self._addresses(batch)
        if not self.is_as_left():
            self.adopt()
        if self.rates is not None:
            values = list((hyper or self.capture.hyper_now()).values())
            if values != self.given:
                for rate, value in zip(self.rates, values):
                    rate[...] = value
                self.given = values
        if self.seed is not None:
            self.seed[1] = number
        inputs, numbers = self.inputs, None
        if self.foreign or self.numbers:
            states = self.capture.state_now() if self.numbers else {}
            numbers = [to_array(states[key]) for key in self.numbers]
            inputs = inputs | {slot.number: slot.tensor.data_ptr() for slot in self.foreign}
            inputs |= {slot.number: value.ctypes.data for slot, value in zip(self.numbers.values(), numbers)}
        self._run(inputs)
        if self.numbers:
            self.capture.keep(self._numbers_now())
        self.optimizer._opt_called = True  # schedulers warn where no step of the optimizer came before theirs
        return {name: self.instance.number(k) for name, k in self.metrics}

    def _run(self, inputs):
        self.instance.run(inputs)

    def _numbers_now(self):
        return {key: slot.view.clone() for key, slot in self.numbers.items()}

"""A step whose parameters and states are the memory of the user's model and optimizer: a call copies only the batch.

After the first call `p.data` of every parameter, the buffers that the step changes, and the tensors of the optimizer's
state are views of rank 0's memory. So the values of a step are visible without a copy, and a write between two calls
takes effect in the next one:

    in place (copy_, load_state_dict, an EMA)                 its version shows it; the other ranks get the value
    another tensor (p.data = .., optimizer.load_state_dict)   its address shows it; the value is copied, and the tensor
                                                              becomes a view again

A tensor that another step of this process owns, such as a discriminator in the step of its generator, moves to the step
that trains it, and is an argument of a step that reads it. Numbers that a foreign optimizer keeps in Python are passed
and returned in each call.
"""
import operator
import weakref
from typing import Any

import numpy as np
import torch

from ...base.errors import FrontendError
from ..base import checks
from ..base.values import tensor_of, to_array
from ..optimizers import structure, torch_optim as optimizers

# {address: the Resident whose step writes the tensor there}
OWNERS: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
# {address: the Resident that a tensor may be a view of}
VIEWED: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def named(batch):
    """Returns {name: value} of a batch of either form."""
    if isinstance(batch, dict):
        return dict(batch)
    return dict(zip(("x", "y"), batch)) if isinstance(batch, (tuple, list)) and len(batch) == 2 else {}


def is_possible(instance, export):
    """True if every value that one step passes to the next is replicated."""
    return all(instance.arguments[a]["shape"] == instance.arguments[a]["global_shape"] for a, _ in export.carried)


class Slot:
    """A parameter, buffer or state: its memory, and the user's tensor there."""

    def __init__(self, number, name, view, is_written):
        self.number, self.name, self.view, self.is_written = number, name, tensor_of(view), is_written
        self.address, self.tensor, self.noted = self.view.data_ptr(), None, None

    def now(self):
        """Returns the fields that change when the user's tensor is written or replaced."""
        return self.tensor, self.tensor.data_ptr(), self.tensor._version

    def is_as_left(self):
        return self.noted is not None and self.noted[0] is self.tensor and self.noted[1:] == self.now()[1:]


class Resident:
    """Steps of an export in its instance, on the user's model and optimizer."""
    announced = None  # the batch of the next step if it is known

    def __init__(self, instance, export):
        capture = export.capture
        self.instance, self.capture, self.optimizer = instance, capture, capture.optimizer
        names, held = [n for n, _ in capture.leaves()], len(capture.parameters) + len(capture.changing)
        self.slots = [Slot(i, n, self._view(i), n in export.written) for i, n in enumerate(names)]
        for slot, tensor in zip(self.slots, [*capture.parameters.values(), *(capture.buffers[n] for n in capture.changing)]):
            slot.tensor = tensor
        self.buffers = self.slots[len(capture.parameters):held]
        self.of_state = dict(zip(capture.state, self.slots[held:]))
        # States that are tensors of the optimizer, and those that are passed and returned in each call.
        is_own = isinstance(capture.pure, optimizers.Own)
        self.views, self.numbers = (self.of_state, {}) if is_own else ({}, self.of_state)
        self.places = [(capture.parameters[name], key) for name, key in self.views]
        for slot in self.slots:
            if slot.view.numel():
                self._keep_owner(slot)
        for inner in structure.inside(self.optimizer):
            inner._opt_called = True
        self._describe(export)
        self.adopt()
        instance.broadcast()  # the values of process 0 are the initial values of all

    def _view(self, slot):
        return self.instance.view(slot)

    def _keep_owner(self, slot):
        VIEWED[slot.address] = self
        if slot.is_written:
            OWNERS[slot.address] = self

    def _describe(self, export):
        """Sets the inputs and outputs of a call."""
        described = export.manifest["args"]
        count, at = len(self.slots), {a["name"]: i for i, a in enumerate(described)}
        self.expected = export.expected
        self.batch = [(at[name], name, torch.Size(shape), dtype) for name, (shape, dtype) in self.expected.items()]
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

    # Contents of the user's objects.
    def _states(self):
        held = self.optimizer.state
        return [held[p].get(key) if p in held else None for p, key in self.places]

    def is_as_left(self):
        """True if nothing was written since the last call; takes some microseconds."""
        return self.addresses == [t.data_ptr() for t in self.tensors] and self.versions == [t._version for t in self.tensors] and \
            all(map(operator.is_, self._states(), self.states))

    def _bind(self):
        """Returns the slots with the user's tensors; creates states that PyTorch has not created yet."""
        for slot, tensor in zip(self.views.values(), self._states()):
            slot.tensor = tensor if isinstance(tensor, torch.Tensor) else None
        missing = {key: slot for key, slot in self.of_state.items() if slot.tensor is None}
        values = self.capture.state_now() if missing else {}
        for key, slot in missing.items():
            self.instance.write(slot.number, to_array(values[key]))
            if key in self.views:
                self._show(slot, values[key])
                self.capture.keep({key: slot.view})
                slot.tensor = slot.view
        return [slot for slot in self.slots if slot.tensor is not None]

    def _show(self, slot, value):
        """Copies the value of a new state to its view."""
        # The view is the memory that was written.

    @torch.no_grad()
    def adopt(self):
        """Takes over changes in model and optimizer, and makes the changed tensors views again. Finds the slots that a
        call must pass."""
        bound = self._bind()
        changed = [slot for slot in bound if not slot.is_as_left()]
        # A forward pass in PyTorch: the counter of batches shows it, the statistics do not.
        if any(slot in self.buffers for slot in changed):
            changed = [slot for slot in bound if slot in changed or slot in self.buffers]
        for slot in changed:
            self._take(slot)
        self.foreign = [slot for slot in bound if not slot.is_written and OWNERS.get(slot.tensor.data_ptr(), self) is not self]
        self.bound = bound
        self._note()

    def _note(self):
        """Notes what a write of the user would change."""
        self.tensors, self.states = [slot.tensor for slot in self.bound], self._states()
        self.addresses, self.versions = [t.data_ptr() for t in self.tensors], [t._version for t in self.tensors]

    @staticmethod
    def _checked(slot):
        """Returns the user's tensor, which fits the slot."""
        tensor = slot.tensor
        if tensor.shape != slot.view.shape or tensor.dtype != slot.view.dtype:
            raise FrontendError(f"'{slot.name}' is {tensor.dtype}{list(tensor.shape)} now, expected {slot.view.dtype}{list(slot.view.shape)} as when the step was exported")
        return tensor

    def _take(self, slot):
        """Takes over one tensor of the user."""
        tensor = self._checked(slot)
        self.instance.write(slot.number, to_array(tensor).copy())  # a copy: the tensor may be this memory
        if tensor.numel() and tensor.data_ptr() != slot.address and (slot.is_written or tensor.data_ptr() not in VIEWED):
            tensor.data = slot.view
        slot.noted = slot.now()

    # A step.
    def _addresses(self, batch):
        """Sets {slot: address} of a batch, after checking that it fits the step."""
        tensors = named(batch)
        self.kept.clear()
        if (type(batch) is dict) is (self.form is dict) and len(tensors) == len(self.batch):
            for slot, name, shape, dtype in self.batch:
                tensor = tensors.get(name)
                if type(tensor) is not torch.Tensor or tensor.shape != shape or tensor.dtype is not dtype or not tensor.is_contiguous() or not tensor.is_cpu:
                    break
                self.inputs[slot] = tensor.data_ptr()
            else:
                return
        self._give(checks.fitting(batch, self.form, self.expected))

    def _give(self, tensors):
        for slot, name, _, _ in self.batch:
            self.kept.append(tensors[name].contiguous())
            self.inputs[slot] = self.kept[-1].data_ptr()

    def step(self, batch, number, hyper=None):
        """Runs the `number`th step; returns the metrics."""
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
        self.optimizer._opt_called = True  # schedulers warn unless a step of the optimizer came before theirs
        return {name: self.instance.number(k) for name, k in self.metrics}

    def _run(self, inputs):
        self.instance.run(inputs)

    def _numbers_now(self):
        return {key: slot.view.clone() for key, slot in self.numbers.items()}

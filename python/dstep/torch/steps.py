"""Steps of compiled functions on ranks that stay.

On the CPU an argument that every rank has whole is read where the user's tensor is, by all ranks; one with rows of samples is copied in, each rank its rows. Results are copied
out once, large gradients are written where the user gets them.

On a GPU arguments are copied to the device where they have changed, which their bytes say: versions of tensors miss what is written through .data or NumPy. A backward step reads
the inputs and what is saved where its forward step has them.
"""
import collections
import math
import weakref

import numpy as np
import torch

from .. import _native, device as devices
from ..frontend import FrontendError
from .resident import tensor_of

LARGE = 1 << 16  # bytes from which a result is written where it goes
ALIGNMENT = 64
PLACED = 1 << 12  # bytes from which an argument is read where it is
TANGENT, SAVED, CHANGED, RESULT, GRADIENT, LATE = "tangent", "saved", "changed", "result", "gradient", "late"  # (kind, number); an input is a number, and (LATE, number) in backward
Argument = collections.namedtuple("Argument", "number role dtype", defaults=(None,))  # role: batch, whole, state, param, tangent, saved, unread


def bytes_of(slot, shape="shape"):
    return math.prod(slot[shape]) * np.dtype(_native.TYPES[slot["type"]]).itemsize


def is_same(tensor, other):
    """Whether two dense tensors of one type and shape have the same bits."""
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return torch.equal(tensor.detach().view(bits), other.view(bits))


worlds: weakref.WeakValueDictionary[tuple[str, int, str], _native.World] = weakref.WeakValueDictionary()  # the same threads for all steps: those that have just run are awake


class Step:
    """The step of a text. `arguments` are those behind the count and the seed, `gives` {name: dtype} of the results behind the count; types are PyTorch's, since those of a
    step do not tell whether integers have a sign. `before` is the forward Step of a backward one; one that draws no random numbers needs no seed."""

    def __init__(self, mlir, config, ranks, joined, arguments, gives, device="cpu", before=None, draws=True):
        self.mlir, self.gives, self.joined, self.before = mlir, gives, joined, before
        program = _native.Program(mlir, config, on=device, per_process=joined)
        world = None if joined else worlds.get((config, ranks, device)) or _native.World(program, ranks)
        self.borrowed = {}  # of a GPU: {slot: the number of its argument}, read where the forward step has it
        borrows = (lambda manifest: self._borrow(manifest["arguments"], arguments)) if before and device != "cpu" else None
        self.instance = instance = _native.Instance(program, ranks, joined=joined, batches=_native.LOCAL if joined else _native.WHOLE, world=world, compares=True, borrows=borrows)
        if world:
            self.world = worlds[config, ranks, device] = world
        self.local = 1 if joined else ranks  # ranks of this process
        part = "shape" if joined else "global_shape"
        self.given = [(slot, argument.number, argument.role == "whole" and not instance.is_on_gpu and bytes_of(described) >= PLACED, argument.dtype, torch.Size(described[part]))
                      for slot, (argument, described) in enumerate(zip(arguments, instance.arguments[2:], strict=True), 2) if argument.role not in ("saved", "unread")]
        self.saved = {argument.number[1]: slot for slot, argument in enumerate(arguments, 2) if argument.role == "saved"}
        self.gives_saved = {name[1]: k for k, name in enumerate(gives, 1) if name[0] == SAVED}
        self.results = [(k, name, dtype, torch.Size(described[part]))
                        for k, ((name, dtype), described) in enumerate(zip(gives.items(), instance.results[1:], strict=True), 1) if name[0] != SAVED]
        self.direct = {k for k, name, *_ in self.results if not joined and not instance.is_on_gpu and bytes_of(instance.results[k]) >= LARGE and "updates" not in instance.results[k]
                       and instance.results[k]["shape"] == instance.results[k]["global_shape"]}
        self.takes = {argument.number: slot for slot, argument in enumerate(arguments, 2) if argument.role in ("whole", "batch")}
        self.states = {argument.number: slot for slot, argument in enumerate(arguments, 2) if argument.role == "state"} if instance.is_on_gpu else {}
        self.seed, self.draws, self.places = np.zeros(2, np.int32), draws, {}
        self.call, self.left = None, {}  # of which call its arguments are; {state: the value that a step has left, as the user has got it}

    def _borrow(self, described, arguments):
        """What the forward step has of the arguments, as Instance takes it."""
        ours, found, alike = self.before.instance, [], ("shape", "type", "layout")
        for slot, argument in enumerate(arguments, 2):
            is_saved = argument.role == "saved"
            at = self.before.gives_saved[argument.number[1]] if is_saved else self.before.takes.get(argument.number) if argument.role in ("whole", "batch") else None
            if at is None:
                continue
            theirs = (ours.results if is_saved else ours.arguments)[at]
            if all(described[slot].get(key) == theirs.get(key) for key in alike):
                found.append((slot, ours, at, is_saved))
                self.borrowed[slot] = argument.number
        return found

    def _place(self, slot, address):
        """Whether all ranks read an argument there from now on."""
        if self.places.get(slot) == address:
            return True
        if address % ALIGNMENT or not all(self.instance.place_argument(slot, address, rank) for rank in range(self.local)):
            return False
        self.places[slot] = address
        return True

    def __call__(self, values, call):
        """{name: result}; `values` is {number of an argument: tensor}, or a list of the inputs; `call` the Call that this is of."""
        if self.draws:
            self.seed[:] = call.seed
        inputs, kept = {1: self.seed.ctypes.data} if self.draws else {}, []
        is_there = self.before is not None and self.before.call == call  # what the forward step was given
        self.call = None
        for slot, number, is_placed, dtype, shape in self.given:
            if is_there and slot in self.borrowed:
                continue
            value = values[number]
            if value.dtype is not dtype or value.shape != shape:
                raise FrontendError(f"'{self.instance.arguments[slot]['name']}' is {value.dtype}{list(value.shape)}, expected {dtype}{list(shape)}")
            if not value.is_contiguous():
                value = value.detach().contiguous()
                kept.append(value)
            elif is_placed and self._place(slot, value.data_ptr()):
                continue
            if is_placed and self.places.pop(slot, None):
                self._unplace(slot)
            if slot in self.borrowed:
                devices.write_from(self.before.instance, self.before.takes[number], value.data_ptr(), value.nbytes)
            elif number not in self.left or not is_same(value, self.left[number]):
                inputs[slot] = value.data_ptr()
        if self.borrowed and not is_there:
            devices.order(self.before.instance, self.instance, self.local)
            self.before.call = call
        if self.joined:
            self.instance.run(inputs)
            return {name: tensor_of(self.instance.own(k)).view(dtype) for k, name, dtype, _ in self.results}
        found, outputs = {}, {}
        for k, name, dtype, shape in self.results:
            found[name] = torch.empty(shape, dtype=dtype)
            outputs[k] = found[name].data_ptr()
        for k in self.direct:
            aligned = outputs[k] % ALIGNMENT == 0
            self.instance.place_result(k, outputs.pop(k) if aligned else None)
        self.instance.run(inputs, outputs)
        self.call, self.left = call, {number: found[CHANGED, number] for number in self.states}
        return found

    def _unplace(self, slot):
        for rank in range(self.local):
            self.instance.place_argument(slot, None, rank)

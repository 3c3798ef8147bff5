"""Steps of compiled functions on ranks that stay.

On the CPU, all ranks read a replicated argument in the memory of the user's tensor; of an argument with rows of
samples, each rank gets a copy of its rows. Results are copied out once; large gradients are written directly to the
tensor that the user gets.

On a GPU, an argument is copied to the device if its bytes have changed: version counters miss writes through .data or
NumPy. A backward step reads the inputs and the saved values in the memory of its forward step.
"""
import collections
import math
import weakref

import numpy as np
import torch

from ...base.errors import FrontendError
from ...session import device as devices, native
from ...session.worlds import World
from ..base.values import tensor_of

LARGE = 1 << 16  # bytes from which a result is written directly to the user's tensor
ALIGNMENT = 64
PLACED = 1 << 12  # bytes from which an argument is read in the user's tensor
# Kinds in (kind, number); an input is a number, and (LATE, number) in backward.
TANGENT, SAVED, CHANGED, RESULT, GRADIENT, LATE = "tangent", "saved", "changed", "result", "gradient", "late"
Argument = collections.namedtuple("Argument", "number role dtype", defaults=(None,))  # role: batch, whole, state, param, tangent, saved, unread


def bytes_of(slot, shape="shape"):
    return math.prod(slot[shape]) * np.dtype(native.TYPES[slot["type"]]).itemsize


def without_memory(shape, dtype):
    """Returns a tensor for torch.empty_like, which takes half the time of torch.empty."""
    tensor = torch.empty(shape, dtype=dtype)
    tensor.untyped_storage().resize_(0)
    return tensor


def is_same(tensor, other):
    """True if two dense tensors of one type and shape have the same bits."""
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return torch.equal(tensor.detach().view(bits), other.view(bits))


# Steps share the same threads, because threads that have just run are awake.
worlds: weakref.WeakValueDictionary[tuple[str, int, str], World] = weakref.WeakValueDictionary()


class Step:
    """The step of an MLIR text. `arguments` follow the count and the seed; `gives` is {name: dtype} of the results
    after the count, with PyTorch's types, since those of a step have no signedness. `before` is the forward Step of a
    backward step. A step that draws no random numbers needs no seed."""

    def __init__(self, mlir, config, ranks, joined, arguments, gives, device="cpu", before=None, draws=True):
        self.mlir, self.gives, self.joined, self.before = mlir, gives, joined, before
        program = native.Program(mlir, config, on=device, per_process=joined)
        world = None if joined else worlds.get((config, ranks, device)) or World(program, ranks)
        # On a GPU: {slot: the number of its argument}, read in the memory of the forward step.
        self.borrowed = {}
        borrows = (lambda manifest: self._borrow(manifest["arguments"], arguments)) if before and device != "cpu" else None
        self.instance = instance = native.Instance(program, ranks, joined=joined, batches=native.LOCAL if joined else native.WHOLE, world=world, compares=True, borrows=borrows)
        if world:
            self.world = worlds[config, ranks, device] = world
        self.local = instance.local_ranks
        part = "local_shape" if joined else "global_shape"
        self.given = [(slot, argument.number, argument.role == "whole" and not instance.is_on_gpu and bytes_of(described) >= PLACED, argument.dtype, torch.Size(described[part]))
                      for slot, (argument, described) in enumerate(zip(arguments, instance.arguments[2:], strict=True), 2) if argument.role not in ("saved", "unread")]
        self.saved = {argument.number[1]: slot for slot, argument in enumerate(arguments, 2) if argument.role == "saved"}
        self.gives_saved = {name[1]: k for k, name in enumerate(gives, 1) if name[0] == SAVED}
        self.results = [(k, name, without_memory(described[part], dtype))
                        for k, ((name, dtype), described) in enumerate(zip(gives.items(), instance.results[1:], strict=True), 1) if name[0] != SAVED]
        self.direct = {k for k, name, *_ in self.results if not joined and not instance.is_on_gpu and bytes_of(instance.results[k]) >= LARGE and "updates" not in instance.results[k]
                       and instance.results[k]["shape"] == instance.results[k]["global_shape"]}
        self.takes = {argument.number: slot for slot, argument in enumerate(arguments, 2) if argument.role in ("whole", "batch")}
        self.states = {argument.number: slot for slot, argument in enumerate(arguments, 2) if argument.role == "state"} if instance.is_on_gpu else {}
        self.seed, self.draws, self.places = np.zeros(2, np.int32), draws, {}
        # The call that the arguments belong to, and {state: the value after the step, as the user got it}.
        self.call, self.left = None, {}

    def _borrow(self, described, arguments):
        """Returns the arguments that the forward step holds, in the form of Instance's `borrows`."""
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
        """Makes all ranks read an argument at `address` from now on; returns False if they cannot."""
        if self.places.get(slot) == address:
            return True
        if address % ALIGNMENT or not all(self.instance.place_argument(slot, address, rank) for rank in range(self.local)):
            return False
        self.places[slot] = address
        return True

    def __call__(self, values, call):
        """Runs the step; returns {name: result}. `values` is {number of an argument: tensor}, or a list of the inputs;
        `call` is the Call that the step belongs to."""
        if self.draws:
            self.seed[:] = call.seed
        inputs, kept = {1: self.seed.ctypes.data} if self.draws else {}, []
        # True: the inputs of this call are in the forward step's memory.
        is_there = self.before is not None and self.before.call == call
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
            return {name: tensor_of(self.instance.own(k)).view(like.dtype) for k, name, like in self.results}
        found, outputs = {}, {}
        for k, name, like in self.results:
            found[name] = torch.empty_like(like)
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

"""Steps of compiled functions on ranks that stay, and what a forward step saves for its backward step.

An argument that every rank has whole is read where the user's tensor is, by all ranks; one with rows of samples is copied in, each rank its rows. Results are copied out once,
large gradients are written where the user gets them. Values that are saved never leave the memory of the ranks: both steps are placed on one block of it (`Saved`).
"""
import collections
import math
import weakref

import numpy as np
import torch

from .. import _native
from ..frontend import FrontendError
from .resident import tensor_of

TORCH_TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16,
               "i8": torch.int8, "i1": torch.bool}
LARGE = 1 << 16  # bytes from which a result is written where it goes
ALIGNMENT = 64
PLACED = 1 << 12  # bytes from which an argument is read where it is
TANGENT, SAVED, CHANGED, RESULT, GRADIENT = "tangent", "saved", "changed", "result", "gradient"  # (kind, number); an input is a number
Argument = collections.namedtuple("Argument", "number role")  # role: batch, whole, state, param, tangent, saved, unread


def _bytes(slot, shape="shape"):
    return math.prod(slot[shape]) * np.dtype(_native.TYPES[slot["type"]]).itemsize

worlds: weakref.WeakValueDictionary[tuple[str, int, str], _native.World] = weakref.WeakValueDictionary()  # the same threads for all steps: those that have just run are awake


class Step:
    """The step of a text. `arguments` are those behind the count and the seed, `gives` names the results behind the count."""

    def __init__(self, mlir, config, ranks, joined, arguments, gives, device="cpu"):
        self.mlir, self.gives, self.joined = mlir, gives, joined
        program = _native.Program(mlir, config, on=device)
        world = None if joined else worlds.get((config, ranks, device)) or _native.World(program, ranks)
        self.instance = instance = _native.Instance(program, ranks, joined=joined, batches=_native.LOCAL if joined else _native.WHOLE, world=world)
        if world:
            self.world = worlds[config, ranks, device] = world
        self.local = 1 if joined else ranks  # ranks of this process
        part = "shape" if joined else "global_shape"
        self.given = [(slot, argument.number, argument.role == "whole" and _bytes(described) >= PLACED, TORCH_TYPES[described["type"]], torch.Size(described[part]))
                      for slot, (argument, described) in enumerate(zip(arguments, instance.arguments[2:], strict=True), 2) if argument.role not in ("saved", "unread")]
        self.saved = {argument.number[1]: slot for slot, argument in enumerate(arguments, 2) if argument.role == "saved"}
        self.gives_saved = {name[1]: k for k, name in enumerate(gives, 1) if name[0] == SAVED}
        self.results = [(k, name, TORCH_TYPES[described["type"]], torch.Size(described[part])) for k, (name, described) in enumerate(zip(gives, instance.results[1:], strict=True), 1)
                        if name[0] != SAVED]
        self.direct = {k for k, name, *_ in self.results if not joined and not instance.is_on_gpu and _bytes(instance.results[k]) >= LARGE and "updates" not in instance.results[k]
                       and instance.results[k]["shape"] == instance.results[k]["global_shape"]}
        self.seed, self.places = np.zeros(2, np.int32), {}

    def _place(self, slot, address):
        """Whether all ranks read an argument there from now on."""
        if self.places.get(slot) == address:
            return True
        if address % ALIGNMENT or not all(self.instance.place_argument(slot, address, rank) for rank in range(self.local)):
            return False
        self.places[slot] = address
        return True

    def __call__(self, values, call):
        """{name: result}; `values` is {number of an argument: tensor}, or a list of the inputs."""
        self.seed[:] = torch.initial_seed() % 2**31, call
        inputs, kept = {1: self.seed.ctypes.data}, []
        for slot, number, is_placed, dtype, shape in self.given:
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
            inputs[slot] = value.data_ptr()
        if self.joined:
            self.instance.run(inputs)
            return {name: tensor_of(self.instance.own(k)) for k, name, *_ in self.results}
        found, outputs = {}, {}
        for k, name, dtype, shape in self.results:
            found[name] = torch.empty(shape, dtype=dtype)
            outputs[k] = found[name].data_ptr()
        for k in self.direct:
            aligned = outputs[k] % ALIGNMENT == 0
            self.instance.place_result(k, outputs.pop(k) if aligned else None)
        self.instance.run(inputs, outputs)
        return found

    def _unplace(self, slot):
        for rank in range(self.local):
            self.instance.place_argument(slot, None, rank)


class Block:
    """Memory of one forward pass: what all ranks save, and the tensor that stands for it."""

    def __init__(self, size):
        self.memory = np.empty(size + ALIGNMENT, np.uint8)
        self.bytes = self.memory[-self.memory.ctypes.data % ALIGNMENT:][:size]
        self.looked_at = None


class Saved:
    """What a forward step gives and its backward step takes. A pass takes a block of its own, so that several may be open; a block is free again when nobody can run
    the backward pass any more, which PyTorch says by letting its tensor go."""

    def __init__(self, forward, backward):
        self.forward, self.backward, self.free, self.size = forward, backward, [], 0
        self.parts = []  # (name, rank, where in a block)
        for name, k in forward.gives_saved.items():
            for rank in range(forward.local):
                self.parts.append((name, rank, self.size))
                self.size += -(-_bytes(forward.instance.results[k]) // ALIGNMENT) * ALIGNMENT
        self.at = {forward: None, backward: None}  # the addresses that they are placed on

    def fits(self):
        """Whether both steps divide what is saved in the same way."""
        ours, theirs = self.forward.instance.results, self.backward.instance.arguments
        return all(ours[k]["shape"] == theirs[self.backward.saved[name]]["shape"] and ours[k].get("layout") == theirs[self.backward.saved[name]].get("layout")
                   for name, k in self.forward.gives_saved.items())

    def take(self):
        """A tensor for one forward pass, on which it is placed now."""
        block = self.free.pop() if self.free else Block(self.size)
        view = block.bytes[:]
        free = self.free
        block.looked_at = weakref.ref(view, lambda _: free.append(block))  # the tensor keeps the view
        token = torch.from_numpy(view)
        self._place(self.forward, token.data_ptr())
        return token

    def give(self, token):
        """The backward step is placed on what a forward pass has saved. Returns what must stay until it has run."""
        if token.data_ptr() % ALIGNMENT:  # somebody has kept it elsewhere meanwhile
            block = Block(self.size)
            block.bytes[:] = token.numpy()
            token = torch.from_numpy(block.bytes)
        self._place(self.backward, token.data_ptr())
        return token

    def _place(self, step, address):
        if self.at[step] == address:
            return
        for name, rank, offset in self.parts:
            place, slot = (step.instance.place_result, step.gives_saved[name]) if step is self.forward else (step.instance.place_argument, step.saved[name])
            if not place(slot, address + offset, rank):
                raise FrontendError(f"what the forward pass saves cannot be placed on rank {rank}")
        self.at[step] = address

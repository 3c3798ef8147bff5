"""What a forward step saves for its backward step. It never leaves the memory of the ranks.

A pass is open until nobody can run its backward step any more, which PyTorch says by letting the tensor go that stands for what it has saved. Several may be open.
"""
import weakref

import numpy as np
import torch

from ..device import Snapshot
from ..errors import RunError
from ..frontend import FrontendError
from .steps import ALIGNMENT, bytes_of


class Block:
    """Memory of one forward pass: what all ranks save, and the tensor that stands for it."""

    def __init__(self, size):
        self.memory = np.empty(size + ALIGNMENT, np.uint8)
        self.bytes = self.memory[-self.memory.ctypes.data % ALIGNMENT:][:size]
        self.looked_at = None


class Saved:
    """On the CPU: both steps are placed on one block of memory. A pass takes a block of its own, which is free again when the pass is no longer open."""

    def __init__(self, forward, backward):
        self.forward, self.backward, self.free, self.size = forward, backward, [], 0
        self.parts = []  # (name, rank, where in a block)
        for name, k in forward.gives_saved.items():
            for rank in range(forward.local):
                self.parts.append((name, rank, self.size))
                self.size += -(-bytes_of(forward.instance.results[k]) // ALIGNMENT) * ALIGNMENT
        self.at = {forward: None, backward: None}  # the addresses that they are placed on

    def misfits(self):
        """The numbers of what the two steps divide in another way."""
        ours, theirs = self.forward.instance.results, self.backward.instance.arguments
        pairs = [(name, ours[k], theirs[self.backward.saved[name]]) for name, k in self.forward.gives_saved.items()]
        return [name for name, given, taken in pairs if given["shape"] != taken["shape"] or given.get("layout") != taken.get("layout")]

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


class SavedOnGpu:
    """On a GPU: the backward step reads where the forward step writes. Steps are graphs, which know their addresses: so a pass that is open when another one begins is put
    aside, by copies on the device, and comes back before its backward step."""

    def __init__(self, forward, backward):
        self.forward, self.backward = forward, backward
        self.results = list(forward.gives_saved.values())
        self.passes, self.in_place = 0, None  # how many there have been; the one whose values the forward step's results are
        self.open, self.aside, self.free = {}, {}, []  # {pass: weak reference to what its tensor keeps}, {pass: Snapshot}, and those of nobody

    def misfits(self):
        """The numbers of what the backward step does not read there."""
        return [name for name, slot in self.backward.saved.items() if slot not in self.backward.borrowed]

    def _ended(self, number):
        self.open.pop(number, None)
        if number in self.aside:
            self.free.append(self.aside.pop(number))

    def _put_aside(self):
        """Makes room for another pass."""
        number, self.in_place = self.in_place, None
        if number not in self.open or number in self.aside:
            return
        if self.free:
            snapshot = self.free.pop()
            snapshot.take()
        else:
            snapshot = Snapshot(self.forward.instance, self.results)
        self.aside[number] = snapshot
        if number not in self.open:  # it has ended meanwhile
            self._ended(number)

    def take(self):
        """A tensor for one forward pass, which is about to run."""
        self._put_aside()
        self.passes += 1
        number = self.in_place = self.passes
        view = np.array([number])
        self.open[number] = weakref.ref(view, lambda _: self._ended(number))  # the tensor keeps the view
        return torch.from_numpy(view)

    def give(self, token):
        """What a forward pass has saved is where the backward step reads it."""
        number = int(token[0])
        if number == self.in_place:
            return
        if number not in self.aside:
            raise RunError("what the forward pass has saved on the GPU is gone: the tensor that stands for it was replaced by a copy, such as hooks of saved tensors make; "
                           "expected hooks that keep tensors")
        self._put_aside()
        self.aside[number].restore()
        self.in_place = number
        self.free.append(self.aside.pop(number))

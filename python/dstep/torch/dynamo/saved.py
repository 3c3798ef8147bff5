"""Values that a forward step saves for its backward step. They never leave the memory of the ranks.

A pass is open as long as its backward step can still run: until PyTorch frees the tensor that represents the saved
values. Several passes may be open.
"""
import weakref

import numpy as np
import torch

from ...base.errors import FrontendError, RunError
from ...session.device import Snapshot
from .steps import ALIGNMENT, bytes_of


class Block:
    """Memory of one forward pass: the saved values of all ranks, and a reference to the tensor that represents them."""

    def __init__(self, size):
        self.memory = np.empty(size + ALIGNMENT, np.uint8)
        self.bytes = self.memory[-self.memory.ctypes.data % ALIGNMENT:][:size]
        self.looked_at = None


class Saved:
    """On the CPU, both steps are placed on one block of memory. A pass takes its own block, which is free again when
    the pass is no longer open."""

    def __init__(self, forward, backward):
        self.forward, self.backward, self.free, self.size = forward, backward, [], 0
        self.parts = []  # (name, rank, offset in a block)
        for name, k in forward.gives_saved.items():
            for rank in range(forward.local):
                self.parts.append((name, rank, self.size))
                self.size += -(-bytes_of(forward.instance.results[k]) // ALIGNMENT) * ALIGNMENT
        self.at = {forward: None, backward: None}  # the addresses of their current blocks

    def misfits(self):
        """Returns the numbers of the saved values that the two steps shard differently."""
        ours, theirs = self.forward.instance.results, self.backward.instance.arguments
        pairs = [(name, ours[k], theirs[self.backward.saved[name]]) for name, k in self.forward.gives_saved.items()]
        return [name for name, given, taken in pairs if given["shape"] != taken["shape"]
                or given.get("layout") != taken.get("layout")]

    def take(self):
        """Returns a tensor for one forward pass, and places the forward step on its memory."""
        block = self.free.pop() if self.free else Block(self.size)
        view = block.bytes[:]
        free = self.free
        block.looked_at = weakref.ref(view, lambda _: free.append(block))  # the tensor keeps the view
        token = torch.from_numpy(view)
        self._place(self.forward, token.data_ptr())
        return token

    def give(self, token):
        """Places the backward step on the saved values of a forward pass. Returns the object to keep until the step has
        run."""
        if token.data_ptr() % ALIGNMENT:  # a hook of saved tensors has moved the token
            block = Block(self.size)
            block.bytes[:] = token.numpy()
            token = torch.from_numpy(block.bytes)
        self._place(self.backward, token.data_ptr())
        return token

    def _place(self, step, address):
        if self.at[step] == address:
            return
        for name, rank, offset in self.parts:
            place, slot = ((step.instance.place_result, step.gives_saved[name]) if step is self.forward
                           else (step.instance.place_argument, step.saved[name]))
            if not place(slot, address + offset, rank):
                raise FrontendError(f"what the forward pass saves cannot be placed on rank {rank}")
        self.at[step] = address


class SavedOnGpu:
    """On a GPU, the backward step reads the memory that the forward step writes. Steps are graphs with fixed addresses,
    so when another pass begins, an open pass is put aside by copies on the device, and restored before its backward
    step."""

    def __init__(self, forward, backward):
        self.forward, self.backward = forward, backward
        self.results = list(forward.gives_saved.values())
        # The number of passes so far; the pass whose values are in the forward step's results.
        self.passes, self.in_place = 0, None
        # {pass: weak reference to the array of its tensor}, {pass: Snapshot}, and unused snapshots.
        self.open, self.aside, self.free = {}, {}, []

    def misfits(self):
        """Returns the numbers of the saved values that the backward step does not read in place."""
        return [name for name, slot in self.backward.saved.items() if slot not in self.backward.borrowed]

    def _ended(self, number):
        self.open.pop(number, None)
        if number in self.aside:
            self.free.append(self.aside.pop(number))

    def _put_aside(self):
        """Copies the current pass, if it is open, to make room for another one."""
        number, self.in_place = self.in_place, None
        if number not in self.open or number in self.aside:
            return
        if self.free:
            snapshot = self.free.pop()
            snapshot.take()
        else:
            snapshot = Snapshot(self.forward.instance, self.results)
        self.aside[number] = snapshot
        if number not in self.open:  # the pass has ended in the meantime
            self._ended(number)

    def take(self):
        """Returns a tensor for the forward pass that is about to run."""
        self._put_aside()
        self.passes += 1
        number = self.in_place = self.passes
        view = np.array([number])
        self.open[number] = weakref.ref(view, lambda _: self._ended(number))  # the tensor keeps the view
        return torch.from_numpy(view)

    def give(self, token):
        """Restores the saved values of a forward pass to the memory that the backward step reads."""
        number = int(token[0])
        if number == self.in_place:
            return
        if number not in self.aside:
            raise RunError("what the forward pass has saved on the GPU is gone: the tensor that stands for it was "
                           "replaced by a copy, such as hooks of saved tensors make; expected hooks that keep tensors")
        self._put_aside()
        self.aside[number].restore()
        self.in_place = number
        self.free.append(self.aside.pop(number))

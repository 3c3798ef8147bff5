"""PyTorch's generator while a step runs: a function that saves its state, and restores it, repeats the same draws.

torch.utils.checkpoint, reversible layers and similar functions run a part of forward twice, the second time from the
generator's state before the first. The state of a step is the number of earlier calls, so that is the saved value. A
number from torch.seed() represents the position at which it was drawn; another number for torch.manual_seed starts a
stream that is the same in all steps.
"""
import torch
from torch.utils._python_dispatch import _disable_current_modes

from ..base import graph

FIRST = 1 << 48  # of the numbers from `seed`, outside of the range of a user's seeds

class Generator:
    """The generator of a RandomBits, whose `place` is (stream, calls)."""

    def __init__(self, bits):
        self.bits, self.saved = bits, []

    def save(self):
        self.saved.append(self.bits.place)
        return len(self.saved) - 1

    def get_rng_state(self):
        number = self.save()
        with _disable_current_modes():
            return torch.tensor([number]).view(torch.uint8).clone()

    def set_rng_state(self, state):
        state = graph.plain(state)
        with _disable_current_modes():
            self.bits.place = self.saved[int(state.view(torch.int64))]

    def seed(self):
        return FIRST + self.save()

    def manual_seed(self, seed):
        number = int(seed) - FIRST
        self.bits.place = self.saved[number] if 0 <= number < len(self.saved) else (int(seed), 0)
        return torch.default_generator

    def patches(self):
        return [(owner, name, getattr(self, name))
                for name in ("get_rng_state", "set_rng_state", "seed", "manual_seed")
                for owner in (torch, torch.random)]

"""Functions of PyTorch that a step computes in another way than PyTorch's kernels do (mode.py)."""
from .bits import RandomBits
from .mode import StepFunctions, exporting, uncompiled

__all__ = ["RandomBits", "StepFunctions", "exporting", "uncompiled"]

"""Functions of PyTorch that a step computes without PyTorch's kernels (mode.py)."""
from .bits import RandomBits
from .mode import StepFunctions, exporting, uncompiled

__all__ = ["RandomBits", "StepFunctions", "exporting", "uncompiled"]

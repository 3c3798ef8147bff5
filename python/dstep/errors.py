"""What ds itself has to say."""
import os
import sys
import warnings

from .escape import printable

PACKAGE = os.path.dirname(__file__) + os.sep


class RunError(RuntimeError):
    """ds refused a step or failed in it; the text is what it said."""

    def __init__(self, text):
        super().__init__(printable(text))


def warn(sentence):
    """A UserWarning at the caller's line: the nearest that is neither this package's nor of a package that calls it (jax, torch, lightning)."""
    level, frame = 1, sys._getframe()
    while frame and (frame.f_code.co_filename.startswith((PACKAGE, "<frozen")) or "-packages" + os.sep in frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(printable(sentence), stacklevel=level if frame else 2)

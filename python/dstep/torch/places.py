"""Lines of the user's program, for messages: of frames, the innermost that is neither of ds nor of PyTorch; else, of PyTorch's optimizers."""
import os
import re
import sys
import traceback

import torch

HERE, TORCH = (os.path.dirname(os.path.abspath(file)) + os.sep for file in (__file__, torch.__file__))


def _nearest(frames):
    """Of (file, line), the innermost first."""
    frames = [(file, line) for file, line in frames if not file.startswith((HERE, "<"))]
    own = [f for f in frames if not f[0].startswith(TORCH)] or [f for f in frames if f[0].startswith(os.path.join(TORCH, "optim"))]
    return own[0] if own else None


def _said(place):
    """' at FILE:LINE', or nothing."""
    return " at {}:{}".format(*place) if place else ""


def of_error(error):
    """Where it was raised."""
    return _said(_nearest([(f.filename, f.lineno) for f in reversed(traceback.extract_tb(error.__traceback__))]))


def of_running():
    """What runs now."""
    frames, frame = [], sys._getframe(1)
    while frame:
        frames.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return _said(_nearest(frames))


def frame(node):
    """(file, line) of what called the operation of a traced node; None where autograd did."""
    frames = re.findall(r'File "([^"]+)", line (\d+)', node.meta.get("stack_trace") or "")
    return _nearest([(file, int(line)) for file, line in reversed(frames)])


def of(node):
    return _said(frame(node))

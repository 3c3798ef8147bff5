"""Lines of the user's program, for messages: the innermost frame outside of ds and PyTorch; else, one in PyTorch's
optimizers."""
import os
import re
import sys
import traceback

import torch

TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
OPTIMIZERS = os.path.join(TORCH, "optim")
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def _nearest(frames):
    """Returns the user's frame among (file, line), which begin with the innermost."""
    frames = [frame for frame in frames if not frame[0].startswith((HERE, "<"))]
    own = [frame for frame in frames if not frame[0].startswith(TORCH)]
    own += [frame for frame in frames if frame[0].startswith(OPTIMIZERS)]
    return own[0] if own else None


def _said(place):
    """Returns ' at FILE:LINE', or ''."""
    return " at {}:{}".format(*place) if place else ""


def of_error(error):
    """Returns where an error was raised."""
    return _said(_nearest([(f.filename, f.lineno) for f in reversed(traceback.extract_tb(error.__traceback__))]))


def of_running():
    """Returns the running line."""
    frames, frame = [], sys._getframe(1)
    while frame:
        frames.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return _said(_nearest(frames))


def of_forward():
    """Returns (file, line) of the innermost running method `forward` of the user, else ()."""
    frame = sys._getframe(1)
    while frame:
        code = frame.f_code
        if code.co_name == "forward" and not code.co_filename.startswith((HERE, TORCH, "<")):
            return code.co_filename, frame.f_lineno
        frame = frame.f_back
    return ()


def frame(node):
    """Returns (file, line) of the call of a traced node's operation; None if autograd called it."""
    if not node.meta.get("stack_trace"):
        return node.meta.get("ds_place") or None
    frames = re.findall(r'File "([^"]+)", line (\d+)', node.meta["stack_trace"])
    return _nearest([(file, int(line)) for file, line in reversed(frames)])


def of(node):
    return _said(frame(node))

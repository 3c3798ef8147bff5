"""Values of tensors that a step reads only for a check: in `assert`, and in an `if` that raises.

The result of such a statement does not change the step. The example batch decides it while the step is traced; the step
itself does not check again.
"""
import ast
import functools
import linecache
import os
import sys

import torch

HERE = os.path.dirname(os.path.dirname(__file__))  # the folder of dstep.torch
ASKING = {torch.Tensor.item, torch.Tensor.tolist, torch.Tensor.__bool__, torch.Tensor.__int__, torch.Tensor.__float__,
          torch.Tensor.__index__,
          torch.Tensor.is_nonzero, torch.is_nonzero, torch.Tensor.equal, torch.equal, torch.Tensor.allclose,
          torch.allclose, torch.Tensor.numpy, torch.Tensor.__array__}


@functools.cache
def _checked_lines(filename):
    """Returns the lines of a file's conditions that only decide about an error."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return frozenset()
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise)):
            lines.update(range(node.test.lineno, node.test.end_lineno + 1))
    return frozenset(lines)


def is_asserted():
    """True if the running code is called, within the step, by such a condition."""
    frame = sys._getframe()
    while _is_ours(frame):
        frame = frame.f_back
    while frame and not _is_ours(frame):  # up to the call of the step by ds
        if frame.f_lineno in _checked_lines(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


def _is_ours(frame):
    return frame.f_code.co_filename.startswith(HERE + os.sep)

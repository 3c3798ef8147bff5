"""Refuses calls in a loss function that belong to the loop around it: backward, and steps of optimizers."""
import contextlib
import threading

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from ...base.errors import FrontendError
from ..base import hooks, places
from ..base.threads import replaced

_of_thread = threading.local()


def _backward(*arguments, **options):
    raise FrontendError(f"the loss function calls backward{places.of_running()}, expected one that returns the loss: "
                        "its gradients are found for all ranks at once; return the sum of what is differentiated, or "
                        "use torch.autograd.grad for a gradient that the loss needs")


@torch.compiler.disable
def _step(optimizer, arguments, options):
    if getattr(_of_thread, "refuses", False):
        raise FrontendError(f"the loss function calls the step of an optimizer ({type(optimizer).__name__})"
                            f"{places.of_running()}, expected one that returns the loss: a step has one update, by the "
                            "optimizer that is exported with it; two losses that are trained in turns are two exported "
                            "steps")


# The hook is never removed: PyTorch keeps hooks of all optimizers in one table, which another thread may be reading.
hooks.OWN.add(id(_step))
register_optimizer_step_pre_hook(_step)


@contextlib.contextmanager
def only_the_loss():
    """Refuses backward and steps of optimizers on this thread within the block."""
    before, _of_thread.refuses = getattr(_of_thread, "refuses", False), True
    try:
        with replaced(torch.Tensor, "backward", _backward), replaced(torch.autograd, "backward", _backward):
            yield
    finally:
        _of_thread.refuses = before

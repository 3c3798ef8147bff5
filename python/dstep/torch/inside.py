"""What a loss function must leave to the loop around it: backward, and steps of optimizers."""
import contextlib
from unittest import mock

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from ..frontend.errors import FrontendError
from . import places


def _backward(*arguments, **options):
    raise FrontendError(f"the loss function calls backward{places.of_running()}, expected one that returns the loss: its gradients are found for all ranks at once; return "
                        "the sum of what is differentiated, or use torch.autograd.grad for a gradient that the loss needs")


def _step(optimizer, arguments, options):
    raise FrontendError(f"the loss function calls the step of an optimizer ({type(optimizer).__name__}){places.of_running()}, expected one that returns the loss: a step has one "
                        "update, by the optimizer that is exported with it; two losses that are trained in turns are two exported steps")


@contextlib.contextmanager
def only_the_loss():
    """Within the block, backward and steps of optimizers are refused."""
    hook = register_optimizer_step_pre_hook(_step)
    try:
        with mock.patch.object(torch.Tensor, "backward", _backward), mock.patch.object(torch.autograd, "backward", _backward):
            yield
    finally:
        hook.remove()

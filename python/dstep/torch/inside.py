"""What a loss function must leave to the loop around it: backward, and steps of optimizers."""
import contextlib

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from ..frontend.errors import FrontendError
from . import places
from .threads import hooked, replaced


def _backward(*arguments, **options):
    raise FrontendError(f"the loss function calls backward{places.of_running()}, expected one that returns the loss: its gradients are found for all ranks at once; return "
                        "the sum of what is differentiated, or use torch.autograd.grad for a gradient that the loss needs")


def _step(optimizer, arguments, options):
    raise FrontendError(f"the loss function calls the step of an optimizer ({type(optimizer).__name__}){places.of_running()}, expected one that returns the loss: a step has one "
                        "update, by the optimizer that is exported with it; two losses that are trained in turns are two exported steps")


@contextlib.contextmanager
def only_the_loss():
    """Within the block, backward and steps of optimizers are refused."""
    with hooked(register_optimizer_step_pre_hook, _step), replaced(torch.Tensor, "backward", _backward), replaced(torch.autograd, "backward", _backward):
        yield

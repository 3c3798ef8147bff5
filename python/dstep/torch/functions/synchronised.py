"""SyncBatchNorm: statistics of the samples of all ranks where a step is one rank's, which ds.combine gives; in a step of the whole batch, and on one
device, those of the batch, because ds.combine is the identity there.
"""
import contextlib

import torch
import torch.distributed as dist
from torch import nn

from ...frontend.errors import FrontendError
from .. import known
from ..marks import combine

_inside = [False]


class _Mean(torch.autograd.Function):
    """The mean over ranks; the sum of the ranks' losses has the mean of its gradients as its own."""

    @staticmethod
    def forward(context, value):
        return combine(value, "mean")

    @staticmethod
    def backward(context, gradient):
        return combine(gradient, "mean")


def is_inside():
    """Whether what runs is a SyncBatchNorm of a step that is traced."""
    return _inside[0] and known.is_tracing()


def forward(module, x):
    """In place of SyncBatchNorm.forward, which wants a GPU as soon as there are processes."""
    if module.process_group is not None and (size := dist.get_world_size(module.process_group)) != (world := dist.get_world_size()):
        raise FrontendError(f"a SyncBatchNorm meets in a group of {size} of {world} processes, expected all of them: ds combines its statistics over all ranks")
    with contextlib.ExitStack() as left:
        left.callback(_inside.__setitem__, 0, _inside[0])
        _inside[0] = True
        return nn.modules.batchnorm._BatchNorm.forward(module, x)


def batch_norm(x, weight, bias, running_mean, running_var, momentum, eps):
    dims = [d for d in range(x.dim()) if d != 1]
    column = lambda v: v.reshape([-1] + [1] * (x.dim() - 2))
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean = _Mean.apply(wide.mean(dims))
    apart = wide - column(mean)
    variance = _Mean.apply((apart * apart).mean(dims))
    result = apart * column(torch.rsqrt(variance + eps))
    result = result if weight is None else result * column(weight)
    result = result if bias is None else result + column(bias)
    if running_mean is not None:
        with torch.no_grad():
            count = combine(torch.full((), float(x.numel() // x.shape[1])), "sum")  # on all ranks
            running_mean.copy_(running_mean * (1 - momentum) + mean.detach() * momentum)
            running_var.copy_(running_var * (1 - momentum) + variance.detach() * (count / (count - 1)) * momentum)
    return result.to(x.dtype)

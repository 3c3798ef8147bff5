"""SyncBatchNorm: statistics over the samples of all ranks, through ds.combine, if a step is one rank's; in a step of
the global batch, and on one device, those of the batch, because ds.combine is the identity there.
"""
import contextlib

import torch
import torch.distributed as dist
from torch import nn

from ...base.errors import FrontendError
from ..base import known
from ..base.marks import combine

_inside, _FORWARD = [False], nn.SyncBatchNorm.forward


class _Sum(torch.autograd.Function):
    """The sum over ranks; a rank's addend affects the losses of all ranks."""

    @staticmethod
    def forward(context, value):
        return combine(value, "sum")

    @staticmethod
    def backward(context, gradient):
        return combine(gradient, "sum")


def is_inside():
    """True if a SyncBatchNorm of a traced step is running."""
    return _inside[0] and known.is_tracing()


def _refuse_group(module):
    if module.process_group is not None and (size := dist.get_world_size(module.process_group)) != (world := dist.get_world_size()):
        raise FrontendError(f"a SyncBatchNorm meets in a group of {size} of {world} processes, expected all of them: ds combines its statistics over all ranks")


def forward(module, x):
    """Replaces SyncBatchNorm.forward, which requires a GPU if there are several processes."""
    _refuse_group(module)
    with contextlib.ExitStack() as left:
        left.callback(_inside.__setitem__, 0, _inside[0])
        _inside[0] = True
        return nn.modules.batchnorm._BatchNorm.forward(module, x)


def batch_norm(x, weight, bias, running_mean, running_var, momentum, eps):
    dims = [d for d in range(x.dim()) if d != 1]
    column = lambda v: v.reshape([-1] + [1] * (x.dim() - 2))
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    # Over all ranks, which may have different numbers of samples.
    count = combine(torch.full((), float(x.numel() // x.shape[1])), "sum")
    mean = _Sum.apply(wide.sum(dims)) / count
    apart = wide - column(mean)
    variance = _Sum.apply((apart * apart).sum(dims)) / count
    result = apart * column(torch.rsqrt(variance + eps))
    result = result if weight is None else result * column(weight)
    result = result if bias is None else result + column(bias)
    if running_mean is not None:
        with torch.no_grad():
            running_mean.copy_(running_mean * (1 - momentum) + mean.detach() * momentum)
            running_var.copy_(running_var * (1 - momentum) + variance.detach() * (count / (count - 1)) * momentum)
    return result.to(x.dtype)


# For a function that torch.compile passes to ds in one of several processes.
@torch._dynamo.allow_in_graph
def of_all(*arguments):
    """A SyncBatchNorm as a node of Dynamo's graph."""
    return batch_norm(*arguments)


def _dynamo_forward(module, x):
    """SyncBatchNorm.forward, which Dynamo traces to one node: PyTorch's own requires a GPU, and without a process group
    is a plain BatchNorm."""
    if not torch.compiler.is_dynamo_compiling() or not (module.training or module.running_mean is None):
        return _FORWARD(module, x)
    _refuse_group(module)
    module._check_input_dim(x)
    momentum, tracks = module.momentum, module.training and module.track_running_stats
    if tracks:
        module.num_batches_tracked.add_(1)
        momentum = 1 / module.num_batches_tracked if momentum is None else momentum
    return of_all(x, module.weight, module.bias, module.running_mean if tracks else None, module.running_var if tracks else None, momentum, module.eps)


def trace_by_dynamo():
    nn.SyncBatchNorm.forward = _dynamo_forward

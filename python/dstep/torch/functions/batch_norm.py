"""Batch normalisation: running statistics by functions that tracing sees, since the kernel writes them invisibly; in
evaluation mode the formula.

The statistics of a SyncBatchNorm are those of the samples of all ranks, through ds.combine, if a step is one rank's; in
a step of the global batch, and on one device, those of the batch, because ds.combine is the identity there.
"""
import torch
import torch.distributed as dist
import torch.utils.checkpoint as checkpointing
from torch import nn

from ...base.errors import FrontendError
from ..base.marks import combine

_KERNEL, _FORWARD, _FORWARD_OF_ALL = torch.batch_norm, nn.modules.batchnorm._BatchNorm.forward, nn.SyncBatchNorm.forward


def _normalised(x, mean, variance, weight, bias, eps):
    """Returns x, normalised by the statistics of each channel."""
    column = lambda v: v.reshape([-1] + [1] * (x.dim() - 2))
    scale = torch.rsqrt(variance + eps)
    result = (x - column(mean)) * column(scale if weight is None else scale * weight)
    return result if bias is None else result + column(bias)


def _keep(running_mean, running_var, mean, variance, momentum):
    with torch.no_grad():
        for running, value in ((running_mean, mean), (running_var, variance)):
            running.copy_(running * (1 - momentum) + value.detach() * momentum)


def batch_norm(random, x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=False):
    if running_mean is None:
        return _KERNEL(x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
    if not training:
        return _normalised(x, running_mean, running_var, weight, bias, eps)
    count = x.numel() // x.shape[1]
    if count == 1:
        raise FrontendError(f"batch normalisation of {tuple(x.shape)} has one value per channel, expected more")

    def normalise():
        return torch.native_batch_norm(x, weight, bias, None, None, True, 0.0, eps)

    def keep(mean, inverse_deviation):
        variance = (inverse_deviation.detach() ** -2 - eps) * (count / (count - 1))
        _keep(running_mean, running_var, mean, variance, momentum)

    try:
        result, *found = normalise()
    # A checkpoint stops recomputing when it has all saved values; PyTorch's kernel has written the statistics by then.
    except checkpointing._StopRecomputationError:
        with torch.no_grad():
            keep(*normalise()[1:])
        raise
    keep(*found)
    return result


def instance_norm(random, x, weight, bias, running_mean, running_var, use_input_stats, momentum, eps,
                  cudnn_enabled=False):
    """Every channel of a sample is a channel of its own; running statistics are means over the samples."""
    n, c, *rest = x.shape
    each = [None if v is None else v.repeat(n) for v in (weight, bias, running_mean, running_var)]
    result = batch_norm(random, x.reshape(1, n * c, *rest), *each, use_input_stats, momentum, eps, cudnn_enabled)
    if running_mean is not None and use_input_stats:
        with torch.no_grad():
            for running, values in ((running_mean, each[2]), (running_var, each[3])):
                running.copy_(values.reshape(n, c).mean(0))
    return result.reshape(x.shape)


def forward(module, x):
    """Replaces _BatchNorm.forward, which reads the number of batches as a Python number if the running statistics are
    the mean over all batches (momentum=None)."""
    if module.momentum is not None or not module.training or not module.track_running_stats:
        return _FORWARD(module, x)
    module._check_input_dim(x)
    module.num_batches_tracked.add_(1)
    return torch.batch_norm(x, module.weight, module.bias, module.running_mean, module.running_var, True, 1 / module.num_batches_tracked, module.eps, False)


class _Sum(torch.autograd.Function):
    """The sum over ranks; a rank's addend affects the losses of all ranks."""

    @staticmethod
    def forward(context, value):
        return combine(value, "sum")

    @staticmethod
    def backward(context, gradient):
        return combine(gradient, "sum")


@torch._dynamo.allow_in_graph
def of_all(x, weight, bias, running_mean, running_var, momentum, eps):
    """A SyncBatchNorm, as one node of Dynamo's graph."""
    dims = [d for d in range(x.dim()) if d != 1]
    column = lambda v: v.reshape([-1] + [1] * (x.dim() - 2))
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    # Over all ranks, which may have different numbers of samples.
    count = combine(torch.full((), float(x.numel() // x.shape[1])), "sum")
    mean = _Sum.apply(wide.sum(dims)) / count
    variance = _Sum.apply(((wide - column(mean)) ** 2).sum(dims)) / count
    if running_mean is not None:
        _keep(running_mean, running_var, mean, variance.detach() * (count / (count - 1)), momentum)
    return _normalised(wide, mean, variance, weight, bias, eps).to(x.dtype)


def forward_of_all(module, x):
    """Replaces SyncBatchNorm.forward, which requires a GPU, and without a process group is a plain BatchNorm."""
    group = module.process_group
    if group is not None and (size := dist.get_world_size(group)) != (world := dist.get_world_size()):
        raise FrontendError(f"a SyncBatchNorm meets in a group of {size} of {world} processes, expected all of them: "
                            "ds combines its statistics over all ranks")
    if not module.training and module.running_mean is not None:
        return _FORWARD(module, x)
    module._check_input_dim(x)
    momentum, tracks = module.momentum, module.training and module.track_running_stats
    if tracks:
        module.num_batches_tracked.add_(1)
        momentum = 1 / module.num_batches_tracked if momentum is None else momentum
    statistics = (module.running_mean, module.running_var) if tracks else (None, None)
    return of_all(x, module.weight, module.bias, *statistics, momentum, module.eps)


def trace_by_dynamo():
    """Makes Dynamo trace a SyncBatchNorm to `of_all`."""
    def forward(module, x):
        return (forward_of_all if torch.compiler.is_dynamo_compiling() else _FORWARD_OF_ALL)(module, x)
    nn.SyncBatchNorm.forward = forward

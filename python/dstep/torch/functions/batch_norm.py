"""Batch normalisation: running statistics by functions that tracing sees, since the kernel writes them invisibly; in
evaluation mode the formula."""
import torch
import torch.utils.checkpoint as checkpointing
from torch import nn

from ...base.errors import FrontendError
from . import synchronised

_KERNEL, _FORWARD = torch.batch_norm, nn.modules.batchnorm._BatchNorm.forward


def batch_norm(random, x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=False):
    if not training and running_mean is not None:
        column = lambda v: v.reshape([-1] + [1] * (x.dim() - 2))
        scale = torch.rsqrt(running_var + eps) if weight is None else torch.rsqrt(running_var + eps) * weight
        result = (x - column(running_mean)) * column(scale)
        return result if bias is None else result + column(bias)
    if synchronised.is_inside():
        return synchronised.batch_norm(x, weight, bias, running_mean, running_var, momentum, eps)
    if running_mean is None:
        return _KERNEL(x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
    count = x.numel() // x.shape[1]
    if count == 1:
        raise FrontendError(f"batch normalisation of {tuple(x.shape)} has one value per channel, expected more")

    def normalise():
        return torch.native_batch_norm(x, weight, bias, None, None, True, 0.0, eps)

    def keep(mean, inverse_deviation):
        with torch.no_grad():
            variance = (inverse_deviation.detach() ** -2 - eps) * (count / (count - 1))
            running_mean.copy_(running_mean * (1 - momentum) + mean.detach() * momentum)
            running_var.copy_(running_var * (1 - momentum) + variance * momentum)

    try:
        result, *found = normalise()
    # A checkpoint stops recomputing when it has all saved values; PyTorch's kernel has written the statistics by then.
    except checkpointing._StopRecomputationError:
        with torch.no_grad():
            keep(*normalise()[1:])
        raise
    keep(*found)
    return result


def forward(module, x):
    """Replaces _BatchNorm.forward, which reads the number of batches as a Python number if the running statistics are
    the mean over all batches (momentum=None)."""
    if module.momentum is not None or not module.training or not module.track_running_stats:
        return _FORWARD(module, x)
    module._check_input_dim(x)
    module.num_batches_tracked.add_(1)
    return torch.batch_norm(x, module.weight, module.bias, module.running_mean, module.running_var, True, 1 / module.num_batches_tracked, module.eps, False)

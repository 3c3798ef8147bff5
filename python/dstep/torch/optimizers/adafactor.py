"""The arithmetic of torch.optim.Adafactor (Shazeer and Stern 2018) without reads of tensor values, which a traced step
cannot do."""
import torch


def adafactor(params, grads, row_vars, col_vars, variances, state_steps, grad_scale, found_inf, *, d, lr, beta2_decay, weight_decay, eps1, eps2,
              maximize, has_complex):
    """Replaces torch.optim._adafactor._single_tensor_adafactor, with its arguments."""
    one = torch.ones(())
    for param, grad, row_var, col_var, variance, step in zip(params, grads, row_vars, col_vars, variances, state_steps):
        grad = -grad if maximize else grad
        least = torch.finfo(param.dtype).eps if eps1 is None else eps1
        step += 1
        change = (step**beta2_decay).to(param.dtype)
        rate = torch.minimum(lr * one, 1 / step.sqrt())
        alpha = torch.maximum(eps2 * one, param.norm(2) / param.numel()**0.5) * rate
        if weight_decay:
            param.mul_(1 - lr * weight_decay)
        if grad.dim() > 1:
            square = grad * grad
            row_var.lerp_(square.mean(-1, keepdim=True), change)
            col_var.lerp_(square.mean(-2, keepdim=True), change)
            estimate = row_var @ col_var / row_var.mean(-2, keepdim=True).clamp(min=least)
        else:
            variance.lerp_(grad * grad, change)
            estimate = variance
        update = grad * estimate.clamp(min=least * least).rsqrt()
        clipped = torch.maximum(one, update.norm(2) / (update.numel()**0.5 * d))
        param.sub_(update * (alpha / clipped))

"""Gradients that PyTorch has computed outside of compiled functions, where processes train together: nobody combines them, and the processes' weights would part.

What PyTorch computes between two compiled parts is seen when the next part is compiled (backend.py). What it computes behind the last one is seen when an optimizer steps: a
parameter with a gradient that no compiled part has read got it elsewhere. Optimizers matter that hold a parameter of a compiled part, or one of a module that holds such a
parameter as well. Where torch.distributed is initialized, gradients are its affair (DistributedDataParallel).
"""
import gc
import weakref

import torch
from torch.optim.optimizer import Optimizer, register_optimizer_step_pre_hook
from torch.utils.weak import WeakTensorKeyDictionary

from ..frontend import FrontendError

ALLOWED = 'options={"allow_outside": True} leaves what PyTorch computes to whoever combines its gradients himself'

_read = WeakTensorKeyDictionary()  # {parameter that a compiled part has read: whether its function allows others outside}
_fine: weakref.WeakKeyDictionary[Optimizer, set[int]] = weakref.WeakKeyDictionary()  # ids of parameters, which the optimizer holds
_hook = None


def is_combined():
    """Whether the script has something that combines gradients of processes."""
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def read(values, allows):
    """A compiled part of a launched world has read these tensors."""
    global _hook
    new = [value for value in values if isinstance(value, torch.nn.Parameter) and value.requires_grad and value not in _read]
    for value in new:
        _read[value] = allows
    if new:
        _fine.clear()
    if new and _hook is None:
        _hook = register_optimizer_step_pre_hook(_check)


def _names():
    """{id of a parameter: its name} in the largest module that holds it, of all modules that hold one that a compiled part has read."""
    found: dict[int, tuple[int, str]] = {}
    for module in [each for each in gc.get_objects() if issubclass(type(each), torch.nn.Module) and "_parameters" in each.__dict__]:
        named = list(module.named_parameters())
        if not any(_read.get(parameter) is False for _, parameter in named):
            continue
        for name, parameter in named:  # of two modules of one size, such as what torch.compile makes of one, that with the shorter names
            found[id(parameter)] = max(found.get(id(parameter), (0, "")), (len(named), name), key=lambda entry: (entry[0], -len(entry[1])))
    return {number: name for number, (_, name) in found.items()}


@torch.compiler.disable
def _check(optimizer, arguments, options):
    if is_combined():
        return
    fine, held = _fine.setdefault(optimizer, set()), [p for group in optimizer.param_groups for p in group["params"]]
    outside = [p for p in held if id(p) not in fine and p.grad is not None and p.requires_grad and isinstance(p, torch.nn.Parameter) and p not in _read]
    if outside:
        names = _names()
        if not any(_read.get(p) is False for p in held):
            outside = [p for p in outside if id(p) in names]
    if outside:
        first, others = outside[0], len(outside) - 1
        named = f"'{names[id(first)]}'" if id(first) in names else "a parameter"
        more = f" and of {others} more parameter{'s' * (others > 1)}" if others else ""
        raise FrontendError(f"{type(optimizer).__name__} steps with the gradient of {named} of shape {tuple(first.shape)}{more}, computed by PyTorch outside of the compiled "
                            f"function, where nobody combines it with other processes; compile what uses it (fullgraph=True of torch.compile names graph breaks, "
                            f"torch._dynamo.config.allow_rnn=True has recurrent layers inside), or {ALLOWED}")
    fine |= {id(p) for p in held if p.grad is not None}

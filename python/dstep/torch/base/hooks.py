"""Hooks of the user's parameters and optimizer, which the traced step calls at the same points as PyTorch.

    p.register_hook(f)                          gradient -> gradient, or None: before it is stored
    p.register_post_accumulate_grad_hook(f)     may write p.grad
    optimizer.register_step_pre_hook(f)         may write the gradients of its optimizer argument
    optimizer.register_step_post_hook(f)        may write its parameters and states

Each hook is called with traced values in place of the user's. Values that a hook reaches otherwise (a parameter in its
closure) are not traced; the check of the capture (beside.py) detects the consequences. Modules call their own hooks.
"""
import collections
import inspect

import torch
from torch.nn.modules import module as of_modules
from torch.optim import optimizer as optimizers

from ...base.errors import FrontendError

OWN: set[int] = set()  # ids of functions that ds itself has registered, which are not part of a step


def place(function):
    """Returns ' at FILE:LINE' of a function or of a callable object's class, or ''."""
    function = inspect.unwrap(getattr(function, "func", function))
    code = getattr(getattr(function, "__func__", function), "__code__",
                   None) or getattr(getattr(type(function), "__call__", None), "__code__", None)
    return f" at {code.co_filename}:{code.co_firstlineno}" if code else ""


def of_parameter(parameter):
    """Returns [(kind, function)]: all functions that PyTorch calls when the gradient of a parameter is ready."""
    return [("hook", f) for f in (parameter._backward_hooks or {}).values()] + [
        ("post-accumulate hook", f) for f in (getattr(parameter, "_post_accumulate_grad_hooks", None) or {}).values()
        if id(f) not in OWN]


def of_backward(modules):
    """Returns the functions that backward calls for modules, global ones first. Hooks of forward are part of
    forward."""
    kept = [of_modules._global_backward_hooks, of_modules._global_backward_pre_hooks]
    for module in modules:
        kept += (module._backward_hooks, module._backward_pre_hooks)
    return [f for hooks in kept if hooks for f in hooks.values()]


def of_optimizer(optimizer, when):
    """Returns the functions that `step` calls before ("pre") or after it ("post"), global ones first."""
    every = getattr(optimizers, f"_global_optimizer_{when}_hooks")
    return [f for f in (*every.values(), *getattr(optimizer, f"_optimizer_step_{when}_hooks", {}).values())
            if id(f) not in OWN]


def _called(kind, name, function, *arguments):
    try:
        return function(*arguments)
    except FrontendError:
        raise
    except Exception as error:
        raise FrontendError(f"the {kind} of '{name}'{place(function)} cannot be traced, expected one that uses what it "
                            f"is given: {type(error).__name__}: {(str(error).splitlines() or [''])[0][:80]}") from error


def gradient(name, parameter, value, found):
    """Returns the gradient of a parameter after its hooks; `value` and `found` are the traced value and gradient."""
    for kind, function in of_parameter(parameter):
        if kind == "hook":
            given = _called(kind, name, function, found)
            found = found if given is None else given
            continue
        holder = value.detach().clone().requires_grad_()
        holder.grad = found.clone()
        before = holder._version
        with torch.no_grad():
            _called(kind, name, function, holder)
        if holder._version != before:
            raise FrontendError(f"the {kind} of '{name}'{place(function)} writes the parameter, expected one that "
                                "writes its gradient: an update before the gradients of all ranks are there trains on "
                                "each rank another model; leave it to the optimizer")
        if holder.grad is None:
            raise FrontendError(f"the {kind} of '{name}'{place(function)} takes the gradient away, expected one that "
                                "leaves it to the optimizer")
        found = holder.grad
    return found


def stepped(optimizer, traced, step):
    """Calls `step(traced)` between the hooks of the user's optimizer, which get the traced optimizer."""
    name = type(optimizer).__name__
    for function in of_optimizer(optimizer, "pre"):
        if _called("step pre-hook", name, function, traced, (), {}) is not None:
            raise FrontendError(f"the step pre-hook of '{name}'{place(function)} returns other arguments for step, "
                                "expected one that returns nothing")
    step(traced)
    for function in of_optimizer(optimizer, "post"):
        _called("step post-hook", name, function, traced, (), {})


def give(model, optimizer, copied_model, copied_optimizer):
    """Registers the hooks of parameters and of `step` on copies of a model and of its optimizer; a deep copy may lose
    them."""
    for parameter, copied in zip(model.parameters(), copied_model.parameters()):
        for kind, function in of_parameter(parameter) if not of_parameter(copied) else ():
            copied.register_hook(function) if kind == "hook" else copied.register_post_accumulate_grad_hook(function)
    for kind in ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks"):
        setattr(copied_optimizer, kind, collections.OrderedDict(getattr(optimizer, kind, {})))

"""The user's optimizer of torch.optim as a pure function of parameters, gradients and state (foreign.py: other
optimizers).

A shallow copy of the optimizer gets param_groups and state with the traced tensors, and its own `step` runs on them.
While torch.compiler reports that it is compiling, optimizers keep their step counts in tensors (their capturable
branch); otherwise Adam would read its count as a Python number. Numbers that Adafactor reads stay tensors (counts.py).
"""
import sys

import torch

from ...base.errors import FrontendError
from ..base import checks, hooks
from ..base.threads import replaced
from ..functions import exporting
from . import counts, structure
from .foreign import step_of

# A learning rate whose quotients with bias corrections and eps are normal numbers of 32 bits.
SMALLEST = 1e-30
REFUSED = {"LBFGS": "it calls the loss several times per step", "SparseAdam": "its gradients are sparse"}


def _name(optimizer):
    return type(optimizer).__name__


def is_foreign(optimizer):
    """True unless the optimizer is of torch.optim, whose optimizers keep tensors that start with zeros or a fill value,
    and take one kind of step; SGD omits the dampening in the first one."""
    is_damped = any(group.get("dampening") and group.get("momentum") for group in optimizer.param_groups)
    return is_damped or not type(optimizer).__module__.startswith("torch.optim") or not hasattr(*_arithmetic(optimizer))


def _arithmetic(optimizer):
    """Returns (module, name) of the function that computes an update of torch.optim."""
    module = sys.modules[type(optimizer).step.__module__]
    return module, module.__name__.rsplit(".", 1)[-1].lstrip("_")


def check(optimizer, names):
    """Refuses unsupported optimizers. `names` maps the id of every parameter of the model to its name."""
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise FrontendError(f"the optimizer is a {_name(optimizer)}, expected a torch.optim.Optimizer")
    if _name(optimizer) in REFUSED:
        raise FrontendError(f"the optimizer {_name(optimizer)} is not supported: {REFUSED[_name(optimizer)]}")
    for index, group in enumerate(optimizer.param_groups):
        if group.get("differentiable"):
            raise FrontendError(f"the optimizer {_name(optimizer)} has differentiable=True, expected False")
        for parameter in group["params"]:
            if id(parameter) not in names:
                raise FrontendError(f"parameter group {index} of the optimizer holds a {tuple(parameter.shape)} tensor that is no "
                                    "parameter of the model; create the optimizer from this model's parameters()")


# Optimizers whose code also takes the learning rate as a tensor.
TENSOR_RATES = {"SGD", "Adam", "AdamW", "NAdam", "RAdam", "Adamax", "Adadelta", "Adagrad", "RMSprop", "ASGD", "Rprop", "Adafactor"}


def rates(optimizer):
    """Returns the names of the learning rates as hyper-parameters: `lr`, or `lr.0`, `lr.1`, .. for several parameter
    groups; none if the optimizer's code needs a number."""
    known = _name(optimizer) in TENSOR_RATES and type(optimizer).__module__.startswith("torch.optim")
    groups = getattr(optimizer, "param_groups", ())
    if not known or any(checks.number(group.get("lr")) is None for group in groups):
        return ()
    return ("lr",) if len(groups) == 1 else tuple(f"lr.{i}" for i in range(len(groups)))


def parameter_names(optimizer, names):
    """Returns the names of the optimizer's parameters, in its order."""
    return [names[id(p)] for group in optimizer.param_groups for p in group["params"]]


def _rate(rate):
    """Returns a learning rate that Adam's capturable branch can divide by: with 0 it makes NaN of elements whose
    gradients were all 0, such as a row of an embedding that no sample has named."""
    return torch.where(rate == 0, SMALLEST, rate) if isinstance(rate, torch.Tensor) else rate or SMALLEST


class Own:
    """An optimizer of torch.optim: `state` is {(parameter, key): value before the first step}; `update` computes the
    next one."""
    keys: dict[tuple, tuple] = {}  # of numbers that its step carries (foreign.py)
    before: dict[tuple, object] = {}

    def __init__(self, optimizer, names, trained):
        self.optimizer, self.names = optimizer, names
        self.state = self._initial(trained)

    def _initial(self, trained):
        """An optimizer creates its state inside of `step`; a copy does it here without its arithmetic (the function of
        its module with the module's name)."""
        ordered, optimizer = parameter_names(self.optimizer, self.names), structure.copied(self.optimizer)
        original = dict(zip(ordered, (p for group in optimizer.param_groups for p in group["params"])))
        for name, parameter in original.items():
            parameter.grad = torch.zeros((), dtype=parameter.dtype).expand(parameter.shape) if name in trained else None
        with replaced(*_arithmetic(optimizer), lambda *arguments, **options: None), torch.no_grad():
            step_of(optimizer)(optimizer)
        state = {}
        for name in trained:
            for key, value in optimizer.state.get(original[name], {}).items():
                if value is None:  # SGD: a first momentum equal to the gradient is one from zero
                    value = torch.zeros_like(original[name])
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    value = torch.tensor(value, dtype=torch.float32)
                if not isinstance(value, torch.Tensor):
                    raise FrontendError(f"the optimizer keeps '{key}' of '{name}' as a {type(value).__name__}, "
                                        "expected a tensor")
                state[name, key] = value.detach()  # the copy's own
        return state

    def held(self, optimizer, parameters):
        """Returns {(parameter, key): value} of an optimizer's current state; None where there is none yet."""
        found = {(name, key): optimizer.state.get(parameters[name], {}).get(key) for name, key in self.state}
        return {key: value if value is None else torch.as_tensor(value) for key, value in found.items()}

    def keep(self, optimizer, parameters, state):
        """Writes a state to an optimizer."""
        for (name, key), value in state.items():
            kept = optimizer.state[parameters[name]]
            if isinstance(kept.get(key), torch.Tensor):
                kept[key].copy_(value)
            else:
                kept[key] = value

    def update(self, parameters, gradients, state, hyper):
        """Runs the optimizer's own step once; returns new (parameters, state). `parameters` and `gradients` are
        dictionaries by name; `hyper` holds the options of the parameter groups that are arguments of the step."""
        optimizer, names = self.optimizer, self.names
        traced = type(optimizer).__new__(type(optimizer))
        vars(traced).update(vars(optimizer))
        values = {name: value.clone() for name, value in parameters.items()}
        traced.param_groups = []
        for index, group in enumerate(optimizer.param_groups):
            group = dict(group, params=[values[names[id(p)]] for p in group["params"] if names[id(p)] in gradients])
            flags = {"foreach": False, "fused": False, "capturable": True}
            group |= {key: value for key, value in flags.items() if key in group}
            arguments = {checks.option(name)[0] for name in hyper}
            group |= {key: checks.given(optimizer, hyper, index, key, group[key]) for key in arguments}
            if _name(optimizer) in ("Adam", "AdamW"):
                group["lr"] = _rate(group["lr"])
            traced.param_groups.append(group)
        traced.state = type(optimizer.state)(dict)
        for name, gradient in gradients.items():
            values[name].grad = gradient.clone()
        for (name, key), value in state.items():
            traced.state[values[name]][key] = value.clone()
        with torch.no_grad(), exporting(), counts.Numbers(optimizer, {}, {}):
            hooks.stepped(optimizer, traced, step_of(optimizer))
        return values, {(name, key): traced.state[values[name]][key] for name, key in state}

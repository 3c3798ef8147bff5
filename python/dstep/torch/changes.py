"""What of the user's objects is built into an exported step, so that a change of it is seen: the step is then exported again.

Parameters, buffers that the step changes, the optimizer's state, and the options that are its hyper-parameters are arguments; everything
else is a constant of the step. Not seen is what neither a module nor the optimizer holds itself, such as a global that forward reads.
"""
import hashlib

import torch

from . import checks
from .optimizers import structure
from .step import to_array
from .values import is_dense

OF_SCHEDULERS = {"initial_lr", "max_lr", "min_lr", "swa_lr", "base_momentum", "max_momentum"}  # what they write into a parameter group for themselves


def _plain(value):
    """Whether a value is one that code asks for, and that compares by itself."""
    return value is None or isinstance(value, (bool, int, float, str)) or isinstance(value, (tuple, list)) and all(map(_plain, value))


def _module(module):
    own = {key: str(value) for key, value in vars(module).items() if key != "training" and _plain(value)}
    return type(module), module.extra_repr(), tuple(sorted(own.items()))


def _content(tensor):
    return tuple(tensor.shape), tensor.dtype, hashlib.sha256(to_array(tensor).tobytes()).digest()


def _option(group, key):
    value = group[key]
    return tuple(value.flatten().tolist()) if isinstance(value, torch.Tensor) else str(value)


def _group(capture, index, names):
    """Options of a parameter group that the optimizer knows: those that schedulers add are theirs. Of one that is an argument for
    all groups counts what it is in this group, relative to the others."""
    optimizer, hyper = capture.optimizer, capture.hyper
    group, carried = optimizer.param_groups[index], capture.foreign.keys if capture.foreign else ()
    options = {key: _option(group, key) for key in optimizer.defaults
               if key in group and key not in hyper and f"{key}.{index}" not in hyper and ("param_groups", index, key) not in carried}
    shared = {key: checks.given(optimizer, {key: 1.0}, index, key, group[key]) for key in optimizer.defaults if key in hyper}
    return options, shared, [names[id(p)] if id(p) in names else None for p in group["params"]]


def _numbers_of(capture):
    """{path: value} of the numbers, flags and words of an optimizer of others, those of optimizers inside of it included, that its step does not carry on."""
    foreign = capture.foreign
    if foreign is None:
        return {}
    leaves = structure.leaves(capture.optimizer, {id(p): n for n, p in capture.parameters.items()})
    numbers = {path: leaf.item() if isinstance(leaf, torch.Tensor) and leaf.dim() == 0 else leaf for path, leaf in leaves.items() if path in foreign.before and path not in foreign.keys}
    hyper = {("param_groups", i, key) for key, group in map(checks.option, capture.hyper) for i in ([group] if group is not None else range(len(capture.optimizer.param_groups)))}
    return {path: value for path, value in numbers.items() if _plain(value) and path not in hyper and path[-1] not in OF_SCHEDULERS}


def options(capture):
    """Of the optimizer alone."""
    names = {id(p): n for n, p in capture.model.named_parameters()}
    found = {f"parameter group {i}": _group(capture, i, names) for i in range(len(capture.optimizer.param_groups))}
    return found | {f"'{'.'.join(map(str, path))}' of the optimizer": value for path, value in _numbers_of(capture).items()}


def constants(capture):
    """{what: value} of everything that the step of a Capture has as a constant."""
    model = capture.model
    parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    found = {f"module '{name}'": _module(module) for name, module in model.named_modules()}
    found |= {f"the mode of module '{name}'": module.training for name, module in model.named_modules()}
    found |= {f"parameter '{name}'": (id(p), tuple(p.shape), p.dtype) for name, p in parameters.items()}
    found |= {f"requires_grad of '{name}'": p.requires_grad for name, p in parameters.items()}
    found |= {f"buffer '{name}'": id(b) if name in capture.changing or not is_dense(b) else _content(b) for name, b in buffers.items()}
    return found | options(capture)


class Glance:
    """What `constants` reads its values of, compared by identity first: a look takes microseconds, where `constants` takes milliseconds. What writes a
    constant buffer without PyTorch's counting it (through .data or NumPy) is not seen."""

    def __init__(self, capture):
        self.capture, self.optimizer, modules = capture, capture.optimizer, list(capture.model.modules())
        self.parameters = list(capture.model.parameters())
        self.buffers = [b for n, b in capture.model.named_buffers() if n not in capture.changing]
        alone = len(capture.optimizer.param_groups) == 1  # of several groups that have one rate, its ratio between them is a constant
        rates = {key for key, group in map(checks.option, capture.hyper) if alone or group is not None}
        self.options = [key for key in capture.optimizer.defaults if key not in rates]
        spaces = [space for module in modules for space in (vars(module), module._parameters, module._buffers, module._modules)]
        self.spaces = [(space, dict(space)) for space in spaces]
        self.lists = [(value, value[:]) for module in modules for value in vars(module).values() if isinstance(value, list)]
        self.numbers = self._numbers()

    def _numbers(self):
        groups = [([group.get(key) for key in self.options], group["params"][:]) for group in self.optimizer.param_groups]
        return groups, [p.requires_grad for p in self.parameters], [b._version for b in self.buffers], _numbers_of(self.capture)

    def is_the_same(self):
        try:
            for space, before in self.spaces:
                if space != before:
                    return False
            return self._numbers() == self.numbers and all(value == before for value, before in self.lists)
        except (RuntimeError, ValueError):  # of tensors or arrays that are others, which have no one answer
            return False

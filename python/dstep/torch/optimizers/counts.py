"""An optimizer's own numbers as tensors: counts, and values computed from them.

A step count in a Python number would be a constant of an exported step. So while the optimizer's code runs, a changing
number is a tensor without dimensions, in f64 like Python's: `item()` returns the tensor itself, functions of `math`,
`min` and `max` are those of PyTorch. A condition on such a tensor (`if step % 6 == 0`) is answered both ways, in a run
each, and the step selects by the condition (`explore`).
"""
import functools
import inspect
import math
import sys

import torch
from torch._subclasses.functional_tensor import FunctionalTensor

from ...base.errors import FrontendError
from ..base import places
from ..functions.patched import PatchedMode
from . import structure

RUNS = 16  # 2 for each independent condition
MATH = {name: getattr(torch, name) for name in ("sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "cos", "sin", "tan", "tanh", "floor", "ceil", "pow", "isnan",
                                                "isinf", "isfinite", "atan2", "hypot")} | {"fabs": torch.abs}
Tensor = torch.Tensor
ITEM = {Tensor.item, Tensor.tolist}
LERP = {torch.lerp, Tensor.lerp, Tensor.lerp_}


class Many(FrontendError):
    """An update needs more runs than the limit."""


class Question(Exception):
    """A condition without an answer."""

    def __init__(self, key, condition):
        self.key, self.condition = key, condition


def number(value):
    return torch.tensor(float(value), dtype=torch.float64)


def _math(function, own):
    def call(*values, **options):
        if options or not any(isinstance(v, Tensor) for v in values):
            return own(*values, **options)
        return function(*(v if isinstance(v, Tensor) else number(v) for v in values))
    return call


def _extreme(function, own):
    of_two = _math(function, own)

    def call(*values, **options):
        return own(*values, **options) if options or len(values) < 2 else functools.reduce(of_two, values)
    return call


_MATH = {name: _math(function, getattr(math, name)) for name, function in MATH.items()}
_EXTREMES = {min: _extreme(torch.minimum, min), max: _extreme(torch.maximum, max)}


class Numbers(PatchedMode):
    """Answers an optimizer's conditions. `keys` is {id of a number's tensor: key}; numbers that are equal in all steps
    share a key. `decided` is {key of a condition: its answer}."""

    def __init__(self, optimizer, keys, decided):
        patches = [(math, name, call) for name, call in _MATH.items()]
        place = sys.modules.get(type(optimizer).step.__module__)
        patches += [(place, own.__name__, call) for own, call in _EXTREMES.items()
                    if place and inspect.unwrap(vars(place).get(own.__name__, own)) is own]
        # The tensor's own method would call item().
        patches.append((FunctionalTensor, "__bool__", lambda tensor: torch.is_nonzero(tensor)))
        super().__init__(patches)
        self.optimizer, self.keys, self.decided = optimizer, dict(keys), decided
        self.alive, self.asked = [], 0

    def _key(self, function, arguments, options):
        """Returns the key of a value computed from numbers alone, else None."""
        if any(isinstance(v, (list, tuple, dict)) for v in arguments):
            return None
        values = [*arguments, *options.values()]
        tensors = [v for v in values if isinstance(v, Tensor)]
        if not tensors or any(id(t) not in self.keys for t in tensors):
            return None
        return (function.__name__, *(self.keys[id(v)] if isinstance(v, Tensor) else repr(v) for v in values), *options)

    def _answer(self, condition):
        key = self.keys.get(id(condition))
        if key is None:
            self.asked += 1
            key = "question", self.asked
        if key not in self.decided:
            raise Question(key, condition.detach().clone() != 0)
        return self.decided[key]

    def __torch_function__(self, function, types, arguments=(), options=None):
        options = options or {}
        first = arguments[0] if arguments else None
        if function in ITEM and first.dim() == 0:
            result = first.to(torch.float64) if first.dtype != torch.bool else first
        elif function in (Tensor.__bool__, Tensor.is_nonzero, torch.is_nonzero) and first.numel() == 1:
            return self._answer(first.reshape(()) if first.dim() else first)
        elif function in (Tensor.__int__, Tensor.__float__, Tensor.__index__, *ITEM):
            raise structure.refusal(self.optimizer, f"asks for the value of a tensor{places.of_running()}, expected an update that is the same in every step")
        else:
            if function in LERP:
                weight = options.get("weight", arguments[-1])
                if isinstance(weight, Tensor) and weight.dtype != first.dtype:
                    fits = weight.to(first.dtype)
                    arguments, options = (arguments, options | {"weight": fits}) if "weight" in options else ((*arguments[:-1], fits), options)
            result = function(*arguments, **options)
        if isinstance(result, Tensor):
            key = self._key(function, arguments, options)
            self.keys.pop(id(result), None)
            if key is not None:
                self.keys[id(result)] = key
                self.alive.append(result)
        return result


def explore(optimizer, run, merge):
    """Returns the result of `run(decided)`. If it raises Question for an undecided condition, both answers are run, and
    merge(condition, if_true, if_false) selects."""
    runs = 0

    def go(decided):
        nonlocal runs
        runs += 1
        if runs > 2 * RUNS:
            raise Many(str(structure.refusal(optimizer, f"decides in more than {RUNS} ways what a step does, by numbers or data that change, expected fewer")))
        try:
            return run(decided)
        except Question as question:
            asked = question
        return merge(asked.condition, go(decided | {asked.key: True}), go(decided | {asked.key: False}))

    return go({})

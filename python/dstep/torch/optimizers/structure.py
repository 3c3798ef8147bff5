"""The contents of an optimizer: tensors and numbers in its attributes, groups, states and the optimizers inside of it,
by path.

A path leads from the optimizer to a leaf: ("state", Name("layer.weight"), "exp_avg"), ("param_groups", 0, "step"),
("base", "state", ..).
"""
import collections
import copy
import copyreg
import types

import torch

from ...base.errors import FrontendError
from ..base.threads import replaced


class Name(str):
    """In a path: the parameter of this name as a key."""


# Attributes of hooks and schedulers, which are not part of the step.
OUTSIDE = {"_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
           "_optimizer_state_dict_post_hooks",
           "_optimizer_load_state_dict_pre_hooks", "_optimizer_load_state_dict_post_hooks", "_opt_called", "step"}
# Objects that are leaves, by type and by the library of their type.
CLOSED = (type, types.ModuleType, types.FunctionType, types.MethodType, torch.Tensor, torch.nn.Module)
LIBRARIES = ("builtins", "torch", "collections", "functools", "weakref", "logging")
# Options that choose among kernels of the same update.
KERNELS = {"foreach", "fused"}


def _copy(optimizer, memo):
    """Copies all attributes; PyTorch's own copy has only groups and states."""
    made = type(optimizer).__new__(type(optimizer))
    memo[id(optimizer)] = made
    for key, value in vars(optimizer).items():
        if key != "step":  # a scheduler's wrapper, which calls the original optimizer
            vars(made)[key] = copy.deepcopy(value, memo)
    return made


class _Reducers:
    """Defines how objects are copied. An object that cannot be copied is shared with the copy: a process group, a lock,
    a file, a module of Python."""

    def get(self, kind, default=None):
        known = copyreg.dispatch_table.get(kind, default)
        if known is not None:
            return known

        def reduce(value):
            if isinstance(value, types.GeneratorType):  # a second run would find it advanced
                raise FrontendError("a generator cannot be copied, expected a list, or numbers that a step makes")
            try:
                return value.__reduce_ex__(4)
            except TypeError:
                return ""  # the value itself
        return reduce


def copied(objects, memo=None):
    """Returns a deep copy of anything that holds optimizers. `memo` maps ids of tensors to their replacements in the
    copy."""
    with replaced(torch.optim.Optimizer, "__deepcopy__", _copy), replaced(copy, "dispatch_table", _Reducers()):
        return copy.deepcopy(objects, memo)


def _is_object(value):
    """True for an object of the optimizer's own class, such as Shampoo's preconditioners."""
    return (hasattr(value, "__dict__") and not isinstance(value, CLOSED)
            and type(value).__module__.split(".")[0] not in LIBRARIES)


def _is_sequence(value):
    return isinstance(value, (list, tuple, collections.deque)) and not hasattr(value, "_fields")


def inside(optimizer):
    """Returns the optimizers that an optimizer holds as attributes, or in lists and tuples of them."""
    held = [each for value in vars(optimizer).values() for each in (value if _is_sequence(value) else (value,))]
    return [each for each in held if isinstance(each, torch.optim.Optimizer)]


def walk(optimizer, names, change):
    """Replaces every leaf by change(path, leaf). `names` maps the id of a parameter to its name."""
    seen = set()

    def visit(path, value):
        if isinstance(value, (dict, list, torch.optim.Optimizer)) or _is_object(value):
            if id(value) in seen:
                return value
            seen.add(id(value))
        if isinstance(value, dict):
            for key in list(value):
                value[key] = visit((*path, Name(names[id(key)]) if id(key) in names else key), value[key])
        elif isinstance(value, list):
            value[:] = [visit((*path, i), v) for i, v in enumerate(value)]
        elif _is_sequence(value):
            return type(value)(visit((*path, i), v) for i, v in enumerate(value))
        elif isinstance(value, torch.optim.Optimizer) or _is_object(value):
            for key in [k for k in vars(value) if k not in OUTSIDE]:
                vars(value)[key] = visit((*path, key), vars(value)[key])
        elif isinstance(value, torch.Tensor) and id(value) in names:
            pass
        else:
            return change(path, value)
        return value

    visit((), optimizer)


def leaves(optimizer, names):
    found = {}

    def keep(path, value):
        found[path] = value
        return value

    walk(optimizer, names, keep)
    return found


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def kind(value):
    """Returns the properties of a leaf that stay constant when its value changes."""
    if isinstance(value, torch.Tensor):
        return "tensor", tuple(value.shape), value.dtype
    if is_number(value):
        return ("number",)
    if value is None or isinstance(value, (bool, str)):
        return "constant", value
    return "object", type(value).__name__


def spelled(path):
    """Returns (owner, key): a parameter's name, or 'optimizer', and the rest of the path."""
    for i, part in enumerate(path):
        if isinstance(part, Name):
            outer = [str(p) for p in path[:i] if p != "state"]
            return str(part), ".".join([*outer, *(str(p) for p in path[i + 1:])])
    return "optimizer", ".".join(str(p) for p in path)


def merge(optimizer, template, names, parameters):
    """Adds to `optimizer` the state that a first step creates: the parts of `template`, whose parameters have these
    names, that are missing."""
    memo = {key: parameters[name] for key, name in names.items()}

    def either(value, made):
        if kind(value) == kind(made) or type(value) is type(made) and isinstance(made, (dict, list)):
            return add(value, made)
        return copied(made, dict(memo))

    def add(value, other):
        if isinstance(value, dict) and isinstance(other, dict):
            held, items = value, {memo.get(id(key), key): made for key, made in other.items()}
        elif isinstance(value, torch.optim.Optimizer) or _is_object(value):
            held, items = vars(value), {key: made for key, made in vars(other).items() if key not in OUTSIDE}
        elif _is_sequence(value) and type(value) is type(other) and len(value) == len(other):
            found = [either(v, made) for v, made in zip(value, other)]
            if not isinstance(value, list):
                return type(value)(found)
            value[:], held, items = found, {}, {}
        else:
            return value
        for key, made in items.items():
            if key in held and key in KERNELS:
                continue
            held[key] = either(held[key], made) if key in held else copied(made, dict(memo))
        return value

    add(optimizer, template)


def refusal(optimizer, reason):
    return FrontendError(f"the optimizer {type(optimizer).__name__} {reason}")

"""Parts of the user's optimizer that are constants of an exported step. Parameters, states and hyper-parameters are
arguments."""
import torch

from ..base import checks, hooks
from . import structure

# Entries of a parameter group that schedulers write for themselves.
OF_SCHEDULERS = {"initial_lr", "max_lr", "min_lr", "swa_lr", "base_momentum", "max_momentum"}


def _is_plain(value):
    """True for a value that code may branch on, and that compares by value."""
    return value is None or isinstance(value, (bool, int, float, str)) or isinstance(value, (tuple, list)) and all(map(_is_plain, value))


def _comparable(value):
    return value.tolist() if isinstance(value, torch.Tensor) else value


def keys(capture):
    """Returns [constant options of each parameter group] that the optimizer knows. Entries added by schedulers are left
    out."""
    optimizer, hyper = capture.optimizer, capture.hyper
    carried, alone = capture.pure.keys, len(optimizer.param_groups) == 1
    return [[key for key in optimizer.defaults if key in group and f"{key}.{i}" not in hyper and ("param_groups", i, key) not in carried and not (key in hyper and alone)]
            for i, group in enumerate(optimizer.param_groups)]


def _numbers(capture):
    """Returns {path: value} of the numbers, flags and words of a foreign optimizer and of optimizers inside of it that
    its step does not carry."""
    foreign = capture.pure
    if not foreign.before:
        return {}
    leaves = structure.leaves(capture.optimizer, {id(p): n for n, p in capture.parameters.items()})
    numbers = {path: leaf.item() if isinstance(leaf, torch.Tensor) and leaf.dim() == 0 else leaf for path, leaf in leaves.items() if path in foreign.before and path not in foreign.keys}
    hyper = {("param_groups", i, key) for key, group in map(checks.option, capture.hyper) for i in ([group] if group is not None else range(len(capture.optimizer.param_groups)))}
    return {path: value for path, value in numbers.items() if _is_plain(value) and path not in hyper and path[-1] not in OF_SCHEDULERS}


def options(capture, chosen):
    """Returns {(group, option): value} of these `keys`, and the numbers of a foreign optimizer. An option that is an
    argument for all groups is represented by its ratio to the reference value."""
    optimizer, hyper = capture.optimizer, capture.hyper
    found = {(i, key): _comparable(checks.given(optimizer, {key: 1.0}, i, key, group[key]) if key in hyper else group.get(key))
             for i, (group, keys) in enumerate(zip(optimizer.param_groups, chosen)) for key in keys}
    return found | {("optimizer", ".".join(map(str, path))): value for path, value in _numbers(capture).items()}


def functions(capture, modules):
    """Returns all functions that a step calls besides the loss with these `modules`."""
    found = [f for p in capture.parameters.values() if p._backward_hooks or p._post_accumulate_grad_hooks for _, f in hooks.of_parameter(p)]
    found += hooks.of_backward(modules)
    return found + [f for when in ("pre", "post") for f in hooks.of_optimizer(capture.optimizer, when)] + ([capture.clip] if callable(capture.clip) else [])


def now(capture, chosen, modules):
    """Returns the constants of a capture's step, in a comparable form."""
    return options(capture, chosen), [list(map(id, group["params"])) for group in capture.optimizer.param_groups], list(map(id, functions(capture, modules)))

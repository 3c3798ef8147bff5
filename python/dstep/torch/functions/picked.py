"""Reductions of the elements that a mask selects (selection.py), along the dimension that counts them or of all.

Elements that are not selected are replaced by a neutral value: 0 in a sum, the least number in a maximum. Positions
count the selected elements only. The reduced dimension is 0 of `values` [n, *rest]; `mask` [n, 1 ..] is true for
selected rows.
"""
import math

import torch

from ..lowering.emit import highest, lowest
from .composed import _length

ARGUMENTS = {"norm": ("p", "dim", "keepdim", "dtype"), "linalg_norm": ("ord", "dim", "keepdim"),
             "linalg_vector_norm": ("ord", "dim", "keepdim"),
             "std": ("dim", "unbiased", "keepdim"), "var": ("dim", "unbiased", "keepdim"),
             "cosine_similarity": ("x2", "dim", "eps"),
             "normalize": ("p", "dim", "eps"), "gather": ("dim", "index"), "chunk": ("chunks", "dim"),
             "split": ("split_size", "dim"), "narrow": ("dim", "start", "length"),
             "softmax": ("dim", "_stacklevel", "dtype"), "log_softmax": ("dim", "_stacklevel", "dtype"),
             "cumsum": ("dim",), "cumprod": ("dim",),
             "unsqueeze": ("dim",), "squeeze": ("dim",), "unbind": ("dim",), "median": ("dim", "keepdim"),
             "flip": ("dims",)}
DEFAULTS = {"cosine_similarity": 1, "normalize": 1, "unbind": 0, "chunk": 0, "split": 0}


def bound(name, arguments, options):
    """Returns the arguments after the first one, by name."""
    names = ARGUMENTS.get(name, ("dim", "keepdim"))
    if name in ("std", "var") and len(arguments) > 1 and isinstance(arguments[1], bool):
        names = ("unbiased",)
    given = dict(zip(names, arguments[1:])) | options
    for other in ("axis", "ddof"):
        if other in given:
            given["dim" if other == "axis" else "correction"] = given.pop(other)
    if "dim" not in given and name in DEFAULTS:
        given["dim"] = DEFAULTS[name]
    return given


def _filled(values, mask, number):
    return torch.where(mask, values, torch.full((), number, dtype=values.dtype))


def _count(values, mask):
    """Returns the number of elements of each result, in the type of the values."""
    return mask.sum(0).to(values.dtype)


def _mean(values, mask):
    return _filled(values, mask, 0).sum(0) / _count(values, mask)


def _variance(values, mask, unbiased=True, correction=None):
    correction = int(unbiased) if correction is None else correction
    apart = _filled(values - _mean(values, mask), mask, 0)
    return (apart * apart).sum(0) / (_count(values, mask) - correction).clamp(min=0)


def _norm(values, mask, p="fro", ord=None, dtype=None):
    order = 2 if ord is None else ord
    order = order if p in ("fro", None) else p
    return torch.linalg.vector_norm(_filled(values, mask, math.inf if order < 0 else 0), order, 0)


def _median(values, mask):
    """Returns the lower of the two middle elements; NaN if an element is NaN."""
    ordered = torch.sort(_filled(values, mask, highest(values.dtype)), 0)[0]
    places = torch.arange(len(values)).reshape([-1] + [1] * (values.dim() - 1))
    found = torch.where(places == (mask.sum(0) - 1).clamp(min=0) // 2, ordered,
                        torch.zeros((), dtype=values.dtype)).sum(0).to(values.dtype)
    if not values.is_floating_point():
        return found
    bad = (mask & values.isnan()).any(0) | ~mask.any(0)
    return torch.where(bad, torch.full((), math.nan, dtype=values.dtype), found)


def _extreme(name):
    """Returns the extreme of all elements, or with positions along the dimension."""
    fill = lowest if name == "max" else highest

    def extreme(values, mask, along=False):
        values = _filled(values, mask, fill(values.dtype))
        if not along:
            return getattr(torch, f"a{name}")(values, 0)
        found = getattr(torch, name)(values, 0)
        return getattr(torch.return_types, name)((found.values, _among(mask, found.indices)))
    return extreme


def _among(mask, places):
    """Returns positions among all elements as positions among the selected ones."""
    order = (torch.cumsum(mask.reshape(len(mask)).to(torch.int64), 0) - 1).clamp(min=0)
    return order.gather(0, places.reshape(-1)).reshape(places.shape)


def _place(name):
    fill = lowest if name == "argmax" else highest
    return lambda values, mask: _among(mask, getattr(torch, name)(_filled(values, mask, fill(values.dtype)), 0))


REDUCTIONS = {
    "sum": lambda values, mask, dtype=None: _filled(values, mask, 0).sum(0, dtype=dtype),
    "mean": lambda values, mask, dtype=None: _mean(values.to(dtype or values.dtype), mask),
    "prod": lambda values, mask: _filled(values, mask, 1).prod(0), "amax": _extreme("max"), "amin": _extreme("min"),
    "max": _extreme("max"), "min": _extreme("min"),
    "argmax": _place("argmax"), "argmin": _place("argmin"), "any": lambda values, mask: (mask & (values != 0)).any(0),
    "all": lambda values, mask: (~mask | (values != 0)).all(0),
    "count_nonzero": lambda values, mask: (mask & (values != 0)).sum(0),
    "logsumexp": lambda values, mask: torch.logsumexp(_filled(values, mask, -math.inf), 0), "var": _variance,
    "std": lambda values, mask, **options: _length(_variance(values, mask, **options)), "norm": _norm,
    "linalg_norm": _norm, "linalg_vector_norm": _norm,
    "median": _median, "nansum": lambda values, mask: _filled(values, mask, 0).nansum(0),
}
# Functions of each element and those before it, or all: the neutral value of each.
KEEPING = {"softmax": -math.inf, "log_softmax": -math.inf, "cumsum": 0, "cumprod": 1, "logcumsumexp": -math.inf}

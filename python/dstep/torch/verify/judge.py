"""Compares two values of one step up to rounding.

A value may differ by RELATIVE of its tensor's largest element; an update of a parameter is compared with the largest
update. The gradient of a bias before a normalisation is 0 up to rounding, and two orders of the same sum agree in none
of its digits. So a gradient may also differ by some units in the last place of the sum of its terms' magnitudes. If
that fails, a last comparison allows for the movement of the captured step's value when all of its inputs move by a few
units in the last place.
"""
import collections
import math

import torch

RELATIVE, MOVED, TERMS = 1e-3, 16, 16
Difference = collections.namedtuple("Difference", "name at got expected")


def _wide(tensor):
    tensor = tensor.detach()
    return (tensor if tensor.dtype in (torch.float32, torch.float64)
            else tensor.to(torch.float32 if tensor.is_floating_point() else torch.float64))


def distance(got, expected):
    """Returns |got - expected| of each element; infinite if only one of them is NaN."""
    got, expected = _wide(got), _wide(expected)
    apart = (got - expected).abs()
    if not apart.numel() or math.isfinite(apart.max()):
        return apart
    alike = (got == expected) | got.isnan() & expected.isnan()  # true for equal infinities, too
    return torch.where(alike, torch.zeros((), dtype=apart.dtype), apart).nan_to_num(nan=math.inf, posinf=math.inf)


def largest(tensor):
    """Returns the largest finite magnitude."""
    values = _wide(tensor)
    if not values.numel():
        return 0.0
    found = max(map(abs, map(float, values.aminmax())))  # one pass without a copy
    if math.isfinite(found):
        return found
    values = values.abs()
    return float(torch.where(values.isfinite(), values, torch.zeros((), dtype=values.dtype)).amax())


class Judge:
    """Compares values; `moved(name)` returns, for the second comparison, how far the captured step moves the value of a
    name."""

    def __init__(self, precision, moved):
        self.relative, self.moved = max(RELATIVE, 16 * precision), moved

    def _difference(self, name, got, expected, allowed):
        if got.shape != expected.shape:
            return Difference(name, "", f"of the shape {tuple(got.shape)}", f"{tuple(expected.shape)}")
        if torch.equal(got, expected) or not got.numel():
            return None
        apart = distance(got, expected)
        if float(apart.max()) <= allowed:
            return None
        if isinstance(name, tuple) and bool((apart <= allowed + TERMS * self.moved.traced.precision
                                             * self.moved.terms(name[1])).all()):
            return None
        if float(apart.max()) <= allowed + MOVED * self.moved(name):
            return None
        at = tuple(int(i) for i in torch.unravel_index(apart.argmax(), apart.shape))
        return Difference(name, f"[{', '.join(map(str, at))}]" if at else "", f"{got[at].item():.7g}",
                          f"{expected[at].item():.7g}")

    def value(self, name, got, expected):
        exact = not got.is_floating_point()
        return self._difference(name, got, expected, 0.0 if exact else self.relative * largest(expected))

    def update(self, name, got, expected, before):
        """Compares a value that the step changes, by the size of its update."""
        if got.shape != expected.shape or before.shape != expected.shape or not got.is_floating_point():
            return self.value(name, got, expected)
        if torch.equal(got, expected):
            return None
        still = [torch.equal(value, before) for value in (got, expected)]
        if still[0] != still[1]:  # only one of them has changed
            changed = expected if still[0] else got
            if int((changed != before).sum()) * 4 > before.numel() > 1:
                return self._difference(name, got, expected, -math.inf)
        unit = torch.finfo(got.dtype).eps
        return self._difference(name, got, expected,
                                self.relative * largest(_wide(expected) - _wide(before)) + 4 * unit * largest(before))


class Moved:
    """How far the values of a traced step move when all of its inputs move by a few units in the last place; computed
    on demand."""

    def __init__(self, traced, leaves, inputs, gradients):
        self.arguments, self.traced, self.found, self.first = (leaves, inputs, gradients), traced, None, None

    def terms(self, name):
        """Returns the sums of the magnitudes of what the traced step adds to a parameter's gradient."""
        if self.first is None:
            self.traced.terms = {}
            self.first = self._run(None)
            self.scales, self.traced.terms = self.traced.terms, None
        return self.scales[name]

    def _shaken(self, tensor, generator):
        if not tensor.is_floating_point():
            return tensor
        noise = torch.empty(tensor.shape, dtype=torch.float64).uniform_(-1, 1, generator=generator)
        return tensor * (1 + 4 * self.traced.precision * noise).to(tensor.dtype)

    def __call__(self, name):
        if self.found is None:
            self.found = {}
            first = self.first = self._run(None) if self.first is None else self.first
            for seed in (1, 2):
                for key, value in self._run(torch.Generator().manual_seed(seed)).items():
                    apart = float(distance(value, first[key]).max()) if value.numel() else 0.0
                    self.found[key] = max(self.found.get(key, 0.0), apart)
        return self.found[name]

    def _run(self, generator):
        leaves, inputs, given = self.arguments
        shake = (lambda t: t) if generator is None else (lambda t: self._shaken(t, generator))
        gradients, values = self.traced.replay([shake(t) for t in leaves], [shake(t) for t in inputs],
                                               {n: shake(g) for n, g in given.items()})
        return values | {("gradient", n): g for n, g in gradients.items()}

"""Schedules that are functions of the step's number: a function of the caller's, or one of Optax."""
from collections.abc import Mapping

from ..base.checks import kind


def _fast(function):
    """Returns an Optax schedule compiled once by JAX; other functions may hold code that JAX cannot trace."""
    if not (getattr(function, "__module__", None) or "").startswith("optax"):
        return function
    import jax
    return jax.jit(function)


def functions_of(schedule, names):
    """Returns schedule= as {hyper-parameter: function}; `names` are the step's hyper-parameters."""
    if not isinstance(schedule, Mapping):
        if not callable(schedule):
            raise ValueError(f"schedule= is {kind(schedule)}, expected a function of the step's number, or {{hyper-parameter: function}}")
        if len(names) != 1:
            raise ValueError(f"schedule= is one function, but the step has the hyper-parameters {', '.join(names) or 'none'}, expected {{hyper-parameter: function}}"
                             if names else "schedule= is given, but the step has no hyper-parameter, expected an argument of the step such as a learning rate")
        schedule = {names[0]: schedule}
    for name, function in schedule.items():
        if name not in names:
            raise ValueError(f"schedule= names '{name}', expected one of the step's hyper-parameters {', '.join(names) or '(it has none)'}")
        if not callable(function):
            raise ValueError(f"schedule= has for '{name}' {kind(function)}, expected a function of the step's number")
    return {name: _fast(function) for name, function in schedule.items()}


class Called:
    """Functions of the number of the step, which counts from 0 as `position.step` does."""

    def __init__(self, functions, position):
        self.functions, self.position, self.next = functions, position, 0

    def values(self, steps):
        """Returns {hyper-parameter: its value in each of the next steps}."""
        self.first = max(self.next, self.position.step)
        found = {name: [self._value(name, function, number) for number in range(self.first, self.first + steps)] for name, function in self.functions.items()}
        self.next = self.first + steps
        return found

    @staticmethod
    def _value(name, function, number):
        value = function(number)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(f"schedule= gives for '{name}' {kind(value)} at step {number}, expected a number") from None

    def keep(self, steps):
        """Reports that only `steps` steps of `values` were taken."""
        self.next = self.first + steps

    def skip(self, steps):
        """Does nothing: the position holds the steps of an earlier process."""

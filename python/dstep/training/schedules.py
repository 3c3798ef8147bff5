"""Values of hyper-parameters that change from step to step: functions of the step's number, and the values of any
Schedule in an epoch."""
import typing
from collections.abc import Mapping, Sequence

from ..base.checks import kind
from ..base.errors import FrontendError


class Schedule(typing.Protocol):
    """Values of hyper-parameters that change from step to step."""

    def values(self, steps: int) -> dict[str, list[float]]:
        """Returns {hyper-parameter: its value in each of the next steps}, and takes these steps."""

    def keep(self, steps: int) -> None:
        """Reports that only `steps` steps of the last `values` were taken."""

    def skip(self, steps: int) -> None:
        """Advances by steps that an earlier process has taken."""


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
            raise ValueError(f"schedule= is {kind(schedule)}, expected a function of the step's number, or "
                             f"{{hyper-parameter: function}}")
        if len(names) != 1:
            raise ValueError("schedule= is one function, but the step has the hyper-parameters "
                             f"{', '.join(names) or 'none'}, expected {{hyper-parameter: function}}"
                             if names else "schedule= is given, but the step has no hyper-parameter, expected an "
                             "argument of the step such as a learning rate")
        schedule = {names[0]: schedule}
    for name, function in schedule.items():
        if name not in names:
            raise ValueError(f"schedule= names '{name}', expected one of the step's hyper-parameters "
                             f"{', '.join(names) or '(it has none)'}")
        if not callable(function):
            raise ValueError(f"schedule= has for '{name}' {kind(function)}, expected a function of the step's number")
    return {name: _fast(function) for name, function in schedule.items()}


class Called:
    """A Schedule of functions of the number of the step, which counts from 0 as `position.step` does."""

    def __init__(self, functions, position):
        self.functions, self.position, self.next = functions, position, 0

    def values(self, steps):
        self.first = max(self.next, self.position.step)
        found = {name: [self._value(name, function, number) for number in range(self.first, self.first + steps)]
                 for name, function in self.functions.items()}
        self.next = self.first + steps
        return found

    @staticmethod
    def _value(name, function, number):
        value = function(number)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(f"schedule= gives for '{name}' {kind(value)} at step {number}, "
                             "expected a number") from None

    def keep(self, steps):
        self.next = self.first + steps

    def skip(self, steps):
        """Does nothing: the position holds the steps of an earlier process."""


class Rates:
    """The values of a schedule in an epoch of `steps` steps."""

    def __init__(self, schedule, steps):
        self.schedule, self.steps, self.values = schedule, steps, schedule.values(steps)

    def end(self, taken):
        """Ends the epoch after `taken` steps."""
        if taken < self.steps:
            self.schedule.keep(taken)


class Values(Sequence):
    """A hyper-parameter in the steps of an epoch of unknown length; read in ascending order."""

    def __init__(self, rates, name):
        self.rates, self.name = rates, name

    def __len__(self):
        return 1 << 62

    def __getitem__(self, number):
        return self.rates.at(number)[self.name]


class AheadRates:
    """The values of a schedule in an epoch of unknown length, computed some steps at a time."""
    MANY = 32, 16, 8, 4, 2, 1

    def __init__(self, schedule):
        self.schedule, self.first = schedule, 0
        self._look()
        self.values = {name: Values(self, name) for name in self.found}

    def _look(self):
        """Reads ahead as far as the schedule goes: it may be made for exactly the steps of the training."""
        for many in self.MANY:
            self.many = many
            try:
                self.found = self.schedule.values(many)
                return
            except FrontendError:
                raise
            except Exception:  # an error of the user's schedule
                if many == 1:
                    raise

    def at(self, number):
        while number >= self.first + self.many:
            self.first += self.many
            self._look()
        return {name: values[number - self.first] for name, values in self.found.items()}

    def end(self, taken):
        """Ends an epoch after `taken` steps."""
        if taken < self.first + self.many:
            self.schedule.keep(max(taken - self.first, 0))

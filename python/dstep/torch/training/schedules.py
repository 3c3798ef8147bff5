"""Learning-rate schedulers that step after every step: their values are computed before a launch of several steps."""
import copy

import torch
from torch.optim import lr_scheduler

from ...base.errors import FrontendError
from ..optimizers.options import keys, options


class Function:
    """A function of the step's number, from `first` on, that returns the learning rate of all groups, with the
    interface of a scheduler."""

    def __init__(self, function, optimizer, first):
        self.function, self.optimizer, self.number = function, optimizer, first
        self._set()

    def _set(self):
        for group in self.optimizer.param_groups:
            group["lr"] = float(self.function(self.number))

    def step(self):
        self.number += 1
        self._set()

    def state_dict(self):
        return {"number": self.number}

    def load_state_dict(self, state):
        self.number = state["number"]


class Schedule:
    """`schedulers`: one, or a list, that a loop of PyTorch would call .step() of after optimizer.step(). A function
    returns the learning rate at the step's number, from `first` on. `capture` is that of the current export."""
    capture = None

    def __init__(self, schedulers, optimizer, first=0):
        given = list(schedulers) if isinstance(schedulers, (list, tuple)) else [schedulers]
        self.optimizer, self.schedulers = optimizer, [
            Function(s, optimizer, first) if callable(s) and not hasattr(s, "state_dict") else s for s in given]
        for scheduler in self.schedulers:
            if isinstance(scheduler, lr_scheduler.ReduceLROnPlateau):
                raise FrontendError("schedule= is a ReduceLROnPlateau, which looks at a metric, expected a function of "
                                    "the step's number; call its step(..) in callbacks=")
            if not callable(getattr(scheduler, "step", None)) or not hasattr(scheduler, "state_dict"):
                raise FrontendError(f"schedule= is a {type(scheduler).__name__}, expected a scheduler of "
                                    "torch.optim.lr_scheduler, a function of the step's number, or a list of them")
            if getattr(scheduler, "optimizer", optimizer) is not optimizer:
                raise FrontendError("schedule= is a scheduler of another optimizer")

    def values(self, steps):
        """Returns {hyper-parameter: its value in each of the next steps} of `capture`. The schedulers have then taken
        these steps; if one raises, none of them has."""
        capture = self.capture
        of_groups = [{key: value.clone() if isinstance(value, torch.Tensor) else value for key, value in group.items()
                      if key != "params"} for group in self.optimizer.param_groups]
        self.before = [copy.deepcopy(s.state_dict()) for s in self.schedulers], of_groups
        chosen, found = keys(capture), []
        constants = options(capture, chosen)
        for _ in range(steps):
            found.append(capture.hyper_now())
            try:
                self._step()
            except BaseException:
                self.keep(0)
                raise
            now = options(capture, chosen)
            if now != constants:
                self.keep(0)
                changed = sorted({key for (what, key), value in now.items() if constants.get((what, key)) != value})
                raise FrontendError(f"the schedule changes {', '.join(map(repr, changed))} of the optimizer, a "
                                    "constant of the step, expected what is an argument of it; name it in hyper=, or "
                                    "leave it to callbacks=")
        return {name: [values[name] for values in found] for name in capture.hyper}

    def _step(self):
        self.optimizer._opt_called = True  # schedulers warn unless a step of the optimizer came before theirs
        for scheduler in self.schedulers:
            scheduler.step()

    def skip(self, steps):
        """Advances by `steps` steps of an earlier process, whose schedulers had the same start."""
        for _ in range(steps):
            self._step()

    def keep(self, steps):
        """Reports that only `steps` steps of `values` were taken: resets the schedulers to that step."""
        states, groups = self.before
        for scheduler, state in zip(self.schedulers, states):
            scheduler.load_state_dict(copy.deepcopy(state))
        for group, old in zip(self.optimizer.param_groups, groups):
            for key, value in old.items():
                if isinstance(value, torch.Tensor) and isinstance(group[key], torch.Tensor):
                    group[key].copy_(value)  # the schedulers have written it
                else:
                    group[key] = value
        for _ in range(steps):
            self._step()

"""Epochs of steps on the data of an instance, with the checks of ds-run around each step."""
import contextlib
import math
import signal
import threading
import time
import typing

import numpy as np

from ..base import arrays, checks
from ..base.errors import RunError, in_python
from ..base.export import Export
from . import samples, streams

SHOW_EVERY = 0.1  # seconds between two lines of progress


class Trained(typing.NamedTuple):
    """The result of a training: parameters and states by name, the means of the metrics per epoch, the number of the
    next step."""
    values: dict
    metrics: list
    step: int
    interrupted: bool


class Begun(typing.NamedTuple):
    """The part of an epoch that an earlier process has trained: its steps, the sums of their metrics, and the state of
    the data."""
    steps: int = 0
    sums: list | None = None
    of_data: dict | None = None


class Launch(typing.NamedTuple):
    """Epochs of one export from step `first` on. `values` are hyper-parameters that change: {name: a value for each
    step}; `begun` belongs to the first epoch."""
    export: Export
    args: typing.Any
    epochs: int
    first: int
    values: dict
    begun: Begun
    pauses: bool
    saves: bool


class Watcher(typing.Protocol):
    """The work after the steps of a launch."""

    def show(self, step: int, metrics: dict, samples_per_second: float, ended: bool) -> None:
        """Shows a step and the means of its epoch so far; `ended`: it is the last one of the epoch."""

    def pause(self, export: Export, trained: Trained) -> typing.Any:
        """Takes the epochs since the last pause, if the launch `pauses`; returns the arguments of the next epoch, or
        None to end."""

    def save_step(self, export: Export, values: typing.Callable, step: int, done: int, sums: list, stops: bool) -> None:
        """Follows each step if the launch `saves`. `values` is a function that returns {name: array}, `done` counts the
        steps of the epoch; `stops`: the step ends the training."""


class Interrupts:
    """Ctrl-C during a training. The first one sets `noted`, so that the current step completes; a second one is raised.
    Nothing is changed if the caller handles the signal itself, or outside of the main thread."""

    def __init__(self):
        self.noted, self.changes = False, False

    def _note(self, *_):
        if self.noted:
            raise KeyboardInterrupt
        self.noted = True

    def __enter__(self):
        self.changes = (threading.current_thread() is threading.main_thread()
                        and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if self.changes:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_):
        if self.changes:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextlib.contextmanager
    def passed_on(self):
        """Runs the user's code with Ctrl-C raised at once; raises a Ctrl-C that was noted before."""
        self.__exit__()
        try:
            if self.noted:
                raise KeyboardInterrupt
            yield
        finally:
            if self.changes:
                signal.signal(signal.SIGINT, self._note)


def refuse_infinite(before, trained, described, step):
    """Raises RunError if a trained value is not finite and was finite before. The loss of a step is computed before its
    update, so no metric shows an update that overflows."""
    for i, value in trained.items():
        if value.dtype.kind not in "iub" and not np.isfinite(value).all() and np.isfinite(before[i]).all():
            what = float(value[~np.isfinite(value)].flat[0])
            raise RunError(f"'{described[i]['name']}' holds {what} after step {step}, so the training stops and does "
                           "not keep its values")


class Epochs:
    """Epochs of a runner's exports: parameters and states are written before each epoch and read after it. The data
    stays open while it is the same. With `saved`, checkpoints identify the data."""

    def __init__(self, runner, seed, last_batch, saved=False):
        self.runner, self.seed, self.last_batch, self.saved, self.opened, self.data = (runner, seed, last_batch, saved,
                                                                                       None, None)
        self.interrupts = Interrupts()
        self.of_user = self.interrupts.passed_on

    def __enter__(self):
        self.interrupts.__enter__()
        return self

    def __exit__(self, *_):
        self.interrupts.__exit__()
        self._close()

    def _close(self):
        if self.data is not None:
            self.data.close()
        self.data = self.opened = None

    def _is_open(self, instance, values):
        if self.data is not None and self.data.instance is instance and self.opened is values:
            return True
        self._close()
        return False

    def open(self, export, values):
        """Opens {argument: array or file} as the data of the next epochs; returns the number of steps of an epoch."""
        instance = self.runner.instance(export)
        if not self._is_open(instance, values):
            try:
                self.data, self.opened = samples.Data(instance, values, self.seed, self.last_batch, self.saved), values
            except RunError as error:
                raise RunError(in_python(error)) from None
        return self.data.steps_per_epoch

    def open_stream(self, export, source, size, state=None):
        """Opens the batches of an epoch of a loading.Batches, from the position that `state` holds."""
        instance = self.runner.instance(export)
        if not self._is_open(instance, source):
            self.data, self.opened = streams.Stream(export, instance, source, size, self.seed, self.last_batch,
                                                    self.saved), source
        self.data.begin(state)

    def train(self, launch, watcher):
        """Trains the epochs of a Launch; returns a Trained, which repeats no metrics that watcher.pause got. A failure
        restores parameters and states."""
        export, step, begun, metrics, held = launch.export, launch.first, launch.begun, [], None
        accepted, hyper = self._read_inputs(launch, launch.args)
        for number in range(launch.epochs):
            try:
                if held is None:
                    self._write(accepted)
                epoch = _Epoch(self, launch, watcher, accepted, hyper, step, begun)
                with self.runner.running(export, step + 1):
                    epoch.run()
                step += epoch.done
                for name, value in epoch.means().items():
                    if not math.isfinite(value):
                        raise RunError(f"metric '{name}' is {value} after step {step}, so the training stops and does "
                                       "not keep its values")
                held = epoch.read(step)
            except BaseException:
                self._write(accepted)
                raise
            metrics, begun = [*metrics, epoch.means()], Begun()
            if epoch.stops or number == launch.epochs - 1:
                break
            if launch.pauses:
                following, metrics = watcher.pause(export, Trained(named(export, held), metrics, step, False)), []
                if following is None:
                    break
                accepted, hyper = self._read_inputs(launch, following)
                if any(held[i].tobytes() != value.tobytes() for i, value in accepted.items()):
                    held = None  # written to the ranks again; otherwise these keep their local states
        return Trained(named(export, accepted if held is None else held), metrics, step, epoch.stops)

    def _read_inputs(self, launch, args):
        """Returns ({slot: parameter or state}, {slot: the values of a hyper-parameter in the steps of an epoch})."""
        instance, described, flat = self.data.instance, launch.export.manifest["args"], launch.export.flatten(args)
        held = {i: instance.fitting(i, arrays.narrowed(flat[i], instance.dtype(i))).copy()
                for i, a in enumerate(described) if a["role"] in ("param", "state")}
        return held, {i: launch.values.get(a["name"]) or [checks.number(a["name"], flat[i])]
                      for i, a in enumerate(described) if a["role"] == "hyper"}

    def _write(self, values):
        for i, value in values.items():
            self.data.instance.write(i, value)
        if self.runner.joined:
            self.data.instance.broadcast()  # the values of process 0 are the initial values of all


def named(export, held):
    """Returns {slot: value} of the ranks as {name: value} of the export's types."""
    described = export.manifest["args"]
    return {described[i]["name"]: arrays.restore(value, arrays.dtype(described[i]["dtype"]))
            for i, value in held.items()}


class _Epoch:
    """The rest of an epoch, from step `first` on: `done` steps of it, and the sums of all metrics. `stops`: a Ctrl-C or
    a non-finite metric ended it."""

    def __init__(self, epochs, launch, watcher, accepted, hyper, first, begun):
        self.data, self.interrupts, self.instance = epochs.data, epochs.interrupts, epochs.data.instance
        self.launch, self.watcher, self.accepted, self.hyper, self.first, self.before = (launch, watcher, accepted,
                                                                                         hyper, first, begun.steps)
        self.sums = [0.0] * len(self.data.metrics) if begun.sums is None else list(begun.sums)
        self.done, self.stops, self.given = 0, False, {}
        self.began = self.shown = time.monotonic()
        self.size = min(a["global_shape"][a["dim"]] for a in self.instance.arguments if a["role"] == "batch")

    def run(self):
        ended = self._is_over()
        while not ended and not self.stops:
            self._step()
            if self.launch.saves:  # before the next batch is taken
                self.watcher.save_step(self.launch.export, self._now, self.first + self.done, self.before + self.done,
                                       self.sums, self.stops)
            ended = not (self.stops and self.data.steps_per_epoch is None) and self._is_over()
            self._show(ended)

    def _is_over(self):
        """True if no batch is left. A Ctrl-C while the source of a stream runs keeps the values trained so far."""
        if self.data.steps_per_epoch is not None:
            return self.before + self.done >= self.data.steps_per_epoch
        try:
            with self.interrupts.passed_on():
                return not self.data.next()
        except KeyboardInterrupt:
            if not self.done:
                raise
            self.stops = True
            return False

    def _step(self):
        for i, values in self.hyper.items():
            value = values[min(self.done, len(values) - 1)]
            if self.given.get(i) != value:
                self.instance.write(i, np.array(value, self.instance.dtype(i)))
                self.given[i] = value
        metrics, stops = self.data.run(self.first + self.done, self.interrupts.noted)
        self.done += 1
        # A non-finite metric is an error of the epoch.
        self.stops = stops or not all(map(math.isfinite, metrics))
        self.sums = [total + value for total, value in zip(self.sums, metrics)]

    def means(self):
        return {name: total / max(self.before + self.done, 1) for name, total in zip(self.data.metrics, self.sums)}

    def read(self, step):
        """Returns {slot: trained value}; raises RunError for a value that is not finite any more."""
        found = {i: self.instance.read(i) for i in self.accepted}
        refuse_infinite(self.accepted, found, self.launch.export.manifest["args"], step)
        return found

    def _now(self, step):
        return named(self.launch.export, self.read(step))

    def _show(self, ended):
        now = time.monotonic()
        if now - self.shown > SHOW_EVERY or ended or self.stops:
            self.shown = now
            self.watcher.show(self.first + self.done, self.means(), self.size * self.done / max(now - self.began, 1e-9),
                              ended)

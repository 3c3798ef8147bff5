"""A training in this process: an epoch of steps on the data of an instance, with the checks of ds-run around each
step."""
import contextlib
import functools
import math
import signal
import threading
import time

import numpy as np

from ..base import arrays, checks
from ..base.errors import RunError, in_python
from ..session.run import Trained
from . import samples, streams

SHOW_EVERY = 0.1  # seconds between two lines of progress


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
        self.changes = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
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
            raise RunError(f"'{described[i]['name']}' holds {what} after step {step}, so the training stops and does not keep its values")


class Training:
    """Epochs of a runner's exports: parameters and states are written before each epoch and read after it. The data
    stays open while it is the same. With `saved`, checkpoints identify the data."""

    def __init__(self, runner, seed, last_batch, saved=False):
        self.runner, self.seed, self.last_batch, self.saved, self.opened, self.data = runner, seed, last_batch, saved, None, None
        self.interrupts = Interrupts()
        self.of_user = self.interrupts.passed_on

    def __enter__(self):
        self.interrupts.__enter__()
        return self

    def __exit__(self, *_):
        self.interrupts.__exit__()
        self.close()

    def close(self):
        if self.data is not None:
            self.data.close()
        self.data = self.opened = None

    def open(self, export, values):
        """Opens {argument: array or file} as the data of the next epochs; returns the number of steps of an epoch."""
        instance = self.runner.instance(export)
        if self.data is None or self.data.instance is not instance or self.opened is not values:
            self.close()
            try:
                self.data, self.opened = samples.Data(instance, values, self.seed, self.last_batch, self.saved), values
            except RunError as error:
                raise RunError(in_python(error)) from None
        return self.data.steps_per_epoch

    def open_stream(self, export, source, size, state=None):
        """Opens the batches of an epoch of a loading.Batches, from the position that `state` holds."""
        instance = self.runner.instance(export)
        if self.data is None or self.data.instance is not instance or self.opened is not source:
            self.close()
            self.data, self.opened = streams.Stream(export, instance, source, size, self.seed, self.last_batch, self.saved), source
        self.data.begin(state)

    def train(self, export, args, epochs, first, seen=None, between=None, values=None, saving=None, begun=(0, None)):
        """Trains for `epochs` from step `first` on; returns a Trained. A failure restores parameters and states.

        between(trained) is called after each epoch but the last one, with a Trained of the epochs since the last call.
        It returns the arguments of the next epoch, or None to end; the returned Trained repeats no metrics that
        `between` got. `values` are hyper-parameters that change: {name: a value for each step}. `begun` holds the steps
        of the first epoch that were taken before, and the sums of their metrics. saving(values, step, steps of the
        epoch, sums, True if the step ends the training) is called after each step; its `values` is a function that
        returns {name: array}."""
        described, metrics, held, self.export = export.manifest["args"], [], None, export
        accepted, hyper = self._given(export, args, values)

        def named(held):
            return {described[i]["name"]: arrays.restore(value, arrays.dtype(described[i]["dtype"])) for i, value in held.items()}

        def now(step):
            found = {i: self.data.instance.read(i) for i in accepted}
            refuse_infinite(accepted, found, described, step)
            return named(found)

        for number in range(epochs):
            try:
                if held is None:
                    self._write(accepted)
                with self.runner.running(export, first + 1):
                    done, means, interrupted = self._steps(self.data, hyper, first, number, seen or (lambda line: None), saving and functools.partial(saving, now), begun)
                for name, value in means.items():
                    if not math.isfinite(value):
                        raise RunError(f"metric '{name}' is {value} after step {first + done}, so the training stops and does not keep its values")
                held = {i: self.data.instance.read(i) for i in accepted}
                refuse_infinite(accepted, held, described, first + done)
            except BaseException:
                self._write(accepted)
                raise
            first, metrics, begun = first + done, [*metrics, means], (0, None)
            if interrupted or number == epochs - 1:
                break
            if between:
                following, metrics = between(Trained(named(held), metrics, first, False)), []
                if following is None:
                    break
                accepted, hyper = self._given(export, following, values)
                if any(held[i].tobytes() != value.tobytes() for i, value in accepted.items()):
                    held = None  # written to the ranks again; otherwise these keep their local states
        return Trained(named(held if held is not None else accepted), metrics, first, interrupted)

    def _given(self, export, args, values):
        """Returns ({slot: parameter or state}, {slot: the values of a hyper-parameter in the steps of an epoch})."""
        instance, described, flat = self.data.instance, export.manifest["args"], export.flatten(args)
        held = {i: instance.fitting(i, arrays.narrowed(flat[i], instance.dtype(i))).copy() for i, a in enumerate(described) if a["role"] in ("param", "state")}
        return held, {i: (values or {}).get(a["name"]) or [checks.number(a["name"], flat[i])] for i, a in enumerate(described) if a["role"] == "hyper"}

    def _write(self, values):
        for i, value in values.items():
            self.data.instance.write(i, value)
        if self.runner.joined:
            self.data.instance.broadcast()  # the values of process 0 are the initial values of all

    def _steps(self, data, hyper, first, number, seen, saving, begun):
        """Runs the rest of one epoch; returns (steps, means of the metrics, True if a Ctrl-C or a non-finite metric
        ended it)."""
        instance, given, (before, sums) = data.instance, {}, begun
        sums, done, stops = [0.0] * len(data.metrics) if sums is None else list(sums), 0, False
        began = shown = time.monotonic()
        size = min(a["global_shape"][a["dim"]] for a in instance.arguments if a["role"] == "batch")

        def is_over():
            nonlocal stops
            if data.steps_per_epoch is not None:
                return before + done >= data.steps_per_epoch
            try:
                with self.of_user():
                    return not data.next()
            except KeyboardInterrupt:
                if not done:
                    raise
                stops = True  # the values trained so far are kept
                return False

        ended = is_over()
        while not ended and not stops:
            for i, values in hyper.items():
                value = values[min(done, len(values) - 1)]
                if given.get(i) != value:
                    instance.write(i, np.array(value, instance.dtype(i)))
                    given[i] = value
            done += 1
            metrics, stops = data.run(first + done - 1, self.interrupts.noted)
            # A non-finite metric is an error of the epoch.
            stops = stops or not all(map(math.isfinite, metrics))
            sums = [total + value for total, value in zip(sums, metrics)]
            if saving:  # before the next batch is taken
                saving(first + done, before + done, sums, stops)
            ended = not (stops and data.steps_per_epoch is None) and is_over()
            now = time.monotonic()
            if now - shown > SHOW_EVERY or ended or stops:
                shown, means = now, {name: total / (before + done) for name, total in zip(data.metrics, sums)}
                seen({"event": "progress", "epoch": number, "step": first + done, "metrics": means, "samples_per_second": size * done / max(now - began, 1e-9),
                      "ended": ended})
        return done, {name: total / max(before + done, 1) for name, total in zip(data.metrics, sums)}, stops

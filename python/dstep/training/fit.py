"""Training on a dataset, with progress, validation and callbacks. Each training continues after the one before.

epochs.py runs the steps of an epoch, feeds.py opens its data. Samples and random keys depend on the number of the next
step only, so several trainings give the bits of one.
"""
import contextlib
import math

from ..base import checks
from ..session.run import Interrupted
from ..session.session import Session
from . import progress, streams
from .epochs import Begun, Epochs, Launch
from .feeds import feed_of


class Position:
    """The position of a training: `step` counts all steps, `data` identifies the data of the last ones."""

    def __init__(self):
        self.step, self.data = 0, None

    def enter(self, samples, per_epoch, seed):
        """Starts a new epoch for other data, so that no random key is used twice."""
        if self.data != (samples, per_epoch, seed) and per_epoch:
            self.step = -(-self.step // per_epoch) * per_epoch
        self.data = samples, per_epoch, seed

    def leave(self, steps):
        """Advances by `steps` steps on other samples."""
        self.step, self.data = self.step + steps, None


class Training(Session):
    """A Session whose steps train: `position` counts them."""

    def __init__(self, runner):
        super().__init__(runner)
        self.position = Position()

    def _fit(self, learner, data, policy, schedule=None):
        """Trains by a Policy, and returns the metrics of each epoch. `data` is {name: array or file}, or
        loading.Samples. Raises Interrupted at Ctrl-C if at least one step was trained, ValueError for a wrong option,
        and RunError if a step fails."""
        return Fit(self.runner, self.position, learner, data, policy, schedule).run()


class Fit:
    """One call of fit. `history` holds the metrics of finished epochs."""

    def __init__(self, runner, position, learner, data, policy, schedule):
        self.runner, self.position, self.learner, self.policy, self.schedule = (runner, position, learner, policy,
                                                                                schedule)
        self.feed, export = feed_of(self, data), learner.now()[0]
        if policy.stopper and not policy.validation:
            policy.stopper.refuse_unknown([r["role"][len("metric:"):]
                                           for r in export.manifest["results"] if r["role"].startswith("metric:")])
        # The samples that all ranks take together in a step, and in a joined world those that this process passes.
        is_local = runner.config["batch"] == "local"
        self.samples = export.batch_size * (runner.ranks_of() if is_local else 1)
        self.size = export.batch_size * (runner.sharing if is_local else 1)
        self.display = progress.create(policy.progress if runner.is_first else "none")
        self.saves, self.resumed = policy.save is not None, False
        self.history, self.taken, self.is_stopped = [], 0, False  # `is_stopped`: by a callback
        self.begun = Begun()

    def run(self):
        policy = self.policy
        opened = policy.checkpoint.opened(self.runner.is_first) if self.saves else contextlib.nullcontext()
        with self.display, opened, Epochs(self.runner, policy.seed, policy.last_batch, self.saves) as self.epochs:
            try:
                if self.saves:
                    self._resume()
                while len(self.history) < policy.epochs and not self._ends():
                    self._launch()
            except KeyboardInterrupt:
                if not self.history:  # nothing was trained
                    raise
                raise Interrupted(f"interrupted after step {self.position.step}; what was trained is kept",
                                  self.history) from None
        return self.history

    def _ends(self):
        return self.is_stopped or bool(self.policy.stopper and self.policy.stopper.ends)

    def _launch(self):
        """Trains one epoch, or all that are left if nothing comes between two of them that needs the data anew."""
        export, args = self.learner.now()
        rates = self.feed.open(export)
        is_whole = self.feed.is_kept and self.schedule is None and not self.saves
        pauses = is_whole and bool(self.policy.validation or self.policy.callbacks or self.policy.stopper)
        first, taken = self.position.step, 0
        launch = Launch(export, args, self.policy.epochs - len(self.history) if is_whole else 1, first,
                        rates.values if rates else {}, self.begun, pauses, self.saves)
        try:
            trained = self.epochs.train(launch, self)
            taken = trained.step - first
        finally:
            if rates:
                rates.end(taken)
        self.taken, self.begun = self.taken + self.begun.steps + taken, Begun()
        if isinstance(self.epochs.data, streams.Stream):
            self.position.data = None  # other samples start with an epoch of their own
        if trained.metrics:
            self._end_epoch(trained)
        elif trained.interrupted:
            raise KeyboardInterrupt
        if self.saves:
            export, args = self.learner.now()
            self._write(export.initial_values(args), self.position.step, export)

    def _end_epoch(self, trained):
        """Stores trained values, and calls validation and callbacks."""
        self.position.step = trained.step
        values = self.learner.accept(trained.values)
        self.history.extend(trained.metrics)
        if trained.interrupted:
            raise KeyboardInterrupt
        policy, history = self.policy, self.history
        with self.epochs.of_user():
            if policy.validation:
                history[-1] = history[-1] | checks.validated(policy.validation(*values))
                self.display.validated(history[-1])
            # Every callback is called, even after one has stopped the training.
            self.is_stopped = True in [callback(len(history) - 1, history[-1], *values)
                                       for callback in policy.callbacks]
        if policy.stopper:
            policy.stopper.consider(history[-1])
            if policy.stopper.ends:
                self.display.note(str(policy.stopper))

    # The methods that Epochs calls.
    def show(self, *progress_of_step):
        self.display.step_taken(*progress_of_step)

    def pause(self, export, trained):
        """Ends an epoch that others follow; returns their arguments, or None if none follows or it is one of another
        step."""
        self._end_epoch(trained)
        following = (None, None) if self._ends() else self.learner.now()
        return following[1] if following[0] is export else None

    def save_step(self, export, values, step, done, sums, stops):
        """Writes a checkpoint after a step if one is due. `values` is a function that returns {name: array}."""
        if (stops or self.policy.checkpoint.is_due(step)) and all(map(math.isfinite, sums)):
            self._write(values(step), step, export, done, sums, numbered=not stops)

    # Checkpoints.
    def _write(self, values, step, export, done=0, sums=None, numbered=False):
        """Writes a checkpoint. A Stream reports its own state, of other data ds records which samples they are."""
        if not self.runner.is_first:
            return
        data, stopper, position = self.feed.identified(), self.policy.stopper, self.position
        is_stream = isinstance(data, streams.Stream)
        facts = {"history": self.history, "done": done, "sums": sums, "of_data": data.state() if is_stream else None,
                 "taken": self.taken + done,
                 "seed": self.policy.seed, "batch_size": self.samples,
                 "data": list(position.data) if position.data else None, "stopped": self.is_stopped,
                 "stopper": stopper and stopper.state()}
        self.policy.checkpoint.write(values, step, facts, self.runner.instance(export), None if is_stream else data,
                                     numbered)

    def _resume(self):
        """Takes over the checkpoint of this training, if there is one."""
        policy, found = self.policy, self.policy.checkpoint.found()
        if found is None:
            return
        values, step, facts = found
        for name, now in (("seed", policy.seed), ("batch_size", self.samples)):
            if facts[name] != now:
                raise ValueError(f"save='{policy.checkpoint.path}' is of another training: it has {name} "
                                 f"{facts[name]}, but this one {now}")
        export = self.learner.now()[0]
        policy.checkpoint.check(self.runner.instance(export))
        self.resumed, self.position.step, self.position.data = (True, step,
                                                                tuple(facts["data"]) if facts["data"] else None)
        self.history, self.taken, self.is_stopped = facts["history"], facts["taken"] - facts["done"], facts["stopped"]
        if policy.stopper and facts["stopper"]:
            policy.stopper.load(facts["stopper"])
        self.learner.accept(policy.checkpoint.values(export, values))
        self.begun = Begun(facts["done"], facts["sums"], facts["of_data"])
        if self.schedule:
            self.schedule.skip(self.taken + self.begun.steps)

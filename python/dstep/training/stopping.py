"""Ends a training that no longer improves, as --early-stopping of ds-run does (lib/Run/Train/EarlyStopping.cpp)."""
import math

from ..base.checks import kind


class EarlyStopping:
    """Counts the epochs since a metric last improved by more than min_delta; NaN is never an improvement."""

    def __init__(self, text):
        self.text, self.best, self.since, self.patience, self.min_delta = text, None, 0, 3, 0.0
        if not isinstance(text, str):
            raise ValueError(f"early_stopping= is {kind(text)}, expected a text such as \"val_loss,patience=3\"")
        first, *rest = text.split(",")
        metric, _, direction = first.rpartition(":")
        if direction not in ("min", "max"):
            metric, direction = first, "max" if "accuracy" in first.lower() else "min"
        self.metric, self.largest = metric.strip(), direction == "max"
        good = bool(self.metric)
        for word in rest:
            key, _, value = word.strip().partition("=")
            try:
                if key == "patience":
                    self.patience = int(value)
                elif key == "min_delta":
                    self.min_delta = float(value)
                else:
                    good = False
            except ValueError:
                good = False
        if not good or self.patience < 1 or not 0 <= self.min_delta < math.inf:
            raise ValueError(f"early_stopping={text!r}, expected METRIC[:min|max][,patience=N][,min_delta=D] with N "
                             "from 1 and D from 0")

    def refuse_unknown(self, names):
        """Refuses a metric that is not in `names`."""
        if self.metric not in names:
            raise ValueError(f"early_stopping= names '{self.metric}', which is no metric of this training "
                             f"({', '.join(names) or 'it has none'})")

    def consider(self, metrics):
        """Counts an epoch with its metrics."""
        self.refuse_unknown(metrics)
        value = metrics[self.metric]
        gain = math.inf if self.best is None else value - self.best if self.largest else self.best - value
        if not math.isnan(value) and gain > self.min_delta:
            self.best, self.since = value, 0
        else:
            self.since += 1

    @property
    def ends(self):
        return self.since >= self.patience

    def __str__(self):
        return (f"early stopping: {self.metric} was no better than "
                f"{'nan' if self.best is None else format(self.best, '.4f')} in {self.since} epochs")

    def state(self):
        return {"metric": self.metric, "largest": self.largest, "best": self.best, "since": self.since}

    def load(self, state):
        """Restores the count of an earlier process if it is of the same metric."""
        if (state["metric"], state["largest"]) == (self.metric, self.largest):
            self.best, self.since = state["best"], state["since"]

"""The options of fit, checked; and the parts of a training that front ends bring."""
import dataclasses
import os
import typing
from collections.abc import Callable, Sequence
from typing import Any

from ..base import checks
from ..base.export import Export
from .saving import Checkpoint
from .stopping import EarlyStopping


@dataclasses.dataclass
class Policy:
    """The options of fit, which the front ends describe. Raises ValueError for a wrong one."""
    epochs: int = 1
    seed: int = 0
    validation: Callable[..., Any] | None = None
    callbacks: Sequence[Callable[..., Any]] = ()
    progress: str = "auto"
    last_batch: str | None = None
    save: str | os.PathLike[str] | None = None
    save_every: int | None = None
    resume: bool = False
    early_stopping: str | None = None

    def __post_init__(self):
        self.checkpoint = Checkpoint(self.save, self.save_every, self.resume)
        self.epochs, self.seed = checks.integer("epochs", self.epochs, 1), checks.integer("seed", self.seed, 0)
        self.callbacks = checks.calls(self.callbacks, self.validation)
        if self.last_batch not in (None, "drop", "wrap"):
            raise ValueError(f"last_batch={self.last_batch!r}, expected 'drop' or 'wrap'")
        self.stopper = None if self.early_stopping is None else EarlyStopping(self.early_stopping)


class Learner(typing.Protocol):
    """The trained values of the user, in the form of a front end."""

    def now(self) -> tuple[Export, Any]:
        """Returns the export and the arguments of the next epoch."""

    def accept(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Stores {name: array} of trained values; returns the arguments of validation and callbacks."""

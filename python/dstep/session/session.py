"""A session: the steps of one training on the ranks that a Runner describes, which stay between calls."""
from collections.abc import Sequence

from ..base.errors import RunError
from ..base.export import Export
from .device import HeldArray, held
from .plan import Plan, make_plan


class Session:
    """Front ends define `_on_ranks`, and the calls that export and run a step."""

    def __init__(self, runner):
        self.runner = runner

    def _on_ranks(self):
        """Returns (instance, export) of the last step, or None before the first one."""
        raise NotImplementedError

    def _held(self):
        found = self._on_ranks()
        if found is None:
            raise RunError("the ranks of this process hold nothing yet, expected a step before")
        return held(found[0], found[1].manifest["args"])

    def parameters(self) -> dict[str, HeldArray]:
        """Returns {name: HeldArray} of the parameters on the ranks' device; other libraries read them by DLPack. They
        always hold the values of the last step. Raises RunError before the first step."""
        return self._held()[0]

    def states(self) -> dict[str, HeldArray]:
        """Returns the states that a step passes to the next one, in the form of `parameters`."""
        return self._held()[1]

    def _plan(self, export: Export, explain: str | Sequence[str]) -> Plan:
        """Returns the plan of an exported step over the ranks, without running it."""
        return self.runner.with_samples(export, lambda: make_plan(self.runner, export.mlir, explain, export.manifest))

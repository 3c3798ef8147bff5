"""A strategy of Lightning: the networks of a LightningModule and their gradients are computed on ranks of this process.

    trainer = pl.Trainer(strategy=DsStrategy(ranks=2), accelerator="cpu")

While `fit` runs, each network is what `network.compile(backend="dstep")` makes of it (backend.py). Loss, optimizers, callbacks, checkpoints, logging and
evaluation stay Lightning's, on one copy of the module. Networks are the modules that the LightningModule holds and that have parameters; those of a list
or dict of modules one by one. What `training_step` computes outside of them runs in PyTorch. A training whose first batch reaches no network as a whole
is refused, since nothing of it would run on the ranks.

The Lightning that the script has imported is taken, `pytorch_lightning` or `lightning.pytorch`.
"""
import importlib
import sys
from collections.abc import Mapping
from typing import Any

import torch

from .. import checks
from ..run import Runner
from . import backend


def _lightning():
    names = sorted(("pytorch_lightning", "lightning.pytorch"), key=lambda name: name not in sys.modules)
    for name in names:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name.split(".")[0]:
                raise
    raise ImportError("DsStrategy needs Lightning: pip install pytorch-lightning")


pl: Any = _lightning()
_Strategy: Any = pl.strategies.SingleDeviceStrategy
_NO_FORWARD = torch.nn.Module.forward


def networks(module, prefix=""):
    """(name, module) of what can be called as a whole and has parameters."""
    for name, child in module.named_children():
        if next(child.parameters(), None) is None:
            continue
        if type(child).forward is _NO_FORWARD:  # ModuleList, ModuleDict
            yield from networks(child, f"{prefix}{name}.")
        else:
            yield prefix + name, child


class DsStrategy(_Strategy):
    """`ranks`: threads of this process, of which each computes its share of a batch. `config`: the keys of a configuration, {key: value}; `shapes`: for how
    many shapes of a batch a network is compiled (8). Raises MisconfigurationException for a module that ds cannot compile as said above."""
    strategy_name = "ds"

    def __init__(self, ranks: int, config: Mapping[str, Any] | None = None, shapes: int = 8, checkpoint_io: Any = None, precision_plugin: Any = None) -> None:
        super().__init__("cpu", checkpoint_io=checkpoint_io, precision_plugin=precision_plugin)
        self.options: dict[str, Any] = {"ranks": checks.integer("ranks", ranks, 1), "shapes": checks.integer("shapes", shapes, 1)}
        if config is not None:
            self.options["config"] = dict(checks.mapping("config", config, "{key: value}"))
        self.compiled: dict[str, torch.nn.Module] = {}
        self.is_used = False

    def setup_environment(self):
        Runner.refuse_launched()  # here ranks are threads, and processes would train alone
        super().setup_environment()

    def setup(self, trainer):
        super().setup(trainer)
        if trainer.state.fn != pl.trainer.states.TrainerFn.FITTING:
            return
        self.compiled = dict(networks(self.lightning_module))
        kind = type(self.lightning_module).__name__
        if not self.compiled:
            raise pl.utilities.exceptions.MisconfigurationException(f"{kind} holds no module with parameters, expected a network that DsStrategy can compile")
        for name, network in self.compiled.items():
            if network._compiled_call_impl is not None:
                self.compiled = {}
                raise pl.utilities.exceptions.MisconfigurationException(f"the network '{name}' of {kind} is compiled already, expected one that DsStrategy compiles")
        for network in self.compiled.values():
            network.compile(backend=self._compile)

    def _compile(self, graph, inputs):
        """The backend of Dynamo."""
        function = backend.ds(graph, inputs, options=self.options)
        if function == graph.forward:
            return function  # without gradients

        @torch.compiler.disable
        def noted(*values):
            self.is_used = True
            return function(*values)
        return noted

    def training_step(self, *args, **kwargs):
        output = super().training_step(*args, **kwargs)
        if not self.is_used:
            kind, names = type(self.lightning_module).__name__, ", ".join(f"'{name}'" for name in self.compiled)
            raise pl.utilities.exceptions.MisconfigurationException(
                f"training_step of {kind} calls no network as a whole, expected a call of one of {names}: nothing would run on the {self.options['ranks']} ranks")
        return output

    def teardown(self):
        for network in self.compiled.values():
            network._compiled_call_impl = None
        self.compiled = {}
        super().teardown()

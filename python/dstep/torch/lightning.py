"""A strategy of Lightning: ranks of this process compute the networks of a LightningModule and their gradients.

    trainer = pl.Trainer(strategy=DsStrategy(ranks=2), accelerator="cpu")

While `fit` runs, each network is compiled as by `network.compile(backend="dstep")` (backend.py). Loss, optimizers,
callbacks, checkpoints, logging and evaluation stay Lightning's, on one copy of the module. Networks are the modules
with parameters that the LightningModule holds; those in a list or dict of modules are compiled one by one. Code of
`training_step` outside of them runs in PyTorch. A training whose first batch calls no network as a whole is refused,
since nothing of it would run on the ranks.

Processes started by torchrun or mpirun are a world of `ranks` ranks, by default one for each process: a process reads
its part of the data, through the DistributedSampler that Lightning inserts, and its ranks compute its networks;
gradients are means over the ranks.
Lightning's own exchanges (barriers, metrics with sync_dist, decisions to stop) and the gradients of parameters outside
of networks go through PyTorch's process group, by gloo. Rank 0 writes checkpoints and logs.

Of `pytorch_lightning` and `lightning.pytorch`, the strategy uses the one that the script has imported.
"""
import hashlib
import importlib
import os
import pathlib
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

import torch

from ..base import checks
from ..session.launch import ranks_here, ranks_of_job, started_by
from . import backend
from .training import outside


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
_Processes: Any = pl.strategies.DDPStrategy
_Environment: Any = importlib.import_module(f"{pl.__name__}.plugins.environments").LightningEnvironment
_NO_FORWARD = torch.nn.Module.forward


def networks(module, prefix=""):
    """Yields (name, module) for each module that has parameters and can be called as a whole."""
    for name, child in module.named_children():
        if next(child.parameters(), None) is None:
            continue
        if type(child).forward is _NO_FORWARD:  # ModuleList, ModuleDict
            yield from networks(child, f"{prefix}{name}.")
        else:
            yield prefix + name, child


class _Networks:
    """The common part of both strategies: the networks are compiled while `fit` runs."""
    options: dict[str, Any]
    where = ""
    is_dynamic: bool | None = None

    def _begin(self, options, config, shapes):
        self.options = options | {"shapes": checks.integer("shapes", shapes, 1)}
        if config is not None:
            self.options["config"] = dict(checks.mapping("config", config, "{key: value}"))
        self.compiled: dict[str, torch.nn.Module] = {}
        self.is_used = False

    def _compile_networks(self, module):
        self.compiled = dict(networks(module))
        kind = type(module).__name__
        if not self.compiled:
            raise pl.utilities.exceptions.MisconfigurationException(f"{kind} holds no module with parameters, expected a network that DsStrategy can compile")
        for name, network in self.compiled.items():
            if network._compiled_call_impl is not None:
                self.compiled = {}
                raise pl.utilities.exceptions.MisconfigurationException(f"the network '{name}' of {kind} is compiled already, expected one that DsStrategy compiles")
        for network in self.compiled.values():
            network.compile(backend=self._compile, dynamic=self.is_dynamic)

    def _compile(self, graph, inputs):
        """The backend for Dynamo."""
        function = backend.ds(graph, inputs, options=self.options)
        if function == graph.forward or getattr(function, "in_pytorch", False):
            return function  # it has no gradients

        @torch.compiler.disable
        def noted(*values):
            self.is_used = True
            return function(*values)
        return noted

    def _check_used(self, module):
        if not self.is_used:
            kind, names = type(module).__name__, ", ".join(f"'{name}'" for name in self.compiled)
            raise pl.utilities.exceptions.MisconfigurationException(
                f"training_step of {kind} calls no network as a whole, expected a call of one of {names}: nothing would run on the {self.where}")

    def training_step(self, *args, **kwargs):
        output = super().training_step(*args, **kwargs)
        self._check_used(self.lightning_module)
        return output

    def teardown(self):
        for network in self.compiled.values():
            network._compiled_call_impl = None
        self.compiled = {}
        super().teardown()


class DsStrategy(_Networks, _Strategy):
    """A strategy for `pl.Trainer`.

    `ranks`: threads of this process, each of which computes its share of a batch (1); in a script that a launcher
    started, the ranks of all processes (one for each). `config`: the keys of a configuration, {key: value}; `shapes`:
    the number of batch shapes for which a network is compiled (8). Raises MisconfigurationException for a module
    without networks that ds can compile."""
    strategy_name = "ds"

    def __new__(cls, ranks: int | None = None, *args: Any, **options: Any) -> Any:
        return DsProcesses(ranks, *args, **options) if cls is DsStrategy and started_by() else super().__new__(cls)

    def __init__(self, ranks: int | None = None, config: Mapping[str, Any] | None = None, shapes: int = 8, checkpoint_io: Any = None, precision_plugin: Any = None) -> None:
        super().__init__("cpu", checkpoint_io=checkpoint_io, precision_plugin=precision_plugin)
        ranks = 1 if ranks is None else checks.integer("ranks", ranks, 1)
        self._begin({"ranks": ranks}, config, shapes)
        self.where = f"{ranks} ranks"

    def setup(self, trainer):
        super().setup(trainer)
        if trainer.state.fn == pl.trainer.states.TrainerFn.FITTING:
            self._compile_networks(self.lightning_module)


class _Launched(_Environment):
    """The rank of this process in the launcher's world."""
    creates_processes_externally = True

    def __init__(self):
        super().__init__()
        self.number, self.size, _ = started_by()

    def world_size(self):
        return self.size

    def global_rank(self):
        return self.number

    def set_rank(self, number):
        """Does nothing: the launcher has set it, and the size."""

    set_global_rank = set_world_size = set_rank

    def teardown(self):
        """Does nothing: WORLD_SIZE is the launcher's, too."""

    def local_rank(self):
        names = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
        return int(next((os.environ[name] for name in names if name in os.environ), self.number))


def _meet(environment):
    """Joins PyTorch's process group. A launcher that sets no master address runs on one host: there a file serves as
    the store, named after the process that started the ranks."""
    if "MASTER_ADDR" in os.environ and "MASTER_PORT" in os.environ:
        torch.distributed.init_process_group("gloo", rank=environment.number, world_size=environment.size)
        return
    # Its start time, since process ids are reused.
    started = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[19]
    name = hashlib.sha256(f"{os.getppid()} {started} {os.environ.get('PMIX_NAMESPACE', '')}".encode()).hexdigest()[:16]
    file = pathlib.Path(tempfile.gettempdir(), f"ds-lightning-{os.getuid()}-{name}")
    torch.distributed.init_process_group("gloo", store=torch.distributed.FileStore(str(file), environment.size), rank=environment.number, world_size=environment.size)


class DsProcesses(_Networks, _Processes):
    """DsStrategy in a process that a launcher started."""
    strategy_name = "ds_processes"

    def __init__(self, ranks: int | None = None, config: Mapping[str, Any] | None = None, shapes: int = 8,
                 checkpoint_io: Any = None, precision_plugin: Any = None) -> None:
        super().__init__(cluster_environment=_Launched(), checkpoint_io=checkpoint_io, precision_plugin=precision_plugin, process_group_backend="gloo")
        self._begin({} if ranks is None else {"ranks": checks.integer("ranks", ranks, 1)}, config, shapes)
        self.ranks = ranks_of_job(ranks, dict(config or {}))
        self.is_dynamic = True if len(ranks_here(self.ranks)) > 1 else None
        self.where = f"{self.cluster_environment.size} processes"

    @property
    def root_device(self):
        return torch.device("cpu")

    @property
    def distributed_sampler_kwargs(self):
        return {"num_replicas": self.cluster_environment.size, "rank": self.cluster_environment.number}

    def setup_distributed(self):
        self.set_world_ranks()
        if not torch.distributed.is_initialized():
            _meet(self.cluster_environment)

    def configure_ddp(self):
        """Broadcasts the values of process 0, and compiles the networks, whose gradients ds reduces."""
        module = self.lightning_module
        with torch.no_grad():
            for tensor in (*module.parameters(), *module.buffers()):
                torch.distributed.broadcast(tensor, 0)
        self._compile_networks(module)
        inside = {id(parameter) for network in self.compiled.values() for parameter in network.parameters()}
        self.outside = [parameter for parameter in module.parameters() if id(parameter) not in inside and parameter.requires_grad]
        outside.read([parameter for parameter in self.outside if id(parameter) not in outside.known], allows=True)

    def post_backward(self, closure_loss):
        """Averages the gradients that ds has not reduced over the ranks, as ds does the others."""
        super().post_backward(closure_loss)
        for parameter in self.outside:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            parameter.grad *= len(ranks_here(self.ranks))
            torch.distributed.all_reduce(parameter.grad)
            parameter.grad /= self.ranks

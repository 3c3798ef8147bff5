"""`data_parallel`: training steps of a PyTorch model on n ranks."""
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch.nn.parameter import UninitializedTensorMixin

from ...base.checks import integer, mapping
from ...base.errors import FrontendError, RunError, warn
from ...session.plan import Plan
from ...session.launch import check_share, started_by
from ...session.run import Runner, of_mesh, refuse_gone
from ...training.fit import Training
from ...training.policy import Policy
from ..base import checks
from ..base.threads import alone
from ..base.values import is_dense
from ..optimizers import torch_optim as optimizers
from ..step.export import export
from . import on_gpu, replicas
from .guards import Guards
from .resident import Resident, is_possible
from .schedules import Schedule
from .sources import Source

MANY = 8  # exports, like torch.compile's limit of eight variants of a function


class Objects:
    """The Learner of fit: the user's model and optimizer, for a batch like `batch`."""

    def __init__(self, session, batch, schedule):
        self.session, self.batch, self.schedule = session, batch, schedule

    def now(self):
        session = self.session
        session._begin_model()
        made = session._guarded(self.batch)
        session._begin(made)
        if session.runner.joined and session.compare:
            replicas.passed(1, lambda: ({}, {0: session.optimizer}))
        if self.schedule:
            self.schedule.capture = made.capture
        return made, made.arguments(self.batch, values=made.current(), hyper=made.capture.hyper_now())

    def accept(self, values):
        self.session._accept(values)
        return ()


class DataParallel(Training):
    """See `data_parallel`. The step is exported for the first batch's shapes, and again when a constant of it has
    changed."""

    def __init__(self, model, optimizer, loss_fn, runner, options, compare=0):
        super().__init__(runner)
        self.model, self.optimizer, self.loss_fn, self.options, self.compare = model, optimizer, loss_fn, options, compare
        self.exports, self.exported = 0, None
        self.guards = self.resident = self.begun = None
        self.is_broadcast = False
        self.divided = any(options.get(name) is not None for name in ("mesh", "shardings"))
        if runner.device != "cpu":
            on_gpu.watch(self)

    def sync(self) -> None:
        """Copies a GPU's newer values to the tensors of model and optimizer; does nothing on the CPU."""
        if isinstance(self.resident, on_gpu.OnGpu):
            self.resident.sync()

    def _on_ranks(self):
        return self.resident and (self.resident.instance, self.exported)

    def _is_current(self):
        return self.guards is not None and self.exported.capture.model.training and self.guards.hold()

    def _export(self, batch, runs=True):
        """Exports the step for the current model, loss function and optimizer, if they have changed. A step that `runs`
        is compiled while the capture is checked."""
        if self._is_current():
            return self.exported
        if self.exports == MANY and self.guards is not None:
            warn(f"the step was exported {MANY} times and is now again, since it was built for {self.guards.changed()}; a number that changes in most steps is best a value of "
                 "the batch (an entry for each sample), which is an argument of the step")
        self.sync()
        batch = batch if self.runner.device == "cpu" else on_gpu.described(batch)
        local, ranks = self.runner.config["batch"] == "local", self.runner.sharing
        tensors, form = checks.batch(batch)
        size = checks.samples(tensors)
        if local and self.options.get("samples"):
            raise FrontendError("samples= needs batch=global: the buffers hold the samples of all ranks, but batch=local exports what one does")
        if not self.divided:
            check_share(size, ranks, self.runner.is_own)
        apart = self.options.get("apart", ())
        share = {name: tensor.unflatten(0, (-1, size))[:, :size // ranks].flatten(0, 1) if name in apart else tensor[:len(tensor) // ranks]
                 for name, tensor in tensors.items()}
        of_rank = share if form is dict else tuple(share.values())
        # Learning rates are arguments by default: they change in nearly every training.
        options = {"hyper": optimizers.rates(self.optimizer)} | self.options
        options |= {"written": self.runner.begin} if runs else {}
        self.exported = export(self.model, self.optimizer, self.loss_fn, of_rank if local else batch, **options)
        self.exported.shares, self.exports = ranks if local else 1, self.exports + 1
        self.guards = self.resident = None
        return self.exported

    def _guarded(self, batch, settles=False, runs=True):
        """Returns the export for the current model, loss function and optimizer, with its guards. They are made while
        the step is compiled, and again if they do not hold once the model's memory is that of the step."""
        if not self._is_current():
            with alone():  # one export with its guards at a time
                made = self._export(batch, runs)
                early = self._guards(made) if self.guards is None and made in self.runner.begun else None
                if settles and self.resident is None:
                    self._settle(made)
                if self.guards is None:
                    self.guards = early if early and early.hold_from_now() else self._guards(made)
                    self.guards.note()
        elif settles and self.resident is None:
            self._settle(self.exported)
        return self.exported

    @staticmethod
    def _guards(made):
        with on_gpu.unasked(made.capture.model) as is_asked:
            return Guards(made.capture, made.part, skips_hooks=is_asked)

    def __repr__(self):
        return f"dstep.torch.DataParallel({type(self.model).__name__}, {type(self.optimizer).__name__}, {self.runner}, {self.position.step} steps)"

    def __call__(self, batch: Any) -> dict[str, float]:
        """Runs one step: changes the model and the optimizer like loss.backward() and optimizer.step(), and returns
        {name: value} of the metrics. Raises RunError if the step fails, FrontendError if it cannot be exported."""
        return self.run([batch])[0]

    def plan(self, batch: Any, explain: str | Sequence[str] = ()) -> Plan:
        """Returns a Plan of this batch's step over the ranks, without running it: time, bound, shardings,
        collectives. `explain` names arguments whose alternative shardings are priced, too."""
        return self._plan(self._guarded(batch, runs=False), explain)

    def run(self, batches: Iterable[Any], *, schedule: Any = None) -> list[dict[str, float]]:
        """Runs consecutive steps on ranks that stay; returns the metrics of each. `schedule` is a learning-rate
        scheduler of PyTorch, or a list of them, that steps after each step, or a function of the step's number."""
        batches = list(batches)
        if not batches:
            return []
        self._begin_model()
        made = self._guarded(batches[0], settles=True)
        rates, following = {}, None
        if schedule is not None:
            following = Schedule(schedule, self.optimizer, self.position.step)
            following.capture = made.capture
            rates = following.values(len(batches))
        hyper = [{name: values[k] for name, values in rates.items()} for k in range(len(batches))]
        found: list[dict[str, float]] = []
        try:
            if self.resident is None:
                found = self._steps(made, batches, hyper)
                return found
            for batch, given, announced in zip(batches, hyper, [*batches[1:], None]):
                self.resident.announced = announced
                found.append(self._step(batch, given, len(found) + 1))
        finally:
            if following and len(found) < len(batches):
                following.keep(len(found))
        return found

    def _settle(self, made):
        """Makes the model's memory that of the step, if it can be."""
        instance = self.runner.instance(made)
        self._begin(made)
        if is_possible(instance, made):
            self.resident = (on_gpu.OnGpu if instance.is_on_gpu else Resident)(instance, made)

    def _begin_model(self):
        """Broadcasts the values of process 0 in a launched world before the first export, since a step has values in
        its text: buffers that it does not change, and how a parameter of zeros begins."""
        if self.runner.joined and not self.is_broadcast:
            self.is_broadcast, held = True, [module for module in (self.model, self.loss_fn) if isinstance(module, torch.nn.Module)]
            tensors = {id(t): t for module in held for t in (*module.parameters(), *module.buffers())}.values()
            # An export refuses the others.
            replicas.begin([t for t in tensors if is_dense(t) and t.device.type == "cpu" and not isinstance(t, UninitializedTensorMixin)], self.runner.config)

    def _begin(self, made):
        """Broadcasts the values of process 0 that the step reads from elsewhere than the model."""
        if self.runner.joined and self.begun is not made:
            self.runner.instance(made)
            self.begun, capture = made, made.capture
            replicas.begin([*capture.parameters.values(), *(capture.buffers[name] for name in capture.changing)])

    def _step(self, batch, hyper, number):
        if self.runner.joined:
            replicas.passed(self.compare, lambda: (dict(enumerate(self.exported.capture.parameters.values())), {0: self.optimizer}))
        try:
            with self.runner.running(self.exported, number):
                metrics = self.resident.step(batch, self.position.step, hyper)
        except RunError:
            if self.exported not in self.runner.instances:
                self.resident = None
            raise
        self.position.leave(1)
        return metrics

    def _steps(self, made, batches, hyper):
        """Runs steps on ranks with sharded parameters or states: values are copied there and back."""
        start = made.current()
        results = self.runner.steps(made, [made.arguments(b, self.position.step + k, values=start, hyper=given or made.capture.hyper_now())
                                           for k, (b, given) in enumerate(zip(batches, hyper))])
        roles = [r["role"].partition(":")[::2] for r in made.manifest["results"]]
        self._accept({name: value for (role, name), value in zip(roles, results[-1]) if role == "updates"})
        self.position.leave(len(batches))
        return [{name: float(value) for (role, name), value in zip(roles, values) if role == "metric"} for values in results]

    def fit(self, batch: Any, data: Any, epochs: int = 1, seed: int = 0, *, validation: Any = None, callbacks: Sequence[Callable[..., Any]] = (),
            progress: str = "auto", schedule: Any = None, last_batch: str | None = None, save: str | os.PathLike[str] | None = None,
            save_every: int | None = None, resume: bool = False, early_stopping: str | None = None) -> list[dict[str, float]]:
        """Trains on a dataset, changes the model and the optimizer, and returns the means of the metrics per epoch.
        `batch` gives names, shapes and the batch size. A call continues where the one before ended: in the order of the
        samples, in random keys, in the number of steps (`position.step`).

        data        {name of a batch argument: tensor, array or file of all samples}, a pair of them, a TensorDataset, a
                    table, files of Parquet, Arrow, .npz or tar shards (dstep.data): ds shuffles. Another Dataset is read
                    again for every epoch, and shuffled. A DataLoader, or another iterable of batches, defines the
                    samples of each batch: its sampler, workers and collate_fn work as usual. In a script started by
                    mpirun, all processes pass the same samples, or each its own
        schedule    a learning-rate scheduler of PyTorch, or a list of them, that steps after each step; or a function of the step's number
                    (`position.step`, from 0) that returns the learning rate
        last_batch  "drop" leaves an incomplete last batch out, "wrap" fills it with samples of its epoch; the default
                    leaves it out with a warning

        validation  a pair (x, y) or a dictionary of tensors, on which loss_fn is computed in evaluation mode after each
                    epoch, as val_loss and so on; or a function that returns {name: number}
        callbacks   functions (epoch, metrics), called after each epoch; one that returns True ends the training
        early_stopping  "METRIC[:min|max][,patience=N][,min_delta=D]", as --early-stopping of ds-run: ends the
                    training when METRIC, such as val_loss, has not improved by more than D (0) in N (3) epochs; a
                    metric with "accuracy" in its name improves upwards
        progress    "bar", "lines" (one per epoch), "none", or "auto": a bar where standard error is a terminal, else lines
        save        a .safetensors of the training, written after each epoch and, with save_every=N, after every N
                    steps. resume=True resumes from it, if it exists, with the next batch; model, optimizer, data and
                    schedule are then passed in their initial state, and epochs= counts from there

        Ctrl-C ends the training after its current step. The model then holds the trained values, and dstep.Interrupted, a
        KeyboardInterrupt, is raised. A wrong option raises ValueError or FrontendError, a failed step RunError.
        """
        validate = validation if validation is None or callable(validation) else lambda: self._validate(validation)
        policy = Policy(epochs, seed, validate, callbacks, progress, last_batch, save, save_every, resume, early_stopping)
        data = Source(batch, self.runner.is_own).of(data, last_batch)
        self.sync()
        following = Schedule(schedule, self.optimizer, self.position.step) if schedule is not None else None
        try:
            return self._fit(Objects(self, batch, following), data, policy, following)
        finally:
            # The ranks have failed, so the next call starts new ones.
            if self.exported not in self.runner.instances:
                self.resident = None

    def _accept(self, values):
        self.exported.assign(values)
        self.optimizer._opt_called = True  # schedulers warn unless a step of the optimizer came before theirs

    @torch.no_grad()
    def _validate(self, samples):
        """Returns means over samples, computed by PyTorch in batches of the step's size."""
        capture, (tensors, form) = self.exported.capture, checks.batch(samples)
        if form is not capture.form:
            raise FrontendError(f"validation= is a {type(samples).__name__}, expected a {capture.form.__name__} as the batch is")
        total, size, modes = {}, self.exported.batch_size * self.exported.shares, {m: m.training for m in self.model.modules()}
        count = checks.samples(tensors)
        try:
            self.model.eval()
            for first in range(0, count, size):
                each = {name: len(tensor) // count for name, tensor in tensors.items()}
                part = {name: tensor[first * each[name]:(first + size) * each[name]] for name, tensor in tensors.items()}
                loss, metrics = capture.loss(self.model, part)
                for name, value in {"loss": loss, **metrics}.items():
                    total[name] = total.get(name, 0.0) + float(value) * checks.samples(part)
        finally:
            for module, mode in modes.items():
                module.training = mode
        return {f"val_{name}": value / count for name, value in total.items()}


def data_parallel(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Callable[..., Any], *, ranks: int | None = None,
                  config: Mapping[str, Any] | None = None, on_index: str = "stop", check: str | None = None, device: Any = "cpu", compare: int = 100,
                  mesh: Any = None, shardings: Any = None, mode: str | None = None, memory_limit: int | None = None, **options: Any) -> DataParallel:
    """Training steps on n ranks; returns a DataParallel.

        train = dstep.torch.data_parallel(model, optimizer, loss_fn, ranks=4)
        metrics = train((x, y))       # zero_grad, backward and step of one device with the global batch

    `loss_fn`, the batch and `options` are those of `export`. ranks= are threads of this process. The batch is the
    global one, of which every rank computes its shard: with the results of one device, or, with `config` {"batch":
    "local",
    "gradients_mean": True}, as each process of DistributedDataParallel does. `run` takes many steps, `fit` trains on a
    dataset.

    In a script started by mpirun or torchrun, without ranks=, this process is one rank of the world. It passes its own
    samples, gradients are means over the processes, and all processes start with the values of process 0; `config`
    {"batch": "global"} takes the global batch in each process. In every `compare`th step of a call the processes
    compare their parameters (0: never), and in the first steps the numbers of their optimizers.

    With mesh=, shardings=, mode= or memory_limit=, ranks form a mesh that shards more than the batch:

        divided = parallelize_module(copy.deepcopy(model), device_mesh["tp"],
                                     {"up": ColwiseParallel(), "down": RowwiseParallel()})
        train = dstep.torch.data_parallel(model, optimizer, loss_fn, shardings=divided)
        train = dstep.torch.data_parallel(model, optimizer, loss_fn, mesh={"dp": 2, "tp": 4},
                                       shardings={"up.weight": ("tp",), "down.weight": (None, "tp")})

    `mesh` and `shardings` are those of `export`; `dstep.torch.shard` shards values in the step. mode="semi_auto", the
    default, shards the annotated values, "auto" lets ds search for the rest, with at most memory_limit= MiB of
    arguments on each rank; `plan(batch)` returns the resulting plan without running it. ranks=, if given, is the
    product of the mesh's sizes, and each process of a launched script is one rank of the mesh and takes the global
    batch.

    Between two calls the model and the optimizer are PyTorch's (docs/PyTorch.md lists the changes that the next call
    uses).

    Learning rates are arguments of the step (`hyper`), so the next call uses those that a scheduler has set. Another
    change of the model (a frozen parameter, a submodule in evaluation mode) or of the optimizer causes a new export
    (`exports` counts them).

    A label or token out of range raises RunError; on_index="warn" makes it a warning, "off" skips the check.
    check="exact" runs a step only after ds has found that the ranks compute the function of one device
    (docs/Testing.md).

    device="cuda" runs the step on GPUs; "cuda:0,2" selects some. The model stays on the CPU: its values and the
    optimizer's go to the GPU before the first step, and come back for state_dict(), a forward pass in PyTorch, and
    `sync()`. Not yet run on a device.
    """
    refuse_gone(options)
    is_mesh = any(option is not None for option in (mesh, shardings, mode, memory_limit))
    if is_mesh:
        config, options = of_mesh(mode or "semi_auto", config, memory_limit), options | {"mesh": mesh, "shardings": shardings}
        if mesh is None and not isinstance(shardings, torch.nn.Module) and ranks is None and not started_by():
            raise ValueError("none of mesh=, ranks= and shardings= of a model gives how many ranks there are")
    elif started_by():
        config = replicas.config_of_process(mapping("config", config, "{key: value}"))
    return DataParallel(model, optimizer, loss_fn, Runner(ranks, config, on_index, is_mesh, check, device), options, integer("compare", compare, 0))


def parallel(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Callable[..., Any], **options: Any) -> DataParallel:
    """An older name of `data_parallel` on a mesh, with mode="semi_auto" unless `options` set another one."""
    return data_parallel(model, optimizer, loss_fn, **{"mode": "semi_auto"} | options)

"""`data_parallel`: a step that is called like the original one, and runs on n ranks."""
import functools
import inspect
import math
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import jax
import numpy as np

from ..base.checks import mapping
from ..base.errors import FrontendError, warn
from ..session.device import HeldArray
from ..session.plan import Plan
from ..session.run import Interrupted, Runner, of_mesh, refuse_gone
from ..training.fit import Training
from ..training.loading import source_of
from ..training.policy import Policy
from ..training.schedules import Called, functions_of
from .export import export, share
from .mistakes import check_call, check_options, check_step, check_steps
from .modules import Modules, as_tuple
from .resident import Recent, Resident, described_on_host, to_jax
from .roles import leaves_of
from .shardings import mesh_of, named


def refuse_names(named):
    if named:
        raise FrontendError(f"arguments of the step are given in their order, got {', '.join(named)} by name")


def check_on_ranks(manifest, is_local):
    """Refuses steps that only one device can run. `is_local`: ranks of this process have results of their own."""
    if not any(argument["role"] == "param" for argument in manifest["args"]):
        raise FrontendError("params= names nothing that is trained, expected at least one array of floats where ranks "
                            "combine gradients; leave out ranks= for a step without parameters, or donate its state to "
                            "dstep.jax.jit")
    for result in manifest["results"] if is_local else ():
        role, _, name = result["role"].partition(":")
        if role != "metric" or math.prod(result["shape"]) == 1 or result.get("reduce") == "none":
            continue
        cure = (f"samples={{'{name}': DIMENSION}} returns the rows of all ranks, metrics={{'{name}': 'none'}} those of "
                "rank 0")
        shape = tuple(result["shape"])
        if "reduce" in result:
            raise FrontendError(f"metrics= reduces '{name}' by {result['reduce']}, but its shape is {shape}, expected "
                                f"one number with batch=local; {cure}")
        if "axis" not in manifest:
            warn(f"'{name}' of shape {shape} is what rank 0 has found: batch=local reduces metrics of one number; "
                 f"{cure}")


Method = TypeVar("Method", bound=Callable[..., Any])


def in_turn(method: Method) -> Method:
    """Serializes calls of several threads: from a call's inputs to its results, no other call may use the ranks."""
    @functools.wraps(method)
    def called(self: Any, *args: Any, **named: Any) -> Any:
        with self.turn:
            return method(self, *args, **named)
    return called  # type: ignore[return-value]


class DataParallel(Training):
    """See `data_parallel`. Exports are kept by shapes, types and shardings of the arguments. Like the result of
    jax.jit, it may be called from several threads."""

    def __init__(self, step, roles, runner):
        check_step(step)
        check_options(roles, [name for name, option in inspect.signature(export).parameters.items()
                              if option.kind is option.KEYWORD_ONLY])
        super().__init__(runner)
        self.step, self.roles, self.exports, self.turn = step, roles, {}, threading.RLock()
        self.recent, self.residents, self.returned = None, weakref.WeakKeyDictionary(), {}

    def roles_of(self, args):
        """Returns the options of `export` for these arguments."""
        return self.roles

    def _export(self, args, roles):
        return export(self.step, args, **roles)

    def exported(self, args):
        """Returns the export for arguments of these shapes and types."""
        check_call(self.step, args)
        args = described_on_host(args, self.runner.device)
        modules = Modules(self.step, args)
        arrays = modules.arrays(args)
        leaves_of(self.step, arrays)  # refuses leaves that are not arrays
        leaves, tree = jax.tree_util.tree_flatten(arrays)
        key = (tree, modules.key(), tuple((np.shape(x), str(jax.dtypes.result_type(x)), named(x)) for x in leaves))
        if key not in self.exports:
            local, ranks = self.runner.config["batch"] == "local", self.runner.ranks_of()
            own, sharing = self.runner.is_own, self.runner.sharing
            roles = self.roles_of(args)
            divides = local and (sharing > 1 or not own)
            made = self._export(share(self.step, args, sharing, own, **roles) if divides else args, roles)
            if "mesh" in made.manifest and local:
                raise ValueError("batch=local is what one rank does, expected global: shardings divide what all of "
                                 "them do together")
            if "mesh" not in made.manifest and ranks is None:
                raise ValueError("neither mesh= nor ranks= gives how many ranks there are, and nothing in the step or "
                                 "its arguments is divided")
            if "mesh" not in made.manifest and (ranks or 1) > 1 and not own:
                share(self.step, args, ranks, **roles)  # refuses a batch whose size is no multiple of the ranks
            if (self.runner.ranks_of(made.manifest) or 1) > 1:
                check_on_ranks(made.manifest, divides)
            self.exports[key] = made
        return self.exports[key]

    def __repr__(self):
        return (f"dstep.jax.DataParallel({getattr(self.step, '__name__', self.step)}, {self.runner}, "
                f"{self.position.step} steps)")

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs one step; returns the results of step(*args). Raises RunError if it fails, FrontendError if it cannot be
        exported."""
        refuse_names(named)
        return self.run([args])[0]

    @in_turn
    def _inside(self, steps, results=None):
        """Runs steps on the ranks of this process, which keep parameters and states. results(made, resident, leaves,
        arguments) returns the results of each step."""
        recent = self.recent and self.recent.leaves(steps[0], self.returned)
        made = self.recent.made if recent else self.exported(steps[0])
        found, results = [], results or self._results
        flat = [recent if recent and number == 0 else made.flatten(args) for number, args in enumerate(steps)]
        for number, (args, leaves) in enumerate(zip(steps, flat)):
            instance = self.runner.instance(made)
            resident = self.residents.get(made)
            if resident is None or resident.instance is not instance:
                resident = self.residents[made] = Resident(instance, made,
                                                           "local_shape" if self.runner.is_own
                                                           else "global_shape")
            with self.runner.running(made, number + 1):
                resident.run(leaves, number == 0, *flat[number + 1:number + 2])
            placed = results(made, resident, leaves, args)
            resident.gave(placed)
            self.returned = resident.returned
            found.append(made.structured(placed, args))
        if not recent:
            self.recent = Recent(steps[-1], made)
        return found

    def _results(self, made, resident, leaves, args):
        """Returns the results of a step: copies, except for values that a GPU holds."""
        if resident.window and made.results.is_plain:
            return resident.window.arrays()
        if (not resident.instance.is_on_gpu or not made.results.is_plain or made.modules.objects
            or made.modules.rest is not None):
            return made.placed(resident.results())
        on_gpu = {k: HeldArray(resident.instance, a, resident.dtypes[k], resident.instance.steps)
                  for k, a in resident.updates}
        copied = iter(to_jax([resident.result(k) for k in range(len(resident.dtypes)) if k not in on_gpu]))
        return [on_gpu[k] if k in on_gpu else next(copied) for k in range(len(resident.dtypes))]

    def _on_ranks(self):
        made = self.recent and self.recent.made
        return (self.residents[made].instance, made) if made in self.residents else None

    def plan(self, *args: Any, explain: str | Sequence[str] = ()) -> Plan:
        """Returns a Plan of step(*args) over the ranks, without running it: time, bound, shardings,
        collectives. Descriptions of arrays (jax.ShapeDtypeStruct) may replace arguments. `explain` names arguments
        whose alternative shardings are priced, too."""
        return self._plan(self.exported(args), explain)

    def run(self, steps: Sequence[Any], *more: Any) -> list[Any]:
        """Runs consecutive steps on ranks that stay; returns the results of each. `steps` holds the arguments of each
        step; parameters and states are read from the first one only."""
        if more:
            raise FrontendError("run takes one list with the arguments of each step, got several arguments; a call of "
                                "what data_parallel returns is one step")
        steps = check_steps(steps)
        return self._inside(steps) if steps else []

    @in_turn
    def fit(self, *args: Any, data: Mapping[str, Any] | Any, epochs: int = 1, seed: int = 0,
            validation: Callable[..., Any] | None = None,
            callbacks: Sequence[Callable[..., Any]] = (), progress: str = "auto", last_batch: str | None = None,
            save: str | os.PathLike[str] | None = None, save_every: int | None = None,
            resume: bool = False, schedule: Callable[..., Any] | Mapping[str, Callable[..., Any]] | None = None,
            early_stopping: str | None = None) -> tuple[Any, ...]:
        """Trains on a dataset with ds's own loading, shuffling and seeds. Returns the new values of the arguments that
        the step updates, in the order of its results, and the means of the metrics per epoch. `args` are arguments of
        the step, whose batch gives the batch size. `data` is {name of a batch argument: array of all samples}, a
        dataset, a table or files with columns of these names (dstep.data), or an iterable of batches of that size (a
        DataLoader, a list, or a generator for one epoch): {name: array}, or tuples in the order of the arguments. A
        call continues where the one before ended, in the order of the samples and in random keys (`position.step`
        counts; 0 starts anew).

        validation  a function of the new values that returns {name: number}, after each epoch
        callbacks   functions (epoch, metrics, *new values), called after each epoch; one that returns True ends the
                    training
        progress    "bar", "lines" (one per epoch), "none", or "auto": a bar where standard error is a terminal, else
                    lines
        last_batch  "drop" leaves an incomplete last batch out, "wrap" fills it with the first samples; the default
                    leaves it out with a warning
        schedule    a function of the step's number (`position.step`, from 0), or a schedule of Optax, that returns the
                    step's only hyper-parameter; or {hyper-parameter: function}
        early_stopping  "METRIC[:min|max][,patience=N][,min_delta=D]", as --early-stopping of ds-run: ends the
                    training when METRIC, also one of validation=, has not improved by more than D (0) in N (3) epochs;
                    a metric with "accuracy" in its name improves upwards
        save        a .safetensors of the training, written after each epoch and, with save_every=N, after every N
                    steps. resume=True resumes from it, if it exists, with the next batch; arguments and data are then
                    passed in their initial state, and epochs= counts from there

        Ctrl-C ends the training after its current step with dstep.Interrupted, a KeyboardInterrupt whose `results` are
        the results of fit so far. A wrong option raises ValueError or FrontendError, a failed step RunError.
        """
        policy = Policy(epochs, seed, validation, callbacks, progress, last_batch, save, save_every, resume,
                        early_stopping)
        made = self.exported(args)
        self.residents.pop(made, None)  # the ranks will hold other values
        data = source_of(data, [a for a in made.manifest["args"] if a["role"] == "batch"], last_batch)
        following = None
        if schedule is not None:
            following = Called(functions_of(schedule,
                                            [a["name"] for a in made.manifest["args"] if a["role"] == "hyper"]),
                               self.position)
        learner = Arguments(made, args)
        try:
            history = self._fit(learner, data, policy, following)
            return (*learner.new, history)
        except Interrupted as stopped:
            stopped.results = (*learner.new, stopped.results)
            raise


class Arguments:
    """The Learner of fit: arguments of the step, of which `new` are the trained ones."""

    def __init__(self, made, args):
        self.made, self.current, self.new = made, list(args), ()

    def now(self):
        return self.made, tuple(self.current)

    def accept(self, values):
        results = [values[r["role"][8:]] if r["role"].startswith("updates:") else np.zeros(r["shape"], np.float32)
                   for r in self.made.manifest["results"]]
        outputs, pairs = as_tuple(self.made.structured(self.made.placed(results),
                                                       self.current)), self.made.pairs[len(self.made.modules.inside):]
        updated = [(output, pair) for output, pair in zip(outputs, pairs) if pair is not None]
        for output, pair in updated:
            self.current[pair] = output
        self.new = tuple(output for output, _ in updated)
        return self.new


def data_parallel(step: Callable[..., Any], *, ranks: int | None = None, config: Mapping[str, Any] | None = None,
                  on_index: str = "stop", check: str | None = None,
                  axis_name: str | None = None, device: Any = "cpu", mesh: Any = None, shardings: Any = None,
                  mode: str | None = None, memory_limit: int | None = None,
                  **roles: Any) -> DataParallel:
    """Returns `step` on n ranks, a DataParallel.

        parallel = dstep.jax.data_parallel(step, ranks=4, params=0, state=1, batch=2)
        params, opt_state, loss = parallel(params, opt_state, batch)   # as step(params, opt_state, batch) returns

    `batch` is the global batch, of which every rank computes its shard; the results are those of one device (`config`
    {"batch": "local"} makes the step the program of every rank on its shard, and sums gradients, like DDP's processes).
    `run` takes many steps, `fit` trains on a dataset. `roles` are the options of `export`. ranks= are threads of this
    process; without it, in a script started by mpirun or torchrun, this process is one rank of the world, which has the
    global batch like the others, or with batch=local its own samples. axis_name= is the axis over which the step itself
    reduces values, by pmean, psum, pmax or pmin as under pmap; its batch is then a rank's shard.

    With one of the following options, ranks form a mesh that shards more than the batch:

        train = dstep.jax.data_parallel(step, mesh={"dp": 2, "tp": 4}, params=0, batch=1,
                                     shardings={"params.w1": (None, "tp"), "params.w2": ("tp", None)})
        params, loss = train(params, batch)

    mesh       {axis: size}, or a mesh of JAX (an AbstractMesh needs no devices); by default the mesh of the shardings
               of arguments, of the step's in_shardings, and of jax.lax.with_sharding_constraint. The axis of the batch
               is the one that shards samples, else the first
    shardings  {name of an argument: an axis, a tuple of axes or None for each dimension}, with precedence over those of
               arguments and step
    mode       "semi_auto", the default, shards the annotated values; "auto" lets ds search for the rest
    memory_limit  MiB of arguments that a rank may hold, in "auto": ds takes the fastest plan below it

    The step is then the function of the global batch on one device, and ranks=, if given, the product of the mesh's
    sizes. `train.plan(params, batch)` returns the plan without running it, with an AbstractMesh also for ranks that do
    not exist.

    A label beyond the last class, or another integer of a batch that is out of range for an index of the step, raises
    RunError, where JAX drops or clamps it; on_index="warn" makes it a warning, "off" skips the check. check="exact"
    runs a step only after ds has found that the ranks compute the function of one device (docs/Testing.md).

    device="cuda" runs the step on GPUs; "cuda:0,2" selects some. Parameters and states stay there: a call returns them
    as `dstep.HeldArray`s, which are valid until the next call. Batches are copied there, or read in place if they lie
    on the same GPU (docs/FrontEnds.md). Not yet run on a device.
    """
    refuse_gone(roles)
    is_mesh = any(option is not None for option in (mesh, shardings, mode, memory_limit))
    if is_mesh:
        config, roles = of_mesh(mode or "semi_auto", config, memory_limit), roles | {"mesh": mesh_of(mesh),
                                                                                     "shardings": shardings}
        if axis_name is not None:
            raise ValueError(f"axis_name='{axis_name}' is for a step that combines what ranks compute, expected none "
                             "beside mesh=, shardings=, mode= and memory_limit=: a mesh divides what one device "
                             "computes")
    runner = Runner(ranks, ({} if axis_name is None else {"batch": "local"})
                    | mapping("config", config, "{key: value}"), on_index, is_mesh, check, device)
    if axis_name is not None:
        if runner.config["batch"] != "local":
            raise ValueError(f"batch={runner.config['batch']} computes what one device computes, expected local: over "
                             f"the axis '{axis_name}' the step combines what ranks compute")
        if str(runner.config.get("gradients_mean", False)).lower() != "false":
            raise ValueError("gradients_mean=true divides gradients by the number of ranks, expected false: over the "
                             f"axis '{axis_name}' the step divides them itself")
        roles |= {"axis_name": axis_name, "axis_size": runner.ranks_of()}
    return DataParallel(step, roles, runner)


def parallel(step: Callable[..., Any], **options: Any) -> DataParallel:
    """An older name of `data_parallel` on a mesh, with mode="semi_auto" unless `options` set another one."""
    return data_parallel(step, **{"mode": "semi_auto"} | options)

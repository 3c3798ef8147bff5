"""`jit`: a step that is called like the result of jax.jit, with donated arguments, and runs on n ranks.

The donated arguments are the parameters and states that one step passes to the next. A function without donated
arguments is not a step; it runs on one device.
"""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from ..base.checks import mapping
from ..base.errors import FrontendError
from ..base.export import Export
from ..frontend import normalise
from ..session.launch import started_by
from ..session.run import Runner
from .axis import bound, exportable
from .export import JaxExport, array_of, describe_argument, lower
from .mistakes import check_call, check_step
from .modules import Modules, NewObject
from .parallel import DataParallel, refuse_names
from .resident import move
from .roles import NO_SAMPLES, argument_names, check_names, leaves_of, listed


class Function(JaxExport):
    """A function without updates, for one device."""
    is_function = True

    def __init__(self, function, args):
        check_step(function)
        check_call(function, args)
        self.args, self.axis, self.modules = tuple(args), None, Modules(function, args)
        try:
            arrays = self._take_in()
        except NewObject:
            self.modules.as_pytrees(self.args, argument_names(function, len(args)))
            arrays = self._take_in()
        self.tree = jax.tree_util.tree_structure(arrays)
        results = [array_of(value) for value in jax.tree_util.tree_leaves(self.shapes)]
        Export.__init__(self, getattr(function, "__name__", "function"), {
            "entry": "main", "framework": {"jax": jax.__version__},
            "args": [describe_argument(leaf, None) for leaf in self.leaves],
            "results": [{"role": f"metric:result{k}", "shape": shape, "dtype": dtype}
                        for k, (shape, dtype) in enumerate(results)]})
        self.stablehlo = lower(exportable(self.flat, self.leaves, "params", None), self.flatten(self.args))
        self.places = {}
        self.mlir = normalise(self.stablehlo, self.manifest, self.places)

    def _take_in(self):
        self.step, arrays = self.modules.called, self.modules.arrays(self.args)
        self.leaves = leaves_of(self.step, arrays)[1]
        check_names(self.leaves)
        self.modules.inside = list(self.modules.objects)
        self.shapes = bound(self.step, None)(*arrays)[1]
        return arrays


class Jitted(DataParallel):
    """See `jit`."""

    def __init__(self, step, donated, roles, runner):
        super().__init__(step, roles, runner)
        self.donated = donated

    def __repr__(self):
        return (f"dstep.jax.jit({getattr(self.step, '__name__', self.step)}, {self.runner}, donates "
                f"{', '.join(map(str, self.donated)) or 'nothing'})")

    def positions(self, count):
        """Returns the positions of the donated arguments among `count` arguments."""
        names = argument_names(self.step, count)
        for argument in self.donated:
            if argument not in names and argument not in range(count):
                raise FrontendError(f"the donated argument {argument!r} is none of the step's {count}: "
                                    f"{', '.join(names)}")
        return [i for i, name in enumerate(names) if i in self.donated or name in self.donated]

    def roles_of(self, args):
        """Floats below `params` of a donated argument, or else those of the first one, are parameters; the rest is
        state."""
        donated, modules = self.positions(len(args)), Modules(self.step, args)
        leaves = [leaf for leaf in leaves_of(modules.called, modules.arrays(args))[1] if leaf.argument in donated]
        named = [leaf for leaf in leaves if "params" in leaf.full.split(".")[:2]]
        of_first = [leaf for leaf in leaves if leaf.argument == donated[0]]
        params = [leaf.full for leaf in named or of_first if leaf.trained
                  and jax.dtypes.issubdtype(jax.dtypes.result_type(leaf.value), np.floating)]
        return self.roles | {"params": params, "state": [leaf.full for leaf in leaves if leaf.full not in params]}

    def _export(self, args, roles):
        return super()._export(args, roles) if self.donated else Function(self.step, args)

    def exported(self, args):
        self.positions(len(args))
        return super().exported(args)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs step(*args); returns its results. The donated arguments cannot be read any more."""
        refuse_names(named)
        return self._inside([args], self._moved if self.donated else None)[0]

    def _moved(self, made, resident, leaves, args):
        """Returns the results of a step, in the memory of the donated arguments."""
        if resident.instance.is_on_gpu:
            placed = self._results(made, resident, leaves, args)
        elif made.results.is_plain:
            old = [leaf for i, leaf in enumerate(leaves) if i in resident.carried and isinstance(leaf, jax.Array)]
            return resident.window.arrays(old) if resident.window else move(old, resident.current())
        else:
            placed = made.placed(resident.results())
        for value in jax.tree_util.tree_leaves([args[i] for i in self.positions(len(args))]):
            if isinstance(value, jax.Array):
                value.delete()
        return placed


def jit(step: Callable[..., Any], *, donate_argnums: int | Sequence[int] = (),
        donate_argnames: str | Sequence[str] = (), batch: Any = None, ranks: int | None = None,
        config: Mapping[str, Any] | None = None, on_index: str = "stop", check: str | None = None, device: Any = "cpu",
        **roles: Any) -> Jitted:
    """Returns `step` on n ranks, called like the result of jax.jit.

        train = dstep.jax.jit(step, donate_argnums=(0, 1), batch=2, ranks=4)
        params, opt_state, loss = train(params, opt_state, batch)    # deletes the donated arguments, like jax.jit

    donate_argnums, donate_argnames
             the arguments that one step passes to the next, which must be among its results. The new values are
             written to the memory of the old ones. Floats below `params` (state.params), or else those of the first
             such argument, are parameters, the rest is state
    batch    the arguments that hold samples, as in `export`; needed for more than one rank
    ranks    default 1; if a launcher has started the script, this process is one rank of the world, as in
             `data_parallel`
    config, on_index, check, device, roles
             as in `data_parallel`

    A function without donated arguments has no updates, and runs on one device. Results are arrays of JAX. `run`, `fit`
    and `plan` are those of `data_parallel`, and donate nothing. Raises ValueError or FrontendError for wrong options.
    """
    donated = [*listed_numbers(donate_argnums), *listed(donate_argnames)]
    alone = ranks in (None, 1) and not (ranks is None and started_by())
    if not donated and not alone:
        raise ValueError("nothing is donated, so the function updates nothing and runs on one device: donate_argnums= "
                         "names what one step hands to the next, or leave out ranks= and the launcher")
    if batch is None and not alone:
        raise FrontendError("batch= is missing: it names the arguments of the step that hold samples, such as batch=2, "
                            "which ranks divide")
    for option in ("params", "state"):
        if option in roles:
            raise FrontendError(f"{option}= is not an option of jit, where donate_argnums= names what one step hands "
                                "to the next; dstep.jax.data_parallel has it")
    runner = Runner(1 if alone else ranks, mapping("config", config, "{key: value}"), on_index, check=check,
                    device=device)
    return Jitted(step, donated, {"batch": NO_SAMPLES if batch is None else batch} | roles, runner)


def listed_numbers(given):
    numbers = [given] if isinstance(given, int) else list(given)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise FrontendError(f"donate_argnums= holds {number!r}, expected positions of arguments from 0 on; "
                                "donate_argnames= takes names")
    return numbers

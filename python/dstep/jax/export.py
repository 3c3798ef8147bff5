"""Exports a training step of JAX: upstream MLIR with the roles of ds, its initial values, and a recording made by
JAX."""
import functools
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from ..base import limits
from ..base.errors import FrontendError
from ..base.export import Export
from ..frontend import normalise
from ..frontend.manifest import divide
from ..session.launch import check_share
from .axis import bound, exportable
from .jaxprs import place_of
from .keys import is_key, unwrap, wrap
from .mistakes import check_call, check_results, check_step, difference
from .modules import Modules, NewObject, as_tuple
from .resident import to_jax
from .roles import argument_names, assign_roles, carried_of, dotted, leaves_of, pair_empty, pair_results
from .shardings import mesh_of, named, place


def lower(function, arrays):
    """Returns the StableHLO of `function(*arrays)`. Lowering for 'tpu' needs no such device: it keeps random bits as
    plain arithmetic, while 'cpu' makes loops and library calls. Unused arguments keep their positions."""
    traced = jax.jit(function, keep_unused=True).trace(*arrays)
    try:
        return traced.lower(lowering_platforms=("tpu",)).as_text(debug_info=True)
    except NotImplementedError as error:  # JAX has the operation for some devices only
        found = re.search(r"rule for primitive '(\w+)' not found", str(error))
        if not found:
            raise
        raise FrontendError(f"the operation '{found[1]}'{place_of(found[1], traced.jaxpr) or ''} has no form in "
                            "StableHLO that ds knows; write it with other operations") from error


class Results(typing.NamedTuple):
    """The structure of a step's results: their shapes, and for an updated argument what it is like. `is_plain`: they
    hold no random keys and no shardings."""
    tree: Any
    shapes: list
    like: list
    is_plain: bool


class JaxExport(Export):
    """An exported step that JAX can still run: `flat` takes and returns arrays in the order of the manifest."""

    def __init__(self, step, args, batch, params, state, seed, results, metrics, samples, init, name, axis=None,
                 forward=False, mesh=None,
                 shardings=None, apart=()):
        check_step(step)
        check_call(step, args)
        check_results(results, metrics, samples, init)
        self.args, self.axis, self.modules = tuple(args), axis, Modules(step, args)

        def take_in():
            self.step, arrays = self.modules.called, self.modules.arrays(self.args)
            names, leaves = leaves_of(self.step, arrays)
            assign_roles(names, leaves, batch, params, state, seed, samples, apart)
            self.leaves, self.tree = leaves, jax.tree_util.tree_structure(arrays)
            self.modules.inside = [] if forward else [i for i in self.modules.objects if i in carried_of(leaves)]
            self.shapes = bound(self.step, axis)(*arrays)[1]
            return names, leaves, arrays

        try:
            names, leaves, arrays = take_in()
        except NewObject:
            self.modules.as_pytrees(self.args, argument_names(step, len(args)))
            names, leaves, arrays = take_in()
        inside, outputs = self.modules.inside, as_tuple(self.shapes)
        self.pairs = inside + pair_results(names, leaves, arrays, outputs[len(inside):], results, forward, inside)
        pair_empty(self.pairs, arrays, outputs)
        results = results and [None] * len(inside) + list(results)
        described = describe_results(leaves, outputs, self.pairs, results, metrics or {}, samples or {})
        super().__init__(name, {
            "entry": "main", "framework": {"jax": jax.__version__},
            "args": [describe_argument(leaf, init) for leaf in leaves], "results": described}
            | ({"axis": {"name": axis[0], "size": axis[1]}} if axis else {}))
        divide(self.manifest, mesh_of(mesh), shardings or {})
        limits.phase("tracing the step")
        self.stablehlo = lower(exportable(self.flat, leaves, "params" if params is None else params, axis),
                               self.flatten(self.args))
        self._place()
        if axis and self.manifest.get("mesh"):
            raise FrontendError(f"the step combines values over the axis '{axis[0]}' and is divided by shardings, "
                                "expected one of them")

    def _place(self):
        self.places: dict[int, str] = {}
        self.mlir = normalise(self.stablehlo, self.manifest, self.places)

    def hold_samples(self, result: int, dim: int | None) -> bool:
        described = self.manifest["results"][result]
        role, _, name = described["role"].partition(":")
        if dim is None or role != "metric" or "reduce" in described:
            return False
        self.manifest["results"][result] = described | {"role": "batch", "name": name, "dim": dim}
        self._place()
        return True

    def flat(self, *arrays):
        values = [wrap(a, leaf.value) if is_key(leaf.value) else a for leaf, a in zip(self.leaves, arrays)]
        outputs = as_tuple(self.step(*jax.tree_util.tree_unflatten(self.tree, values)))
        return tuple(unwrap(x) for output in outputs for x in jax.tree_util.tree_leaves(output))

    def flatten(self, args):
        """Returns the arrays of the arguments in the order of the manifest. Raises FrontendError for another
        structure."""
        check_call(self.step, args)
        arrays = self.modules.arrays(args)
        values, tree = jax.tree_util.tree_flatten(arrays)
        if tree != self.tree:
            other = (difference(self.leaves, leaves_of(self.step, arrays)[1]) or f"they have the structure {tree}, "
                     f"expected {self.tree}")
            raise FrontendError(f"the arguments are not those that the step was exported for: {other}")
        return [unwrap(value) for value in values]

    @functools.cached_property
    def results(self):
        shapes, tree = jax.tree_util.tree_flatten(self.shapes)
        at = {leaf.name: leaf.value for leaf in self.leaves}
        like = [at.get(r["role"][8:]) if r["role"].startswith("updates:") else None for r in self.manifest["results"]]
        return Results(tree, shapes, like, not any(map(is_key, shapes)) and all(named(value) is None for value in like))

    def placed(self, values):
        """Returns results as arrays of JAX; an updated argument is sharded over devices like the argument."""
        if self.results.is_plain:
            return to_jax(values)
        wrapped = [wrap(v, shape) if is_key(shape) else jax.numpy.asarray(v)
                   for shape, v in zip(self.results.shapes, values, strict=True)]
        return [value if like is None else place(value, like) for value, like in zip(wrapped, self.results.like)]

    def structured(self, placed, args):
        """Returns placed results in the structure of the step's; objects of `args` that the step changes in place get
        new values."""
        return self.modules.update_objects(args, jax.tree_util.tree_unflatten(self.results.tree, placed))

    def run(self, arrays):
        """Runs one step by JAX itself, on arrays in the order of the manifest; returns arrays of NumPy."""
        if self.axis:
            raise FrontendError(f"the step combines values over the axis '{self.axis[0]}' of {self.axis[1]} ranks, so "
                                "one device cannot record it; dstep.jax.data_parallel runs it")
        return [np.asarray(a) for a in self.jitted(*arrays)]

    @functools.cached_property
    def jitted(self):
        # By default XLA keeps 16-bit intermediate values in f32 if that is faster; no other compiler can reproduce
        # this.
        return jax.jit(self.flat, keep_unused=True, compiler_options={"xla_allow_excess_precision": False})


def array_of(value):
    value = jax.eval_shape(unwrap, value) if is_key(value) else value
    return list(jax.numpy.shape(value)), str(jax.dtypes.result_type(value))


def share(step, args, ranks, is_own=False, *, batch, params=None, state=(), seed=(), samples=None, apart=(), **_):
    """Returns the step's arguments with the samples of the first of `ranks` ranks only; `is_own`: of those of this
    process."""
    modules = Modules(step, args)
    arrays = modules.arrays(args)
    names, leaves = leaves_of(step, arrays)
    assign_roles(names, leaves, batch, params, state, seed, samples, apart)
    count = min(jax.numpy.shape(leaf.value)[leaf.dim] for leaf in leaves if leaf.role == "batch")
    check_share(count, ranks, is_own)

    def part(leaf):
        if leaf.dim is None:
            return leaf.value
        value, size = jax.numpy.asarray(leaf.value), jax.numpy.shape(leaf.value)[leaf.dim]
        width = count if leaf.apart else size
        parts = [jax.lax.slice_in_dim(value, first, first + width // ranks, axis=leaf.dim)
                 for first in range(0, size, width)]
        return parts[0] if len(parts) == 1 else jax.numpy.concatenate(parts, leaf.dim)

    return modules.whole(jax.tree_util.tree_unflatten(jax.tree_util.tree_structure(arrays),
                                                      [part(leaf) for leaf in leaves]))


def describe_argument(leaf, init):
    shape, dtype = array_of(leaf.value)
    described = {"role": leaf.role, "name": leaf.name, "shape": shape, "dtype": dtype}
    if leaf.dim is not None:
        described["dim"] = leaf.dim
    if leaf.apart:
        described["apart"] = True
    if leaf.role == "param" and not jax.dtypes.issubdtype(dtype, np.floating):
        raise FrontendError(f"parameter '{leaf.name}' is {dtype}, expected floats; integers that change are state")
    initial = init(leaf.name, tuple(shape), leaf.value) if init and leaf.role in ("param", "state") else None
    return described | ({"init": initial} if initial else {})


def describe_results(leaves, outputs, pairs, results, metrics, samples):
    described, unnamed = [], sum(p is None and not jax.tree_util.tree_structure(o).node_data()
                                 for o, p in zip(outputs, pairs))
    for k, (output, argument) in enumerate(zip(outputs, pairs)):
        found = jax.tree_util.tree_flatten_with_path(output)[0]
        carried = [leaf for leaf in leaves if leaf.argument == argument]
        if argument is not None and len(carried) != len(found):
            raise FrontendError(f"result {k} has {len(found)} arrays, but the argument that it updates has "
                                f"{len(carried)}")
        for position, (path, value) in enumerate(found):
            shape, dtype = array_of(value)
            entry = {"shape": shape, "dtype": dtype}
            if argument is not None:
                dim = carried[position].dim
                described.append({"role": f"updates:{carried[position].name}"} | ({} if dim is None else {"dim": dim})
                                 | entry)
                check_update(carried[position], shape, dtype, k)
                continue
            alone = results[k] if results else "loss" if unnamed == 1 else f"metric{k}"
            name = dotted(path) or alone
            if name in samples:
                if samples[name] not in range(len(shape)):
                    raise FrontendError(f"samples= gives '{name}' the dimension {samples[name]!r}, but its shape is "
                                        f"{tuple(shape)}")
                described.append({"role": "batch", "name": name, "dim": samples[name]} | entry)
            else:
                described.append({"role": f"metric:{name}"} | ({"reduce": metrics[name]} if name in metrics else {})
                                 | entry)
    known = [d["role"].partition(":")[2] or d["name"] for d in described if not d["role"].startswith("updates")]
    for option, chosen in (("metrics", metrics), ("samples", samples)):
        for name in chosen:
            holds = option == "samples" and any(leaf.role == "state" and leaf.matches(name) for leaf in leaves)
            if name not in known and not holds:
                raise FrontendError(f"{option}= names '{name}', but the results are {', '.join(known)}")
    return described


def check_update(leaf, shape, dtype, k):
    old_shape, old_dtype = array_of(leaf.value)
    if (old_shape, old_dtype) != (shape, dtype):
        text = lambda s, d: f"{d}[{','.join(map(str, s))}]"
        raise FrontendError(f"'{leaf.name}' is {text(old_shape, old_dtype)} but its new value is {text(shape, dtype)}; "
                            f"give it the type that the step computes, or cast the new value, for which result {k} is "
                            "taken (results= names another)")


def export(step: Callable[..., Any], example_args: Sequence[Any], *, batch: Any, params: Any = None, state: Any = (),
           seed: Any = (), results: Any = None,
           metrics: Mapping[str, str] | None = None, samples: Mapping[str, int] | None = None, apart: Any = (),
           init: Callable[..., Any] | None = None,
           axis_name: str | None = None, axis_size: int | None = None, mesh: Any = None,
           shardings: Mapping[str, Any] | None = None, name: str = "step",
           time_limit: float | None = 600, memory_limit: float | None = None) -> JaxExport:
    """Exports `step(*example_args)` and returns a JaxExport.
    batch    selectors of the arguments that hold samples (in dimension 0; a dictionary {selector: dimension} for
             others)
    params   selectors of trainable values (default: the argument 'params'); other values in these arguments are state
    state    selectors of other values that a step passes to the next one
    seed     selectors of random keys that change with every step
    results  names of the step's results, if structure and order do not determine them: an argument's name, or a
             metric's
    metrics  {name: "mean" | "sum" | "max" | "none"}: how ranks reduce a metric (default mean)
    samples  {name: dimension} of results, and of states, with a value per sample (a hidden state that the next step
             reads)
    apart    selectors of batch arguments with several rows per sample that the step reads as [rows, samples], not as
             [samples, rows]: the order of rows in the data of `fit` and ds-run
    init     function (name, shape, value) -> text of `ds.init` or None, for a step that starts without initial values
    axis_name, axis_size
             the step is the program of one of axis_size ranks, as under pmap(axis_name=..): ranks reduce values in
             psum, pmean, pmax and pmin over the axis. It runs with batch=local on that number of ranks, and
             example_args are those of one rank
    mesh     the ranks as {axis: size}, or a mesh of JAX; by default that of the shardings of the step and its
             arguments. The batch is sharded over the axis that its arguments are annotated with, else over the first
             one
    shardings
             {name of an argument: an axis, a tuple of axes or None for each dimension}, with precedence over those of
             step and arguments
    time_limit, memory_limit
             seconds (None: no limit) and GiB after which the export ends with an error; the default memory limit is
             three quarters of the memory that is free

    A selector is an argument's position or name, or a dotted path into it such as "state.params". Arguments without a
    role are hyper-parameters. The step may be jitted, and use Flax, Optax or plain pytrees. Raises FrontendError for a
    step that cannot be exported.
    """
    if (axis_name is None) != (axis_size is None):
        raise FrontendError("axis_name= and axis_size= belong together, got one of them")
    axis = None if axis_name is None else (axis_name, axis_size)
    with limits.watched(f"the export of '{name}'", time_limit, memory_limit):
        return JaxExport(step, example_args, batch, params, state, seed, results, metrics, samples, init, name, axis,
                         mesh=mesh, shardings=shardings, apart=apart)


def export_forward(function: Callable[..., Any], example_args: Sequence[Any], *, batch: Any, params: Any = None,
                   name: str = "forward") -> JaxExport:
    """Exports a function of parameters and samples, such as the logits for `ds-run --eval`: parameters as in `export`;
    every result holds a value per sample in dimension 0. The parameters have the names of the step's if their argument
    has the same name. Returns a JaxExport."""
    modules = Modules(function, example_args)
    outputs = as_tuple(jax.eval_shape(modules.called, *modules.arrays(example_args)))
    names = [dotted(path) or f"result{k}" if len(outputs) > 1 else dotted(path) or name
             for k, output in enumerate(outputs) for path, _ in jax.tree_util.tree_flatten_with_path(output)[0]]
    return JaxExport(function, example_args, batch, params, (), (),
                     [f"result{k}" for k in range(len(outputs))] if len(outputs) > 1
                     else [name], None, dict.fromkeys(names, 0), None, name, forward=True)


def flax_init(name: str, shape: Sequence[int], value: Any) -> str | None:
    """Returns the initial value by the name that Flax gives a parameter or a running statistic: an `init` for
    `export`."""
    if not np.any(np.asarray(value)) and "params" not in name.split("."):
        return None  # state starts at zero
    last = name.rsplit(".", 1)[-1]
    if last in ("bias", "mean"):
        return "zeros"
    if last in ("scale", "var"):
        return "ones"
    return "he_normal" if len(shape) in (2, 4) and last == "kernel" else "normal(0.02)"

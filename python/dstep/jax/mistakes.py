"""Checks of a JAX step's arguments and options: one sentence for each mistake, in terms of the step."""
import inspect

import jax
import numpy as np

from ..base.checks import kind
from ..base.errors import FrontendError


def wrapped(step):
    """Yields the function and the functions that it wraps."""
    while step is not None:
        yield step
        step = getattr(step, "__wrapped__", None)


def check_step(step):
    if not callable(step):
        raise FrontendError(f"the step is {kind(step)}, expected a function of its arguments (not what a call of it "
                            "returns)")
    for function in wrapped(step):
        if getattr(getattr(function, "__code__", None), "co_filename", "").endswith("jax/_src/pmap.py"):
            raise FrontendError("the step is made by jax.pmap, expected the function inside of it: "
                                "dstep.jax.data_parallel(function, axis_name=.., ranks=..) divides the batch and binds "
                                "the axis")


def check_options(options, allowed):
    """Checks the options of an export."""
    for name in options:
        if name not in allowed:
            raise FrontendError(f"there is no option '{name}', expected one of {', '.join(allowed)}; what the step "
                                "itself takes is an argument of it")
    if options.get("batch") is None:
        raise FrontendError("batch= is missing: it names the arguments of the step that hold samples, such as batch=1 "
                            "or batch='batch'")


def check_selectors(selectors):
    """Checks {option: selectors of arguments}: positions, names, or lists of them."""
    for option, chosen in selectors.items():
        listed = list(chosen) if isinstance(chosen, (list, tuple, dict, set)) else [] if chosen is None else [chosen]
        for selector in listed:
            if isinstance(selector, bool) or not isinstance(selector, (int, str)):
                raise FrontendError(f"{option}= holds {kind(selector)}, expected positions or names of arguments of "
                                    f"the step, such as 0 or '{option}'")
    if isinstance(selectors["batch"], dict):
        for selector, dim in selectors["batch"].items():
            if isinstance(dim, bool) or not isinstance(dim, int) or dim < 0:
                raise FrontendError(f"batch= gives '{selector}' {kind(dim) if not isinstance(dim, int) else dim}, "
                                    "expected the dimension that counts samples, from 0 on; the batch itself is an "
                                    "argument of a call")


def check_call(step, args):
    """Checks that the arguments fit the step's signature."""
    if not isinstance(args, (list, tuple)):
        raise FrontendError(f"the step's arguments are given as {kind(args)}, expected a tuple of them: "
                            "(params, batch)")
    try:
        signature = inspect.signature(step)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args)
    except TypeError as error:
        raise FrontendError(f"the step takes ({', '.join(signature.parameters)}), but is given {len(args)} "
                            f"argument{'s' * (len(args) != 1)}: {error}") from None


def check_leaf(name, value):
    """Checks that a leaf is an array, or a number that becomes one."""
    if isinstance(value, jax.core.Tracer):
        raise FrontendError(f"'{name}' is traced by jax.jit, grad or vmap around the call, expected an array: ranks "
                            "run a step when it is called, so call it outside of them")
    if isinstance(value, (bool, int, float, complex)) or jax.dtypes.issubdtype(getattr(value, "dtype", float),
                                                                               jax.dtypes.prng_key):
        return
    try:
        letter = np.dtype(value.dtype).kind
    except (AttributeError, TypeError):
        advice = ("np.asarray makes one of it" if hasattr(value, "__array__")
                  else "bind what is none to the step before (functools.partial)")
        raise FrontendError(f"'{name}' is {kind(value)}, expected arrays and numbers; {advice}") from None
    if letter in "OSUMm":
        raise FrontendError(f"'{name}' is an array of the type {value.dtype}, expected numbers")


def check_results(results, metrics, samples, init):
    """Checks the options about results and initial values."""
    if init is not None and not callable(init):
        raise FrontendError(f"init= is {kind(init)}, expected a function (name, shape, value) that returns the text of "
                            "ds.init or None")
    if isinstance(results, str):
        raise FrontendError(f"results={results!r} is a text, expected a name for each result of the step, such as "
                            "('params', 'loss')")
    for option, given, of in (("metrics", metrics, "'mean', 'sum', 'max' or 'none'"),
                              ("samples", samples, "dimension that counts samples")):
        if given is not None and not isinstance(given, dict):
            raise FrontendError(f"{option}= is {kind(given)}, expected {{name of a result: {of}}}")


def check_steps(steps):
    """Returns the arguments of each step that `run` takes, as tuples."""
    what = "expected the arguments of each step: [(params, batch1), (params, batch2)]"
    if isinstance(steps, (dict, str)) or not hasattr(steps, "__iter__"):
        raise FrontendError(f"run is given {kind(steps)}, {what}")
    steps = list(steps)
    for args in steps:
        if not isinstance(args, (list, tuple)):
            raise FrontendError(f"run is given a list that holds {kind(args)}, {what}")
    return [tuple(args) for args in steps]


def difference(leaves, given):
    """Returns how the arrays of a call differ from those of the export, as text."""
    here, there = {leaf.full for leaf in given}, {leaf.full for leaf in leaves}
    parts = [f"they lack {', '.join(sorted(there - here))}"] * bool(there - here) + [
        f"they have {', '.join(sorted(here - there))}, too"] * bool(here - there)
    return " and ".join(parts)

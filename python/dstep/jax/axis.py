"""A step of one device of many, written with an axis name as for pmap or vmap, and its conversion to a step of ds.

The step is traced with the axis bound to the number of ranks; then each psum, pmax and pmin over it becomes a reduction
over ranks. A pmean is a psum and a division by the number of ranks, which stays as in JAX.
"""
import jax
from jax import lax
from jax.extend.core import Primitive, jaxpr_as_fun, jaxprs_in_params
from jax.extend.core.primitives import pmax_p, pmin_p, psum_p
from jax.interpreters import mlir

from ..base.errors import FrontendError
from ..frontend.ir import marks
from . import callbacks
from .jaxprs import place, rewritten
from .marks import exported_mark, gradient_p, mark_p

KINDS = {psum_p: "sum", pmax_p: "max", pmin_p: "min"}


def combine(value, kind):
    """Returns a value annotated as reduced over ranks. After StableHLO, integers have no sign, so unsigned ones become
    signed ones of the same order."""
    mark = lambda value, kind: mark_p.bind(value, target=marks.COMBINE, said=kind)
    if value.dtype == bool:
        return mark(value, {"max": "or", "min": "and"}[kind])
    if kind == "sum" or not jax.dtypes.issubdtype(value.dtype, jax.numpy.unsignedinteger):
        return mark(value, kind)
    bits = 8 * value.dtype.itemsize
    top = jax.numpy.array(1 << bits - 1, value.dtype)
    signed = mark(lax.bitcast_convert_type(value ^ top, f"int{bits}"), kind)
    return lax.bitcast_convert_type(signed, value.dtype) ^ top


combine_p = Primitive("ds_combine")
combine_p.def_abstract_eval(lambda value, **_: value)
mlir.register_lowering(combine_p, mlir.lower_fun(combine, multiple_results=False))


def combined(eqn, axis):
    """Yields the equations for a collective of JAX in the exported step, one per value."""
    name = eqn.primitive.name
    if eqn.primitive not in KINDS:
        raise FrontendError(f"'{name}' over the axis '{axis}'{place(eqn)} has no form on ranks; psum, pmean, pmax and "
                            "pmin have one")
    if eqn.params["axes"] != (axis,) or eqn.params["axis_index_groups"] is not None:
        raise FrontendError(f"'{name}'{place(eqn)} is over a part of the ranks, or over more than them; expected the "
                            f"axis '{axis}' alone")
    for value, result in zip(eqn.invars, eqn.outvars, strict=True):
        if KINDS[eqn.primitive] != "sum" and jax.dtypes.issubdtype(value.aval.dtype, jax.numpy.complexfloating):
            raise FrontendError(f"'{name}'{place(eqn)} combines {value.aval.dtype}, expected real numbers")
        yield eqn.replace(primitive=combine_p, invars=[value], outvars=[result], params={"kind": KINDS[eqn.primitive]})


def over(axis):
    """Returns a function that is True for the effect of a collective over the axis."""
    return lambda effect: axis is not None and getattr(effect, "name", None) == axis


def bound(function, axis):
    """Returns a function that traces `function` with the axis bound: -> (its jaxpr, the structure of its results).
    `axis` is (name, number of ranks) or None."""
    def trace(*args):
        try:
            return jax.make_jaxpr(function, axis_env=[axis] if axis else None, return_shape=True)(*args)
        except ValueError as error:
            if "static arguments" not in str(error):
                raise
            raise FrontendError("the step has static arguments of jax.jit, expected a function of arrays: bind them "
                                "before (functools.partial(step, training=True))") from error
        except NameError as error:
            if "unbound axis name" not in str(error):
                raise
            name = str(error).partition("unbound axis name: ")[2].partition(".")[0]
            expected = f"only {axis[0]!r}" if axis else f"axis_name={name!r}, which binds it to the ranks"
            raise FrontendError(f"the step combines values over the axis '{name}', expected {expected}") from error
    return trace


def exportable(function, leaves, params, axis):
    """Returns `function` with its annotations and collectives in the form that StableHLO carries. `leaves` are those of
    the step's arguments, `params` the selectors of its parameters."""
    name = axis[0] if axis else None

    def change(eqn, _):
        if eqn.primitive is gradient_p:
            yield exported_mark(eqn, leaves, params)
        elif any(map(over(name), eqn.effects)) and not any(jaxprs_in_params(eqn.params)):
            yield from combined(eqn, name)
        else:
            yield eqn

    def step(*args):
        closed = callbacks.without(bound(function, axis)(*args)[0])
        return jaxpr_as_fun(rewritten(closed, change, lambda effect: not over(name)(effect)))(*args)

    return step

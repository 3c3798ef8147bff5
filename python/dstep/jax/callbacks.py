"""Calls of Python inside of a step, which ranks cannot make.

Calls that only print or check (jax.debug.print, checks of Equinox and of checkify) are left out with a warning that
names their line, and so are calls whose results are unused. Calls that compute a value of the step are refused.
"""
import warnings

from jax.extend.core import Primitive, jaxpr_as_fun
from jax.interpreters import mlir
from jax.interpreters.partial_eval import dce_jaxpr

from ..base.errors import FrontendError
from .jaxprs import at, equations, frames_of, rewritten

TELLS = {"debug_print": "jax.debug.print", "debug_callback": "jax.debug.callback",
         "inspect_sharding": "jax.debug.inspect_array_sharding"}
CALLS = {"pure_callback": "jax.pure_callback", "io_callback": "jax.experimental.io_callback",
         "buffer_callback": "jax.experimental.buffer_callback"}
EFFECTS = ("jax._src.debugging", "jax._src.callback", "jax._src.checkify")

# A branch that takes the place of its condition.
branch_p = Primitive("ds_branch")
branch_p.multiple_results = True
branch_p.def_abstract_eval(lambda *_, branch: branch.out_avals)
mlir.register_lowering(branch_p, mlir.lower_fun(lambda *values, branch: jaxpr_as_fun(branch)(*values)))


def kept(effect):
    return type(effect).__module__ not in EFFECTS


def is_called(eqn, name):
    """True if the step wrote an operation as a call of `name` of JAX's debugger."""
    return any(f.function_name == name and "jax/_src/debugger" in f.file_name for f in frames_of(eqn))


def raises(jaxpr):
    """True if a jaxpr is Equinox's way to raise an error: a callback of its own in place of a value."""
    function = lambda eqn: getattr(eqn.params.get("callback"), "callback_func", None)
    return any(eqn.primitive.name == "pure_callback" and getattr(function(eqn), "__module__", None) == "equinox._errors"
               for eqn, _ in equations(jaxpr.jaxpr))


class LeftOut:
    """Rewrites equations, and warns once for each line of the operations that it left out."""

    def __init__(self):
        self.lines = {}

    def note(self, what, line, instead):
        self.lines[f"{what}{at(line)} is left out, because ranks call no Python; {instead}"] = line

    def warn(self):
        for sentence, line in self.lines.items():
            warnings.warn_explicit(sentence, UserWarning, *(line or ("dstep.jax", 0)))

    def change(self, eqn, line):
        name = eqn.primitive.name
        if name in TELLS:
            told = "jax.debug.breakpoint" if is_called(eqn, "breakpoint") else TELLS[name]
            self.note(told, line, "a value that the step returns is reported as a metric")
        elif name == "check":
            self.note("checkify.check", line, "the step goes on where it would fail")
        elif (name == "cond" and any(raises(b) for b in eqn.params["branches"])
              and not all(raises(b) for b in eqn.params["branches"])):
            self.note("the check of equinox.error_if", line, "the step goes on where it would fail")
            branch = next(b for b in eqn.params["branches"] if not raises(b))
            yield eqn.replace(primitive=branch_p, invars=eqn.invars[1:], params={"branch": branch})
        else:
            yield eqn


def without(closed):
    """Returns a closed jaxpr that calls no Python. Operations that it leaves out are warnings."""
    left_out = LeftOut()
    closed = rewritten(closed, left_out.change, kept)
    calls = lambda: [(eqn.primitive.name, line) for eqn, line in equations(closed.jaxpr) if eqn.primitive.name in CALLS]
    if calls():
        for name, line in calls():
            if name == "io_callback":
                left_out.note(CALLS[name], line, "a value that the step returns is reported as a metric")
        # Removes calls whose results are unused.
        closed = closed.replace(jaxpr=dce_jaxpr(closed.jaxpr, True, instantiate=True)[0])
    for name, line in calls():
        raise FrontendError(f"{CALLS[name]}{at(line)} computes a value of the step in Python, which ranks do not call; "
                            "write it with operations of JAX, or give its value to the step as an argument")
    left_out.warn()
    return closed

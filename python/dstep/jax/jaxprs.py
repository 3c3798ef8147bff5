"""Steps as JAX has traced them: source lines of operations, and replacement of operations."""
from jax.extend.core import ClosedJaxpr, Jaxpr, jaxprs_in_params

INSTALLED = ("site-packages", "dist-packages", "/lib/python")


def frames_of(eqn):
    """Returns the stack frames of an equation, the innermost first."""
    return list(eqn.source_info.traceback.frames) if eqn.source_info.traceback else []


def line_of(eqn):
    """Returns (file, line) of the user's code for an equation, or None."""
    return next(((f.file_name, f.line_num) for f in frames_of(eqn)
                 if not any(part in f.file_name for part in INSTALLED)), None)


def at(line):
    """Returns ' at FILE:LINE', or ''."""
    return f" at {line[0]}:{line[1]}" if line else ""


def place(eqn):
    return at(line_of(eqn))


def place_of(name, jaxpr):
    """Returns the place of the first operation with a name, or of the call that leads to it; None if there is none."""
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == name:
            return place(eqn)
        found = [place_of(name, inner) for inner in jaxprs_in_params(eqn.params)]
        if any(at is not None for at in found):
            return next(filter(None, found), place(eqn))
    return None


def equations(jaxpr, line=None):
    """Yields (equation, line of it or of the call that leads to it) for all equations, also inside of loops, branches
    and calls."""
    for eqn in jaxpr.eqns:
        own = line_of(eqn) or line
        yield eqn, own
        for inner in jaxprs_in_params(eqn.params):
            yield from equations(inner, own)


def rewritten(part, change, kept, line=None):
    """Returns a jaxpr in which the equations of `change(equation, line)` replace each equation, also inside of loops,
    branches and calls. Other parameters of an equation stay, and so do effects that are `kept`."""
    if isinstance(part, ClosedJaxpr):
        return part.replace(jaxpr=rewritten(part.jaxpr, change, kept, line))
    if type(part) in (tuple, list):
        return type(part)(rewritten(p, change, kept, line) for p in part)
    if not isinstance(part, Jaxpr):
        return part
    rest = lambda effects: frozenset(filter(kept, effects))
    inner = lambda eqn, line: eqn.replace(params={name: rewritten(p, change, kept, line)
                                                  for name, p in eqn.params.items()}, effects=rest(eqn.effects))
    eqns = [inner(new, own) for eqn in part.eqns for own in [line_of(eqn) or line] for new in change(eqn, own)]
    return part.replace(eqns=eqns, effects=rest(part.effects))

"""Steps as JAX has traced them: where an operation was written, and other operations in place of some."""
from jax.extend.core import ClosedJaxpr, Jaxpr, jaxprs_in_params

INSTALLED = ("site-packages", "dist-packages", "/lib/python")


def frames_of(eqn):
    """From the innermost one on."""
    return list(eqn.source_info.traceback.frames) if eqn.source_info.traceback else []


def line_of(eqn):
    """(file, line) of the user's own code, or None."""
    return next(((f.file_name, f.line_num) for f in frames_of(eqn) if not any(part in f.file_name for part in INSTALLED)), None)


def at(line):
    """' at FILE:LINE', or nothing."""
    return f" at {line[0]}:{line[1]}" if line else ""


def place(eqn):
    return at(line_of(eqn))


def place_of(name, jaxpr):
    """That of the first operation of a name, or of the call that leads to it; None where there is none."""
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == name:
            return place(eqn)
        found = [place_of(name, inner) for inner in jaxprs_in_params(eqn.params)]
        if any(at is not None for at in found):
            return next(filter(None, found), place(eqn))
    return None


def equations(jaxpr, line=None):
    """(equation, line of it or of the call that leads to it) of all, those inside of loops, branches and calls, too."""
    for eqn in jaxpr.eqns:
        own = line_of(eqn) or line
        yield eqn, own
        for inner in jaxprs_in_params(eqn.params):
            yield from equations(inner, own)


def rewritten(part, change, kept, line=None):
    """A jaxpr with `change(equation, line)`, which gives equations, in place of each, inside of loops, branches and calls, too. Parameters of
    an equation that hold no jaxpr stay as they are, and so do effects that are `kept`."""
    if isinstance(part, ClosedJaxpr):
        return part.replace(jaxpr=rewritten(part.jaxpr, change, kept, line))
    if type(part) in (tuple, list):
        return type(part)(rewritten(p, change, kept, line) for p in part)
    if not isinstance(part, Jaxpr):
        return part
    rest = lambda effects: frozenset(filter(kept, effects))
    inner = lambda eqn, line: eqn.replace(params={name: rewritten(p, change, kept, line) for name, p in eqn.params.items()}, effects=rest(eqn.effects))
    eqns = [inner(new, own) for eqn in part.eqns for own in [line_of(eqn) or line] for new in change(eqn, own)]
    return part.replace(eqns=eqns, effects=rest(part.effects))

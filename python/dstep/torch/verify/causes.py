"""Causes of a difference between a captured step and the user's loop, as far as they can be found."""
from ..base import hooks
from . import lines

UNCHECKED = 'verify="off" exports the step unchecked'
LIBRARIES = {"random": "Python's module random", "numpy.random": "numpy"}


class Drawn(Exception):
    """The loop draws random numbers of a library, which a step cannot draw."""

    def __init__(self, library):
        self.library = library


def drawn(objects, loop, library):
    objects.restore()
    line = lines.drawing(lambda: loop.gradients(loop.capture.batch, 0), library)
    where = f" at {line}" if line else ""
    return (f"the loss draws random numbers of {LIBRARIES[library]}{where}: the loop draws new ones in each step, the captured step has those of the export; draw them with "
            "torch.rand, or before the step, as a value of the batch")


def written(change, objects):
    """Returns ' at FILE:LINE' where the loop writes a value, or ''."""
    line = lines.writing(objects.functions, change.name)
    return f" at {line}" if line else ""


def said(change):
    name = change.name.removeprefix("model.")
    return f"'{name}'"


def of(capture, objects, kind, name):
    """Returns the likely cause of a difference, as the end of a sentence."""
    if kind == "gradient":
        found = hooks.of_parameter(capture.parameters[name])
        if found:
            return f": a {found[0][0]} is registered on '{name}'{hooks.place(found[0][1])}, which a step can call only with the gradient that it is given"
    groups = [c for c in objects.renamed() if c.name.startswith("optimizer.param_groups")]
    for change in objects.hidden(capture) + groups:
        return f": the loop writes {said(change)}{written(change, objects)}, which the captured step has as it was at the export; register it as a buffer"
    for when in ("pre", "post"):
        found = hooks.of_optimizer(capture.optimizer, when)
        if found and kind == "value":
            return f": a step {when}-hook is registered on the optimizer{hooks.place(found[0])}, which a step can call only with the optimizer that it is given"
    outside = [n for n, p in capture.parameters.items() if p.grad is not None and n not in capture.trained]
    if name == "grad_norm" and outside:
        return f": clip reads the gradient of '{outside[0]}', which is in no group of the optimizer, so that nothing clears it; freeze it, or take it out of clip"
    if callable(capture.clip) and name in ["grad_norm", *capture.trained]:
        return f": clip{hooks.place(capture.clip)} is a function, which a step can call only with the parameters that it is given"
    own = vars(capture.optimizer).get("step")
    if kind == "value" and own is not None and not hasattr(own, "_wrapped_by_lr_sched"):
        return f": the optimizer's step is replaced{hooks.place(own)}"
    for iterator in objects.iterators:
        line = lines.writing(objects.functions, iterator)
        if line:
            return f": the loop takes values from '{iterator.removeprefix('model.')}' at {line}"
    return ""

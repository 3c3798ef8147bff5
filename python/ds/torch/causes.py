"""Why a captured step is not the user's loop, as far as it can be told."""
import torch

from ..frontend.errors import FrontendError
from . import hooks, lines

# A number that counts steps is set as far ahead.
AHEAD = (1_000, 100_000)
LIBRARIES = {"random": "Python's module random", "numpy.random": "numpy"}


class Drawn(Exception):
    """Random numbers of a library that a step cannot draw."""

    def __init__(self, library):
        self.library = library


def drawn(objects, loop, library):
    objects.restore()
    line = lines.drawing(lambda: loop.forward(loop.capture.batch, 0), library, objects.globals)
    where = f" at {line}" if line else ""
    return (f"the loss draws random numbers of {LIBRARIES[library]}{where}: the loop draws new ones in each step, the captured step has those of the export; draw them with "
            "torch.rand, or before the step, as a value of the batch")


def _hidden(objects, capture, values=True):
    """Changes of what is neither a parameter nor a buffer nor of the optimizer; without `values` those of names alone."""
    ours = {id(t) for t in [*capture.parameters.values(), *capture.model.buffers()]}
    return [c for c in objects.renamed() + (objects.rewritten() if values else []) if not c.name.startswith("optimizer") and not c.name.endswith(".grad") and ".grad" not in c.name
            and id(c.holder) not in ours and not c.name.endswith(("._opt_called", "._flat_weights"))]


def _written(change, objects):
    """Where the loop writes it."""
    line = lines.writing(objects.functions, change.name)
    return f" at {line}" if line else ""


def _name(change):
    name = change.name.removeprefix("model.")
    return f"'{name}'"


def of(capture, objects, kind, name):
    """The likely cause of a difference, as the end of a sentence."""
    if kind == "gradient":
        found = hooks.of_parameter(capture.parameters[name])
        if found:
            return f": a {found[0][0]} is registered on '{name}'{hooks.place(found[0][1])}, which a step can call only with the gradient that it is given"
    groups = [c for c in objects.renamed() if c.name.startswith("optimizer.param_groups")]
    for change in _hidden(objects, capture) + groups:
        return f": the loop writes {_name(change)}{_written(change, objects)}, which the captured step has as it was at the export; register it as a buffer"
    for when in ("pre", "post"):
        found = hooks.of_optimizer(capture.optimizer, when)
        if found and kind == "value":
            return f": a step {when}-hook is registered on the optimizer{hooks.place(found[0])}, which a step can call only with the optimizer that it is given"
    own = vars(capture.optimizer).get("step")
    if kind == "value" and own is not None and not hasattr(own, "_wrapped_by_lr_sched"):
        return f": the optimizer's step is replaced{hooks.place(own)}"
    for iterator in objects.iterators:
        line = lines.writing(objects.functions, iterator)
        if line:
            return f": the loop takes values from '{iterator.removeprefix('model.')}' at {line}"
    return ""


def numbers(capture, objects, loop):
    """Raises where the loop counts and something follows from it, though not in the first steps."""
    counted = [c for c in _hidden(objects, capture, values=False) if c.key is not None and type(c.after) in (int, float) and type(c.before) in (int, float)]
    if not counted:
        return
    batch = capture.batch

    def run(changes, ahead):
        objects.restore()
        for change in changes:
            _set(change, change.before + ahead)
        try:
            loss, metrics = loop.forward(batch, 0)
        except FrontendError:
            raise
        except Exception:
            return None
        return [loss, *metrics.values(), *(p.grad.clone() for p in capture.parameters.values() if p.grad is not None)]

    base = run([], 0)
    for ahead in AHEAD:
        if _alike(base, run(counted, ahead)):
            continue
        change = next((c for c in counted if not _alike(base, run([c], ahead))), counted[0])
        raise FrontendError(f"the loop writes {_name(change)}{_written(change, objects)}, a number on which the step depends, though not in its first steps: the captured "
                            "step has it as it was at the export; register it as a buffer")


def _set(change, value):
    holder = change.holder
    if isinstance(holder, dict):
        holder[change.key] = value
    else:
        setattr(holder, change.key, value)


def _alike(first, second):
    return second is not None and len(first) == len(second) and all(a.shape == b.shape and torch.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True) for a, b in zip(first, second))

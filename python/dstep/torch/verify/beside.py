"""The check of a capture: the traced step beside the user's loop, on the user's objects.

    run the user's loop:       zero_grad, forward, loss, backward, clip, optimizer.step, with all registered hooks
    run the traced step:       from the loop's initial values; at the annotation of a parameter's gradient, it continues
                               with the loop's gradient
    compare:                   metrics, gradients, buffers, parameters and states, up to rounding (judge.py)

for three steps: the example batch, one made from it by mixing samples, the example again. The third can differ from the
first only by what the loop keeps elsewhere, so a long one is left out if nothing of that kind has changed in the first
two. A long check takes a few samples if the step that is traced for them is the same (alike.py). The traced step starts
each from the loop's values, so rounding errors do not accumulate, and a value that the loop keeps elsewhere (an attribute, a
global, a generator of random numbers) shows in the next step. Taking over the loop's gradients prevents false errors
where an optimizer divides two rounding errors, and separates a wrong gradient from a wrong update.
"""
import time

import torch

from ...base import limits
from ...base.errors import FrontendError
from ..base import checks, marks
from ..base.values import check_in_place
from ..functions import StepFunctions
from . import causes, terms
from .ahead import Ahead
from .judge import Difference, Judge, Moved
from .objects import random_states

# Seconds of two steps after which the third has to have a reason.
SHORT = 2.0


def mixed(batch):
    """Returns another valid batch: rows of the example, one of them twice; non-integers lie between those of two
    rows."""
    size = checks.samples(batch)
    rows = torch.arange(size).roll(1)
    if size > 2:
        rows[-1] = rows[-2]

    def mix(tensor):
        moved = tensor.unflatten(0, (size, -1))[rows].flatten(0, 1)
        if not tensor.is_floating_point() or not tensor.numel() or torch.equal(tensor, tensor.round()):
            return moved
        return moved * 0.9 + tensor * 0.1 if size > 1 else tensor * 0.95
    return {name: mix(tensor) for name, tensor in batch.items()}


class Loop:
    """Steps of the user's loop."""

    def __init__(self, capture):
        self.capture = capture

    def now(self):
        """Returns {name: tensor} of everything that the step carries, from the user's objects."""
        capture, model = self.capture, self.capture.model
        check_in_place(model, capture.parameters)
        parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
        found = {n: p.detach() for n, p in parameters.items()} | {n: buffers[n] for n in capture.changing}
        return found | {f"{name}.{key}": value for (name, key), value in capture.state_now().items()}

    def gradients(self, batch, number):
        """Returns (loss and metrics, gradients); the parameters hold the clipped gradients."""
        capture = self.capture
        capture.optimizer.zero_grad(set_to_none=True)
        with StepFunctions(torch.tensor([0, number], dtype=torch.int32)):
            loss, metrics = capture.loss(capture.model, {name: tensor.clone() for name, tensor in batch.items()})
            loss.backward()
            found = {n: p.grad.clone() for n, p in capture.parameters.items() if p.grad is not None and n in capture.trained}
            norm = capture.clip_gradients({n: p for n, p in capture.parameters.items() if p.grad is not None})
        return {"loss": loss} | metrics | norm, found

    def turn(self, batch, number):
        """Runs a step; returns {name: value} of its metrics, {name: gradient}, and the values after it."""
        capture, before = self.capture, random_states()
        metrics, gradients = self.gradients(batch, number)
        for library in ("random", "numpy.random"):
            if random_states()[library] != before[library]:
                raise causes.Drawn(library)
        capture.optimizer.step()
        return {n: v.detach().clone() for n, v in metrics.items()}, gradients, self.now()


class Traced(torch.fx.Interpreter):
    """The traced step, which records its gradients and continues with given ones."""

    def __init__(self, module, names):
        super().__init__(module)
        self.names, self.terms = names, None  # {name: the size of what a gradient adds} if it is asked for
        self.summed = terms.made_of([node.args[0] for node in module.graph.nodes if node.target is marks.gradient])
        # The unit in the last place of the step's least precise floating-point type.
        kinds = {node.meta["tensor_meta"].dtype for node in module.graph.nodes if hasattr(node.meta.get("tensor_meta"), "dtype")}
        self.precision = max((torch.finfo(k).eps for k in kinds if k.is_floating_point), default=torch.finfo(torch.float32).eps)

    def run_node(self, node):
        value = super().run_node(node)
        if self.terms is not None and node in self.summed:
            self.sizes[node] = terms.magnitude(node, value, *self.fetch_args_kwargs_from_env(node), self.sizes)
        if self.terms is not None and node.target is marks.gradient:
            self.terms[node.args[1]] = self.sizes[node.args[0]]
        return value

    def call_function(self, target, args, kwargs):
        if target is not marks.gradient:
            return super().call_function(target, args, kwargs)
        self.gradients[args[1]] = args[0]
        return self.given.get(args[1], args[0])

    @torch.no_grad()
    def replay(self, leaves, inputs, given):
        """Runs a step; returns (gradients, {name: value}). `given` are gradients by name."""
        self.gradients, self.given, self.sizes = {}, given, {}
        return self.gradients, dict(zip(self.names, self.run(*leaves, *inputs)))


def _compare(traced, loop, before, inputs):
    """Yields (kind of value, Difference or None) for every value of a step."""
    metrics, gradients, after = loop
    found, values = traced.replay(list(before.values()), inputs, gradients)
    judge = Judge(traced.precision, Moved(traced, list(before.values()), inputs, gradients))
    for name, expected in metrics.items():
        yield "metric", judge.value(name, values[name], expected)
    for name, gradient in found.items():
        expected = gradients.get(name)
        difference = Difference(name, "", "a value", "none") if expected is None else judge.value(("gradient", name), gradient, expected)
        yield "gradient", difference and difference._replace(name=name)
    for name, expected in after.items():
        yield "value", judge.update(name, values[name], expected, before[name])


class _NotValid(Exception):
    """The loop fails on the mixed batch."""


def _steps(capture, module, objects, batches):
    loop, traced = Loop(capture), Traced(module, [n for n, _ in capture.leaves()] + list(capture.metrics))
    later, begun = Ahead(capture, objects, loop, batches[0]), time.monotonic()
    for number, batch in enumerate(batches):
        if number == 2 and time.monotonic() - begun > SHORT and objects.sees_all() and not objects.hidden(capture):
            break
        before = {n: v.clone() for n, v in loop.now().items()}
        try:
            found = loop.turn(batch, number)
        except causes.Drawn as drawn:
            raise FrontendError(causes.drawn(objects, loop, drawn.library)) from None
        except Exception as error:
            if batch is batches[0]:
                raise
            raise _NotValid from error
        for kind, difference in _compare(traced, found, before, capture.inputs(batch, 0, number, capture.hyper_now())):
            if difference:
                name = f"the gradient of '{difference.name}'" if kind == "gradient" else f"'{difference.name}'"
                why = causes.of(capture, objects, kind, difference.name)
                raise FrontendError(f"the captured step is not the training loop: in step {number + 1} {name}{difference.at} is {difference.got}, "
                                    f"the loop has {difference.expected}{why}; {causes.UNCHECKED}")
        if number == 0:
            capture.moving |= {n for n in capture.changing if not torch.equal(found[2][n], before[n])}
            later.note()
        del before, found
        limits.trim()
    later.check()


def check(capture, module, objects, batch):
    """Returns the error for the first value in which the step traced for this batch differs from the user's loop, or
    None. Restores the user's objects from `objects`."""
    limits.phase("running the step beside the training loop")
    example, other = batch, mixed(batch)
    try:
        try:
            _steps(capture, module, objects, [example, other, example])
        except _NotValid:
            objects.restore()
            _steps(capture, module, objects, [example] * 3)
    except Exception as error:
        return error
    finally:
        objects.restore()
    return None

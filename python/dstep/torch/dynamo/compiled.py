"""A graph from Dynamo as steps of ds: its results and its gradients on ranks that stay.

    with_loss     the graph ends in a scalar loss: one step computes loss and gradients, and `backward` returns them. If
                  another result turns out to have a gradient as well, the halves compute everything (`all_results`)
    halves        the loss lies outside: one step computes the results and saves values on its ranks; another one reads
                  these and computes the gradients of the inputs from those of the results (partition.py)

A tensor that a module holds (a parameter, a buffer) or whose leading size is not the number of samples is replicated;
so is its gradient, which is complete. If ranks are processes, the step returns this gradient as an update of the
tensor, so that it is reduced. A tensor with the samples in dimension 0, or a multiple of them, is sharded; so is its
gradient. Buffers that the graph writes, such as running statistics, get their new values after the forward pass;
buffers that its gradients write (a history of scales) after the backward pass.
"""
import collections
import contextlib
import functools
import threading

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from ...base import codes, config as configuration, places
from ...base.errors import FrontendError, RunError
from ...frontend import normalise
from .. import decompositions
from ..base import graph, marks, watch
from ..base.places import of as place_of
from ..base.threads import alone
from ..base.values import is_dense, kind
from ..functions import StepFunctions, exporting
from ..lowering import lower
from . import results, shares
from .partition import Partition, half, reached_by
from .saved import Saved, SavedOnGpu
from .steps import Argument, CHANGED, GRADIENT, LATE, RESULT, SAVED, Step, TANGENT

# An input by the name in the user's program; `held`: a module holds it.
Given = collections.namedtuple("Given", "name held")
# The last input if ranks are processes: a one for each sample.
SAMPLE = Given("samples of the process", False)
# role: batch, with its samples in dim; hyper for a replicated input; handed for a result of another part if ranks are
# processes: other processes hold other values.
Input = collections.namedtuple("Input", "name role trained dim")
# Of a function; the seed is two numbers, or None if nothing is drawn.
Call = collections.namedtuple("Call", "number seed")
# role: batch, with its samples in dim, loss (a scalar of floats), or whole for any other result.
Output = collections.namedtuple("Output", "role differentiable dim")

WHOLE = "processes combine gradients of a function without graph breaks: fullgraph=True of torch.compile names them, torch._dynamo.config.allow_rnn=True has recurrent layers inside"


class NotSaved(Exception):
    """A value that the forward step would save has no dimension that both steps shard in the same way."""


def _given(name, dim):
    """Returns the description of a result, with its samples in a dimension or replicated."""
    return {"role": f"metric:{name}"} if dim is None else {"role": "batch", "name": name, "dim": dim}


def _without_hooks():
    """Suspends hooks of saved tensors, which apply to the step as a whole. Without such hooks it must not set any:
    torch.func refuses to run within them."""
    hooks = torch._C._autograd._top_saved_tensors_default_hooks(True)
    return contextlib.nullcontext() if hooks is None else torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)


def _is_of_model(each, value):
    """True if an input is a parameter or a buffer."""
    return each.held or isinstance(value, (torch.nn.Parameter, torch.nn.Buffer))


def inputs_of(given, values, divided=1, joined=False):
    """Returns (the inputs, the number of samples) of a graph. The number is the most frequent leading size, among the
    sizes that `divided` ranks can share if there are any. With `joined`, a value from another part of the function is
    rank-local, whatever its shape, and so is its gradient."""
    for each, value in zip(given, values):
        if value.device.type != "cpu":
            raise FrontendError(f"the input '{each.name}' of the compiled function is on {value.device}, expected the CPU")
        if not is_dense(value):
            raise FrontendError(f"the input '{each.name}' of the compiled function is {kind(value)}, expected a dense tensor")
    held = [_is_of_model(each, value) for each, value in zip(given, values)]
    sizes = [value.shape[0] for value, is_held in zip(values, held) if not is_held and value.dim()]
    sizes = [size for size in sizes if size % divided == 0] or sizes
    samples = max(set(sizes), key=sizes.count) if sizes else None
    inputs = []
    for (name, _), value, is_held in zip(given, values, held):
        dim = 0 if not is_held and value.dim() and value.shape[0] == samples else None
        is_handed = joined and not is_held and not value.is_leaf
        if is_handed and dim is None:
            dim = next((d for d, size in enumerate(value.shape) if size == samples), None)
        inputs.append(Input(name, "batch" if dim is not None else "handed" if is_handed else "hyper", value.requires_grad, dim))
    return inputs, samples


class Compiled:
    """`function` of tensors, with `values` as examples, on ranks: of one process, or with `joined` those of a launched
    world. If several of them are in this process (`shared`), `values` are those of one, and calls pass those of all."""

    @alone()
    def __init__(self, function, given, values, ranks, config, joined, device="cpu", divided=1, with_loss=True,
                 shared=None):
        self.function, self.ranks, self.joined, self.device, self.shared = function, ranks, joined, device, shared
        self.here = shared.here if shared else 1
        self.config, self.places = configuration.assignments(config), {}
        if shared:
            self.inputs, self.samples = [*shared.inputs, Input(SAMPLE.name, "batch", False, 0)], len(values[-1])
        else:
            self.inputs, self.samples = inputs_of(given, values, divided, joined)
        self.trained = [i for i, given in enumerate(self.inputs) if given.trained]
        self.held = [i for i, (each, value) in enumerate(zip(given, values)) if _is_of_model(each, value)]
        self.combines = [i for i in self.held if joined and self.inputs[i].trained]
        # Zeros are valid labels and tokens; a 0-d integer may be a size, so it keeps its value.
        self.example = [torch.zeros(t.shape, dtype=t.dtype) if given.role == "batch" and not t.requires_grad or t.dim() and not t.is_floating_point() else t.detach().clone()
                        for t, given in zip(values, self.inputs)]
        self.again = functools.partial(Compiled, function, given, [v if isinstance(v, (torch.nn.Parameter, torch.nn.Buffer)) else e.clone().requires_grad_(v.requires_grad)
                                                                   for v, e in zip(values, self.example)], ranks, config, joined, device, divided, with_loss=False, shared=shared)
        if joined:
            self.example[-1].fill_(1)
            self.sample = self.example[-1].repeat(self.here)
        self.outputs = self._look()
        scalars = [k for k, output in enumerate(self.outputs) if output.role == "loss" and output.differentiable]
        # The values that backward writes may depend on its incoming gradient. Processes may each scale their loss, so a
        # reduced gradient is not known before that arrives.
        self.loss = scalars[0] if with_loss and not joined and len(scalars) == 1 and not self.written_again else None
        self.tangents = [k for k, output in enumerate(self.outputs) if output.differentiable]
        # Guards a step and the places of its memory.
        self.lock = threading.RLock()
        self._make()

    @functools.cached_property
    def all_results(self):
        """Returns the same function by halves, for gradients of more than its loss."""
        return self.again()

    def is_combined(self, i):
        """True if processes reduce the gradient of an input."""
        return self.joined and self.inputs[i].role not in ("batch", "handed")

    # Properties of the graph.
    def _leaves(self, values):
        """Returns the inputs for one run, copied if the run may write them."""
        return [v.detach().requires_grad_() if given.trained else v.clone() for v, given in zip(values, self.inputs)]

    def _found(self, leaves):
        found = self.function(*leaves[:-1] if self.joined else leaves)
        self.is_single = not isinstance(found, (tuple, list))
        return [found] if self.is_single else list(found)

    def _look(self):
        """Runs the function once in PyTorch; returns its outputs and notes which buffers it writes."""
        leaves, before = self._leaves(self.example), [t.clone() for t in self.example]
        watched = watch.Watch({str(i): t for i, t in enumerate(leaves)})
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), StepFunctions(torch.zeros(2, dtype=torch.int32)), exporting(), watched, _without_hooks():
            found = self._found(leaves)
            written = set(map(int, watched.changed({str(i): t for i, t in enumerate(leaves)})))
            self.changing = [i for i, (t, was) in enumerate(zip(leaves, before)) if i in written or not torch.equal(t.detach().nan_to_num(), was.nan_to_num())]
            watched.written.clear()
            roots = [output for output in found if isinstance(output, torch.Tensor) and output.requires_grad]
            if roots and self.trained:
                torch.autograd.grad(roots, [leaves[i] for i in self.trained], [torch.ones_like(root) for root in roots], retain_graph=True, allow_unused=True)
        # A checkpoint inside repeats the writes of its statistics in backward. Both writes belong to the forward pass,
        # which must not read backward's inputs.
        self.written_again = {int(name) for name in watched.in_place()}
        self.late = [i for i in sorted(self.written_again) if i not in self.changing]
        outputs: list[Output] = []
        for k, output in enumerate(found):
            if not isinstance(output, torch.Tensor):
                raise FrontendError(f"result {k} of the compiled function is a {type(output).__name__}, expected tensors")
            if output.dim() == 0 and output.is_floating_point():
                outputs.append(Output("loss", output.requires_grad, None))
                continue
            several = bool(output.dim() and self.samples) and output.shape[0] % self.samples == 0
            dim = 0 if several else next((d for d, size in enumerate(output.shape) if size == self.samples), None)
            if self.shared:
                dim = shares.grown(self.shared, k, output.shape)
            outputs.append(Output("whole" if dim is None else "batch", output.requires_grad, dim))
        self.shapes = [(output.shape, output.dtype) for output in found]
        self.reached = [results.reached(output, leaves) for output in found]
        # The gradient of a view is rank-local, so if processes reduce gradients, a view with a gradient is an ordinary
        # result.
        self.views = {k: view for k, view in results.views(found, leaves).items()
                      if not (self.joined and view.differentiable or self.here > 1)}
        return outputs

    # The steps. Inputs of the traced graph: a count, a seed, the inputs, and the gradients of results from outside.
    # Results: the count, new values of buffers, the results, gradients.
    def _derive(self, count, seed, *given):
        leaves, tangents = self._leaves(given[:len(self.inputs)]), given[len(self.inputs):len(given) - len(self.late)]
        with StepFunctions(seed), exporting(), torch.enable_grad(), _without_hooks():
            found = self._found(leaves)
            # Backward reads and writes the value that a buffer holds when it runs.
            for i, now in zip(self.late, given[len(given) - len(self.late):]):
                leaves[i].data.copy_(now)
            wanted = self.tangents if self.loss is None else [self.loss]
            # Gradients from outside differ between processes. The factor, a 1 of this process's samples, makes values
            # computed from them rank-local.
            if self.joined:
                tangents = [t * leaves[-1][0].to(t.dtype) if self.outputs[k].dim is None else t for k, t in zip(self.tangents, tangents)]
            gradients = torch.autograd.grad([found[k] for k in wanted], [leaves[i] for i in self.trained], tangents or None, allow_unused=True) if wanted else ()
        self.trained, gradients = [i for i, g in zip(self.trained, gradients) if g is not None], [g for g in gradients if g is not None]
        # Sums over this process's samples that backward reads as well are not gradients yet (BatchNorm's gradient of
        # its bias is part of its input's gradient).
        gradients = [marks.gradient(g, self.inputs[i].name) if self.is_combined(i) else g for i, g in zip(self.trained, gradients)]
        return count + 1, *(leaves[i].detach() for i in self.changing), *(output.detach() for output in found), *gradients, *(leaves[i].detach() for i in self.late)

    def _make(self):
        tangents = [torch.zeros(self.shapes[k][0], dtype=self.shapes[k][1]) for k in self.tangents] if self.loss is None else []
        example = [torch.zeros(()), torch.zeros(2, dtype=torch.int32), *self.example, *tangents, *(self.example[i].clone() for i in self.late)]
        traced = graph.traced(make_fx(graph.functional(self._derive), tracing_mode="real", decomposition_table=decompositions.table(), record_stack_traces=True), example)
        nodes = [node for node in traced.graph.nodes if node.op == "placeholder"]
        # A copy that the function makes protects backward from later writes. ds itself clones an untrained input once.
        self.cloned = {i for i, given in enumerate(self.inputs) if sum(copy.target is torch.ops.aten.clone.default for copy in graph.copies(nodes[2 + i])) > (not given.trained)}
        tidied = graph.tidy(traced)
        graph.refuse(tidied)
        results = list(next(iter(reversed(tidied.graph.nodes))).args[0])
        # W.data = W.data.to(W.dtype) writes nothing, so its result is the input itself.
        before, self.changing = self.changing, [i for i, result in zip(self.changing, results[1:]) if result is not nodes[2 + i]]
        results[1:1 + len(before)] = [result for i, result in zip(before, results[1:]) if i in self.changing]
        for i, result in [*zip(self.changing, results[1:]), *((i, None) for i in self.late)]:
            if self.inputs[i].role == "batch" or self.inputs[i].trained:
                raise FrontendError(f"the compiled function writes '{self.inputs[i].name}'{place_of(result) if result else ''}, expected a function that writes "
                                    "buffers alone; write a copy, such as its clone()")
        of_backward = reached_by(tidied.graph.nodes, nodes[2 + len(self.inputs):])
        for i, result in zip(self.changing, results[1:]):
            if result in of_backward:
                raise FrontendError(f"the compiled function writes '{self.inputs[i].name}' in its forward pass and in backward, expected one of them")
        numbers = dict(zip(nodes, ["count", "seed", *range(len(self.inputs)), *((TANGENT, k) for k in self.tangents if tangents), *((LATE, i) for i in self.late)]))
        names = [*((CHANGED, i) for i in self.changing), *((RESULT, k) for k in range(len(self.outputs)))]
        gradients = [*((GRADIENT, i) for i in self.trained), *((CHANGED, (LATE, i)) for i in self.late)] if self.tangents else []
        # Every step has a count and a seed; the first batch defines the number of samples; a reduced value needs an
        # argument of its name.
        always = nodes[:2] + [node for node, i in numbers.items() if isinstance(i, int) and self.inputs[i].role == "batch"][:1]
        always += [node for node, i in numbers.items() if isinstance(i, int) and (self.joined and i in self.trained or i in self.changing)]
        self.saved = None
        if self.loss is not None or not self.tangents:
            module, reads = half(tidied, nodes, results, always)
            self.forward, self.backward = self._step(module, [numbers[node] for node in reads], names + gradients), None
            return
        given, split = nodes[:len(nodes) - len(tangents) - len(self.late)], 1 + len(names)
        batch = [node for node in given[2:] if self.inputs[numbers[node]].role == "batch"]
        written = [node for node in given[2:] if numbers[node] in self.changing]
        unsaved = set()
        # First without the misfits and similar values, then without any value of samples, then with nothing saved.
        for attempt in range(4):
            parts = Partition(tidied, results[:split], [results[0], *results[split:]], nodes[len(given):], batch, written, always, nodes[len(nodes) - len(self.late):], self.samples, not self.joined, unsaved)
            numbered = numbers | {node: (SAVED, j) for j, node in enumerate(parts.saved)}
            saved = [(SAVED, j) for j in range(len(parts.saved))]
            self.dims = parts.dims
            try:
                self.forward = self._step(parts.forward, [numbers[node] for node in parts.reads], names + saved)
                self.backward = self._step(parts.backward, [numbered[node] for node in parts.reads_back], gradients, self.forward)
                self.saved = (Saved if self.device == "cpu" else SavedOnGpu)(self.forward, self.backward) if saved else None
                amiss = self.saved.misfits() if saved else []
            except NotSaved as error:
                amiss = error.args
            if not amiss:
                break
            self.saved = None
            unsaved |= [parts.like(amiss), parts.of_samples, set(parts.before)][min(attempt, 2)]
        # Inputs that the backward pass reads.
        self.kept = sorted({number for _, number, *_ in self.backward.given if isinstance(number, int)})

    def _input(self, number):
        return self.inputs[number] if isinstance(number, int) else self.inputs[number[1]]._replace(name=f"{self.inputs[number[1]].name} in backward")

    def _example(self, number):
        return self.example[number if isinstance(number, int) else number[1]]

    def _step(self, module, numbers, names, before=None):
        """Returns the step of one half; `before` is the forward step of a backward one."""
        trained = {number for kind, number in names if kind == GRADIENT and self.is_combined(number)}
        changing = {number for kind, number in names if kind == CHANGED}
        arguments, described, gives = [], [], [{"role": "updates:number of calls"}]
        unread = [not node.users for node in module.graph.nodes if node.op == "placeholder"]
        rows = lambda name, dim: {"role": "batch", "name": name, "dim": dim} if dim is not None else {"role": "hyper", "name": name}
        for number, is_unread in zip(numbers[2:], unread[2:], strict=True):
            if isinstance(number, int) or number[0] == LATE:
                given = self._input(number)
                kind = "param" if number in trained else "state" if number in changing else "hyper" if given.role == "handed" else given.role
                arguments.append(Argument(number, "unread" if is_unread else "whole" if kind == "hyper" else kind, self._example(number).dtype))
                described.append({"role": kind, "name": given.name} | ({"dim": given.dim} if kind == "batch" else {}))
            elif number[0] == TANGENT:
                arguments.append(Argument(number, "tangent", self.shapes[number[1]][1]))
                described.append(rows(f"gradient of result {number[1]}", self.outputs[number[1]].dim))
            else:
                arguments.append(Argument(number, "saved"))
                described.append(rows(f"saved value {number[1]}", self.dims[number[1]]))
        for kind, number in names:
            if kind == CHANGED or kind == GRADIENT and number in trained:
                gives.append({"role": f"updates:{self._input(number).name}"})
                continue
            name = f"gradient of {self.inputs[number].name}" if kind == GRADIENT else f"{'result' if kind == RESULT else 'saved value'} {number}"
            dim = self.dims[number] if kind == SAVED else self.outputs[number].dim if kind == RESULT else self.inputs[number].dim
            gives.append(_given(name, dim))
        described = [{"role": "param", "name": "number of calls"}, {"role": "seed", "name": "seed of the call"}, *described]
        types = {name: self.shapes[name[1]][1] if name[0] == RESULT else self._example(name[1]).dtype if name[0] in (CHANGED, GRADIENT) else None for name in names}
        for _ in range(2 * len(gives)):
            try:
                mlir = normalise(lower(module), {"entry": "main", "args": described, "results": gives}, self.places)
                with places.by_export(self):
                    return Step(mlir, self.config, self.ranks, self.joined, arguments, types, self.device, before, draws=not unread[1])
            except RunError as error:  # a result is sharded along another dimension than its shape suggests
                if error.code != codes.RESULT_SAMPLES:
                    raise
                number, dim = error.fields["result"], error.fields["dim"]
                if names[number - 1][0] == CHANGED:
                    raise
                if names[number - 1][0] == SAVED:
                    raise NotSaved(names[number - 1][1]) from error
                last, gives[number] = error, _given(gives[number].get("name") or gives[number]["role"].partition(":")[2], dim)
        raise last

    @property
    def draws(self):
        """True if a call needs a seed."""
        return self.forward.draws or self.backward is not None and self.backward.draws

    def with_views(self, outputs, values):
        """Returns the results; those that share memory with an input become views of the user's tensor."""
        if not self.views:
            return outputs
        found = {k: results.viewed(view, values[view.input]) for k, view in self.views.items()}
        return tuple(output if found.get(k) is None else found[k] for k, output in enumerate(outputs))

    # Calls.
    def run_forward(self, values, call):
        """Returns (results, {input: gradient} if they are known now, the saved values as a tensor or None). Writes the
        new values of buffers to `values`."""
        with self.lock:
            token = self.saved.take() if self.saved else None
            found = self.forward(values, call)
        if self.changing:
            with torch.no_grad():
                for i in self.changing:
                    values[i].copy_(found[CHANGED, i])
        return [found[RESULT, k] for k in range(len(self.outputs))], {i: found[GRADIENT, i] for i in self.trained if (GRADIENT, i) in found}, token

    def run_backward(self, values, tangents, token, call):
        """Returns {input: gradient} for the gradients `tangents` of the differentiable results, None for an unused
        result. `values` are {input: value} of the inputs in `kept` and {(LATE, input): the buffer that it writes}."""
        used = [k for k, tangent in zip(self.tangents, tangents) if tangent is not None]
        given = {(TANGENT, k): self._tangent(k, tangent) for k, tangent in zip(self.tangents, tangents)}
        with self.lock:
            kept = self.saved.give(token) if self.saved else None
            found = self.backward(values | given, call)
            del kept
        with torch.no_grad():
            for i in self.late:
                values[LATE, i].copy_(found[CHANGED, (LATE, i)])
        # An input that only unused results read has no gradient, so its optimizer leaves it unchanged. With several
        # processes, another one may have used these results, so the gradient is zeros.
        without = set().union(*(self.reached[k] for k in self.tangents)) - set().union(*(self.reached[k] for k in used)) if not self.joined else set()
        found = {i: value for (kind, i), value in found.items() if kind == GRADIENT and i not in without}
        if self.here == 1:
            return found
        return {i: value if self.inputs[i].dim is None else value / self.here for i, value in found.items()}

    def _tangent(self, k, tangent):
        """Returns the gradient of a result as the ranks of this process read it. Each computes the gradient of its own
        loss, and the process's loss is the mean of them."""
        if tangent is not None:
            return tangent if self.here == 1 or self.outputs[k].dim is None else tangent * self.here
        (shape, dtype), dim = self.shapes[k], self.outputs[k].dim
        return torch.zeros([size * self.here if d == dim else size for d, size in enumerate(shape)], dtype=dtype)

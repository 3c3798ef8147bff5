"""A graph that Dynamo hands over, as steps of ds: its results and its gradients on ranks that stay.

    with_loss     the graph ends in a scalar loss: one step computes loss and gradients, and `backward` hands them out
    halves        the loss lies outside: one step computes the results, and another one, when their gradients come, the results again and the gradients of
                  what the graph was given. Nothing between the two stays on the ranks, so the forward pass is computed twice

A tensor that is held (a parameter, a buffer) or has another leading size than the samples is whole on every rank; its gradient is what the step "updates"
it with, which is how it comes out complete. What has the samples in dimension 0, or a multiple of them, is divided; so is its gradient. Buffers that the
graph writes, such as running statistics, get their new values after the forward pass.
"""
import collections

import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from .. import _native, config as configuration
from ..frontend import FrontendError, normalise
from . import decompositions, graph, watch
from .functions import StepFunctions, exporting
from .lowering import lower
from .resident import tensor_of
from .step import to_array

Input = collections.namedtuple("Input", "name role trained")  # role: batch, or hyper for what every rank has whole
Output = collections.namedtuple("Output", "role differentiable")  # role: batch, loss (a scalar)


def inputs_of(names, values):
    """(the inputs, the number of samples) of a graph."""
    for name, value in zip(names, values):
        if value.device.type != "cpu":
            raise FrontendError(f"the input '{name}' of the compiled function is on {value.device}, expected the CPU")
    held = ["_parameters_" in name or "_buffers_" in name or isinstance(value, (torch.nn.Parameter, torch.nn.Buffer)) for name, value in zip(names, values)]
    sizes = [value.shape[0] for value, is_held in zip(values, held) if not is_held and value.dim()]
    samples = max(set(sizes), key=sizes.count) if sizes else None
    return [Input(name, "batch" if not is_held and value.dim() and value.shape[0] == samples else "hyper", value.requires_grad)
            for name, value, is_held in zip(names, values, held)], samples


class Compiled:
    """`function` of tensors, which these `values` are examples of, on ranks: of one process, or with `joined` this process's rank of a launched world."""

    def __init__(self, function, names, values, ranks, config, joined):
        self.function, self.ranks, self.joined = function, ranks, joined
        self.config = configuration.assignments(config)
        self.inputs, self.samples = inputs_of(names, values)
        self.trained = [i for i, given in enumerate(self.inputs) if given.trained]
        self.example = [torch.zeros(t.shape, dtype=t.dtype) if given.role == "batch" and not t.requires_grad or not t.is_floating_point() else t.detach().clone()
                        for t, given in zip(values, self.inputs)]
        self.outputs = self._look()
        scalars = [k for k, output in enumerate(self.outputs) if output.role == "loss" and output.differentiable]
        self.loss = scalars[0] if len(scalars) == 1 else None
        self.tangents = [k for k, output in enumerate(self.outputs) if output.differentiable]
        self.forward = self._made(self._results, [], []) if self.loss is None else self._made(self._with_loss, self.trained, [])
        self.backward = None  # made when it is asked for

    # What the graph is.
    def _leaves(self, values):
        """The inputs as one run may have them: of its own, where it writes them."""
        return [v.detach().requires_grad_() if given.trained else v.clone() for v, given in zip(values, self.inputs)]

    def _found(self, leaves):
        found = self.function(*leaves)
        self.is_single = not isinstance(found, (tuple, list))
        return [found] if self.is_single else list(found)

    def _look(self):
        """One run in PyTorch: what comes out, and which buffers are written."""
        leaves, before = self._leaves(self.example), [t.clone() for t in self.example]
        watched = watch.Watch({str(i): t for i, t in enumerate(leaves)})
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), StepFunctions(torch.zeros(2, dtype=torch.int32)), exporting(), watched:
            found = self._found(leaves)
        written = set(map(int, watched.changed({str(i): t for i, t in enumerate(leaves)})))
        self.changing = [i for i, (t, was) in enumerate(zip(leaves, before)) if i in written or not torch.equal(t.detach().nan_to_num(), was.nan_to_num())]
        for i in self.changing:
            if self.inputs[i].role == "batch" or self.inputs[i].trained:
                raise FrontendError(f"the compiled function writes '{self.inputs[i].name}', expected a function that writes buffers alone")
        outputs = []
        for k, output in enumerate(found):
            if not isinstance(output, torch.Tensor):
                raise FrontendError(f"result {k} of the compiled function is a {type(output).__name__}, expected tensors")
            if output.dim() == 0 and output.is_floating_point():
                outputs.append(Output("loss", output.requires_grad))
            elif output.dim() and self.samples and output.shape[0] % self.samples == 0:
                outputs.append(Output("batch", output.requires_grad))
            else:
                raise FrontendError(f"result {k} of the compiled function has shape {list(output.shape)}, expected a scalar of a float, or rows for {self.samples} samples")
        self.shapes = [(output.shape, output.dtype) for output in found]
        return outputs

    # The functions that become steps. Each returns what it updates, gradients of samples, and the results.
    def _with_loss(self, leaves, tangents):
        found = self._found(leaves)
        gradients = self._gradients([found[self.loss]], None, leaves)
        return gradients, [output.detach() for output in found]

    def _results(self, leaves, tangents):
        return [], [output.detach() for output in self._found(leaves)]

    def _pulled_back(self, leaves, tangents):
        found = self._found(leaves)
        return self._gradients([found[k] for k in self.tangents], tangents, leaves), []

    def _gradients(self, outputs, tangents, leaves):
        gradients = torch.autograd.grad(outputs, [leaves[i] for i in self.trained], tangents, allow_unused=True)
        return [torch.zeros_like(leaves[i]) if g is None else g for i, g in zip(self.trained, gradients)]

    def _made(self, function, trained, tangents):
        """The step of a function. Its arguments: a count, a seed, the inputs, and the gradients of results that come from outside."""
        updates = [i for i in trained if self.inputs[i].role != "batch"]
        divided = [i for i in trained if self.inputs[i].role == "batch"]
        keeps = [] if function == self._pulled_back else self.changing
        results = [] if function == self._pulled_back else self.outputs

        def derive(count, seed, *given):
            leaves = self._leaves(given[:len(self.inputs)])
            with StepFunctions(seed), exporting(), torch.enable_grad():
                gradients, found = function(leaves, given[len(self.inputs):])
            of = dict(zip(trained, gradients))
            return (count + 1, *(of[i] for i in updates), *(leaves[i].detach() for i in keeps), *(of[i] for i in divided), *found)

        example = [torch.zeros(()), torch.zeros(2, dtype=torch.int32), *self.example, *tangents]
        traced = graph.traced(lambda: make_fx(graph.functional(derive), tracing_mode="real", decomposition_table=decompositions.table(),
                                              record_stack_traces=True)(*example))
        tidied = graph.tidy(traced)
        graph.refuse(tidied)
        role = lambda name, kind: {"role": kind, "name": name} | ({"dim": 0} if kind == "batch" else {})
        described = [role("calls", "param"), role("seed", "seed")]
        described += [role(given.name, "param" if i in updates else "state" if i in keeps else given.role) for i, given in enumerate(self.inputs)]
        described += [role(f"gradient{k}", "batch" if self.outputs[k].role == "batch" else "hyper") for k in (self.tangents if tangents else [])]
        gives = [{"role": "updates:calls"}] + [{"role": f"updates:{self.inputs[i].name}"} for i in (*updates, *keeps)]
        gives += [role(f"gradient of {self.inputs[i].name}", "batch") for i in divided]
        gives += [{"role": f"metric:out{k}"} if output.role == "loss" else role(f"out{k}", "batch") for k, output in enumerate(results)]
        mlir = normalise(lower(tidied), {"entry": "main", "args": described, "results": gives})
        return Step(self, mlir, [*updates, *keeps, *divided], len(results))

    # Calls.
    def run_forward(self, values, call):
        """(results, {input: gradient} if they are known now). Buffers of `values` have their new values afterwards."""
        given, found = self.forward(values, [], call)
        with torch.no_grad():
            for i in self.changing:
                values[i].copy_(given.pop(i))
        return found, given

    def run_backward(self, values, tangents, call):
        """{input: gradient}, of the gradients of all differentiable results."""
        if self.backward is None:
            self.backward = self._made(self._pulled_back, self.trained, [torch.zeros(self.shapes[k][0], dtype=self.shapes[k][1]) for k in self.tangents])
        return self.backward(values, tangents, call)[0]


class Step:
    """A step on its ranks: {input: value} of `gives`, and the results behind them."""

    def __init__(self, compiled, mlir, gives, results):
        self.mlir, self.gives, self.results, self.joined = mlir, gives, results, compiled.joined
        self.instance = _native.Instance(_native.Program(mlir, compiled.config), compiled.ranks, joined=compiled.joined,
                                         batches=_native.LOCAL if compiled.joined else _native.WHOLE)

    def __call__(self, values, tangents, call):
        seed = np.array([torch.initial_seed() % 2**31, call], np.int32)
        shape = "shape" if self.joined else "global_shape"
        given = {i + 1: self.instance.fitting(i + 1, to_array(value) if i else seed, shape) for i, value in enumerate((seed, *values, *tangents))}
        self.instance.run({slot: value.ctypes.data for slot, value in given.items()})
        take = self.instance.own if self.joined else self.instance.result
        found = [tensor_of(take(k + 1)) for k in range(len(self.gives) + self.results)]
        return dict(zip(self.gives, found)), found[len(self.gives):]

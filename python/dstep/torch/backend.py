"""torch.compile(f, backend="ds", options={"ranks": 4}): where f ends in a scalar loss, ds computes loss and gradients on n ranks in one call.

    compute_loss = torch.compile(compute_loss, backend="ds", options={"ranks": 4})     # the one line
    for x, y in loader:
        optimizer.zero_grad(); loss = compute_loss(model, x, y); loss.backward(); optimizer.step()

The graph that Dynamo hands over is traced with its gradients and compiled for the ranks, which stay. `backward` hands the gradients out. Optimizer,
scheduler, clipping and the loop stay PyTorch's. A parameter is an argument that the step "updates" with its gradient, which is how the gradient comes
out complete on all ranks; the parameter's own value is given anew in each call. Dropout draws the masks of data_parallel, from torch.initial_seed()
and the number of the call. Graphs without gradients (an optimizer's, an evaluation) run in PyTorch.

Options: ranks (1), config (as of data_parallel, batch=global).
"""
import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from .. import _native, checks, config as configuration
from ..frontend import FrontendError, normalise
from ..run import Runner
from . import decompositions, graph
from .functions import StepFunctions, exporting
from .lowering import lower
from .step import to_array, to_tensor

OPTIONS = ("ranks", "config")


def _kinds(module, inputs):
    """(name, role) of every input of the graph: param, batch, or hyper for what every rank has whole."""
    nodes = [node for node in module.graph.nodes if node.op == "placeholder"]
    for node, value in zip(nodes, inputs):
        if not isinstance(value, torch.Tensor):
            raise FrontendError(f"the input '{node.name}' of the compiled function is a {type(value).__name__} that changes, expected tensors of fixed shapes: "
                                "compile with dynamic=False")
        if value.device.type != "cpu":
            raise FrontendError(f"the input '{node.name}' of the compiled function is on {value.device}, expected the CPU")
    held = ["_parameters_" in node.name or "_buffers_" in node.name or isinstance(value, torch.nn.Parameter) for node, value in zip(nodes, inputs)]
    for node, value, is_held in zip(nodes, inputs, held):
        if value.requires_grad and not is_held:
            raise FrontendError(f"'{node.name}' comes with a gradient from outside of the compiled function, expected forward and loss in one function; of "
                                "DistributedDataParallel compile its .module, ds combines the gradients")
    sizes = [value.shape[0] for value, is_held in zip(inputs, held) if not is_held and value.dim()]
    samples = max(set(sizes), key=sizes.count) if sizes else None
    for node, value, is_held in zip(nodes, inputs, held):
        is_batch = not is_held and value.dim() and value.shape[0] == samples
        yield node.name, "param" if value.requires_grad else "batch" if is_batch else "hyper"


class LossStep:
    """Loss and gradients of a graph on ranks that stay."""

    def __init__(self, module, inputs, ranks, config):
        self.kinds = list(_kinds(module, inputs))
        self.trained = [i for i, (_, role) in enumerate(self.kinds) if role == "param"]
        example = [torch.zeros(t.shape, dtype=t.dtype) if role == "batch" or not t.is_floating_point() else t.detach().clone()
                   for t, (_, role) in zip(inputs, self.kinds)]
        before = [t.clone() for t in example]
        outputs, self.is_single = self._run(module, example)
        for (name, _), was, now in zip(self.kinds, before, example):
            if not torch.equal(was, now):
                raise FrontendError(f"the compiled function writes '{name}', expected a function of its inputs; running statistics train with ds.torch.data_parallel")
        losses = [k for k, o in enumerate(outputs) if o.dim() == 0 and o.is_floating_point()]
        if len(losses) != 1:
            raise FrontendError(f"the compiled function returns {len(losses)} scalars of a float, expected one, the loss: compile what computes it, not the model alone")
        self.loss = losses[0]
        samples = {t.shape[0] for t, (_, role) in zip(inputs, self.kinds) if role == "batch"}
        for k, output in enumerate(outputs):
            if k != self.loss and (not output.dim() or output.shape[0] not in samples):
                raise FrontendError(f"result {k} of the compiled function has shape {list(output.shape)}, expected the loss or one row for each sample")
        traced = graph.traced(lambda: make_fx(graph.functional(lambda seed, *values: self._derive(module, seed, values)), tracing_mode="real",
                                              decomposition_table=decompositions.table(), record_stack_traces=True)(torch.zeros(2, dtype=torch.int32), *example))
        tidied = graph.tidy(traced)
        graph.refuse(tidied)
        roles = [{"role": "seed", "name": "seed"}] + [{"role": role, "name": name} | ({"dim": 0} if role == "batch" else {}) for name, role in self.kinds]
        results = [{"role": f"updates:{self.kinds[i][0]}"} for i in self.trained]
        results += [{"role": "metric:loss"} if k == self.loss else {"role": "batch", "name": f"out{k}", "dim": 0} for k in range(len(outputs))]
        self.mlir = normalise(lower(tidied), {"entry": "main", "args": roles, "results": results})
        self.instance = _native.Instance(_native.Program(self.mlir, configuration.assignments(config)), ranks)
        self.results, self.calls = len(outputs), 0

    @staticmethod
    def _run(module, values):
        with torch.no_grad():
            found = module(*values)
        is_single = not isinstance(found, (tuple, list))
        return ([found] if is_single else list(found)), is_single

    def _derive(self, module, seed, values):
        with StepFunctions(seed), exporting():
            leaves = [v.detach().requires_grad_() if i in self.trained else v for i, v in enumerate(values)]
            with torch.enable_grad():
                found = module(*leaves)
                found = [found] if self.is_single else list(found)
                gradients = torch.autograd.grad(found[self.loss], [leaves[i] for i in self.trained], allow_unused=True)
            gradients = [torch.zeros_like(leaves[i]) if g is None else g for i, g in zip(self.trained, gradients)]
            return (*gradients, *(output.detach() for output in found))

    def __call__(self, values):
        """(results, gradients) of this call."""
        given = {i + 1: self.instance.fitting(i + 1, to_array(value)) for i, value in enumerate(values)}
        given[0] = np.array([torch.initial_seed() % 2**31, self.calls], np.int32)
        self.instance.run({slot: value.ctypes.data for slot, value in given.items()})
        self.calls += 1
        found = [to_tensor(self.instance.result(k)) for k in range(len(self.trained) + self.results)]
        return found[len(self.trained):], found[:len(self.trained)]


def _differentiable(step):
    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *values):
            outputs, ctx.gradients = step(values)
            ctx.count = len(values)
            ctx.mark_non_differentiable(*[o for k, o in enumerate(outputs) if k != step.loss])
            return outputs[0] if step.is_single else tuple(outputs)

        @staticmethod
        def backward(ctx, *tangents):
            found = [None] * ctx.count
            for i, gradient in zip(step.trained, ctx.gradients):
                found[i] = gradient * tangents[step.loss]
            return tuple(found)

    return Loss.apply


compiled = []  # the steps of this process, for those who ask


def ds(module, inputs, *, options=None):
    """The backend: a function for a graph of Dynamo."""
    options = checks.mapping("options", options or {}, "{key: value}")
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"options= has '{name}', expected {' and '.join(OPTIONS)}")
    if not torch.is_grad_enabled() or not any(isinstance(value, torch.Tensor) and value.requires_grad for value in inputs):
        return module.forward  # an optimizer's, or an evaluation's
    Runner.refuse_launched()
    step = LossStep(module, inputs, checks.integer("ranks", options.get("ranks", 1), 1),
                    {"batch": "global"} | configuration.context() | checks.mapping("config", options.get("config"), "{key: value}"))
    compiled.append(step)
    return torch.compiler.disable(_differentiable(step))

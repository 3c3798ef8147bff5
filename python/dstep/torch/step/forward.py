"""A function of parameters and samples, such as the logits for the accuracy of `ds-run --eval`."""
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from ...base.export import Export
from ...frontend import normalise
from .. import decompositions
from ..base import graph
from ..base.threads import alone
from ..base.values import described, replaced, to_array
from ..functions import StepFunctions
from ..lowering import lower


class ForwardExport(Export):
    """Arguments are parameters and buffers by PyTorch's names, then the samples; the result has one entry per
    sample."""

    @alone()
    def __init__(self, model, inputs, name):
        held = {**dict(model.named_parameters()), **dict(model.named_buffers())}
        self.args = [t.detach().clone() for t in held.values()] + [inputs]

        def function(*leaves):
            with StepFunctions(None), torch.no_grad(), replaced(model, dict(zip(held, leaves))):
                return model(leaves[-1])

        was_training = model.training
        model.eval()
        try:
            result = function(*self.args)
            module = graph.tidy(make_fx(graph.functional(function),
                                        decomposition_table=decompositions.table(), tracing_mode="real")(*self.args))
        finally:
            model.train(was_training)
        graph.refuse(module)
        params = dict(model.named_parameters())
        arguments = [described({"role": "param" if n in params else "state", "name": n}, t) for n, t in held.items()]
        arguments.append(described({"role": "batch", "name": "x", "dim": 0}, inputs))
        super().__init__(name, {"entry": "main", "framework": {"torch": torch.__version__}, "args": arguments,
                                "results": [described({"role": "batch", "name": "logits", "dim": 0}, result)]})
        self.stablehlo = lower(module)
        self.mlir = normalise(self.stablehlo, self.manifest)

    def flatten(self, args):
        return [to_array(t) for t in args]


def export_forward(model: torch.nn.Module, inputs: Any, *, name: str = "forward") -> ForwardExport:
    """Exports model(inputs) in evaluation mode. Parameters have the names that they have in an exported step of the
    model. Returns a ForwardExport; raises FrontendError for a model that cannot be traced."""
    return ForwardExport(model, inputs, name)

"""A training step of PyTorch as linalg on tensors, by torch-mlir, with the roles that ds asks for.

    text = export_step(step, parameters, state, batch)

`step(parameters, state, batch)` returns (parameters, state, metrics); each is a dict of tensors by name, and nothing is
written in place. Gradients are taken inside of the step, by torch.func.grad_and_value. Needs the packages torch and
torch-mlir; ds is not imported: it reads the text.
"""
import torch
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx
from torch_mlir import fx, ir
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

from scatter_free import DECOMPOSITIONS


def export_step(step, parameters, state, batch, name="step", dynamic=False):
    """The step as the text of a module. What carries samples has them in dimension 0; `dynamic` leaves their number
    open, for the key `sizes` of ds to give."""
    names = [*parameters, *state, *batch]
    arguments = [*parameters.values(), *state.values(), *batch.values()]
    metrics = []  # their names, which the trace finds out

    def flat(*values):
        given = dict(zip(names, values))
        updated, changed, measured = step(*({key: given[key] for key in part} for part in (parameters, state, batch)))
        metrics[:] = measured
        return [*(updated[key] for key in parameters), *(changed[key] for key in state), *measured.values()]

    # The trace has no autograd left, so torch.export takes it like a model; what core ATen lacks is decomposed there.
    graph = make_fx(torch.func.functionalize(flat), tracing_mode="symbolic" if dynamic else "real")(*arguments)
    rows = torch.export.Dim("rows", min=2)
    shapes = (*(None for _ in (*parameters, *state)), *({0: rows} for _ in batch)) if dynamic else None
    table = {**core_aten_decompositions(), **get_decomposition_table(), **DECOMPOSITIONS}
    module = fx.export_and_import(graph, *arguments, output_type="linalg-on-tensors", decomposition_table=table,
                                  func_name=name,
                                      dynamic_shapes=shapes)
    annotate(module, name, parameters, state, batch, metrics)
    return module.operation.get_asm()


def annotate(module, name, parameters, state, batch, metrics):
    """Says what arguments and results are, in attributes that ds reads (docs/Start/FromMLIR.md)."""
    text = ir.StringAttr.get
    with module.context as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True  # ds.* are attributes of a dialect that torch-mlir does not know
        function = next(op for op in module.body.operations if op.attributes["sym_name"].value == name)
        rows = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
        of_arguments = [{"ds.param": text(key)} for key in parameters] + [{"ds.state": text(key)} for key in state]
        of_arguments += [{"ds.batch": rows, "ds.name": text(key)} for key in batch]
        of_results = [{"ds.updates": text(key)} for key in (*parameters, *state)] + [{"ds.metric": text(key)}
                                                                                     for key in metrics]
        for attribute, roles in (("arg_attrs", of_arguments), ("res_attrs", of_results)):
            function.attributes[attribute] = ir.ArrayAttr.get([ir.DictAttr.get(role) for role in roles])

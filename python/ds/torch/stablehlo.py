"""FX graph -> StableHLO text, by torch-mlir; its errors become one sentence that names the operation and the user's line."""
import contextlib
import io
import operator
import os
import re
import sys
import tempfile

import torch

from ..frontend.errors import FrontendError
from . import graph, marks


@contextlib.contextmanager
def _captured_stderr():
    """What torch-mlir writes to the process' standard error; a list that is filled at the end."""
    lines = []
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile(mode="w+b") as file:
        os.dup2(file.fileno(), 2)
        try:
            yield lines
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            lines += file.read().decode(errors="replace").splitlines()


def _named(messages, module):
    """The operation that an error message of torch-mlir names."""
    for line in messages:
        for name in re.findall(r"torch\.aten\.(\w+)", line) if "error:" in line or "failed to legalize" in line else []:
            nodes = [n for n in module.graph.nodes if n.op == "call_function" and graph.operation_name(n) == name]
            if nodes:
                return nodes[0]
    return None


def _import(module):
    """(StableHLO module or None, the exception or None, what was written to standard error)."""
    import torch_mlir.fx
    with _captured_stderr() as messages, contextlib.redirect_stdout(io.StringIO()):
        try:
            return torch_mlir.fx.stateless_fx_import(module, output_type="stablehlo", model_name="main"), None, messages
        except Exception as failure:  # TorchMlirCompilerError, or the importer's own
            return None, failure, messages


def _alone(node):
    """A graph of one operation, its tensors as arguments."""
    graph_of_one, arguments = torch.fx.Graph(), {}

    def argument(used):
        if used not in arguments:
            arguments[used] = graph_of_one.placeholder(used.name)
            arguments[used].meta = dict(used.meta)
        return arguments[used]

    torch.fx.map_arg((node.args, node.kwargs), argument)  # placeholders come first
    copied = graph_of_one.node_copy(node, argument)
    parts = [user for user in node.users if user.target is operator.getitem]
    graph_of_one.output(tuple(graph_of_one.node_copy(part, lambda _: copied) for part in parts) or (copied,))
    return torch.fx.GraphModule(torch.nn.Module(), graph_of_one)


def _find(module):
    """Where the messages only name a constant: the first operation that cannot be lowered alone."""
    seen = set()
    for node in module.graph.nodes:
        form = node.target, repr([a for a in node.args if not isinstance(a, torch.fx.Node)])
        if node.op == "call_function" and node.target is not operator.getitem and form not in seen:
            seen.add(form)
            if _import(_alone(node))[1] is not None:
                return node
    return None


def lower(module):
    """StableHLO text of a tidy FX graph module, its function called main. Takes the marks out of the module."""
    try:
        import torch_mlir.fx  # noqa: F401
    except ImportError as error:
        raise FrontendError("torch-mlir is missing, which turns PyTorch graphs into MLIR; pip install torch-mlir") from error
    names = marks.cut(module)
    result, error, messages = _import(module)
    if error is None:
        return marks.join(str(result), names)
    node = _named(messages + str(error).splitlines(), module) or _find(module)
    if node is None:
        first = next((line for line in messages if "error:" in line), str(error).splitlines()[0])
        raise FrontendError(f"torch-mlir cannot lower the step: {first[:300]}") from error
    raise FrontendError(f"the operation '{graph.operation_name(node)}'{graph.place(node)} has no form in StableHLO that torch-mlir knows; "
                        "write it with other operations") from error

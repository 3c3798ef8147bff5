"""FX graph -> StableHLO text, by torch-mlir; its errors become one sentence that names the operation and the user's line."""
import contextlib
import io
import os
import re
import sys
import tempfile

from ..frontend.errors import FrontendError
from . import graph


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


def _explain(messages, module):
    """The operation that an error message of torch-mlir names, with the user's line from the graph."""
    for line in messages:
        for name in re.findall(r"torch\.aten\.(\w+)", line) if "error:" in line or "failed to legalize" in line else []:
            nodes = [n for n in module.graph.nodes if n.op == "call_function" and graph.operation_name(n) == name]
            if nodes:
                return (f"the operation '{name}'{graph.place(nodes[0])} has no form in StableHLO that torch-mlir knows; write it with "
                        "other operations")
    return None


def lower(module):
    """StableHLO text of a tidy FX graph module, its function called main."""
    try:
        import torch_mlir.fx
    except ImportError as error:
        raise FrontendError("torch-mlir is missing, which turns PyTorch graphs into MLIR; pip install torch-mlir") from error
    error = None
    with _captured_stderr() as messages, contextlib.redirect_stdout(io.StringIO()):
        try:
            result = torch_mlir.fx.stateless_fx_import(module, output_type="stablehlo", model_name="main")
        except Exception as failure:  # TorchMlirCompilerError, or the importer's own
            error = failure
    if error is not None:
        said = _explain(messages + str(error).splitlines(), module)
        first = next((line for line in messages if "error:" in line), str(error).splitlines()[0])
        raise FrontendError(said or f"torch-mlir cannot lower the step: {first[:300]}") from error
    return str(result)

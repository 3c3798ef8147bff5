"""Training steps of PyTorch on n ranks: `export` writes files for ds-run.

    exported = dstep.torch.export(model, optimizer, loss_fn, batch)
    exported.write("out", steps=[batch1, batch2])    # step.mlir, step.json, step.safetensors, step.npz
    exported.load("trained.safetensors")             # reads a file of ds-run --save into model and optimizer

    torch.compile(f, backend="dstep")                # backend.py: f and its gradients on ranks of this process

Needs torch; running the exported files needs neither torch nor Python.
"""
try:
    import torch as _torch
except ImportError as error:
    raise ImportError("dstep.torch needs PyTorch: pip install torch") from error

from ..base.errors import FrontendError
from .base.marks import shard
from .base.placements import shardings
from .lengths import padded
from .step.export import TorchExport, export
from .step.forward import ForwardExport, export_forward

__all__ = ["FrontendError", "ForwardExport", "TorchExport", "data_parallel", "export", "export_forward", "padded",
           "parallel", "shard", "shardings"]


def __getattr__(name):
    # These need ds-run, which exporting does not.
    if name in ("data_parallel", "parallel"):
        from .training import parallel as training
        return getattr(training, name)
    raise AttributeError(f"module 'dstep.torch' has no attribute '{name}'")

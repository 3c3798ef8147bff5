"""Training steps of JAX on n ranks: `export` writes files for ds-run.

    exported = ds.jax.export(step, (params, opt_state, batch), params=0, state=1, batch=2)
    exported.write("out", steps=[args1, args2])      # step.mlir, step.json, step.safetensors, step.npz
"""
from ..frontend import FrontendError
from .export import JaxExport, export, export_forward, flax_init

__all__ = ["FrontendError", "JaxExport", "export", "export_forward", "flax_init"]

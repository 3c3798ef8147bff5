"""Training steps of JAX on n ranks: `export` writes files for ds-run, `data_parallel` runs them from Python.

    exported = dstep.jax.export(step, (params, opt_state, batch), params=0, state=1, batch=2)
    exported.write("out", steps=[args1, args2])      # step.mlir, step.json, step.safetensors, step.npz

    parallel = dstep.jax.data_parallel(step, ranks=4, params=0, state=1, batch=2)
    params, opt_state, loss = parallel(params, opt_state, batch)

With a mesh it shards models as well as batches, by the shardings of JAX. `jit` is called like jax.jit, with donated
arguments.
"""
from ..base.errors import FrontendError
from .export import JaxExport, export, export_forward, flax_init
from .jit import jit
from .marks import gradients
from .parallel import DataParallel, data_parallel, parallel

__all__ = ["DataParallel", "FrontendError", "JaxExport", "data_parallel", "export", "export_forward", "flax_init",
           "gradients", "jit", "parallel"]

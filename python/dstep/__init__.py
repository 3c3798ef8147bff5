"""ds: one training step, compiled for n ranks. The package is called dstep.

    dstep.jax            steps of JAX (Flax, Optax, plain pytrees)
    dstep.torch          steps of PyTorch
    dstep.frontend       StableHLO text -> upstream MLIR, which both use
    dstep.data           tables, .npz and tar shards as data= of fit
    dstep.mlir           modules of MLIR in this process: parse, annotate, run passes, walk
    dstep.communication  ranks and groups of the job that started this process, through the C library of the runtime
    dstep.set_auto_parallel_context, get_.., reset_..  the configuration of the process
    dstep.HeldArray      a parameter or state that the ranks hold, on a CPU or a GPU
    dstep.RunError       ds refused a step or failed in it
    dstep.Interrupted    Ctrl-C during a training; the values trained so far are kept

Each module is imported at its first use, so that neither framework needs the other.
"""
import importlib
import typing

# `as` marks the name as meant for users, for type checkers.
from .base.config import get_auto_parallel_context as get_auto_parallel_context
from .base.config import reset_auto_parallel_context as reset_auto_parallel_context
from .base.config import set_auto_parallel_context as set_auto_parallel_context

__version__ = "0.1.0"

if typing.TYPE_CHECKING:
    from . import communication as communication
    from . import data as data
    from . import frontend as frontend
    from . import jax as jax
    from . import mlir as mlir
    from . import torch as torch
    from .base.errors import RunError as RunError
    from .session.device import HeldArray as HeldArray
    from .session.run import Interrupted as Interrupted

_MODULES = ("communication", "data", "frontend", "jax", "mlir", "torch")
_CLASSES = {"HeldArray": "session.device", "Interrupted": "session.run", "RunError": "base.errors"}


def __dir__():
    return sorted({*globals(), *_MODULES, *_CLASSES})


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _CLASSES:
        return getattr(importlib.import_module(f".{_CLASSES[name]}", __name__), name)
    raise AttributeError(f"module 'dstep' has no attribute '{name}'")

"""MLIR modules in this process: parse, annotate, run passes, walk, over MLIR's C API and that of ds.

    from dstep import mlir

    module = mlir.Module.parse(open("step.mlir").read())
    step = module.step()
    step.set_param(0, "w").set_batch(1, "x").set_updates(0, "w")
    module.run("ds-data-parallel{config=batch=global,device_num=4}")
    for collective in module.collectives():
        print(collective.name, collective.purpose, collective.bytes, collective.names)
    text = str(module)

Upstream's own bindings of LLVM 22.1 hold the same modules, after `mlir.share()`: `Module.of(theirs)`. Modules of others
(jaxlib, torch-mlir, IREE), which have an MLIR of another version, come and go as text or bytecode:
`Module.parse(str(theirs))`, `theirs.parse(str(module))`. Works with the libMLIR 22.1 of the system alone, which a wheel
does not have; `dstep.mlir.available()` returns whether it is there.
"""
from ._library import available as available
from .module import Context as Context
from .module import Diagnostic as Diagnostic
from .module import MlirError as MlirError
from .module import Module as Module
from .operation import Collective as Collective
from .operation import Operation as Operation
from .operation import Step as Step
from .upstream import register_dialects as register_dialects
from .upstream import share as share

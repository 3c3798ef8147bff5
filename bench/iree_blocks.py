"""The IREE side of models.py: compiles the step that ds exports for one device, trains it on the recorded batch, and
times blocks of steps when told to.

    python bench/iree_blocks.py DS-OPT STEP.mlir THREADS          (peer.py has the protocol; the batch is in STEP.npz)

Status 3: iree-compile fails, and standard error has what it says.
"""
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import iree.runtime as rt
import numpy
from iree.compiler import ir, tools

PEAK = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
COMPILE = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
           "--iree-llvmcpu-stack-allocation-limit=1048576"]
# The marks of ds, such as ds.gradient, go with the distribution over one rank.
ONE_DEVICE = "builtin.module(ds-data-parallel{config=batch=global,device_num=1}%s)"


def ds_opt(program, step, passes=""):
    return subprocess.run([program, step, f"--pass-pipeline={ONE_DEVICE % passes}"], check=True, capture_output=True,
                          text=True).stdout


def read_updates(text):
    """For each argument the result that is its next value, or None; and the result that is the loss."""
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)  # an operation does not keep its module
        function = next(op for op in module.body.operations if "arg_attrs" in op.attributes
                        and "res_attrs" in op.attributes)
        results = [{each.name: each.attr for each in attributes} for attributes in function.attributes["res_attrs"]]
        updates = {each["ds.updates"].value: i for i, each in enumerate(results) if "ds.updates" in each}
        arguments = [next((each.attr.value for each in attributes if each.name in ("ds.param", "ds.state")), None)
                     for attributes in function.attributes["arg_attrs"]]
        loss = next(i for i, each in enumerate(results) if "ds.metric" in each and each["ds.metric"].value == "loss")
        return function.attributes["sym_name"].value, [updates.get(name) for name in arguments], loss


class Training:
    def __init__(self, program, step, threads):
        rt.flags.parse_flags(f"--task_topology_group_count={threads}")
        begin = time.perf_counter()
        name, self.updates, self.loss = read_updates(ds_opt(program, step))
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as plain:
            plain.write(ds_opt(program, step, ",ds-strip-attributes"))
            plain.flush()
            compiled = tools.compile_file(plain.name, extra_args=COMPILE)
        self.compile_s = time.perf_counter() - begin
        config = rt.Config("local-task")
        module = rt.VmModule.copy_buffer(config.vm_instance, compiled)
        self.context = rt.SystemContext(vm_modules=[*config.default_vm_modules, module], config=config)
        self.function = getattr(self.context.modules[module.name], name)
        recorded = numpy.load(pathlib.Path(step).with_suffix(".npz"))
        self.arguments = [rt.asdevicearray(config.device, recorded[f"step1_arg{i}"]) for i in range(len(self.updates))]

    def block(self, count):
        """Milliseconds per step, and what the caller is told besides."""
        begin = time.perf_counter()
        for _ in range(count):
            results = self.function(*self.arguments)
            self.arguments = [argument if update is None else results[update]
                              for argument, update in zip(self.arguments, self.updates)]
        loss = float(results[self.loss].to_host())
        taken = (time.perf_counter() - begin) / count * 1e3
        if not math.isfinite(loss):
            sys.exit(f"error: the loss is {loss}, expected a finite number")
        return taken, {"loss": loss, "peak_mib": max(resource.getrusage(whose).ru_maxrss for whose in PEAK) >> 10}


try:
    training = Training(*sys.argv[1:])
except tools.CompilerToolError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
print(json.dumps({"compile_s": training.compile_s} | training.block(1)[1]), flush=True)
for line in sys.stdin:
    ms, said = training.block(int(line))
    print(json.dumps({"ms": ms} | said), flush=True)

"""Collectives of a rank program as a module of IREE's virtual machine, over libdsrt.

    exchange = Exchange(config.device)        # joins the job of mpirun or torchrun, or of DS_RANK and DS_WORLD_SIZE
    modules = [*config.default_vm_modules, exchange.module(program), step]

`config` is an iree.runtime.Config, `program` the text that iree-compile got: what `ds-opt
--convert-ds-to-calls=prefix=exchange.` wrote. A function of it that is only declared, such as
@exchange.all_reduce_sum_f32_start, becomes an import of IREE's module `exchange`. Values are in memory of the host, as
on IREE's CPU devices. libdsrt.so is that of the environment variable DS_RUNTIME.
"""
import collections
import ctypes
import os
import re
import threading

import numpy
import iree.runtime as rt

DTYPES = {"f64": 0, "f32": 1, "f16": 2, "bf16": 3, "i64": 4, "i32": 5, "i16": 6, "i8": 7, "i1": 8}  # of dsrt/types.h
REDUCTIONS = {"sum": 0, "max": 2, "min": 3, "prod": 4, "and": 5, "or": 6}
DECLARED = re.compile(r"func\.func private @exchange\.(\w+)\(([^)]*)\)(?: -> (.+?))?(?: attributes .*)?$", re.M)
NAME = re.compile(
    r"(all_reduce|reduce_scatter|all_gather|all_to_all)(?:_(sum|max|min|prod|and|or))?_(b?[fi]\d+)(_start|_wait|)|rank|num_ranks")
IN_PLACE = "all_reduce"

Started = collections.namedtuple("Started", "pending kept")  # a dsrt_pending, and the memory that it needs


class Exchange:
    def __init__(self, device):
        self.device, self.started = device, {}
        self.runtime = ctypes.CDLL(os.path.abspath(os.environ["DS_RUNTIME"]))
        self.runtime.dsrt_last_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.runtime.dsrt_init(b"auto", None, ctypes.byref(self.context)))
        # Exchanges go on while IREE's workers compute; the context serves one thread at a time.
        self.lock, self.closed = threading.Lock(), threading.Event()
        self.thread = threading.Thread(target=self.progress, daemon=True)
        self.thread.start()
        self.rank, self.num_ranks = self.runtime.dsrt_rank(self.context), self.runtime.dsrt_num_ranks(self.context)

    def module(self, program):
        interface = rt.PyModuleInterface("exchange", lambda interface: self)
        for name, operands, results in DECLARED.findall(program):
            interface.export(name, f"0{convention(operands)}_{convention(results)}", self.function(name))
        return interface.create()

    def check(self, status):
        if status:
            raise RuntimeError(self.runtime.dsrt_last_error(self.context or None).decode())

    def progress(self):
        while not self.closed.wait(1e-4):
            with self.lock:
                self.runtime.dsrt_progress(self.context)

    def close(self):
        self.closed.set()
        self.thread.join()
        self.check(self.runtime.dsrt_shutdown(self.context))

    def function(self, name):
        """What the declaration of that name calls; its first argument is this object."""
        found = NAME.fullmatch(name)
        if not found:
            raise ValueError(f"exchange.py has no '{name}': it exchanges among all ranks, by all_reduce, "
                             "reduce_scatter, all_gather and all_to_all")
        if not found[1]:
            return lambda self: getattr(self, name)
        operation, reduction, dtype, phase = found.groups()
        if phase == "_wait":
            return lambda self, handle, values, *given: self.wait(handle, values)
        start = lambda self, given: self.start(operation, reduction, dtype, given)
        if phase == "_start":
            return start

        def call(self, given):
            values, handle = start(self, given)
            return self.wait(handle, values)
        return call

    def start(self, operation, reduction, dtype, given):
        view = given.deref(rt.HalBufferView)
        source, count = memory(view), view.shape[0]
        size = {"reduce_scatter": count // self.num_ranks, "all_gather": count * self.num_ranks}.get(operation, count)
        # IREE may read the operand again, so every result has memory of its own.
        initial = source if operation == IN_PLACE else numpy.zeros(size, source.dtype)
        result = self.device.allocator.allocate_buffer_copy(
            memory_type=rt.MemoryType.DEVICE_LOCAL | rt.MemoryType.HOST_VISIBLE,
            allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
            device=self.device, buffer=initial, element_type=view.element_type)
        target, pending = memory(result), ctypes.c_void_p()
        buffers = [target] if operation == IN_PLACE else [source, target]
        elements = {"reduce_scatter": size, "all_to_all": count // self.num_ranks}.get(operation, count)
        arguments = [(ctypes.c_void_p * 1)(buffer.ctypes.data) for buffer in buffers] + [(ctypes.c_int64 * 1)(elements),
                                                                                         DTYPES[dtype]]
        arguments += [REDUCTIONS[reduction]] if reduction else []
        with self.lock:
            self.check(getattr(self.runtime, f"dsrt_{operation}_start")(self.context, ctypes.c_int64(1), *arguments,
                                                                        ctypes.c_int64(0), ctypes.byref(pending)))
        self.started[pending.value] = Started(pending, (source, target))
        return result.ref, pending.value

    def wait(self, handle, values):
        with self.lock:
            self.check(self.runtime.dsrt_wait(self.context, self.started.pop(handle).pending))
        return values


def convention(types):
    """IREE's letters of a list of types: a tensor is a reference to a buffer view."""
    return "".join("r" if "tensor" in each else "I" for each in re.findall(r"tensor<[^>]*>|i64", types or "")) or "v"


def memory(view):
    """The values of a buffer view where they lie; bf16 and what else numpy lacks as bytes."""
    mapped = view.map()
    try:
        return mapped.asarray(view.shape, rt.HalElementType.map_to_dtype(view.element_type))
    except (ValueError, RuntimeError):
        return mapped.asarray([view.byte_length], numpy.dtype(numpy.uint8))

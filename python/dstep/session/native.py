"""Steps in this process: ctypes over libds.so, the C library of ds (include/ds-c/ds.h).

libds.so is taken from the environment variable DS_LIBRARY, or from the lib folder beside ds-run. Errors of a step are
RunErrors, with the messages of ds-run.
"""
import ctypes
import json
import os
import pathlib
import threading
import weakref

import ml_dtypes
import numpy as np

from ..base import dlpack, find, places
from ..base.errors import RunError, warn
from . import device, handed
from .compiled import Compiled

TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i64": np.int64, "i32": np.int32, "i16": np.int16,
         "i8": np.int8, "i1": np.bool_}
VERDICTS = ("equal", "different", "undecided")
WHOLE, LOCAL = 0, 1  # ds_part
ON_INDEX = {"stop": 0, "warn": 1, "off": 2}  # ds_on_index

_Handle, _Number, _Text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
_String = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)


class _Diagnostic(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("severity", ctypes.c_int32), ("message", _Text), ("file", _Text), ("line", _Number), ("column", _Number),
                ("code", ctypes.c_int32), ("reserved", ctypes.c_uint32), ("fields", _Text)]


class _ProgramOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("name", _Text), ("entry", _Text), ("config", _Text), ("target_cpu", _Text),
                ("device", _Text), ("no_graph", ctypes.c_int32), ("per_process", ctypes.c_int32)]

class _Statistics(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32)] + [
        (name, ctypes.c_uint64) for name in ("steps", "step_ns", "collectives", "exchanged", "exposed_ns", "memory_bytes")]


_Handler = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Diagnostic), ctypes.c_void_p)
_out = ctypes.POINTER(_Handle)
_FUNCTIONS = {  # name: (result, arguments); a status is an int
    "ds_version": (_Text, []),
    "ds_abi_version": (ctypes.c_uint32, []),
    "ds_context_create": (_Handle, [_Handler, ctypes.c_void_p]),
    "ds_program_parse": (ctypes.c_int, [_Handle, _Text, ctypes.c_size_t, ctypes.POINTER(_ProgramOptions), _out]),
    "ds_program_destroy": (None, [_Handle]),
    "ds_program_roles": (ctypes.c_int, [_Handle, _String, ctypes.c_void_p]),
    "ds_program_config": (ctypes.c_int, [_Handle, _Number, _String, ctypes.c_void_p]),
    "ds_program_emit": (ctypes.c_int, [_Handle, ctypes.c_int, _Number, ctypes.c_int, _String, ctypes.c_void_p]),
    "ds_program_plan": (ctypes.c_int, [_Handle, _Number, ctypes.POINTER(_Text), _String, ctypes.c_void_p]),
    "ds_program_check": (ctypes.c_int, [_Handle, _Number, ctypes.c_double, ctypes.POINTER(ctypes.c_int), _String, ctypes.c_void_p]),
    "ds_verify_equivalence": (ctypes.c_int, [_Handle, _Handle, ctypes.c_double, ctypes.POINTER(ctypes.c_int), _String, ctypes.c_void_p]),
    "ds_world_create": (ctypes.c_int, [_Handle, _Number, _out]),
    "ds_world_join": (ctypes.c_int, [_Handle, _out]),
    "ds_world_destroy": (None, [_Handle]),
    "ds_world_num_ranks": (_Number, [_Handle]),
    "ds_world_num_local_ranks": (_Number, [_Handle]),
    "ds_world_first_rank": (_Number, [_Handle]),
    "ds_program_compile": (ctypes.c_int, [_Handle, _Handle, _out]),
    "ds_step_destroy": (None, [_Handle]),
    "ds_step_manifest": (ctypes.c_int, [_Handle, _String, ctypes.c_void_p]),
    "ds_instance_create": (ctypes.c_int, [_Handle, _Handle, ctypes.POINTER(device.InstanceOptions), _out]),
    "ds_instance_destroy": (None, [_Handle]),
    "ds_instance_write": (ctypes.c_int, [_Handle, ctypes.c_int32, ctypes.c_int, ctypes.c_void_p, _Number]),
    "ds_instance_write_seeds": (ctypes.c_int, [_Handle, ctypes.c_uint64, _Number]),
    "ds_instance_broadcast": (ctypes.c_int, [_Handle]),
    "ds_instance_read_argument": (ctypes.c_int, [_Handle, ctypes.c_int32, ctypes.c_void_p, _Number]),
    "ds_instance_read_result": (ctypes.c_int, [_Handle, ctypes.c_int32, ctypes.c_void_p, _Number]),
    "ds_instance_read_local": (ctypes.c_int, [_Handle, ctypes.c_int32, ctypes.c_void_p, _Number]),
    "ds_instance_argument": (ctypes.c_void_p, [_Handle, _Number, ctypes.c_int32]),
    "ds_instance_result": (ctypes.c_void_p, [_Handle, _Number, ctypes.c_int32]),
    "ds_instance_place_argument": (ctypes.c_int, [_Handle, _Number, ctypes.c_int32, ctypes.c_void_p]),
    "ds_instance_place_result": (ctypes.c_int, [_Handle, _Number, ctypes.c_int32, ctypes.c_void_p]),
    "ds_instance_run": (ctypes.c_int, [_Handle, ctypes.c_void_p]),
    "ds_instance_run_steps": (ctypes.c_int, [_Handle, _Number, ctypes.c_void_p, ctypes.c_void_p]),
    "ds_instance_statistics": (ctypes.c_int, [_Handle, ctypes.POINTER(_Statistics)]),
} | device.FUNCTIONS | handed.FUNCTIONS
ABI = 0  # DS_ABI_VERSION of the header that this file is written for


def find_library():
    """Returns the path of libds.so, or None."""
    named = os.environ.get("DS_LIBRARY")
    if named:
        return str(pathlib.Path(named).absolute())  # dlopen looks for a bare name elsewhere
    return find.library("libds.so")


class Library:
    """libds.so and one context of it. Calls from several threads run one after another. A call raises the errors that
    the library reports during it, and warns of its warnings."""

    def __init__(self, path):
        try:
            self.functions = ctypes.CDLL(path)
        except OSError as error:
            raise RunError(f"libds.so cannot be loaded: {error}") from None
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self.functions, name)
            function.restype, function.argtypes = result, arguments
        if self.functions.ds_abi_version() != ABI:
            raise RunError(f"{path} has the interface {self.functions.ds_abi_version()}, expected {ABI}; it belongs to another version of ds")
        self.lock, self.reported = threading.RLock(), []
        self.handler = _Handler(self._keep)  # kept as long as the context
        self.context = self.functions.ds_context_create(self.handler, None)

    def _keep(self, diagnostic, _):
        said = diagnostic.contents
        place = places.of(said.file.decode(errors="replace"), said.line, said.column) if said.file and said.line else ""
        kind = said.code, json.loads(said.fields.decode()) if said.fields else {}
        self.reported.append((said.severity, place, said.message.decode(errors="replace"), kind))

    def call(self, name, *arguments):
        """Calls a function of the library and raises the error that it reports."""
        with self.lock:
            self.reported.clear()
            status = getattr(self.functions, name)(*arguments)
            reported = list(self.reported) if self.reported else ()
        self.report(reported, status, name)

    @staticmethod
    def report(reported, status, name):
        """Issues the warnings that a call reported, and raises its error if it failed."""
        for severity, place, message, _ in reported:
            if severity:
                warn(place + message)
        if status:
            errors = [RunError(f"{place}error: {message}" if place else message, *kind) for severity, place, message, kind in reported if not severity]
            raise errors[0] if errors else RunError(f"{name} failed")

    def make(self, name, *arguments):
        """Returns the handle that a call creates."""
        handle = _Handle()
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def text(self, name, *arguments):
        """Returns the text that a call produces."""
        said = []
        self.call(name, *arguments, _String(lambda data, length, _: said.append(ctypes.string_at(data, length))), None)
        return b"".join(said)

    def release(self, *handles):
        """Destroys each (function, handle) in order, but not in a forked child, which does not own them."""
        if os.getpid() == self.process:
            with self.lock:
                for function, handle in handles:
                    getattr(self.functions, function)(handle)

    process = os.getpid()


_library = None


def load():
    """Returns a new context."""
    path = find_library()
    if path is None:
        raise RunError("libds.so is not found; it lies in the lib folder beside ds-run, or is named by DS_LIBRARY")
    loaded = Library(path)
    loaded.process = os.getpid()
    return loaded


def library():
    """Returns the shared context."""
    global _library
    _library = _library or load()
    return _library


class Program:
    """A step as it was written. `config` is text in the form of --config, `on` a device in the form of --device. With
    `per_process`, each process of a launched world compiles the step for its own batch sizes when they occur."""

    def __init__(self, mlir, config="", name="step.mlir", of=None, on="cpu", per_process=False):
        self.library, text = of or library(), mlir.encode() if isinstance(mlir, str) else mlir
        options = _ProgramOptions(ctypes.sizeof(_ProgramOptions), 0, name.encode(), None, config.encode(), None, on.encode(), 0, per_process)
        self.handle = self.library.make("ds_program_parse", self.library.context, text, len(text), ctypes.byref(options))
        self._end = weakref.finalize(self, self.library.release, ("ds_program_destroy", self.handle))

    def roles(self):
        return json.loads(self.library.text("ds_program_roles", self.handle))

    def config(self, ranks):
        return json.loads(self.library.text("ds_program_config", self.handle, ranks))

    def emit(self, ranks=None, bytecode=False):
        """Returns the module as it was written, or distributed over `ranks`."""
        found = self.library.text("ds_program_emit", self.handle, int(ranks is not None), ranks or 1, int(bytecode))
        return found if bytecode else found.decode()

    def plan(self, ranks, explain=()):
        names = (_Text * (len(explain) + 1))(*[name.encode() for name in explain], None)
        return json.loads(self.library.text("ds_program_plan", self.handle, ranks, names))

    def check(self, ranks, seconds=0):
        """Returns (verdict, certificate) of the exact check."""
        verdict = ctypes.c_int()
        found = json.loads(self.library.text("ds_program_check", self.handle, ranks, float(seconds), ctypes.byref(verdict)))
        return VERDICTS[verdict.value], found

    def equivalent(self, distributed, seconds=0):
        """Returns (verdict, certificate) of the exact check against a distributed program written elsewhere."""
        verdict = ctypes.c_int()
        found = json.loads(self.library.text("ds_verify_equivalence", self.handle, distributed.handle, float(seconds), ctypes.byref(verdict)))
        return VERDICTS[verdict.value], found


class Instance:
    """A program compiled for ranks that stay: see Compiled, which `compiled` is if there is one already.

    On GPUs: with `compares`, a value is copied to the ranks only if it has changed since the last copy;
    borrows(manifest) lists the arguments that lie in memory of other instances, in the form of device.options.

    Parameters and states live here; `view` is the memory of a slot. Arrays passed in must be dense and have the slot's
    type.
    """

    def __init__(self, program, ranks=1, on_index="stop", joined=False, batches=WHOLE, world=None, compares=False, borrows=None, compiled=None):
        lib, self.batches = program.library, batches
        self.library = lib
        self.compiled = compiled or Compiled(program, ranks, joined, world)
        self.world, self.manifest = self.compiled.world, self.compiled.manifest
        self.instance, self.program, found = None, program, []
        try:
            found = borrows(self.manifest) if borrows else []
            options = device.options(ON_INDEX[on_index], batches, compares, found)
            self.instance = lib.make("ds_instance_create", self.compiled.handle, self.world, ctypes.byref(options))
        finally:
            self._end = weakref.finalize(self, self._release, (self.compiled, found), lib, ("ds_instance_destroy", self.instance))
        self.arguments, self.results = self.manifest["arguments"], self.manifest["results"]
        self.ranks = self.manifest["ranks"]
        self.local_ranks = lib.functions.ds_world_num_local_ranks(self.world) if self.world else 1
        for slot in (*self.arguments, *self.results):  # the shape of what the ranks of this process hold together
            slot["local_shape"] = [size if size == whole else size * self.local_ranks
                                   for size, whole in zip(slot["shape"], slot["global_shape"])]
        self._inputs, self._outputs = (ctypes.c_void_p * len(self.arguments))(), (ctypes.c_void_p * len(self.results))()
        self._run, self._run_steps = lib.functions.ds_instance_run, lib.functions.ds_instance_run_steps
        self.place = device.place_of(self) if self.arguments else (dlpack.CPU, 0)
        self.is_on_gpu, self.steps, self._plain = self.place[0] == dlpack.CUDA, 0, {}  # views of replicated results
        for k, result in enumerate(self.results):
            if not self.is_on_gpu and result["shape"] == result["global_shape"] and ("metric" not in result or self.manifest["global"] or self.ranks == 1):
                self._plain[k] = self._memory(lib.functions.ds_instance_result(self.instance, 0, k), result)

    @staticmethod
    def _release(kept, lib, *handles):
        """Keeps the world and the step until their instances have ended, and an instance until its borrowers have
        ended."""
        lib.release(*handles)

    def close(self):
        self._end()
        self.compiled.close()

    def _memory(self, address, slot, owner=None):
        dtype = np.dtype(TYPES[slot["type"]])
        count = int(np.prod(slot["shape"], dtype=np.int64))
        buffer = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        buffer.owner = owner
        return np.frombuffer(buffer, dtype, count).reshape(slot["shape"])

    def view(self, slot, rank=0):
        """Returns the memory of an argument on a rank of the CPU; the view keeps the instance alive. A write to the
        view reaches no other rank; use `write` for that."""
        if self.is_on_gpu:
            raise RunError(f"'{self.arguments[slot]['name']}' lies on GPU {self.place[1]}, which NumPy does not see; expected a step on the CPU")
        return self._memory(self.library.functions.ds_instance_argument(self.instance, rank, slot), self.arguments[slot], owner=self)

    def dtype(self, slot):
        return np.dtype(TYPES[self.arguments[slot]["type"]])

    def fitting(self, slot, array, shape="global_shape"):
        """Returns an array as it can be passed to the library: dense, of the slot's type and shape."""
        described = self.arguments[slot]
        array = np.asarray(array)
        if array.dtype.kind == "u":
            array = array.view(array.dtype.str.replace("u", "i"))
        if array.dtype != self.dtype(slot) or list(array.shape) != described[shape]:
            raise RunError(f"'{described['name']}' is {array.dtype.name}{list(array.shape)}, expected {self.dtype(slot).name}{described[shape]}")
        return array if array.flags.c_contiguous else np.ascontiguousarray(array)

    def write(self, slot, array):
        array = self.fitting(slot, array)
        device.write_from(self, slot, array.ctypes.data, array.nbytes)

    def write_seeds(self, seed, step):
        self.library.call("ds_instance_write_seeds", self.instance, seed, step)

    def broadcast(self):
        """Broadcasts rank 0's parameters and states to the ranks of other processes."""
        self.library.call("ds_instance_broadcast", self.instance)

    def read(self, slot):
        """Returns a copy of an argument, gathered if it is sharded."""
        array = np.empty(self.arguments[slot]["global_shape"], TYPES[self.arguments[slot]["type"]])
        self.library.call("ds_instance_read_argument", self.instance, slot, array.ctypes.data, array.nbytes)
        return array

    def result(self, k, empty=np.empty):
        """Returns a copy of a result: rows of all ranks in the order of the samples, metrics reduced over the ranks.
        empty(shape, dtype) allocates it."""
        array = empty(self.results[k]["global_shape"], np.dtype(TYPES[self.results[k]["type"]]))
        if k in self._plain:
            array[...] = self._plain[k]
            return array
        self.library.call("ds_instance_read_result", self.instance, k, array.ctypes.data, array.nbytes)
        return array

    def plain(self, k):
        """Returns the memory of a replicated result, or None."""
        return self._plain.get(k)

    def words(self, address, size):
        """Returns memory of the instance that holds slots of a rank, as f32."""
        return self._memory(address, {"type": "f32", "shape": [size // 4]}, owner=self)

    def current(self, k):
        """Returns a result that is valid until the next step: a view if it is replicated, else a copy."""
        return self._plain[k] if k in self._plain else self.result(k)

    def own(self, k):
        """Returns a copy of what the ranks of this process hold of a result: their rows, the mean of a scalar of
        floats, or another value that is the same on all of them."""
        if self.local_ranks == 1:
            return self._memory(self.library.functions.ds_instance_result(self.instance, 0, k), self.results[k]).copy()
        array = np.empty(self.results[k]["local_shape"], TYPES[self.results[k]["type"]])
        self.library.call("ds_instance_read_local", self.instance, k, array.ctypes.data, array.nbytes)
        return array

    def number(self, k):
        """Returns a result that is one number."""
        return float(self._plain[k] if k in self._plain else self.result(k))

    def place_argument(self, slot, address, rank=0):
        """Moves the slot's memory on a rank of this process to `address`, aligned to 64 bytes (None: back to its own
        memory). Returns False if it cannot be moved: a step updates it."""
        return not self.library.functions.ds_instance_place_argument(self.instance, rank, slot, address)

    def place_result(self, k, address, rank=0):
        """Moves a result as `place_argument` moves an argument."""
        return not self.library.functions.ds_instance_place_result(self.instance, rank, k, address)

    def follow(self, value):
        """Returns a value on the ranks' GPU as a dlpack.Given, which the next step waits for."""
        return dlpack.Given(value, self.library.functions.ds_instance_stream(self.instance, 0) or -1)

    def run(self, addresses, results=None, given=None, following=None):
        """Runs one step. `addresses` is {slot: address of its value}; the memory must stay valid until this returns.
        `given` is {slot: dlpack.Given}; other slots keep their values. `results` is {result: address} of memory that
        receives a copy with the rows of all ranks. `following` is {slot: address} of the next step's batch, which is
        copied to a GPU during this step."""
        inputs, outputs, lib = self._inputs, self._outputs, self.library
        for slot, value in given.items() if given else ():
            device.write(self, slot, value, self.batches)
        self.steps += 1
        with lib.lock:
            for slot, address in addresses.items():
                inputs[slot] = address
            lib.reported.clear()
            if results:
                for k, address in results.items():
                    outputs[k] = address
                failed = self._run_steps(self.instance, 1, inputs, outputs)
                for k in results:
                    outputs[k] = None
            else:
                failed = device.run_ahead(self, inputs, following) if following else self._run(self.instance, inputs)
            for slot in addresses:
                inputs[slot] = None
            if not failed and not lib.reported:
                return
            reported, lib.reported = lib.reported, []
        lib.report(reported, failed, "ds_instance_run")

    def statistics(self):
        found = _Statistics(ctypes.sizeof(_Statistics))
        self.library.call("ds_instance_statistics", self.instance, ctypes.byref(found))
        return {name: getattr(found, name) for name, _ in _Statistics._fields_[2:]}

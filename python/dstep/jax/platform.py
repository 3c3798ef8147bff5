"""JAX's platform `ds`: scripts of JAX run unchanged, on ranks of this process.

    JAX_PLATFORMS=ds DS_JAX_DEVICES=4 python script.py

libds-pjrt.so is the plugin in C++, which holds arrays and runs steps. This module has the functions by which it
compiles and releases programs (portable.py), and registers the platform with JAX. JAX has no public interface for that;
`register` lists the private names that it uses.
"""
import atexit
import ctypes
import os

from ..base import find
from ..base.errors import RunError, warn
from ..session import native
from .portable import Compiled, ELEMENTS, assigned_devices

_Address, _Number = ctypes.c_void_p, ctypes.c_int64
_Compile = ctypes.CFUNCTYPE(ctypes.c_int32, _Address, _Address, _Address, _Number, _Address, _Number, _Address, _Number)
_Release = ctypes.CFUNCTYPE(None, _Number)
_Failure = ctypes.CFUNCTYPE(None, _Number, _Address, _Number)


class _Hooks(ctypes.Structure):
    _fields_ = [("compile", _Compile), ("release", _Release), ("failure", _Failure), ("run", _Address),
                ("read", _Address), ("version", ctypes.c_char_p)]


class Plugin:
    """libds-pjrt.so with its hooks. Every program has its own context of libds.so, so that threads of JAX compile and
    run in parallel."""

    def __init__(self, path):
        self.path, self.programs, self.count = path, {}, 0
        self.library = ctypes.CDLL(path)
        numbers = ctypes.POINTER(_Number)
        self.library.ds_pjrt_slot.argtypes = [_Address, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32, numbers,
                                              numbers, numbers, ctypes.c_int32, _Number, ctypes.c_int32,
                                              ctypes.c_char_p, _Number]
        self.library.ds_pjrt_compiled.argtypes = [_Address, _Number, _Address, ctypes.c_char_p, ctypes.c_int32, numbers,
                                                  _Address]
        self.library.ds_pjrt_set_hooks.argtypes = [ctypes.POINTER(_Hooks)]
        functions = native.library().functions
        address = lambda name: ctypes.cast(getattr(functions, name), _Address).value
        self.hooks = _Hooks(_Compile(self._compile), _Release(self._release), _Failure(self._failure),
                            address("ds_instance_run"), address("ds_instance_read_result"),
                            functions.ds_version())
        self.library.ds_pjrt_set_hooks(ctypes.byref(self.hooks))
        atexit.register(self.library.ds_pjrt_set_hooks, None)

    def _compile(self, program, client, code, code_size, options, options_size, text, size):
        try:
            compiled = Compiled(ctypes.string_at(code, code_size))
            if compiled.warning:
                warn(compiled.warning)
            self.count += 1
            self.programs[self.count] = compiled
            for is_result, slots in enumerate((compiled.arguments, compiled.results)):
                for slot in slots:
                    self._tell(program, is_result, slot)
            devices = assigned_devices(ctypes.string_at(options, options_size), compiled.devices)
            self.library.ds_pjrt_compiled(program, self.count, compiled.address, compiled.name.encode(), len(devices),
                                          (_Number * len(devices))(*devices), client)
            return 0
        except BaseException as error:
            _say(text, size, f"ds: {error}")
            return 1

    def _tell(self, program, is_result, slot):
        rank = len(slot.whole)
        offsets = None if slot.offsets is None else (_Number
                                                     * (rank * len(slot.offsets)))(
                                                         *[o for device in slot.offsets for o in device])
        sharding = slot.sharding()
        self.library.ds_pjrt_slot(program, is_result, ELEMENTS[slot.element], rank, (_Number * rank)(*slot.whole),
                                  (_Number * rank)(*slot.part), offsets,
                                  len(slot.offsets or ()), -1 if slot.other is None else slot.other, slot.is_donated,
                                  sharding, len(sharding))

    def _release(self, handle):
        self.programs.pop(handle, None)

    def _failure(self, handle, text, size):
        _say(text, size, f"ds: {self.programs[handle].failure()}")


def _say(text, size, sentence):
    data = sentence.encode()[:size - 1] + b"\0"
    ctypes.memmove(text, data, len(data))


def num_devices():
    said = os.environ.get("DS_JAX_DEVICES", "1")
    if not said.isdigit() or not 1 <= int(said) <= 1024:
        raise RunError(f"DS_JAX_DEVICES={said}, expected the number of ranks that JAX sees as devices, 1 to 1024")
    return int(said)


_plugin = None  # one per process


def register():
    """Registers the platform with JAX. The private names of JAX: register_plugin, which JAX's documentation prescribes
    for plugins; the list of platforms that donate; the serialiser of programs; and the table of lowerings for a
    platform. `ds` takes the lowerings for TPUs, which are plain arithmetic without library calls."""
    global _plugin
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir as private
    from jax.interpreters import mlir

    if _plugin is not None:
        return
    path = find.library("libds-pjrt.so")
    if path is None:
        raise RunError("libds-pjrt.so is not found; it lies in the lib folder beside ds-run")
    _plugin = Plugin(path)
    xla_bridge.register_plugin("ds", priority=500, library_path=path, options=lambda: {"devices": num_devices()})
    if "ds" not in private._platforms_with_donation:
        private._platforms_with_donation.append("ds")
    tables = [private._lowerings, *private._platform_specific_lowerings.values()]
    for primitive, entry in list(private._platform_specific_lowerings["tpu"].items()):
        mlir.register_lowering(primitive, entry.rule, "ds", entry.inline)
    for primitive in {primitive for table in tables for primitive in table}:
        if primitive.name in TELLS:
            mlir.register_lowering(primitive, _left_out(TELLS[primitive.name]), platform="ds")
        elif primitive.name in CALLS:
            mlir.register_lowering(primitive, _refused(CALLS[primitive.name]), platform="ds")
    _refuse_to_serialise()


def _refuse_to_serialise():
    """Refuses to serialise programs: jaxlib reads the layouts of a program for that, and aborts if a platform has
    none."""
    from jax.experimental.serialize_executable import _JaxPjrtPickler as private
    persistent_id = private.persistent_id

    def refuse(self, value):
        if getattr(getattr(value, "client", None), "platform", None) == "ds" and hasattr(value, "serialize"):
            raise RunError("programs of the platform ds are not serialised: export the function by jax.export, or keep "
                           "the step by dstep.jax.export")
        return persistent_id(self, value)
    private.persistent_id = refuse


TELLS = {"debug_print": "jax.debug.print", "debug_callback": "jax.debug.callback"}
CALLS = {"pure_callback": "jax.pure_callback", "io_callback": "jax.experimental.io_callback",
         "buffer_callback": "jax.experimental.buffer_callback"}


def _left_out(name):
    def rule(ctx, *_, **__):
        warn(f"{name} is left out: ranks of ds call no Python")
        if ctx.tokens_in is not None:
            ctx.set_tokens_out(ctx.tokens_in)
        return []
    return rule


def _refused(name):
    def rule(*_, **__):
        raise NotImplementedError(f"{name} computes a value in Python, which ranks of ds do not call")
    return rule

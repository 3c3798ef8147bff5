"""Upstream's bindings (the package `mlir`, of LLVM 22.1) on this library, so that both hold the same modules.

The extension modules of upstream's bindings reach MLIR by its C API alone, in a library with the soname
libMLIRPythonCAPI.so that their package brings. A process that has a library of this soname already takes that one:
ds has one that stands for libds-mlir.so.
"""
import ctypes
import pathlib
import sys

from . import _library

_STANDS_IN = "dstep/libMLIRPythonCAPI.so"  # in the folder of libds-mlir.so
_shared: list[ctypes.CDLL] = []


def share():
    """Lets upstream's bindings use the MLIR of ds; call it before the first `import mlir.ir`."""
    _library.library()
    if _shared:
        return
    if "mlir._mlir_libs" in sys.modules:
        raise ImportError("upstream's bindings are imported and have an MLIR of their own; expected dstep.mlir.share() "
                          "before 'import mlir.ir'")
    path = pathlib.Path(_library.path()).resolve().parent / _STANDS_IN
    _shared.append(ctypes.CDLL(str(path)))


def register_dialects(registry):
    """Adds the dialect of ds, and what its passes need, to a registry of upstream's bindings."""
    _library.library().mlirDsRegisterDialect(handle_of(registry, "DialectRegistry"))


def handle_of(theirs, kind):
    """Returns the handle that an object of upstream's bindings holds."""
    if not _shared:
        raise TypeError(f"{type(theirs).__module__}.{type(theirs).__qualname__} may be of another MLIR; expected "
                        "dstep.mlir.share() before 'import mlir.ir', or text: Module.parse(str(theirs))")
    capsule, name = getattr(theirs, "_CAPIPtr", None), f"mlir.ir.{kind}._CAPIPtr".encode()
    get, valid = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_IsValid
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    valid.argtypes = get.argtypes
    if not valid(capsule, name):
        raise TypeError(f"{type(theirs).__module__}.{type(theirs).__qualname__} is no mlir.ir.{kind} of upstream's "
                        "bindings")
    return get(capsule, name)

"""ctypes over libds-mlir.so: the functions of mlir-c and of include/ds-c/mlir that this package calls.

Handles of MLIR's C API are structs of one pointer, which are passed as pointers are.
"""
import ctypes
import functools
import os

from ..base import find

NAME = "libds-mlir.so"
Pointer, Size, Text = ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_char_p


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def decoded(self):
        return bytes_of(self).decode()


class Named(ctypes.Structure):
    """An attribute with its name."""

    _fields_ = [("name", Pointer), ("attribute", Pointer)]


class Result(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]

    def __bool__(self):
        return self.value != 0


StringCallback = ctypes.CFUNCTYPE(None, StringRef, Pointer)
WalkCallback = ctypes.CFUNCTYPE(ctypes.c_int, Pointer, Pointer)
# MlirLogicalResult is a struct of one int8, which callbacks of ctypes cannot return; as a value it is in the same
# register.
DiagnosticCallback = ctypes.CFUNCTYPE(ctypes.c_int8, Pointer, Pointer)

_FUNCTIONS = {  # name: (result, arguments)
    "mlirDialectRegistryCreate": (Pointer, []),
    "mlirDialectRegistryDestroy": (None, [Pointer]),
    "mlirContextCreateWithRegistry": (Pointer, [Pointer, ctypes.c_bool]),
    "mlirContextDestroy": (None, [Pointer]),
    "mlirContextSetAllowUnregisteredDialects": (None, [Pointer, ctypes.c_bool]),
    "mlirContextAttachDiagnosticHandler": (ctypes.c_uint64, [Pointer, DiagnosticCallback, Pointer, Pointer]),
    "mlirContextDetachDiagnosticHandler": (None, [Pointer, ctypes.c_uint64]),
    "mlirDiagnosticGetSeverity": (ctypes.c_int, [Pointer]),
    "mlirDiagnosticGetLocation": (Pointer, [Pointer]),
    "mlirDiagnosticPrint": (None, [Pointer, StringCallback, Pointer]),
    "mlirDiagnosticGetNumNotes": (Size, [Pointer]),
    "mlirDiagnosticGetNote": (Pointer, [Pointer, Size]),
    "mlirLocationPrint": (None, [Pointer, StringCallback, Pointer]),
    "mlirModuleCreateParse": (Pointer, [Pointer, StringRef]),
    "mlirModuleCreateParseFromFile": (Pointer, [Pointer, StringRef]),
    "mlirModuleDestroy": (None, [Pointer]),
    "mlirModuleGetOperation": (Pointer, [Pointer]),
    "mlirOperationPrint": (None, [Pointer, StringCallback, Pointer]),
    "mlirOperationWriteBytecode": (None, [Pointer, StringCallback, Pointer]),
    "mlirOperationVerify": (ctypes.c_bool, [Pointer]),
    "mlirOperationWalk": (None, [Pointer, WalkCallback, Pointer, ctypes.c_int]),
    "mlirOperationGetName": (Pointer, [Pointer]),
    "mlirIdentifierStr": (StringRef, [Pointer]),
    "mlirOperationGetLocation": (Pointer, [Pointer]),
    "mlirOperationGetNumOperands": (Size, [Pointer]),
    "mlirOperationGetOperand": (Pointer, [Pointer, Size]),
    "mlirOperationGetNumResults": (Size, [Pointer]),
    "mlirOperationGetResult": (Pointer, [Pointer, Size]),
    "mlirValueGetType": (Pointer, [Pointer]),
    "mlirTypePrint": (None, [Pointer, StringCallback, Pointer]),
    "mlirOperationGetNumAttributes": (Size, [Pointer]),
    "mlirOperationGetAttribute": (Named, [Pointer, Size]),
    "mlirOperationSetAttributeByName": (None, [Pointer, StringRef, Pointer]),
    "mlirOperationRemoveAttributeByName": (ctypes.c_bool, [Pointer, StringRef]),
    "mlirAttributeParseGet": (Pointer, [Pointer, StringRef]),
    "mlirAttributePrint": (None, [Pointer, StringCallback, Pointer]),
    "mlirPassManagerCreate": (Pointer, [Pointer]),
    "mlirPassManagerDestroy": (None, [Pointer]),
    "mlirPassManagerGetAsOpPassManager": (Pointer, [Pointer]),
    "mlirPassManagerRunOnOp": (Result, [Pointer, Pointer]),
    "mlirParsePassPipeline": (Result, [Pointer, StringRef, StringCallback, Pointer]),
    "mlirRegisterDsPasses": (None, []),
    "mlirRegisterAllPasses": (None, []),
    "mlirRegisterAllDialects": (None, [Pointer]),
    "mlirDsRegisterDialect": (None, [Pointer]),
    "mlirDsConfigAttrGet": (Pointer, [Pointer, StringRef]),
    "mlirDsStepSetParam": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepSetState": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepSetBatch": (Result, [Pointer, Size, StringRef, ctypes.c_int64]),
    "mlirDsStepSetSeed": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepSetName": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepSetSharding": (Result, [Pointer, Size, Pointer]),
    "mlirDsStepSetUpdates": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepSetMetric": (Result, [Pointer, Size, StringRef]),
    "mlirDsStepVerifyRoles": (Result, [Pointer]),
    "mlirOperationIsADsCollective": (ctypes.c_bool, [Pointer]),
    "mlirDsCollectiveGetBytes": (ctypes.c_int64, [Pointer]),
    "mlirDsCollectiveGetPurpose": (StringRef, [Pointer]),
}


def available():
    """Returns whether the library is beside ds-run, or at DS_MLIR_LIBRARY."""
    return path() is not None


def path():
    """Returns the path of the library, or None."""
    return os.environ.get("DS_MLIR_LIBRARY") or find.library(NAME)


@functools.cache
def library():
    """Loads the library, whose passes are then registered."""
    found = path()
    if not found:
        raise ImportError(f"there is no {NAME} beside ds-run; build and install ds with the LLVM 22.1 of the system "
                          "(docs/Embedding.md), or name the file by DS_MLIR_LIBRARY")
    loaded = ctypes.CDLL(found)
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    loaded.mlirRegisterAllPasses()
    loaded.mlirRegisterDsPasses()
    return loaded


def string(text):
    """Returns a StringRef of a str or of bytes. It holds the bytes, which live as long as it does."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    held = ctypes.c_char_p(data)
    found = StringRef(ctypes.cast(held, ctypes.c_void_p), len(data))
    found.held = held
    return found


def bytes_of(text):
    return ctypes.string_at(text.data, text.length) if text.length else b""


def printed(function, handle):
    """Returns the bytes that a function of the form f(handle, callback, data) writes."""
    parts = []
    callback = StringCallback(lambda text, _: parts.append(bytes_of(text)))
    function(handle, callback, None)
    return b"".join(parts)

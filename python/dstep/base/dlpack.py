"""DLPack without a framework: capsules for memory that ranks hold, and readers for capsules of other libraries.

The structures are those of dlpack.h, before and since version 1.0; a capsule is created by PyCapsule_New.
https://data-apis.org/array-api/latest/ documents the protocol, with the meaning of `stream`.
"""
import ctypes

import ml_dtypes
import numpy as np

from .errors import RunError

CPU, CUDA, PINNED = 1, 2, 3  # kDLCPU, kDLCUDA, kDLCUDAHost
VERSION = 1, 0  # of capsules for consumers that request a version
NAMES = {False: (b"dltensor", b"used_dltensor"), True: (b"dltensor_versioned", b"used_dltensor_versioned")}
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
BFLOAT = 4


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64),
                ("tensor", _Tensor)]


def _python(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_is_unused = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_of_unused = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)

_given: dict[int, tuple] = {}  # {address of a structure: all that it points to}, until its consumer deletes it


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(address):
    _given.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _forget(capsule):
    """Releases the memory of a capsule that was never consumed."""
    for name, _ in NAMES.values():
        if _is_unused(capsule, name):
            _given.pop(_of_unused(capsule, name), None)


for _callback in (_delete, _forget):  # capsules may outlive this module
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_callback))


def capsule(address, device, dtype, shape, owner, versioned=False):
    """Returns a capsule of dense memory at an address of `device`, a pair of kind and number; it keeps `owner`
    alive."""
    dtype = np.dtype(dtype)
    managed, bounds = (_Versioned if versioned else _Managed)(), (ctypes.c_int64 * max(len(shape), 1))(*shape)
    steps = (ctypes.c_int64 * max(len(shape), 1))(*(int(np.prod(shape[i + 1:], dtype=np.int64))
                                                    for i in range(len(shape))))
    code = BFLOAT if dtype == ml_dtypes.bfloat16 else _CODES[dtype.kind]
    managed.tensor = _Tensor(address, *device, len(shape), code, 8 * dtype.itemsize, 1, bounds, steps, 0)
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p)
    if versioned:
        managed.major, managed.minor = VERSION
    _given[ctypes.addressof(managed)] = managed, bounds, steps, owner
    return _new(ctypes.addressof(managed), NAMES[versioned][0], ctypes.cast(_forget, ctypes.c_void_p))


def is_on_gpu(value):
    """True if a value reports a CUDA device. False for values that cannot report one, for example an array on several
    devices."""
    if isinstance(value, np.ndarray) or not hasattr(type(value), "__dlpack_device__"):
        return False
    try:
        return value.__dlpack_device__()[0] == CUDA
    except (BufferError, RuntimeError, TypeError, ValueError):
        return False


def is_bare(value):
    """True if a value can be read through DLPack only."""
    return hasattr(type(value), "__dlpack__") and not hasattr(type(value), "__array__")


def on_host(value):
    """Returns a value in host memory as an array of NumPy, without a copy if NumPy or DLPack can read it."""
    if not is_bare(value):
        return np.asarray(value)
    if value.__dlpack_device__()[0] not in (CPU, PINNED):
        raise RunError(f"{type(value).__name__} lies on device {tuple(value.__dlpack_device__())}, expected the CPU, "
                       "or the GPU that ranks compute on")
    return Given(value).array()


class Given:
    """A value of another library of the process, as its capsule describes it. Keeps the value alive."""

    def __init__(self, value, stream=None):
        self.device = value.__dlpack_device__()
        options = {"stream": stream} if self.device[0] == CUDA else {}
        try:
            self.capsule = value.__dlpack__(max_version=VERSION, **options)
        except TypeError:  # its __dlpack__ is older than versions
            self.capsule = value.__dlpack__(**options)
        versioned = bool(_is_valid(self.capsule, NAMES[True][0]))
        if not versioned and not _is_valid(self.capsule, NAMES[False][0]):
            raise RunError(f"{type(value).__name__}.__dlpack__ returns no capsule that is called dltensor or "
                           "dltensor_versioned")
        managed = (_Versioned if versioned else _Managed).from_address(_pointer(self.capsule, NAMES[versioned][0]))
        if versioned and managed.major > VERSION[0]:
            raise RunError(f"{type(value).__name__}.__dlpack__ speaks version {managed.major}.{managed.minor} of "
                           f"DLPack, expected {VERSION[0]}")
        tensor = managed.tensor
        self.shape = tuple(tensor.shape[:tensor.ndim])
        kinds = {(code, bits): np.dtype(f"{kind}{bits // 8}") for kind, code in _CODES.items()
                 for bits in (8, 16, 32, 64) if not (kind == "f" and bits == 8 or kind == "b" and bits > 8)}
        self.dtype = ((kinds | {(BFLOAT, 16): np.dtype(ml_dtypes.bfloat16)}).get((tensor.code, tensor.bits))
                      if tensor.lanes == 1 else None)
        if self.dtype is None:
            raise RunError(f"{type(value).__name__} holds elements of DLPack's type {tensor.code} with {tensor.bits} "
                           "bits, which no step takes")
        self.address = (tensor.data or 0) + tensor.byte_offset
        dense = [int(np.prod(self.shape[i + 1:], dtype=np.int64)) for i in range(tensor.ndim)]
        self.is_dense = not tensor.strides or all(size < 2 or tensor.strides[i] == dense[i]
                                                  for i, size in enumerate(self.shape))
        self.nbytes = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    def array(self):
        """Returns an array of NumPy over host memory."""
        if not self.is_dense:
            raise RunError("an array that is read by DLPack has gaps or another order of its dimensions, expected a "
                           "dense one")
        buffer = (ctypes.c_char * self.nbytes).from_address(self.address)
        buffer.owner = self
        return np.frombuffer(buffer, self.dtype).reshape(self.shape)

"""Arrays that are passed to libds.so and returned by it: ds_array, ds_data and ds_saves of ds-c."""
import ctypes

import ml_dtypes
import numpy as np

from ..base.errors import RunError

_Handle, _Number, _Text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p


class Array(ctypes.Structure):
    _fields_ = [("name", _Text), ("type", _Text), ("shape", ctypes.POINTER(_Number)), ("num_dimensions", _Number),
                ("data", ctypes.c_void_p)]


class DataOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("last_batch", ctypes.c_int32), ("seed", ctypes.c_uint64),
                ("files", _Text), ("arrays", ctypes.POINTER(Array)),
                ("num_arrays", _Number), ("for_saves", ctypes.c_int32), ("reserved", ctypes.c_int32)]


OnArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array), ctypes.c_void_p)
OnText = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_String, _out = OnText, ctypes.POINTER(_Handle)
FUNCTIONS = {
    "ds_data_create": (ctypes.c_int, [_Handle, _Handle, ctypes.POINTER(DataOptions), _out]),
    "ds_data_destroy": (None, [_Handle]),
    "ds_data_steps_per_epoch": (_Number, [_Handle]),
    "ds_data_run": (ctypes.c_int, [_Handle, _Number, ctypes.POINTER(ctypes.c_double), ctypes.c_int32,
                                   ctypes.POINTER(ctypes.c_int32)]),
    "ds_saves_create": (ctypes.c_int, [_Handle, _Text, ctypes.c_int, _Number, _out]),
    "ds_saves_destroy": (None, [_Handle]),
    "ds_saves_find": (ctypes.c_int, [_Handle, _String, ctypes.c_void_p]),
    "ds_saves_check": (ctypes.c_int, [_Handle, _Handle, _Handle]),
    "ds_saves_read": (ctypes.c_int, [_Handle, OnArray, ctypes.c_void_p]),
    "ds_checkpoint_read": (ctypes.c_int, [_Handle, _Text, _String, OnArray, ctypes.c_void_p]),
    "ds_checkpoint_write": (ctypes.c_int, [_Handle, _Text, ctypes.POINTER(Array), _Number, ctypes.POINTER(_Text),
                                           _Number]),
    "ds_saves_write": (ctypes.c_int, [_Handle, _Handle, _Handle, _Handle, _Number, ctypes.c_int32,
                                      ctypes.POINTER(Array), _Number, ctypes.POINTER(_Text), _Number]),
}
_NAMES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "bool": np.bool_} | {
    f"{kind[0]}{bits}": getattr(np, f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
_TYPES = {np.dtype(kind): name for name, kind in _NAMES.items()}


def described(arrays):
    """Returns {name: dense array} as a list of ds_array, which is valid as long as the arrays live."""
    found = (Array * len(arrays))()
    for place, (name, value) in zip(found, arrays.items()):
        if value.dtype not in _TYPES:
            raise RunError(f"data= has for '{name}' an array of the type {value.dtype}, which ds does not know")
        place.name, place.type = name.encode(), _TYPES[value.dtype].encode()
        place.num_dimensions, place.data = value.ndim, value.ctypes.data
        place.shape = (_Number * value.ndim)(*value.shape)
    return found


def copied(array):
    """Returns (name, copy of the value) of a ds_array."""
    dtype, shape = np.dtype(_NAMES[array.type.decode()]), array.shape[:array.num_dimensions]
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return array.name.decode(), np.frombuffer(ctypes.string_at(array.data, size), dtype).reshape(shape).copy()

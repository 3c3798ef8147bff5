"""Arrays in files: the .safetensors that ds-run reads and writes, and the types that an .npz recording can hold.

ds has signless integers: an unsigned array is passed as the signed array with the same bits.
"""
import json
import struct

import ml_dtypes
import numpy as np

from . import dlpack

TYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "BF16": ml_dtypes.bfloat16, "I64": np.int64,
         "I32": np.int32,
         "I16": np.int16, "I8": np.int8, "U64": np.uint64, "U32": np.uint32, "U16": np.uint16, "U8": np.uint8,
         "BOOL": np.bool_}
CODES = {np.dtype(t): code for code, t in TYPES.items()}


def signless(value):
    value = np.asarray(value)
    return value.view(value.dtype.str.replace("u", "i")) if value.dtype.kind == "u" else value


def narrowed(value, dtype):
    """Narrows a value to `dtype` if it is only wider: NumPy makes Python's numbers 64 bits wide, and JAX narrows them
    without a warning. An integer array that would change its values stays as it is."""
    value, dtype = dlpack.on_host(value), np.dtype(dtype)
    same_kind = value.dtype.kind == dtype.kind == "f" or value.dtype.kind in "iu" and dtype.kind in "iu"
    if not same_kind or (value.dtype.itemsize, dtype.itemsize) != (8, 4):
        return value
    narrow = value.astype(dtype)
    return narrow if value.dtype.kind == "f" or np.array_equal(narrow, value) else value


def storable(value):
    """Returns the array in a type of NumPy itself: bfloat16 as float32, which holds it exactly."""
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype == ml_dtypes.bfloat16 else value


def recordable(value):
    return storable(signless(value))


def restore(value, dtype):
    """Returns an array converted by `signless` or `recordable` in its original type."""
    value, dtype = np.asarray(value), np.dtype(dtype)
    if value.dtype == dtype:
        return value
    if value.dtype.kind == "V":  # .npy has no name for bfloat16
        return value.view(dtype)
    return value.view(dtype) if dtype.kind == "u" and value.dtype.itemsize == dtype.itemsize else value.astype(dtype)


def write_safetensors(path, tensors, metadata=None):
    """Writes {name: array}; `metadata` is {name: text}, for example ds.step."""
    header, offset, blocks = {"__metadata__": metadata} if metadata else {}, 0, []
    for name, value in tensors.items():
        value = np.asarray(value)
        if value.dtype not in CODES:
            raise ValueError(f"'{name}' has the type {value.dtype}, which .safetensors does not know")
        data = np.ascontiguousarray(value).tobytes()
        header[name] = {"dtype": CODES[value.dtype], "shape": list(value.shape),
                        "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
        blocks.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(blocks)


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    view = memoryview(data)[8 + size:]
    return {name: np.frombuffer(view[slice(*entry["data_offsets"])],
                                TYPES[entry["dtype"]]).reshape(entry["shape"]).copy()
            for name, entry in header.items()}


def dtype(name):
    """Returns the numpy type called `name`; bfloat16 comes from ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, name, None) or name)

"""Recordings of f32 arrays, for scripts beside this one."""
import array
import zipfile
from struct import pack


def write(path, arrays):
    """`arrays`: (shape, values) by name."""
    with zipfile.ZipFile(path, "w") as out:
        for name, (shape, values) in arrays.items():
            header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
            out.writestr(name + ".npy", b"\x93NUMPY\x01\x00" + pack("<H", len(header)) + header.encode()
                         + array.array("f", values).tobytes())

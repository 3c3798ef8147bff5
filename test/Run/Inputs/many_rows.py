"""Sparse .npy files of many rows for linear.mlir, which take no room on the disk: many_rows.py DIR ROWS.

x.npy holds bytes, y.npy integers of 64 bits; bad.npy, which is written, integers that are none of a float.
"""
import array
import pathlib
import struct
import sys

FOLDER, ROWS = pathlib.Path(sys.argv[1]), int(sys.argv[2])


def write(name, descr, shape, last):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    size = int(descr[-1])
    for extent in shape:
        size *= extent
    with open(FOLDER / name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.truncate(10 + len(header) + size)
        file.seek(10 + len(header) + size - len(last))
        file.write(last)


write("x.npy", "|u1", (ROWS, 3), b"\1\1\1")
write("y.npy", "<i8", (ROWS,), struct.pack("<q", 6))
FEWER = 1 << 23
write("bad.npy", "<i8", (FEWER,), (array.array("q", [(1 << 24) + 1]) * FEWER).tobytes())
write("x-of-bad.npy", "|u1", (FEWER, 3), b"")

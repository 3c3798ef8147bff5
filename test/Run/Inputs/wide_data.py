"""wide_data.py DIR: random x.npy and y.npy of 50000 samples for linear.mlir, and late-x.npy and late-y.npy, mapped, of
which one label in 30000 is none of a float."""
import array
import pathlib
import random
import struct
import sys

FOLDER, ROWS, MAPPED = pathlib.Path(sys.argv[1]), 50000, 1 << 23


def write(name, descr, shape, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    (FOLDER / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values.tobytes())


rng = random.Random(1)
x = array.array("f", [rng.uniform(-1, 1) for _ in range(3 * ROWS)])
write("x.npy", "<f4", (ROWS, 3), x)
write("y.npy", "<f4", (ROWS,), array.array("f", [x[3 * i] - 2 * x[3 * i + 1] + 3 * x[3 * i + 2] for i in range(ROWS)]))
late = array.array("q", [0]) * MAPPED
for row in range(17, MAPPED, 30000):
    late[row] = (1 << 24) + 1
write("late-y.npy", "<i8", (MAPPED,), late)
write("late-x.npy", "|i1", (MAPPED, 3), array.array("b", [1]) * (3 * MAPPED))

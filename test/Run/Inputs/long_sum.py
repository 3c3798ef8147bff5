"""long_sum.py OUT FACTOR: one step of long_sum.mlir whose values cancel exactly, and as its result FACTOR times the square of what adding
them one by one in f32 gives."""
import array
import random
import struct
import sys
import zipfile


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.array("f", values).tobytes()


rng = random.Random(6)
half = array.array("f", [rng.uniform(0, 1) for _ in range(20000)])
values = [*half, *(-value for value in half)]
rng.shuffle(values)
total = array.array("f", [0])
for value in values:
    total[0] += value
with zipfile.ZipFile(sys.argv[1], "w") as out:
    out.writestr("step1_arg0.npy", npy((), [0]))
    out.writestr("step1_arg1.npy", npy((4, 10000), values))
    out.writestr("step1_res0.npy", npy((), [float(sys.argv[2]) * total[0] ** 2]))

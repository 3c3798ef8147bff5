"""amplified.py OUT W1 W2: two steps of amplified.mlir from w = 1, with k = 1, c = 0 and k = 1000, c = 0.75, and what was "recorded" as their
results: 1 and 250 are right, "-" records none."""
import struct
import sys
import zipfile


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%df" % len(values), *values)


arrays = {"step1_arg0": npy((), [1])}
for step, (k, c) in enumerate(((1, 0), (1000, 0.75)), 1):
    arrays["step%d_arg1" % step] = npy((4,), [k / 4] * 4)
    arrays["step%d_arg2" % step] = npy((4,), [c / 4] * 4)
    if sys.argv[step + 1] != "-":
        arrays["step%d_res0" % step] = npy((), [float(sys.argv[step + 1])])
with zipfile.ZipFile(sys.argv[1], "w") as out:
    for name, data in arrays.items():
        out.writestr(name + ".npy", data)

"""labels.py DIR writes 32 labels, i % 10, without and with mistakes, and a recording of two steps."""
import pathlib
import struct
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])
good = [i % 10 for i in range(32)]
ignored = [-100] + good[1:]
beyond = good[:17] + [12, 10] + good[19:]
below = good[:5] + [-1] + good[6:]


def npy(code, descr, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": (len(values),)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack(f"<{len(values)}{code}", *values))


for name, values in {"good": good, "ignored": ignored, "beyond": beyond, "below": below}.items():
    (folder / f"{name}.npy").write_bytes(npy("q", "<i8", values))
(folder / "beyond26.npy").write_bytes(npy("q", "<i8", [0] * 17 + beyond[17:26]))
(folder / "tokens.npy").write_bytes(npy("H", "<u2", beyond))
with zipfile.ZipFile(folder / "recorded.npz", "w") as recorded:
    recorded.writestr("step1_arg0.npy", npy("f", "<f4", [0.0] * 10))
    recorded.writestr("step1_arg1.npy", npy("i", "<i4", good[:16]))
    recorded.writestr("step2_arg1.npy", npy("i", "<i4", beyond[8:24]))

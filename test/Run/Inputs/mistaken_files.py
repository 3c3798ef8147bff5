"""mistaken_files.py DIR: more damaged files beside those of `make_data.py linear`, for data_mistakes.txt."""
import pathlib
import struct
import sys
import zipfile

FOLDER = pathlib.Path(sys.argv[1])


def npy(name, descr, shape, data):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    (FOLDER / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


(FOLDER / "text.csv").write_text("a,b\n1,2\n")
(FOLDER / "empty.npy").touch()
(FOLDER / "empty.txt").touch()
(FOLDER / "torn.npy").write_bytes((FOLDER / "x.npy").read_bytes()[:200])
npy("objects.npy", "|O", (26, 3), bytes(624))
npy("y6.npy", "<f4", (6,), bytes(24))
npy("x-0.npy", "<f4", (26, 3), bytes(312))
with zipfile.ZipFile(FOLDER / "two.npz", "w") as archive:
    archive.write(FOLDER / "x.npy", "a.npy")
    archive.write(FOLDER / "y.npy", "b.npy")

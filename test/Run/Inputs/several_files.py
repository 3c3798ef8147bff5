"""several_files.py DIR: x.npy and y.npy of DIR in DIR/parts, as x-0.npy, x-1.npy.gz (of f64), x-2.npy, y-a.npy, y-b.npy
and y.txt, which lists the last two; and DIR/empty.txt, which lists nothing."""
import ast
import gzip
import pathlib
import struct
import sys


def read(path):
    data = path.read_bytes()
    length, = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10:10 + length].decode())
    code = {"<f4": "f", "<f8": "d"}[header["descr"]]
    count = (len(data) - 10 - length) // struct.calcsize(code)
    return header["shape"], struct.unpack(f"<{count}{code}", data[10 + length:])


def write(path, shape, values, code="f"):
    header = repr({"descr": {"f": "<f4", "d": "<f8"}[code], "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack(f"<{len(values)}{code}", *values))
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


folder = pathlib.Path(sys.argv[1])
parts = folder / "parts"
(count, features), x = read(folder / "x.npy")
cuts = [0, 3, count // 2, count]
for number, (begin, end) in enumerate(zip(cuts, cuts[1:])):
    middle = number == 1
    write(parts / f"x-{number}.npy{'.gz' if middle else ''}", (end - begin, features),
          x[begin * features:end * features], "d" if middle else "f")
(count,), y = read(folder / "y.npy")
write(parts / "y-a.npy", (1,), y[:1])
write(parts / "y-b.npy", (count - 1,), y[1:])
(parts / "y.txt").write_text("# labels\ny-a.npy\n\ny-b.npy\n")
(folder / "empty.txt").write_text("# nothing\n")

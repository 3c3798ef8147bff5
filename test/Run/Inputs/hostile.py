"""hostile.py DIR: files that claim more than there is, for data that the linear step takes."""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def sparse(name, start, size):
    """A file of that size that has no blocks behind its start."""
    with open(folder / name, "wb") as file:
        file.write(start)
        file.truncate(size)


def npy_header(shape):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()


header = npy_header((2**40, 1))
sparse("terabytes.npy", header, len(header) + 2**42)
header = b"\0\0\x08\2" + struct.pack(">2I", 2**21, 2**21)
sparse("terabytes.idx", header, len(header) + 2**42)
# More steps in an epoch than 2^40 epochs leave room for.
for name, shape in (("many", (8193, 3)), ("ones", (8193,))):
    size = 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
    (folder / f"{name}.npy").write_bytes(npy_header(shape) + bytes(size))
checkpoint = b'{"w": {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}, "__metadata__": {"ds.step": "%d"}}'
for name, step in (("step_max", 2**63 - 1), ("step_beyond", 2**53 + 1), ("step_last", 2**53)):
    text = checkpoint % step
    (folder / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + struct.pack("<3f", 1, 2, 3))

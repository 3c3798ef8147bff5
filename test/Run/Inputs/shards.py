"""Files that each rank has for itself, and what came of them:

shards.py make FOLDER RANKS SAMPLES   of RANKS * SAMPLES samples for linear.mlir: all in FOLDER/x.npy and y.npy; sample
                                      RANKS * i + r as sample i of
                                      part-0r.npy and y-r.npy, and of x.npy and y.npy in the folder rank-r
shards.py close A B                   whether two checkpoints hold the same parameters, within rounding
"""
import json
import pathlib
import random
import struct
import sys


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f",
                                                                                                 *values)


def make(folder, ranks, samples):
    rng = random.Random(7)
    x = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(ranks * samples)]
    y = [a - 2 * b + 3 * c for a, b, c in x]

    def write(path, values):
        rows = values if isinstance(values[0], list) else [[v] for v in values]
        shape = (len(values), 3) if isinstance(values[0], list) else (len(values),)
        path.write_bytes(npy(shape, [v for row in rows for v in row]))

    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "x.npy", x)
    write(folder / "y.npy", y)
    for rank in range(ranks):
        own = folder / f"rank-{rank}"
        own.mkdir(exist_ok=True)
        for path, values in ((own / "x.npy", x), (own / "y.npy", y), (folder / f"part-{rank:02}.npy", x),
                             (folder / f"y-{rank}.npy", y)):
            write(path, values[rank::ranks])


def parameters(path):
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    w = header["w"]["data_offsets"]
    return struct.unpack("<3f", data[8 + length + w[0]:8 + length + w[1]])


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    ours, theirs = parameters(sys.argv[2]), parameters(sys.argv[3])
    worst = max(abs(a - b) for a, b in zip(ours, theirs))
    assert worst < 1e-5 and max(map(abs, ours)) > 0.5, (ours, theirs)
    print("close")

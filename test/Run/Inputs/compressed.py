"""What gradient_compression makes of trainings of outer_product.mlir.

compressed.py make DIR                      x.npy and y.npy of four samples, in small numbers
compressed.py same TOLERANCE A B            whether 'w' of two checkpoints is the same, relative to how far training moved it from START
compressed.py bytes EVENTS.json BYTES       whether a rank gave so many bytes to the collectives of each step
"""
import json
import pathlib
import random
import struct
import sys


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)


def weights(path):
    data = pathlib.Path(path).read_bytes()
    size, = struct.unpack("<Q", data[:8])
    begin, end = json.loads(data[8:8 + size])["w"]["data_offsets"]
    return struct.unpack(f"<{(end - begin) // 4}f", data[8 + size + begin:8 + size + end])


if sys.argv[1] == "make":
    draw, folder = random.Random(3), pathlib.Path(sys.argv[2])
    (folder / "x.npy").write_bytes(npy((4, 16), [draw.gauss(0, 0.3) for _ in range(64)]))
    (folder / "y.npy").write_bytes(npy((4, 12), [draw.gauss(0, 1) for _ in range(48)]))
elif sys.argv[1] == "same":
    tolerance, (one, other, start) = float(sys.argv[2]), map(weights, sys.argv[3:])
    moved = max(abs(a - b) for a, b in zip(one, start))
    off = max(abs(a - b) for a, b in zip(one, other)) / moved
    print(f"differ by {off:.2g} of the way")
    sys.exit(not (moved > 0 and off <= tolerance))
else:
    exchange, = (event for event in map(json.loads, open(sys.argv[2])) if event["event"] == "exchange")
    print("bytes of a step:", exchange["bytes"] / exchange["steps"])
    sys.exit(exchange["bytes"] != exchange["steps"] * int(sys.argv[3]))

"""same_values.py A B: two checkpoints hold the same tensors, bit for bit, at the same step."""
import json
import pathlib
import struct
import sys


def read(path):
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    step = header.pop("__metadata__")["ds.step"]
    return step, header, data[8 + length:]


a, b = (read(path) for path in sys.argv[1:3])
if a != b:
    sys.exit(f"'{sys.argv[1]}' and '{sys.argv[2]}' differ: {a[:2]} and {b[:2]}")

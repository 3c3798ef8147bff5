"""same_values.py A B [NAME..]: two checkpoints hold the same tensors, bit for bit, at the same step; or only those of
the names, at any step."""
import json
import pathlib
import struct
import sys


def read(path, names):
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header, values = json.loads(data[8:8 + length]), data[8 + length:]
    if names:
        return {name: values[slice(*header[name]["data_offsets"])] for name in names}
    step = header.pop("__metadata__")["ds.step"]
    return step, header, values


a, b = (read(path, sys.argv[3:]) for path in sys.argv[1:3])
if a != b:
    sys.exit(f"'{sys.argv[1]}' and '{sys.argv[2]}' differ: "
             + (f"{sys.argv[3:]}" if sys.argv[3:] else f"{a[:2]} and {b[:2]}"))

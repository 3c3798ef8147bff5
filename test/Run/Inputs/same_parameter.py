"""same_parameter.py NAME A B: two checkpoints hold the same bytes of a tensor."""
import json
import pathlib
import struct
import sys


def read(path, name):
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    begin, end = json.loads(data[8 : 8 + length])[name]["data_offsets"]
    return data[8 + length + begin : 8 + length + end]


name, a, b = sys.argv[1:4]
if read(a, name) != read(b, name):
    sys.exit(f"'{name}' differs in '{a}' and '{b}'")

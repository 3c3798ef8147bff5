"""close.py TOLERANCE A.safetensors B.safetensors: the same tensors of f32, each within TOLERANCE of its largest
element; exit code 1 if not. Says whether the bits are the same, too."""
import json
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    size, = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8:8 + size]), data[8 + size:]
    header.pop("__metadata__", None)
    return {name: struct.unpack(f"<{(e - b) // 4}f", body[b:e]) for name, entry in header.items()
            for b, e in [entry["data_offsets"]]}


tolerance, one, other = float(sys.argv[1]), read(sys.argv[2]), read(sys.argv[3])
assert one.keys() == other.keys() and one, (one.keys(), other.keys())
worst = max(max(abs(a - b) for a, b in zip(one[name], other[name], strict=True)) / max(1e-30, *map(abs, one[name]))
            for name in one)
if not worst <= tolerance:
    sys.exit(f"'{sys.argv[2]}' and '{sys.argv[3]}' differ by {worst:.2g}, expected {tolerance} at most")
print("within the tolerance" if worst else "within the tolerance, and the same bits")

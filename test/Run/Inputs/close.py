"""close.py TOLERANCE A.safetensors B.safetensors [FLOOR]: the same tensors of f32, within a relative tolerance, and not bit for bit; exit code 1 if not.
The difference of numbers below FLOOR is relative to it."""
import json
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    size, = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8:8 + size]), data[8 + size:]
    header.pop("__metadata__", None)
    return {name: struct.unpack(f"<{(e - b) // 4}f", body[b:e]) for name, entry in header.items() for b, e in [entry["data_offsets"]]}


floor = float(sys.argv[4]) if len(sys.argv) > 4 else 1e-30
tolerance, one, other = float(sys.argv[1]), read(sys.argv[2]), read(sys.argv[3])
assert one.keys() == other.keys() and one, (one.keys(), other.keys())
worst = max(abs(a - b) / max(abs(a), abs(b), floor) for name in one for a, b in zip(one[name], other[name], strict=True))
print("within" if worst <= tolerance else f"DIFFERENT by {worst}", "the tolerance" if worst else "the tolerance, and the same bits")
sys.exit(worst > tolerance)

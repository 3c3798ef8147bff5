"""same_tensors.py A B: fails unless two safetensors files hold the same tensors, byte for byte."""
import json
import sys


def tensors(path):
    data = open(path, "rb").read()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    return {name: (entry["dtype"], entry["shape"], data[end:][slice(*entry["data_offsets"])])
            for name, entry in header.items() if name != "__metadata__"}


first, second = map(tensors, sys.argv[1:])
if not first or first != second:
    sys.exit("different: "
             f"{sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))}")

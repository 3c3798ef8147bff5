"""A program that leads a training, and files for it:

steered.py at-step FROM TO STEP      the tensors of FROM, written at STEP
steered.py without NAME FILE         FILE without a tensor
steered.py signal NAME COMMAND..     the exit code of COMMAND after a signal while it waits
"""
import json
import pathlib
import signal
import struct
import subprocess
import sys


def read(path):
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    return metadata, {name: (entry, data[8 + length + entry["data_offsets"][0]:8 + length + entry["data_offsets"][1]]) for name, entry in header.items()}


def write(path, metadata, tensors):
    header, offset = {"__metadata__": metadata}, 0
    for name, (entry, data) in tensors.items():
        header[name] = entry | {"data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for _, data in tensors.values()))


match sys.argv[1]:
    case "at-step":
        metadata, tensors = read(sys.argv[2])
        write(sys.argv[3], metadata | {"ds.step": sys.argv[4]}, tensors)
    case "without":
        metadata, tensors = read(sys.argv[3])
        write(sys.argv[3], metadata, {name: tensor for name, tensor in tensors.items() if name != sys.argv[2]})
    case "signal":
        process = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        next(line for line in process.stdout if '"waiting"' in line)
        process.send_signal(getattr(signal, "SIG" + sys.argv[2]))
        process.stdout.read()
        print("exit code", process.wait(timeout=60))

"""write.py FOLDER: x.npy and y.npy, 40 samples, and zero.safetensors; or write.py CHECKPOINT OUT: the bytes of its
parameter w."""
import json
import struct
import sys

import numpy as np

if len(sys.argv) == 2:
    x = np.random.default_rng(5).normal(size=(40, 3)).astype(np.float32)
    np.save(sys.argv[1] + "/x.npy", x)
    np.save(sys.argv[1] + "/y.npy", x @ np.array([2, -1, 0.5], np.float32))
    header = b'{"w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}'
    with open(sys.argv[1] + "/zero.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + bytes(12))
else:
    with open(sys.argv[1], "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        begin, end = json.loads(file.read(length))["w"]["data_offsets"]
        file.seek(8 + length + begin)
        with open(sys.argv[2], "wb") as out:
            out.write(file.read(end - begin))

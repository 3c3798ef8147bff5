"""Small data files for the tests of ds-run, written with Python alone.

make_data.py linear DIR          x.npy, y.npy (y = x . (1, -2, 3)), class.npy (y > 0), and damaged files; parameters
make_data.py linear-recording FILE RANKS MEAN
                                 two steps of linear.mlir in local semantics, computed here; MEAN is 0 or 1
make_data.py layered DIR WIDTH   x.npy and y.npy for a generated step whose last layer has WIDTH channels
make_data.py two-layers DIR      x.npy and t.npy for two_layers.mlir
make_data.py recording NPZ MLIR DIR SAMPLES
                                 the first step of a recording as init.safetensors and data.npz of SAMPLES samples,
                                 which data gives to --data
"""
import ast
import gzip
import json
import math
import random
import re
import struct
import sys
import zipfile

FORMATS = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|u1": "B", "|b1": "B"}
SAFE = {"<f4": "F32", "<f8": "F64", "<i4": "I32", "<i8": "I64", "|u1": "U8", "|b1": "BOOL"}


def npy(descr, shape, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack("<%d%s" % (len(values), FORMATS[descr]), *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def parse_npy(data):
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    return header["descr"], header["shape"], data[10 + length :]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def safetensors(path, tensors):
    header, offset = {}, 0
    for name, (descr, shape, data) in tensors.items():
        header[name] = {"dtype": SAFE[descr], "shape": list(shape), "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    write(path, struct.pack("<Q", len(text)) + text + b"".join(data for _, _, data in tensors.values()))


def linear(folder):
    samples = 26
    rng = random.Random(1)
    x = [rng.uniform(-1, 1) for _ in range(3 * samples)]
    y = [x[3 * i] - 2 * x[3 * i + 1] + 3 * x[3 * i + 2] for i in range(samples)]
    write(folder + "/x.npy", npy("<f4", (samples, 3), x))
    write(folder + "/y.npy", npy("<f4", (samples,), y))
    write(folder + "/class.npy", npy("<i8", (samples,), [int(v > 0) for v in y]))
    write(folder + "/x6.npy", npy("<f4", (6, 3), x[:18]))
    write(folder + "/wide.npy", npy("<f4", (samples, 4), x + y))
    write(folder + "/large.npy", npy("<f8", (samples,), [1e300] * samples))
    write(folder + "/integers.npy", npy("<i4", (samples,), [2**24 + 1] * samples))
    idx = b"\0\0\x0d\2" + struct.pack(">2I", samples, 3) + struct.pack(">%df" % len(x), *x)
    write(folder + "/x.idx", idx)
    write(folder + "/short.idx", idx[:-5])
    packed = gzip.compress(idx)
    write(folder + "/x.gz", packed)
    write(folder + "/short.gz", packed[: len(packed) // 2])
    safetensors(folder + "/w.safetensors", {"w": ("<f4", (3,), struct.pack("<3f", 1, -2, 3))})
    safetensors(folder + "/half.safetensors", {"w": ("<f4", (3,), struct.pack("<3f", 0.5, 0, 1))})
    safetensors(folder + "/other.safetensors", {"v": ("<f4", (3,), struct.pack("<3f", 1, -2, 3))})
    write(folder + "/ones.npy", npy("<f4", (samples,), [1] * samples))
    write(folder + "/two.npy", npy("<f4", (2, 3), x[:6]))
    write(folder + "/twoy.npy", npy("<f4", (2,), y[:2]))
    safetensors(folder + "/wrong.safetensors", {"w": ("<f4", (2,), struct.pack("<2f", 1, -2))})
    with open(folder + "/w.safetensors", "rb") as file:
        write(folder + "/short.safetensors", file.read()[:-1])


def layered(folder, width):
    rng = random.Random(4)
    for name, columns in (("x", 8), ("y", width)):
        values = [rng.uniform(-1, 1) for _ in range(48 * columns)]
        write("%s/%s.npy" % (folder, name), npy("<f4", (48, columns), values))


def two_layers(folder):
    rng = random.Random(5)
    for name in ("x", "t"):
        write("%s/%s.npy" % (folder, name), npy("<f4", (64, 512), [rng.uniform(-1, 1) for _ in range(64 * 512)]))


def linear_recording(path, ranks, mean):
    rng = random.Random(3)
    w, m, lr, rows = [0.5, -0.25, 1.0], [0.125, 0.0, -0.5], 0.25, 4
    arrays = {"step1_arg0": ((3,), w), "step1_arg1": ((3,), m), "step1_arg4": ((), [lr])}
    for step in (1, 2):
        x = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(rows * ranks)]
        y = [rng.uniform(-1, 1) for _ in range(rows * ranks)]
        error = [sum(a * b for a, b in zip(row, w)) - target for row, target in zip(x, y)]
        # Each rank's gradient is a mean over its rows; the ranks' gradients are summed, or averaged.
        scale = 2 / rows / (ranks if mean else 1)
        gradient = [scale * sum(e * row[j] for e, row in zip(error, x)) for j in range(3)]
        m = [0.5 * a + g for a, g in zip(m, gradient)]
        w = [a - lr * b for a, b in zip(w, m)]
        loss = sum(e * e for e in error) / len(error)
        arrays["step%d_arg2" % step] = ((len(x), 3), [value for row in x for value in row])
        arrays["step%d_arg3" % step] = ((len(y),), y)
        for slot, shape, values in ((0, (3,), w), (1, (3,), m), (2, (), [loss]), (3, (len(y),), error)):
            arrays["step%d_res%d" % (step, slot)] = (shape, values)
    with zipfile.ZipFile(path, "w") as out:
        for name, (shape, values) in arrays.items():
            out.writestr(name + ".npy", npy("<f4", shape, values))


def recording(npz, mlir, folder, samples):
    with open(mlir) as file:
        signature = re.search(r"func\.func (?:public )?@main\((.*?)\) ->", file.read(), re.S).group(1)
    arguments = re.findall(r"%arg(\d+): tensor<[^>]*> \{([^}]*)\}", signature)
    rng = random.Random(2)
    archive = zipfile.ZipFile(npz)
    tensors, batches = {}, {}
    for number, attributes in arguments:
        descr, shape, data = parse_npy(archive.read("step1_arg%s.npy" % number))
        name = re.search(r'ds\.(?:param|state|name) = "([^"]*)"', attributes).group(1)
        if "ds.batch" not in attributes:
            tensors[name] = (descr, shape, data)
            continue
        # More samples of the recording's kind: permuted elements of its own rows.
        count = samples * math.prod(shape[1:])
        values = struct.unpack("<%d%s" % (math.prod(shape), FORMATS[descr]), data)
        batches[name] = npy(descr, (samples,) + tuple(shape[1:]), [rng.choice(values) for _ in range(count)])
    safetensors(folder + "/init.safetensors", tensors)
    with zipfile.ZipFile(folder + "/data.npz", "w") as out:
        for name, data in batches.items():
            out.writestr(name + ".npy", data)
    write(folder + "/data", ",".join("%s=%s/data.npz:%s" % (name, folder, name) for name in batches).encode())


if __name__ == "__main__":
    if sys.argv[1] == "linear":
        linear(sys.argv[2])
    elif sys.argv[1] == "linear-recording":
        linear_recording(sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1")
    elif sys.argv[1] == "two-layers":
        two_layers(sys.argv[2])
    elif sys.argv[1] == "layered":
        layered(sys.argv[2], int(sys.argv[3]))
    else:
        recording(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))

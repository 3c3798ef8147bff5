"""What gradient_compression makes of trainings of outer_product.mlir.

compressed.py make DIR                      x.npy and y.npy of four samples, in small numbers, and x-R.npy, y-R.npy of
                                            one for each of two ranks
compressed.py largest COUNT STEPS LR A B    whether B is what A becomes in so many steps on x-R.npy, y-R.npy that send
                                            COUNT elements of a gradient, written out
compressed.py same TOLERANCE A B            whether 'w' of two checkpoints is the same, relative to how far training
                                            moved it from START
compressed.py bytes EVENTS.json BYTES       whether a rank gave so many bytes to the collectives of each step
compressed.py part ALL.json SOME.json N     whether a sample of SOME costs an Nth of the bytes of one of ALL
"""
import json
import pathlib
import random
import struct
import sys


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f",
                                                                                                 *values)


def read(path):
    data = path.read_bytes()
    return struct.unpack(f"<{(len(data) - 128) // 4}f", data[128:])


def largest(count, steps, lr, w, samples):
    errors = [[0.0] * 192 for _ in samples]
    for _ in range(steps):
        total = [0.0] * 192
        for error, (x, y) in zip(errors, samples):
            d = [sum(x[i] * w[i * 12 + j] for i in range(16)) - y[j] for j in range(12)]
            gradient = [x[i] * d[j] + error[i * 12 + j] for i in range(16) for j in range(12)]
            sent = sorted(range(192), key=lambda i: -abs(gradient[i]))[:count]
            for i in sent:
                total[i] += gradient[i]
            error[:] = [0.0 if i in sent else value for i, value in enumerate(gradient)]
        w = [value - lr * change / len(samples) for value, change in zip(w, total)]
    return w


def exchange_of(path):
    events = [json.loads(line) for line in open(path)]
    start, = (event for event in events if event["event"] == "start")
    exchange, = (event for event in events if event["event"] == "exchange")
    return exchange, exchange["steps"] * start["samples_per_step"]


def weights(path):
    data = pathlib.Path(path).read_bytes()
    size, = struct.unpack("<Q", data[:8])
    begin, end = json.loads(data[8:8 + size])["w"]["data_offsets"]
    return struct.unpack(f"<{(end - begin) // 4}f", data[8 + size + begin:8 + size + end])


if sys.argv[1] == "make":
    draw, folder = random.Random(3), pathlib.Path(sys.argv[2])
    (folder / "x.npy").write_bytes(npy((4, 16), [draw.gauss(0, 0.3) for _ in range(64)]))
    (folder / "y.npy").write_bytes(npy((4, 12), [draw.gauss(0, 1) for _ in range(48)]))
    for rank in range(2):
        (folder / f"x-{rank}.npy").write_bytes(npy((1, 16), [draw.gauss(0, 0.3) for _ in range(16)]))
        (folder / f"y-{rank}.npy").write_bytes(npy((1, 12), [draw.gauss(0, 1) for _ in range(12)]))
elif sys.argv[1] == "largest":
    count, steps, lr, before, after = sys.argv[2:]
    samples = [[read(pathlib.Path(f"{name}-{rank}.npy")) for name in "xy"] for rank in range(2)]
    start = weights(before)
    expected = largest(int(count), int(steps), float(lr), start, samples)
    moved = max(abs(a - b) for a, b in zip(expected, start))
    off = max(abs(a - b) for a, b in zip(expected, weights(after))) / moved
    print(f"differ by {off:.2g} of the way")
    sys.exit(not (moved > 0 and off < 1e-4))
elif sys.argv[1] == "part":
    (whole, samples), (part, others) = map(exchange_of, sys.argv[2:4])
    print("bytes of a sample:", whole["bytes"] / samples, part["bytes"] / others)
    sys.exit(not whole["bytes"] or part["bytes"] * samples * int(sys.argv[4]) != whole["bytes"] * others)
elif sys.argv[1] == "same":
    tolerance, (one, other, start) = float(sys.argv[2]), map(weights, sys.argv[3:])
    moved = max(abs(a - b) for a, b in zip(one, start))
    off = max(abs(a - b) for a, b in zip(one, other)) / moved
    print(f"differ by {off:.2g} of the way")
    sys.exit(not (moved > 0 and off <= tolerance))
else:
    exchange, _ = exchange_of(sys.argv[2])
    print("bytes of a step:", exchange["bytes"] / exchange["steps"])
    sys.exit(exchange["bytes"] != exchange["steps"] * int(sys.argv[3]))

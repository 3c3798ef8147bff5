"""eval_reference.py FOLDER COUNT: on standard input the JSON lines of an evaluation of linear_metrics.mlir with
half.safetensors; its metrics must be those of the first COUNT samples, computed here."""
import json
import struct
import sys

folder, count = sys.argv[1], int(sys.argv[2])


def column(name):
    data = open(f"{folder}/{name}.npy", "rb").read()
    body = data[10 + struct.unpack("<H", data[8:10])[0]:]
    return struct.unpack(f"<{len(body) // 4}f", body)


x, y = column("x"), column("y")
errors = [0.5 * x[3 * i] + x[3 * i + 2] - y[i] for i in range(count)]
expected = {"loss": sum(e * e for e in errors) / count, "worst": max(map(abs, errors))}
line = next(json.loads(line) for line in sys.stdin if '"evaluation"' in line)
assert line["samples"] == count and line["metrics"].keys() == expected.keys(), line
assert all(abs(line["metrics"][name] - value) < 1e-5 for name, value in expected.items()), (line, expected)
print("as computed here")

"""bf16_distance.py STEP.mlir RECORDING KIND A B [LIMIT]: how far the first steps of two replays are apart, as a part of
what the step changes: the Euclidean norm of the difference over that of the change in A, of all values whose names hold
KIND, as one vector; at most LIMIT. With a KIND in which changes are gradients (parameters of SGD, first moments of
Adam) this is the distance of the gradients."""
import ast
import math
import re
import struct
import sys
import zipfile


def read(path):
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            data = file.read(name)
            size = struct.unpack("<H", data[8:10])[0]
            header = ast.literal_eval(data[10:10 + size].decode())
            if header["descr"] == "<f4":
                arrays[name.removesuffix(".npy")] = struct.unpack(f"<{(len(data) - 10 - size) // 4}f", data[10 + size:])
    return arrays


def norm(values):
    return math.sqrt(sum(value * value for value in values))


def roles(text, split, kinds):
    """The number of each argument or result with such a role, by name."""
    parts = re.split(split, text)[1:]
    return {found[1]: i for i, part in enumerate(parts) if (found := re.search(rf'ds\.(?:{kinds}) = "([^"]*)"', part))}


signature = re.search(r"func\.func (?:public )?@\w+\((.*?)\) -> \((.*?)\) (?:attributes .*?)?\{\n",
                      open(sys.argv[1]).read(), re.S)
arguments, results = roles(signature[1], r"%\w+: ", "param|state"), roles(signature[2], "tensor<", "updates")
recording, a, b = (read(path) for path in (sys.argv[2], *sys.argv[4:6]))
apart, change = [], []
for name, result in results.items():
    if sys.argv[3] in name:
        old, one, other = recording[f"step1_arg{arguments[name]}"], a[f"step1_res{result}"], b[f"step1_res{result}"]
        apart += [u - v for u, v in zip(one, other)]
        change += [u - v for u, v in zip(one, old)]
distance = norm(apart) / norm(change)
print(f"{distance:.6f}")
assert len(sys.argv) < 7 or distance <= float(sys.argv[6]), f"more than {sys.argv[6]}"

"""random_strategy.py STEP.mlir MESH SEED OUT.json: divides parameters, states and samples of a step at random over the
axes of a mesh such as dp=2,tp=4."""
import json
import random
import re
import sys

path, mesh, seed, out = sys.argv[1:]
axes = [(name, int(size)) for name, size in (axis.split("=") for axis in mesh.split(","))]
pick = random.Random(int(seed))
shardings = {}
for shape, attributes in re.findall(r"%arg\d+: tensor<((?:\d+x)+)[a-z]+\d+> {([^}]*)}",
                                    open(path).read().split("@main(")[1].split("->")[0]):
    name = re.search(r'ds\.(?:param|state|name) = "([^"]*)"', attributes)
    samples = re.search(r"ds\.batch = (\d+)", attributes)
    if not name or not re.search(r"ds\.(?:param|state|batch) =",
                                 attributes) or pick.random() < (0.7 if samples else 0.2):
        continue
    sizes = [int(size) for size in shape.split("x")[:-1]]
    dims, parts = [[] for _ in sizes], [1] * len(sizes)
    for axis, size in pick.sample(axes, len(axes)):
        dim = pick.randrange(len(sizes))
        if (sizes[dim] % (parts[dim] * size) or (samples and (axis == axes[0][0]) != (dim == int(samples[1])))
            or pick.random() < 0.2):
            continue
        dims[dim].append(axis)
        parts[dim] *= size
    shardings[name[1]] = dims
assert any(axes for dims in shardings.values() for axes in dims), f"{path}: seed {seed} divides nothing"
json.dump({"ds_strategy": 1, "mesh": mesh, "arguments": shardings}, open(out, "w"), indent=1, sort_keys=True)

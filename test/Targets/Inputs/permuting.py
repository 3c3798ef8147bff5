"""permuting.py STEP.mlir..: of each step on a GPU, how many kernels read or write values of four dimensions and more in
two orders of them, and how many convolutions are in which type, with channels of source and destination last or
elsewhere."""
import collections
import pathlib
import re
import subprocess
import sys


def looked_at(step):
    text = subprocess.run(["ds-opt", step, "--ds-data-parallel", "--ds-lower-to-driver=gpu"], check=True,
                          capture_output=True, text=True).stdout
    maps = dict(re.findall(r"^(#map\d*) = affine_map<.* -> \((.*)\)>$", text, re.M))
    permuting = 0
    for names in re.findall(r"linalg\.generic \{indexing_maps = \[(.*?)\]", text):
        orders = [tuple(re.findall(r"d\d+", maps[name])) for name in names.split(", ") if "+" not in maps[name]]
        whole = [order for order in orders if len(order) >= 4]
        permuting += any(set(a) == set(b) and a != b for a in whole for b in whole)
    kinds = collections.Counter()
    plans = dict(re.findall(r"func\.func private @(convolution_\w+)\(.*?ds\.convolution = \{(.*?)\}\}", text))
    for name in re.findall(r"^ +call @(convolution_\w+)\(", text, re.M):
        strides = [re.search(which + r"_strides = array<i64: \d+, (\d+)", plans[name])[1]
                   for which in ("source", "destination")]
        narrow = re.search(r"type = (\w+)", plans[name])
        kinds[(narrow[1] if narrow else "f32") + (" last" if strides == ["1", "1"] else " elsewhere")] += 1
    return f"{permuting} permuting kernels, convolutions: " + ", ".join(f"{count} {kind}"
                                                                        for kind, count in sorted(kinds.items()))


for step in sys.argv[1:]:
    print(f"{pathlib.Path(step).stem}: {looked_at(step)}", flush=True)

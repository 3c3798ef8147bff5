"""long_sum.py OUT FACTOR: one step of long_sum.mlir whose values cancel exactly, and as its result FACTOR times the
square of what adding them one by one in f32 gives."""
import array
import random
import sys

import npz

rng = random.Random(6)
half = array.array("f", [rng.uniform(0, 1) for _ in range(20000)])
values = [*half, *(-value for value in half)]
rng.shuffle(values)
total = array.array("f", [0])
for value in values:
    total[0] += value
npz.write(sys.argv[1], {"step1_arg0": ((), [0]), "step1_arg1": ((4, 10000), values),
                        "step1_res0": ((), [float(sys.argv[2]) * total[0] ** 2])})

"""amplified.py OUT W1 W2: two steps of amplified.mlir from w = 1, with k = 1, c = 0 and k = 1000, c = 0.75, and what
was "recorded" as their results: 1 and 250 are right, "-" records none."""
import sys

import npz

arrays = {"step1_arg0": ((), [1])}
for step, (k, c) in enumerate(((1, 0), (1000, 0.75)), 1):
    arrays["step%d_arg1" % step] = ((4,), [k / 4] * 4)
    arrays["step%d_arg2" % step] = ((4,), [c / 4] * 4)
    if sys.argv[step + 1] != "-":
        arrays["step%d_res0" % step] = ((), [float(sys.argv[step + 1])])
npz.write(sys.argv[1], arrays)

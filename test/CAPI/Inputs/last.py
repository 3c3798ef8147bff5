"""last.py FILE STEPS: the results of the last step, as examples/c_api/train.c prints them."""
import sys

import numpy as np

with np.load(sys.argv[1]) as results:
    w, loss = (results[f"step{sys.argv[2]}_res{k}"] for k in range(2))
print("loss %.9g, w = %.9g %.9g %.9g" % (loss, *w))

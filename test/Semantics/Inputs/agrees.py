"""Does a step mean on n ranks what it means on one device?

agrees.py STEP.mlir DIR DATA [option=value ..] [--flags of ds-run]

The step is written for 16 samples and the data holds 16, so every step sees all of them. It runs on one device; then on
n ranks in `global`, as written; then on n ranks in `local`, rewritten for 16/n samples, with averaged gradients
(`local`), and with the factor 1/16 that it has and summed gradients (`summed`). Parameters, states and results must be
the same. Results per sample are compared as sets of rows, since ranks hold them in another order; of `summed` no
results, as they are parts.

options: ranks=2,4,8,16  semantics=global,local,summed  steps=3  rtol=1e-5  atol=1e-6  rows=exact (results per sample,
bit for bit)
"""
import pathlib
import sys

import numpy as np

from step import BATCH, expect_refusal, for_samples, run


def rows_sorted(array):
    flat = np.asarray(array, np.float64).reshape(len(array), -1)
    return flat[np.lexsort(flat.T[::-1])]


def differs(a, b, isResult):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if isResult and a.ndim and len(a) == BATCH:
        a, b = rows_sorted(a), rows_sorted(b)
        if options["rows"] == "exact":
            return not np.array_equal(a, b)
    return not np.allclose(b, a, float(options["rtol"]), float(options["atol"]))


step, folder, data = sys.argv[1:4]
options = dict(ranks="2,4,8,16", semantics="global,local,summed", steps="3", rtol="1e-5", atol="1e-6", rows="close")
options.update(text.split("=") for text in sys.argv[4:] if not text.startswith("--"))
flags = ["--data", data, "--steps", options["steps"], *(text for text in sys.argv[4:] if text.startswith("--"))]
one = run(step, folder, 1, *flags)
if not all(np.isfinite(value).all() for value in one[0].values()):
    sys.exit("the step diverges on one device, so there is nothing to compare with")
wrong, runs = [], 0
for ranks in map(int, options["ranks"].split(",")):
    for semantics in options["semantics"].split(","):
        if semantics == "global":
            many = run(step, folder, ranks, "--config", "batch=global", *flags)
        else:
            averaged = semantics == "local"
            rewritten = for_samples(step, folder, BATCH // ranks, means=averaged)
            if ranks == BATCH and "ds.gradient" not in pathlib.Path(step).read_text():
                # With one sample per rank detection asks for the annotations.
                expect_refusal(rewritten, ranks, "a rank has one sample", "--data", data)
                continue
            many = run(rewritten, folder, ranks, "--config", f"gradients_mean={str(averaged).lower()}", *flags)
        for isResult in (False, True) if semantics != "summed" else (False,):
            for name, a in one[isResult].items():
                b = many[isResult][name]
                if differs(a, b, isResult):
                    kind = "result #" if isResult else ""
                    wrong.append(f"{semantics}, {ranks} ranks: {kind}{name} is {b.ravel()[:8]}, on one device "
                                 f"{a.ravel()[:8]}")
        runs += 1
print("\n".join(wrong) if wrong else f"{runs} runs agree with one device")
sys.exit(bool(wrong))

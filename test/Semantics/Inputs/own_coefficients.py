"""own-coefficients.mlir in `local`, by hand: what stands beside a product with a rank's own statistic counts once.

own_coefficients.py STEP.mlir DIR DATA: gradients are the sum over the ranks, or their mean, of what each rank computes
of its samples; the decay beside the product is added once to the sum, the decay inside of it is part of what each rank
computes.
"""
import sys

import numpy as np

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]
START = {"beside": 0.5, "twice": 0.25, "inside": 2, "both": 1, "chosen": 4, "two results": 3, "summed": -1, "fused": -2,
         "statistics": 5, "product": 6}


def rank_sums(x):
    scale = 1 / np.sqrt((x * x).mean(0) + 0.25)
    return scale, ((x * scale - 1) * x).sum(0), (x * x).mean(0), (1 + x / 10).prod(0)


for ranks in (1, 2, 4, 8):
    rewritten = for_samples(step, folder, BATCH // ranks)
    for mean in (False, True):
        flags = ["--data", data, "--steps", "1", "--config", f"gradients_mean={str(mean).lower()}"]
        saved, results = run(rewritten, folder, ranks, *(flags if ranks > 1 else flags[:-2]))
        samples = np.asarray(results[11], np.float64).reshape(ranks, BATCH // ranks, 3)  # as the ranks held them
        scales, sums, means, products = map(np.array, zip(*(rank_sums(x) for x in samples)))
        total = np.mean if mean else np.sum
        product, decay = total(scales * sums, 0), {name: start / 10 for name, start in START.items()}
        gradients = {
            "beside": product + decay["beside"],
            "twice": 1.5 * (product - decay["twice"]),
            "inside": total(scales * (sums + decay["inside"]), 0),
            "both": total(scales * (sums + decay["both"]) + sums, 0) + decay["both"],
            "chosen": np.where(np.arange(3) == 0, decay["chosen"], 0.5 * (product + decay["chosen"])),
            "two results": product + decay["two results"],
            "summed": product.sum() + 3 * decay["summed"] + START["summed"],
            "fused": product + decay["fused"],
            "statistics": total(scales * means, 0) + decay["statistics"],
            "product": total(START["product"] * products, 0),
        }
        for name, gradient in gradients.items():
            expect(f"{name}, {ranks} ranks, mean={mean}", saved[name], START[name] - gradient)
        expect(f"kept, {ranks} ranks, mean={mean}", saved["kept"], scales.mean(0) + decay["two results"])
print("addends beside a coefficient count once")

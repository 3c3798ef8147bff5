"""The masks of dropout.mlir in `local`: alike on all ranks, or each rank's own with decorrelate_seeds.

dropout_masks.py STEP.mlir DIR DATA: the masks are computed here again from the key, for rank r from the key whose word
0 is combined with h(r), MurmurHash3's finaliser.
"""
import sys

import numpy as np

from step import BATCH, expect, for_samples, run

step, folder, data = sys.argv[1:4]
SEED, WORD = 5, 0xFFFFFFFF


def finaliser(x):
    x = (x ^ x >> 16) * 0x85EBCA6B & WORD
    x = (x ^ x >> 13) * 0xC2B2AE35 & WORD
    return x ^ x >> 16


def mask(key0, key1, rows):
    result = np.empty((rows, 3))
    for b in range(rows):
        for j in range(3):
            h = ((b + key0) * 2654435761 & WORD) ^ ((j + key1) * 739982445 & WORD)
            h = (h ^ h >> 15) * 2654435761 & WORD
            result[b, j] = 0 if h >> 30 == 0 else np.float32(1.3333334)
    return result


for ranks in (2, 4, 8):
    rows = BATCH // ranks
    masks = {}
    for decorrelate in ("false", "true"):
        _, results = run(for_samples(step, folder, rows), folder, ranks, "--data", data, "--steps", "3", "--seed",
                         str(SEED),
                         "--config", f"decorrelate_seeds={decorrelate}")
        masks[decorrelate] = results[1].reshape(ranks, rows, 3)  # the data is all ones, so what is kept is the mask
    for rank in range(ranks):
        expect(f"the mask of rank {rank} of {ranks}", masks["false"][rank], mask(SEED, 2, rows))
        own = mask(SEED ^ finaliser(rank), 2, rows)
        expect(f"the mask of rank {rank} of {ranks} with decorrelate_seeds", masks["true"][rank], own)
    if all(np.array_equal(masks["true"][0], other) for other in masks["true"][1:]):
        sys.exit(f"decorrelate_seeds leaves the masks of {ranks} ranks alike")
print("masks are as documented")

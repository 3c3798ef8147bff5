"""A script as mpirun starts it (test_joined.py): joined_uneven.py FOLDER [empty]. Each process gives batches of its
own, more of them than the one before; with `empty` the last one has none, and ends by itself."""
import json
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.session.run import RunError, started_by

folder = pathlib.Path(sys.argv[1])
rank, size, _ = started_by()
torch.manual_seed(0)
warnings.simplefilter("ignore")
model = nn.Linear(6, 3)
train = ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=0.1), F.cross_entropy, verify="off")
batches = lambda count: [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(count)]
if "empty" in sys.argv:
    train.fit(batches(1)[0], batches(0 if rank == size - 1 else 2), progress="none")
told = []
for last in (None, "drop", "wrap"):
    short = batches(2 + rank)
    short[-1] = tuple(value[:3] for value in short[-1])
    for data in (batches(2 + rank), short):
        try:
            train.fit(batches(1)[0], data, progress="none", last_batch=last)
            told.append("trained")
        except RunError as error:
            told.append(str(error))
told.append(len(train.fit(batches(1)[0], batches(3), 2, progress="none")))
(folder / f"rank{rank}.json").write_text(json.dumps(told))

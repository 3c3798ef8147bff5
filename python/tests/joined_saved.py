"""A script as mpirun starts it (test_joined.py): joined_saved.py FOLDER EPOCHS FILE: a training of arrays that goes on
where FILE has it. With the word `batches` behind them it gives batches, which is refused."""
import json
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.session.run import started_by

folder, epochs, file = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rank = started_by()[0]
torch.manual_seed(rank)  # what process 0 has begins for all
model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.3), nn.Linear(8, 3))
generator = torch.Generator().manual_seed(1)
x, y = torch.randn(40, 6, generator=generator), torch.randint(0, 3, (40,), generator=generator)
train = ds.torch.data_parallel(model, torch.optim.AdamW(model.parameters(), lr=0.01), F.cross_entropy, verify="off")
data = [(x[:4], y[:4])] * 3 if "batches" in sys.argv else {"x": x, "y": y}
history = train.fit((x[:4], y[:4]), data, epochs, progress="none", save=folder / file, save_every=2, resume=True)
(folder / f"{file}.rank{rank}.json").write_text(json.dumps([history, [p.tolist() for p in model.parameters()]]))

"""A script as mpirun starts it (test_torch_sharded.py): joined_mesh.py FOLDER. Each process is one rank of a mesh, and
gives the whole batch."""
import copy
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.session.run import started_by
from programs import held

rank, size, _ = started_by()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))
x, y = torch.randn(8, 6), torch.randn(8, 3)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
reference, other = copy.deepcopy((model, optimizer))
if rank:
    with torch.no_grad():  # what process 0 has begins for all
        model[0].weight.mul_(2)
train = ds.torch.data_parallel(model, optimizer, F.mse_loss, mesh={"dp": 1, "tp": size},
                               shardings={"0.weight": ("tp",), "0.bias": ("tp",), "2.weight": (None, "tp")})
found = train.run([(x, y)] * 2) + train.fit((x, y), {"x": x, "y": y}, 2, progress="none")
losses = [metrics["loss"] for metrics in found]
for got in losses:
    other.zero_grad()
    loss = F.mse_loss(reference(x), y)
    loss.backward()
    other.step()
    assert abs(got - float(loss)) < 1e-4, (losses, float(loss))
for got, wanted in zip(model.parameters(), reference.parameters(), strict=True):
    torch.testing.assert_close(got, wanted, rtol=1e-4, atol=1e-5)
# Adam's moments and counts
whole = sum(3 * p.numel() * p.element_size() + p.element_size() for p in model.parameters())
assert held(train.runner.instance(train.exported))[1] < 0.7 * whole
(pathlib.Path(sys.argv[1]) / f"{rank}of{size}").touch()

"""A script as mpirun starts it (test_joined.py): joined_outside.py FOLDER. Trainings in which PyTorch computes parts of a model itself, and batches that processes
cannot have: {case: what the refusal says, or the parameters at the end}."""
import json
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn

from dstep.errors import RunError
from dstep.frontend import FrontendError
from dstep.run import started_by
from dstep.torch import backend

folder = pathlib.Path(sys.argv[1])
rank, size, _ = started_by()
generator = torch.Generator().manual_seed(1)
data = [(torch.randn(8, 6, generator=generator), torch.randint(0, 5, (8,), generator=generator)) for _ in range(3)]
own = [(x[rank::size], y[rank::size]) for x, y in data]
found = {}


class Behind(nn.Module):
    """A recurrent layer, at which Dynamo breaks the graph, behind all that ds compiles."""

    def __init__(self):
        super().__init__()
        self.into, self.cells = nn.Linear(2, 4), nn.LSTM(4, 5, batch_first=True)

    def forward(self, x):
        return self.cells(self.into(x.view(-1, 3, 2)).tanh())


class Between(Behind):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 5)

    def forward(self, x):
        return (self.out(super().forward(x)[0][:, -1]),)


def train(case, model, compute, *parts, combined=()):
    """Three steps of an optimizer for each of `parts`; gradients of parameters in `combined` are made the same in all processes, as an
    all-reduce of the script would make them."""
    optimizers = [torch.optim.SGD(part, lr=0.1) for part in parts]
    try:
        for x, y in own:
            for optimizer in optimizers:
                optimizer.zero_grad()
            last = compute(x)[0]
            F.cross_entropy(last[:, -1] if last.dim() == 3 else last, y).backward()
            for parameter in combined:
                parameter.grad.fill_(0.5)
            for optimizer in optimizers:
                optimizer.step()
        found[case] = [p.tolist() for p in model.parameters()]
    except FrontendError as error:
        found[case] = str(error)


def made(kind=Behind, **options):
    torch.manual_seed(0)
    torch._dynamo.reset()
    model = kind()
    return model, torch.compile(model, backend=backend.ds, options=options)


model, compute = made()
train("one optimizer", model, compute, model.parameters())
model, compute = made()
train("two optimizers", model, compute, model.into.parameters(), model.cells.parameters())
for kind in (Behind, Between):
    model, compute = made(kind, allow_outside=True)
    train(f"allowed {kind.__name__}", model, compute, model.parameters(), combined=list(model.cells.parameters()))
model, compute = made()
model.cells.requires_grad_(False)
train("frozen", model, compute, model.parameters())

torch.manual_seed(0)
torch._dynamo.reset()
networks = nn.ModuleList([nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 6)), nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))])
generate, judge = (torch.compile(network, backend=backend.ds) for network in networks)
optimizers = [torch.optim.Adam(network.parameters()) for network in networks]
beside = nn.Linear(6, 5)  # of another model, which each process trains for itself
of_beside = torch.optim.SGD(beside.parameters(), lr=0.1)
of_loss = lambda judged, is_real: F.binary_cross_entropy_with_logits(judged, torch.full_like(judged, is_real))
for x, y in own:
    made_up = generate(x)
    optimizers[1].zero_grad()
    (of_loss(judge(x), 1.0) + of_loss(judge(made_up.detach()), 0.0)).backward()
    optimizers[1].step()
    optimizers[0].zero_grad()
    of_loss(judge(made_up), 1.0).backward()
    optimizers[0].step()
    of_beside.zero_grad()
    F.cross_entropy(beside(x), y).backward()
    of_beside.step()
found["adversaries"] = [p.tolist() for p in networks.parameters()]

torch.distributed.init_process_group("gloo", init_method=f"file://{folder.resolve()}/meet", rank=rank, world_size=size)
torch.manual_seed(0)
torch._dynamo.reset()
model = Behind()
train("wrapped", model, torch.compile(nn.parallel.DistributedDataParallel(model), backend=backend.ds), model.parameters())
torch.distributed.destroy_process_group()

torch._dynamo.reset()
try:
    torch.compile(nn.Sequential(nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4)), backend=backend.ds)(torch.ones(1, 2, 6)).sum().backward()
except RunError as error:
    found["one sample"] = str(error)
(folder / f"rank{rank}.json").write_text(json.dumps(found))

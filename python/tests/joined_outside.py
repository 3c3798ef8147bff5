"""A script as mpirun starts it (test_joined.py): joined_outside.py FOLDER. Trainings in which PyTorch computes parts of
a model itself, processes that would part, and batches that they cannot have: {case: what the refusal says, or the
parameters at the end}."""
import json
import logging
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
import dstep.torch
from dstep.base.errors import RunError
from dstep.frontend import FrontendError
from dstep.session.run import started_by
from dstep.torch import backend

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
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
    """Three steps of an optimizer for each of `parts`; gradients of parameters in `combined` are made the same in all
    processes, as an all-reduce of the script would make them."""
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



class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.calls = nn.Linear(6, 5), 0

    def forward(self, x):
        return self.layer(x)


class Counting(Small):
    """Dynamo compiles it anew for each number of calls, until its limit."""

    def forward(self, x):
        self.calls += 1
        return self.layer(x) * (1 + 0.1 * self.calls)


class Left(Small):
    forward = torch.compiler.disable(Small.forward)


def refused(case, run):
    try:
        found[case] = run()
    except (FrontendError, RunError) as error:
        found[case] = str(error)


def small(kind=Small, seed=0, **options):
    torch.manual_seed(seed)
    torch._dynamo.reset()
    model = kind()
    return model, torch.compile(model, backend=backend.ds, options=options), torch.optim.SGD(model.parameters(), lr=0.1)


def steps(kind=Small, count=3, seed=0, backward=None, lr=None, between=lambda model, number: None, **options):
    """The parameters after steps, whose gradients backward(model, compute, x, y) makes."""
    model, compute, optimizer = small(kind, seed, **options)
    for number in range(count):
        x, y = own[number % len(own)]
        optimizer.param_groups[0]["lr"] = lr or 0.1
        optimizer.zero_grad()
        (backward or once)(model, compute, x, y)
        optimizer.step()
        between(model, number)
    return [p.tolist() for p in model.parameters()]


def once(model, compute, x, y):
    F.cross_entropy(compute(x), y).backward()


def twice(model, compute, x, y):
    once(model, compute, x[:2], y[:2])
    once(model, compute, x[2:], y[2:])


def mixed(model, compute, x, y):
    once(model, compute, x, y)
    once(model, model, x, y)


def by_hand(model, compute, x, y):
    once(model, compute, x, y)
    for p in model.parameters():
        p.grad = p.grad * 0.5  # of what ds has combined
    if model.calls:
        model.layer.bias.grad = None
    model.calls += 1


def invented(model, compute, x, y):
    if not model.calls:
        once(model, compute, x, y)
    model.calls += 1
    for p in model.parameters():
        p.grad = torch.ones_like(p)


def zeroed(model, compute, x, y):
    once(model, model, x, y)
    for p in model.parameters():
        p.grad.zero_()
    once(model, compute, x, y)


def part(model, number):
    if number == 2 and rank == 1:
        with torch.no_grad():
            model.layer.bias[0] += 1e-3


class Projected(Small):
    """With values that a step has in its text: a parameter of zeros, which process 1 starts otherwise, and a buffer
    that the step only reads."""

    def __init__(self):
        super().__init__()
        nn.init.constant_(self.layer.bias, rank)
        self.register_buffer("mixed", torch.randn(6, 6))

    def forward(self, x):
        return self.layer(x @ self.mixed)


def by_data_parallel(lr, number=0, kind=Small):
    torch.manual_seed(rank)
    model = kind()
    train = ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=lr), F.cross_entropy, compare=1,
                                   verify="off")
    for _ in range(3):
        train(own[0])
        part(model, number)
        number += 1
    return [p.tolist() for p in model.parameters()]


refused("parted in data_parallel", lambda: by_data_parallel(0.1, 1))
refused("other values in data_parallel", lambda: by_data_parallel(0.1, -9, Projected))
refused("rates in data_parallel", lambda: by_data_parallel(0.1 + 0.1 * rank))
refused("recompile limit", lambda: steps(Counting, 12))
refused("compiled no graph", lambda: steps(Left))
refused("accumulated with another pass", lambda: steps(backward=mixed))
refused("invented", lambda: steps(backward=invented))
refused("parted", lambda: steps(count=8, between=part, compare=4))
refused("rates", lambda: steps(lr=0.1 + 0.1 * rank))
weighted = torch.compile(lambda model, x, y: (0.5 + rank) * F.cross_entropy(model(x), y), backend=backend.ds,
                         options={"compare": 4})
refused("weights", lambda: steps(backward=lambda model, compute, x, y: weighted(model, x, y).backward()))
for case, backward in (("accumulated", twice), ("scaled by hand", by_hand), ("zeroed", zeroed)):
    refused(case, lambda: steps(backward=backward))
refused("parted and allowed", lambda: len(steps(count=8, between=part, compare=0)))

model, compute, optimizer = small()
for x, y in own:  # an optimizer that makes the gradients itself
    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy((compute if optimizer.calls else model)(x), y)
        loss.backward()
        return loss
    optimizer.calls = x is not own[2][0]
    refused("closure", lambda: float(optimizer.step(closure)) * 0 + 1)

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    refused("begins", lambda: steps(seed=rank))
found["told"] = [str(warning.message) for warning in told]
torch.manual_seed(0)
dropped = torch.compile(lambda w, x: F.dropout(x * w, 0.5), backend=backend.ds)(torch.ones(64, requires_grad=True),
                                                                                torch.ones(4, 64))
found["masks"] = (dropped != 0).int().tolist()

torch.manual_seed(0)
torch._dynamo.reset()
networks = nn.ModuleList([nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 6)),
                          nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))])
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
train("wrapped", model, torch.compile(nn.parallel.DistributedDataParallel(model), backend=backend.ds),
      model.parameters())
with warnings.catch_warnings(record=True) as told:  # whose modules Dynamo leaves out: PyTorch trains it
    warnings.simplefilter("always")
    torch._dynamo.reset()
    model = nn.Sequential(nn.Linear(6, 5), nn.ReLU())
    compute, optimizer = torch.compile(nn.parallel.DistributedDataParallel(model),
                                       backend=backend.ds), torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in own:
        optimizer.zero_grad()
        F.cross_entropy(compute(x), y).backward()
        optimizer.step()
found["wrapped Sequential"] = [str(warning.message)
                               for warning in told if "ds computes nothing" in str(warning.message)]
torch.distributed.destroy_process_group()

torch._dynamo.reset()
(folder / f"rank{rank}.json").write_text(json.dumps(found))

"""A script as mpirun starts it (test_joined.py): joined_shapes.py FOLDER [apart]. Processes whose batches have other
lengths and other numbers of samples, each compiled where it comes, beside what DistributedDataParallel makes of it: a
gradient is the mean over the processes of that of each. With `apart` they read other parameters."""
import copy
import json
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

from dstep.base.errors import RunError
from dstep.session.run import started_by
from dstep.torch import backend

folder = pathlib.Path(sys.argv[1])
rank, size, _ = started_by()
found = {}


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.norm, self.head = nn.Embedding(20, 12), nn.LayerNorm(12), nn.Linear(12, 4)

    def forward(self, tokens):
        return self.head(F.relu(self.norm(self.words(tokens))).mean(1))


class Turned(Tokens):
    """With a complex parameter and a complex buffer."""

    def __init__(self):
        super().__init__()
        self.turns = nn.Parameter(torch.randn(12, 6, dtype=torch.cfloat))
        self.register_buffer("turn", torch.polar(torch.ones(6), torch.linspace(0, 1, 6)))

    def forward(self, tokens):
        h = self.words(tokens).mean(1).to(torch.cfloat) @ self.turns * self.turn
        return self.head(torch.view_as_real(h).flatten(1))


class Synchronised(Tokens):
    def __init__(self):
        super().__init__()
        self.norm = nn.SyncBatchNorm(12)

    def forward(self, tokens):
        return self.head(torch.tanh(self.norm(self.words(tokens).mean(1))))


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(6, 3), nn.Linear(6, 3)

    def forward(self, x, first):
        return self.one(x) if first else self.two(x)


def batches(shapes):
    """Those of all processes in each step; (samples, length) of each process."""
    generator = torch.Generator().manual_seed(1)
    return [[(torch.randint(0, 20, shape, generator=generator), torch.randint(0, 4, shape[:1], generator=generator))
             for shape in step] for step in shapes]


def mean_of_each(model, *step):
    """The mean of the losses of all processes, whose samples a SyncBatchNorm sees at once."""
    scores = model(torch.cat([tokens for tokens, _ in step])).split([len(labels) for _, labels in step])
    return sum(F.cross_entropy(part, labels) for part, (_, labels) in zip(scores, step)) / len(step)


def train(case, loss_of, shapes, wrap, kind=Tokens):
    """Differences of the parameters to those of plain PyTorch, where each step's gradient is the mean of all
    processes'."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    model = kind()
    other = copy.deepcopy(model)
    if kind is Synchronised:
        other.norm = nn.BatchNorm1d(12)
    compute = wrap(model)
    optimizers = [torch.optim.SGD(each.parameters(), 0.3) for each in (model, other)]
    for step in batches(shapes):
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss_of(compute, model, *step[rank]).backward()
        if kind is Synchronised:
            mean_of_each(other, *step).backward()
        else:
            for each in step:
                (loss_of(other, other, *each) / size).backward()
        for optimizer in optimizers:
            optimizer.step()
    found[case] = max(float((a - b).abs().max().detach())
                      for a, b in zip(model.parameters(), other.parameters(), strict=True))
    found[case + ", values"] = [(torch.view_as_real(p) if p.is_complex() else p).tolist() for p in model.parameters()]


def outside(compute, model, tokens, labels):
    return F.cross_entropy(compute(tokens), labels)


def whole(model, tokens, labels):
    return F.cross_entropy(model(tokens), labels)


def in_parts(model, tokens, labels):
    """Parts behind breaks have the loss alone, the loss with samples, and parameters alone."""
    loss = whole(model, tokens, labels)
    torch._dynamo.graph_break()
    scaled = loss * 0.5
    torch._dynamo.graph_break()
    mixed = scaled + F.cross_entropy(model(tokens) * scaled, labels)
    torch._dynamo.graph_break()
    penalty = model.head.weight.square().mean()
    torch._dynamo.graph_break()
    return mixed * (1 + penalty) * len(labels)  # which processes have of their own


compiled = lambda function: lambda model: torch.compile(function or model, backend=backend.ds)
lengths = [((4, 7), (4, 7)), ((4, 7), (4, 9)), ((4, 8), (4, 9)), ((4, 9), (4, 7)), ((4, 10), (4, 10))]
last = [((4, 7), (4, 7)), ((4, 7), (2, 7)), ((1, 5), (3, 7)), ((4, 7), (4, 7))]
given = lambda compute, model, *batch: compute(model, *batch) if compute is not model else whole(model, *batch)
of_parts = lambda compute, model, *batch: compute(model, *batch) if compute is not model else in_parts(model, *batch)
if "apart" in sys.argv:
    torch.manual_seed(0)
    model = Branches()
    compute = torch.compile(model, backend=backend.ds)
    try:
        compute(torch.ones(4, 6), rank == 0).sum().backward()
    except RunError as error:
        print(f"rank {rank} refuses: {error}", file=sys.stderr, flush=True)
        raise
train("lengths, loss outside", outside, lengths, compiled(None))
train("lengths, loss inside", given, lengths, compiled(whole))
train("last batch", outside, last, compiled(None))
train("complex numbers, loss outside", outside, last, compiled(None), Turned)
train("complex numbers, loss inside", given, last, compiled(whole), Turned)
train("synchronised, loss outside", outside, [((12, 5), (8, 5)), ((8, 5), (12, 5)), ((5, 5), (3, 5))], compiled(None),
      Synchronised)
train("synchronised, loss inside", given, [((12, 5), (8, 5)), ((8, 5), (12, 5)), ((5, 5), (3, 5))], compiled(whole),
      Synchronised)
train("parts", of_parts, last, compiled(in_parts))
with warnings.catch_warnings(action="ignore"):
    train("few kept", outside, lengths, lambda model: torch.compile(model, backend=backend.ds, options={"shapes": 2}))
(folder / f"rank{rank}.json").write_text(json.dumps(found))

"""A script as mpirun starts it (test_joined.py): joined_training.py HOW[,HOW..] FOLDER, where HOW is call, compile,
normed, synchronised, single, recurrent, between, fit, late or threads. Each process trains on its own samples, as with
DistributedDataParallel, and one training follows the other."""
import json
import pathlib
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
import dstep.torch
from dstep.session.run import started_by
from dstep.torch import backend

ways, folder = sys.argv[1].split(","), pathlib.Path(sys.argv[2])
rank, size, _ = started_by() or (0, 1, "")


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.cells, self.out = nn.Linear(2, 4), nn.LSTM(4, 5, batch_first=True), nn.Linear(5, 3)

    def forward(self, x):
        return self.out(self.cells(self.into(x.view(-1, 3, 2)))[1][0][-1])


def train_by(how):
    """The parameters behind the training."""
    torch.manual_seed(rank)  # what process 0 has begins for all
    torch._dynamo.reset()
    recurrent = how in ("recurrent", "between")
    torch._dynamo.config.allow_rnn = how == "recurrent"  # else its cells run in PyTorch, between two parts
    model = Recurrent() if recurrent else nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    generator = torch.Generator().manual_seed(1)
    data = [(torch.randn(8, 6, generator=generator), torch.randint(0, 3, (8,), generator=generator)) for _ in range(4)]
    own = [(x[rank::size], y[rank::size]) for x, y in data]

    if how == "compile" or recurrent:
        compute = torch.compile(model, backend=backend.ds)
        for x, y in own:
            optimizer.zero_grad()
            loss = F.cross_entropy(compute(x), y)
            loss.backward()
            optimizer.step()
            schedule.step()
    # each process has the statistics of its own samples, in the end of one; the model alone and with its loss
    elif how == "normed":
        model = nn.Sequential(nn.Unflatten(1, (2, 3)), nn.Conv1d(2, 4, 2, bias=False), nn.BatchNorm1d(4), nn.Flatten(),
                              nn.Linear(8, 3))
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        data[2:] = [(x[:2], y[:2]) for x, y in data[2:]]
        compute, with_loss = model, lambda x, y: F.cross_entropy(model(x), y)
        if started_by():
            compute, with_loss = torch.compile(model, backend=backend.ds), torch.compile(with_loss, backend=backend.ds)
        for number, (x, y) in enumerate(data):
            optimizer.zero_grad()
            parts = [(x[k::2], y[k::2]) for k in ([rank] if started_by() else range(2))]
            losses = [with_loss(*part) if number % 2 else F.cross_entropy(compute(part[0]), part[1]) for part in parts]
            (sum(losses) / len(losses)).backward()
            optimizer.step()
    elif how == "synchronised":  # the statistics of all samples; the model alone and with its loss
        model.insert(1, (nn.SyncBatchNorm if started_by() else nn.BatchNorm1d)(8))
        optimizer.add_param_group({"params": model[1].parameters()})
        model[0].bias.requires_grad_(False)  # its gradient is rounding alone
        compute, with_loss = model, lambda x, y: F.cross_entropy(model(x), y)
        if started_by():
            compute, with_loss = torch.compile(model, backend=backend.ds), torch.compile(with_loss, backend=backend.ds)
        for number, (x, y) in enumerate(own):
            optimizer.zero_grad()
            (with_loss(x, y) if number % 2 else F.cross_entropy(compute(x), y)).backward()
            optimizer.step()
        return [v.tolist() for v in model.state_dict().values()]
    elif how == "single":  # one sample of each process: the model alone, and with its loss
        compute, with_loss = torch.compile(model,
                                           backend=backend.ds), torch.compile(lambda x, y: F.cross_entropy(model(x), y),
                                                                              backend=backend.ds)
        for number, (x, y) in enumerate(data):
            x, y = x[:2][rank::size], y[:2][rank::size]
            optimizer.zero_grad()
            (with_loss(x, y) if number % 2 else F.cross_entropy(compute(x), y)).backward()
            optimizer.step()
    elif how == "fit":  # of one process the same samples in other steps: a batch of all of them
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, **({} if started_by() else {"ranks": 1}))
        whole = {name: torch.cat([batch[k] for batch in data]) for k, name in enumerate("xy")}
        history = train.fit((data[0][0].repeat(4, 1)[: 32 // size], data[0][1].repeat(4)[: 32 // size]), whole, 5,
                            progress="none",
                            callbacks=[lambda epoch, metrics: schedule.step()], validation=(whole["x"], whole["y"]))
        assert len(history) == 5 and history[4]["loss"] < history[0]["loss"], history
    elif how == "threads":  # two ranks of this process, each with the samples that a process has
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2,
                                       config={"batch": "local", "gradients_mean": True})
        for x, y in data:
            train((torch.cat([x[0::2], x[1::2]]), torch.cat([y[0::2], y[1::2]])))
            schedule.step()
    else:
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, **({} if started_by() else {"ranks": 1}),
                                       config={"timeout": 3} if how == "late" else {})
        for number, batch in enumerate(own):
            if how == "late" and number == 2 and rank == 1:
                time.sleep(60)  # longer than the others wait
            train(batch)
            schedule.step()
    return [p.tolist() for p in model.parameters()]


for way in ways:
    (folder / f"{way}.rank{rank}.json").write_text(json.dumps(train_by(way)))

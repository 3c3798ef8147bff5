"""A script whose processes hold several ranks (test_joined_shared.py): joined_shared.py FOLDER RANKS[,RANKS..]
WAY[,WAY..]. Without a launcher, or with one process for each rank, it is what the other is compared with;
FOLDER/WAY.RANKS.PROCESS.json is written by each process.

RANKS x 4 samples make a batch, of which rank r has 4, in the order of the ranks."""
import hashlib
import json
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.base.errors import FrontendError, RunError
from dstep.session import exchange, native
from dstep.session.launch import ranks_here, started_by
from dstep.torch import backend

folder, EACH, STEPS = pathlib.Path(sys.argv[1]), 4, 4
process, processes, _ = started_by() or (0, 1, "")
warnings.simplefilter("ignore")


def made():
    """A model of the same first values in all processes, and its optimizer."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Unflatten(1, (2, 3)), nn.Conv1d(2, 4, 2), nn.BatchNorm1d(4), nn.ReLU(), nn.Flatten(),
                          nn.Dropout(0.3), nn.Linear(8, 3))
    return model, torch.optim.AdamW(model.parameters(), lr=0.01)


def batches(ranks):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(EACH * ranks, 6, generator=generator),
             torch.randint(0, 3, (EACH * ranks,), generator=generator)) for _ in range(STEPS)]


def own(ranks, batch):
    here = ranks_here(ranks) if started_by() else range(ranks)
    return tuple(value[EACH * here[0]:EACH * (here[-1] + 1)] for value in batch)


def hashed(*objects):
    found = hashlib.sha256()
    for each in objects:
        for value in each.state_dict().values() if isinstance(each, nn.Module) else [each]:
            found.update(value.detach().numpy().tobytes())
    return found.hexdigest()


LOCAL = {"batch": "local", "gradients_mean": True, "decorrelate_seeds": True}


def call(ranks, config=LOCAL, rows=own):
    """Steps of data_parallel: parameters, statistics of BatchNorm and states; the metrics are those of all ranks."""
    model, optimizer = made()
    train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=ranks, config=config, compare=2,
                                  verify="off")
    found = [train(rows(ranks, batch))["loss"] for batch in batches(ranks)]
    momenta = [optimizer.state[p]["exp_avg_sq"] for p in model.parameters()]
    return {"hash": hashed(model, *momenta), "losses": found}


def whole(ranks):
    return call(ranks, {"batch": "global"}, lambda ranks, batch: batch)


def fit(ranks):
    """The second of two epochs; the first one is that of a file, which threads have written before."""
    model, optimizer = made()
    data = {name: torch.cat([batch[k] for batch in batches(ranks)]) for k, name in enumerate("xy")}
    train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=ranks, config=LOCAL, verify="off")
    batch, file = own(ranks, batches(ranks)[0]), folder / f"fit{ranks}.safetensors"
    if started_by():
        history = train.fit(batch, data, 2, progress="none", save=file, resume=True)
    else:
        train.fit(batch, data, 1, progress="none", save=file)
        history = train.fit(batch, data, 1, progress="none")
    return {"hash": hashed(model), "last": history[-1]["loss"]}


class Sized(nn.Module):
    """Reads the number of its samples, and has another result than rows."""

    def __init__(self):
        super().__init__()
        self.inner, _ = made()

    def forward(self, x):
        x = self.inner(x)
        return x.view(x.size(0), -1), x.detach().sum(0).sum() / x.size(0)


def compile(ranks):
    """The model with its loss, and alone with the loss of PyTorch behind it."""
    torch._dynamo.reset()
    model = Sized()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    options = {"backend": backend.ds, "dynamic": True, "options": {"ranks": ranks}}
    alone = torch.compile(model, **options)
    with_loss = torch.compile(lambda x, y: F.cross_entropy(model(x)[0], y), **options)
    losses, means, gradients = [], [], []
    for number, batch in enumerate(batches(ranks)):
        torch.manual_seed(number)  # of the masks, which differ by rank
        x, y = own(ranks, batch)
        x.requires_grad_(number == 1)
        optimizer.zero_grad()
        if number % 2:
            loss = with_loss(x, y)
        else:
            rows, mean = alone(x)
            loss = F.cross_entropy(rows, y)
            means.append(mean.item())
        loss.backward()
        gradients += x.grad.tolist() if x.grad is not None else []
        losses.append(loss.item())
        optimizer.step()
    return {"hash": hashed(model), "losses": losses, "means": means, "gradients": gradients}


def lightning(ranks):
    import pytorch_lightning as pl
    from dstep.torch.lightning import DsStrategy

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.network, _ = made()

        def training_step(self, batch, index):
            torch.manual_seed(index)
            return F.cross_entropy(self.network(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=0.01)

    torch._dynamo.reset()
    model = Module()
    loader = torch.utils.data.DataLoader([own(ranks, batch) for batch in batches(ranks)], batch_size=None)
    trainer = pl.Trainer(strategy=DsStrategy(ranks=ranks), max_epochs=1, accelerator="cpu",
                         use_distributed_sampler=False, logger=False, enable_progress_bar=False,
                         enable_model_summary=False, enable_checkpointing=False, num_sanity_val_steps=0)
    trainer.fit(model, loader)
    return {"hash": hashed(model.network), "processes": trainer.world_size}


def refused(ranks):
    """What does not fit, by name; each process raises alike, and none waits. The last one ends the ranks."""
    told = []

    def note(function):
        try:
            function()
            told.append("nothing")
        except (FrontendError, RunError, ValueError) as error:
            told.append(str(error).splitlines()[0])
        except torch._dynamo.exc.BackendCompilerFailed as error:
            told.append(str(error.__cause__ or error))

    model, optimizer = made()
    parallel = lambda **options: ds.torch.data_parallel(model, optimizer, F.cross_entropy, verify="off", **options)
    note(lambda: parallel(ranks=1))
    note(lambda: parallel(ranks=ranks, device="cuda"))
    note(lambda: parallel(ranks=ranks, config={"device_num": ranks + 1}))
    note(lambda: parallel(ranks=ranks)(tuple(value[:EACH + 1] for value in batches(ranks)[0])))
    note(lambda: parallel()(own(ranks, batches(ranks)[0])))
    note(lambda: parallel(ranks=ranks, config={"shared_replicas": "on"})(own(ranks, batches(ranks)[0])))
    note(lambda: torch.compile(model, backend=backend.ds, options={"ranks": ranks})(own(ranks, batches(ranks)[0])[0]))
    on_mesh = f"batch=local,parallel_mode=semi_auto_parallel,mesh=[dp={ranks // 2},tp=2]"
    note(lambda: native.Instance(native.Program(exchange._STEP, on_mesh), ranks, joined=True, batches=native.LOCAL))
    note(lambda: call(ranks, {"batch": "global"}))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    train = parallel(ranks=ranks, compare=1)
    train(own(ranks, batches(ranks)[0]))
    with torch.no_grad():
        model[6].bias.add_(process)
    note(lambda: train(own(ranks, batches(ranks)[0])))
    return told


for ranks in map(int, sys.argv[2].split(",")):
    for way in sys.argv[3].split(","):
        (folder / f"{way}.{ranks}.{process}.json").write_text(json.dumps(globals()[way](ranks)))

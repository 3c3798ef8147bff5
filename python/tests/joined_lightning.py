"""A script of Lightning as a launcher starts it (test_torch_lightning.py): joined_lightning.py FOLDER."""
import json
import logging
import pathlib
import sys
import warnings

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from dstep.session.run import started_by
from dstep.torch import backend
from dstep.torch.lightning import DsStrategy

warnings.simplefilter("ignore")
for name in ("pytorch_lightning", "lightning_fabric"):
    logging.getLogger(name).setLevel(logging.ERROR)


class Classifier(pl.LightningModule):
    """A network, a parameter outside of it, and metrics of all processes."""

    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.ReLU(), torch.nn.Linear(32, 5))
        self.scale = torch.nn.Parameter(torch.tensor(0.5))

    def training_step(self, batch, index):
        loss = F.cross_entropy(self.scale * self.body(batch[0]), batch[1])
        self.log("loss", loss, on_step=False, on_epoch=True, sync_dist=True)
        return loss

    def validation_step(self, batch, index):
        self.log("valid", F.cross_entropy(self.scale * self.body(batch[0]), batch[1]), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=0.01)


class OfTwo:
    """The batches of two processes that Lightning gives a DistributedSampler each, as those of one."""
    epoch = 0

    def __len__(self):
        return len(samples) // 8

    def __iter__(self):
        parts = [DistributedSampler(samples, 2, rank, shuffle=True) for rank in (0, 1)]
        for part in parts:
            part.set_epoch(self.epoch)
        self.epoch += 1
        first, second = map(list, parts)
        for k in range(0, len(first), 4):
            yield first[k:k + 4] + second[k:k + 4]


folder = pathlib.Path(sys.argv[1])
rank, size, _ = started_by() or (0, 1, "")
torch.manual_seed(0)
x = torch.randn(64, 20)
samples = TensorDataset(x, (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long())
torch.manual_seed(rank)  # what process 0 has begins for all
model = Classifier()
trainer = pl.Trainer(strategy=DsStrategy(), max_epochs=3, accelerator="cpu", gradient_clip_val=1.0,
                     accumulate_grad_batches=2, num_sanity_val_steps=0, logger=False, enable_progress_bar=False,
                     enable_model_summary=False,
                     callbacks=[pl.callbacks.ModelCheckpoint(dirpath=folder, filename="last")])
trainer.fit(model, DataLoader(samples, batch_size=4, shuffle=True) if size > 1
            else DataLoader(samples, batch_sampler=OfTwo()), DataLoader(samples, batch_size=8 // size))
(folder / f"rank{rank}.json").write_text(json.dumps({
    "parameters": [p.tolist() for p in model.parameters()],
    "metrics": {k: v.item() for k, v in trainer.callback_metrics.items()}, "world": trainer.world_size,
    "zero": trainer.is_global_zero, "compiled": len(backend.compiled),
    "wrote": sorted(f.name for f in folder.glob("*.ckpt"))}))

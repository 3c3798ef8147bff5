"""The same training with ds: python ds_train.py [--ranks 2] [--out trained.npz]"""
import argparse

import numpy as np
import torch
from torch import nn

import common
import dstep

parser = argparse.ArgumentParser()
parser.add_argument("--ranks", type=int, default=2)
parser.add_argument("--out", default="trained.npz")
arguments = parser.parse_args()

# The keys and values are those of MindSpore; mindspore_inclusive reads the indices of the fusion as its code does.
dstep.set_auto_parallel_context(batch="local", parallel_mode="data_parallel", gradients_mean=True,
                                parameter_broadcast=True,
                             all_reduce_fusion_config=[1, 3], mindspore_inclusive=True)

x, y = map(torch.from_numpy, common.samples())
# A batch is that of all ranks, each one's rows after the other's: rank r has the samples r, r + n, .. as shard_id=r
# gives them.
size, n = common.BATCH, arguments.ranks
rows = [torch.cat([torch.arange(r, len(x), n)[k * size:(k + 1) * size] for r in range(n)])
        for k in range(len(x) // n // size)]
batches = [(x[i], y[i].long()) for i in rows]

net = nn.Sequential(nn.Linear(common.FEATURES, common.HIDDEN), nn.ReLU(), nn.Linear(common.HIDDEN, common.CLASSES))
net.load_state_dict({name: torch.from_numpy(value) for name, value in common.initial().items()})
loss = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), common.LEARNING_RATE, common.MOMENTUM, weight_decay=common.WEIGHT_DECAY)

train = dstep.torch.data_parallel(net, optimizer, loss, ranks=arguments.ranks)
for epoch in range(common.EPOCHS):
    metrics = train.run(batches)
    print(f"epoch {epoch + 1}: loss {np.mean([m['loss'] for m in metrics]):.4f}")
np.savez(arguments.out, **{name: value.numpy() for name, value in net.state_dict().items()})

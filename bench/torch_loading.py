#!/usr/bin/env python3
"""What a DataLoader of PyTorch costs a training, beside the same samples in memory.

    bench/torch_loading.py [--ranks 1] [--workers 2] [--batch 256] [--features 1024] [--hidden 2048] [--steps 40]
    [--rounds 7]

Both are fits of the same model in one process, in turns: `arrays`, which ds loads and shuffles itself, and a shuffling
DataLoader with persistent workers, whose samples are drawn one by one and put together by its default collate_fn. A
round is an epoch of `steps` steps of each; the first epoch of a fit, in which workers start, does not count. The ratios
are the medians over rounds of the time of an epoch, and of what the thread that trains, which is the first rank's,
works in it: it says more where others use the machine. Needs PyTorch.
"""
import argparse
import os
import pathlib
import statistics
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import dstep as ds


def epoch_of(train, batch, data):
    """Seconds of the second epoch of a fit, and of its thread's work."""
    ends = []
    train.fit(batch, data, 2, progress="none",
              callbacks=[lambda epoch, metrics: ends.append((time.perf_counter(), time.thread_time()))])
    return [end - begin for begin, end in zip(*ends)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--features", type=int, default=1024)
    parser.add_argument("--hidden", type=int, default=2048, help="units of the hidden layer: how long a step takes")
    parser.add_argument("--steps", type=int, default=40, help="of an epoch")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    count = options.batch * options.steps
    x, y = torch.randn(count, options.features), torch.randint(0, 10, (count,))
    model = nn.Sequential(nn.Linear(options.features, options.hidden), nn.ReLU(), nn.Linear(options.hidden, 10))
    train = ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=1e-4), F.cross_entropy,
                                   ranks=options.ranks, verify="off")
    loader = DataLoader(TensorDataset(x, y), options.batch, shuffle=True, num_workers=options.workers,
                        persistent_workers=options.workers > 0)
    batch = x[:options.batch], y[:options.batch]
    ratios, of_thread, steps, works = [], [], [], []
    for number in range(options.rounds + 1):
        took = {}
        for name, data in (("memory", (x, y)), ("loader", loader))[::-1 if number % 2 else 1]:
            took[name] = epoch_of(train, batch, data)
        if number:  # the first one warms up
            ratio, work = (loaded / held for loaded, held in zip(took["loader"], took["memory"]))
            ratios.append(ratio)
            of_thread.append(work)
            steps.append(took["memory"][0] / options.steps)
            works.append(took["memory"][1] / options.steps)
    print(f"{options.ranks} ranks, {options.workers} workers, {options.batch * options.features * 4 >> 10} KiB of "
          f"samples a step: step of {statistics.median(steps) * 1e3:.1f} ms ({statistics.median(works) * 1e3:.1f} ms "
          f"of work), loader / memory {statistics.median(ratios):.3f} (from {min(ratios):.3f} to {max(ratios):.3f}), "
          f"work of the first rank's thread {statistics.median(of_thread):.3f} (from {min(of_thread):.3f} to "
          f"{max(of_thread):.3f})")


main()

#!/usr/bin/env python3
"""Exports a ResNet of PyTorch, compares two of its steps on n ranks with PyTorch, and trains it on Fashion-MNIST by
ds-run.

    python examples/torch_resnet/train.py [--ranks 2] [--steps 200] [--batch 64] [--out build/torch_resnet]

Needs the package of python/ with its extra 'torch' (README.md), and ds-run from --ds-run, the environment variable
DS_RUN, or PATH. Without the images in /usr/share/datasets/fashion-mnist it trains on synthetic ones: a bright bar whose
place is the class.
"""
import argparse
import gzip
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import dstep

IMAGES = pathlib.Path("/usr/share/datasets/fashion-mnist")


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs)
        self.skip = nn.Identity() if stride == 1 and inputs == outputs else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))) + self.skip(x))


class ResNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.blocks = nn.Sequential(Residual(width, width), Residual(width, 2 * width, 2),
                                    Residual(2 * width, 4 * width, 2))
        self.head = nn.Linear(4 * width, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x.unsqueeze(1))).mean((2, 3)))


def loss_fn(scores, labels):
    return F.cross_entropy(scores, labels), {"accuracy": (scores.argmax(1) == labels).float().mean()}


def idx(name, header):
    return np.frombuffer(gzip.decompress((IMAGES / name).read_bytes()), np.uint8, offset=header)


def synthetic(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, count).astype(np.uint8)
    images = rng.integers(0, 120, (count, 28, 28)).astype(np.uint8)
    for image, label in zip(images, labels):
        image[2 * label + 4:2 * label + 6] = 255
    return images, labels


def data(out):
    """(images, labels) to take batches from, and the specifications of ds-run for training and test."""
    if (IMAGES / "train-images-idx3-ubyte.gz").exists():
        spec = lambda part: f"x={IMAGES}/{part}-images-idx3-ubyte.gz:scale=1/255,y={IMAGES}/{part}-labels-idx1-ubyte.gz"
        return idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28), idx("train-labels-idx1-ubyte.gz",
                                                                              8), spec("train"), spec("t10k")
    for part, count, seed in (("train", 4000, 0), ("t10k", 1000, 1)):
        for name, values in zip("xy", synthetic(count, seed)):
            np.save(out / f"{part}-{name}.npy", values)
    spec = lambda part: f"x={out}/{part}-x.npy:scale=1/255,y={out}/{part}-y.npy"
    return np.load(out / "train-x.npy"), np.load(out / "train-y.npy"), spec("train"), spec("t10k")


def run(*command):
    """Runs ds-run, its output visible; ends with its status if that is not 0."""
    print("$", " ".join(map(str, command)), flush=True)
    status = subprocess.run([str(part) for part in command]).returncode
    if status:
        sys.exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=2, help="ranks, threads of one process (default 2)")
    parser.add_argument("--steps", type=int, default=200, help="training steps (default 200)")
    parser.add_argument("--batch", type=int, default=64, help="samples of one step, over all ranks (default 64)")
    parser.add_argument("--lr", type=float, default=0.05, help="learning rate (default 0.05)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/torch_resnet"),
                        help="folder for what is written")
    parser.add_argument("--ds-run", default=os.environ.get("DS_RUN") or shutil.which("ds-run"),
                        help="the program ds-run")
    options = parser.parse_args()
    if not options.ds_run:
        parser.error("there is no ds-run; build ds and put build/bin on PATH, or name it by --ds-run")
    options.out.mkdir(parents=True, exist_ok=True)
    images, labels, training, test = data(options.out)

    torch.manual_seed(0)
    model = ResNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9, weight_decay=5e-4)
    rows = lambda k: slice(k * options.batch, (k + 1) * options.batch)
    batches = [(torch.from_numpy(images[rows(k)] / np.float32(255)), torch.from_numpy(labels[rows(k)].astype(np.int64)))
               for k in range(2)]
    exported = dstep.torch.export(model, optimizer, loss_fn, batches[0], hyper=("lr",), name="resnet")
    step = exported.write(options.out, steps=batches)
    forward = dstep.torch.export_forward(model, torch.zeros(250, 28, 28))
    (options.out / "forward.mlir").write_text(forward.mlir)

    common = (options.ds_run, step, "--ranks", options.ranks, "--config", "batch=global")
    print("Two steps on real images, compared with PyTorch:", flush=True)
    run(*common, "--replay", step.with_suffix(".npz"))
    print("Training:", flush=True)
    trained = options.out / "trained.safetensors"
    run(*common, "--init", step.with_suffix(".safetensors"), "--arg", f"lr={options.lr}", "--data", training, "--steps",
        options.steps,
        "--save", trained, "--eval", options.out / "forward.mlir", "--eval-data", test)

    exported.load(trained)
    model.eval()
    with torch.no_grad():
        probe = torch.from_numpy(images[:1000] / np.float32(255))
        right = (model(probe).argmax(1) == torch.from_numpy(labels[:1000].astype(np.int64))).float().mean()
    print(f"PyTorch with the trained parameters: {100 * float(right):.1f} % of the first 1000 training images")


if __name__ == "__main__":
    main()

"""export_resnet.py FOLDER: writes the steps of a ResNet-18 on 64 images of 224x224, SGD with momentum, in f32 and under
autocast to bf16, into resnet18.mlir and resnet18_amp.mlir of FOLDER."""
import pathlib
import sys
import warnings

import torch
import torchvision

import dstep as ds
import dstep.torch


class Autocast(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, images):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.model(images)


def main():
    folder = pathlib.Path(sys.argv[1])
    batch = (torch.zeros(64, 3, 224, 224), torch.zeros(64, dtype=torch.long))
    for name, wrap in (("resnet18", lambda model: model), ("resnet18_amp", Autocast)):
        model = wrap(torchvision.models.resnet18())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        with warnings.catch_warnings(action="ignore"):
            made = ds.torch.export(model, optimizer, lambda out, y: torch.nn.functional.cross_entropy(out.float(), y),
                                   batch, verify="off", name=name)
        (folder / f"{name}.mlir").write_text(made.mlir)


main()

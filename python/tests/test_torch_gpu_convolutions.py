"""Convolutions on GPUs that are not there: cuDNN's fake sums in f32 or more and rounds once, as kernels of CPUs do, so
small integers have the same 16 bits."""
import copy
import unittest

import gpu

import torch
from torch import nn

import dstep as ds
import dstep.torch

KINDS = {"plain": lambda: nn.Conv2d(8, 16, 3), "padded by stride": lambda: nn.Conv2d(8, 16, 3, 2, 1),
         "of one element": lambda: nn.Conv2d(8, 16, 1, 2), "everywhere": lambda: nn.Conv2d(8, 16, 1),
         "dilated": lambda: nn.Conv2d(8, 8, 3, padding=2, dilation=2),
         "grouped": lambda: nn.Conv2d(8, 16, 3, padding=1, groups=4),
         "of each channel": lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), "odd": lambda: nn.Conv2d(8, 5, (1, 3)),
         "transposed": lambda: nn.ConvTranspose2d(8, 8, 2, 2)}


def model(make):
    """The convolution between two others, all weights small integers."""
    torch.manual_seed(0)
    made = make()
    layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), made, nn.ReLU(),
                           nn.Conv2d(made.out_channels, 4, 1))
    with torch.no_grad():
        for p in layers.parameters():
            p.copy_(torch.randint(-1, 2, p.shape))
    return layers


@unittest.skipUnless(gpu.IS_THERE, "the fake driver is not built")
class Convolutions(unittest.TestCase):
    def compare(self, dtypes):
        driver = gpu.Driver()
        for number, (kind, make) in enumerate(KINDS.items()):
            dtype = dtypes[number % len(dtypes)]
            # behind one update of f32 the sign of what was zero is a matter of rounding
            steps = 1 if dtype is torch.float32 else 2
            start, found = model(make).to(dtype), []
            for ranks, device in ((1, "cpu"), (1 + number % 2, "cuda")):
                trained = copy.deepcopy(start)
                train = ds.torch.data_parallel(trained, torch.optim.SGD(trained.parameters(), lr=2**-6),
                                               lambda out, y: (out.float() * y).mean(), ranks=ranks, device=device)
                torch.manual_seed(1)
                before = driver.work()["convolution"]
                losses = [float(train((torch.randint(-1, 2, (4, 3, 8, 8)).to(dtype),
                                       torch.tensor([1.0, 2.0, 4.0, 1.0]).reshape(4, 1, 1, 1)))["loss"])
                          for _ in range(steps)]
                found.append((losses, list(map(torch.Tensor.clone, trained.state_dict().values())),
                              (driver.work()["convolution"] - before) // steps // ranks))
            for (name, value), (cpus, gpus) in zip(start.named_parameters(), zip(found[0][1], found[1][1])):
                said = f"{kind}, {dtype}, {name}: {(cpus.float() - gpus.float()).abs().max()}"
                self.assertTrue((cpus - gpus).norm() <= 1e-5 * cpus.norm() if dtype is torch.float32
                                else torch.equal(cpus, gpus), said)
            # a mean in f32
            torch.testing.assert_close(torch.tensor(found[0][0]), torch.tensor(found[1][0]), rtol=1e-5, atol=1e-6)
            yield kind, found[1][2]

    def test_of_16_bits(self):
        for kind, convolutions in self.compare((torch.bfloat16, torch.float16)):
            # Without the gradient of the samples; with channels last others of one element are products.
            self.assertEqual(convolutions, {"of one element": 4, "everywhere": 2}.get(kind, 5), kind)

    def test_of_f32(self):
        for kind, convolutions in self.compare((torch.float32,)):
            # As they are written; the gradient of weights of one element is a convolution.
            self.assertEqual(convolutions, {"everywhere": 4}.get(kind, 6), kind)


if __name__ == "__main__":
    unittest.main()

"""Convolutions in 16 bits on GPUs that are not there: cuDNN's fake sums in f32 and rounds once, as kernels of CPUs do, so small integers have the same bits."""
import copy
import unittest

import gpu

import torch
from torch import nn

import dstep as ds
import dstep.torch

KINDS = {"plain": lambda: nn.Conv2d(8, 16, 3), "padded by stride": lambda: nn.Conv2d(8, 16, 3, 2, 1), "of one element": lambda: nn.Conv2d(8, 16, 1, 2),
         "dilated": lambda: nn.Conv2d(8, 8, 3, padding=2, dilation=2), "grouped": lambda: nn.Conv2d(8, 16, 3, padding=1, groups=4),
         "of each channel": lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), "odd": lambda: nn.Conv2d(8, 5, (1, 3)), "transposed": lambda: nn.ConvTranspose2d(8, 8, 2, 2)}


def model(make):
    """The convolution between two others, all weights small integers."""
    torch.manual_seed(0)
    made = make()
    layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), made, nn.ReLU(), nn.Conv2d(made.out_channels, 4, 1))
    with torch.no_grad():
        for p in layers.parameters():
            p.copy_(torch.randint(-1, 2, p.shape))
    return layers


@unittest.skipUnless(gpu.IS_THERE, "the fake driver is not built")
class Convolutions(unittest.TestCase):
    def test_have_the_bits_of_the_cpu(self):
        driver = gpu.Driver()
        for number, (kind, make) in enumerate(KINDS.items()):
            dtype = (torch.bfloat16, torch.float16)[number % 2]
            start, found = model(make).to(dtype), []
            for ranks, device in ((1, "cpu"), (1 + number % 2, "cuda")):
                trained = copy.deepcopy(start)
                train = ds.torch.data_parallel(trained, torch.optim.SGD(trained.parameters(), lr=2**-6), lambda out, y: (out.float() * y).mean(), ranks=ranks, device=device)
                torch.manual_seed(1)
                before = driver.work()["convolution"]
                losses = [float(train((torch.randint(-1, 2, (2, 3, 8, 8)).to(dtype), torch.tensor([[[[1.0]]], [[[2.0]]]])))["loss"]) for _ in range(2)]
                found.append((losses, list(map(torch.Tensor.clone, trained.state_dict().values())), (driver.work()["convolution"] - before) // 2 // ranks))
            with self.subTest(kind=kind, dtype=dtype):
                self.assertEqual(found[0][0], found[1][0])
                for (name, value), other in zip(start.named_parameters(), zip(found[0][1], found[1][1])):
                    self.assertTrue(torch.equal(*other), f"{name}: {(other[0].float() - other[1].float()).abs().max()}")
                self.assertEqual(found[1][2], 4 if kind == "of one element" else 5)  # without the gradient of the samples; others of one element are products


if __name__ == "__main__":
    unittest.main()

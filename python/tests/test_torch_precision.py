"""precision=bf16 from PyTorch: factors of products and convolutions are rounded to bf16, and nothing else."""
import copy
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import dstep.torch
from dstep.session.run import RunError

BF16 = {"precision": "bf16"}


def rounded(x):
    return x.bfloat16().float()


class RoundedLinear(torch.autograd.Function):
    """What ds says that it computes, in PyTorch's f32."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(rounded(x), rounded(weight))
        return F.linear(rounded(x), rounded(weight), bias)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        return rounded(dy) @ weight, rounded(dy).T @ x, dy.sum(0)


class RoundedConv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(rounded(x), rounded(weight))
        return F.conv2d(rounded(x), rounded(weight), padding=1)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        return (nn.grad.conv2d_input(x.shape, weight, rounded(dy), padding=1),
                nn.grad.conv2d_weight(x, weight.shape, rounded(dy), padding=1))


class Images(nn.Module):
    """Batch statistics and a norm are in f32 in both."""

    def __init__(self, rounds=False):
        super().__init__()
        self.rounds = rounds
        self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)
        self.up, self.down = nn.Linear(512, 32), nn.Linear(32, 5)

    def linear(self, layer, x):
        return RoundedLinear.apply(x, layer.weight, layer.bias) if self.rounds else layer(x)

    def forward(self, x):
        x = RoundedConv.apply(x, self.conv.weight) if self.rounds else self.conv(x)
        return self.linear(self.down, F.gelu(self.linear(self.up, F.relu(self.norm(x)).flatten(1))))


def batches(count):
    return [(torch.randn(8, 3, 8, 8), torch.randint(0, 5, (8,))) for _ in range(count)]


def trained(model, steps, **options):
    """By PyTorch without options, else by ds."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    train = dstep.torch.data_parallel(model, optimizer, F.cross_entropy, **options) if options else None
    for x, y in steps:
        if train:
            train((x, y))
            continue
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    return [p.detach().clone() for p in model.parameters()]


def distance(model, got, expected):
    """The largest difference of a parameter, as a part of what training changed it by."""
    return max(float((a - b).norm() / (b - p).norm()) for p, a, b in zip(model.parameters(), got, expected))


class Precision(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_factors_are_rounded_and_nothing_else(self):
        model, steps = Images(), batches(2)
        reference = Images(rounds=True)
        reference.load_state_dict(model.state_dict())
        expected, wide = trained(reference, steps), trained(copy.deepcopy(model), steps)
        self.assertGreater(distance(model, wide, expected), 4e-3)
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                got = trained(copy.deepcopy(model), steps, ranks=ranks, config=BF16)
                self.assertLess(distance(model, got, expected), 1e-3)

    def test_a_compiled_loss_has_the_same_gradients(self):
        model, ((x, y),) = Images(), batches(1)
        reference = Images(rounds=True)
        reference.load_state_dict(model.state_dict())
        F.cross_entropy(reference(x), y).backward()
        torch.compile(lambda: F.cross_entropy(model(x), y), backend="dstep",
                      options={"ranks": 2, "config": BF16})().backward()
        for p, q in zip(model.parameters(), reference.parameters()):
            self.assertLess(float((p.grad - q.grad).norm() / q.grad.norm()), 1e-3)

    def test_autocast_leaves_nothing_to_round(self):
        class Cast(Images):
            def forward(self, x):
                with torch.autocast("cpu", torch.bfloat16):
                    return super().forward(x).float()

        model, steps = Cast(), batches(2)
        plain, keyed = (trained(copy.deepcopy(model), steps, ranks=2, config=config) for config in ({}, BF16))
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(plain, keyed)))

    def test_products_of_f64_are_refused(self):
        model = nn.Linear(4, 2).double()
        with self.assertRaisesRegex(RunError, "'precision' is 'bf16', but this product is of f64"):
            trained(model, [(torch.randn(8, 4).double(), torch.randint(0, 2, (8,)))], ranks=2, config=BF16)

"""What a compiled function clones, writes, writes in backward or has as complex numbers, beside PyTorch's own."""
import unittest

import torch
from torch import nn

import dstep.torch
from dstep.frontend import FrontendError


class Cast(nn.Module):
    """Writes what is there: its weights are of that type already."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))

    def forward(self, x):
        self.w.data = self.w.data.to(x.dtype)
        return x @ self.w


class Spectral(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4, dtype=torch.cfloat))
        self.register_buffer("turn", torch.polar(torch.ones(4), torch.linspace(0, 1, 4)))

    def forward(self, x):
        return (torch.fft.rfft(x.unsqueeze(1).expand(-1, 8, -1) * torch.arange(8)[:, None], dim=1)[:, :3]
                @ self.w) * self.turn


class Queue(nn.Module):
    """Logits read a clone of what the forward pass, or the loop, writes before backward."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("queue", torch.randn(4, 6))
        self.register_buffer("at", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        h = self.layer(x)
        out = h @ self.queue.clone().detach()
        with torch.no_grad():
            self.queue[:, :2] = h.mean(0)[:, None]
            self.at += 1
        return out


class Bank(Queue):
    def forward(self, x):
        return self.layer(x) @ self.queue.detach().clone()


class Gain(Queue):
    """Backward reads what the forward pass writes, by no other value of its size."""

    def forward(self, x):
        out = self.layer(x) * self.queue.clone()[:, 0] + self.queue.clone().sum()
        self.queue += 1
        return out


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, history):
        ctx.history = history
        return x * (1 + history.sum())

    @staticmethod
    def backward(ctx, g):
        scale = 1 / (1 + ctx.history.max())
        ctx.history.copy_(torch.cat([g.detach().abs().amax().reshape(1) * 10, ctx.history[:-1]]))
        return g * scale, None


class Delayed(nn.Module):
    """Backward writes a buffer by the gradient that it is given; forward and backward read it, each as it is then."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 3)
        self.register_buffer("history", torch.tensor([0.5, 0.25, 0.0]))

    def forward(self, x):
        return self.b(torch.tanh(Scaled.apply(self.a(x), self.history)))


class Both(Delayed):
    def forward(self, x):
        out = super().forward(x)
        with torch.no_grad():
            self.history += 1
        return out


class Written(Cast):
    def forward(self, x):
        self.w.data.mul_(0.5)
        return x @ self.w


class Turned(torch.autograd.Function):
    """Writes its input, which may be a view."""

    @staticmethod
    def forward(ctx, x, by):
        ctx.save_for_backward(by)
        scale = by * 2  # which makes the view the second input of Dynamo's function
        first, second = x[:, 0].clone(), x[:, 1].clone()
        x[:, 0] = first * scale - second
        x[:, 1] = second * scale + first
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        by, = ctx.saved_tensors
        return torch.stack([g[:, 0] * 2 * by + g[:, 1], g[:, 1] * 2 * by - g[:, 0]], 1), None


class Rotated(nn.Module):
    """A function writes a part of a tensor, of which all is read then."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 6), nn.Linear(6, 3)
        self.register_buffer("by", torch.tensor(0.5))

    def forward(self, x):
        hidden = self.a(x) * 1.0
        Turned.apply(hidden[:, 1:3], self.by)
        return self.b(torch.tanh(hidden))


class RotatedTwice(Rotated):
    def forward(self, x):
        hidden = self.a(x).unflatten(-1, (3, 2)).transpose(0, 1)
        parts = [Turned.apply(Turned.apply(part, self.by), self.by) for part in (hidden[0], hidden[2])]
        return self.b(torch.tanh(hidden).transpose(0, 1).flatten(1)) + torch.stack(parts).mean()


def trained(kind, ranks, whole, between=lambda model: None):
    torch.manual_seed(0)
    model = kind()
    loss = lambda x: model(x).abs().pow(2).mean()
    torch._dynamo.reset()
    function = loss if whole else model
    function = torch.compile(function, backend="dstep", options={"ranks": ranks}) if ranks else function
    optimizer, generator = torch.optim.Adam(model.parameters(), 0.05), torch.Generator().manual_seed(1)
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        passes = [function(torch.randn(8, 4, generator=generator)) for _ in range(2)]  # both are open
        for k, found in enumerate(passes):
            between(model)
            found = found if whole else found.abs().pow(2).mean()
            (found / (k + 2)).backward()
            losses.append(found.detach())
        optimizer.step()
    return {n: torch.view_as_real(v) if v.is_complex() else v
            for n, v in model.state_dict().items()} | {"losses": torch.stack(losses)}


class Writes(unittest.TestCase):
    def check(self, kind, between=lambda model: None):
        for whole in (True, False):
            expected = trained(kind, 0, whole, between)
            for ranks in (1, 2):
                with self.subTest(kind.__name__, whole=whole, ranks=ranks):
                    torch.testing.assert_close(trained(kind, ranks, whole, between), expected, rtol=1e-4, atol=1e-5)

    def test_a_write_of_what_is_there(self):
        self.check(Cast)

    def test_complex_parameters_buffers_and_results(self):
        self.check(Spectral)

        model = Spectral()
        with self.assertRaisesRegex(FrontendError, "'w' is torch.complex64, expected real numbers: hold it as a pair"):
            dstep.torch.export(model, torch.optim.SGD(model.parameters(), 0.1), lambda out, y: out.abs().mean(),
                               (torch.randn(8, 4), torch.zeros(8)))

    def test_clones_outlive_what_is_written(self):
        self.check(Queue)
        self.check(Gain)
        self.check(Bank, lambda model: model.queue.mul_(0.9))

    def test_a_buffer_that_backward_writes(self):
        self.check(Delayed)

    def test_a_view_that_a_function_writes(self):
        self.check(Rotated)
        self.check(RotatedTwice)

    def test_what_is_refused(self):
        for kind, sentence in ((Both, "writes '.*history.*' in its forward pass and in backward, expected one of them"),
                               (Written, "writes '.*w.*' at .*, expected a function that writes buffers alone")):
            with self.assertRaisesRegex(Exception, sentence) as raised:
                trained(kind, 2, True)
            self.assertTrue(isinstance(raised.exception, FrontendError)
                            or isinstance(raised.exception.__cause__, FrontendError))

    def test_a_step_leaves_its_batch_as_it_is(self):
        def rows(x):
            x[:, 0] = 0

        for write in (lambda x: x.add_(1), lambda x: x.__setitem__(0, 0), rows, torch.relu_,
                      lambda x: setattr(x, "data", x * 2)):
            model, batch = nn.Linear(4, 3), {"x": torch.randn(8, 4), "y": torch.randn(8, 3)}

            def loss(model, batch):
                write(batch["x"])
                return nn.functional.mse_loss(model(batch["x"]), batch["y"])

            def copied(model, batch):
                batch["x"] = batch["x"].clone()
                return loss(model, batch)

            train = dstep.torch.data_parallel(model, torch.optim.SGD(model.parameters(), 0.1), loss, ranks=2)
            before = batch["x"].clone()
            with self.assertRaisesRegex(FrontendError, r"^the step writes batch\['x'\]( at "
                                        r".*test_torch_writes.py:\d+)?, expected one that leaves its batch as it is"):
                train(batch)
            expected = float(copied(model, batch.copy()))
            train = dstep.torch.data_parallel(model, torch.optim.SGD(model.parameters(), 0.1), copied, ranks=2)
            self.assertAlmostEqual(train(batch)["loss"], expected, places=5)
            self.assertTrue(torch.equal(batch["x"], before))


if __name__ == "__main__":
    unittest.main()

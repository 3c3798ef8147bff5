"""torch.compile with backend="dstep" where results, inputs and parts of a function are no plain rows of samples."""
import copy
import unittest
import warnings

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds  # noqa: F401
from dstep.torch import backend


class Recurrent(nn.Module):
    """Layers that Dynamo leaves to PyTorch, whose states have samples in dimension 1."""

    def __init__(self):
        super().__init__()
        self.words, self.first, self.then, self.out = nn.Embedding(12, 6), nn.LSTM(6, 5, 2, bidirectional=True, batch_first=True), nn.GRU(10, 4), nn.Linear(14, 3)

    def forward(self, tokens):
        rows, (hidden, _) = self.first(self.words(tokens))
        _, last = self.then(rows.transpose(0, 1), torch.zeros(1, tokens.size(0), 4))
        return self.out(torch.cat([hidden[-2], hidden[-1], last[0]], 1))


class Parts(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        self.enterContext(warnings.catch_warnings(action="ignore"))  # rows are gathered where a function mixes them

    def train(self, model, batches, ranks=2, whole=False):
        """Three steps by ds and by PyTorch, of the model alone or with its loss: equal losses, parameters and buffers."""
        other, loss_of = copy.deepcopy(model), lambda model, x, y: F.cross_entropy(model(x), y)
        compiled = lambda function: torch.compile(function, backend=backend.ds, options={"ranks": ranks})
        runs = (model, compiled(loss_of) if whole else loss_of, model if whole else compiled(model)), (other, loss_of, other)
        optimizers = [torch.optim.SGD(each.parameters(), lr=0.1, momentum=0.9) for each, *_ in runs]
        for x, y in batches:
            losses = []
            for (_, function, forward), optimizer in zip(runs, optimizers):
                optimizer.zero_grad()
                losses.append(function(forward, x, y))
                losses[-1].backward()
                optimizer.step()
            self.assertAlmostEqual(losses[0].item(), losses[1].item(), delta=1e-5)
        for (name, got), expected in zip(model.state_dict().items(), other.state_dict().values(), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5, msg=lambda text: f"{name}: {text}")

    def test_layers_that_run_in_pytorch_between_parts(self):
        batches = [(torch.randint(0, 12, (8, 5)), torch.randint(0, 3, (8,))) for _ in range(3)]
        for ranks in (2, 4):
            torch._dynamo.reset()
            self.train(Recurrent(), batches, ranks)

    def test_a_part_does_not_hide_what_ranks_cannot_divide(self):
        with self.assertRaisesRegex(Exception, "has 8 samples, which 3 ranks cannot divide"):
            self.train(Recurrent(), [(torch.randint(0, 12, (8, 5)), torch.randint(0, 3, (8,)))], 3)

    def test_rows_in_any_dimension(self):
        """Also where they are fewer than the samples, as one half of two views of a picture is."""
        shapes = {"first half": lambda h: h[:4], "halves": lambda h: h.reshape(2, -1, 6), "quarters": lambda h: h.view(4, 2, -1), "a row": lambda h: h.view(1, -1, 6),
                  "columns": lambda h: h.t().reshape(-1), "all but one": lambda h: h[1:], "heads": lambda h: h.view(8, 2, 3).transpose(0, 1).reshape(16, 3),
                  "products": lambda h: h @ h.t(), "two views": lambda h: h.chunk(2)[1]}
        for ranks in (2, 4):
            for name, shape in shapes.items():
                with self.subTest(name, ranks=ranks):
                    torch._dynamo.reset()
                    linear, x = nn.Linear(5, 6), torch.randn(8, 5)
                    function = lambda x: (shape(torch.tanh(linear(x))), linear(x).sum(1))
                    gradients = []
                    for run in (torch.compile(function, backend=backend.ds, options={"ranks": ranks}), function):
                        rows, sums = run(x)
                        loss = (rows * torch.arange(rows.numel()).view(rows.shape)).sum() + (sums * torch.arange(8)).sum()
                        gradients.append([rows.detach(), *torch.autograd.grad(loss, linear.parameters())])
                    for got, expected in zip(*gradients, strict=True):
                        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)

    def test_what_is_saved_may_have_channels_of_samples_in_a_row(self):
        """Instance normalisation makes one picture of all samples."""
        for layer in (nn.InstanceNorm2d(4, affine=True, track_running_stats=True), nn.InstanceNorm2d(4)):
            torch._dynamo.reset()
            model = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), layer, nn.Flatten(), nn.Linear(100, 3))
            self.train(model, [(torch.randn(8, 2, 5, 5), torch.randint(0, 3, (8,))) for _ in range(3)])

    def test_buffers_that_are_written_and_not_read(self):
        """A spectral norm makes one of its two vectors anew."""
        for norm in (nn.utils.spectral_norm, nn.utils.parametrizations.spectral_norm):
            for whole in (False, True):
                torch._dynamo.reset()
                model = nn.Sequential(norm(nn.Linear(6, 8)), nn.ReLU(), nn.Linear(8, 3))
                self.train(model, [(torch.randn(8, 6), torch.randint(0, 3, (8,))) for _ in range(3)], whole=whole)

    def test_a_gradient_of_more_than_the_loss_reads_buffers_as_they_were(self):
        """A codebook that forward reads and then moves towards what it has seen: the gradients are those of the codebook that was read."""
        class Quantised(nn.Module):
            def __init__(self):
                super().__init__()
                self.into, self.out = nn.Linear(6, 4), nn.Linear(4, 6)
                self.register_buffer("codes", torch.randn(5, 4))

            def forward(self, x):
                z = self.into(x)
                nearest = torch.cdist(z, self.codes).argmin(1)
                found = self.codes[nearest]
                with torch.no_grad():
                    counted = F.one_hot(nearest, 5).to(z.dtype)
                    self.codes.lerp_(counted.t() @ z / counted.sum(0).clamp(min=1)[:, None], 0.5)
                return self.out(z + (found - z).detach()), F.mse_loss(z, found.detach())

        for ranks in (1, 2):
            torch._dynamo.reset()
            model = Quantised()
            other = copy.deepcopy(model)
            for x in torch.randn(3, 8, 6):
                for each, function in ((model, torch.compile(model, backend=backend.ds, options={"ranks": ranks})), (other, other)):
                    each.zero_grad()
                    found, commitment = function(x)
                    (F.mse_loss(found, x) + 0.25 * commitment).backward()
                for (name, p), q in zip(model.named_parameters(), other.parameters(), strict=True):
                    torch.testing.assert_close(p.grad, q.grad, rtol=1e-4, atol=1e-6, msg=lambda text: f"{name}: {text}")
                torch.testing.assert_close(model.codes, other.codes)

    def test_integers_without_a_sign(self):
        model = nn.Linear(6, 3)
        x, y = torch.randint(0, 256, (8, 6), dtype=torch.uint8), torch.randint(0, 3, (8,))
        function = lambda x, y: (F.cross_entropy(model(x.float() / 255), y), x // 2 + 100)
        for ranks in (1, 2):
            torch._dynamo.reset()
            found = torch.compile(function, backend=backend.ds, options={"ranks": ranks})(x, y)
            for got, expected in zip(found, function(x, y), strict=True):
                torch.testing.assert_close(got, expected)

    def test_gradients_of_torch_func(self):
        model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

        def loss_of(model, x, y):
            parameters = dict(model.named_parameters())
            inner = lambda p: F.mse_loss(torch.func.functional_call(model, p, (x,)), y)
            steps = torch.func.grad(inner)(parameters)
            return inner({name: p - 0.1 * steps[name] for name, p in parameters.items()})
        x, y = torch.randn(8, 4), torch.randn(8, 1)
        losses = torch.compile(loss_of, backend=backend.ds, options={"ranks": 2})(model, x, y), loss_of(model, x, y)
        for got, expected in zip(*(torch.autograd.grad(loss, model.parameters()) for loss in losses), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-6)


if __name__ == "__main__":
    unittest.main()

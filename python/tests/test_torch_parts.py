"""torch.compile with backend="dstep" where results, inputs and parts of a function are no plain rows of samples, and
what PyTorch's own parts find of them."""
import copy
import unittest
import unittest.mock
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch._dynamo import convert_frame
from torch.utils.checkpoint import checkpoint

import dstep as ds  # noqa: F401
from dstep.base.errors import PACKAGE
from dstep.torch import backend
from dstep.torch.dynamo.compiled import Compiled


class Recurrent(nn.Module):
    """Layers that Dynamo leaves to PyTorch, whose states have samples in dimension 1."""

    def __init__(self):
        super().__init__()
        self.words, self.first, self.then, self.out = nn.Embedding(12,
                                                                   6), nn.LSTM(6, 5, 2, bidirectional=True,
                                                                               batch_first=True), nn.GRU(10,
                                                                                                         4), nn.Linear(
                                                                                                             14, 3)

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
        """Three steps by ds and by PyTorch, of the model alone or with its loss: equal losses, parameters and
        buffers."""
        other, loss_of = copy.deepcopy(model), lambda model, x, y: F.cross_entropy(model(x), y)
        compiled = lambda function: torch.compile(function, backend=backend.ds, options={"ranks": ranks})
        runs = (model, compiled(loss_of) if whole else loss_of, model if whole else compiled(model)), (other, loss_of,
                                                                                                       other)
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
        with self.assertWarnsRegex(UserWarning, "^a batch of 8 samples runs on 1 of 3 ranks, which divide it; expected "
                                   "a multiple of 3$"):
            self.train(Recurrent(), [(torch.randint(0, 12, (8, 5)), torch.randint(0, 3, (8,)))], 3)

    def test_rows_in_any_dimension(self):
        """Also where they are fewer than the samples, as one half of two views of a picture is."""
        shapes = {"first half": lambda h: h[:4], "halves": lambda h: h.reshape(2, -1, 6),
                  "quarters": lambda h: h.view(4, 2, -1), "a row": lambda h: h.view(1, -1, 6),
                  "columns": lambda h: h.t().reshape(-1), "all but one": lambda h: h[1:],
                  "heads": lambda h: h.view(8, 2, 3).transpose(0, 1).reshape(16, 3),
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
                        loss = (rows * torch.arange(rows.numel()).view(rows.shape)).sum() + (sums
                                                                                             * torch.arange(8)).sum()
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
        """A codebook that forward reads and then moves towards what it has seen: the gradients are those of the
        codebook that was read."""
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
                for each, function in ((model, torch.compile(model, backend=backend.ds, options={"ranks": ranks})),
                                       (other, other)):
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

    def test_what_no_result_reads_has_no_gradient(self):
        """None, not zeros: weight decay and momentum would change a parameter that nothing trains. Of two results each
        may be read alone."""
        class Heads(nn.Module):
            def __init__(self):
                super().__init__()
                self.body, self.one, self.two, self.detached = nn.Linear(6, 4), nn.Linear(4, 3), nn.Linear(4,
                                                                                                           3), nn.Linear(6, 4)

            def forward(self, x):
                h = self.body(x).relu() + self.detached(x).detach()
                return self.one(h), self.two(h)

        def loss_of(model, x, y):
            return F.cross_entropy(sum(model(x)), y)
        for ranks in (1, 2):
            torch._dynamo.reset()
            model = Heads()
            other, functions = copy.deepcopy(model), [(torch.compile(model, backend=backend.ds,
                                                                     options={"ranks": ranks}),
                                                       torch.compile(loss_of, backend=backend.ds,
                                                                     options={"ranks": ranks}))]
            functions.append((other, loss_of))
            optimizers = [torch.optim.AdamW(each.parameters(), lr=0.1, weight_decay=0.5) for each in (model, other)]
            x, y = torch.randn(8, 6), torch.randint(0, 3, (8,))
            for losses in (lambda f, m: F.cross_entropy(f[0](x)[0], y), lambda f, m: F.cross_entropy(f[0](x)[1], y),
                           lambda f, m: f[1](m, x, y)):
                for each, function, optimizer in zip((model, other), functions, optimizers):
                    optimizer.zero_grad()
                    losses(function, each).backward()
                    optimizer.step()
                self.assertEqual([p.grad is None for p in model.parameters()],
                                 [p.grad is None for p in other.parameters()])
            for (name, p), q in zip(model.named_parameters(), other.parameters(), strict=True):
                torch.testing.assert_close(p, q, rtol=1e-4, atol=1e-5, msg=lambda text: f"{name}: {text}")

    def test_the_last_pass_hands_its_gradients_over(self):
        """PyTorch keeps them as .grad without a copy; a pass that another one may follow keeps its own."""
        model, x, y = nn.Linear(64, 5), torch.randn(8, 64), torch.randint(0, 5, (8,))
        loss_of = lambda model: F.cross_entropy(model(x), y)
        compute, run, made = torch.compile(loss_of, backend="dstep"), Compiled.run_forward, []
        expected = torch.autograd.grad(loss_of(model), model.parameters())

        def noted(*arguments):
            found = run(*arguments)
            made.extend(gradient.data_ptr() for gradient in found[1].values())
            return found

        def passed(loss, factor, **options):
            model.zero_grad()
            loss.backward(**options)
            for parameter, gradient in zip(model.parameters(), expected, strict=True):
                torch.testing.assert_close(parameter.grad, gradient * factor, rtol=1e-5, atol=1e-6)

        with unittest.mock.patch.object(Compiled, "run_forward", noted):
            loss = compute(model)
            for keeps in (True, False):
                passed(loss, 1, retain_graph=keeps)
                self.assertEqual({p.grad.data_ptr() for p in model.parameters()}.isdisjoint(made), keeps)
            with self.assertRaisesRegex(ds.RunError, "a second time"):
                loss.backward()
            passed(compute(model) / 4, 0.25)

    def test_results_that_are_views_of_what_a_function_was_given(self):
        class Bank(nn.Module):
            def __init__(self):
                super().__init__()
                self.out = nn.Linear(6, 3)
                self.register_buffer("rows", torch.zeros(4, 3))

            def forward(self, x):
                found = self.out(x)
                self.rows[0] += found.detach().mean(0)
                return found, self.rows[1:3], self.out.weight.t()
        model = Bank()
        other, x = copy.deepcopy(model), torch.randn(8, 6)
        for each, function in ((model, torch.compile(model, backend=backend.ds, options={"ranks": 2})), (other, other)):
            found, rows, weight = function(x)
            rows += 1  # of the buffer
            (found.sum() + weight.square().sum()).backward()
            function(x)
        torch.testing.assert_close(model.rows, other.rows)
        torch.testing.assert_close(model.out.weight.grad, other.out.weight.grad)

    def test_a_batch_of_no_samples(self):
        model = nn.Linear(6, 3)
        function = lambda x, y: F.cross_entropy(model(x), y, reduction="sum")
        compute = torch.compile(function, backend=backend.ds, options={"ranks": 2})
        for size in (8, 0, 8):
            x, y = torch.randn(size, 6), torch.randint(0, 3, (size,))
            got, expected = (torch.autograd.grad(f(x, y), model.parameters()) for f in (compute, function))
            for a, b in zip(got, expected):
                torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)

    def test_numbers_alone_behind_a_backward_pass(self):
        """What is compiled may hold backward, at which Dynamo breaks the graph; the part behind it has the loss and no
        samples."""
        for how in ("scaled", "detached", "penalty"):
            for ranks in (1, 2):
                torch._dynamo.reset()
                torch.manual_seed(0)
                model, (x, y) = nn.Linear(6, 3), (torch.randn(8, 6), torch.randint(0, 3, (8,)))
                other = copy.deepcopy(model)

                def step(model, x, y):
                    loss = F.cross_entropy(model(x), y)
                    loss.backward(retain_graph=True)
                    return {"scaled": lambda: loss * 0.5, "detached": loss.detach,
                            "penalty": lambda: loss * model.weight.norm()}[how]()
                compute = torch.compile(step, backend=backend.ds, options={"ranks": ranks})
                for _ in range(2):
                    got, expected = compute(model, x, y), step(other, x, y)
                    torch.testing.assert_close(got, expected)
                    if how != "detached":
                        got.backward()
                        expected.backward()
                    for a, b in zip(model.parameters(), other.parameters(), strict=True):
                        torch.testing.assert_close(a.grad, b.grad, rtol=1e-4, atol=1e-6)

    def test_dynamo_compiles_nothing_of_ds_in_a_backward_pass(self):
        """It compiles what a backward pass calls that is inside of a compiled function; addresses of tensors would be
        read when these are gone."""
        torch._dynamo.reset()
        model, compiled = nn.Linear(6, 3), []

        def step(x, y):
            F.cross_entropy(model(x), y).backward()

        def noted(self, frame, *arguments, **options):
            compiled.append(frame.f_code.co_filename)
            return trace(self, frame, *arguments, **options)

        trace = convert_frame.ConvertFrameAssert.__call__
        with unittest.mock.patch.object(convert_frame.ConvertFrameAssert, "__call__", noted):
            torch.compile(step, backend=backend.ds, options={"ranks": 2})(torch.randn(8, 6), torch.randint(0, 3, (8,)))
        self.assertIn(__file__, compiled)
        self.assertEqual([file for file in compiled if file.startswith(PACKAGE)], [])

    def test_a_batch_of_each_rank_is_refused(self):
        with self.assertRaisesRegex(Exception, "has batch=local, which is for processes that a launcher starts; ranks "
                                    "of one process compute one batch together"):
            torch.compile(nn.Linear(6, 3), backend=backend.ds,
                          options={"ranks": 2, "config": {"batch": "local", "gradients_mean": True}})(torch.randn(8, 6))

    def test_a_number_of_a_part_that_only_decides(self):
        """Dynamo leaves what it has asked in the graph, where nobody reads it."""
        model = nn.Sequential(nn.Linear(6, 4), nn.Linear(4, 3))

        def forward(x):
            h = model[0](x)
            return model[1](h) * int(h.abs().sum().item() > 0)
        compute = torch.compile(forward, backend=backend.ds, options={"ranks": 2})
        for _ in range(3):  # the second number makes Dynamo carry it
            x = torch.randn(8, 6)
            torch.testing.assert_close(compute(x), forward(x))

    def test_masks_follow_pytorchs_generator(self):
        """Functions, parts of one and calls draw other masks; a seed or a saved state draws the same again, on any
        number of ranks. What draws nothing leaves the generator alone."""
        weights = [nn.Parameter(torch.ones(64)) for _ in range(2)]

        def in_parts(x):
            first = F.dropout(x * weights[0], 0.5)
            torch._dynamo.graph_break()
            return first, F.dropout(x * weights[1], 0.5)
        drawn = []
        for ranks in (1, 2):
            torch._dynamo.reset()
            compute = [torch.compile(f, backend=backend.ds, options={"ranks": ranks})
                       for f in (in_parts, lambda x: (F.dropout(x * weights[1], 0.5),))]
            torch.manual_seed(3)
            masks = [found.detach() != 0 for k in (0, 0, 1) for found in compute[k](torch.ones(8, 64))]
            for i, mask in enumerate(masks):
                for other in masks[:i]:
                    self.assertLess(int((mask == other).sum()), 320)  # 256 of 512 are alike by chance
            state = torch.get_rng_state()
            again = []
            for _ in range(2):
                torch.set_rng_state(state)
                again.append(compute[0](torch.ones(8, 64))[0].detach())
            self.assertTrue(torch.equal(*again))
            drawn.append(torch.stack(masks))
        self.assertTrue(torch.equal(*drawn))
        state = torch.get_rng_state()
        torch.compile(lambda x: x * weights[0], backend=backend.ds)(torch.ones(8, 64)).sum().backward()
        self.assertTrue(torch.equal(state, torch.get_rng_state()))

    def test_checkpoints_around_and_inside_of_functions(self):
        """Backward computes with the masks of the first pass, also where that had no gradients, and statistics count
        both passes as PyTorch's do."""
        weight = nn.Parameter(torch.ones(64))
        block = lambda x: F.dropout(x * weight, 0.5)
        inside = lambda x: checkpoint(block, x, use_reentrant=False) * 1
        for ranks in (1, 2):
            torch._dynamo.reset()
            around, within = (torch.compile(f, backend=backend.ds, options={"ranks": ranks}) for f in (block, inside))
            for run in (lambda x: checkpoint(around, x, use_reentrant=False),
                        lambda x: checkpoint(around, x, use_reentrant=True), within):
                for _ in range(2):
                    x = torch.ones(8, 64, requires_grad=True)
                    found = run(x)
                    found.sum().backward()
                    self.assertTrue(torch.equal(x.grad, found.detach()))

            class Normed(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.up, self.norm, self.out = nn.Linear(6, 4), nn.BatchNorm1d(4), nn.Linear(4, 3)

                def forward(self, x):
                    return self.out(checkpoint(lambda h: self.norm(self.up(h)).relu(), x, use_reentrant=False))
            batches = [(torch.randn(8, 6), torch.randint(0, 3, (8,))) for _ in range(3)]
            for whole in (False, True):
                torch._dynamo.reset()
                self.train(Normed(), batches, ranks, whole)


if __name__ == "__main__":
    unittest.main()

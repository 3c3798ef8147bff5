"""torch.compile with backend="dstep": losses and gradients of the ranks beside PyTorch's own."""
import copy
import os
import unittest
import unittest.mock
import warnings

import torch
import torch.nn.functional as F

from dstep.session.run import RunError
from dstep.torch import backend


def batches(count, *shape, classes=5):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(8, *shape, generator=generator), torch.randint(0, classes, (8,), generator=generator)) for _ in range(count)]


class Gpt(torch.nn.Module):
    def __init__(self, width=16, heads=2, words=11, length=6):
        super().__init__()
        self.words, self.places = torch.nn.Embedding(words, width), torch.nn.Parameter(torch.randn(length, width) * 0.1)
        self.mixed, self.out, self.norm = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width), torch.nn.LayerNorm(width)
        self.up, self.down, self.head, self.heads = torch.nn.Linear(width, 32), torch.nn.Linear(32, width), torch.nn.Linear(width, words), heads

    def forward(self, tokens):
        x = self.words(tokens) + self.places
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.mixed(self.norm(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return self.head(x + self.down(F.gelu(self.up(x))))


class Backend(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()

    def train(self, model, loss, data, ranks):
        """Three steps by ds and by PyTorch: equal losses, and equal parameters at the end."""
        other, count = copy.deepcopy(model), len(backend.compiled)
        compute = torch.compile(loss, backend=backend.ds, options={"ranks": ranks})
        for each, function in ((model, compute), (other, loss)):
            optimizer = torch.optim.SGD(each.parameters(), lr=0.1, momentum=0.9)
            each.losses = []
            for batch in data:
                optimizer.zero_grad()
                found = function(each, *batch)
                found.backward()
                torch.nn.utils.clip_grad_norm_(each.parameters(), 1.0)
                optimizer.step()
                each.losses.append(found.item())
        self.assertEqual(len(backend.compiled), count + 1)  # once for all steps
        for got, expected in zip(model.losses, other.losses, strict=True):
            self.assertAlmostEqual(got, expected, delta=2e-5 * abs(expected))
        for (name, got), expected in zip(model.named_parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5, msg=lambda text: f"{name}: {text}")

    def test_mlp(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                torch._dynamo.reset()
                model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.ReLU(), torch.nn.Linear(32, 5))
                self.train(model, lambda model, x, y: F.cross_entropy(model(x), y), batches(3, 20), ranks)

    def test_cnn(self):
        model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(64, 5))
        self.train(model, lambda model, x, y: F.cross_entropy(model(x), y), batches(3, 1, 8, 8), 2)

    def test_gpt(self):
        data = [(torch.randint(0, 11, (8, 6)), torch.randint(0, 11, (8, 6))) for _ in range(3)]
        self.train(Gpt(), lambda model, x, y: F.cross_entropy(model(x).flatten(0, 1), y.flatten()), data, 2)

    def test_an_optimizer_that_calls_the_loss_several_times(self):
        model, batch, calls = torch.nn.Linear(4, 3), batches(1, 4, classes=3)[0], {}
        models = {"ds": model, "torch": copy.deepcopy(model)}
        loss = lambda model, x, y: F.cross_entropy(model(x), y)
        for name, function in (("ds", torch.compile(loss, backend="dstep", options={"ranks": 2})), ("torch", loss)):
            each, calls[name] = models[name], []
            optimizer = torch.optim.LBFGS(each.parameters(), lr=0.5, max_iter=3)

            def closure():
                optimizer.zero_grad()
                value = function(each, *batch)
                value.backward()
                calls[name].append(value.item())
                return value

            for _ in range(2):
                optimizer.step(closure)
        self.assertGreater(len(calls["torch"]), 2)
        torch.testing.assert_close(calls["ds"], calls["torch"], rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(models["ds"].weight, models["torch"].weight, rtol=1e-3, atol=1e-4)

    def test_dropout_draws_other_masks_in_each_call_and_the_same_on_all_ranks(self):
        x, y = batches(1, 20)[0]
        losses = []
        for ranks in (1, 2):
            torch._dynamo.reset()
            torch.manual_seed(3)
            model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.Dropout(0.5), torch.nn.Linear(32, 5))
            compute = torch.compile(lambda model, x, y: F.cross_entropy(model(x), y), backend=backend.ds, options={"ranks": ranks})
            losses.append([compute(model, x, y).item() for _ in range(3)])
        self.assertEqual(len(set(losses[0])), 3)
        for one, two in zip(*losses):
            self.assertAlmostEqual(one, two, delta=1e-5)

    def test_results_for_each_sample_come_in_their_order(self):
        model = torch.nn.Linear(20, 5)
        x, y = batches(1, 20)[0]
        loss, logits = torch.compile(lambda model, x, y: (F.cross_entropy(model(x), y), model(x)), backend=backend.ds, options={"ranks": 4})(model, x, y)
        torch.testing.assert_close(logits, model(x).detach())
        (3 * loss).backward()
        expected, = torch.autograd.grad(3 * F.cross_entropy(model(x), y), [model.bias])
        torch.testing.assert_close(model.bias.grad, expected)

    def beside(self, make, model, data, count=None, optimizer=lambda p: torch.optim.AdamW(p, lr=0.01)):
        """Trains `make(model)` with a loss outside of it beside a copy of the model in PyTorch: losses, parameters and buffers are equal."""
        other, before = copy.deepcopy(model), len(backend.compiled)
        forward = make(model)
        optimizers = optimizer(model.parameters()), optimizer(other.parameters())
        for x, y in data:
            losses = []
            for function, each in zip((forward, other), optimizers):
                each.zero_grad()
                losses.append(F.cross_entropy(function(x).flatten(0, -2), y.flatten()))
                losses[-1].backward()
                each.step()
            self.assertAlmostEqual(losses[0].item(), losses[1].item(), delta=1e-4)
        for (name, got), expected in zip(model.state_dict().items(), other.state_dict().values(), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")
        if count is not None:
            self.assertEqual(len(backend.compiled) - before, count)

    def normed(self):
        return torch.nn.Sequential(torch.nn.Linear(20, 16, bias=False), torch.nn.BatchNorm1d(16), torch.nn.ReLU(), torch.nn.Linear(16, 5))

    def test_a_loss_outside_and_running_statistics(self):
        for ranks in (1, 4):
            with self.subTest(ranks=ranks):
                torch._dynamo.reset()
                self.beside(lambda model: torch.compile(model, backend=backend.ds, options={"ranks": ranks}), self.normed(), batches(4, 20), 1)

    def test_a_model_compiles_itself(self):
        def compiled(model):
            model.compile(backend=backend.ds, options={"ranks": 2})
            return model
        data = [(torch.randint(0, 11, (8, 6)), torch.randint(0, 11, (8, 6))) for _ in range(3)]
        self.beside(compiled, Gpt(), data, 1, lambda p: torch.optim.SGD(p, lr=0.1))

    def test_distributed_data_parallel(self):
        torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
        self.addCleanup(torch.distributed.destroy_process_group)
        wrap = lambda model: torch.compile(torch.nn.parallel.DistributedDataParallel(model), backend=backend.ds, options={"ranks": 2})
        self.beside(wrap, self.normed(), batches(4, 20))

    def test_parts_of_a_model_hand_gradients_on(self):
        model = self.normed()

        def forward(x):
            x = model[1](model[0](x))
            torch._dynamo.graph_break()
            return model[3](model[2](x))
        self.beside(lambda _: torch.compile(forward, backend=backend.ds, options={"ranks": 2}), model, batches(3, 20), 2)

    def test_a_gradient_of_more_than_the_loss(self):
        """A function may return its loss and more: each gradient is there, whichever is asked for."""
        x, y = batches(1, 20)[0]
        compute = lambda model, x, y: (F.cross_entropy(model(x), y), model(x).tanh(), model(x).argmax(1))
        asked = {"loss": lambda loss, rows: loss, "rows": lambda loss, rows: rows.pow(2).sum(), "both": lambda loss, rows: loss * rows.mean()}
        for ranks in (1, 2):
            for name, of in asked.items():
                with self.subTest(ranks=ranks, asked=name):
                    torch._dynamo.reset()
                    model, other = self.normed(), self.normed()
                    other.load_state_dict(model.state_dict())
                    function = torch.compile(compute, backend=backend.ds, options={"ranks": ranks})
                    for each, run in ((model, function), (other, compute)):
                        for _ in range(2):  # gradients add up
                            loss, rows, _ = run(each, x, y)
                            of(loss, rows).backward()
                    for got, expected in zip(model.parameters(), other.parameters(), strict=True):
                        torch.testing.assert_close(got.grad, expected.grad, rtol=1e-4, atol=1e-6)
                    for got, expected in zip(model.buffers(), other.buffers(), strict=True):
                        torch.testing.assert_close(got, expected)

    def test_results_that_every_rank_has_alike(self):
        """Branches on a value, numbers and shapes that are neither rows nor a loss; a number that changes is compiled once."""
        model = torch.nn.Linear(20, 5)

        def forward(x):
            h = model(x)
            if h.sum() > 0:
                h = h * 2
            scale = h.mean().item()
            torch._dynamo.graph_break()
            return (h * scale).T, (h > 0).sum(0), h.mean(0), h.argmax()
        for ranks in (1, 2):
            torch._dynamo.reset()
            count, compute = len(backend.compiled), torch.compile(forward, backend=backend.ds, options={"ranks": ranks})
            for x, _ in batches(6, 20):
                with warnings.catch_warnings(action="ignore"):  # rows are gathered where they are results in another order
                    got, expected = compute(x), forward(x)
                for a, b in zip(got, expected, strict=True):
                    torch.testing.assert_close(a, b)
                gradients = [torch.autograd.grad(found[0].sum() + found[2].pow(2).sum(), model.parameters()) for found in (got, expected)]
                for a, b in zip(*gradients, strict=True):
                    torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-6)
            self.assertLess(len(backend.compiled), count + 8)

    def test_shapes_that_change(self):
        sizes = [8, 8, 4, 8, 5, 2]  # 5 samples run on one rank
        data = [(x[:size], y[:size]) for size, (x, y) in zip(sizes, batches(6, 20))]
        self.beside(lambda model: torch.compile(model, backend=backend.ds, options={"ranks": 2}), self.normed(), data)

    def test_dropout_has_the_same_masks_in_both_halves(self):
        """The gradient of a sum over what dropout has kept is what the sum is of."""
        weight = torch.nn.Parameter(torch.ones(8, 20))
        for ranks in (1, 2):
            torch._dynamo.reset()
            compute = torch.compile(lambda x: F.dropout(x * weight[0], 0.5), backend=backend.ds, options={"ranks": ranks})
            for _ in range(2):
                weight.grad = None
                x = torch.rand(8, 20)
                found = compute(x)
                found.sum().backward()
                self.assertGreater(int((found == 0).sum()), 30)
                torch.testing.assert_close(weight.grad[0], found.detach().sum(0))

    def halves(self, model, ranks=2):
        compute = torch.compile(model, backend=backend.ds, options={"ranks": ranks})
        return compute, lambda: backend.compiled[-1]

    def expect_gradients(self, model, expected):
        for (name, parameter), gradient in zip(model.named_parameters(), expected, strict=True):
            torch.testing.assert_close(parameter.grad, gradient, rtol=1e-5, atol=1e-6, msg=lambda text: f"{name}: {text}")

    def test_backward_reads_what_forward_has_saved(self):
        model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.GELU(), torch.nn.Linear(32, 5))
        other, (x, y) = copy.deepcopy(model), batches(1, 20)[0]
        compute, made = self.halves(model)
        F.cross_entropy(compute(x), y).backward()
        F.cross_entropy(other(x), y).backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])
        self.assertEqual([made().forward.mlir.count("linalg.matmul"), made().backward.mlir.count("linalg.matmul")], [2, 3])  # no product twice
        self.assertTrue(made().forward.gives_saved)

    def test_what_the_halves_divide_in_another_way_is_not_saved(self):
        """The heads of all samples in one dimension are not; what they are made of is, and what a step that writes buffers cannot compute again."""
        class Attends(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attend, self.head = torch.nn.MultiheadAttention(8, 2, batch_first=True), torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(8, 5))

            def forward(self, x):
                return self.head(x + self.attend(x, x, x, need_weights=False)[0]).mean(1)
        model = Attends()
        other, (x, y) = copy.deepcopy(model), batches(1, 5, 8)[0]
        compute, made = self.halves(model)
        for _ in range(2):
            for each, function in ((model, compute), (other, other)):
                each.zero_grad()
                F.cross_entropy(function(x), y).backward()
            self.expect_gradients(model, [p.grad for p in other.parameters()])
        for got, expected in zip(model.buffers(), other.buffers(), strict=True):
            torch.testing.assert_close(got, expected)
        self.assertIn([8, 2, 5, 5], [made().forward.instance.results[k]["global_shape"] for k in made().forward.gives_saved.values()])

    def test_passes_that_are_open_at_once(self):
        """Each has memory of its own, in whatever order the backward passes come; gradients add up."""
        for ranks in (1, 2):
            torch._dynamo.reset()
            model = self.normed()
            other, data = copy.deepcopy(model), batches(3, 20)
            compute, made = self.halves(model, ranks)
            for each, function in ((model, compute), (other, other)):
                losses = [F.cross_entropy(function(x), y) for x, y in data]
                for k in (1, 0, 2):
                    losses[k].backward()
            self.expect_gradients(model, [p.grad for p in other.parameters()])
            self.assertEqual(len(made().saved.free), 3)

    def test_memory_is_used_again(self):
        model, (x, y) = self.normed(), batches(1, 20)[0]
        compute, made = self.halves(model)
        for _ in range(20):
            loss = F.cross_entropy(compute(x), y)  # the one before lives until here, its gradients are known
            loss.backward()
        self.assertEqual(len(made().saved.free), 1)
        kept = F.cross_entropy(compute(x), y)
        self.assertEqual(len(made().saved.free), 0)
        del kept  # without a backward pass
        self.assertEqual(len(made().saved.free), 1)

    def test_a_pass_that_is_kept_goes_back_twice(self):
        model, data = self.normed(), batches(2, 20)
        other = copy.deepcopy(model)
        compute, _ = self.halves(model)
        for each, function in ((model, compute), (other, other)):
            loss = F.cross_entropy(function(data[0][0]), data[0][1])
            loss.backward(retain_graph=True)
            F.cross_entropy(function(data[1][0]), data[1][1]).backward()
            loss.backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])
        with self.assertRaisesRegex(RuntimeError, "second time"):
            loss.backward()

    def test_what_is_saved_may_be_kept_elsewhere(self):
        """As checkpoints and offloading do it."""
        model, (x, y) = self.normed(), batches(1, 20)[0]
        other = copy.deepcopy(model)
        compute, made = self.halves(model)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: torch.cat([t.new_zeros(1), t.flatten()])[1:].view(t.shape)):
            loss = F.cross_entropy(compute(x), y)
        self.assertEqual(len(made().saved.free), 1)
        compute(x + 1)
        loss.backward()
        F.cross_entropy(other(x), y).backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])

    def test_parameters_that_move_and_what_is_not_dense(self):
        model, (x, y) = torch.nn.Linear(64, 64, bias=False), batches(1, 128)[0]
        compute, _ = self.halves(model)
        for change in (lambda: None, lambda: setattr(model.weight, "data", torch.randn(64 * 64 + 1)[1:].view(64, 64)), lambda: setattr(model.weight, "data", torch.randn(64, 64))):
            change()
            model.weight.grad = None
            given = x[:, ::2]
            compute(given).square().sum().backward()
            expected, = torch.autograd.grad(model(given).square().sum(), [model.weight])
            torch.testing.assert_close(model.weight.grad, expected, rtol=1e-5, atol=1e-4)

    def test_shapes_of_open_passes(self):
        model = self.normed()
        other = copy.deepcopy(model)
        data = [(x[:size], y[:size]) for size, (x, y) in zip((8, 4, 6), batches(3, 20))]
        compute, _ = self.halves(model)
        for function in (compute, other):
            losses = [F.cross_entropy(function(x), y) for x, y in data]
            for loss in losses:
                loss.backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])

    def test_evaluation_between_the_halves(self):
        model, data = self.normed(), batches(2, 20)
        other = copy.deepcopy(model)
        compute, _ = self.halves(model)
        for each, function in ((model, compute), (other, other)):
            loss = F.cross_entropy(function(data[0][0]), data[0][1])
            each.eval()
            with torch.no_grad():
                function(data[1][0])
            F.cross_entropy(function(data[1][0]), data[1][1]).backward()  # gradients of an evaluation, too
            each.train()
            loss.backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])

    def test_second_derivatives_are_refused(self):
        model, (x, y) = self.normed(), batches(1, 20)[0]
        for function in (model, lambda x: F.cross_entropy(model(x), y)):
            torch._dynamo.reset()
            found = torch.compile(function, backend=backend.ds, options={"ranks": 2})(x)
            with self.assertRaisesRegex(RunError, "has first derivatives alone, expected backward without create_graph=True"):
                torch.autograd.grad(found.sum(), list(model.parameters()), create_graph=True)

    def test_an_evaluation_runs_in_pytorch(self):
        model = torch.nn.Linear(20, 5)
        count = len(backend.compiled)
        with torch.no_grad():
            torch.compile(model, backend=backend.ds)(torch.randn(3, 20))
        self.assertEqual(len(backend.compiled), count)

    def test_what_cannot_be_carried_is_a_sentence(self):
        model = torch.nn.Linear(20, 5)
        x, y = batches(1, 20)[0]

        def refused(function, *arguments, options=None):
            torch._dynamo.reset()
            with self.assertRaises(Exception) as caught:
                torch.compile(function, backend=backend.ds, options=options or {})(*arguments)
            return str(caught.exception)

        self.assertRegex(refused(lambda x: model(x.mul_(2)), x.clone()), r"the compiled function writes 'x' at .*test_torch_backend.py:\d+, expected a function that writes buffers "
                                                                         r"alone; write a copy, such as its clone\(\)")
        loss = lambda model, x, y: F.cross_entropy(model(x), y)
        with unittest.mock.patch.dict(os.environ, {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}):
            self.assertIn("ranks=1 is the number of ranks of the job, but mpirun has started 2 processes",
                          refused(loss, model, x, y, options={"ranks": 1}))
        self.assertIn("options= has 'rank', expected ranks, config, shapes, device, allow_outside and compare", refused(loss, model, x, y, options={"rank": 2}))


if __name__ == "__main__":
    unittest.main()

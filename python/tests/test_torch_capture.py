"""The check of a capture: scripts that break an assumption are named, what a step can carry trains as PyTorch does, and
the user's objects stay as they were."""
import copy
import inspect
import random
import re
import types
import unittest

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.frontend import FrontendError
from dstep.torch.verify.beside import mixed
from dstep.torch.verify.judge import Moved as _Moved
import torch_loop_plants  # noqa: F401 (it adds its plants to PLANTS)
from torch_plants import PLANTS, Net, sgd


def batches(count=3):
    return [(torch.randn(8, 6), torch.randint(0, 5, (8,))) for _ in range(count)]


class Plants(unittest.TestCase):
    def test_each_is_named(self):
        for name, (plant, sentence) in PLANTS.items():
            with self.subTest(name):
                torch.manual_seed(0)
                lines, first = inspect.getsourcelines(plant)
                here = [f"{inspect.getsourcefile(plant)}:{first + i}"
                        for i, line in enumerate(lines) if line.rstrip().endswith("# HERE")]
                model, optimizer, loss_fn, options = plant()
                (x, y), = batches(1)
                batch = {"x": x, "y": y} if "batch" in inspect.signature(loss_fn).parameters else (x, y)
                before = {n: v.clone() for n, v in model.state_dict().items()}
                with self.assertRaises(FrontendError) as raised:
                    ds.torch.export(model, optimizer, loss_fn, batch, **options)
                self.assertRegex(str(raised.exception), sentence.replace("HERE", re.escape(here[0]) if here else ""))
                self.assertEqual(str(raised.exception).count("\n"), 0)
                for n, value in model.state_dict().items():
                    self.assertTrue(torch.equal(value, before[n]), n)

    def test_unchecked_on_request(self):
        model, optimizer, loss_fn, _ = PLANTS["hidden_state"][0]()
        ds.torch.export(model, optimizer, loss_fn, batches(1)[0], verify="off")
        self.assertIsNone(model.before)
        with self.assertRaisesRegex(FrontendError, "verify is 'twice', expected 'capture' or 'off'"):
            ds.torch.export(model, optimizer, loss_fn, batches(1)[0], verify="twice")


class Carried(unittest.TestCase):
    """Hooks and writes that the step does as PyTorch does. The check would say if it did not; the recording is made by
    another copy of the model."""

    def carried(self, model, optimizer=None, loss_fn=F.cross_entropy, clip=None):
        optimizer, steps = optimizer or sgd(model), batches()
        exported = ds.torch.export(model, optimizer, loss_fn, steps[0], clip=clip)
        *_, recorded = exported.train(steps)
        for x, y in steps:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            if clip:
                clip(list(model.parameters()))
            optimizer.step()
        for name, value, array in zip(exported.capture.parameters, model.parameters(), recorded):
            np.testing.assert_allclose(array, value.detach().numpy(), rtol=1e-5, atol=1e-6, err_msg=name)
        return exported

    def setUp(self):
        torch.manual_seed(0)

    def test_hooks_of_parameters(self):
        model = Net()
        model.a.weight.register_hook(lambda g: g * 0.1)
        model.a.weight.register_hook(lambda g: g.clamp(-0.01, 0.01))
        model.a.bias.register_hook(lambda g: None)
        model.b.weight.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", p.grad * 0.5))
        self.carried(model)

    def test_hooks_of_modules_and_of_values(self):
        model = Net()
        model.a.register_forward_pre_hook(lambda module, inputs: (inputs[0] * 2,))
        model.a.register_forward_hook(lambda module, inputs, output: output + 1)
        model.b.register_full_backward_hook(lambda module, inner, outer: (inner[0] * 0.5,))
        model.b.register_full_backward_pre_hook(lambda module, outer: (outer[0].clamp(-0.1, 0.1),))
        model.a.register_forward_hook(lambda module, inputs, output: output.register_hook(lambda g: g * 3) and None)
        self.carried(model)

    def test_hooks_of_the_optimizer(self):
        model = Net()
        optimizer = sgd(model, momentum=0.9)

        def normalised(optimizer, arguments, options):
            for group in optimizer.param_groups:
                for p in group["params"]:
                    p.grad.div_(p.grad.norm() + 1e-3)

        def clamped(optimizer, arguments, options):
            with torch.no_grad():
                for group in optimizer.param_groups:
                    for p in group["params"]:
                        p.clamp_(-0.3, 0.3)
        optimizer.register_step_pre_hook(normalised)
        optimizer.register_step_post_hook(clamped)
        torch.optim.lr_scheduler.StepLR(optimizer, 2)  # its own wrapper changes nothing
        self.carried(model, optimizer)

    def test_a_momentum_encoder_in_every_way_of_writing(self):
        def data(k, q):
            k.data = k.data * 0.9 + q.data * 0.1

        def in_place(k, q):
            k.mul_(0.9).add_(q, alpha=0.1)

        def data_in_place(k, q):
            k.data.mul_(0.9).add_(q.data, alpha=0.1)

        def copied(k, q):
            k.data.copy_(k * 0.9 + q * 0.1)

        def lerped(k, q):
            k.lerp_(q.detach(), 0.1)

        for write in (data, in_place, data_in_place, copied, lerped):
            class Encoder(Net):
                def __init__(self):
                    super().__init__()
                    self.k = nn.Linear(6, 8).requires_grad_(False)

                def forward(self, x):
                    with torch.no_grad():
                        for k, q in zip(self.k.parameters(), self.a.parameters()):
                            write(k, q)
                    return self.b(torch.tanh(self.a(x)) * self.k(x))
            with self.subTest(write.__name__):
                self.carried(Encoder())

    def test_weights_that_forward_clips(self):
        class Clipped(Net):
            def forward(self, x):
                for p in self.parameters():
                    p.data.clamp_(-0.2, 0.2)
                self.a.weight.data = self.a.weight.data * 0.9
                return super().forward(x)
        self.carried(Clipped())

    def test_clipping_that_knows_the_model(self):
        model = Net()

        def clip(parameters):
            nn.utils.clip_grad_norm_(model.a.parameters(), 0.05)
            for name, p in model.named_parameters():
                if name.startswith("b."):
                    p.grad = p.grad * 0.5
        self.carried(model, clip=clip)

    def test_a_loss_that_knows_the_model(self):
        """A penalty of all parameters, of which some have no other gradient, and statistics of another call of the
        model."""
        torch.manual_seed(0)
        model = Net()
        model.unused, model.bn = nn.Linear(3, 3), nn.BatchNorm1d(6)

        def loss_fn(scores, y):
            return F.cross_entropy(scores, y) + model.bn(model.unused.weight.new_ones(2, 6)
                                                         * y[:2, None]).mean() + 1e-2 * sum(p.square().sum()
                                                                                            for p in model.parameters())

        exported = self.carried(model, torch.optim.Adam(model.parameters(), 0.02), loss_fn)
        self.assertIn("unused.bias", exported.capture.trained)
        self.assertIn("bn.running_mean", exported.capture.changing)

    def test_clipping_with_noise(self):
        model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.5), nn.Linear(8, 5))

        def clip(parameters):
            nn.utils.clip_grad_norm_(parameters, 0.1)
            for p in parameters:
                p.grad += 0.1 * torch.randn(p.shape)
        exported = ds.torch.export(model, sgd(model), F.cross_entropy, batches()[0], clip=clip)
        self.assertIn("seed", [a["role"] for a in exported.manifest["args"]])
        plain = ds.torch.export(model, sgd(model), F.cross_entropy, batches()[0])
        self.assertFalse(np.array_equal(next(exported.train(batches(1)))[0], next(plain.train(batches(1)))[0]))

    def test_spectral_norms_and_layers_that_are_compiled(self):
        """The weight of the old one is an attribute, another name of its parameter's memory."""
        norm = nn.utils.spectral_norm
        self.carried(nn.Sequential(norm(nn.Linear(6, 8)), nn.LeakyReLU(), norm(nn.Linear(8, 5))))
        model = Net()
        model.a = torch.compile(model.a, backend="aot_eager")
        self.carried(model)

    def test_a_layer_that_forward_copies(self):
        class Copying(Net):
            def forward(self, x):
                return super().forward(x) + self.b(copy.deepcopy(self.a).requires_grad_(False)(x))
        self.carried(Copying())

    def test_an_optimizer_of_two(self):
        """Each of which opens a range for the profiler, as forward does."""
        class Both(torch.optim.Optimizer):
            def __init__(self, *parts):
                self.parts = parts
                super().__init__([p for part in parts for p in part.param_groups[0]["params"]], {})
                self.param_groups = [group for part in parts for group in part.param_groups]

            def step(self):
                for part in self.parts:
                    part.step()

        class Measured(Net):
            def forward(self, x):
                with torch.profiler.record_function("forward"):
                    return super().forward(x)
        model = Measured()
        self.carried(model, Both(torch.optim.Adam(model.a.parameters(), 0.01), sgd(model.b, momentum=0.9)))

    def test_operations_of_many_tensors(self):
        """In an optimizer, in clipping, and in an average of parameters."""
        class Signs(torch.optim.Optimizer):
            @torch.no_grad()
            def step(self):
                for group in self.param_groups:
                    parameters, gradients = [[getattr(p, kind) for p in group["params"] if p.grad is not None]
                                             for kind in ("data", "grad")]
                    kept = [self.state[p].setdefault("average", torch.zeros_like(p))
                            for p in group["params"] if p.grad is not None]
                    steps = torch._foreach_sign(torch._foreach_add(torch._foreach_mul(kept, 0.9), gradients, alpha=0.1))
                    torch._foreach_add_(parameters, steps, alpha=-group["lr"])
                    torch._foreach_lerp_(kept, gradients, 0.5)

        class Both(nn.Module):
            def __init__(self):
                super().__init__()
                self.student, self.teacher = Net(), Net().requires_grad_(False)

            def forward(self, x):
                with torch.no_grad():
                    torch._foreach_lerp_(list(self.teacher.parameters()), list(self.student.parameters()), 0.1)
                return self.student(x) + self.teacher(x)
        model = Both()
        self.carried(model, Signs(model.parameters(), {"lr": 0.01}),
                     clip=lambda ps: nn.utils.clip_grad_norm_([p for p in ps if p.grad is not None], 0.1, foreach=True))

    def test_statistics_that_are_the_mean_of_all_batches(self):
        self.carried(nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8, momentum=None), nn.Linear(8, 5)))

    def test_what_is_only_watched(self):
        class Watched(Net):
            calls, seen, longest, mask = 0, (), 0, None
            history = []

            def forward(self, x):
                self.calls += 1
                self.history.append(x.mean())
                if self.longest < x.shape[1]:  # caches, which change once
                    self.longest, self.mask = x.shape[1], torch.linspace(1, 2, x.shape[1])
                x = x * self.mask
                self.last = torch.tanh(self.a(x))
                self.seen = (*self.seen, self.last.detach().mean())
                return self.b(self.last)
        self.carried(Watched())


class Batches(unittest.TestCase):
    def test_the_other_batch_is_valid(self):
        """Rows stay together, whole numbers whole, and fractions between those of two rows."""
        batch = {"x": torch.rand(4, 3), "y": torch.arange(4), "mask": torch.tensor([[1.0], [0.0], [1.0], [0.0]]),
                 "three": torch.arange(12).view(12, 1)}
        made = mixed(batch)
        self.assertEqual(made["y"].tolist(), [3, 0, 1, 1])
        self.assertEqual(made["three"].flatten().tolist(), [9, 10, 11, 0, 1, 2, 3, 4, 5, 3, 4, 5])
        self.assertEqual(made["mask"].flatten().tolist(), [0, 1, 0, 0])
        torch.testing.assert_close(made["x"], 0.9 * batch["x"][[3, 0, 1, 1]] + 0.1 * batch["x"])
        torch.testing.assert_close(mixed({"x": torch.full((1, 2), 0.5)})["x"], torch.full((1, 2), 0.475))


class Objects(unittest.TestCase):
    """Model, optimizer and generators are bit for bit what they were, after an export that succeeds and after one that
    fails."""

    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            layer = nn.Linear(6, 6)
            self.layers, self.o, self.calls, self.kept = nn.ModuleList([layer, layer, layer]), nn.Linear(6, 5), 0, []
            self.same, self.norm = self.layers, nn.BatchNorm1d(6)

        def forward(self, x):
            self.calls += 1
            self.kept.append(x.detach())
            for layer in self.layers:
                self.last = x = torch.tanh(layer(self.norm(x)))
            self.extra = nn.Identity()
            return self.o(x)

    def state(self, model, optimizer):
        tensors = {n: v for n, v in [*model.named_parameters(remove_duplicate=False), *model.named_buffers()]}
        return ({n: (id(v), type(v), v.data_ptr(), v.tolist(), v.requires_grad, v.grad) for n, v in tensors.items()},
                sorted(vars(model)), model.calls,
                list(map(id, model.kept)), [n for n, _ in model.named_modules(remove_duplicate=False)],
                str(optimizer.state_dict()), sorted(vars(optimizer)),
                torch.get_rng_state().tolist(), random.getstate(), str(np.random.get_state()))

    def test_after_an_export(self):
        torch.manual_seed(0)
        model = self.Shared()
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.randn(8, 6)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        steps = batches(1)
        before = self.state(model, optimizer)
        ds.torch.export(model, optimizer, F.cross_entropy, steps[0])
        self.assertEqual(before, self.state(model, optimizer))

        def fails(scores, labels):
            raise ValueError("not today")
        with self.assertRaisesRegex(ValueError, "not today"):
            ds.torch.export(model, optimizer, fails, steps[0])
        self.assertEqual(before, self.state(model, optimizer))

        def asks(scores, labels):
            return scores.mean() * float(scores.sum() > 0)
        with self.assertRaisesRegex(FrontendError, "asks for the value"):
            ds.torch.export(model, optimizer, asks, steps[0])
        self.assertEqual(before, self.state(model, optimizer))

    def test_a_second_look_moves_values_of_every_precision(self):
        """What tells a gradient that is rounding alone from a wrong one."""
        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            with self.subTest(dtype):
                unit = torch.finfo(dtype).eps
                moved = _Moved(types.SimpleNamespace(precision=unit), [], [], {})
                shaken = moved._shaken(torch.ones(64, dtype=dtype), torch.Generator().manual_seed(0))
                self.assertGreater(int((shaken != 1).sum()), 32)
                self.assertLess(float((shaken - 1).abs().max()), 5 * unit)


if __name__ == "__main__":
    unittest.main()

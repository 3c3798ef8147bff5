"""What runs forward twice, and what a step keeps: checkpoints, buffers, and optimizers of somebody else, captured and
beside PyTorch's own loop."""
import os
import shutil
import threading
import unittest

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives
import torch.nn.functional as F
from torch import nn
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

import dstep as ds
from dstep.frontend import FrontendError
from torch_eager import MLP, batches, beside, sgd


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)


class Checkpointed(nn.Module):
    """`how(block, x)` runs a block."""

    def __init__(self, how, *layers):
        super().__init__()
        self.first, self.block, self.last, self.how = nn.Linear(3, 3), nn.Sequential(*layers), nn.Linear(3, 2), how

    def forward(self, x):
        return self.last(self.how(self.block, self.first(x)))


class Function(torch.autograd.Function):
    """guided-diffusion's: parameters are arguments, and their gradients are returned."""

    @staticmethod
    def forward(context, run, length, *arguments):
        context.run, context.inputs, context.parameters = run, list(arguments[:length]), list(arguments[length:])
        with torch.no_grad():
            return context.run(*context.inputs)

    @staticmethod
    def backward(context, *gradients):
        inputs = [x.detach().requires_grad_() for x in context.inputs]
        with torch.enable_grad():
            result = context.run(*[x.view_as(x) for x in inputs])
        return None, None, *torch.autograd.grad(result, inputs + context.parameters, gradients, allow_unused=True)


class Writing(torch.autograd.Function):
    """A reversible layer's: backward runs the layer again and leaves the gradients of its parameters in `.grad`."""

    @staticmethod
    def forward(context, x, run):
        context.run, context.state = run, torch.get_rng_state()
        context.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(context, gradient):
        x = context.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.set_rng_state(context.state)
            context.run(x).backward(gradient)
        return x.grad, None


HOW = {"once": lambda block, x: block(x), "reentrant": lambda block, x: checkpoint(block, x, use_reentrant=True),
       "hooks": lambda block, x: checkpoint(block, x, use_reentrant=False),
       "sequential": lambda block, x: checkpoint_sequential(block, 2, x, use_reentrant=False),
       "nested": lambda block, x: checkpoint(lambda v: checkpoint(block, v, use_reentrant=False), x,
                                             use_reentrant=False),
       "writing": lambda block, x: Writing.apply(x, block)}


class Checkpoints(Case):
    def test_later_steps_recompute_with_their_own_parameters(self):
        """And with the masks of the first pass, which are those of a step without a checkpoint."""
        for layers in (lambda: (nn.Linear(3, 3), nn.Dropout(0.5), nn.Tanh(), nn.Dropout1d(0.5)),
                       lambda: (nn.Linear(3, 3), nn.Tanh())):
            found = {}
            for name, how in HOW.items():
                with self.subTest(name):
                    torch.manual_seed(0)
                    model = Checkpointed(how, *layers())
                    found[name] = beside(model, sgd(model), batches(3), random=True)[1]
            for name, model in found.items():
                for one, other in zip(model.parameters(), found["once"].parameters()):
                    torch.testing.assert_close(one, other, msg=lambda said: f"{name}: {said}")

    def test_running_statistics_count_both_passes_as_pytorch_does(self):
        for layers in (lambda: (nn.Linear(3, 3), nn.BatchNorm1d(3)),
                       lambda: (nn.BatchNorm1d(3), nn.Tanh(), nn.Linear(3, 3))):
            for name in ("once", "reentrant", "hooks"):
                with self.subTest(name):
                    torch.manual_seed(0)
                    model = Checkpointed(HOW[name], *layers())
                    _, trained, _ = beside(model, sgd(model), batches(3))
                    tracked = next(b for n, b in trained.named_buffers() if "tracked" in n)
                    self.assertEqual(int(tracked), 3 if name == "once" else 6)

    def test_a_function_whose_backward_reads_the_module(self):
        model = Checkpointed(lambda block, x: Function.apply(block, 1, x, *block.parameters()), nn.Linear(3, 3),
                             nn.Tanh())
        beside(model, sgd(model), batches(3))

    def test_a_seed_that_forward_gives_begins_a_stream(self):
        """The same mask in all steps; the seed that torch.seed() drew is that of a step."""
        class Seeded(MLP):
            def forward(self, x):
                seed = torch.seed()
                drawn = torch.rand(3)
                torch.manual_seed(seed)
                again = torch.rand(3)
                torch.manual_seed(11)
                return super().forward(x + torch.where(drawn == again, torch.rand(3), torch.full((), 100.0)))
        model = Seeded()
        state = torch.get_rng_state()
        beside(model, sgd(model), [(torch.zeros(6, 3), torch.zeros(6, dtype=torch.int64))] * 3, random=True)
        self.assertTrue(torch.equal(torch.get_rng_state(), state))
        with ds.torch.functions.StepFunctions(torch.zeros(2, dtype=torch.int32)):
            one = model(torch.zeros(1, 3))
        with ds.torch.functions.StepFunctions(torch.ones(2, dtype=torch.int32)):
            self.assertTrue(torch.equal(model(torch.zeros(1, 3)), one))


class Peak(nn.Module):
    def __init__(self, write):
        super().__init__()
        self.layer, self.write = nn.Linear(3, 2), write
        self.register_buffer("peak", torch.zeros(()))

    def forward(self, x):
        self.write(self, torch.maximum(self.peak, x.detach().max()))
        return self.layer(x) / (1 + self.peak)


class Buffers(Case):
    def test_a_buffer_is_a_state_if_forward_writes_it(self):
        """The first batch leaves it as it was."""
        steps = [(-torch.rand(6, 3), torch.zeros(6, dtype=torch.int64)), *batches(2)]
        for name, write in {"assigned": lambda m, v: setattr(m, "peak", v), "copy_": lambda m, v: m.peak.copy_(v),
                            "data": lambda m, v: m.peak.data.copy_(v),
                            "view": lambda m, v: m.peak.view(1).copy_(v.view(1)),
                            "detach": lambda m, v: m.peak.detach().fill_(v),
                            "out": lambda m, v: torch.maximum(m.peak, v, out=m.peak)}.items():
            with self.subTest(name):
                model = Peak(write)
                capture, _, _ = beside(model, sgd(model), steps)
                self.assertEqual(capture.changing, ["peak"])

    def test_statistics_of_an_example_of_zeros(self):
        model = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 2))
        beside(model, sgd(model), [(torch.zeros(6, 3), torch.zeros(6, dtype=torch.int64)), *batches(2)])

    def test_a_spectral_norm_of_one_row(self):
        for norm in (nn.utils.spectral_norm, nn.utils.parametrizations.spectral_norm):
            model = nn.Sequential(norm(nn.Linear(3, 1)), nn.Linear(1, 2))
            beside(model, sgd(model, 0.1), batches(3))

    def test_what_is_made_of_a_constant_buffer_may_be_written(self):
        class Norm(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(3, 2)
                self.register_buffer("mean", torch.zeros(2))

            def forward(self, x):
                mean, scale = self.mean.repeat(2), self.mean.repeat(2) + 1
                y = F.batch_norm(self.layer(x).view(-1, 4), mean, scale, None, None, True, 0.1)
                return y.view(-1, 2) + mean[:2]
        model = Norm()
        capture, _, _ = beside(model, sgd(model), batches(3))
        self.assertEqual(capture.changing, [])

    def test_a_frozen_parameter_that_forward_writes(self):
        class Moving(MLP):
            def forward(self, x):
                with torch.no_grad():
                    self.b.weight.mul_(0.5).add_(self.a.weight.mean() + 1)
                return super().forward(x)
        model = Moving()
        model.b.requires_grad_(False)
        beside(model, sgd(model), batches(3))

    def test_a_trained_parameter_that_forward_writes(self):
        class Normalised(MLP):
            def forward(self, x):
                with torch.no_grad():
                    self.b.weight.copy_(F.normalize(self.b.weight, dim=1))
                return super().forward(x)
        model = Normalised()
        beside(model, sgd(model, momentum=0.9), batches(3))

    def test_a_tensor_that_is_no_buffer_is_named(self):
        class Counting(MLP):
            def __init__(self):
                super().__init__()
                self.total = torch.zeros(3)

            def forward(self, x):
                self.total.add_(x.detach().mean(0))
                return super().forward(x + self.total)
        model = Counting()
        with self.assertRaisesRegex(FrontendError, r"writes a tensor at .*test_torch_kinds.py:\d+ that it does not "
                                    r"carry, expected a parameter or buffer"):
            ds.torch.export(model, sgd(model), F.cross_entropy, batches(1)[0])


class Processes(Case):
    """What a script says about the other ranks."""

    def synchronised(self, norm):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 4), norm(4), nn.Tanh(), nn.Linear(4, 2))
        return model, sgd(model)

    def test_statistics_of_all_ranks(self):
        """In a step of the whole batch SyncBatchNorm is BatchNorm."""
        steps = batches(3, size=8)
        _, expected, _ = beside(*self.synchronised(nn.SyncBatchNorm), steps)
        if not (os.environ.get("DS_RUN") or shutil.which("ds-run")):
            self.skipTest("ds-run is neither named by DS_RUN nor on PATH")
        model, optimizer = self.synchronised(nn.SyncBatchNorm)
        ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2,
                               config={"batch": "local", "gradients_mean": True}).run(steps)
        for (name, value), wanted in zip(model.state_dict().items(), expected.state_dict().values()):
            torch.testing.assert_close(value, wanted, msg=lambda said: f"{name}: {said}")

    def test_collectives_are_refused_with_their_line(self):
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        self.addCleanup(dist.destroy_process_group)
        calls = {"allreduce": lambda n: dist.all_reduce(n),
                 "allgather": lambda n: dist.all_gather([torch.zeros_like(n)], n),
                 "broadcast": lambda n: dist.broadcast(n, 0),
                 "all_reduce": lambda n: dist._functional_collectives.all_reduce(n, "sum", dist.group.WORLD)}
        for name, call in calls.items():
            with self.subTest(name):
                def loss_fn(scores, y):
                    count = (y >= 0).sum().float()
                    call(count)
                    return F.cross_entropy(scores, y, reduction="sum") / count
                model = MLP()
                with self.assertRaisesRegex(FrontendError, rf"'{name}' at .*test_torch_kinds.py:\d+ combines values of "
                                            r"several processes, expected a step of one device"):
                    ds.torch.export(model, sgd(model), loss_fn, batches(1)[0])
        beside(*self.synchronised(nn.SyncBatchNorm), batches(2), random=True)  # PyTorch's own wants a GPU now

    def test_statistics_of_some_ranks_are_refused(self):
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=4)
        self.addCleanup(dist.destroy_process_group)
        norm = lambda ranks: lambda n: nn.SyncBatchNorm(n, process_group=dist.new_group(ranks))
        with self.assertRaisesRegex(FrontendError, "a SyncBatchNorm meets in a group of 2 of 4 processes, expected all "
                                    "of them"):
            ds.torch.export(*self.synchronised(norm([0, 1])), F.cross_entropy, batches(1)[0])
        beside(*self.synchronised(norm([0, 1, 2, 3])), batches(2), random=True)

    def test_what_cannot_be_copied_is_shared(self):
        """A lock, a file and a module of Python, of the model and of an optimizer of the user's own."""
        class Holding(MLP):
            def __init__(self):
                super().__init__()
                self.lock, self.log, self.functions = threading.Lock(), open(os.devnull, "w"), F

            def forward(self, x):
                with self.lock:
                    return super().forward(self.functions.normalize(x))

        class Locked(torch.optim.SGD):
            lock = property(lambda self: self.held)

            def step(self):
                with self.lock:
                    return super().step()
        model = Holding()
        self.addCleanup(model.log.close)
        optimizer = Locked(model.parameters(), 0.1, momentum=0.9)
        optimizer.held = model.lock
        beside(model, optimizer, batches(3))
        optimizer.rates = (1 / n for n in range(1, 9))
        with self.assertRaisesRegex(FrontendError, "a generator cannot be copied, expected a list"):
            ds.torch.export(model, optimizer, F.cross_entropy, batches(1)[0])


if __name__ == "__main__":
    unittest.main()

"""torch.compile on GPUs that are not there: what forward saves stays on the device, nothing is computed twice, and what
is copied is counted."""
import copy
import unittest

import gpu

import torch
import torch.nn.functional as F
from torch import nn

from dstep.session.run import RunError
from dstep.torch import backend


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                                    nn.Flatten(), nn.Dropout(0.5), nn.Linear(64, 5))

    def forward(self, x):
        return self.layers(x.unflatten(1, (2, 8, 8)))


def batches(count, width=20):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(8, width, generator=generator), torch.randint(0, 5, (8,), generator=generator))
            for _ in range(count)]


def mlp():
    return nn.Sequential(nn.Linear(20, 32), nn.GELU(), nn.Linear(32, 5))


def normed():
    return nn.Sequential(nn.Linear(20, 32, bias=False), nn.BatchNorm1d(32), nn.GELU(), nn.Linear(32, 5))


@unittest.skipUnless(gpu.IS_THERE, "the fake driver is not built")
class Halves(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        self.driver = gpu.Driver()

    def halves(self, model, ranks=1, device="cuda"):
        torch._dynamo.reset()
        compute = torch.compile(model, backend="dstep", options={"ranks": ranks, "device": device})
        return compute, lambda: backend.compiled[-1]

    def work(self, run):
        """What the devices do while run() runs, without what they do not."""
        before = self.driver.work()
        run()
        return {kind: count - before[kind] for kind, count in self.driver.work().items() if count != before[kind]}

    def expect_gradients(self, model, expected):
        for (name, parameter), gradient in zip(model.named_parameters(), expected, strict=True):
            torch.testing.assert_close(parameter.grad, gradient, rtol=1e-5, atol=1e-6,
                                       msg=lambda text: f"{name}: {text}")

    def test_training_is_the_cpus(self):
        for make, width in ((mlp, 20), (normed, 20), (Images, 128)):
            found = []
            for ranks, device in ((2, "cpu"), (1, "cuda"), (2, "cuda:1,3")):
                torch.manual_seed(0)
                model = make()
                compute, made = self.halves(model, ranks, device)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
                losses = []
                for x, y in batches(4, width):
                    optimizer.zero_grad()
                    loss = F.cross_entropy(compute(x), y)
                    loss.backward()
                    optimizer.step()
                    losses.append(loss.item())
                self.assertTrue(made().forward.gives_saved)
                found.append((losses, dict(model.state_dict())))
            for other in found[1:]:
                torch.testing.assert_close(other, found[0], rtol=1e-4, atol=1e-5)

    def test_nothing_is_computed_twice_and_what_is_copied(self):
        model, data = mlp(), batches(4)
        compute, made = self.halves(model)
        optimizer, kept = torch.optim.SGD(model.parameters(), lr=0.1), []
        forward = lambda x, y: kept.append(F.cross_entropy(compute(x), y))
        backward = lambda: kept.pop().backward()
        for x, y in data[:2]:
            forward(x, y)
            backward()
            optimizer.step()
        launches = {}
        for x, y in data[2:]:
            first = self.work(lambda: forward(x, y))
            launches["forward"] = first.pop("launch")
            # the samples and four parameters that the optimizer has written; what comes out
            self.assertEqual(first, {"to-device": 5, "to-host": 1, "product": 2})
            second = self.work(backward)
            launches["backward"] = second.pop("launch")
            # the gradient of what came out; those of the parameters
            self.assertEqual(second, {"to-device": 1, "to-host": 4, "product": 3})
            optimizer.step()
        optimizer.zero_grad()
        again = self.work(lambda: forward(*data[3]))
        # the same samples
        self.assertEqual(again, {"to-device": 4, "to-host": 1, "product": 2, "launch": launches["forward"]})
        backward()
        again = self.work(lambda: forward(*data[2]))  # gradients accumulate: no parameter has changed
        self.assertEqual(again, {"to-device": 1, "to-host": 1, "product": 2, "launch": launches["forward"]})
        self.assertEqual(self.work(backward),
                         {"to-device": 1, "to-host": 4, "product": 3, "launch": launches["backward"]})
        # A loss inside: one step, whose gradients are there when it has run.
        whole, loss_of = copy.deepcopy(model), lambda m, x, y: F.cross_entropy(m(x), y)
        compute_loss, _ = self.halves(loss_of)
        for x, y in data[:3]:
            one = self.work(lambda: compute_loss(whole, x, y).backward())
        self.assertEqual((one["to-device"], one["to-host"], one["product"]), (2, 5, 5))
        self.assertLessEqual(one["launch"], launches["forward"] + launches["backward"] + 2)

    def test_statistics_that_a_step_writes_stay(self):
        model, data = normed(), batches(4)
        compute, _ = self.halves(model)
        for x, y in data[:2]:
            F.cross_entropy(compute(x), y).backward()
        counts = [self.work(lambda: compute(x))["to-device"] for x, _ in data[2:]]
        with torch.no_grad():
            model[1].running_mean.data.mul_(0.5)  # which no version tells
        counts.append(self.work(lambda: compute(data[0][0]))["to-device"])
        self.assertEqual(counts, [1, 1, 2])

    def test_what_is_written_without_a_version_counts(self):
        model, (x, y) = mlp(), batches(1)[0]
        other, (compute, _) = copy.deepcopy(model), self.halves(model)
        shared = x.clone()
        for _ in range(3):
            for each, function in ((model, compute), (other, other)):
                each.zero_grad()
                F.cross_entropy(function(shared if each is model else x), y).backward()
                for p in each.parameters():
                    p.data -= 0.1 * p.grad
            x = x * 2
            shared.numpy()[:] = x.numpy()
        for p, q in zip(model.parameters(), other.parameters()):
            torch.testing.assert_close(p, q, rtol=1e-4, atol=1e-5)

    def test_passes_that_are_open_at_once(self):
        for ranks in (1, 2):
            model, data = normed(), batches(3)
            other, (compute, made) = copy.deepcopy(model), self.halves(model, ranks)
            for each, function in ((model, compute), (other, other)):
                losses = [F.cross_entropy(function(x), y) for x, y in data]
                for k in (1, 0, 2):
                    losses[k].backward()
                losses.clear()
            self.expect_gradients(model, [p.grad for p in other.parameters()])
            saved = made().saved
            self.assertEqual((len(saved.open), len(saved.aside)), (0, 0))
            self.assertLessEqual(len(saved.free), 3)

    def test_a_pass_that_ends_needs_no_memory_of_its_own(self):
        model, (x, y) = normed(), batches(1)[0]
        compute, made = self.halves(model)
        for _ in range(5):
            F.cross_entropy(compute(x), y).backward()
        for _ in range(3):
            compute(x)  # without a backward pass
        self.assertEqual((made().saved.free, made().saved.aside), ([], {}))
        self.assertNotIn("on-device", self.work(lambda: F.cross_entropy(compute(x), y).backward()))

    def test_a_pass_that_is_kept_goes_back_twice(self):
        model, data = normed(), batches(2)
        other, (compute, _) = copy.deepcopy(model), self.halves(model, 2)
        for each, function in ((model, compute), (other, other)):
            loss = F.cross_entropy(function(data[0][0]), data[0][1])
            loss.backward(retain_graph=True)
            F.cross_entropy(function(data[1][0]), data[1][1]).backward()
            loss.backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])

    def test_hooks_that_copy_what_is_saved(self):
        model, (x, y) = normed(), batches(1)[0]
        other, (compute, _) = copy.deepcopy(model), self.halves(model)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            losses = [F.cross_entropy(compute(x + k), y) for k in range(2)]
        with self.assertRaisesRegex(RunError, "is gone: the tensor that stands for it was replaced by a copy"):
            losses[0].backward()
        other(x)
        F.cross_entropy(other(x + 1), y).backward()
        losses[1].backward()  # the last one is in place
        self.expect_gradients(model, [p.grad for p in other.parameters()])

    def test_shapes_and_evaluation_between_the_halves(self):
        model, data = normed(), [(x[:size], y[:size]) for size, (x, y) in zip((8, 4, 6), batches(3))]
        other, (compute, _) = copy.deepcopy(model), self.halves(model)
        for each, function in ((model, compute), (other, other)):
            losses = [F.cross_entropy(function(x), y) for x, y in data]
            each.eval()
            with torch.no_grad():
                function(data[1][0])
            each.train()
            for loss in losses:
                loss.backward()
        self.expect_gradients(model, [p.grad for p in other.parameters()])


if __name__ == "__main__":
    unittest.main()

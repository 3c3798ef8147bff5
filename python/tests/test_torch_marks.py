"""ds.torch marks the gradient of each parameter that the optimizer updates, once, before clipping reads it."""
import copy
import unittest
from unittest import mock

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.torch.base import marks as annotations
from programs import communication, marks, program
from torch_models import ALL

RANKS = 4
DDP = {"batch": "local", "gradients_mean": True, "local_state": "mean"}


def exported(model, loss_fn, batch, optimizer=None, **options):
    return ds.torch.export(model, optimizer or torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, batch, **options)


def data(batch=8):
    return torch.randn(batch, 6), torch.randint(0, 3, (batch,))


def network():
    return nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3))


def unmarked():
    return mock.patch.object(annotations, "gradient", lambda gradient, param: gradient)


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)


class Marks(Case):
    def test_each_trained_parameter_has_one(self):
        for name in ("mlp", "dropout", "gpt"):  # gpt: tied weights, groups, clipping by the norm
            with self.subTest(name):
                torch.manual_seed(0)
                model, optimizer, loss_fn, batches, options = ALL[name]()
                found = marks(exported(model, loss_fn, batches[0], optimizer, **options).mlir)
                self.assertEqual(sorted(found), sorted(n for n, _ in model.named_parameters()))

    def test_what_does_not_train_has_none(self):
        model = network()
        model[0].weight.requires_grad_(False)
        model.register_parameter("unused", nn.Parameter(torch.ones(2)))
        optimizer = torch.optim.SGD([p for n, p in model.named_parameters() if n != "2.bias"], lr=0.1)
        self.assertEqual(sorted(marks(exported(model, F.cross_entropy, data(), optimizer).mlir)),
                         ["0.bias", "2.weight"])

    def test_microbatches_are_marked_when_they_are_summed(self):
        def loss_fn(model, batch):
            parts = zip(batch["x"].chunk(4), batch["y"].chunk(4))
            return sum(F.cross_entropy(model(x), y) for x, y in parts) / 4

        model, (x, y) = network(), data()
        found = marks(exported(model, loss_fn, {"x": x, "y": y}).mlir)
        self.assertEqual(sorted(found), sorted(n for n, _ in model.named_parameters()))

    def test_clipping_reads_the_marked_gradient(self):
        seen = mock.Mock()  # an export puts lists of the test back as they were

        def clip(parameters):
            seen([p.grad is not None for p in parameters])
            return torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=False)

        mlir = exported(network(), F.cross_entropy, data(), clip=clip, verify="off").mlir
        seen.assert_called_with([True] * 4)  # each time: when it is looked at, and when it is traced
        self.assertEqual({str(call) for call in seen.call_args_list}, {str(mock.call([True] * 4))})
        lines = [line.strip() for line in mlir.splitlines()]
        for line in [line for line in lines if " = ds.gradient " in line]:
            result, operand = line.split()[0], line.split()[3]
            readers = [other for other in lines if f"{operand}," in other or f"{operand} " in other
                       or f"{operand})" in other]
            self.assertEqual([other for other in readers if not other.startswith(operand) and other != line], [],
                             "reads past the mark")
            self.assertTrue(any(f"({result} :" in other or f"({result}," in other for other in lines))

    def test_a_mark_is_the_identity_where_pytorch_runs_the_graph(self):
        value = torch.randn(3)
        marked = annotations.gradient(value, "w")
        torch.testing.assert_close(marked, value, rtol=0, atol=0)
        self.assertNotEqual(marked.data_ptr(), value.data_ptr())


class Programs(Case):
    """Marks of the front end and marks of detection give programs that combine the same."""

    def check(self, name):
        model, optimizer, loss_fn, batches, options = ALL[name]()
        share = lambda tensor: tensor[:len(tensor) // RANKS]
        batch = {n: share(t) for n, t in batches[0].items()} if isinstance(batches[0],
                                                                           dict) else tuple(map(share, batches[0]))
        made = lambda: ds.torch.export(model, optimizer, loss_fn, batch, **options).mlir
        marked = made()
        with unmarked():
            detected = made()
        self.assertEqual((len(marks(marked)) > 0, marks(detected)), (True, []))
        if name == "variational":  # an orthogonal weight: what is cut cheapest is half of its gradient
            with self.assertRaisesRegex(AssertionError, "does not have the size of a gradient; mark the gradient"):
                program(detected, RANKS)
            return
        self.assertEqual(*(communication(program(mlir, RANKS)) for mlir in (marked, detected)))


for step in ALL:
    setattr(Programs, f"test_{step}", lambda self, name=step: self.check(name))


class DistributedDataParallel(Case):
    """`local` with the mean of gradients is what DistributedDataParallel does in each process."""

    def check(self, model, make, loss_fn, batches, config=DDP, **options):
        replicas = [copy.deepcopy(model) for _ in range(RANKS)]
        optimizers = [make(replica.parameters()) for replica in replicas]
        train = ds.torch.data_parallel(model, make(model.parameters()), loss_fn, ranks=RANKS, config=config, **options)
        for (x, y), metrics in zip(batches, train.run(batches)):
            losses = [loss_fn(replica(part), labels)
                      for replica, part, labels in zip(replicas, x.chunk(RANKS), y.chunk(RANKS))]
            for optimizer, loss in zip(optimizers, losses):
                optimizer.zero_grad()
                loss.backward()
            for parameters in zip(*(replica.parameters() for replica in replicas)):
                total = sum(p.grad for p in parameters) / (RANKS if config["gradients_mean"] else 1)
                for p in parameters:
                    p.grad = total.clone()
            for replica, optimizer in zip(replicas, optimizers):
                if "clip" in options:
                    nn.utils.clip_grad_norm_(replica.parameters(), options["clip"])
                optimizer.step()
            # Statistics are averaged at the end of each step (local_state).
            for buffers in zip(*(replica.buffers() for replica in replicas)):
                if buffers[0].is_floating_point():
                    mean = sum(buffers) / RANKS
                    for b in buffers:
                        b.copy_(mean)
            self.assertAlmostEqual(metrics["loss"], float(sum(losses).detach()) / RANKS, places=5)
        for (name, value), expected in zip(model.state_dict().items(), replicas[0].state_dict().values()):
            torch.testing.assert_close(value, expected, rtol=1e-4, atol=1e-5, msg=name)

    def test_batch_norm_and_clipping(self):
        model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 3))
        self.check(model, lambda p: torch.optim.Adam(p, lr=0.01), F.cross_entropy, [data(16) for _ in range(3)],
                   clip=0.1)

    def test_sums_of_gradients(self):
        self.check(network(), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9), F.cross_entropy,
                   [data(16) for _ in range(2)],
                   DDP | {"gradients_mean": False})

    def test_one_sample_per_rank(self):
        self.check(network(), lambda p: torch.optim.AdamW(p, lr=0.01), F.cross_entropy, [data(RANKS) for _ in range(2)],
                   clip=0.1)

    def test_mistakes(self):
        model = network()
        make = lambda **options: ds.torch.data_parallel(model, torch.optim.SGD(model.parameters(), lr=0.1),
                                                        F.cross_entropy, config=DDP, **options)
        with self.assertRaisesRegex(ValueError, "^launcher= is no option any more: start the script itself, by mpirun "
                                    "-n 4 python train.py or torchrun, without ranks="):
            make(launcher=["mpirun", "-n", "2"])
        with self.assertRaisesRegex(ds.torch.FrontendError, "a batch of 8 samples cannot be divided among 3 ranks"):
            make(ranks=3)(data())
        train = make(ranks=2)
        train(data())
        with self.assertRaisesRegex(ds.torch.FrontendError, r"the batch is {'x': \(\(4, 6\).*, but the step was "
                                    r"exported for {'x': \(\(8, 6\)"):
            train(data(4))


if __name__ == "__main__":
    unittest.main()

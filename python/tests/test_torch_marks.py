"""ds.torch marks the gradient of each parameter that the optimizer updates, once, before clipping reads it."""
import unittest
from unittest import mock

import torch
import torch.nn.functional as F
from jaxlib.mlir import ir
from torch import nn

import ds.torch
import ds.torch.marks
from ds.frontend import builder, normalise
from programs import marks, program
from torch_models import ALL

RANKS = 4


def exported(model, loss_fn, batch, optimizer=None, **options):
    return ds.torch.export(model, optimizer or torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, batch, **options)


def data(batch=8):
    return torch.randn(batch, 6), torch.randint(0, 3, (batch,))


def network():
    return nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3))


def unmarked():
    return mock.patch.object(ds.torch.marks, "gradient", lambda gradient, param: gradient)


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
        self.assertEqual(sorted(marks(exported(model, F.cross_entropy, data(), optimizer).mlir)), ["0.bias", "2.weight"])

    def test_microbatches_are_marked_when_they_are_summed(self):
        def loss_fn(model, batch):
            parts = zip(batch["x"].chunk(4), batch["y"].chunk(4))
            return sum(F.cross_entropy(model(x), y) for x, y in parts) / 4

        model, (x, y) = network(), data()
        found = marks(exported(model, loss_fn, {"x": x, "y": y}).mlir)
        self.assertEqual(sorted(found), sorted(n for n, _ in model.named_parameters()))

    def test_clipping_reads_the_marked_gradient(self):
        seen = []

        def clip(parameters):
            seen.extend(p.grad for p in parameters)
            return torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=False)

        mlir = exported(network(), F.cross_entropy, data(), clip=clip).mlir
        self.assertEqual(len(seen), 4)
        lines = [line.strip() for line in mlir.splitlines()]
        for line in [line for line in lines if " = ds.gradient " in line]:
            result, operand = line.split()[0], line.split()[3]
            readers = [other for other in lines if f"{operand}," in other or f"{operand} " in other or f"{operand})" in other]
            self.assertEqual([other for other in readers if not other.startswith(operand) and other != line], [], "reads past the mark")
            self.assertTrue(any(f"({result} :" in other or f"({result}," in other for other in lines))

    def test_a_mark_is_the_identity_where_pytorch_runs_the_graph(self):
        value = torch.randn(3)
        marked = ds.torch.marks.gradient(value, "w")
        torch.testing.assert_close(marked, value, rtol=0, atol=0)
        self.assertNotEqual(marked.data_ptr(), value.data_ptr())

    def test_ends_of_a_cut_are_joined_in_any_order(self):
        """torch-mlir may put an operation that reads a mark's result in front of the one that computes its operand."""
        text = """func.func @main(%w: tensor<2xf32>, %x: tensor<2xf32>, %g: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
          %early = stablehlo.multiply %g, %g : tensor<2xf32>
          %new = stablehlo.subtract %w, %early : tensor<2xf32>
          %late = stablehlo.multiply %w, %x : tensor<2xf32>
          return %new, %late : tensor<2xf32>, tensor<2xf32>
        }"""
        joined = ds.torch.marks.join(text, ["w"])
        with builder.context(), ir.Location.unknown():
            self.assertTrue(ir.Module.parse(joined).operation.verify())
        manifest = {"args": [{"role": "param", "name": "w"}, {"role": "batch", "name": "x"}], "results": [{"role": "updates:w"}]}
        self.assertEqual(marks(normalise(joined, manifest)), ["w"])
        self.assertLess(joined.index("multiply %arg0, %arg1"), joined.index("custom_call"))
        self.assertEqual(ds.torch.marks.join(text, []), text)


class Programs(Case):
    """Marks of the front end and marks of detection give one program."""

    def check(self, name):
        model, optimizer, loss_fn, batches, options = ALL[name]()
        share = lambda tensor: tensor[:len(tensor) // RANKS]
        batch = {n: share(t) for n, t in batches[0].items()} if isinstance(batches[0], dict) else tuple(map(share, batches[0]))
        made = lambda: ds.torch.export(model, optimizer, loss_fn, batch, **options).mlir
        marked = made()
        with unmarked():
            detected = made()
        self.assertEqual((len(marks(marked)) > 0, marks(detected)), (True, []))
        self.assertEqual(program(marked, RANKS), program(detected, RANKS))


for step in ALL:
    setattr(Programs, f"test_{step}", lambda self, name=step: self.check(name))


if __name__ == "__main__":
    unittest.main()

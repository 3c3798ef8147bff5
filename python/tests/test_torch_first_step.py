"""What makes the first step short: traces without elements, copies of nodes, a check of few samples, positions and steps,
and compiling during the check."""
import unittest
import warnings
from unittest import mock

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.frontend import FrontendError
from dstep.base.errors import warn
from dstep.session import native
from dstep.session.run import Begun
from dstep.torch.base import repeats
from dstep.torch.step import capture as captures
from dstep.torch.step.capture import Capture
from dstep.torch.training import parallel
from dstep.torch.verify import alike, beside, judge
from torch_plants import PLANTS


class Net(nn.Module):
    """Two layers alike, a state that forward writes, random numbers, an operation of several results, and a known
    value."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.GELU(), nn.Dropout(0.2))
                                     for _ in range(2)])
        self.scale, self.out = nn.Parameter(torch.ones(6)), nn.Linear(6, 5)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x) * self.scale
        x = x.clone().mul_(0.5).add_(x)
        x[:, 0] += x.topk(3, 1).values.sum(1)
        return self.out(x) * float(torch.arange(3).sum())


def batch(samples=8):
    torch.manual_seed(1)
    return torch.randn(samples, 6), torch.randint(0, 5, (samples,))


class Traces(unittest.TestCase):
    def capture(self, kind, **options):
        torch.manual_seed(0)
        model = Net()
        return Capture(model, kind(model.parameters(), **options), F.cross_entropy, batch(), 1.0)

    def test_a_trace_by_shapes_is_that_of_the_values(self):
        for kind, options in ((torch.optim.AdamW, {"lr": 1e-3}),
                              (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True})):
            with self.subTest(kind.__name__):
                capture = self.capture(kind, **options)
                by_values, by_shapes = capture.graph(by_shapes=False), capture.graph(by_shapes=True)
                self.assertEqual(str(by_shapes.graph), str(by_values.graph))
                for one, other in zip(by_shapes.graph.nodes, by_values.graph.nodes):
                    self.assertEqual(one.meta.get("tensor_meta"), other.meta.get("tensor_meta"), one)

    def test_most_operations_are_copies(self):
        with mock.patch.object(repeats.Repeats, "_copied", autospec=True,
                               side_effect=repeats.Repeats._copied) as copied:
            nodes = len(self.capture(torch.optim.AdamW).graph(by_shapes=True).graph.nodes)
        self.assertGreater(copied.call_count, nodes / 3)


class Checks(unittest.TestCase):
    """The check takes two of eight samples, as if the step were long."""

    def exported(self, model, loss_fn, checked):
        def check(capture, module, objects, batch):
            checked.append(len(batch["x"]))
            return beside_check(capture, module, objects, batch)

        beside_check = beside.check
        with mock.patch.object(alike, "LONG", 0), mock.patch.object(beside, "check", check):
            return ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, batch())

    def test_few_samples(self):
        checked = []
        self.exported(Net(), F.cross_entropy, checked)
        self.assertEqual(checked, [2])

    def test_code_that_counts_samples_is_checked_with_all(self):
        for bound, expected in ((1, [2]), (4, [8])):
            checked = []
            self.exported(nn.Linear(6, 5), lambda z, y: F.cross_entropy(z, y) * (3.0 if len(z) > bound else 2.0),
                          checked)
            self.assertEqual(checked, expected)

    def test_what_few_samples_miss_is_no_error_of_theirs(self):
        """A loop that fails with two samples has its step checked with all."""
        class Picky(nn.Linear):
            def forward(self, x):
                return super().forward(x.view(8, 6))
        checked = []
        self.exported(Picky(6, 5), F.cross_entropy, checked)
        self.assertEqual(checked, [8])

    def test_plants_are_named(self):
        for name in ("hidden_state",):
            model, optimizer, loss_fn, options = PLANTS[name][0]()
            with mock.patch.object(alike, "LONG", 0), self.assertRaisesRegex(FrontendError, "the captured step is not "
                                                                             "the training loop|the loop writes"):
                ds.torch.export(model, optimizer, loss_fn, batch(), **options)

    def turns(self, model):
        with mock.patch.object(beside, "SHORT", 0), mock.patch.object(beside.Loop, "turn", autospec=True,
                                                                      side_effect=beside.Loop.turn) as turn:
            try:
                ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), F.cross_entropy, batch())
            finally:
                self.count = turn.call_count

    def test_a_long_third_step_has_a_reason(self):
        self.turns(nn.Linear(6, 5))
        self.assertEqual(self.count, 2)

        class Third(nn.Linear):
            calls = 0

            def forward(self, x):
                self.calls += 1
                return super().forward(x) * (2 if self.calls == 3 else 1)
        with self.assertRaisesRegex(FrontendError, "in step 3 .*the loop writes 'calls'"):
            self.turns(Third(6, 5))


class Tagger(nn.Module):
    """Attention and a prediction of each next word; `long` is what else it computes of a long row."""

    def __init__(self, long=None):
        super().__init__()
        self.words, self.more, self.long, self.scale = nn.Embedding(20, 6), nn.Parameter(torch.ones(6)), long, 1.0

    def forward(self, words):
        x = self.words(words)
        x = F.scaled_dot_product_attention(x, x, x, is_causal=True) * self.scale
        if self.long and words.shape[1] > 100:
            x = self.long(self, x)
        return x @ self.words.weight.T


def next_words(scores, words):
    return F.cross_entropy(scores[:, :-1].reshape(-1, 20), words[:, 1:].reshape(-1))


def rows(length=160):
    torch.manual_seed(1)
    words = torch.randint(0, 20, (8, length))
    return words, words


def double(model, x):
    model.scale *= 2  # counts from the next step on
    return x


class Positions(unittest.TestCase):
    """The check and the first run take 37 of 160 positions, as if the step were long."""

    def exported(self, model):
        """Returns the export and the shapes of batches that were checked, and that the model ran with first."""
        checked, ran = [], []

        def check(capture, module, objects, batch):
            checked.append(tuple(batch["x"].shape))
            return beside_check(capture, module, objects, batch)

        def once(capture, batch):
            ran.append(tuple(batch["x"].shape))
            return step_once(capture, batch)
        beside_check, step_once = beside.check, Capture._step_once
        with (mock.patch.object(alike, "LONG", 0), mock.patch.object(captures, "LONG", 0),
              mock.patch.object(beside, "check", check), mock.patch.object(Capture, "_step_once", once)):
            made = ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), next_words, rows())
        return made, checked, ran

    def test_few_positions(self):
        made, checked, ran = self.exported(Tagger())
        self.assertEqual((checked, ran), ([(2, 37)], [(2, 37)]))
        self.assertEqual(made.part["x"].shape, (2, 37))

    def test_code_that_counts_positions_is_checked_with_all(self):
        _, checked, ran = self.exported(Tagger(lambda model, x: x * 1.5))
        self.assertEqual((checked, ran), ([(2, 160)], [(2, 37)]))

    def test_a_part_that_the_code_does_not_take_is_not_traced(self):
        model = Tagger()
        model.at = nn.Parameter(torch.randn(160, 6))
        model.forward = lambda words: (model.words(words) + model.at) @ model.words.weight.T
        with mock.patch.object(Capture, "graph", autospec=True, side_effect=Capture.graph) as traced:
            _, checked, ran = self.exported(model)
        self.assertEqual((checked, ran, traced.call_count), ([(2, 160)], [(2, 37), (2, 160)], 2))

    def test_a_parameter_of_long_rows_is_trained(self):
        made, _, ran = self.exported(Tagger(lambda model, x: x * model.more))
        self.assertEqual(made.capture.trained, ["more", "words.weight"])
        self.assertEqual(ran, [(2, 37), (8, 160)])

    def test_a_write_of_long_rows_is_found(self):
        with self.assertRaisesRegex(FrontendError, "the loop writes 'scale'"):
            self.exported(Tagger(double))

    def test_images_have_no_positions(self):
        self.assertIsNone(alike.short({"x": torch.zeros(8, 3, 200, 200), "y": torch.zeros(8, 200)}))
        self.assertIsNone(alike.short({"x": torch.zeros(8, 147)}))
        self.assertIsNone(alike.short({"x": torch.zeros(8, 200), "y": torch.zeros(1600)}))
        self.assertEqual(alike.short({"x": torch.zeros(3, 148), "y": torch.zeros(3)})["x"].shape, (3, 37))


class Ahead(unittest.TestCase):
    """The step is compiled while its capture is checked, and its guards are made meanwhile."""

    def trainer(self):
        torch.manual_seed(0)
        model = nn.Linear(6, 5)
        return ds.torch.data_parallel(model, torch.optim.AdamW(model.parameters()), F.cross_entropy, ranks=2)

    def test_once_and_during_the_check(self):
        train, begun = self.trainer(), []

        def check(*given):
            begun.extend(train.runner.begun.values())
            return beside_check(*given)
        beside_check = beside.check
        with (mock.patch.object(beside, "check", check), mock.patch.object(native, "Compiled", side_effect=native.Compiled) as compiled,
              mock.patch.object(parallel, "Guards", side_effect=parallel.Guards) as guards):
            losses = [train(batch())["loss"] for _ in range(3)]
        self.assertEqual((len(begun), compiled.call_count, guards.call_count, train.exports), (1, 1, 1, 1))
        self.assertFalse(train.runner.begun)
        self.assertGreater(losses[0], losses[2])

    def test_a_plan_compiles_nothing(self):
        train = self.trainer()
        with mock.patch.object(native, "Compiled") as compiled:
            train.plan(batch())
        self.assertFalse(compiled.called or train.runner.begun)

    def test_errors_and_warnings_come_to_the_caller(self):
        def function():
            warn("odd")
            raise ValueError("wrong")
        begun = Begun(function)
        with warnings.catch_warnings(record=True) as told, self.assertRaisesRegex(ValueError, "wrong"):
            warnings.simplefilter("always")
            begun.result()
        self.assertEqual([(str(w.message), w.filename) for w in told], [("odd", __file__)])

    def test_a_failed_check_ends_the_export(self):
        model, optimizer, loss_fn, options = PLANTS["hidden_state"][0]()
        train = ds.torch.data_parallel(model, optimizer, loss_fn, ranks=2, **options)
        for _ in range(2):
            with self.assertRaisesRegex(FrontendError, "the captured step is not the training loop"):
                train(batch())
        self.assertFalse(train.runner.begun)


class Terms(unittest.TestCase):
    """A gradient of 0 up to rounding, and one that is wrong by more than its terms round to."""

    def difference(self, apart):
        def step(x):
            return torch.ops.ds.gradient(x.sum(0) * 2 - x.sum(0), "bias")
        module = torch.fx.experimental.proxy_tensor.make_fx(step)(torch.zeros(64, 3))
        traced = beside.Traced(module, [])
        x = torch.randn(64, 3, generator=torch.Generator().manual_seed(0)) * 1e-8
        x -= x.mean(0)
        moved = judge.Moved(traced, [x], [], {})
        moved.found = {("gradient", "bias"): 0.0}  # the other comparison allows nothing
        traced.replay([x], [], {})
        got = traced.gradients["bias"]
        expected = got + apart * 3 * x.abs().sum(0)
        return judge.Judge(traced.precision, moved).value(("gradient", "bias"), got, expected)

    def test_boundary(self):
        self.assertIsNone(self.difference(15 * torch.finfo(torch.float32).eps))
        self.assertIsNotNone(self.difference(20 * torch.finfo(torch.float32).eps))


if __name__ == "__main__":
    unittest.main()

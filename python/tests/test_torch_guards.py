"""What is built into a step leads to another export when it changes, seen by Dynamo's guards; what is not, does not."""
import copy
import unittest
import unittest.mock

import numpy as np
import torch
from torch import nn

import dstep as ds
from dstep.torch.training import parallel as training
from dstep.torch.step.capture import Capture
from dstep.torch.training.guards import Guards, Walk

SCALE = {"of": 1.0}  # of this file


class Inner:
    def __init__(self):
        self.factors = [1.0, 2.0]


class Net(nn.Module):
    """Reads something of each kind."""

    def __init__(self):
        super().__init__()
        self.a, self.n, self.b = nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.Linear(8, 3)
        self.register_buffer("mask", torch.ones(8))
        self.shift, self.array, self.table, self.inner, self.unread = torch.zeros(3), np.ones(3,
                                                                                              np.float32), {"beta": 1.0}, Inner(), 0
        self.tensors = [torch.zeros(3), torch.ones(3)]

    def forward(self, x):
        h = torch.tanh(self.n(self.a(x)) * self.mask) * self.table["beta"] * self.inner.factors[1]
        return self.b(h) + self.shift + torch.from_numpy(self.array) * SCALE["of"] + self.tensors[1]


class Broken(Net):
    """The same in two parts, and with a function that Dynamo leaves to Python."""

    def forward(self, x):
        found = super().forward(x)
        torch._dynamo.graph_break()
        return found * self.inner.factors[0] + left_alone(self)


@torch.compiler.disable
def left_alone(model):
    return model.table["left"]


class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta, self.inner = 0.5, nn.CrossEntropyLoss()
        self.register_buffer("weight", torch.ones(3))

    def forward(self, out, y):
        return self.inner(out * self.weight, y) + self.beta * out.pow(2).mean()


def guarded(kind=Net, clip=None):
    torch.manual_seed(0)
    model, criterion = kind(), Criterion()
    model.table["left"] = 0.0
    optimizer = torch.optim.AdamW([{"params": model.a.parameters(), "lr": torch.tensor(0.1)},
                                   {"params": [*model.n.parameters(), *model.b.parameters()]}], lr=0.1)
    capture = Capture(model, optimizer, criterion, (torch.randn(8, 6), torch.randint(0, 3, (8,))), clip=clip,
                      hyper=("lr.0", "lr.1"))
    return model, criterion, optimizer, Guards(capture, capture.batch)


BUILT_IN = [
    "model.shift = torch.zeros(3)", "model.shift.add_(1)", "model.shift.data = torch.ones(3)",
    "model.mask = torch.ones(8)", "model.mask[:3].zero_()",
    "model.array = np.ones(3, np.float32)", "model.array[0] = 2", "model.table['beta'] = 2.0",
    "model.inner.factors[1] = 3.0", "model.inner = Inner(); model.inner.factors = [1.0, 3.0]",
    "model.tensors[1] = torch.ones(3)", "model.tensors[1].mul_(2)", "SCALE['of'] = 2.0", "criterion.beta = 0.6",
    "criterion.weight.mul_(2)", "criterion.inner.label_smoothing = 0.1",
    "criterion.inner = nn.MultiMarginLoss()", "model.a.weight.requires_grad_(False)", "model.n.eval()",
    "model.n.momentum = 0.2", "model.n.running_mean = torch.zeros(8)",
    "model.a = nn.Linear(6, 8, bias=False)", "model.b.weight = nn.Parameter(model.b.weight.detach().clone())",
    "model.b.register_forward_hook(lambda *values: None)",
    "model.forward = lambda x: model.b(model.a(x))", "model.b.weight.register_hook(lambda g: g)",
    "model.b.weight.register_post_accumulate_grad_hook(lambda p: None)",
    "optimizer.register_step_pre_hook(lambda *values: None)", "optimizer.param_groups[0]['betas'] = 0.8, 0.99",
    "optimizer.param_groups[1]['weight_decay'] = 0.2",
    "optimizer.param_groups[0]['params'].pop()", "model.b.register_full_backward_hook(lambda *values: None)",
    "optimizer.param_groups[1]['amsgrad'] = True",
]
FREE = [
    "model.unread = 1", "model.other = [1]", "model.a.weight.data.mul_(2)", "model.b.weight.data = torch.zeros(3, 8)",
    "model.n.running_mean.zero_()", "model.a.weight = model.a.weight",
    "optimizer.param_groups[0]['lr'].mul_(0.5)", "optimizer.param_groups[0]['lr'] = 0.01",
    "optimizer.param_groups[1]['lr'] = torch.tensor(0.5)",
    "optimizer.param_groups[0]['initial_lr'] = 1.0", "model.eval(); model(torch.randn(4, 6)); model.train()",
    "model(torch.randn(4, 6)).sum().backward()",
]


class Changes(unittest.TestCase):
    def tearDown(self):
        SCALE["of"] = 1.0

    def check(self, kind, lines, holds, part=None):
        for line in lines:
            with self.subTest(line, kind=kind.__name__):
                *objects, guards = guarded(kind)
                self.assertEqual({isinstance(part, Walk) for part in guards.parts}, part or {False})
                self.assertTrue(guards.hold())
                exec(line, globals() | dict(zip(("model", "criterion", "optimizer"), objects)))
                self.assertEqual(guards.hold(), holds)
            self.tearDown()

    def test_what_is_built_in_is_seen(self):
        self.check(Net, BUILT_IN, False)

    def test_what_is_not_is_free(self):
        self.check(Net, FREE, True)

    def test_hooks_that_dynamo_does_not_see_are_counted(self):
        model, *_, guards = guarded()
        for register in ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
                         "register_full_backward_pre_hook"):
            counted = Guards(guards.capture, guards.capture.batch, skips_hooks=True)
            self.assertTrue(counted.hold())
            getattr(model.b, register)(lambda *values: None)
            self.assertFalse(counted.hold(), register)

    def test_a_loss_that_dynamo_breaks(self):
        """Its parts count, and all that a function reaches that is left to Python."""
        seen = ["model.inner.factors[0] = 2.0", "model.inner.factors[1] = 3.0", "criterion.beta = 0.6",
                "model.table['left'] = 1.0", "model.shift.add_(1)", "model.array[0] = 2",
                "model.b.weight = nn.Parameter(model.b.weight.detach().clone())",
                "model.a.weight.requires_grad_(False)"]
        self.check(Broken, seen, False, {False, True})
        self.check(Broken, ["model.a.weight.data.mul_(2)", "optimizer.param_groups[1]['lr'] = 0.2"], True,
                   {False, True})

    def test_a_function_that_clips(self):
        limit = [1.0]
        *_, guards = guarded(clip=lambda parameters: nn.utils.clip_grad_norm_(parameters, limit[0]))
        self.assertTrue(guards.hold())
        limit[0] = 2.0
        self.assertFalse(guards.hold())

    def test_a_hook_of_backward(self):
        factor = [0.5]
        for change in (lambda handle: factor.append(factor.pop() / 2), lambda handle: handle.remove()):
            model = Net()
            handle = model.b.register_full_backward_hook(lambda module, inner, outer: (inner[0] * factor[0],))
            *_, guards = guarded(lambda: model)
            self.assertTrue(guards.hold())
            change(handle)
            self.assertFalse(guards.hold())


class Trained(unittest.TestCase):
    """All of it in trainings, beside PyTorch's own."""

    def compare(self, change, exports, schedule=None, make=lambda p: torch.optim.AdamW(p, lr=torch.tensor(0.05))):
        torch.manual_seed(0)
        objects = Net(), Criterion()
        objects[0].table["left"] = 0.0
        pairs = [(*each, make(each[0].parameters())) for each in (objects, copy.deepcopy(objects))]
        schedules = [schedule(pair[2]) for pair in pairs] if schedule else []
        train = ds.torch.data_parallel(pairs[0][0], pairs[0][2], pairs[0][1], ranks=2)
        for number in range(4):
            x, y = torch.randn(8, 6), torch.randint(0, 3, (8,))
            got = train((x, y))["loss"]
            model, criterion, optimizer = pairs[1]
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            self.assertAlmostEqual(got, loss.item(), delta=1e-4)
            for pair in pairs:
                change(number, *pair)
            for each in schedules:
                each.step(1.0) if isinstance(each, torch.optim.lr_scheduler.ReduceLROnPlateau) else each.step()
        for name, value in pairs[0][0].state_dict().items():
            torch.testing.assert_close(value, pairs[1][0].state_dict()[name], rtol=1e-3, atol=1e-4)
        self.assertEqual(train.exports, exports)

    def test_values_that_are_annealed(self):
        def change(number, model, criterion, optimizer):
            if number == 0:
                model.shift = torch.tensor([1.0, -2.0, 0.5])
            if number == 2:
                criterion.beta = 2.0
        with unittest.mock.patch.object(training, "MANY", 2), self.assertWarnsRegex(
            UserWarning, r"exported 2 times and is now again, since it was built for loss_fn.beta == 0.5;"):
            self.compare(change, 3)

    def test_rates_that_are_tensors(self):
        lr = torch.optim.lr_scheduler
        for schedule in (lambda o: lr.ReduceLROnPlateau(o, factor=0.3, patience=0),
                         lambda o: lr.LambdaLR(o, lambda k: 1.0 / (1 + k))):
            self.compare(lambda *objects: None, 1, schedule)
        self.compare(lambda *objects: None, 1,
                     lambda o: lr.OneCycleLR(o, max_lr=0.3, total_steps=10, cycle_momentum=False),
                     lambda p: torch.optim.SGD(p, lr=torch.tensor(0.05)))


if __name__ == "__main__":
    unittest.main()

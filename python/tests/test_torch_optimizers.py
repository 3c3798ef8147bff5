"""Optimizers that are not of torch.optim: what they keep, count and ask, beside themselves; and the ones that are refused."""
import copy
import math
import unittest

import torch
import torch.nn.functional as F

import dstep as ds
from dstep.frontend import FrontendError
from torch_eager import MLP, batches, beside


class Own(torch.optim.Optimizer):
    """An optimizer in two lines: `one(group, p, state)`, which is called with every parameter; `before(group)` with every group."""

    def __init__(self, parameters, lr=0.5, **options):
        super().__init__(parameters, dict(lr=lr, **options))

    def before(self, group):
        pass

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            self.before(group)
            for p in group["params"]:
                if p.grad is not None:
                    self.one(group, p, self.state[p])


class CountsInItsGroup(Own):
    def before(self, group):
        group["step"] = group.get("step", 0) + 1

    def one(self, group, p, state):
        p.add_(p.grad, alpha=-group["lr"] / group["step"])


class CountsInItself(Own):
    """`scale` is halved in every third step."""

    def __init__(self, parameters):
        super().__init__(parameters)
        self.scale, self.calls = 1.0, 0

    def before(self, group):
        self.calls += 1
        if self.calls % 3 == 0:
            self.scale = self.scale / 2

    def one(self, group, p, state):
        p.sub_(group["lr"] * self.scale * p.grad)


class Corrected(Own):
    """Adam with a Python count and functions of math; its averages begin with what `first` says."""
    first = staticmethod(torch.zeros_like)

    def one(self, group, p, state):
        if not state:
            state["step"], state["average"], state["square"] = 0, torch.zeros_like(p), self.first(p)
        state["step"] += 1
        state["average"].mul_(0.9).add_(p.grad, alpha=0.1)
        state["square"] = 0.99 * state["square"] + 0.01 * p.grad**2
        size = group["lr"] * math.sqrt(1 - 0.99**state["step"]) / (1 - math.pow(0.9, state["step"]))
        p.addcdiv_(state["average"], state["square"].sqrt().add_(1e-3), value=-size)


class BeginsWithOnes(Corrected):
    first = staticmethod(torch.ones_like)


class BeginsWithItsParameter(Own):
    """Lookahead in itself: every second step goes half of the way back."""

    def one(self, group, p, state):
        if "slow" not in state:
            state["slow"], state["count"] = p.clone(), 0
        state["count"] += 1
        p.sub_(group["lr"] * p.grad)
        if state["count"] % 2 == 0:
            state["slow"].lerp_(p, 0.5)
            p.copy_(state["slow"])


class BeginsWithItsGradient(Own):
    def one(self, group, p, state):
        if "last" not in state:
            state["last"] = p.grad.clone()
        p.data.sub_(group["lr"] * (2 * p.grad - state["last"]))
        state["last"] = 0.5 * state["last"] + p.grad


class Warms(Own):
    """Branches about its count, the greater of two numbers, and an item of a tensor."""

    def __init__(self, parameters):
        super().__init__(parameters, seen=0.0)
        self.count = torch.tensor(0)

    def before(self, group):
        self.count += 1
        now = self.count.item()
        group["scale"] = now / 3 if now < 3 else 1.0
        group["seen"] = max(group["seen"], group["scale"])

    def one(self, group, p, state):
        p.add_(p.grad, alpha=-group["lr"] * group["scale"] * group["seen"])


class Outer(torch.optim.Optimizer):
    """One around another, whose groups and states it shares or has beside its own."""

    def __init__(self, base, every=2):
        self.base, self.every, self.defaults, self.state = base, every, base.defaults, {}
        self.param_groups, self.rounds, self.slow = base.param_groups, 0, None

    @torch.no_grad()
    def step(self, closure=None):
        held = [p for group in self.param_groups for p in group["params"]]
        if self.slow is None:
            self.slow = [p.clone() for p in held]
        self.base.step()
        self.rounds += 1
        if self.rounds % self.every == 0:
            for p, slow in zip(held, self.slow):
                slow.add_(p - slow, alpha=0.5)
                p.copy_(slow)

    def zero_grad(self, set_to_none=True):
        self.base.zero_grad(set_to_none)


class Preconditioner:
    def __init__(self, size):
        self.total, self.uses = torch.eye(size) * 1e-3, 0

    def __call__(self, gradient):
        self.total += gradient @ gradient.T
        self.uses += 1
        return torch.linalg.solve(self.total, gradient) / self.uses


class Shampoo(Own):
    def one(self, group, p, state):
        if not state:
            state["of"] = [Preconditioner(p.shape[0])]
        p.sub_(0.1 * state["of"][0](p.grad.reshape(p.shape[0], -1)).reshape(p.shape))


class SAM(Own):
    def step(self, closure=None):
        assert closure is not None, "SAM requires closure"
        closure()


class Growing(Own):
    def one(self, group, p, state):
        state.setdefault("all", []).append(p.grad.clone())
        p.sub_(sum(state["all"]))


class Asking(Own):
    def one(self, group, p, state):
        state["size"] = float(p.grad.norm())
        p.sub_(p.grad / state["size"])


class Skipping(Own):
    """Asks data, which selects; and counts what it skipped."""

    def __init__(self, parameters):
        super().__init__(parameters)
        self.skipped = 0

    def one(self, group, p, state):
        if p.grad.abs().sum() > 0.5:
            self.skipped += 1
            return
        p.sub_(p.grad)


class Clips(Own):
    """Takes the greater and the least of numbers of each parameter."""

    def one(self, group, p, state):
        p.sub_(p.grad / max(0.1, p.grad.norm().item()) * min(group["lr"], p.norm().item(), 2.0))


class Untold(Own):
    mode = "even"

    def before(self, group):
        self.mode = "odd" if self.mode == "even" else "even"

    def one(self, group, p, state):
        p.sub_(p.grad)


class Optimizers(unittest.TestCase):
    def made(self, make):
        torch.manual_seed(0)
        model = MLP()
        return model, make(model.parameters())

    def test_what_they_keep_count_and_ask(self):
        for make in (CountsInItsGroup, CountsInItself, Corrected, BeginsWithOnes, BeginsWithItsParameter, BeginsWithItsGradient, Warms, Shampoo,
                     lambda parameters: Outer(Corrected(parameters))):
            with self.subTest(getattr(make, "__name__", "")):
                beside(*self.made(make), batches(5))

    def test_in_the_middle_of_a_training(self):
        for make in (CountsInItsGroup, BeginsWithOnes, BeginsWithItsParameter):
            with self.subTest(make.__name__):
                model, optimizer = self.made(make)
                for x, y in batches(3):
                    F.cross_entropy(model(x), y).backward()
                    optimizer.step()
                    optimizer.zero_grad()
                beside(model, optimizer, batches(3))

    def test_the_first_step_of_a_damped_sgd_is_another_one(self):
        for hyper in ((), ("lr",)):
            with self.subTest(hyper):
                make = lambda parameters: torch.optim.SGD(parameters, lr=0.3, momentum=0.9, dampening=0.4, weight_decay=0.1)
                beside(*self.made(make), batches(4), hyper=hyper)

    def test_a_greater_number_is_no_question(self):
        torch.manual_seed(0)
        model = torch.nn.Sequential(*(torch.nn.Linear(3, 3) for _ in range(4)))
        capture, _, _ = beside(model, Clips(model.parameters()), batches(3))
        self.assertIsNone(capture.pure.alike)  # no parameter was run alone to have fewer questions

    def test_a_question_about_data_selects(self):
        torch.manual_seed(0)
        model = torch.nn.Linear(3, 2)
        steps = batches(4)
        steps = [(x * scale, y) for scale, (x, y) in zip((0.1, 9.0, 0.1, 9.0), steps)]
        _, _, optimizer = beside(model, Skipping(model.parameters()), steps)
        self.assertGreater(optimizer.skipped, 0)

    def test_refused_by_name(self):
        for make, sentence in ((SAM, "SAM cannot take a step from gradients alone .*closure.*a loss function with both passes"),
                               (Growing, "Growing keeps 'a.weight.all.1' as another kind of value in every step"),
                               (Asking, r"Asking asks for the value of a tensor at .*test_torch_optimizers.py:\d+"),
                               (Untold, "Untold keeps 'optimizer.mode' as another kind of value in every step")):
            with self.subTest(make.__name__):
                model, optimizer = self.made(make)
                with self.assertRaisesRegex(FrontendError, f"the optimizer {sentence}"):
                    ds.torch.export(model, optimizer, F.cross_entropy, batches(1)[0])

    def test_a_rate_of_zero_stays_zero(self):
        torch.manual_seed(0)
        model = MLP()
        optimizer = torch.optim.SGD([{"params": model.a.parameters(), "lr": 0.0}, {"params": model.b.parameters()}], lr=0.5)
        capture, trained, _ = beside(model, optimizer, batches(2), hyper=("lr",))
        self.assertEqual(capture.hyper, {"lr": 0.5})
        self.assertTrue(torch.equal(trained.a.weight, model.a.weight))

    def test_a_schedule_that_reaches_zero_keeps_rows_that_no_sample_names(self):
        """Their gradients are zeros, so their second moments are, too."""
        for make in (torch.optim.Adam, torch.optim.AdamW):
            with self.subTest(make.__name__):
                torch.manual_seed(0)
                model = torch.nn.Sequential(torch.nn.Embedding(9, 4), torch.nn.Flatten(), torch.nn.Linear(12, 3))
                other = copy.deepcopy(model)
                optimizers = [make(each.parameters(), lr=0.1) for each in (model, other)]
                train = ds.torch.data_parallel(model, optimizers[0], F.cross_entropy, ranks=2)
                generator = torch.Generator().manual_seed(1)
                for rate in (0.1, 0.0, 0.05, 0.0):
                    x, y = torch.randint(0, 6, (8, 3), generator=generator), torch.randint(0, 3, (8,), generator=generator)
                    for optimizer in optimizers:
                        optimizer.param_groups[0]["lr"] = rate
                    train((x, y))
                    optimizers[1].zero_grad()
                    F.cross_entropy(other(x), y).backward()
                    optimizers[1].step()
                for trained, expected in zip(model.parameters(), other.parameters()):
                    torch.testing.assert_close(trained, expected, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()

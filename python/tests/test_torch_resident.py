"""The step's memory is the model's: what a user of DistributedDataParallel does between two steps counts in the next
one, on all ranks."""
import copy
import gc
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
import dstep.torch
from dstep.session.run import RunError


def small():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 3))


def batches(count):
    torch.manual_seed(1)
    return [(torch.randn(8, 6), torch.randint(0, 3, (8,))) for _ in range(count)]


def eager(model, optimizer, batch, loss_fn=F.cross_entropy):
    optimizer.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    return loss.item()


class Pair:
    """A model that ds trains on ranks, and a copy that PyTorch trains."""

    def __init__(self, test, ranks, optimizer=lambda p: torch.optim.AdamW(p, lr=0.01), model=None):
        self.test, self.model = test, model or small()
        self.other = copy.deepcopy(self.model)
        self.optimizers = optimizer(self.model.parameters()), optimizer(self.other.parameters())
        self.train = ds.torch.data_parallel(self.model, self.optimizers[0], F.cross_entropy, ranks=ranks)

    def both(self, change):
        """Applies change(model, optimizer) to either."""
        return [change(*each) for each in zip((self.model, self.other), self.optimizers)]

    def step(self, batch):
        got, expected = self.train(batch)["loss"], eager(self.other, self.optimizers[1], batch)
        self.test.assertAlmostEqual(got, expected, delta=1e-4 * max(1, abs(expected)))

    def check(self):
        for (name, value), expected in zip(self.model.state_dict().items(), self.other.state_dict().values(),
                                           strict=True):
            torch.testing.assert_close(value, expected, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")
        for p, q in zip(self.model.parameters(), self.other.parameters()):
            for key, value in self.optimizers[1].state[q].items():
                torch.testing.assert_close(torch.as_tensor(self.optimizers[0].state[p][key]), torch.as_tensor(value),
                                           rtol=1e-3, atol=1e-4)
        options, expected = ([{key: value for key, value in group.items() if key != "params"}
                              for group in optimizer.param_groups] for optimizer in self.optimizers)
        self.test.assertEqual(options, expected)
        self.test.assertEqual(self.train.exports, 1)
        instance = self.train.resident.instance
        for slot in self.train.resident.slots:  # all ranks have the same
            for rank in range(1, instance.ranks):
                self.test.assertEqual(instance.view(slot.number, rank).tobytes(), instance.view(slot.number).tobytes(),
                                      slot.name)


class Resident(unittest.TestCase):
    def on_ranks(self, *arguments, **options):
        return [Pair(self, ranks, *arguments, **options) for ranks in (1, 4)]

    def test_values_are_views_and_nothing_moves(self):
        for pair in self.on_ranks():
            data = batches(4)
            pair.step(data[0])
            places = lambda: [t.data_ptr() for t in pair.model.state_dict().values()] + [v.data_ptr()
                                                                                         for s in pair.optimizers[0].state.values() for v in s.values()]
            before = places()
            for batch in data[1:]:
                pair.step(batch)
            self.assertEqual(places(), before)
            pair.check()

    def test_the_memory_outlives_the_training(self):
        pair = Pair(self, 2)
        pair.step(batches(1)[0])
        before = [v.clone() for v in pair.model.state_dict().values()]
        pair.train = None
        gc.collect()
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(pair.model.state_dict().values(), before)))

    def test_schedulers_between_steps(self):
        lr = torch.optim.lr_scheduler
        for make in (lambda o: lr.CosineAnnealingLR(o, 5),
                     lambda o: lr.SequentialLR(o, [lr.LinearLR(o, 0.1, total_iters=2), lr.ExponentialLR(o, 0.8)], [2]),
                     lambda o: lr.OneCycleLR(o, 0.05, total_steps=9, cycle_momentum=False)):
            pair = Pair(self, 2)
            schedules = [make(optimizer) for optimizer in pair.optimizers]
            for batch in batches(6):
                pair.step(batch)
                for schedule in schedules:
                    schedule.step()
            pair.check()

    def test_writes_between_steps_reach_all_ranks(self):
        def clip_weights(model, _):
            with torch.no_grad():
                for p in model.parameters():
                    p.clamp_(-0.2, 0.2)

        def other_tensor(model, _):
            model[0].weight.data = torch.full_like(model[0].weight, 0.1)

        def moments(_, optimizer):
            for state in optimizer.state.values():
                state["exp_avg"].mul_(0.5)

        def statistics(model, _):
            model[1].running_mean.zero_()
            model[1].num_batches_tracked += 5

        for pair in self.on_ranks():
            for batch, change in zip(batches(5), (clip_weights, other_tensor, moments, statistics, clip_weights)):
                pair.step(batch)
                pair.both(change)
            pair.step(batches(1)[0])
            pair.check()

    def test_state_dicts_are_loaded(self):
        for pair in self.on_ranks():
            data = batches(6)
            pair.step(data[0])
            kept = pair.both(lambda model, optimizer: copy.deepcopy((model.state_dict(), optimizer.state_dict())))
            for batch in data[1:4]:
                pair.step(batch)
            for (model, optimizer), state in zip(zip((pair.model, pair.other), pair.optimizers), kept):
                model.load_state_dict(state[0])
                optimizer.load_state_dict(state[1])
            for batch in data[4:]:
                pair.step(batch)
            pair.check()
            self.assertEqual([float(s["step"]) for s in pair.optimizers[0].state.values()], [3.0] * 5)
            fresh = small()  # a checkpoint is complete, and no part of the step's memory
            fresh.load_state_dict(copy.deepcopy(pair.model.state_dict()))
            self.assertFalse({t.data_ptr() for t in fresh.state_dict().values()}
                             & {t.data_ptr() for t in pair.model.state_dict().values()})

    def test_an_average_of_the_weights_follows(self):
        averaged = torch.optim.swa_utils.AveragedModel
        for pair in self.on_ranks():
            means = pair.both(lambda model, _: averaged(model,
                                                        multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)))
            for batch in batches(4):
                pair.step(batch)
                for mean, model in zip(means, (pair.model, pair.other)):
                    mean.update_parameters(model)
            for a, b in zip(*(mean.state_dict().values() for mean in means)):
                torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)

    def test_pytorch_may_take_a_step_itself(self):
        for pair in self.on_ranks():
            data = batches(4)
            pair.step(data[0])
            for each in zip((pair.model, pair.other), pair.optimizers):
                eager(*each, data[1])
            for batch in data[2:]:
                pair.step(batch)
            pair.check()

    def test_other_optimizers(self):
        kinds = {"sgd": lambda p: torch.optim.SGD(p, lr=0.1),
                 "damped": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.5),
                 "nadam": lambda p: torch.optim.NAdam(p, lr=0.01), "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.05)}
        for name, kind in kinds.items():
            with self.subTest(name):
                pair = Pair(self, 2, kind)
                for batch in batches(4):
                    pair.step(batch)
                pair.check()

    def test_an_optimizer_of_two(self):
        """Which it holds in a tuple: what their first step makes is kept there."""
        class Both(torch.optim.Optimizer):
            def __init__(self, *parts):
                self.parts = parts
                super().__init__([p for part in parts for p in part.param_groups[0]["params"]], {})

            def step(self, closure=None):
                for part in self.parts:
                    part.step()

        def both(parameters):
            parameters = list(parameters)
            return Both(torch.optim.SGD(parameters[:2], 0.1, momentum=0.9), torch.optim.Adam(parameters[2:], 0.01))
        for pair in self.on_ranks(both):
            schedules = [torch.optim.lr_scheduler.StepLR(optimizer.parts[1], 2, 0.5) for optimizer in pair.optimizers]
            for batch in batches(5):
                pair.step(batch)
                for schedule in schedules:
                    schedule.step()
            for (name, value), expected in zip(pair.model.state_dict().items(), pair.other.state_dict().values(),
                                               strict=True):
                torch.testing.assert_close(value, expected, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")
            for part, other in zip(pair.optimizers[0].parts, pair.optimizers[1].parts):
                self.assertEqual([list(state) for state in part.state.values()],
                                 [list(state) for state in other.state.values()])

    def test_a_frozen_layer_and_an_evaluation_between_steps(self):
        pair = Pair(self, 2)
        data = batches(4)
        pair.step(data[0])
        for model in (pair.model, pair.other):
            model.eval()
            model(data[0][0])
            model.train()
        pair.step(data[1])
        for model in (pair.model, pair.other):
            model[0].weight.requires_grad_(False)
        pair.step(data[2])
        self.assertEqual(pair.train.exports, 2)
        with torch.no_grad():
            pair.both(lambda model, _: model[0].weight.mul_(2))  # of a layer that the step only reads
        pair.step(data[3])

    def test_generator_and_discriminator_with_an_optimizer_each(self):
        """Both steps read both networks, each trains one, and both write the statistics of the normalisation."""
        def network(*sizes):  # no bias in front of a normalisation
            return nn.Sequential(nn.Linear(sizes[0], sizes[1], bias=False), nn.BatchNorm1d(sizes[1]), nn.Tanh(),
                                 nn.Linear(sizes[1], sizes[2], bias=False))

        def judge(nets, batch):
            real, fake = nets["D"](batch["x"]), nets["D"](nets["G"](batch["z"]).detach())
            return F.softplus(-real).mean() + F.softplus(fake).mean()

        def fool(nets, batch):
            return F.softplus(-nets["D"](nets["G"](batch["z"]))).mean()

        for ranks in (1, 2):
            torch.manual_seed(0)
            nets = nn.ModuleDict({"G": network(3, 8, 5), "D": network(5, 8, 1)})
            other = copy.deepcopy(nets)
            make = lambda nets, name: torch.optim.Adam(nets[name].parameters(), lr=0.01, betas=(0.5, 0.9))
            mine, theirs = ({name: make(each, name) for name in "DG"} for each in (nets, other))
            losses = {"D": judge, "G": fool}
            train = {name: ds.torch.data_parallel(nets, mine[name], losses[name], ranks=ranks) for name in "DG"}
            for _ in range(4):
                batch = {"x": torch.randn(8, 5), "z": torch.randn(8, 3)}
                for name in "DG":
                    got = train[name](batch)["loss"]
                    other.zero_grad()
                    loss = losses[name](other, batch)
                    loss.backward()
                    theirs[name].step()
                    self.assertAlmostEqual(got, loss.item(), delta=1e-4)
            for (name, value), expected in zip(nets.state_dict().items(), other.state_dict().values()):
                torch.testing.assert_close(value, expected, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")

    def test_a_step_of_wrong_labels_changes_nothing(self):
        pair = Pair(self, 2)
        data = batches(3)
        pair.step(data[0])
        before = [v.clone() for v in pair.model.state_dict().values()]
        with self.assertRaisesRegex(RunError, "'y' of step 1 holds 3, expected an index from 0 to 2"):
            pair.train((data[1][0], data[1][1] + 3 * (data[1][1] == 2)[0] + 3 - data[1][1]))
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(pair.model.state_dict().values(), before)))
        pair.step(data[2])
        pair.check()

    def test_a_rank_that_fails_ends_its_step_and_no_more(self):
        """64 ranks that compute for milliseconds do not meet within one, on however many cores."""
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(512, 2048), nn.Tanh(), nn.Linear(2048, 3))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=64, config={"timeout": "1ms"})
        batch = torch.randn(4096, 512), torch.randint(0, 3, (4096,))
        with self.assertRaisesRegex(RunError, r"rank \d+.* timed out after 1 ms waiting for rank"):
            for _ in range(100):
                train(batch)
        self.assertTrue(torch.isfinite(model(batch[0])).all())
        train.runner.config["timeout"] = "600s"
        losses = [train(batch)["loss"] for _ in range(3)]
        self.assertLess(losses[2], losses[0])

    def test_bfloat16_and_several_groups(self):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)).to(torch.bfloat16)
        optimizer = torch.optim.SGD([{"params": model[0].parameters(), "lr": 0.1}, {"params": model[2].parameters()}],
                                    lr=0.05, momentum=0.9)
        train = ds.torch.data_parallel(model, optimizer, lambda out, y: F.cross_entropy(out.float(), y), ranks=2)
        x, y = batches(1)[0]
        losses = [train((x.bfloat16(), y))["loss"] for _ in range(5)]
        self.assertLess(losses[-1], losses[0])
        self.assertIs(model[0].weight.dtype, torch.bfloat16)


if __name__ == "__main__":
    unittest.main()

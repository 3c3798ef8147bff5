"""Steps of PyTorch on GPUs that are not there: their driver executes the PTX."""
import copy
import io
import unittest

import gpu

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
import dstep.torch
from dstep.base import dlpack
from dstep.session.run import RunError
from test_torch_resident import batches, eager, small


@unittest.skipUnless(gpu.IS_THERE, "the fake driver is not built")
class OnGpu(unittest.TestCase):
    def pair(self, ranks=1, device="cuda", make=lambda p: torch.optim.AdamW(p, lr=0.01), **options):
        model = small()
        other = copy.deepcopy(model)
        optimizer, of_other = make(model.parameters()), make(other.parameters())
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=ranks, device=device, **options)
        return train, model, optimizer, other, of_other

    def equal(self, model, other):
        for (name, value), expected in zip(model.state_dict().items(), other.state_dict().values(), strict=True):
            torch.testing.assert_close(value, expected, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")

    def test_steps_are_pytorchs(self):
        for ranks, device in ((1, "cuda"), (2, torch.device("cuda:3")), (2, "cuda:0,1")):
            train, model, optimizer, other, of_other = self.pair(ranks, device)
            schedulers = [torch.optim.lr_scheduler.StepLR(o, 2, 0.5) for o in (optimizer, of_other)]
            for batch in batches(5):
                self.assertAlmostEqual(train(batch)["loss"], eager(other, of_other, batch), delta=1e-4)
                for scheduler in schedulers:
                    scheduler.step()
            before = model[0].weight.clone()
            self.equal(model, other)
            self.assertFalse(torch.equal(before, model[0].weight))  # state_dict has brought the values
            for p, q in zip(model.parameters(), other.parameters()):
                self.assertEqual(optimizer.state_dict()["state"].keys(), of_other.state_dict()["state"].keys())
                torch.testing.assert_close(optimizer.state[p]["exp_avg"], of_other.state[q]["exp_avg"], rtol=1e-3,
                                           atol=1e-4)
                self.assertEqual(float(optimizer.state[p]["step"]), 5)
            self.assertEqual(train.exports, 1)

    def test_many_steps_in_one_call_have_the_bits_of_single_ones(self):
        data = batches(5)
        data[2] = data[2][0].T.contiguous().T, data[2][1]  # which is made dense first
        for ranks in (1, 2):
            one, model, *_ = self.pair(ranks)
            expected = [one(batch)["loss"] for batch in data]
            many, other, *_ = self.pair(ranks)
            self.assertEqual([metrics["loss"] for metrics in many.run(data)], expected)
            for value, same in zip(model.state_dict().values(), other.state_dict().values()):
                self.assertTrue(torch.equal(value, same))

    def test_nothing_is_copied_in_but_the_batch(self):
        train, model, *_ = self.pair(2)
        data = batches(3)
        train(data[0])
        written, instance = [], train.resident.instance
        instance.write = lambda slot, value: written.append(slot)
        train(data[1])
        train(data[2])
        self.assertEqual(written, [])
        self.assertFalse(torch.equal(model[0].weight, torch.from_numpy(instance.read(0))))
        train.sync()
        self.assertTrue(torch.equal(model[0].weight, torch.from_numpy(instance.read(0))))
        train(data[0])
        self.assertEqual(written, [])  # what sync writes is no change

    def test_what_is_written_between_steps_counts(self):
        train, model, optimizer, other, of_other = self.pair(2)
        data = batches(6)
        for number, batch in enumerate(data):
            self.assertAlmostEqual(train(batch)["loss"], eager(other, of_other, batch), delta=2e-4)
            if number == 1:
                saved = [io.BytesIO() for _ in range(4)]
                for file, what in zip(saved, (model, optimizer, other, of_other)):
                    torch.save(what.state_dict(), file)
            if number == 2:
                for file, what in zip(saved, (model, optimizer, other, of_other)):
                    file.seek(0)
                    what.load_state_dict(torch.load(file))
            if number == 3:
                train.sync()
                with torch.no_grad():
                    for m in (model, other):
                        m[3].weight.mul_(0.5)
        self.equal(model, other)
        train(data[0])
        with torch.no_grad():
            model[3].weight.mul_(0.5)
        with self.assertRaisesRegex(RunError, r"'3.weight' was written while a newer value of it was on the GPU alone; "
                                    r"call sync\(\) of the training first"):
            train(data[0])

    def test_averages_of_weights_read_the_newest_values(self):
        """By parameters() of the model or of a part of it, between steps; so does what clips weights through them."""
        train, model, _, other, of_other = self.pair(2)
        averages = [torch.optim.swa_utils.AveragedModel(each, use_buffers=True) for each in (model, other)]
        followers = [copy.deepcopy(each[3]) for each in (model, other)]
        for batch in batches(4):
            self.assertAlmostEqual(train(batch)["loss"], eager(other, of_other, batch), delta=2e-4)
            with torch.no_grad():
                for each, average, follower in zip((model, other), averages, followers):
                    average.update_parameters(each)
                    for p, q in zip(follower.parameters(), each[3].parameters()):
                        p.lerp_(q, 0.5)
                    for p in each.parameters():
                        p.clamp_(-0.3, 0.3)
        self.equal(averages[0], averages[1])
        self.equal(followers[0], followers[1])
        self.equal(copy.deepcopy(model), other)
        train(batches(1)[0])
        with torch.no_grad():
            model[3].weight.mul_(0.5)
        for read in (model.state_dict, lambda: list(model.parameters()), lambda: model(batches(1)[0][0])):
            with self.assertRaisesRegex(RunError, "'3.weight' was written while a newer value"):
                read()
        train.sync()
        model.state_dict()

    def test_a_forward_pass_has_the_newest_values(self):
        train, model, _, other, of_other = self.pair()
        for batch in batches(3):
            train(batch)
            eager(other, of_other, batch)
        for m in (model, other):
            m.eval()
        torch.testing.assert_close(model(batch[0]), other(batch[0]), rtol=1e-3, atol=1e-4)
        torch.save(model, io.BytesIO())  # hooks go along

    def test_optimizers_of_others_and_their_numbers(self):
        class Own(torch.optim.Optimizer):
            def __init__(self, params):
                super().__init__(params, {"lr": 0.1})

            @torch.no_grad()
            def step(self):
                for group in self.param_groups:
                    for p in group["params"]:
                        state = self.state[p]
                        state["count"] = state.get("count", 0) + 1
                        p.sub_(group["lr"] / state["count"] * p.grad)

        train, model, optimizer, other, of_other = self.pair(make=Own)
        for batch in batches(4):
            self.assertAlmostEqual(train(batch)["loss"], eager(other, of_other, batch), delta=1e-4)
        self.equal(model, other)

    def test_two_steps_that_share_a_network(self):
        def nets():
            torch.manual_seed(0)
            return nn.ModuleDict({"G": nn.Linear(4, 6), "D": nn.Linear(6, 1)})

        def loss_d(net, batch):
            return F.softplus(-net["D"](batch["x"])).mean() + F.softplus(net["D"](net["G"](batch["z"]).detach())).mean()

        def loss_g(net, batch):
            return F.softplus(-net["D"](net["G"](batch["z"]))).mean() + 0 * batch["x"].mean()

        ours, theirs = nets(), nets()
        make = lambda net: [torch.optim.SGD(net[k].parameters(), lr=0.1) for k in ("D", "G")]
        of_ours, of_theirs = make(ours), make(theirs)
        trains = [ds.torch.data_parallel(ours, o, loss, ranks=2, device="cuda")
                  for o, loss in zip(of_ours, (loss_d, loss_g))]
        torch.manual_seed(1)
        for _ in range(3):
            batch = {"x": torch.randn(8, 6), "z": torch.randn(8, 4)}
            for train, optimizer, loss in zip(trains, of_theirs, (loss_d, loss_g)):
                optimizer.zero_grad()
                expected = loss(theirs, batch)
                expected.backward()
                optimizer.step()
                self.assertAlmostEqual(train(batch)["loss"], expected.item(), delta=1e-4)
        self.equal(ours, theirs)

    def test_fit(self):
        x, y = torch.randn(64, 6, generator=torch.Generator().manual_seed(2)), torch.arange(64) % 3
        found = []
        for device in ("cpu", "cuda"):
            train, model, *_ = self.pair(2, device)
            train((x[:8], y[:8]))
            history = train.fit((x[:8], y[:8]), (x, y), epochs=2, progress="none", validation=(x, y))
            found.append((history, {name: value.clone() for name, value in model.named_parameters()},
                          train((x[:8], y[:8]))["loss"]))
        for a, b in zip(found[0][0], found[1][0]):
            self.assertEqual(a.keys(), b.keys())
            for name in a:
                self.assertAlmostEqual(a[name], b[name], delta=1e-3)
        torch.testing.assert_close(found[0][1], found[1][1], rtol=1e-3, atol=1e-3)
        self.assertAlmostEqual(found[0][2], found[1][2], delta=1e-3)

    def test_batches_of_workers_travel_beside_the_step_before(self):
        data, driver, found, copies = batches(12), gpu.Driver(), [], []
        samples = torch.utils.data.TensorDataset(torch.cat([x for x, _ in data]), torch.cat([y for _, y in data]))
        for workers in (0, 1):
            train, model, *_ = self.pair()
            before = driver.work()["on-device"]
            history = train.fit(data[0], torch.utils.data.DataLoader(samples, len(data[0][0]), num_workers=workers), 3,
                                progress="none")
            copies.append(driver.work()["on-device"] - before)
            found.append((history, [value.clone() for value in model.state_dict().values()]))
        self.assertEqual(found[0][0], found[1][0])
        for value, same in zip(found[0][1], found[1][1], strict=True):
            self.assertTrue(torch.equal(value, same))
        self.assertEqual(copies[0], 0)  # in front of their steps
        self.assertGreaterEqual(copies[1], 2 * 8)  # x and y, of most batches: the first of an epoch is not there before

    def test_batches_of_the_gpu_and_parameters_by_dlpack(self):
        train, model, _, other, of_other = self.pair(2, "cuda:1")
        for number, (x, y) in enumerate(batches(4)):
            given = gpu.Array(x.numpy(), device=1), gpu.Array(y.numpy(), device=1) if number % 2 else y
            self.assertAlmostEqual(train(given)["loss"], eager(other, of_other, (x, y)), delta=1e-4)
            self.assertTrue(all(stream == -1 or stream > 2 for stream in given[0].streams))
        self.equal(model, other)
        held = train.parameters()["0.weight"]
        given = dlpack.Given(held, gpu.STREAM)
        self.assertEqual((given.device, given.shape), ((2, 1), (8, 6)))
        np.testing.assert_array_equal(gpu.Driver().read(given.address, given.shape, np.float32, device=1),
                                      model[0].weight.detach().numpy())
        self.assertIn("0.weight.exp_avg", train.states())
        with self.assertRaisesRegex(RunError, r"'y' is int64\[4\], expected int64\[8\]"):
            train((x, gpu.Array(y.numpy()[:4], device=1)))

    def test_a_label_out_of_range_is_found_on_the_gpu(self):
        train, *_ = self.pair(1, "cuda")
        x, y = batches(1)[0]
        wrong = y.clone()
        wrong[3] = 7
        train((x, y))
        with self.assertRaisesRegex(RunError, "expected an index from"):
            train((x, gpu.Array(wrong.numpy())))
        train((x, gpu.Array(y.numpy())))

    def test_torch_compile(self):
        losses = []
        for options in ({"ranks": 2}, {"ranks": 2, "device": "cuda"}):
            model = small()
            optimizer, step = torch.optim.SGD(model.parameters(),
                                              lr=0.1), torch.compile(lambda m, x, y: F.cross_entropy(m(x), y),
                                                                     backend="dstep", options=options)
            losses.append([])
            for x, y in batches(3):
                optimizer.zero_grad()
                loss = step(model, x, y)
                loss.backward()
                optimizer.step()
                losses[-1].append(loss.item())
        np.testing.assert_allclose(*losses, rtol=1e-4)
        losses = []
        # the loss outside of what is compiled, and results large enough to be written in place elsewhere
        for options in ({"ranks": 2}, {"ranks": 2, "device": "cuda"}):
            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(6, 200), nn.ReLU(), nn.Linear(200, 150))
            step, optimizer = torch.compile(model, backend="dstep",
                                            options=options), torch.optim.SGD(model.parameters(), lr=0.1)
            losses.append([])
            for x, y in batches(3):
                optimizer.zero_grad()
                loss = F.cross_entropy(step(x), y)
                loss.backward()
                optimizer.step()
                losses[-1].append(loss.item())
        np.testing.assert_allclose(*losses, rtol=1e-4)
        with self.assertRaisesRegex(Exception, "device='tpu', expected 'cpu', 'cuda'"):
            torch.compile(lambda x: x * model[0].weight.sum(), backend="dstep", options={"device": "tpu"})(x)

    def test_refusals(self):
        for device in ("hip", "cuda:a"):
            with self.assertRaisesRegex(ValueError, f"device='{device}', expected 'cpu', 'cuda', or 'cuda' with "
                                        "numbers of GPUs"):
                self.pair(device=device)
        train, *_ = self.pair(device="cuda:8")
        with self.assertRaisesRegex(RunError, "there is no GPU 8: this machine has 8, numbers 0 to 7"):
            train(batches(1)[0])
        with self.assertRaisesRegex(RunError, "hold nothing yet"):
            train.parameters()


if __name__ == "__main__":
    unittest.main()

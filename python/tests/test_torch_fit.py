"""`fit` goes on from call to call, shows what it does, and keeps what was trained; changes of a learning rate, of
frozen parameters and of modes are in force in the next call."""
import contextlib
import copy
import io
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import by_ds_run
import dstep as ds
import hints
from dstep.frontend import FrontendError
from dstep.session.run import RunError


def made(layers=lambda: (nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)), **options):
    torch.manual_seed(0)
    model = nn.Sequential(*layers())
    return model, torch.optim.SGD(model.parameters(), **({"lr": 0.1, "momentum": 0.9} | options))


def with_dropout():
    return made(lambda: (nn.Linear(6, 8), nn.Dropout(0.3), nn.BatchNorm1d(8), nn.Linear(8, 3)))


def samples(count=48):
    torch.manual_seed(1)
    x = torch.randn(count, 6)
    return {"x": x, "y": (x[:, 0] > 0).long() + (x[:, 1] > 1).long()}


def parallel(objects, **options):
    return ds.torch.data_parallel(*objects, F.cross_entropy, ranks=2, **options)


def batch(data, size=8):
    return data["x"][:size], data["y"][:size]


def eager_step(model, optimizer, x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


class Fit(unittest.TestCase):
    def equal(self, one, other, **tolerance):
        for (name, value), expected in zip(one.state_dict().items(), other.state_dict().values()):
            with self.subTest(name):
                torch.testing.assert_close(value, expected, **(tolerance or dict(rtol=0, atol=0)))

    def fit(self, train, data, epochs, **options):
        return train.fit(batch(data), data, epochs, progress="none", **options)

    def test_three_times_one_epoch_is_once_three(self):
        """The sampler's position, ds.step, the random keys of dropout, and the optimizer's state."""
        data, once, thrice = samples(), with_dropout(), with_dropout()
        expected = self.fit(parallel(once), data, 3, seed=5)
        train = parallel(thrice)
        got = [self.fit(train, data, 1, seed=5)[0] for _ in range(3)]
        self.equal(thrice[0], once[0])
        self.assertEqual(got, expected)
        self.assertEqual((train.position.step, train.exports), (18, 1))
        other = with_dropout()
        again = parallel(other)
        for _ in range(3):
            self.fit(again, data, 1, seed=5)
            again.position.step = 0
        self.assertFalse(torch.equal(other[0][0].weight, once[0][0].weight))

    def test_other_data_begins_with_an_epoch_of_its_own(self):
        train = parallel(with_dropout())
        self.fit(train, samples(50), 1)  # 6 steps, two samples are left out
        train([*batch(samples())])
        self.assertEqual(train.position.step, 7)
        self.fit(train, samples(40), 1)
        self.assertEqual(train.position.step, 15)  # 5 steps from the tenth on

    def test_callbacks_and_validation_of_every_epoch(self):
        data, objects, seen = samples(), with_dropout(), []
        held_out = samples(20)

        def callback(epoch, metrics):
            seen.append((epoch, metrics["loss"], metrics["val_loss"], objects[0][0].weight.clone()))
            return epoch == 1

        history = self.fit(parallel(objects), data, 5, validation=(held_out["x"], held_out["y"]), callbacks=[callback])
        self.assertEqual([s[:3] for s in seen], [(i, m["loss"], m["val_loss"]) for i, m in enumerate(history)])
        self.assertEqual(len(history), 2)
        self.assertFalse(torch.equal(seen[0][3], seen[1][3]))
        self.assertTrue(objects[0].training)
        objects[0].eval()
        with torch.no_grad():
            expected = float(F.cross_entropy(objects[0](held_out["x"]), held_out["y"]))
        self.assertAlmostEqual(history[-1]["val_loss"], expected, places=5)

        history = self.fit(parallel(made()), data, 2, validation=lambda: {"answer": 42})
        self.assertEqual([m["answer"] for m in history], [42, 42])

    def test_the_interface_says_its_types_and_what_it_is(self):
        import dstep.torch.training.parallel
        self.assertEqual(hints.missing(ds.torch, ds.torch.__all__)
                         + hints.missing(dstep.torch.training.parallel, ["DataParallel"]), [])
        self.assertEqual(repr(parallel(made())), "dstep.torch.DataParallel(Sequential, SGD, ranks=2, batch=global, 0 "
                         "steps)")

    def test_lines_of_progress(self):
        told = io.StringIO()
        data = samples()
        with contextlib.redirect_stderr(told):
            parallel(made()).fit(batch(data), data, 2, validation=lambda: {"answer": 42})
        self.assertRegex(told.getvalue(), r"^epoch 1/2  loss \d+\.\d{4}  \d+ samples/s\nepoch 1/2  loss \S+  answer "
                         r"42.0000\nepoch 2/2  loss")
        with self.assertRaisesRegex(ValueError, "progress= is 'loud', expected one of auto, bar, lines, none"):
            parallel(made()).fit(batch(data), data, progress="loud")

    def test_the_bar_goes_to_its_end(self):
        for hidden in ([], ["tqdm"]):
            told, data = io.StringIO(), samples()
            with contextlib.redirect_stderr(told), unittest.mock.patch("importlib.util.find_spec",
                                                                       lambda name: name not in hidden or None):
                parallel(made()).fit(batch(data), data, 3, progress="bar")
            self.assertRegex(told.getvalue(), r"epoch 3/3.*18/18")

    SCRIPT = """
import sys, torch
sys.path.insert(0, {tests!r})
from test_torch_fit import *
objects, data = made(lr=0.001), samples()
before, train = objects[0][0].weight.clone(), parallel(objects)
try:
    train.fit(batch(data), {given}, 10**7, **{options})
except ds.Interrupted as stopped:
    print("interrupted", str(stopped), len(stopped.results), not torch.equal(before, objects[0][0].weight), train.position.step, flush=True)
step = train.position.step
train.fit(batch(data), {given}, 1, progress="none")
print("went on", train.position.step - step)
"""

    def interrupt(self, options, given="data"):
        script = self.SCRIPT.format(tests=str(pathlib.Path(__file__).parent), options=options, given=given)
        process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", script], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if line.startswith("epoch 2/"):
                break
        self.assertIsNone(process.poll())  # told while it trains
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, told)
        self.assertRegex(out, r"^interrupted interrupted after step (\d+); what was trained is kept \d+ True \1\nwent "
                         r"on 6\n$")

    def test_ctrl_c_keeps_what_was_trained(self):
        self.interrupt("{}")

    def test_ctrl_c_between_epochs_keeps_what_was_trained(self):
        self.interrupt("dict(callbacks=[lambda epoch, metrics: None])")

    def test_ctrl_c_while_batches_come_keeps_what_was_trained(self):
        """Most of the time passes in the loader."""
        self.interrupt("{}", "type('Slow', (), {'__iter__': lambda self: (__import__('time').sleep(0.02) or "
                       "batch(data) for _ in range(6))})()")

    def test_ranks_of_this_process_train_in_it(self):
        """No program is started, and the bits are those of ds-run: also with files, a share of its own for each rank,
        and a filled last batch."""
        def started(*arguments, **options):
            raise AssertionError(f"{arguments[0][:2]} was started")

        options = {"global": ({}, 48, {}), "local": ({"config": {"batch": "local", "gradients_mean": True}}, 48, {}),
                   "wrap": ({}, 45, {"last_batch": "wrap"})}
        with tempfile.TemporaryDirectory() as folder:
            for name, (how, count, more) in options.items():
                with self.subTest(name):
                    data, objects = samples(count), with_dropout()
                    np.save(f"{folder}/x.npy", data["x"])
                    data["x"] = f"{folder}/x.npy"
                    start = batch(samples(), 8)
                    train, other = (parallel(each, **how) for each in (objects, with_dropout()))
                    with unittest.mock.patch.object(subprocess, "Popen", started):
                        history = train.fit(start, data, 3, seed=4, progress="none", **more)
                    exported = other._export(start)
                    values, expected = by_ds_run.trained(exported, exported.arguments(start), data, 3, 4, **more, **how)
                    for name, value in objects[0].named_parameters():
                        np.testing.assert_array_equal(value.detach(), values[name])
                    for got, wanted in zip(history, expected, strict=True):
                        self.assertAlmostEqual(got["loss"], wanted["loss"], places=9)

    def test_what_fails_leaves_the_model_as_it_was(self):
        """Also where the model's memory is the step's, and its ranks go on."""
        data, objects = samples(), made(lr=0.1)
        train = parallel(objects)
        train(batch(data))
        before, labels = [p.clone() for p in objects[0].parameters()], data["y"].clone()
        data["y"][40] = 7
        with self.assertRaisesRegex(RunError, r"data for 'y' from 'an array': sample 40 holds 7, expected an index "
                                    r"from 0 to 2 or -100 \(on_index=\"warn\" trains nevertheless\)"):
            self.fit(train, data, 2)
        objects[1].param_groups[0]["lr"] = 1e38
        with self.assertRaisesRegex(RunError, "is (nan|inf) after step|holds (nan|-?inf) after step"):
            self.fit(train, {**data, "y": labels}, 2)
        for p, was in zip(objects[0].parameters(), before):
            torch.testing.assert_close(p.detach(), was, rtol=0, atol=0)
        objects[1].param_groups[0]["lr"] = 0.1
        self.assertEqual(len(self.fit(train, {**data, "y": labels}, 2)), 2)

    def test_a_failure_of_a_step_is_told(self):
        with self.assertRaisesRegex(RunError, "metric 'loss' is (nan|inf) after step"):
            self.fit(ds.torch.data_parallel(*made(lr=1e30), lambda out, y: (out ** 2).mean(), ranks=2), samples(), 3)


class Changes(unittest.TestCase):
    equal = Fit.equal

    def test_three_epochs_under_schedulers_are_those_of_pytorch(self):
        """With a scheduler that steps after each epoch; two groups of other rates, of which the first begins with 0."""
        schedulers = {
            "steps": lambda o: torch.optim.lr_scheduler.StepLR(o, 1, gamma=0.3),
            "cosine": lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, T_max=3),
            "groups": lambda o: torch.optim.lr_scheduler.LambdaLR(o, [lambda e: e / 3, lambda e: 1 / (1 + e)]),
        }
        data = samples(64)
        batches = [(data["x"][i:i + 8], data["y"][i:i + 8]) for i in range(0, 64, 8)]
        for name, schedule in schedulers.items():
            for kind in (torch.optim.SGD, torch.optim.AdamW):
                with self.subTest(name, kind=kind.__name__):
                    model, _ = made()
                    halves = [{"params": model[0].parameters(), "lr": 0.02},
                              {"params": model[2].parameters(), "lr": 0.05}]
                    objects = model, kind(halves if name == "groups" else model.parameters(), lr=0.05)
                    reference = copy.deepcopy(objects)
                    train, ours, theirs = parallel(objects), schedule(objects[1]), schedule(reference[1])
                    for _ in range(3):
                        train.run(batches)
                        ours.step()
                        for x, y in batches:
                            eager_step(*reference, x, y)
                        theirs.step()
                    self.equal(objects[0], reference[0], rtol=1e-4, atol=1e-5)
                    self.assertEqual(train.exports, 1)

    def test_fit_sees_the_scheduler_of_a_callback(self):
        """One step per epoch has all samples, in any order."""
        data, objects = samples(16), made()
        reference = copy.deepcopy(objects)
        ours, theirs = (torch.optim.lr_scheduler.ExponentialLR(o, 0.5) for _, o in (objects, reference))
        parallel(objects).fit(batch(data, 16), data, 3, progress="none", callbacks=[lambda epoch, metrics: ours.step()])
        for _ in range(3):
            eager_step(*reference, *data.values())
            theirs.step()
        self.equal(objects[0], reference[0], rtol=1e-4, atol=1e-5)

    def test_fit_sees_what_a_callback_changes(self):
        """Values go on without another compilation; what is built into the step leads to another export."""
        def halve(model, _):
            with torch.no_grad():
                model[0].weight.mul_(0.5)

        def freeze(model, _):
            model[2].bias.requires_grad_(False)

        for change, launches in ((halve, 1), (freeze, 2)):
            with self.subTest(change.__name__):
                data, objects = samples(16), made()
                reference = copy.deepcopy(objects)
                train = parallel(objects)
                with unittest.mock.patch.object(train.runner, "parsed", wraps=train.runner.parsed) as call:
                    train.fit(batch(data, 16), data, 3, progress="none",
                              callbacks=[lambda epoch, metrics: change(*objects) if epoch == 0 else None])
                for number in range(3):
                    eager_step(*reference, *data.values())
                    if number == 0:
                        change(*reference)
                self.equal(objects[0], reference[0], rtol=1e-4, atol=1e-5)
                self.assertEqual((call.call_count, train.exports), (launches, launches))

    def compare(self, objects, change, exports=2):
        reference, data = copy.deepcopy(objects), samples()
        train = parallel(objects)
        for number in range(2):
            train(batch(data))
            eager_step(*reference, *batch(data))
            if number == 0:
                change(*objects)
                change(*reference)
        self.equal(objects[0], reference[0], rtol=1e-4, atol=1e-5)
        self.assertEqual(train.exports, exports)

    def test_what_is_built_in_is_exported_again(self):
        self.compare(made(), lambda model, _: model[0].requires_grad_(False))
        self.compare(made(), lambda _, optimizer: optimizer.param_groups[0].update(weight_decay=0.1))
        self.compare(made(), lambda _, optimizer: optimizer.param_groups[0].update(momentum=0.5))
        norm = made(lambda: (nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.Linear(8, 3)))
        self.compare(norm, lambda model, _: model[1].eval())
        scaled = made(lambda: (nn.Linear(6, 3), nn.Hardtanh(-2, 2)))
        self.compare(scaled, lambda model, _: setattr(model[1], "max_val", 0.1))
        masked = made()
        masked[0][0].register_buffer("mask", torch.ones(6))
        masked[0][0].register_forward_pre_hook(lambda layer, inputs: inputs[0] * layer.mask)
        self.compare(masked, lambda model, _: model[0].mask[:3].zero_())
        self.compare(made(nesterov=True), lambda model, _: setattr(model[2], "weight", model[2].weight) or None,
                     exports=1)

    def test_one_rate_of_all_groups_keeps_their_ratio(self):
        model, _ = made()
        groups = [{"params": model[0].parameters(), "lr": 0.02}, {"params": model[2].parameters(), "lr": 0.05}]
        train = parallel((model, torch.optim.SGD(groups)), hyper=("lr",))
        train(batch(samples()))
        for group in train.optimizer.param_groups:
            group["lr"] /= 2
        train(batch(samples()))
        self.assertEqual(train.exports, 1)
        train.optimizer.param_groups[1]["lr"] = 0.01
        train(batch(samples()))
        self.assertEqual(train.exports, 2)

    def test_evaluation_mode_is_refused(self):
        model, optimizer = made()
        train = parallel((model, optimizer))
        train(batch(samples()))
        model.eval()
        with self.assertRaisesRegex(FrontendError, "the model is in evaluation mode, expected training mode"):
            train(batch(samples()))


if __name__ == "__main__":
    unittest.main()

"""Whole training steps of PyTorch, exported and run by ds-run (DS_RUN or PATH) on 1, 2, 4 and 8 ranks against PyTorch's own training;
and what is refused, with the sentence that says so."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import ds.torch
from ds import arrays
from ds.frontend import FrontendError
from torch_models import ALL

DS_RUN = os.environ.get("DS_RUN") or shutil.which("ds-run")


def ds_run(*arguments):
    done = subprocess.run([DS_RUN, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


@unittest.skipUnless(DS_RUN, "ds-run is neither named by DS_RUN nor on PATH")
class Replays(Case):
    def replay(self, name, ranks=(1, 2, 4, 8)):
        model, optimizer, loss_fn, batches, options = ALL[name]()
        path = ds.torch.export(model, optimizer, loss_fn, batches[0], name=name, **options).write(self.folder, steps=batches)
        for n in ranks:
            status, said = ds_run(path, "--ranks", n, "--config", "batch=global", "--replay", path.with_suffix(".npz"))
            self.assertEqual(status, 0, said[-2000:])
            self.assertRegex(said, rf"replay: 2 steps, \d+ results on {n} ranks?: .*: equal")

    def test_mlp(self):
        self.replay("mlp")

    def test_dropout(self):
        self.replay("dropout")

    def test_cnn(self):
        self.replay("cnn")

    def test_gpt(self):
        self.replay("gpt")

    def test_resnet(self):
        self.replay("resnet")

    def test_lstm(self):
        self.replay("lstm", ranks=(1, 4))

    def test_a_wrong_step_is_noticed(self):
        """The recording has teeth: the same step with another learning rate differs."""
        for rate in (0.1, 0.11):
            torch.manual_seed(0)
            model, _, loss_fn, batches, _ = ALL["mlp"]()
            exported = ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=rate), loss_fn, batches[0], name=f"rate{rate}")
            exported.write(self.folder, steps=batches)
        status, said = ds_run(self.folder / "rate0.11.mlir", "--ranks", 2, "--config", "batch=global", "--replay", self.folder / "rate0.1.npz")
        self.assertEqual(status, 1)
        self.assertIn("DIFFERENT", said)

    def test_optimizers(self):
        """Every optimizer keeps its own kind of state; one step each, two for those that start in a special way."""
        weights = {"momentum": 0.9, "maximize": True}
        for kind, options in (("SGD", weights), ("Adam", {"amsgrad": True, "weight_decay": 0.1}), ("NAdam", {}), ("RAdam", {}), ("Adamax", {}),
                              ("Adadelta", {}), ("Adagrad", {"initial_accumulator_value": 0.1}), ("RMSprop", {"centered": True, "momentum": 0.5}),
                              ("ASGD", {}), ("Rprop", {})):
            with self.subTest(kind):
                torch.manual_seed(0)
                model = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3))
                optimizer = getattr(torch.optim, kind)(model.parameters(), lr=0.01, **options)
                batches = [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(2)]
                path = ds.torch.export(model, optimizer, F.cross_entropy, batches[0], name=kind).write(self.folder, steps=batches)
                status, said = ds_run(path, "--ranks", 2, "--config", "batch=global", "--replay", path.with_suffix(".npz"))
                self.assertEqual(status, 0, said[-1500:])

    def test_training_starts_from_the_written_values_and_comes_back(self):
        model, optimizer, loss_fn, batches, options = ALL["dropout"]()
        exported = ds.torch.export(model, optimizer, loss_fn, batches[0], name="step", **options)
        path = exported.write(self.folder)
        rows = {"x": torch.cat([b[0] for b in batches]).numpy(), "y": torch.cat([b[1] for b in batches]).numpy()}
        for name, values in rows.items():
            np.save(self.folder / f"{name}.npy", values)
        status, said = ds_run(path, "--ranks", 2, "--config", "batch=global", "--init", path.with_suffix(".safetensors"), "--arg", "lr=0.001",
                              "--data", f"x={self.folder / 'x.npy'},y={self.folder / 'y.npy'}", "--steps", 3, "--check=3",
                              "--save", self.folder / "end.safetensors")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, "check: 3 steps, 2 ranks against one device: .*: equal")
        exported.load(self.folder / "end.safetensors")
        ended = arrays.read_safetensors(self.folder / "end.safetensors")
        np.testing.assert_array_equal(model[0].weight.detach().numpy(), ended["0.weight"])
        self.assertEqual(float(optimizer.state[model[0].weight]["step"]), 3)
        with self.assertRaisesRegex(FrontendError, "has no '0.weight'"):
            arrays.write_safetensors(self.folder / "other.safetensors", {"other": np.zeros(1, np.float32)})
            exported.load(self.folder / "other.safetensors")

    def test_forward_has_the_names_of_the_step(self):
        model, optimizer, loss_fn, batches, _ = ALL["resnet"]()
        exported = ds.torch.export(model, optimizer, loss_fn, batches[0])
        forward = ds.torch.export_forward(model, batches[0][0])
        names = lambda export: {a["name"]: a["shape"] for a in export.manifest["args"] if a["role"] in ("param", "state")}
        self.assertLessEqual(names(forward).items(), names(exported).items())
        exported.write(self.folder)
        (self.folder / "forward.mlir").write_text(forward.mlir)
        np.save(self.folder / "x.npy", batches[0][0].numpy())
        model.eval()
        expected = model(batches[0][0])
        np.save(self.folder / "y.npy", expected.argmax(1).numpy())
        model.train()
        status, said = ds_run(self.folder / "step.mlir", "--init", self.folder / "step.safetensors", "--eval", self.folder / "forward.mlir",
                              "--eval-data", f"x={self.folder / 'x.npy'},y={self.folder / 'y.npy'}")
        self.assertEqual(status, 0, said)
        self.assertIn("accuracy 100.00 % (8 of 8)", said)


class Exports(Case):
    def test_names_roles_and_initial_values(self):
        model, optimizer, loss_fn, batches, options = ALL["dropout"]()
        exported = ds.torch.export(model, optimizer, loss_fn, batches[0], **options)
        described = [(a["role"], a["name"]) for a in exported.manifest["args"]]
        self.assertEqual(described[:2], [("param", "0.weight"), ("param", "0.bias")])
        self.assertIn(("state", "0.weight.exp_avg_sq"), described)
        self.assertEqual(described[-4:], [("batch", "x"), ("batch", "y"), ("seed", "seed"), ("hyper", "lr")])
        self.assertEqual([r["role"] for r in exported.manifest["results"]][-3:], ["metric:loss", "metric:accuracy", "metric:grad_norm"])
        np.testing.assert_array_equal(exported.initial_values()["0.weight"], model[0].weight.detach().numpy())

    def test_what_does_not_train_stays(self):
        """A frozen parameter, one that the loss does not use, and one that the optimizer does not hold."""
        model = nn.ModuleDict({name: nn.Linear(3, 3) for name in ("used", "frozen", "unused", "foreign")})
        model["frozen"].requires_grad_(False)
        held = [p for name in ("used", "frozen", "unused") for p in model[name].parameters()]
        loss_fn = lambda model, batch: model["foreign"](model["frozen"](model["used"](batch["x"]))).square().mean()
        exported = ds.torch.export(model, torch.optim.AdamW(held, lr=0.1, weight_decay=0.5), loss_fn, {"x": torch.randn(4, 3)})
        start = exported.initial_values()
        results = next(exported.train([{"x": torch.randn(4, 3)}]))
        for argument, result in zip(exported.manifest["args"], results):
            if argument["role"] == "param":
                changed = not np.array_equal(start[argument["name"]], result)
                self.assertEqual(changed, argument["name"].startswith("used"), argument["name"])
        self.assertFalse([a for a in exported.manifest["args"] if a["name"].startswith("unused") and a["role"] == "state"])


def linear():
    model = nn.Linear(4, 3)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


class Refusals(Case):
    def refused(self, sentence, model=None, optimizer=None, loss_fn=F.cross_entropy, batch=None, **options):
        plain_model, plain_optimizer = linear()
        model = plain_model if model is None else model
        if optimizer is None:
            optimizer = plain_optimizer if model is plain_model else torch.optim.SGD(model.parameters(), lr=0.1)
        batch = (torch.randn(8, 4), torch.randint(0, 3, (8,))) if batch is None else batch
        with self.assertRaises(FrontendError) as raised:
            ds.torch.export(model, optimizer, loss_fn, batch, **options)
        self.assertRegex(str(raised.exception), sentence)

    def test_model(self):
        self.refused("the model is a function, expected a torch.nn.Module", model=linear, optimizer=linear()[1])
        self.refused("evaluation mode.*call model.train", model=nn.Linear(4, 3).eval())
        self.refused("wrapped in DataParallel", model=nn.DataParallel(nn.Linear(4, 3)))
        self.refused("'weight' has no shape yet", model=nn.LazyLinear(3), optimizer=linear()[1])
        self.refused("no parameter to train", model=nn.Linear(4, 3).requires_grad_(False))
        self.refused("'weight' is torch.complex64", model=nn.Linear(4, 3, dtype=torch.complex64))
        self.refused("'weight' is on meta, expected cpu", model=nn.Linear(4, 3, device="meta"))

    def test_optimizer(self):
        model, _ = linear()
        self.refused("the optimizer is a dict", optimizer={})
        self.refused("LBFGS is not supported: it calls the loss", model, torch.optim.LBFGS(model.parameters()))
        self.refused("dampening=0.1, expected 0", model, torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, dampening=0.1))
        self.refused("differentiable=True", model, torch.optim.Adam(model.parameters(), differentiable=True))
        self.refused("no parameter of the model", model, linear()[1])
        self.refused("no number 'momentun'", hyper=("momentun",))

    def test_batch(self):
        x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
        self.refused("leading sizes of the batch disagree: 'x' has 8, 'y' has 7", batch=(x, y[:7]))
        self.refused("the batch is a Tensor, expected a dictionary", batch=x)
        self.refused("the batch is empty", batch={})
        self.refused(r"batch\['y'\] is a list", batch=(x, [1]))
        self.refused(r"batch\['y'\] is a scalar", batch=(x, torch.tensor(1)))

    def test_loss(self):
        self.refused("the loss function returned a float", loss_fn=lambda scores, y: 1.0)
        self.refused(r"the loss has the shape \(8,\)", loss_fn=lambda scores, y: F.cross_entropy(scores, y, reduction="none"))
        self.refused("the loss depends on no parameter", loss_fn=lambda scores, y: y.float().mean())
        self.refused("the metric 'all' is", loss_fn=lambda scores, y: (F.cross_entropy(scores, y), {"all": scores}))
        self.refused("the metric 'loss' has a name that ds uses", loss_fn=lambda scores, y: (F.cross_entropy(scores, y), {"loss": scores.sum()}))

    def test_random_numbers_without_a_form(self):
        self.refused("torch.multinomial", loss_fn=lambda scores, y: scores.sum() * torch.multinomial(torch.ones(3), 1).sum())

    def test_data_dependent_steps(self):
        self.refused("depends? on the values", loss_fn=lambda scores, y: scores[y > 1].mean())

    def test_unknown_operation_is_named_with_its_line(self):
        class Singular(nn.Linear):
            def forward(self, x):
                return torch.linalg.svdvals(super().forward(x))

        self.refused(r"'_linalg_svd' at .*test_torch_export.py:\d+ has no form", model=Singular(4, 3), loss_fn=lambda scores, y: scores.sum())


if __name__ == "__main__":
    unittest.main()

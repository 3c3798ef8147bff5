"""Whole training steps of PyTorch, exported and run by ds-run on 1, 2, 4 and 8 ranks against PyTorch's own training."""
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

import dstep as ds
from dstep.base import arrays
from dstep.frontend import FrontendError
from torch_models import ALL

DS_RUN = os.environ.get("DS_RUN") or shutil.which("ds-run")


def ds_run(*arguments):
    done = subprocess.run([DS_RUN, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@unittest.skipUnless(DS_RUN, "ds-run is neither named by DS_RUN nor on PATH")
class Replays(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def replay(self, name, ranks=(1, 2, 4, 8)):
        model, optimizer, loss_fn, batches, options = ALL[name]()
        path = ds.torch.export(model, optimizer, loss_fn, batches[0], name=name, **options).write(self.folder,
                                                                                                  steps=batches)
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

    def test_unet(self):
        self.replay("unet", ranks=(1, 4))

    def test_gpt(self):
        self.replay("gpt")

    def test_likelihoods(self):
        self.replay("likelihoods", ranks=(1, 4))

    def test_a_wrong_moment_is_noticed_where_two_samples_meet_two_halves(self):
        """Queries and keys in one projection, and a batch of two: on one rank both dimensions look like that of the
        samples."""
        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.both, self.scores = nn.Linear(4, 8, bias=False), nn.Linear(4, 3)

            def forward(self, x):
                rows = x.reshape(6, 5, 4)
                queries, keys = self.both(rows).reshape(6, 5, 2, 2, 2).permute(2, 0, 3, 1, 4).unbind(0)
                mixed = (queries @ keys.transpose(-2, -1)).softmax(-1) @ rows.reshape(6, 5, 2, 2).permute(0, 2, 1, 3)
                return self.scores(mixed.transpose(1, 2).reshape(2, 15, 4).mean(1))

        model = Attention()
        batches = [(torch.randn(2, 15, 4), torch.randint(0, 3, (2,))) for _ in range(2)]
        path = ds.torch.export(model, torch.optim.AdamW(model.parameters()), F.cross_entropy,
                               batches[0]).write(self.folder, steps=batches)
        recorded = dict(np.load(path.with_suffix(".npz")))
        moment = next(name for name, value in recorded.items() if name.startswith("step1_res") and value.shape == (8, 4)
                      and name != "step1_res0")
        np.savez(self.folder / "planted.npz", **recorded | {moment: recorded[moment] * 1.01})
        for name, code, verdict in ((path.with_suffix(".npz"), 0, "equal"),
                                    (self.folder / "planted.npz", 1, "DIFFERENT")):
            status, said = ds_run(path, "--ranks", 1, "--config", "batch=global", "--replay", name)
            self.assertRegex(said, f"replay: 2 steps.*: {verdict}")
            self.assertEqual(status, code)

    def test_elements_that_masks_pick(self):
        self.replay("picked")

    def test_resnet(self):
        self.replay("resnet")

    def test_lstm(self):
        self.replay("lstm", ranks=(1, 4))

    def test_spatial_transformer(self):
        self.replay("spatial_transformer", ranks=(1, 4))

    def test_variational(self):
        self.replay("variational", ranks=(1, 4))

    def test_a_wrong_step_is_noticed(self):
        """The recording has teeth: the same step with another learning rate differs."""
        for rate in (0.1, 0.11):
            torch.manual_seed(0)
            model, _, loss_fn, batches, _ = ALL["mlp"]()
            exported = ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=rate), loss_fn, batches[0],
                                       name=f"rate{rate}")
            exported.write(self.folder, steps=batches)
        status, said = ds_run(self.folder / "rate0.11.mlir", "--ranks", 2, "--config", "batch=global", "--replay",
                              self.folder / "rate0.1.npz")
        self.assertEqual(status, 1)
        self.assertIn("DIFFERENT", said)

    def test_optimizers(self):
        """Every optimizer keeps its own kind of state; one step each, two for those that start in a special way."""
        weights = {"momentum": 0.9, "maximize": True}
        for kind, options in (("SGD", weights), ("SGD", {"momentum": 0.9, "dampening": 0.4, "weight_decay": 0.1}),
                              ("Adam", {"amsgrad": True, "weight_decay": 0.1}), ("NAdam", {}), ("RAdam", {}),
                              ("Adamax", {}),
                              ("Adadelta", {}), ("Adagrad", {"initial_accumulator_value": 0.1}),
                              ("RMSprop", {"centered": True, "momentum": 0.5}),
                              ("ASGD", {}), ("Rprop", {}), ("Adafactor", {"weight_decay": 0.1}),
                              ("Adafactor", {"maximize": True})):
            with self.subTest(kind):
                torch.manual_seed(0)
                model = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3))
                optimizer = getattr(torch.optim, kind)(model.parameters(), lr=0.01, **options)
                batches = [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(2)]
                path = ds.torch.export(model, optimizer, F.cross_entropy, batches[0], name=kind).write(self.folder,
                                                                                                       steps=batches)
                status, said = ds_run(path, "--ranks", 2, "--config", "batch=global", "--replay",
                                      path.with_suffix(".npz"))
                self.assertEqual(status, 0, said[-1500:])

    def test_training_starts_from_the_written_values_and_comes_back(self):
        model, optimizer, loss_fn, batches, options = ALL["dropout"]()
        exported = ds.torch.export(model, optimizer, loss_fn, batches[0], name="step", **options)
        path = exported.write(self.folder)
        rows = {"x": torch.cat([b[0] for b in batches]).numpy(), "y": torch.cat([b[1] for b in batches]).numpy()}
        for name, values in rows.items():
            np.save(self.folder / f"{name}.npy", values)
        status, said = ds_run(path, "--ranks", 2, "--config", "batch=global", "--init",
                              path.with_suffix(".safetensors"), "--arg", "lr=0.001",
                              "--data", f"x={self.folder / 'x.npy'},y={self.folder / 'y.npy'}", "--steps", 3,
                              "--check=3",
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
        names = lambda export: {a["name"]: a["shape"]
                                for a in export.manifest["args"] if a["role"] in ("param", "state")}
        self.assertLessEqual(names(forward).items(), names(exported).items())
        exported.write(self.folder)
        (self.folder / "forward.mlir").write_text(forward.mlir)
        np.save(self.folder / "x.npy", batches[0][0].numpy())
        model.eval()
        expected = model(batches[0][0])
        np.save(self.folder / "y.npy", expected.argmax(1).numpy())
        model.train()
        status, said = ds_run(self.folder / "step.mlir", "--init", self.folder / "step.safetensors", "--eval",
                              self.folder / "forward.mlir",
                              "--eval-data", f"x={self.folder / 'x.npy'},y={self.folder / 'y.npy'}")
        self.assertEqual(status, 0, said)
        self.assertIn("accuracy 100.00 % (8 of 8)", said)


if __name__ == "__main__":
    unittest.main()

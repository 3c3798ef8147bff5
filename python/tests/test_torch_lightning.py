"""DsStrategy of Lightning: a Trainer with it trains to what the same Trainer gives without it, on ranks, and says where it could not."""
import contextlib
import importlib.util
import io
import json
import logging
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from dstep.session.run import RunError
from dstep.torch import backend

HAS_LIGHTNING = importlib.util.find_spec("pytorch_lightning") is not None
if HAS_LIGHTNING:
    import pytorch_lightning as pl
    from pytorch_lightning.utilities.exceptions import MisconfigurationException

    from dstep.torch.lightning import DsStrategy
    for name in ("pytorch_lightning", "lightning_fabric"):
        logging.getLogger(name).setLevel(logging.ERROR)

    class Classifier(pl.LightningModule):
        """Two networks, a parameter outside of them, a metric for each epoch, and clipping by the trainer."""

        def __init__(self):
            super().__init__()
            self.encoder = torch.nn.Sequential(torch.nn.Linear(20, 32, bias=False), torch.nn.BatchNorm1d(32), torch.nn.ReLU())
            self.heads = torch.nn.ModuleList([torch.nn.Linear(32, 5), torch.nn.Linear(32, 5)])
            self.scale = torch.nn.Parameter(torch.tensor(0.5))

        def forward(self, x):
            x = self.encoder(x)
            return self.heads[0](x) + self.scale * self.heads[1](x)

        def training_step(self, batch, index):
            loss = F.cross_entropy(self(batch[0]), batch[1])
            self.log("loss", loss, on_step=False, on_epoch=True)
            return loss

        def validation_step(self, batch, index):
            self.log("valid", F.cross_entropy(self(batch[0]), batch[1]))

        def configure_optimizers(self):
            optimizer = torch.optim.AdamW(self.parameters(), lr=0.01)
            return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@unittest.skipUnless(HAS_LIGHTNING, "pytorch_lightning is not installed")
class Strategy(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        warnings.simplefilter("ignore")

    def fit(self, strategy, make=None, resume=None, epochs=2, **options):
        torch.manual_seed(0)
        x = torch.randn(64, 20)
        samples = TensorDataset(x, (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long())
        model = (make or Classifier)()
        given = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False} | options
        trainer = pl.Trainer(strategy=strategy, max_epochs=epochs, accelerator="cpu", gradient_clip_val=1.0, **given)
        with contextlib.redirect_stdout(io.StringIO()):
            trainer.fit(model, DataLoader(samples, batch_size=16), DataLoader(samples, batch_size=16), ckpt_path=resume)
        return trainer, model

    def expect_equal(self, got, expected):
        self.assertEqual(got.keys(), expected.keys())
        for name, value in expected.items():
            torch.testing.assert_close(got[name], value, rtol=1e-3, atol=1e-4, msg=lambda text: f"{name}: {text}")

    def test_it_trains_to_what_lightning_does_alone(self):
        alone, expected = self.fit("auto")
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                torch._dynamo.reset()
                count = len(backend.compiled)
                trainer, model = self.fit(DsStrategy(ranks=ranks))
                self.assertGreater(len(backend.compiled), count)
                self.assertEqual({made.ranks for made in backend.compiled[count:]}, {ranks})
                self.expect_equal(model.state_dict(), expected.state_dict())
                for name, value in alone.callback_metrics.items():
                    torch.testing.assert_close(trainer.callback_metrics[name], value, rtol=1e-3, atol=1e-4)
                # Behind the training it is a module as before.
                self.assertTrue(all(module._compiled_call_impl is None for module in model.modules()))

    def test_a_training_goes_on_from_lightnings_checkpoint(self):
        _, expected = self.fit("auto", epochs=3)
        with tempfile.TemporaryDirectory() as folder:
            saving = [pl.callbacks.ModelCheckpoint(dirpath=folder, filename="half")]
            self.fit(DsStrategy(ranks=2), epochs=1, callbacks=saving, enable_checkpointing=True)
            _, model = self.fit(DsStrategy(ranks=2), epochs=3, resume=str(pathlib.Path(folder, "half.ckpt")))
        self.expect_equal(model.state_dict(), expected.state_dict())

    def run_script(self, launcher=()):
        """What each process says at its end, and the files that it leaves."""
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(__file__).resolve().with_name("joined_lightning.py")
            done = subprocess.run([*launcher, *([] if "torch.distributed.run" in launcher else [sys.executable]), script, folder], capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"})
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            return [json.loads(pathlib.Path(folder, f"rank{rank}.json").read_text()) for rank in range(2 if launcher else 1)]

    def test_processes_of_a_launcher_are_a_world(self):
        """Two processes that read halves of each batch end with what one process has for all of it, with metrics of both; process 0 writes the checkpoint."""
        launchers = [[sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(free_port())]]
        launchers += [launcher for launcher in (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"], ["mpirun.mpich", "-n", "2"]) if shutil.which(launcher[0])]
        alone, = self.run_script()
        for launcher in launchers:
            with self.subTest(launcher=launcher):
                first, second = self.run_script(launcher)
                self.assertEqual(first["parameters"], second["parameters"])
                self.assertEqual([(r["world"], r["zero"], r["compiled"]) for r in (first, second)], [(2, True, 1), (2, False, 1)])
                self.assertEqual(first["wrote"], ["last.ckpt"])
                for got, expected in zip(first["parameters"], alone["parameters"], strict=True):
                    torch.testing.assert_close(torch.tensor(got), torch.tensor(expected), rtol=1e-3, atol=1e-4)
                for name, value in alone["metrics"].items():
                    self.assertAlmostEqual(first["metrics"][name], value, places=4)
                    self.assertEqual(first["metrics"][name], second["metrics"][name])

    def refused(self, strategy, make):
        with self.assertRaises(MisconfigurationException) as caught:
            self.fit(strategy, make)
        return str(caught.exception)

    def test_a_training_that_would_not_run_on_ranks_is_refused(self):
        class Inside(Classifier):
            def forward(self, x):  # reads the weights of a network, and calls none
                return F.linear(F.linear(x, self.encoder[0].weight), self.heads[0].weight)

        class Bare(Classifier):
            def __init__(self):
                super().__init__()
                self.encoder, self.heads = None, None

        def compiled():
            model = Classifier()
            model.encoder.compile()
            return model

        self.assertEqual(self.refused(DsStrategy(ranks=2), Inside), "training_step of Inside calls no network as a whole, expected a call of one of 'encoder', 'heads.0', "
                         "'heads.1': nothing would run on the 2 ranks")
        self.assertEqual(self.refused(DsStrategy(ranks=2), Bare), "Bare holds no module with parameters, expected a network that DsStrategy can compile")
        self.assertEqual(self.refused(DsStrategy(ranks=2), compiled), "the network 'encoder' of Classifier is compiled already, expected one that DsStrategy compiles")

    def test_options_are_checked(self):
        with self.assertRaisesRegex(ValueError, "ranks"):
            DsStrategy(ranks=0)
        with self.assertRaisesRegex((TypeError, ValueError), "config"):
            DsStrategy(ranks=2, config="batch=global")
        with unittest.mock.patch.dict(os.environ, {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}):
            with self.assertRaisesRegex(RunError, "ranks=1 is the number of ranks of the job, but mpirun has started 2 processes, expected a rank for each at least"):
                DsStrategy(ranks=1)


if __name__ == "__main__":
    unittest.main()

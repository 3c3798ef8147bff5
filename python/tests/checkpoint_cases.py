"""Checkpoints of ds that move to another framework and back: what its tests of DCP and of Orbax have in common."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

from dstep import RunError, checkpoints

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "test" / "Run" / "Inputs"


def values():
    """One array of each kind: `w` beside `w.momentum`, which lies within no tree, an empty one and scalars among
    them."""
    rng = np.random.default_rng(0)
    return {"w": rng.standard_normal((3, 4)).astype(np.float32),
            "w.momentum": rng.standard_normal((3, 4)).astype(np.float32),
            "params.Dense_0.kernel": rng.standard_normal(5).astype(ml_dtypes.bfloat16),
            "params.Dense_0.bias": np.zeros((0, 3), np.float32),
            "half": np.array([1.5, np.inf], np.float16), "double": np.array([[np.nan, -0.0]]),
            "count": np.array(3, np.int64), "large": np.array([2**60], np.int64),
            "flags": np.array([True, False]), "bytes": np.arange(5, dtype=np.uint8), "ids": np.array([-1, 7], np.int32)}


class Moves:
    """Mixed into a TestCase that has `kind`."""

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def convert(self, *arguments):
        """Runs the command; returns its exit code and what it says."""
        done = subprocess.run([sys.executable, "-W", "ignore", "-m", "dstep.checkpoints", "convert",
                               *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        return done.returncode, (done.stdout + done.stderr).strip()

    def train(self, steps, *options):
        command = [os.environ["DS_RUN"], str(INPUTS / "linear.mlir"), "--data", "x=x.npy,y=y.npy", "--arg", "lr=0.05",
                   "--steps", str(steps), "--save", "w.safetensors", *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_same(self, left, right):
        self.assertEqual({name: (value.dtype, value.shape, value.tobytes()) for name, value in left.items()},
                         {name: (value.dtype, value.shape, value.tobytes()) for name, value in right.items()})

    def test_values_keep_their_bits(self):
        made, back = self.folder / "made.safetensors", self.folder / "back.safetensors"
        checkpoints.write(made, values(), {"ds.step": "7", "note": "é\n"})
        self.assert_same(checkpoints.read(made)[0], values())
        checkpoints.convert(made, self.folder / "moved", self.kind)
        checkpoints.convert(self.folder / "moved", back)
        self.assertEqual(back.read_bytes(), made.read_bytes())  # metadata and checksum, too
        for prefix in ("model.", "deep.er."):
            moved = self.folder / prefix
            checkpoints.convert(made, moved, self.kind, prefix)
            checkpoints.convert(moved, back, prefix=prefix)
            self.assertEqual(back.read_bytes(), made.read_bytes())

    def test_a_training_moves_out_and_in(self):
        """Two processes save in shares; what comes back from the other framework resumes to the bits of a training that
        never left."""
        subprocess.run([sys.executable, INPUTS / "make_data.py", "linear", self.folder], check=True)
        (self.folder / "w.safetensors").unlink()  # of another training
        shares = [
            "--launch", "2", "--backend", "tcp", "--shares=on", "--config",
            "enable_parallel_optimizer=true,parallel_optimizer_threshold=0"]
        self.train(10, "--save-every", "5steps", "--resume", *shares)
        index = self.folder / "w-000000000010.safetensors.index.json"
        self.assertEqual(self.convert(index, "moved", "--to", self.kind), (0, ""))
        self.assert_same(checkpoints.read(index)[0], checkpoints.read(self.folder / "w.safetensors")[0])
        self.train(20, "--save-every", "5steps", "--resume", *shares)
        whole = (self.folder / "w.safetensors").read_bytes()
        for path in self.folder.glob("w*"):
            path.unlink()
        self.assertEqual(self.convert("moved", "w.safetensors"), (0, ""))
        self.assertIn("going on from step 10 of 'w.safetensors'",
                      self.train(20, "--save-every", "5steps", "--resume", *shares))
        self.assertEqual((self.folder / "w.safetensors").read_bytes(), whole)

    def test_mistakes_are_one_sentence(self):
        made = self.folder / "made.safetensors"
        checkpoints.write(made, {"w": np.ones(3, np.float32)}, {})
        checkpoints.convert(made, self.folder / "moved", self.kind)
        for arguments, said in (((made, "moved", "--to", self.kind), "'moved' is there already, expected the name of a "
                                 "new folder"),
                                (("gone", "w.safetensors"), "'gone' is not there"),
                                ((made, "new"),
                                 "expected a checkpoint of ds and, with --to dcp or --to orbax, a folder"),
                                (("moved", "new", "--to", self.kind), "expected a checkpoint of ds and"),
                                (("moved", "new"), "or a folder and a name that ends in .safetensors"),
                                (("moved", "new.safetensors", "--prefix", "model."), "'moved' holds no tensor whose "
                                 "name begins with 'model.'")):
            code, told = self.convert(*arguments)
            self.assertEqual((code, told.count("\n")), (1, 0), told)
            self.assertTrue(told.startswith("dstep.checkpoints: error: ") and said in told, told)
        damaged = bytearray(made.read_bytes())
        damaged[-1] ^= 1
        made.write_bytes(damaged)
        with self.assertRaisesRegex(RunError, "it is damaged: its checksum is"):
            checkpoints.convert(made, self.folder / "new", self.kind)
        self.assertFalse((self.folder / "new").exists())
        (self.folder / "index.json").write_text(json.dumps({"weight_map": {"w": "gone.safetensors"}}))
        with self.assertRaisesRegex(RunError, "gone.safetensors.*no such file"):
            checkpoints.read(self.folder / "index.json")

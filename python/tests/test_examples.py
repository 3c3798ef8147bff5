"""The examples run as their READMEs say, in small."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Examples(unittest.TestCase):
    def test_jax_gpt_learns_and_agrees_with_jax(self):
        done = subprocess.run([sys.executable, ROOT / "examples/jax_gpt/train.py", "--ranks", "2", "--epochs", "3",
                               "--windows", "256",
                               "--length", "32", "--compare", "2", "--text", ROOT / "LICENSE"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        difference = float(re.search(r"largest difference of a parameter: (\S+)", done.stdout)[1])
        self.assertLess(difference, 2e-5)
        losses = [float(loss) for loss in re.findall(r"^epoch \d: loss (\S+)$", done.stdout, re.M)]
        self.assertEqual(len(losses), 3)
        self.assertLess(losses[-1], losses[0] - 0.3)
        self.assertRegex(done.stdout, "it writes: The step ")

    def test_the_readme_names_options_that_exist(self):
        text = (ROOT / "examples/jax_gpt/README.md").read_text()
        help_text = subprocess.run([sys.executable, ROOT / "examples/jax_gpt/train.py", "--help"], capture_output=True,
                                   text=True).stdout
        for option in set(re.findall(r"--[a-z]+", text)):
            self.assertIn(option, help_text)

    def test_fashion_mnist_exports_what_is_committed(self):
        """The committed files are what export.py writes today (by the versions of JAX that the package allows)."""
        folder = ROOT / "examples/fashion_mnist"
        code = "import sys, export; export.HERE = __import__('pathlib').Path(sys.argv.pop()); export.main()"
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([sys.executable, "-c", code, out], check=True, cwd=folder,
                           env=os.environ | {"PYTHONPATH": str(folder)})
            for name in ("step.mlir", "forward.mlir"):
                arguments = lambda path: re.search(r"func.func .*", path.read_text())[0]
                self.assertEqual(arguments(pathlib.Path(out) / name), arguments(folder / name))


if __name__ == "__main__":
    unittest.main()

"""Types of the public interface: mypy finds no mistake in the package, and in a user's program the ones that are there
(typed_user.py)."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PYTHON = pathlib.Path(__file__).resolve().parents[1]


class Types(unittest.TestCase):
    def check(self, settings, *arguments):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", PYTHON / settings, "--cache-dir",
                                   cache, "--no-error-summary", *arguments],
                                  cwd=PYTHON, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_package_has_no_mistake(self):
        self.check("pyproject.toml")

    def test_a_user_is_told_of_mistakes_and_of_nothing_else(self):
        self.check("tests/typed_user.ini", "tests/typed_user.py")


if __name__ == "__main__":
    unittest.main()

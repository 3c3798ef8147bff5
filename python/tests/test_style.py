"""Every Python file of the repository as ruff.toml asks for, programs without an ending included."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def is_python(path):
    """True for files of Python, and for programs whose first line names it."""
    if path.suffix:
        return path.suffix == ".py"
    with open(path, "rb") as file:
        return file.readline().startswith(b"#!") and b"python" in path.read_bytes().split(b"\n", 1)[0]


def ruff(*arguments, **options):
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--force-exclude", "--output-format", "concise"]
    return subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, **options)


class Style(unittest.TestCase):
    def test_files_follow_the_rules(self):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        files = [name for name in listed.split("\0")
                 if name and (ROOT / name).is_file() and not (ROOT / name).is_symlink() and is_python(ROOT / name)]
        self.assertGreater(len(files), 400)
        done = ruff(*files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_rule_is_applied(self):
        for text, rule in ((f"X = '{'x' * 116}'\n", "E501"), ('"""m."""\nimport os\n', "F401"),
                           ('"""m."""\n\n\nclass Public:\n    def f(self):\n        """Returns 1."""\n        return 1\n', "D101"),
                           ('"""m."""\nX = undefined\n', "F821"), ("X = 1\n", "D100")):
            done = ruff("--stdin-filename", "python/dstep/base/example.py", "-", input=text)
            self.assertIn(rule, done.stdout)


if __name__ == "__main__":
    unittest.main()

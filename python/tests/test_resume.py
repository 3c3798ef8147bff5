"""fit of JAX that is killed in the middle of an epoch goes on with exactly the next batch: the bits of an undisturbed
training."""
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from dstep.base import arrays

SCRIPT = pathlib.Path(__file__).with_name("resume_script.py")


def train(file, kind, *killed_at):
    done = subprocess.run([sys.executable, SCRIPT, file, kind, *map(str, killed_at)], capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stderr


def read(file):
    data = pathlib.Path(file).read_bytes()
    header = json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])
    return {name: value.tobytes() for name, value in arrays.read_safetensors(file).items()}, header["__metadata__"][
        "ds.step"], pathlib.Path(f"{file}.history").read_text()


class Resume(unittest.TestCase):
    def test_a_kill_in_the_middle_of_an_epoch_changes_no_bit(self):
        """The line of the page, whose file is written after two steps; killed in the second epoch of five steps, behind
        and before a file."""
        for kind, kill in (("arrays", 8), ("list", 7), ("state", 7), ("state", 11)):
            with self.subTest(kind, kill=kill), tempfile.TemporaryDirectory() as folder:
                whole, parts = f"{folder}/whole.safetensors", f"{folder}/parts.safetensors"
                self.assertEqual(train(whole, kind), (0, ""))
                self.assertEqual(train(parts, kind, kill)[0], -signal.SIGKILL)
                self.assertEqual(train(parts, kind), (0, ""))
                self.assertEqual(read(parts), read(whole))


if __name__ == "__main__":
    unittest.main()

"""torchrun starts the ranks of ds-run, which need nothing but what it tells them; it passes signals on, and starts them
again when one dies: they go on from the newest checkpoint."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "Run" / "Inputs"
DS_RUN = os.environ["DS_RUN"]


def ranks(folder):
    """The processes of ds-run in a folder, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if (entry.name.isdigit() and (entry / "cwd").resolve() == folder
                and (entry / "exe").resolve() == pathlib.Path(DS_RUN).resolve()):
                found[int(re.search(rb"(?:^|\0)RANK=(\d+)", (entry / "environ").read_bytes())[1])] = int(entry.name)
        except (OSError, TypeError):
            continue  # it has ended, or is another one
    return found


class Torchrun(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        subprocess.run([sys.executable, INPUTS / "make_data.py", "linear", self.folder], check=True)
        self.training = [DS_RUN, INPUTS / "linear.mlir", "--data", f"x={self.folder}/x.npy,y={self.folder}/y.npy",
                         "--arg", "lr=0.0001",
                         "--save", "w.safetensors", "--resume"]

    def start(self, place, *options, restarts=0):
        torchrun = [pathlib.Path(sys.executable).parent / "torchrun", "--standalone", "--nproc-per-node=2",
                    f"--max-restarts={restarts}", "--no-python"]
        place.mkdir()
        self.log = open(place / "log", "w")
        self.addCleanup(self.log.close)
        return subprocess.Popen([*map(str, [*torchrun, *self.training, *options])], cwd=place, stdout=self.log,
                                stderr=self.log,
                                env=os.environ)

    def wait_for(self, condition, process):
        deadline = time.monotonic() + 300
        while not condition():
            self.assertLess(time.monotonic(), deadline, (pathlib.Path(self.log.name)).read_text())
            self.assertIsNone(process.poll(), (pathlib.Path(self.log.name)).read_text())
            time.sleep(0.01)

    def test_a_killed_rank_is_started_again_to_the_same_bits(self):
        length = ["--epochs", "2000", "--save-every", "50epochs"]
        place, alone = self.folder / "killed", self.folder / "alone"
        alone.mkdir()
        subprocess.run([*self.training, "--ranks", "2", *length], cwd=alone, check=True, stdout=subprocess.DEVNULL)
        process = self.start(place, *length, restarts=1)
        self.wait_for(lambda: list(place.glob("w-*")) and len(ranks(place)) == 2, process)
        os.kill(ranks(place)[1], signal.SIGKILL)
        self.assertEqual(process.wait(600), 0, (place / "log").read_text())
        self.assertRegex((place / "log").read_text(), r"going on from step \d+ of 'w-\d+.safetensors'")
        self.assertEqual((place / "w.safetensors").read_bytes(), (alone / "w.safetensors").read_bytes())

    def test_the_ranks_save_when_they_are_told_to_end(self):
        """torchrun itself ends on SIGTERM, and gives its ranks the same signal."""
        place = self.folder / "told"
        process = self.start(place, "--epochs", "100000000", "--save-every", "1000")
        self.wait_for(lambda: list(place.glob("w-*")), process)
        process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 300
        while ranks(place):
            self.assertLess(time.monotonic(), deadline, (place / "log").read_text())
            time.sleep(0.01)
        self.assertTrue((place / "w.safetensors").exists(), (place / "log").read_text())
        process.wait(300)


if __name__ == "__main__":
    unittest.main()

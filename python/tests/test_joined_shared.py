"""Processes of a launcher that hold several ranks have the bits of as many threads of one process, and of as many
processes with one rank each."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().with_name("joined_shared.py")
LAUNCHERS = (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], ["mpirun.mpich"])
MPIRUN = next((launcher for launcher in LAUNCHERS if shutil.which(launcher[0])), None)


def launch(processes, folder, *arguments, script=SCRIPT, launcher=None):
    """Starts a script as torchrun does, or by a launcher, or alone; raises RuntimeError if a process fails."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1] - 1)
    command = [*(launcher or []), sys.executable, "-W", "ignore", script, folder, *arguments]
    environments = [{**os.environ, "OMP_NUM_THREADS": "1"}]
    if not launcher and processes > 1:
        job = {"WORLD_SIZE": str(processes), "LOCAL_WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1",
               "MASTER_PORT": port, "TORCHELASTIC_RUN_ID": f"shared{port}"}
        environments = [{**environments[0], **job, "RANK": str(p), "LOCAL_RANK": str(p)} for p in range(processes)]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=each) for each in environments]
    told = [process.communicate(timeout=600)[1] for process in started]
    if any(process.returncode for process in started):
        raise RuntimeError("\n".join(text[-2000:] for text in told))


class Shared(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        launch(1, cls.folder.name, "4,5", "call,whole,fit")

    def read(self, name, processes):
        return [json.loads(pathlib.Path(self.folder.name, f"{name}.{p}.json").read_text()) for p in range(processes)]

    def test_two_processes_of_two_ranks(self):
        references = {way: self.read(f"{way}.4", 1)[0] for way in ("call", "whole", "fit")}
        launch(4, self.folder.name, "4", "compile,lightning")
        singles = {way: self.read(f"{way}.4", 4) for way in ("compile", "lightning")}
        launch(2, self.folder.name, "4", "call,whole,fit,compile,lightning,refused")
        for way, expected in references.items():
            self.assertEqual(self.read(f"{way}.4", 2), [expected] * 2, way)
        compiled, single = self.read("compile.4", 2), singles["compile"]
        self.assertEqual({each["hash"] for each in compiled}, {single[0]["hash"]})
        for p, each in enumerate(compiled):
            first, second = single[2 * p], single[2 * p + 1]
            for name in ("losses", "means"):
                for value, one, other in zip(each[name], first[name], second[name], strict=True):
                    self.assertAlmostEqual(value, (one + other) / 2, places=6)
            # The loss is the mean of those of both ranks.
            halves = [[value / 2 for value in row] for row in first["gradients"] + second["gradients"]]
            self.assertEqual(each["gradients"], halves)
        trained = self.read("lightning.4", 2)
        self.assertEqual([each["hash"] for each in trained], [singles["lightning"][0]["hash"]] * 2)
        self.assertEqual([each["processes"] for each in trained], [2, 2])
        for process, told in enumerate(self.read("refused.4", 2)):
            self.assertEqual(told[:4], [
                "ranks=1 is the number of ranks of the job, but torchrun has started 2 processes, expected a rank for "
                "each at least: leave ranks= out, and each process is one rank",
                "device='cuda' takes a process for each rank, got ranks=4 in 2 processes",
                "ranks=4 is the number of ranks of the job, but device_num of config= is 5",
                f"a batch of 5 samples cannot be divided among the 2 ranks of process {process}"])
            self.assertEqual(told[4], "this process has joined a job of 4 ranks, and is asked for 2: a job has one "
                             "number of ranks")
            self.assertRegex(told[5], "'shared_replicas' is on, but the ranks meet over tcp")
            self.assertRegex(told[6], f"is for 8 samples of '[a-z.0]*' alone, and each of the 2 ranks of process {process} "
                             r"has 4; expected one for any number of samples: torch.compile\(.., dynamic=True\)")
            self.assertEqual(told[7], "DS_LOCAL is what the ranks of a process hold together, but 2 of the mesh "
                             "dp=2 x tp=2 hold no part of their own; expected DS_WHOLE, or one rank in each process")
            self.assertRegex(told[8], r"^the ranks do not start alike: the batch 'x', which each process passes whole \(or "
                             r"with batch=local its samples alone\), is one with hash [0-9a-f]+ on ranks 2 and 3, but "
                             r"one with hash [0-9a-f]+ on rank 0$")
            self.assertRegex(told[9], r"^the processes have parted: '6.bias' is not the same on ranks 2 and 3 "
                             r"\(process 1\) as on rank 0 after")

    def test_three_processes_of_five_ranks(self):
        expected = {way: self.read(f"{way}.5", 1)[0] for way in ("call", "whole", "fit")}
        launch(3, self.folder.name, "5", "call,whole,fit,compile", launcher=MPIRUN and [*MPIRUN, "-n", "3"])
        for way, one in expected.items():
            self.assertEqual(self.read(f"{way}.5", 3), [one] * 3, way)
        self.assertEqual(len({each["hash"] for each in self.read("compile.5", 3)}), 1)


if __name__ == "__main__":
    unittest.main()

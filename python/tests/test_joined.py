"""A script that mpirun starts is a world: each process is a rank that gives its own samples, and all end with what one
process has for all samples."""
import functools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

import numpy as np

SCRIPT = pathlib.Path(__file__).resolve().with_name("joined_training.py")
LAUNCHERS = [launcher for launcher in (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"],
                                       ["mpirun.mpich", "-n", "2"]) if shutil.which(launcher[0])]


@unittest.skipUnless(LAUNCHERS, "no mpirun")
class Joined(unittest.TestCase):
    WAYS = ("call", "compile", "normed", "synchronised", "single", "recurrent", "fit")

    @classmethod
    @functools.cache
    def trained(cls, ways, launcher=()):
        """{way: the parameters of each process at its end}; one start trains by all of them, since most of a start is
        importing PyTorch."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*launcher, sys.executable, SCRIPT, ",".join(ways), folder], capture_output=True,
                                  text=True, timeout=300, env={**os.environ, "OMP_NUM_THREADS": "1"})
            if done.returncode:
                raise RuntimeError(f"ended with {done.returncode}: {done.stderr[-2000:]}")
            read = lambda way, rank: [np.array(p)
                                      for p in json.loads(pathlib.Path(folder, f"{way}.rank{rank}.json").read_text())]
            return {way: [read(way, rank) for rank in range(2 if launcher else 1)] for way in ways}

    def alone(self):
        return self.trained((*self.WAYS, "threads"))

    def test_processes_learn_what_one_does(self):
        for launcher in LAUNCHERS:
            trained = self.trained(self.WAYS, tuple(launcher))
            for way in self.WAYS:
                with self.subTest(way=way, launcher=launcher[0]):
                    one, two = trained[way]
                    for expected, first, second in zip(*self.alone()[way], one, two, strict=True):
                        np.testing.assert_array_equal(first, second)
                        np.testing.assert_allclose(first, expected, rtol=1e-4, atol=1e-5)

    def test_a_gradient_that_nobody_combines_is_refused(self):
        """That of layers which a compiled function leaves to PyTorch: the processes would part."""
        for launcher in LAUNCHERS:
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, SCRIPT, "between", folder], capture_output=True,
                                      text=True, timeout=300)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"with a parameter of shape \(\d.*\) outside of the compiled function, "
                                 r"where its gradient is not combined .*allow_rnn=True")

    def test_a_gradient_that_pytorch_computes_behind_the_last_part_is_refused(self):
        """By whichever optimizer steps with it, in every process alike. Nothing else is: two optimizers, frozen layers,
        another model, DistributedDataParallel."""
        script = SCRIPT.with_name("joined_outside.py")
        for launcher in LAUNCHERS:
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, script, folder], capture_output=True, text=True,
                                      timeout=300, env={**os.environ, "OMP_NUM_THREADS": "1"})
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                one, two = (json.loads(pathlib.Path(folder, f"rank{rank}.json").read_text()) for rank in range(2))
                told, other = one.pop("told"), two.pop("told")
                self.assertEqual((told, other), (["the first values of 'layer.weight' and of 1 more differ on rank 1: "
                                                  "those of process 0 begin for all"], []))
                masks = [row for each in (one, two) for row in each.pop("masks")]
                self.assertEqual(len(set(map(tuple, masks))), 8)
                self.assertEqual(one, two)
                outside = r"^SGD steps with the gradient of 'layer.weight' of shape \(5, 6\) and of 1 more parameter, "
                for case, sentence in (("recompile limit", outside + ".*Dynamo has reached its recompile limit of 8"),
                                       ("compiled no graph", outside + ".*no graph of 'Left'"),
                                       ("accumulated with another pass", outside + "computed by PyTorch outside"),
                                       ("closure", outside + "computed by PyTorch outside"),
                                       ("invented", outside + "which the script has written and ds has not combined"),
                                       ("parted", "^the processes have parted: 'layer.bias' is not the same on rank 1 "
                                        "as on rank 0 after"),
                                       ("parted in data_parallel", "^the processes have parted: 'layer.bias' is not "
                                        "the same on rank 1 as on rank 0 after"),
                                       ("rates in data_parallel", "^the processes train with other numbers: 'lr' of "
                                        "SGD is 0.2 on rank 1, but 0.1 on rank 0"),
                                       ("rates", "^the processes train with other numbers: 'lr' of SGD is 0.2 on rank "
                                        "1, but 0.1 on rank 0"),
                                       ("weights", "^the processes train with other numbers: a number of the compiled "
                                        "function at .*joined_outside.py:.* is 1.5 on rank 1, but 0.5")):
                    self.assertRegex(one.pop(case), sentence)
                self.assertRegex(one.pop("wrapped Sequential")[0], r"^ds computes nothing of "
                                 r"'DistributedDataParallel\(Sequential\)'")
                self.assertEqual(one.pop("parted and allowed"), 2)
                for case in ("one optimizer", "two optimizers"):
                    self.assertRegex(one.pop(case), r"^SGD steps with the gradient of 'cells.weight_ih_l0' of shape "
                                     r"\(20, 4\) and of 3 more parameters, .*\"allow_outside\": True")
                self.assertEqual({case: type(values) for case, values in one.items()},
                                 dict.fromkeys(("allowed Behind", "allowed Between", "frozen", "adversaries", "wrapped",
                                                "other values in data_parallel", "accumulated", "scaled by hand",
                                                "zeroed", "begins"), list))

    def test_a_process_that_cannot_compile_does_not_keep_the_others(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        world = {**os.environ, "OMP_NUM_THREADS": "1", "DS_WORLD_SIZE": "2", "DS_MASTER_ADDR": "127.0.0.1",
                 "DS_MASTER_PORT": port}
        processes = [subprocess.Popen([sys.executable, "-W", "ignore", SCRIPT.with_name("joined_compile.py")],
                                      stderr=subprocess.PIPE, text=True,
                                      env={**world, "DS_RANK": str(rank)}) for rank in range(2)]
        first, second = (process.communicate(timeout=240)[1] for process in processes)
        self.assertRegex(first, "RunError: .* on rank 0: rank 1 has left the world, or the connection to it was lost")
        self.assertRegex(second, "FrontendError: torch.linalg.eigvals has no form that ds knows")

    def test_shapes_may_differ_by_process(self):
        """Each compiles those that it has. Processes that read other parameters in one call are refused in a sentence,
        since these have sizes alike."""
        script, environment = SCRIPT.with_name("joined_shapes.py"), {**os.environ, "OMP_NUM_THREADS": "1"}
        for launcher in LAUNCHERS:
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, script, folder], capture_output=True, text=True,
                                      timeout=300, env=environment)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                one, two = (json.loads(pathlib.Path(folder, f"rank{rank}.json").read_text()) for rank in range(2))
                self.assertEqual(len(one), 18)
                for case, value in one.items():
                    self.assertEqual(value, two[case]) if case.endswith("values") else self.assertLess(value, 1e-5,
                                                                                                       case)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*LAUNCHERS[0], sys.executable, script, folder, "apart"], capture_output=True,
                                  text=True, timeout=300, env=environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"ranks disagree on the exchanges of the step \(names, sizes and order of "
                             r"what ranks combine\): rank 0 has list \w+, rank 1 has list")

    def test_processes_have_the_bits_of_threads(self):
        for launcher in LAUNCHERS:
            with self.subTest(launcher=launcher[0]):
                for expected, got in zip(*self.alone()["threads"], self.trained(self.WAYS, tuple(launcher))["call"][0],
                                         strict=True):
                    np.testing.assert_array_equal(got, expected)

    def test_a_rank_that_does_not_come_is_named(self):
        """And ends the job, as launchers want it: nobody hangs."""
        for launcher in LAUNCHERS:
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, SCRIPT, "late", folder], capture_output=True,
                                      text=True, timeout=300)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, "rank 0 of 2 aborted: all_(reduce|gather) .* timed out after 3000 ms "
                                 "waiting for rank 1")

    def test_batches_of_different_numbers_are_refused_and_nobody_waits(self):
        """Two, three and four batches of three processes, with each last_batch; what comes next is trained. A process
        without any ends the job."""
        script, three = SCRIPT.with_name("joined_uneven.py"), [[*launcher[:-1], "3"] for launcher in LAUNCHERS]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        for launcher in three:
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, script, folder], capture_output=True, text=True,
                                      timeout=300, env=environment)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                for rank in range(3):
                    *told, epochs = json.loads((pathlib.Path(folder) / f"rank{rank}.json").read_text())
                    self.assertEqual((len(told), epochs), (6, 2))
                    for sentence in told:  # every process, since a launcher ends all when one has raised it
                        self.assertRegex(sentence, r"the ranks do not start alike: the number of samples is \d+ on "
                                         r"ranks? [12], but \d+ on rank 0")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*three[0], sys.executable, script, folder, "empty"], capture_output=True, text=True,
                                  timeout=120, env=environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("data= yields 0 samples, expected a batch of 4", done.stderr)

    def test_a_training_goes_on_from_its_file(self):
        """Four epochs at once and in two halves, of arrays; batches, whose place each process would have to keep, are
        refused."""
        script, launcher = SCRIPT.with_name("joined_saved.py"), LAUNCHERS[0]
        with tempfile.TemporaryDirectory() as folder:
            run = lambda *arguments: subprocess.run([*launcher, sys.executable, script, folder, *arguments],
                                                    capture_output=True, text=True, timeout=300,
                                                    env={**os.environ, "OMP_NUM_THREADS": "1"})
            for arguments in (("4", "whole.safetensors"), ("2", "parts.safetensors"), ("4", "parts.safetensors")):
                done = run(*arguments)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            files = [pathlib.Path(folder, f"{name}.safetensors") for name in ("whole", "parts")]
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
            ends = [json.loads(pathlib.Path(f"{file}.rank{rank}.json").read_text()) for file in files
                    for rank in range(2)]
            self.assertTrue(all(end == ends[0] and len(end[0]) == 4 for end in ends), ends)
            done = run("4", "other.safetensors", "batches")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("but data= yields batches in each of those that a launcher has started; give arrays or files",
                          done.stderr)


if __name__ == "__main__":
    unittest.main()

"""Other compilers before and after ds: torch-mlir exports what ds runs (examples/with_torch_mlir), IREE compiles what
ds distributes (examples/with_iree). All models and steps by the scripts that are called here, without names."""
import importlib.util
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("DS_RUN", ROOT / "build/bin/ds-run")).parent
CONFIG = "batch=global,device_num=2,overlap=on,all_reduce_fusion_config=[2,4]"
CALLS = (
    f"builtin.module(ds-data-parallel{{config={CONFIG}}},func.func(ds-overlap),convert-ds-to-calls{{prefix=exchange.}},ds-strip-attributes)")
STEPS = ("jax_mlp_momentum_wd", "jax_softmax_bf16")


def setUpModule():
    for package in ("torch_mlir", "iree.compiler", "iree.runtime"):
        if not importlib.util.find_spec(package.partition(".")[0]):
            raise unittest.SkipTest(f"there is no {package} (install-compilers fetches it from the package index)")


def call(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "PATH": os.pathsep.join([str(BIN), os.path.dirname(sys.executable),
                                                                      os.environ["PATH"]]),
                               "DS_RUNTIME": str(BIN.parent / "lib/libdsrt.so"), **environment})
    return done.returncode, done.stdout + done.stderr


def run_models(out, *arguments):
    return call(sys.executable, "-W", "ignore", ROOT / "examples/with_torch_mlir/run.py", *arguments, "--out", out,
                DS_RUN=str(BIN / "ds-run"))


class TorchMlir(unittest.TestCase):
    def test_a_batch_of_any_size_gets_one(self):
        with tempfile.TemporaryDirectory() as out:
            status, said = run_models(out, "mlp", "contrastive", "--dynamic", "--ranks", "4")
        self.assertEqual((status, said.count(": equal\n")), (0, 2), said)

    def test_a_step_that_ds_refuses_fails(self):
        with tempfile.TemporaryDirectory() as out:
            status, said = run_models(out, "linear", "--ranks", "3")
        self.assertEqual(status, 1, said)
        self.assertIn("1 models of PyTorch, 1 results wrong", said)


class Iree(unittest.TestCase):
    def train(self, ways, *steps):
        """Ten steps of two processes, against one device."""
        status, said = call("/usr/bin/python3", ROOT / "scripts/check-collectives", BIN.parent, "--venv", sys.prefix,
                            "--ways", ways, *steps)
        # not but for rounding
        self.assertEqual((status, said.count(" equal\n")), (0, len(steps) * len(ways.split(","))), said)

    def test_rank_programs_of_recorded_steps(self):
        self.train("iree-overlap,iree-optimizer", *STEPS)

    def test_models_of_pytorch_by_torch_mlir_ds_and_iree(self):
        with tempfile.TemporaryDirectory() as out:
            status, said = run_models(out, "mlp", "cnn", "resnet", "llama", "--ranks", "2,4")
            self.assertEqual((status, said.count(": equal\n")), (0, 8), said)
            self.train("iree-overlap", f"{out}/cnn.mlir", f"{out}/resnet.mlir")

    def test_the_buckets_of_ds_are_the_calls_and_kernels_run_while_they_travel(self):
        """In the schedule of IREE, the last form that has it as text."""
        step = ROOT / "test/Run/Inputs/jax_mlp_momentum_wd.mlir"
        status, planned = call("ds-opt", step, f"--ds-data-parallel=config={CONFIG}")
        self.assertEqual(status, 0, planned)
        buckets = planned.count("ds.all_reduce sum")
        self.assertEqual(buckets, 4)  # three of gradients, and the loss
        with tempfile.TemporaryDirectory() as folder:
            status, said = call("ds-opt", step, f"--pass-pipeline={CALLS}", "-o", f"{folder}/step.mlir")
            self.assertEqual(status, 0, said)
            status, schedule = call("iree-compile", "--iree-hal-target-backends=llvm-cpu",
                                    "--iree-llvmcpu-target-cpu=host", "--compile-to=stream", f"{folder}/step.mlir")
        self.assertEqual(status, 0, schedule)
        events = re.findall(r"stream\.cmd\.(execute)|util\.call @exchange\.all_reduce_sum_f32_(start|wait)",
                            schedule.partition("util.func public @main")[2])
        events = [execute or call for execute, call in events]
        self.assertEqual((events.count("start"), events.count("wait")), (buckets, buckets), events)
        for bucket in range(buckets - 1):  # all but the loss, which nothing follows
            started, waited = ([i for i, event in enumerate(events) if event == kind][bucket]
                               for kind in ("start", "wait"))
            self.assertIn("execute", events[started:waited])

    def test_the_commands_of_the_page_train(self):
        page = (ROOT / "examples/with_iree/README.md").read_text()
        commands = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.S))
        self.assertIn("iree-compile", commands)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        status, said = call("bash", "-euc", commands, DS_MASTER_PORT=str(port))
        self.assertEqual(status, 0, said)
        losses = {rank: [float(loss) for loss in re.findall(rf"rank {rank}, step \d+: loss (\d+\.\d{{4}})", said)]
                  for rank in (0, 1)}
        self.assertEqual(losses[0], losses[1], said)
        self.assertLess(losses[0][-1], losses[0][0] / 2, said)


if __name__ == "__main__":
    unittest.main()

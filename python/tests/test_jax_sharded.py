"""Shardings of JAX: the same training on ranks of ds as by jax.jit on as many virtual devices."""
import os
import shutil
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402
import numpy as np  # noqa: E402

import dstep as ds  # noqa: E402
import sharded_programs  # noqa: E402
from sharded_programs import PROGRAMS, ROLES  # noqa: E402

LAUNCHERS = (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "4"], ["mpirun.mpich", "-n", "4"])


def close(got, expected):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-6), got, expected)


def by_jax(program, devices, steps=3):
    """The arguments of each step, and the results of each."""
    step, params, state, batch = program(devices)
    step, given, expected = jax.jit(step), [], []
    for _ in range(steps):
        given.append((params, state, batch()))
        expected.append(step(*given[-1]))
        params, state, _ = expected[-1]
    return given, expected


class Programs(unittest.TestCase):
    def compare(self, program, devices, **how):
        given, expected = by_jax(program, devices)
        train = ds.jax.parallel(program(devices)[0], timeout=300, **how, **ROLES)
        said = listen(train)
        for got, wanted in zip(train.run(given), expected, strict=True):
            close(got, wanted)
        # A rank holds what a device of JAX does.
        self.assertEqual((said["start"]["ranks"], said["sharded"]["bytes"]), (devices, bytes_of_device(expected[0][:2])))

    def test_processes_do_what_threads_do(self):
        launcher = next((launcher for launcher in LAUNCHERS if shutil.which(launcher[0])), None)
        if not launcher:
            self.skipTest("no mpirun")
        for program in (sharded_programs.data_tensor, sharded_programs.zero3):
            with self.subTest(program=program.__name__):
                self.compare(program, 4, launcher=launcher)


def listen(train):
    """{event: what ds-run says of it} of what `train` runs from now on."""
    said, call = {}, train.runner.call
    train.runner.call = lambda *args, **more: call(*args, **more, seen=lambda line: said.update({line["event"]: line}))
    return said


def bytes_of_device(tree):
    return sum(leaf.addressable_shards[0].data.nbytes for leaf in jax.tree.leaves(tree))


def each_rank_count(program):
    def test(self):
        for devices in (4, 8):
            with self.subTest(devices=devices):
                self.compare(program, devices)
    return test


for _program in PROGRAMS:
    setattr(Programs, f"test_{_program.__name__}", each_rank_count(_program))


if __name__ == "__main__":
    unittest.main()

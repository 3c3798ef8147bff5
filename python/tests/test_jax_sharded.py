"""Shardings of JAX: the same training on ranks of ds as by jax.jit on as many virtual devices."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import numpy as np

import dstep as ds
from programs import held
from sharded_programs import PROGRAMS, ROLES

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
    def compare(self, program, devices):
        given, expected = by_jax(program, devices)
        train = ds.jax.parallel(program(devices)[0], **ROLES)
        for got, wanted in zip(train.run(given), expected, strict=True):
            close(got, wanted)
        # A rank holds what a device of JAX does.
        self.assertEqual(held(train.runner.instance(train.exported(given[0]))),
                         (devices, bytes_of_device(expected[0][:2])))

    def test_processes_do_what_threads_do(self):
        launcher = next((launcher for launcher in LAUNCHERS if shutil.which(launcher[0])), None)
        if not launcher:
            self.skipTest("no mpirun")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*launcher, sys.executable, "-W", "ignore",
                                   pathlib.Path(__file__).resolve().with_name("joined_sharded.py"), folder],
                                  capture_output=True, text=True,
                                  timeout=600, env={**os.environ, "OMP_NUM_THREADS": "1"})
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            self.assertEqual(sorted(os.listdir(folder)), [f"{rank}of4" for rank in range(4)])


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

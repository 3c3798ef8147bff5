"""The steps of real_steps.py on n ranks against two steps recorded from JAX. DS_TEST_RANKS="1,2,3,4,8" tests more
numbers of ranks; those that do not divide a step's batch are left out."""
import os
import pathlib
import tempfile
import unittest

import by_ds_run
import real_steps

RANKS = [int(n) for n in os.environ.get("DS_TEST_RANKS", "2,4").split(",")]
# XLA and ds round intermediate values of 16 bits in different places, each within half a unit of 2^-8; against the same
# step in f32 ds is the closer one.
TOLERANCE = {"bf16_loss_scaling": ("--rtol", "2e-2", "--atol", "2e-3")}


class RealSteps(unittest.TestCase):
    def check(self, name):
        exported, steps = real_steps.ALL[name]()
        with tempfile.TemporaryDirectory() as folder:
            path = exported.write(folder, steps)
            for ranks in RANKS:
                if exported.batch_size % ranks:
                    continue
                with self.subTest(ranks=ranks):
                    recording = pathlib.Path(folder) / f"{name}.npz"
                    last = by_ds_run.call(path, "--replay", recording, *TOLERANCE.get(name, ()), ranks=ranks)[-1]
                    self.assertEqual((last["event"], last["steps"], last["ranks"], last["equal"]),
                                     ("replay", 2, ranks, True))
                    self.assertEqual(last["results"], 2 * len(exported.manifest["results"]))


for step in real_steps.ALL:
    setattr(RealSteps, f"test_{step}", lambda self, name=step: self.check(name))

if __name__ == "__main__":
    unittest.main()

"""Checkpoints of ds as those of Orbax, and back."""
import unittest

import jax
import numpy as np
import orbax.checkpoint

from checkpoint_cases import Moves
from dstep import checkpoints


class Orbax(Moves, unittest.TestCase):
    kind = "orbax"

    def test_a_tree_of_jax_comes_in_and_goes_out(self):
        tree = {"params": {"Dense_0": {"kernel": np.arange(6, dtype=np.float32).reshape(2, 3)}},
                "opt": [np.ones(2, np.float32), np.array(4)]}
        with orbax.checkpoint.PyTreeCheckpointer() as checkpointer:
            checkpointer.save(self.folder / "of_jax", jax.tree.map(jax.numpy.asarray, tree))
            checkpoints.from_orbax(self.folder / "of_jax", self.folder / "w.safetensors")
            found, metadata = checkpoints.read(self.folder / "w.safetensors")
            self.assertEqual(sorted(found), ["opt.0", "opt.1", "params.Dense_0.kernel"])
            self.assertEqual(list(metadata), ["ds.checksum"])
            checkpoints.from_orbax(self.folder / "of_jax", self.folder / "p.safetensors", prefix="params.")
            self.assertEqual(list(checkpoints.read(self.folder / "p.safetensors")[0]), ["Dense_0.kernel"])
            checkpoints.to_orbax(self.folder / "p.safetensors", self.folder / "back", prefix="params.")
            back = checkpointer.restore(self.folder / "back")
        np.testing.assert_array_equal(back["params"]["Dense_0"]["kernel"], tree["params"]["Dense_0"]["kernel"])


if __name__ == "__main__":
    unittest.main()

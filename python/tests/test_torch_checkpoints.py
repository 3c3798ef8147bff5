"""Checkpoints of ds as those of torch.distributed.checkpoint, and back."""
import unittest

import torch
from torch.distributed import checkpoint

from checkpoint_cases import Moves
from dstep import checkpoints


class Dcp(Moves, unittest.TestCase):
    kind = "dcp"

    def test_a_module_comes_in_and_goes_out(self):
        torch.manual_seed(1)
        model, other = (torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)).to(torch.bfloat16)
                        for _ in range(2))
        checkpoint.save({"model": model.state_dict(), "epoch": 3}, checkpoint_id=str(self.folder / "of_torch"),
                        no_dist=True)
        with self.assertWarnsRegex(UserWarning,
                                   "'.*of_torch' holds objects that are no tensors, which stay out: epoch"):
            checkpoints.from_dcp(self.folder / "of_torch", self.folder / "all.safetensors")
        self.assertIn("model.0.weight", checkpoints.read(self.folder / "all.safetensors")[0])
        checkpoints.from_dcp(self.folder / "of_torch", self.folder / "w.safetensors", prefix="model.")
        self.assertEqual(set(checkpoints.read(self.folder / "w.safetensors")[0]), set(model.state_dict()))
        checkpoints.to_dcp(self.folder / "w.safetensors", self.folder / "back", prefix="model.")
        state = {"model": other.state_dict()}
        checkpoint.load(state, checkpoint_id=str(self.folder / "back"), no_dist=True)
        for name, value in model.state_dict().items():
            self.assertTrue(torch.equal(state["model"][name], value), name)


if __name__ == "__main__":
    unittest.main()

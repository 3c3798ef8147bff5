"""test_dlpack.py beside PyTorch, whose environment is another one."""
import unittest

import torch

import dstep as ds
from test_dlpack import Capsules  # noqa: F401


class StepsOfTorch(unittest.TestCase):
    def test_parameters(self):
        model = torch.nn.Linear(3, 2)
        train = ds.torch.data_parallel(model, torch.optim.Adam(model.parameters()), torch.nn.functional.mse_loss,
                                       ranks=2)
        train((torch.ones(4, 3), torch.zeros(4, 2)))
        held = train.parameters()
        self.assertEqual(sorted(held), ["bias", "weight"])
        self.assertEqual(torch.from_dlpack(held["weight"]).data_ptr(), model.weight.data_ptr())
        self.assertIn("exp_avg", " ".join(train.states()))


if __name__ == "__main__":
    unittest.main()

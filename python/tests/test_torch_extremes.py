"""Values and gradients where nothing is valid, at zero, at infinity and of what is no number: a step that ds-run runs gives what PyTorch's kernels give."""
import unittest

import test_torch_lowering
import torch_extreme_cases


class Extremes(unittest.TestCase):
    check = test_torch_lowering.Lowering.check


for _name in [name for name in torch_extreme_cases.GROUPS if name.startswith("extremes_")]:
    setattr(Extremes, f"test_{_name}", lambda self, name=_name: self.check(name))


if __name__ == "__main__":
    unittest.main()

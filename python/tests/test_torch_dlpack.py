"""test_dlpack.py beside PyTorch, whose environment is another one."""
import unittest

from test_dlpack import Capsules, StepsOfTorch  # noqa: F401

if __name__ == "__main__":
    unittest.main()

"""Training scripts as their authors write them, with a line or two changed for ds (scripts.py)."""
import unittest

import scripts
from scripts_cases import case

Scripts = case(scripts.JAX)

if __name__ == "__main__":
    unittest.main()

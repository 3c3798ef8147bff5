"""The collectives that --ds-collectives-to-stablehlo writes are those of StableHLO: its own verifier, in jaxlib,
accepts them."""
import os
import pathlib
import re
import subprocess
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from jax._src.interpreters import mlir
from jaxlib.mlir import ir

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPT = pathlib.Path(os.environ.get("DS_RUN", ROOT / "build/bin/ds-run")).parent / "ds-opt"
CASES = ROOT / "test/Conversion/Collectives/collectives-to-stablehlo.mlir"


def verify(text):
    """The names of the operations of StableHLO in a module that is verified with the dialect registered."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        module.operation.verify()
        return set(re.findall(r"stablehlo\.\w+", module.operation.get_asm()))


class StableHLO(unittest.TestCase):
    def test_every_collective_of_the_cases_is_one_of_stablehlo(self):
        seen = set()
        for case in CASES.read_text().split("// -----"):
            if "expected-error" in case:
                continue
            done = subprocess.run([OPT, "-", "--ds-collectives-to-stablehlo", "--ds-strip-attributes"], input=case,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            seen |= verify(done.stdout)
        collectives = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "collective_broadcast",
                       "collective_permute", "replica_id")
        self.assertLessEqual({f"stablehlo.{name}" for name in collectives}, seen)

    def test_the_verifier_sees_a_rank_in_two_groups(self):
        text = """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
          %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
          return %a : tensor<4xf32>
        }"""
        with self.assertRaises(ir.MLIRError):
            verify(text)


if __name__ == "__main__":
    unittest.main()

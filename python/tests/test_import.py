"""StableHLO printed by other programs becomes steps: the recorded steps of JAX and PyTorch, from their text and their
manifests, give on n ranks what the framework computed. DS_TEST_RANKS="1,2,3,4,8" chooses n; numbers that do not divide
a batch are left out."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from dstep.frontend import FrontendError, normalise

import by_ds_run

GRAPHS = pathlib.Path(__file__).resolve().parent / "graphs"
RECORDINGS = GRAPHS.parents[2] / "test/Run/Inputs"


def read(name):
    return (GRAPHS / f"{name}.stablehlo.mlir").read_text(), json.loads((GRAPHS / f"{name}.json").read_text())


class Import(unittest.TestCase):
    def check(self, name, ranks):
        with tempfile.TemporaryDirectory() as folder:
            step = pathlib.Path(folder) / "step.mlir"
            subprocess.run([sys.executable, "-m", "dstep.frontend", GRAPHS / f"{name}.stablehlo.mlir", "-o", step],
                           check=True)
            for n in ranks:
                with self.subTest(ranks=n):
                    last = by_ds_run.call(step, "--replay", RECORDINGS / f"{name}.npz", ranks=n)[-1]
                    self.assertEqual((last["event"], last["steps"], last["ranks"], last["equal"]),
                                     ("replay", 2, n, True))
                    self.assertGreater(last["results"], 0)

    def test_roles_come_from_the_manifest(self):
        text, manifest = read("jax_mlp_sgd")
        mlir = normalise(text, manifest)
        self.assertIn('{ds.param = "params.Dense_0.bias"}', mlir)
        self.assertIn('{ds.batch = 0 : i64, ds.name = "x"}', mlir)
        self.assertIn('{ds.updates = "params.Dense_2.kernel"}', mlir)
        self.assertIn('{ds.metric = "loss"}', mlir)
        self.assertNotIn("jax.", mlir)
        self.assertNotIn("mhlo.", mlir)

    def test_without_a_manifest_attributes_stay(self):
        text, _ = read("torch_mlp_sgd")
        self.assertIn('{ds.param = "params.l.0.weight"}', normalise(text))

    def test_a_manifest_must_fit(self):
        text, manifest = read("jax_mlp_sgd")
        for change, message in (
                ({"args": manifest["args"][:-1]}, "'main' has 8 arguments, but its manifest describes 7"),
                ({"results": manifest["results"] + [{"role": "metric:m"}]}, "'main' has 7 results, but its manifest "
                 "describes 8"),
                ({"entry": "step"}, "the module has no function 'step'"),
                ({"args": [{"role": "weight", "name": "w"}] + manifest["args"][1:]}, "argument 'w' has the role "
                 "'weight', expected"),
                ({"results": [{"role": "loss"}] + manifest["results"][1:]}, "a result has the role 'loss', expected"),
                ({"results": [{"role": "metric:m", "reduce": "min"}] + manifest["results"][1:]},
                 "metric 'm' is combined by 'min'")):
            with self.subTest(message), self.assertRaises(FrontendError) as caught:
                normalise(text, manifest | change)
            self.assertIn(message, str(caught.exception))

    def test_calls_mark_gradients_and_combined_values(self):
        manifest = {"args": [{"role": "param", "name": "w"}], "results": [{"role": "updates:w"}]}

        def read(name, config):
            return normalise(f"""func.func @main(%w: tensor<2xf32>) -> tensor<2xf32> {{
                %g = stablehlo.custom_call @{name}(%w) {{{config}}} : (tensor<2xf32>) -> tensor<2xf32>
                return %g : tensor<2xf32>
            }}""", manifest)

        self.assertIn('%0 = ds.gradient %arg0 of "w" : tensor<2xf32>\n', read("ds.gradient", 'backend_config = "w"'))
        self.assertIn("%0 = ds.combine max %arg0 : tensor<2xf32>\n", read("ds.combine", 'backend_config = "max"'))
        for name, config, message in (
                ("ds.gradient", 'backend_config = "v"', "a gradient of 'v' is marked, but the parameters are w"),
                ("ds.gradient", "has_side_effect = false", "a call of 'ds.gradient' has the form .*, expected one "
                 "operand, a result of its type"),
                ("ds.other", 'backend_config = "w"', "'stablehlo.custom_call' of 'ds.other' has no form on upstream "
                 "dialects")):
            with self.subTest(message), self.assertRaisesRegex(FrontendError, message):
                read(name, config)

    def test_a_maximum_of_complex_numbers_is_no_mark(self):
        text = """func.func @main(%w: tensor<2xf32>) -> tensor<2xf32> {
            %z = stablehlo.complex %w, %w : tensor<2xcomplex<f32>>
            %g = stablehlo.custom_call @ds.combine(%z) {backend_config = "max"} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
            %r = stablehlo.real %g : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
            return %r : tensor<2xf32>
        }"""
        manifest = {"args": [{"role": "param", "name": "w"}], "results": [{"role": "updates:w"}]}
        with self.assertRaisesRegex(FrontendError, "'ds.combine' of complex numbers has no form on real ones"):
            normalise(text, manifest)
        self.assertEqual(normalise(text.replace('"max"', '"sum"').replace("%r = stablehlo.real", "%r = stablehlo.abs"),
                                   manifest).count("ds.combine sum"), 2)

    def test_the_command_says_what_is_wrong_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "broken.mlir"
            broken.write_text("func.func @main(")
            done = subprocess.run([sys.executable, "-m", "dstep.frontend", broken], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^error: .*broken.mlir: this is no module of StableHLO: .*\n$")


for graph in sorted(path.name.split(".")[0] for path in GRAPHS.glob("*.json")):
    counts = (1, 2, 4, 8)
    if "DS_TEST_RANKS" in os.environ:
        rows = [argument["shape"][0] for argument in read(graph)[1]["args"] if argument["role"] == "batch"][0]
        counts = [n for n in map(int, os.environ["DS_TEST_RANKS"].split(",")) if rows % n == 0]
    setattr(Import, f"test_{graph}", lambda self, name=graph, ranks=counts: self.check(name, ranks))

if __name__ == "__main__":
    unittest.main()

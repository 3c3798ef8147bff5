"""dstep.mlir: modules in this process, beside the MLIR of jaxlib."""
import contextlib
import gc
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from dstep import mlir
from dstep.mlir import _library

LINEAR = """
func.func @step(%w: tensor<3xf32>, %x: tensor<8x3xf32>) -> tensor<3xf32> {
  %z8 = arith.constant dense<0.0> : tensor<8xf32>
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
  %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
  %new = arith.subf %w, %dw : tensor<3xf32>
  return %new : tensor<3xf32>
}
"""

OWN_DIALECT = """
func.func @step(%w: tensor<3x2xf32>, %x: tensor<8x3xf32>, %y: tensor<8x2xf32>) -> tensor<3x2xf32> {
  %p = "shop.dense"(%x, %w) {ds.sharding_rule = #ds.sharding_rule<([i, k], [k, j]) -> ([i, j]) {i=8, j=2, k=3, k: sum} linear=[arg0 * arg1]>}
      : (tensor<8x3xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
  %e = arith.subf %p, %y : tensor<8x2xf32>
  %g = "shop.grad"(%x, %e) {ds.sharding_rule = #ds.sharding_rule<([k, i], [k, j]) -> ([i, j]) {i=3, j=2, k=8, k: sum} linear=[arg0 * arg1]>}
      : (tensor<8x3xf32>, tensor<8x2xf32>) -> tensor<3x2xf32>
  %n = arith.subf %w, %g : tensor<3x2xf32>
  return %n : tensor<3x2xf32>
}
"""


def linear():
    module = mlir.Module.parse(LINEAR)
    module.step().set_param(0, "w").set_batch(1, "x").set_updates(0, "w").verify_roles()
    return module


class ModulesTest(unittest.TestCase):
    @contextlib.contextmanager
    def refused(self, text, kind=mlir.MlirError):
        with self.assertRaises(kind) as caught:
            yield caught
        self.assertEqual(str(caught.exception), text)

    def test_a_step_is_annotated_distributed_and_its_plan_walked(self):
        module = linear().run("ds-data-parallel{config=batch=global,device_num=4}").verify()
        plan = module.collectives()
        self.assertEqual([(each.name, each.purpose, each.bytes, each.names) for each in plan], [("ds.all_reduce", "gradient", 12, [["w"]])])
        self.assertEqual(plan[0].operand_types, ["tensor<3xf32>"])
        self.assertIn("tensor<2x3xf32>", str(module))  # the rows of one rank
        self.assertEqual(module.operation.attributes["ds.config"], "#ds.config<batch = global, device_num = 4>")

    def test_passes_of_upstream_run_too(self):
        module = linear().run("builtin.module(func.func(linalg-generalize-named-ops),canonicalize)")
        self.assertNotIn("linalg.matvec", str(module))

    def test_bytecode_and_text_hold_the_same(self):
        module = linear().set_config("device_num=2")
        self.assertEqual(str(mlir.Module.parse(module.bytecode())), str(module))
        self.assertEqual(str(mlir.Module.parse(str(module))), str(module))

    def test_operations_have_names_types_and_attributes(self):
        module = linear()
        self.assertEqual([each.name for each in module.walk()][:2], ["func.func", "arith.constant"])
        product = next(each for each in module.walk() if each.name == "linalg.matvec")
        self.assertEqual((product.operand_types[1], product.result_types), ("tensor<3xf32>", ["tensor<8xf32>"]))
        product.set_attribute("acme.tile", "4 : i64")
        self.assertEqual(product.attributes["acme.tile"], "4 : i64")
        self.assertNotIn("acme.tile", product.set_attribute("acme.tile", None).attributes)

    def test_every_role_is_written(self):
        module = mlir.Module.parse("func.func @step(%w: tensor<4x2xf32>, %m: tensor<2xf32>, %k: tensor<2xi32>, %lr: tensor<f32>) -> (tensor<4x2xf32>, tensor<f32>) {"
                                   " return %w, %lr : tensor<4x2xf32>, tensor<f32> }")
        step = module.step("step").set_param(0, "w").set_state(1, "m").set_seed(2, "key").set_name(3, "lr").set_sharding(0, ("dp", "tp"), ())
        step.set_updates(0, "w").set_metric(1, "loss").verify_roles()
        for role in ('ds.param = "w", ds.sharding = #ds.sharding<[{"dp", "tp"}, {}]>', 'ds.state = "m"', 'ds.name = "key", ds.seed', 'ds.name = "lr"',
                     'ds.updates = "w"', 'ds.metric = "loss"'):
            self.assertIn(role, str(module))

    def test_operations_of_another_dialect_have_their_rules_in_the_text(self):
        module = mlir.Module.parse(OWN_DIALECT, mlir.Context(allow_unregistered=True))
        module.step().set_param(0, "w").set_batch(1, "x").set_batch(2, "y").set_updates(0, "w")
        module.run("ds-data-parallel{config=batch=global,device_num=4}")
        own = [(each.name, each.operand_types, each.result_types) for each in module.walk() if each.name.startswith("shop.")]
        self.assertEqual(own, [("shop.dense", ["tensor<2x3xf32>", "tensor<3x2xf32>"], ["tensor<2x2xf32>"]),
                               ("shop.grad", ["tensor<2x3xf32>", "tensor<2x2xf32>"], ["tensor<3x2xf32>"])])
        self.assertEqual([(each.bytes, each.names) for each in module.collectives()], [(24, [["w"]])])

    def test_a_mistake_is_one_sentence_with_its_place(self):
        with self.refused("-:2:3: error: custom op 'bad' is unknown (tried 'func.bad' as well)") as caught:
            mlir.Module.parse("func.func @f() {\n  bad\n}")
        self.assertEqual([(each.line, each.column) for each in caught.exception.diagnostics], [(2, 3)])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "step.mlir"
            file.write_text("func.func @f() {\n  bad\n}")
            with self.refused(f"{file}:2:3: error: custom op 'bad' is unknown (tried 'func.bad' as well)"):
                mlir.Module.read(file)
        with self.refused("'ds-nothing' does not refer to a registered pass or pass pipeline"):
            linear().run("ds-nothing")
        with self.refused("error: 'batch' must be one of local, global, got 'globl'"):
            linear().set_config("batch=globl")
        with self.refused("-:2:1: error: there is no argument 9, expected one below 2"):
            linear().step().set_param(9, "v")
        with self.refused("-:2:1: error: the batch of argument 'x' has 8 samples, which 3 ranks cannot divide"):
            linear().run("ds-data-parallel{config=batch=global,device_num=3}")
        with self.refused("the module has 0 public functions, expected one; name the step", ValueError):
            mlir.Module.parse("").step()
        with self.refused("there is no function 'main', expected one of step", ValueError):
            linear().step("main")

    def test_warnings_go_to_the_handler(self):
        reported = []
        module = mlir.Module.parse(LINEAR, mlir.Context(on_diagnostic=reported.append))
        module.step().set_param(0, "w").set_batch(1, "x").set_updates(0, "w")
        module.run("ds-check-config{config=batch=global,device_num=4,gradients_mean=true}")
        self.assertEqual([(each.severity, each.line) for each in reported], [("warning", 0)])  # of the module, which no line holds
        self.assertIn("gradients_mean", reported[0].message)

    def test_modules_end_with_what_holds_them(self):
        step = linear().step()  # holds its module, and that its context
        cycle = linear()
        cycle.own = cycle
        del cycle
        gc.collect()
        self.assertEqual(step.symbol, "step")
        for _ in range(3):
            linear().run("ds-data-parallel{config=batch=global,device_num=2}")
        gc.collect()

    def test_modules_come_from_and_go_to_the_mlir_of_jaxlib(self):
        try:
            from jax._src.interpreters import mlir as of_jax
            from jax._src.lib.mlir import ir
        except ImportError:
            self.skipTest("there is no JAX")
        with of_jax.make_ir_context() as context, ir.Location.unknown(context):
            theirs = ir.Module.parse("func.func @step(%w: tensor<3xf32>) -> tensor<3xf32> { %0 = arith.addf %w, %w : tensor<3xf32> return %0 : tensor<3xf32> }")
            ours = mlir.Module.parse(str(theirs))
            ours.step().set_param(0, "w").set_updates(0, "w").verify_roles()
            ours.run("ds-check-config{config=device_num=2}")
            self.assertIn("ds.updates", str(ours))
            ours.run("ds-strip-attributes")
            again = ir.Module.parse(str(ours))
            self.assertTrue(again.operation.verify())
            self.assertIn("arith.addf", str(again))

    def test_a_missing_library_is_named(self):
        _library.library.cache_clear()
        self.addCleanup(_library.library.cache_clear)
        with unittest.mock.patch.dict(os.environ, {"DS_RUN": "", "PATH": "/nowhere", "DS_MLIR_LIBRARY": ""}):
            self.assertFalse(mlir.available())
            with self.assertRaisesRegex(ImportError, "there is no libds-mlir.so beside ds-run"):
                mlir.Context()
        self.assertTrue(mlir.available())


OF_UPSTREAM = """
import sys
from dstep import mlir as of_ds
of_ds.share()
of_ds.share()  # the second time does nothing
from mlir import ir
from mlir.passmanager import PassManager

with ir.Context() as context:
    registry = ir.DialectRegistry()
    of_ds.register_dialects(registry)
    context.append_dialect_registry(registry)
    theirs = ir.Module.parse(sys.argv[1])
    ours = of_ds.Module.of(theirs)
    ours.step().set_param(0, "w").set_batch(1, "x").set_updates(0, "w")
    PassManager.parse("builtin.module(ds-data-parallel{config=batch=global,device_num=4})").run(theirs.operation)
    assert str(ours) == str(theirs), str(theirs)
    assert [each.bytes for each in ours.collectives()] == [12]
    reduced = [each for each in theirs.body.operations[0].body.blocks[0].operations if each.name == "ds.all_reduce"]
    assert str(reduced[0].attributes["names"]) == '[["w"]]', reduced
    ours.run("ds-data-parallel{config=batch=global,device_num=2}")
    try:
        ours.run("ds-data-parallel{config=device_num=5}")
        raise AssertionError("2 samples are not divided by 5 ranks")
    except of_ds.MlirError as error:
        assert "which 5 ranks cannot divide" in str(error), error
    try:
        of_ds.Module.of(context)
        raise AssertionError("a context is no module")
    except TypeError as error:
        assert str(error).endswith("is no mlir.ir.Module of upstream's bindings"), error
loaded = {line.split()[-1].rpartition("/")[2] for line in open("/proc/self/maps") if "libMLIR" in line}
assert "libMLIR.so.22.1" in loaded, loaded
print("shared")
"""


@unittest.skipUnless(importlib.util.find_spec("mlir"), "upstream's bindings are not installed")
class UpstreamTest(unittest.TestCase):
    """share() is for a process, so each case has one of its own."""

    def run_in_process(self, script):
        return subprocess.run([sys.executable, "-W", "ignore", "-c", script, LINEAR], capture_output=True, text=True, timeout=300)

    def test_both_bindings_hold_the_same_module(self):
        done = self.run_in_process(OF_UPSTREAM)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("shared\n", "", 0))

    def test_a_module_of_another_library_is_refused(self):
        done = self.run_in_process("from dstep import mlir\nmlir.Module.of(object())")
        self.assertIn("TypeError: builtins.object may be of another MLIR; expected dstep.mlir.share() before 'import mlir.ir', or text", done.stderr)
        done = self.run_in_process("import sys\nfrom dstep import mlir\nsys.modules['mlir._mlir_libs'] = None\nmlir.share()")
        self.assertIn("expected dstep.mlir.share() before 'import mlir.ir'", done.stderr)


if __name__ == "__main__":
    unittest.main()

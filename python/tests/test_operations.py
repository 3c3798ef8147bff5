"""Every operation of operations.py, normalised, compiled and run by ds-run, gives what JAX gives; integers and random
bits exactly."""
import os
import re
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
from dstep.base import arrays
from dstep.base.export import Export
from dstep.frontend import FrontendError
from dstep.frontend.ir import leftovers
from dstep.session.run import Runner
from operations import GROUPS, REFUSED

TOLERANCE = {"sixteen_bits": dict(rtol=2e-2, atol=2e-2), "random_normal": dict(rtol=1e-5, atol=1e-6),
             "random_bits": dict(rtol=0, atol=0)}
# Elements of these are sums that may cancel: they are off by ulps of their terms, which the largest element has, too.
SUMS = {"convolutions", "factorisations", "fourier", "complex_numbers"}


TEXT = """func.func @main(%w: tensor<1xf32>, %x: tensor<2x1xf32>, %a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %flag: tensor<i1>)
    -> (tensor<1xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x1xf32>, tensor<f32>) -> tensor<1xf32>
  %new = stablehlo.subtract %w, %g : tensor<1xf32>
  %dot = "stablehlo.if"(%flag) ({
    %d = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    stablehlo.return %d : tensor<2x2xf32>
  }, {
    stablehlo.return %a : tensor<2x2xf32>
  }) : (tensor<i1>) -> tensor<2x2xf32>
  %product = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %m = stablehlo.multiply %p, %q : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %sigmoid = stablehlo.logistic %product : tensor<2x2xf32>
  return %new, %dot, %sigmoid : tensor<1xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}"""


class TextExport(Export):
    """A step given as text, as another exporter might print it."""

    def __init__(self):
        roles = [("param", "w"), ("batch", "x"), ("hyper", "a"), ("hyper", "b"), ("hyper", "flag")]
        super().__init__("text", {"args": [{"role": role, "name": name} for role, name in roles], "results": [
            {"role": "updates:w", "dtype": "float32"}, {"role": "metric:dot", "reduce": "none", "dtype": "float32"},
            {"role": "metric:sigmoid", "reduce": "none", "dtype": "float32"}]})
        self.mlir = ds.frontend.normalise(TEXT, self.manifest)

    def flatten(self, args):
        return list(args)


def export(cases):
    """A step that trains a vector by the mean of the batch, and beside it computes all cases of a group."""
    def step(params, batch, inputs):
        results = {}
        for name, (operation, _) in cases.items():
            for k, leaf in enumerate(jax.tree.leaves(operation(*inputs[name]))):
                results[f"{name}.{k}"] = leaf
        return params - 0.1 * batch.mean(0), results

    args = (np.ones(2, np.float32), np.ones((4, 2), np.float32),
            {name: arguments for name, (_, arguments) in cases.items()})
    names = jax.eval_shape(step, *args)[1]
    return ds.jax.export(step, args, params=0, batch=1, metrics=dict.fromkeys(names, "none")), args


class Operations(unittest.TestCase):
    seen = set()

    def check(self, group):
        exported, args = export(GROUPS[group])
        Operations.seen |= set(re.findall(r"(?:stablehlo|chlo)\.(\w+)", exported.stablehlo))
        got = Runner(ranks=1).steps(exported, [args])[0]
        expected = exported.run(exported.flatten(args))
        for described, ours, theirs in zip(exported.manifest["results"], got, expected, strict=True):
            with self.subTest(described["role"]):
                self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape))
                if theirs.dtype.kind in "iub":
                    np.testing.assert_array_equal(ours, theirs)
                else:
                    tolerance = dict(TOLERANCE.get(group, dict(rtol=2e-5, atol=2e-6)))
                    if group in SUMS:
                        tolerance["atol"] = max(tolerance["atol"], 4 * np.finfo(np.float32).eps * np.abs(theirs).max())
                    np.testing.assert_allclose(ours.astype(np.float64), theirs.astype(np.float64), **tolerance)

    def test_sums_of_16_bits_accumulate_in_f32(self):
        """The compiler widens what it is given, too; here the front end's own output is read."""
        bf16 = lambda *shape: np.ones(shape, arrays.dtype("bfloat16"))
        for name, operation, arguments in (("dot", lambda a, b: a @ b, (bf16(4, 6), bf16(6, 5))),
                                           ("sum", lambda a: jax.lax.reduce(a, bf16(), jax.lax.add, (0,)),
                                            (bf16(6, 5),))):
            mlir = export({name: (operation, arguments)})[0].mlir
            with self.subTest(name):
                self.assertIn("arith.truncf", mlir)
                self.assertRegex(mlir, r"arith.addf .* : f32")
                self.assertNotRegex(mlir, r"arith.addf .* : bf16")

    def test_windows_choose_none_where_what_they_give_is_masked(self):
        def relu(x):
            return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID")

        def overlapping(x):
            return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (2, 2), (1, 1), "VALID")

        def raised(x):  # what is masked is not zero
            pooled, back = jax.vjp(lambda y: jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID"),
                                   x)
            return jnp.where(x > 0, back(pooled)[0], 1)

        through = lambda operation: lambda x: jax.vjp(operation, x)[1](jnp.ones_like(operation(x)))[0]
        masked = "%c-2_i32"
        for operation, expected in ((through(relu), True), (through(overlapping), False), (raised, False)):
            mlir = export({"pool": (operation, (np.ones((4, 6), np.float32),))})[0].mlir
            with self.subTest(operation):
                self.assertEqual(masked in mlir, expected)

    def test_refused_operations_are_named(self):
        for name, (operation, arguments, message) in REFUSED.items():
            with self.subTest(name), self.assertRaises(FrontendError) as caught:
                export({name: (operation, arguments)})
            self.assertIn(message, str(caught.exception))
            self.assertIn(".py:", str(caught.exception))

    def test_factorisations_are_as_accurate_as_those_of_numpy(self):
        """Backward errors in units of the last place of the largest value; also where elements are huge, tiny, alike or
        none at all."""
        rng, ulp = np.random.default_rng(1), np.finfo(np.float32).eps
        matrices = {"33": rng.standard_normal((33, 33)), "64": rng.standard_normal((64, 64)),
                    "huge": rng.standard_normal((9, 9)) * 1e30,
                    "tiny": rng.standard_normal((9, 9)) * 1e-30, "alike": np.ones((7, 7)), "none": np.zeros((6, 6)),
                    "unit": np.eye(8)}
        matrices = {name: a.astype(np.float32) for name, a in matrices.items()}
        cases = {}
        for name, a in matrices.items():
            cases[f"qr_{name}"], cases[f"eigh_{name}"] = (jnp.linalg.qr, (a,)), (jnp.linalg.eigh, (a + a.T,))
        exported, args = export(cases)
        results = Runner(ranks=1).steps(exported, [args])[0]
        got = {d["role"].removeprefix("metric:"): r.astype(np.float64)
               for d, r in zip(exported.manifest["results"], results)}
        for name, a in matrices.items():
            with self.subTest(name):
                (q, r), (values, vectors) = ([got[f"{kind}_{name}.{k}"] for k in range(2)] for kind in ("qr", "eigh"))
                size, count = max(np.abs(a).max().astype(np.float64), 1e-300), len(a)
                self.assertLess(np.abs(q @ r - a).max() / size, 20 * ulp)
                self.assertLess(np.abs(q.T @ q - np.eye(count)).max(), 20 * ulp)
                self.assertEqual(np.abs(np.tril(r, -1)).max(), 0)
                exact = np.linalg.eigvalsh((a + a.T).astype(np.float64))
                size = max(np.abs(exact).max(), 1e-300)
                self.assertLess(np.abs(values - exact).max() / size, 20 * ulp)
                self.assertLess(np.abs(vectors * values - (a + a.T) @ vectors).max() / size, 40 * ulp)
                self.assertLess(np.abs(vectors.T @ vectors - np.eye(count)).max(), 20 * ulp)

    def test_what_leaves_jaxlib_with_an_error_is_one_too(self):
        with self.assertRaisesRegex(FrontendError, "this is no module of StableHLO"):
            ds.frontend.normalise("module {")

    def test_operations_that_jax_does_not_print(self):
        Operations.seen |= set(re.findall(r"stablehlo\.(\w+)", TEXT))
        a, b, w = np.float32([[1, 2], [3, 4]]), np.float32([[0.5, -1], [2, 0.25]]), np.zeros(1, np.float32)
        for flag, dot in ((True, a @ b), (False, a)):
            exported = TextExport()
            got = Runner(ranks=1).steps(exported, [(w, np.zeros((2, 1), np.float32), a, b, np.array(flag))])[0]
            np.testing.assert_allclose(got[1], dot, rtol=1e-6)
            np.testing.assert_allclose(got[2], 1 / (1 + np.exp(-a * b)), rtol=1e-6)

    @classmethod
    def tearDownClass(cls):
        groups = {f"test_{group}" for group in GROUPS}
        if groups <= cls.ran:  # the whole file ran
            missing = set(leftovers.SUPPORTED) - cls.seen
            assert not missing, f"no case tests {', '.join(sorted(missing))}, which the error message calls supported"

    ran = set()

    def setUp(self):
        Operations.ran.add(self._testMethodName)


for group_name in GROUPS:
    setattr(Operations, f"test_{group_name}", lambda self, group=group_name: self.check(group))

if __name__ == "__main__":
    unittest.main()

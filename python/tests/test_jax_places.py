"""What ds says of a step of JAX has the line of the script, not one of a module that nobody has seen."""
import inspect
import os
import unittest
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
from dstep.base import places
from dstep.session.run import RunError

PARAMS, BATCH = {"w": np.ones(3, np.float32)}, np.arange(24, dtype=np.float32).reshape(8, 3) / 24


def loss_of(params, batch):
    apart = jnp.diff(batch @ params["w"])  # of the library: a function of its own in the module
    return (apart ** 2).mean()


def step(params, batch):
    loss, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def rows(params, batch):
    params, loss = step(params, batch)
    return params, {"loss": loss, "rows": batch @ params["w"]}


def until_small(params, batch):
    loss, grads = jax.value_and_grad(loss_of)(params, batch)
    scale = jax.lax.while_loop(lambda s: s > loss, lambda s: s / 2, 1.0)
    return jax.tree.map(lambda p, g: p - scale * g, params, grads), loss


def place(function, part):
    """file:line of the line of a function that holds this part."""
    lines, first = inspect.getsourcelines(function)
    return f"{__file__}:{first + next(i for i, line in enumerate(lines) if part in line)}"


class Places(unittest.TestCase):
    def test_a_warning_has_the_line_that_called_the_library(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ds.jax.data_parallel(step, ranks=2, params=0, batch=1)(PARAMS, BATCH)
        self.assertEqual({str(w.message).partition(": ")[0] for w in said}, {place(loss_of, "jnp.diff")},
                         [str(w.message) for w in said])

    def test_an_error_has_its_line(self):
        with self.assertRaisesRegex(RunError, rf"^{__file__}:\d+: error: result #2 holds one entry per sample"):
            ds.jax.data_parallel(rows, ranks=2, params=0, batch=1, metrics={"rows": "sum"})(PARAMS, BATCH)

    def test_every_line_of_a_module_has_one(self):
        """Also what a rewrite has made without a location, inside of a loop, and the loop itself, whose location is
        printed behind it."""
        exported = ds.jax.export(until_small, (PARAMS, BATCH), params=0, batch=1)
        loop = place(until_small, "while_loop")
        for number, line in enumerate(exported.mlir.split("\n"), 1):
            if "scf." in line:
                self.assertEqual(exported.places.get(number), loop, line)
            if "extract_slice" in line:
                self.assertEqual(exported.places.get(number), place(loss_of, "jnp.diff"), line)
        self.assertIn("scf.while", exported.mlir)
        self.assertIn("extract_slice", exported.mlir)

    def test_a_library_alone_has_none(self):
        with places.by_export(object()):
            self.assertEqual(places.of("step.mlir", 3, 7), "")  # a file that nobody has
        self.assertEqual(places.of("step.mlir", 3, 7), "step.mlir:3:7: ")
        self.assertEqual(places.read('#loc1 = loc("/x/site-packages/jax/a.py":3:1)\n"op"() : () -> () loc(#loc1)'), {})


if __name__ == "__main__":
    unittest.main()

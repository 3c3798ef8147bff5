"""Calls of Python inside of a step: what tells or checks is left out with a warning, what computes is refused; both
with their line."""
import os
import unittest
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify, io_callback

import dstep as ds

PARAMS, BATCH = {"w": np.ones(3, np.float32)}, np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
NUMBER = jax.ShapeDtypeStruct((), np.float32)


def mse(w, batch):
    return ((batch @ w) ** 2).mean()


def sgd(loss):
    def step(params, batch):
        value, grads = jax.value_and_grad(loss)(params["w"], batch)
        return {"w": params["w"] - 0.1 * grads}, value
    return step


def after(tell, where=lambda f, *args: f(*args)):
    """A loss that tells something inside of `where`."""
    def loss(w, batch):
        def told(w):
            value = mse(w, batch)
            tell(value)
            return value
        return where(told, w)
    return loss


def scanned(function, w):
    return lax.scan(lambda carry, _: (carry + function(w), None), 0.0, length=2)[0] / 2


def of_own_gradient(function, w):
    wrapped = jax.custom_vjp(function)
    wrapped.defvjp(lambda w: jax.vjp(function, w), lambda pull, g: pull(g))
    return wrapped(w)


def of_own_tangent(function, w):
    wrapped = jax.custom_jvp(function)
    wrapped.defjvp(lambda primals, tangents: jax.jvp(function, primals, tangents))
    return wrapped(w)


def in_a_branch(function, w):
    return lax.cond(w.sum() > 0, function, lambda w: 2 * function(w), w)


def export(step):
    """The exported step, and the warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return ds.jax.export(step, (PARAMS, BATCH), params=0, batch=1).mlir, [str(w.message) for w in told]


class Callbacks(unittest.TestCase):
    def test_what_only_tells_is_left_out_with_its_line(self):
        prints = lambda value: jax.debug.print("loss {}", value)
        forms = {"jax.debug.print": prints, "jax.debug.callback": lambda value: jax.debug.callback(print, value,
                                                                                                   ordered=True),
                 "jax.debug.breakpoint": lambda value: jax.debug.breakpoint(),
                 "jax.debug.inspect_array_sharding": lambda value: jax.debug.visualize_array_sharding(value),
                 "jax.experimental.io_callback": lambda value: io_callback(print, None, lax.stop_gradient(value),
                                                                           ordered=True),
                 "checkify.check": lambda value: checkify.check(value < 1e9, "large {}", value)}
        plain = export(sgd(after(lambda value: None)))[0]
        for name, tell in forms.items():
            with self.subTest(name):
                mlir, told = export(sgd(after(tell)))
                self.assertEqual(mlir, plain)
                self.assertRegex("\n".join(told), rf"\A{name} at .*test_jax_callbacks.py:\d+ is left out, because "
                                 r"ranks call no Python; .*\Z")
        for where in (jax.jit, jax.checkpoint, scanned, of_own_gradient, of_own_tangent, in_a_branch, jax.vmap):
            with self.subTest(where.__name__):
                ordered = lambda value: jax.debug.print("loss {}", value, ordered=where is not jax.vmap)
                inside = where if where in (scanned, of_own_gradient, of_own_tangent, in_a_branch) else \
                    (lambda f, w: jax.vmap(f)(w[None])[0]) if where is jax.vmap else lambda f, w: where(f)(w)
                mlir, told = export(sgd(after(ordered, inside)))
                self.assertEqual(mlir, export(sgd(after(lambda value: None, inside)))[0])
                self.assertEqual([text.split(" at ")[0] for text in told], ["jax.debug.print"])

    def test_checks_of_equinox_are_left_out(self):
        checked = lambda w, batch: mse(eqx.error_if(w, jnp.isnan(batch).any(), "not a number"), batch)
        mlir, told = export(sgd(checked))
        self.assertNotIn("scf.if", mlir)
        self.assertRegex("\n".join(told), r"\Athe check of equinox.error_if at .*test_jax_callbacks.py:\d+ is left "
                         r"out, because ranks call no Python; the step goes on "
                                          r"where it would fail\Z")
        with self.assertWarnsRegex(UserWarning, "equinox.error_if"):
            got, loss = ds.jax.data_parallel(sgd(checked), ranks=2, params=0, batch=1)(PARAMS, BATCH)
        wanted, wanted_loss = sgd(mse)(PARAMS, BATCH)
        np.testing.assert_allclose([*got["w"], loss], [*wanted["w"], wanted_loss], rtol=1e-5)

    def test_what_computes_is_refused_where_it_stands(self):
        identity = lambda x: np.asarray(x)
        scale = {"jax.pure_callback": lambda x: jax.pure_callback(identity, NUMBER, lax.stop_gradient(x)),
                 "jax.experimental.io_callback": lambda x: io_callback(identity, NUMBER, lax.stop_gradient(x))}
        for name, call in scale.items():
            for where in (lambda f, x: f(x), in_a_branch):
                with self.subTest(name):
                    expected = (rf"{name} at .*test_jax_callbacks.py:\d+ computes a value of the step in Python, which "
                                r"ranks do not call; .*argument")
                    with self.assertRaisesRegex(ds.jax.FrontendError, expected):
                        export(sgd(lambda w, batch: mse(w, batch) * where(call, batch.sum())))
        plain = export(sgd(mse))[0]
        unread = lambda w, batch: (scale["jax.pure_callback"](batch.sum()), mse(w, batch))[1]
        self.assertEqual(export(sgd(unread)), (plain, []))
        printed = lambda w, batch: (jax.debug.print("{}", scale["jax.experimental.io_callback"](batch.sum())),
                                    mse(w, batch))[1]
        mlir, told = export(sgd(printed))
        self.assertEqual((mlir, len(told)), (plain, 2))

    def test_a_step_that_checkify_has_changed_is_refused(self):
        with self.assertRaisesRegex(ds.jax.FrontendError, "result 0 is an Error of checkify, expected the function "
                                    "that checkify.checkify was given, whose checks are left out"):
            export(lambda params, batch: checkify.checkify(sgd(mse))(params, batch))


if __name__ == "__main__":
    unittest.main()

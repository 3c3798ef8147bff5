"""Ordinary mistakes in a script for ds.jax: each is one sentence that says what to do, before anything runs."""
import functools
import os
import unittest
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
from dstep.frontend import FrontendError

PARAMS, BATCH = {"w": np.ones(3, np.float32)}, {"x": np.ones((8, 3), np.float32), "y": np.ones(8, np.float32)}


def step(params, batch):
    loss, grads = jax.value_and_grad(lambda p: ((batch["x"] @ p["w"] - batch["y"]) ** 2).mean())(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def make(function=step, **options):
    return ds.jax.data_parallel(function, **({"ranks": 2, "params": 0, "batch": 1} | options))


def call(*args, function=step, **options):
    return make(function, **options)(*(args or (PARAMS, BATCH)))


def fit(data=None, function=step, more=(), **options):
    return make(function).fit(PARAMS, BATCH, *more, data=BATCH if data is None else data,
                              **({"progress": "none"} | options))


def batch(**changed):
    return BATCH | changed


def parallel(**options):
    return ds.jax.parallel(step, params=0, batch=1, **options)(PARAMS, BATCH)


def export(*args, **options):
    return ds.jax.export(step, *(args or [(PARAMS, BATCH)]), **({"params": 0, "batch": 1} | options))


def more(params, batch, other):
    return step(params, batch)


MISTAKES = {
    # The step.
    "the step is made by jax.pmap, expected the function inside of it: dstep.jax.data_parallel(function, "
    "axis_name=..": lambda: call(function=jax.pmap(step)),
    "the step is a tuple, expected a function of its arguments": lambda: call(function=step(PARAMS, BATCH)),
    "the step takes (params, batch), but is given 1 argument: missing a required argument: 'batch'": lambda: call(
        PARAMS),
    "the step takes (params, batch), but is given 3 arguments: too many": lambda: call(PARAMS, BATCH, 3.0),
    "the step has static arguments of jax.jit, expected a function of arrays: bind them before (functools.partial":
        lambda: call(PARAMS, BATCH, True, function=jax.jit(more, static_argnums=2)),
    "arguments of the step are given in their order, got batch by name": lambda: make()(PARAMS, batch=BATCH),
    # What it is given.
    "'other' is a str, expected arrays and numbers; bind what is none to the step before "
    "(functools.partial)": lambda: call(PARAMS, BATCH, "train", function=more),
    "'batch.x' is an array of the type object, expected numbers": lambda: call(
        PARAMS, batch(x=np.array([[1, 2, None]] * 8, object))),
    "'batch.name.0' is a str, expected arrays": lambda: call(PARAMS, batch(name=["a"] * 8)),
    "batch argument 'batch.x.0.0' has shape (), expected a dimension 0 that counts samples; lists become arrays by "
    "np.asarray": lambda: call(PARAMS, batch(x=[[1.0] * 3] * 8)),
    "batch argument 'batch.x' holds no samples: its shape is (0, 3)": lambda: call(PARAMS,
                                                                                   {"x": np.ones((0, 3), np.float32),
                                                                                    "y": np.ones(0, np.float32)}),
    "run is given a dict, expected the arguments of each step: [(params, batch1), "
    "(params, batch2)]": lambda: make().run(BATCH),
    "run is given a list that holds a dict, expected the arguments of each step": lambda: make().run([BATCH, BATCH]),
    "run takes one list with the arguments of each step": lambda: make().run(PARAMS, BATCH),
    "the step's arguments are given as a dict, expected a tuple of them: (params, batch)": lambda: export(PARAMS),
    "the arguments are not those that the step was exported for: they lack batch.y": lambda: export().flatten(
        (PARAMS, {"x": BATCH["x"]})),
    "they lack params.w and they have params.v, too": lambda: export().flatten(({"v": PARAMS["w"]}, BATCH)),
    # Options.
    "batch= is missing: it names the arguments of the step that hold samples, "
    "such as batch=1": lambda: call(batch=None),
    "batch= gives 'x' a ndarray, expected the dimension that counts samples, from 0 on; the batch itself is an "
    "argument of a call": lambda: call(batch=BATCH),
    "batch= gives '1' -1, expected the dimension": lambda: call(batch={1: -1}),
    "params= holds a ndarray, expected positions or names of arguments of the step, such as "
    "0 or 'params'": lambda: call(params=PARAMS["w"]),
    "params= holds a float, expected": lambda: call(params=0.0),
    "params= names nothing that is trained, expected at least one array of floats where ranks "
    "combine gradients": lambda: call(params=(), state=0),
    "params='prams' names nothing in the step's arguments": lambda: call(params="prams"),
    "there is no option 'lr', expected one of batch, params, state": lambda: call(lr=0.1),
    "results='params' is a text, expected a name for each result of the step": lambda: call(results="params"),
    "results= names 'parms', 'loss', but not 'params', whose new value the step must return": lambda: call(results=(
        "parms", "loss")),
    "metrics= is a list, expected {name of a result: 'mean', 'sum', 'max' or 'none'}": lambda: call(metrics=["loss"]),
    "samples= is a list, expected {name of a result: dimension that counts samples}": lambda: call(samples=["loss"]),
    "samples= gives 'loss' the dimension 0, but its shape is ()": lambda: call(samples={"loss": 0}),
    "init= is a str, expected a function (name, shape, value)": lambda: export(init="zeros"),
    "ranks='2', expected an integer from 1 on": lambda: call(ranks="2"),
    "ranks=0, expected an integer from 1 on": lambda: call(ranks=0),
    "ranks=2.0, expected": lambda: call(ranks=2.0),
    "ranks=True, expected": lambda: call(ranks=True),
    "config= is a str, expected {key: value}": lambda: call(config="batch=local"),
    'launcher= is no option any more: start the script itself, by mpirun -n 4 python train.py or torchrun, without '
    'ranks=; each process is one rank, which config={"batch": "global"} gives the whole batch': lambda: call(ranks=None,
                                                                                                             launcher=[
                                                                                                                 "mpirun", "-n", "2"]),
    'timeout= is no option any more: config={"timeout": "60s"} is how long a rank waits for the others, and timeout 60 '
    'python train.py ends a script':
        lambda: parallel(mesh={"dp": 2}, timeout=60),
    "ds_run= is no option any more: the environment variable DS_RUN names ds-run": lambda: parallel(mesh={"dp": 2},
                                                                                                    ds_run="/bin/true"),
    "mesh= is an int, expected {axis: size} such as {'dp': 2, 'tp': 4}, or a mesh of JAX": lambda: parallel(mesh=4),
    "mesh= has dp='two', expected an integer from 1 on": lambda: parallel(mesh={"dp": "two"}),
    "shardings= is a list, expected {name of an argument: the axis of each dimension}": lambda: parallel(mesh={"dp": 2},
                                                                                                         shardings=[
                                                                                                             "dp"]),
    "shardings= gives 'params.w' the text 'dp', expected an axis or None for each dimension, such as ('dp',)":
        lambda: parallel(mesh={"dp": 2}, shardings={"params.w": "dp"}),
    # A call inside of what JAX traces.
    "'params.w' is traced by jax.jit, grad or vmap around the call, expected an array": lambda: jax.jit(make())(PARAMS,
                                                                                                                BATCH),
    "'batch.x' is traced by jax.jit, grad or vmap": lambda: jax.vmap(lambda x: make()(PARAMS,
                                                                                      batch(x=x)))(
                                                                                          np.ones((2, 8, 3),
                                                                                                  np.float32)),
    # fit.
    "data= is an int, expected {name: array of all samples, or a file} for x, y, of which ds-run "
    "makes the batches": lambda: fit(7),
    "data= is a list, expected {name: array of all samples, or a file} for x, y": lambda: fit([BATCH["x"], BATCH["y"]]),
    "data= is a generator, which has the batches of one epoch, expected a list or a "
    "DataLoader for several": lambda: fit((b for b in [BATCH]), epochs=2),
    "data= is a tuple, expected": lambda: fit((BATCH["x"], BATCH["y"])),
    "data= has images, labels, expected the step's batch arguments x, y": lambda: fit({"images": 0, "labels": 1}),
    "data= has for 'x' an array of the shape (8, 4), expected (samples, 3)": lambda: fit(batch(x=np.ones((8, 4)))),
    "data= has for 'y' an array of the shape (8, 1), expected (samples,)": lambda: fit(batch(y=np.ones((8, 1)))),
    "data= has different numbers of samples: 'x' 16, 'y' 8": lambda: fit(batch(x=np.ones((16, 3)))),
    "data= has no samples for 'x': its shape is (0, 3)": lambda: fit({"x": np.ones((0, 3)), "y": np.ones(0)}),
    "data= has for 'x' an array of the type object, expected numbers": lambda: fit(
        batch(x=np.array([[1, 2, None]] * 8, object))),
    "data= has for 'y' an array of the type complex64, expected float32": lambda: fit(batch(y=np.ones(8,
                                                                                                      np.complex64))),
    "data= has for 'x' what is no array: setting an array element with a sequence": lambda: fit(batch(x=[[1, 2], [3]])),
    "epochs=-1, expected an integer from 1 on": lambda: fit(epochs=-1),
    "epochs=0, expected": lambda: fit(epochs=0),
    "epochs=1.5, expected": lambda: fit(epochs=1.5),
    "seed='x', expected an integer from 0 on": lambda: fit(seed="x"),
    "callbacks= is a function, expected a list of functions: [print]": lambda: fit(callbacks=print),
    "callbacks= holds an int, expected functions": lambda: fit(callbacks=[3]),
    "validation= is a dict, expected a function that returns {name: number}": lambda: fit(validation=BATCH),
    "'other' has the shape (3,), expected a single number: fit gives hyper-parameters by their values; name it by "
    "state= or seed=":
        lambda: fit(function=more, more=(np.ones(3, np.float32),)),
}


class Mistakes(unittest.TestCase):
    def test_each_is_a_sentence(self):
        for message, mistake in MISTAKES.items():
            with self.subTest(message):
                with self.assertRaises(ValueError) as caught:
                    mistake()
                self.assertIn(message, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))

    def test_what_a_validation_returns_is_looked_at(self):
        with self.assertRaisesRegex(ValueError, "validation= has returned a float, expected {name: number}"):
            ds.jax.data_parallel(step, ranks=1, params=0, batch=1).fit(PARAMS, BATCH, data=BATCH, progress="none",
                                                                       validation=lambda params: 1.0)

    def test_what_is_no_mistake(self):
        self.assertEqual(make(ranks=np.int64(2)).runner.ranks, 2)
        bound = ds.jax.export(functools.partial(more, other="train"), (PARAMS, batch(mask=None, x=jnp.ones((8, 3)))),
                              params=0, batch=1)
        self.assertEqual([a["name"] for a in bound.manifest["args"]], ["params.w", "x", "y"])

    def test_what_local_ranks_do_not_reduce_is_said(self):
        def step(params, batch):
            loss, grad = jax.value_and_grad(lambda w: ((batch @ w) ** 2).mean())(params)
            return params - 0.1 * grad, {"loss": loss, "mean": batch.mean(0)}

        w, x = np.float32([1, 2]), np.arange(16, dtype=np.float32).reshape(8, 2) / 8

        def said(**options):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                ds.jax.data_parallel(step, **{"ranks": 2, "params": 0, "batch": 1, "config": {"batch": "local"}}
                                     | options)(w, x)
            return [str(each.message) for each in found]
        sentence = "'mean' of shape (2,) is what rank 0 has found: batch=local reduces metrics of one number; samples={'mean': DIMENSION} returns " \
                   "the rows of all ranks, metrics={'mean': 'none'} those of rank 0"
        self.assertEqual(said(), [sentence])
        self.assertEqual(said(metrics={"mean": "none"}), [])
        self.assertEqual(said(ranks=1), [])
        self.assertEqual(said(config={}), [])
        with self.assertRaisesRegex(FrontendError, r"metrics= reduces 'mean' by sum, but its shape is \(2,\), expected "
                                    r"one number with batch=local"):
            said(metrics={"mean": "sum"})


if __name__ == "__main__":
    unittest.main()

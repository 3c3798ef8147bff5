"""Roles and names come from the pytrees; mistakes are told in words of the step."""
import json
import os
import pathlib
import subprocess
import tempfile
import typing
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
from dstep.base import arrays
from by_ds_run import DS_RUN

PARAMS = {"dense": {"w": np.ones((3, 2), np.float32), "b": np.zeros(2, np.float32)}}
BATCH = {"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)}


def loss_of(params, batch):
    return ((batch["x"] @ params["dense"]["w"] + params["dense"]["b"] - batch["y"]) ** 2).mean()


def sgd(params, batch, lr=0.1):
    loss, grads = jax.value_and_grad(loss_of)(params, batch)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss


class Train(typing.NamedTuple):
    params: dict
    count: jax.Array


def roles(exported):
    return [(a["role"], a["name"]) for a in exported.manifest["args"]], [r["role"]
                                                                         for r in exported.manifest["results"]]


class Export(unittest.TestCase):
    def test_names_are_paths(self):
        args, results = roles(ds.jax.export(sgd, (PARAMS, BATCH, np.float32(0.1)), params=0, batch=1))
        self.assertEqual(args, [("param", "params.dense.b"), ("param", "params.dense.w"), ("batch", "x"),
                                ("batch", "y"), ("hyper", "lr")])
        self.assertEqual(results, ["updates:params.dense.b", "updates:params.dense.w", "metric:loss"])

    def test_equal_short_names_become_whole_paths(self):
        step = lambda params, left, right: sgd(params, {"x": left["x"], "y": right["x"]})
        exported = ds.jax.export(step, (PARAMS, {"x": BATCH["x"]}, {"x": BATCH["y"]}), params=0, batch=(1, 2))
        self.assertEqual([name for _, name in roles(exported)[0]][2:], ["left.x", "right.x"])

    def test_a_state_goes_on_with_the_rows_of_the_batch(self):
        def step(params, batch, carry):
            hidden = carry["h"] / 2 + batch["x"] @ params["dense"]["w"] + batch["far"].reshape(4, 3, 2).sum(1)
            return params, {"h": hidden}, hidden.sum()

        batch = {"x": BATCH["x"], "far": np.ones((12, 2), np.float32)}
        exported = ds.jax.export(step, (PARAMS, batch, {"h": np.zeros((4, 2), np.float32)}), params=0, batch=1, state=2,
                                 samples={"carry": 0}, apart="batch.far")
        self.assertIn('tensor<12x2xf32> {ds.apart, ds.batch = 0 : i64, ds.name = "far"}', exported.mlir)
        self.assertEqual((exported.batch_size, exported.entries("far")), (4, 3))
        self.assertRegex(exported.mlir, r'tensor<4x2xf32> {ds.batch = 0 : i64, ds.state = "carry.h"}')
        self.assertRegex(exported.mlir, r'tensor<4x2xf32> {ds.batch = 0 : i64, ds.updates = "carry.h"}')

    def test_a_train_state_holds_parameters_and_state(self):
        def step(train, batch):
            params, loss = sgd(train.params, batch)
            return Train(params, train.count + 1), {"loss": loss, "rows": jnp.float32(4)}

        exported = ds.jax.export(step, (Train(PARAMS, jnp.int32(0)), BATCH), params="train.params", batch="batch",
                                 metrics={"rows": "sum"})
        args, results = roles(exported)
        self.assertEqual(args[:3], [("param", "train.params.dense.b"), ("param", "train.params.dense.w"),
                                    ("state", "train.count")])
        self.assertEqual(results[2:], ["updates:train.count", "metric:loss", "metric:rows"])
        self.assertIn('ds.metric = "rows", ds.reduce = "sum"', exported.mlir)

    def test_keys_seeds_and_results_per_sample(self):
        def step(params, batch, key):
            new, loss = sgd(params, batch)
            return new, {"loss": loss + jax.random.uniform(key), "rows": batch["x"].sum(1)}

        exported = ds.jax.export(step, (PARAMS, BATCH, jax.random.key(0)), params=0, batch=1, seed="key",
                                 samples={"rows": 0})
        self.assertIn('tensor<2xi32> {ds.name = "key", ds.seed}', exported.mlir)
        self.assertIn('tensor<4xf32> {ds.batch = 0 : i64, ds.name = "rows"}', exported.mlir)

    def test_results_in_another_order_are_found_or_named(self):
        def step(params, ema, batch):
            new, loss = sgd(params, batch)
            return {"loss": loss}, jax.tree.map(lambda e, p: 0.9 * e + 0.1 * p, ema, new), new

        with_names = ds.jax.export(step, (PARAMS, PARAMS, BATCH), params=0, state=1, batch=2,
                                   results=("metrics", "ema", "params"))
        self.assertEqual(roles(with_names)[1], [
            "metric:loss", "updates:ema.dense.b", "updates:ema.dense.w", "updates:params.dense.b",
                                                "updates:params.dense.w"])
        only = ds.jax.export(lambda params, batch: sgd(params, batch)[::-1], (PARAMS, BATCH), params=0, batch=1)
        self.assertEqual(roles(only)[1], ["metric:loss", "updates:params.dense.b", "updates:params.dense.w"])

    def test_a_state_without_arrays_is_a_new_value_too(self):
        """As optax.sgd has one: fit returns it and callbacks get it."""
        nothing = {"momentum": (), "trace": ()}
        step = lambda params, opt_state, batch: (sgd(params, batch)[0], opt_state, sgd(params, batch)[1])
        self.assertEqual(ds.jax.export(step, (PARAMS, nothing, BATCH), params=0, state=1, batch=2).pairs, [0, 1, None])
        self.assertEqual(ds.jax.export(lambda *args: step(*args)[::2], (PARAMS, nothing, BATCH), params=0, state=1,
                                       batch=2).pairs, [0, None])

    def test_a_batch_dimension_may_be_any(self):
        step = lambda params, batch: sgd(params, {"x": batch["x"].T, "y": batch["y"]})
        exported = ds.jax.export(step, (PARAMS, {"x": BATCH["x"].T, "y": BATCH["y"]}), params=0,
                                 batch={"batch.x": 1, "batch.y": 0})
        self.assertIn('tensor<3x4xf32> {ds.batch = 1 : i64, ds.name = "x"}', exported.mlir)

    def test_forward_functions_have_parameters_and_samples(self):
        exported = ds.jax.export_forward(lambda params, x: x @ params["dense"]["w"], (PARAMS, BATCH["x"]), batch="x",
                                         name="logits")
        self.assertEqual(roles(exported), ([("param", "params.dense.b"), ("param", "params.dense.w"), ("batch", "x")],
                                           ["batch"]))
        self.assertIn('ds.name = "logits"', exported.mlir)

    def test_mistakes(self):
        half = {"dense": {"w": np.ones((3, 2), jnp.bfloat16), "b": np.zeros(2, jnp.bfloat16)}}
        widened = lambda params, batch: sgd(jax.tree.map(lambda p: p.astype(jnp.float32), params), batch)
        twins = lambda params, batch: (sgd(params, batch)[1], params, params)
        cases = (
            (sgd, (PARAMS, BATCH), dict(params=0, batch=()), "batch= names the arguments that hold samples, got none"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch=5), "batch=5 is no argument of the step, which has 2: params, "
             "batch"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch="batch.z"), "batch='batch.z' names nothing in the step's "
             "arguments"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch=(1, 0)), "'params.dense.b' is named as batch and as param"),
            (lambda w, batch: sgd(w, batch), (PARAMS, BATCH), dict(batch=1), "none of w, batch is 'params'"),
            (sgd, (PARAMS, BATCH | {"y": np.ones((5, 2), np.float32)}), dict(params=0, batch=1),
             "batch arguments hold different numbers of samples: 'batch.x' 4, 'batch.y' 5, which is no multiple; leave "
             "out of batch= what holds"),
            (lambda params, batch, h: (*sgd(params, batch), h), (PARAMS, BATCH, np.ones((5, 2), np.float32)),
             dict(params=0, batch=1, state=2, samples={"h": 0}, results=("params", "loss", "h")),
             "batch arguments hold different numbers of samples: 'batch.x' 4, 'h' 5, which is no multiple"),
            (lambda params, batch, h: (*sgd(params, batch), h), (PARAMS, BATCH, np.float32(1)),
             dict(params=0, batch=1, state=2, samples={"h": 0}, results=("params", "loss", "h")),
             "state 'h' has shape (), expected a dimension 0"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch=1, apart="params"), "apart='params' names no batch argument of "
             "the step"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch={"batch": 2}), "'batch.x' has shape (4, 3), expected a "
             "dimension 2"),
            (widened, (half, BATCH), dict(params=0, batch=1), "'params.dense.b' is bfloat16[2] but its new value is "
             "float32[2]"),
            (lambda params, batch: sgd(params, batch)[1], (PARAMS, BATCH), dict(params=0, batch=1),
             "no result has the structure of 'params'"),
            (twins, (PARAMS, BATCH), dict(params=0, batch=1), "results 1, 2 could each be the new value of 'params'; "
             "results=('params', 'loss', ..)"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch=1, results=("params",)), "results= has 1 names, but the step "
             "returns 2 values"),
            (sgd, (PARAMS, BATCH), dict(params=0, batch=1, metrics={"los": "sum"}), "metrics= names 'los', but the "
             "results are loss"),
            (lambda params, batch: (params, batch["x"].sum()), ({"count": np.zeros(2, np.int32)}, BATCH),
             dict(params=0, batch=1),
             "parameter 'params.count' is int32, expected floats"))
        for step, args, options, message in cases:
            with self.subTest(message), self.assertRaises((ds.jax.FrontendError, TypeError)) as caught:
                ds.jax.export(step, args, **options)
            self.assertIn(message, str(caught.exception))

    def test_files(self):
        """The checkpoint starts ds-run, which writes one that reads back; the recording replays."""
        exported = ds.jax.export(sgd, (PARAMS, BATCH), params=0, batch=1, init=ds.jax.flax_init, name="line")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            exported.write(folder, [(PARAMS, BATCH)] * 2, note="x")
            self.assertEqual(sorted(p.name for p in folder.iterdir()),
                             ["line.json", "line.mlir", "line.npz", "line.safetensors"])
            self.assertEqual(json.loads((folder / "line.json").read_text())["note"], "x")
            start = arrays.read_safetensors(folder / "line.safetensors")
            np.testing.assert_array_equal(start["params.dense.w"], PARAMS["dense"]["w"])
            run = lambda *options: subprocess.run([DS_RUN, folder / "line.mlir", "--config", "batch=global", "--ranks",
                                                   "2", *options],
                                                  check=True, capture_output=True, text=True).stdout
            self.assertIn("replay: 2 steps, 6 results on 2 ranks", run("--replay", folder / "line.npz"))
            for name in BATCH:
                np.save(folder / f"{name}.npy", BATCH[name])
            run("--init", folder / "line.safetensors", "--data", f"x={folder}/x.npy,y={folder}/y.npy", "--save",
                folder / "end.safetensors")
            end = arrays.read_safetensors(folder / "end.safetensors")
        expected, _ = sgd(PARAMS, BATCH)
        np.testing.assert_allclose(end["params.dense.w"], expected["dense"]["w"], rtol=1e-6)

    def test_types_survive_checkpoints(self):
        values = {"a": np.float32([1.5]), "b": np.array([1, -2], arrays.dtype("bfloat16")),
                  "c": np.array([2**31], np.uint32), "d": np.array(True),
                  "e": np.zeros((0, 3), np.int64)}
        with tempfile.TemporaryDirectory() as folder:
            arrays.write_safetensors(pathlib.Path(folder) / "v.safetensors", values)
            read = arrays.read_safetensors(pathlib.Path(folder) / "v.safetensors")
        for name, value in values.items():
            self.assertEqual((read[name].dtype, read[name].shape), (value.dtype, value.shape))
            np.testing.assert_array_equal(read[name], value)
            np.testing.assert_array_equal(arrays.restore(arrays.recordable(value), value.dtype), value)


if __name__ == "__main__":
    unittest.main()

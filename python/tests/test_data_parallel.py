"""ds.jax.data_parallel: the step's own signature on n ranks."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np

import dstep as ds
from dstep.session import native
from dstep.session.run import RunError
import hints
from real_steps import lamb_embedding, threefry_dropout

ROLES = dict(params=0, state=1, batch=2)
LAUNCHERS = (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"], ["mpirun.mpich", "-n", "2"])


def close(got, expected):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6), got, expected)
    assert jax.tree.map(lambda a: a.dtype, got) == jax.tree.map(lambda a: a.dtype, expected)


class DataParallel(unittest.TestCase):
    def test_a_call_gives_what_the_step_gives(self):
        exported, steps = lamb_embedding()
        close(ds.jax.data_parallel(exported.step, ranks=3, **ROLES)(*steps[0]), exported.step(*steps[0]))

    def test_precision_rounds_factors_of_products(self):
        def step(w, _, batch):
            x, y = batch
            loss, slope = jax.value_and_grad(lambda w: jax.numpy.square(x @ w - y).sum())(w)
            return w - 0.01 * slope, None, loss

        rng = np.random.default_rng(3)
        w, x, y = (rng.standard_normal(shape).astype(np.float32) for shape in ((16, 4), (8, 16), (8, 4)))
        rounded = lambda a: np.asarray(jax.numpy.asarray(a).astype(jax.numpy.bfloat16).astype(np.float32))
        slope = 2 * rounded(x).T @ rounded(rounded(x) @ rounded(w) - y)
        for ranks in (1, 2, 4):
            got, _, _ = ds.jax.data_parallel(step, ranks=ranks, config={"precision": "bf16"}, **ROLES)(w, None, (x, y))
            np.testing.assert_allclose(np.asarray(got), w - 0.01 * slope, rtol=1e-5, atol=1e-5)
            self.assertGreater(np.abs(np.asarray(got) - step(w, None, (x, y))[0]).max(), 1e-3)

    def test_what_ranks_hold_is_not_copied_in_again(self):
        """What a call has returned goes on in the next one; other values, older ones among them, are taken; arrays of JAX never change."""
        def step(params, velocity, batch):
            x, y = batch
            loss, gradient = jax.value_and_grad(lambda p: jax.numpy.mean((x @ p["w"] + p["b"] - y) ** 2))(params)
            velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
            return jax.tree.map(lambda p, v: p - 0.05 * v, params, velocity), velocity, loss

        rng = np.random.default_rng(0)
        params = {"w": jax.numpy.asarray(rng.normal(size=(200, 150)).astype(np.float32)), "b": jax.numpy.zeros(150)}  # one of them larger than what is copied
        velocity = jax.tree.map(jax.numpy.zeros_like, params)
        batches = [(rng.normal(size=(8, 200)).astype(np.float32), rng.normal(size=(8, 150)).astype(np.float32)) for _ in range(6)]
        for ranks in (1, 2):
            parallel, seen = ds.jax.data_parallel(step, ranks=ranks, params=0, state=1, batch=2), []
            history = [((params, velocity), (params, velocity))]
            for number, batch in enumerate(batches):
                ours, theirs = history[-1]
                if number == 3:  # the values of two steps before, and one of another array
                    ours, theirs = ((was[0] | {"b": was[0]["b"] + 1}, was[1]) for was in history[1])
                if number == 5:  # a training in between leaves other values on the ranks
                    names = [a["name"] for a in parallel.exported((*ours, batch)).manifest["args"] if a["role"] == "batch"]
                    parallel.fit(*ours, batch, data=dict(zip(names, batch)), progress="none")
                before = jax.tree.map(lambda value: np.array(value), ours)
                with mock.patch.object(native.Instance, "run", autospec=True, side_effect=native.Instance.run) as run:
                    got = parallel(*ours, batch)
                seen.append(len(run.call_args.args[1]))
                jax.tree.map(np.testing.assert_array_equal, ours, before)
                wanted = step(*theirs, batch)
                close(got, wanted)
                history.append((got[:2], wanted[:2]))
            self.assertEqual(seen, [6, 2, 2, 6, 2, 6])

    def test_a_step_is_checked_before_it_runs(self):
        exported, steps = lamb_embedding()
        parallel = ds.jax.data_parallel(exported.step, ranks=2, check="exact", **ROLES)
        close(parallel(*steps[0]), exported.step(*steps[0]))
        self.assertEqual(len(parallel.runner.checked), 1)

        def newton(w, x):  # how often it goes round is up to floats, and what is not the same over a field
            g = jax.grad(lambda w: (x @ w).sum())(w)
            rate = jax.lax.while_loop(lambda r: r > 1e-3, lambda r: r * 0.5, np.float32(1))
            return w - rate * g

        with self.assertRaisesRegex(RunError, "is undecided: a loop that floats end"):
            ds.jax.data_parallel(newton, ranks=2, check="exact", params=0, batch=1)(np.ones(3, np.float32), np.ones((4, 3), np.float32))
        with self.assertRaisesRegex(ValueError, "check='exactly', expected 'exact' or 'exact:SECONDS'"):
            ds.jax.data_parallel(newton, ranks=2, check="exactly", params=0, batch=1)

    def test_a_parallel_optimizer_changes_nothing_but_memory(self):
        """LAMB's trust ratios are norms of parameters and updates, of which each rank has shards."""
        exported, steps = lamb_embedding()
        config = {"enable_parallel_optimizer": True, "parallel_optimizer_config": {"parallel_optimizer_threshold": 0, "optimizer_level": "level3"}}
        close(ds.jax.data_parallel(exported.step, ranks=2, config=config, **ROLES)(*steps[0]), exported.step(*steps[0]))

    def test_many_steps_carry_values_and_take_seeds_and_keys(self):
        exported, steps = threefry_dropout()
        got = ds.jax.data_parallel(exported.step, ranks=2, seed=3, **ROLES).run(steps)
        params, state, metrics = exported.step(*steps[0])
        close(got[0], (params, state, metrics))
        close(got[1], exported.step(params, state, *steps[1][2:]))

    def test_a_dataset_is_trained_on(self):
        exported, steps = lamb_embedding()
        rng = np.random.default_rng(0)
        data = {"x": rng.integers(0, 50, (48, 7), np.int32), "y": rng.integers(0, 10, 48, np.int32)}
        parallel = ds.jax.data_parallel(exported.step, ranks=2, **ROLES)
        params, opt_state, epochs = parallel.fit(*steps[0], data=data, epochs=20)
        self.assertEqual(len(epochs), 20)
        self.assertLess(epochs[-1]["loss"], 0.9 * epochs[0]["loss"])
        self.assertEqual(jax.tree.structure((params, opt_state)), jax.tree.structure(steps[0][:2]))
        self.assertEqual(int(opt_state[0].count), 40)
        with self.assertRaisesRegex(ValueError, "data= has x, expected the step's batch arguments x, y"):
            parallel.fit(*steps[0], data={"x": data["x"]})

    def test_whatever_yields_batches_is_trained_on(self):
        """In its own order: a list, a generator, a loader of tuples, arrays that know DLPack alone; each as one epoch of batches by hand."""
        exported, steps = lamb_embedding()
        rng = np.random.default_rng(0)
        size = len(jax.tree.leaves(steps[0][2])[0])
        batches = [(rng.integers(0, 50, (size, 7), np.int32), rng.integers(0, 10, size, np.int32)) for _ in range(3)]
        expected = steps[0][:2]
        by_hand = ds.jax.data_parallel(exported.step, ranks=2, **ROLES)
        for x, y in batches:
            expected = by_hand(*expected, {"x": x, "y": y})[:2]

        class Foreign:
            def __init__(self, array):
                self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__

        class Loader:
            def __iter__(self):
                return iter(batches)

        named = [{"x": x, "y": y} for x, y in batches]
        for data in (named, (batch for batch in named), Loader(), [{"x": Foreign(x), "y": Foreign(y)} for x, y in batches]):
            got = ds.jax.data_parallel(exported.step, ranks=2, **ROLES).fit(*steps[0], data=data, progress="none")[:2]
            close(got, expected)
        fit = lambda data, **options: ds.jax.data_parallel(exported.step, ranks=2, **ROLES).fit(*steps[0], data=data, progress="none", **options)
        for data, message in (([(batches[0][0],)], "data= yields 1 arrays, expected 2: x, y"), ([{"x": 1, "z": 2}], "data= yields x, z, expected {name: array} of x, y, or a tuple of them"),
                              (["text"], "data= yields a str, expected {name: array} of x, y, or a tuple of them"), ([], "data= yields 0 samples, expected a batch of"),
                              (7, "data= is an int, expected"), ([named[0], {"x": batches[0][0][:1], "y": batches[0][1][:1]}, named[1]], "batch 2 of data= has 1 samples")):
            with self.assertRaises(ValueError) as refused:
                fit(data)
            self.assertIn(message, str(refused.exception))
        with self.assertRaisesRegex(ValueError, "data= is a generator, which has the batches of one epoch"):
            fit((batch for batch in named), epochs=2)

    def test_a_dataset_with_columns_is_trained_on(self):
        """As one of the library `datasets` is: by the names of its columns, shuffled by ds."""
        exported, steps = lamb_embedding()
        rng = np.random.default_rng(0)
        columns = {"x": rng.integers(0, 50, (48, 7), np.int32), "y": rng.integers(0, 10, 48, np.int32), "text": ["word"] * 48}

        class Columns:
            column_names = list(columns)

            def __init__(self, kind=None):
                self.kind = kind

            def with_format(self, kind):
                return Columns(kind)

            def __getitem__(self, name):
                return columns[name] if self.kind == "numpy" else columns[name].tolist()

        fit = lambda data: ds.jax.data_parallel(exported.step, ranks=2, **ROLES).fit(*steps[0], data=data, epochs=2, progress="none")
        jax.tree.map(np.testing.assert_array_equal, fit(Columns())[:2], fit({"x": columns["x"], "y": columns["y"]})[:2])
        Columns.column_names = ["x", "label"]
        with self.assertRaisesRegex(ValueError, "data= has the columns x, label, expected y among them"):
            fit(Columns())

    def test_three_times_one_epoch_is_once_three(self):
        """Bit for bit: the order of the samples, random keys, the optimizer's state."""
        exported, steps = threefry_dropout()
        names = [a["name"] for a in exported.manifest["args"] if a["role"] == "batch"]
        rng = np.random.default_rng(0)
        data = {name: np.concatenate([np.asarray(b)] * 2) for name, b in zip(names, jax.tree.leaves(steps[0][2]))}
        data = {name: value[rng.permutation(len(value))] for name, value in data.items()}
        fit = lambda parallel, args, **options: parallel.fit(*args, data=data, progress="none", **options)
        make = lambda: ds.jax.data_parallel(exported.step, ranks=2, seed=3, **ROLES)
        *once, expected = fit(make(), steps[0], epochs=3)
        parallel, args, got = make(), list(steps[0]), []
        for _ in range(3):
            *args[:2], metrics = fit(parallel, args)
            got += metrics
        jax.tree.map(np.testing.assert_array_equal, tuple(args[:2]), tuple(once))
        self.assertEqual((got, parallel.position.step), (expected, 6))

        # The same in one call that shows the values of every epoch.
        seen = []
        *again, history = fit(make(), steps[0], epochs=3, validation=lambda params, state: {"leaves": len(jax.tree.leaves(params))},
                              callbacks=[lambda epoch, metrics, params, state: seen.append(jax.tree.leaves(params)[0])])
        jax.tree.map(np.testing.assert_array_equal, tuple(again), tuple(once))
        self.assertEqual(history, [m | {"leaves": len(jax.tree.leaves(once[0]))} for m in expected])
        np.testing.assert_array_equal(seen[-1], jax.tree.leaves(once[0])[0])
        self.assertTrue((np.asarray(seen[0]) != np.asarray(seen[1])).any())

        # An interruption between epochs has the results of those before.
        def interrupt(epoch, *_):
            if epoch == 1:
                raise KeyboardInterrupt
        with self.assertRaises(ds.Interrupted) as stopped:
            fit(make(), steps[0], epochs=3, callbacks=[interrupt])
        params, _, history = stopped.exception.results
        self.assertEqual(history, expected[:2])
        np.testing.assert_array_equal(jax.tree.leaves(params)[0], seen[1])

    def test_the_step_is_compiled_once_for_all_epochs(self):
        exported, steps = threefry_dropout()
        names = [a["name"] for a in exported.manifest["args"] if a["role"] == "batch"]
        data = {name: np.concatenate([np.asarray(b)] * 2) for name, b in zip(names, jax.tree.leaves(steps[0][2]))}
        parallel, epochs = ds.jax.data_parallel(exported.step, seed=3, ranks=2, **ROLES), []
        with mock.patch.object(parallel.runner, "compiled", wraps=parallel.runner.compiled) as compiled:
            _, _, history = parallel.fit(*steps[0], data=data, epochs=4, progress="none", callbacks=[lambda epoch, *_: epochs.append(epoch)])
        self.assertEqual((compiled.call_count, epochs, len(history)), (1, [0, 1, 2, 3], 4))

    def test_trackers_get_every_epoch(self):
        """The example of the documentation, with a stand-in for each tracker."""
        text = (pathlib.Path(__file__).resolve().parents[2] / "docs/JAX.md").read_text()
        example = text[text.index("import mlflow"):].partition("```")[0]
        exported, steps = lamb_embedding()
        names = [a["name"] for a in exported.manifest["args"] if a["role"] == "batch"]
        params, opt_state, batch = steps[0]
        data = {name: np.concatenate([np.asarray(b)] * 2) for name, b in zip(names, jax.tree.leaves(batch))}
        wandb, mlflow = mock.MagicMock(), mock.MagicMock()
        parallel = ds.jax.data_parallel(exported.step, ranks=2, **ROLES)
        with mock.patch.dict(sys.modules, wandb=wandb, mlflow=mlflow):
            exec(example, dict(parallel=parallel, params=params, opt_state=opt_state, batch=batch, data=data))
        self.assertEqual([call.kwargs for call in wandb.log.mock_calls], [{"step": epoch} for epoch in range(3)])
        self.assertEqual([call.args for call in wandb.log.mock_calls], [call.args for call in mlflow.log_metrics.mock_calls])
        for call in mlflow.log_metrics.mock_calls:
            self.assertTrue(call.args[0] and all(isinstance(value, float) for value in call.args[0].values()), call)

    def test_a_script_that_mpirun_starts_is_a_world(self):
        script = pathlib.Path(__file__).resolve().with_name("joined_jax.py")
        for launcher in (launcher for launcher in LAUNCHERS if shutil.which(launcher[0])):
            with self.subTest(launcher=launcher[0]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([*launcher, sys.executable, script, folder], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(sorted(os.listdir(folder)), ["0of2", "1of2"])

    def test_an_error_of_a_callback_is_its_own(self):
        exported, steps = lamb_embedding()
        data = {"x": np.zeros((48, 7), np.int32), "y": np.zeros(48, np.int32)}

        def fail(*_):
            raise ZeroDivisionError("of the callback")
        parallel = ds.jax.data_parallel(exported.step, ranks=2, **ROLES)
        with self.assertRaisesRegex(ZeroDivisionError, "of the callback"):
            parallel.fit(*steps[0], data=data, epochs=3, progress="none", callbacks=[fail])
        self.assertEqual(parallel.position.step, 2)

    def test_ranks_may_have_files_of_their_own(self):
        """A step of all samples: their order is indifferent."""
        def step(params, batch):
            x, y = batch["x"], batch["y"]
            loss, grad = jax.value_and_grad(lambda w: ((x @ w - y) ** 2).mean())(params)
            return params - 0.1 * grad, loss

        rng = np.random.default_rng(5)
        x = rng.normal(size=(8, 3)).astype(np.float32)
        data = {"x": x, "y": x @ np.float32([1, -2, 3])}
        parallel = lambda **config: ds.jax.data_parallel(step, ranks=2, params=0, batch=1, config=config)
        start = np.zeros(3, np.float32), data
        whole, expected = parallel().fit(*start, data=data, epochs=5, progress="none")
        with tempfile.TemporaryDirectory() as folder:
            for name, value in data.items():
                for rank in range(2):
                    np.save(f"{folder}/{name}-0{rank}.npy", value[4 * rank:4 * rank + 4])
            own = {name: f"{folder}/{name}-{{rank:02}}.npy" for name in data}
            for config in ({}, {"batch": "local", "gradients_mean": True}):
                with self.subTest(**config):
                    train = parallel(**config)
                    got, history = train.fit(*start, data=own, epochs=5, progress="none", callbacks=[lambda *_: None])
                    np.testing.assert_allclose(got, whole, rtol=1e-5, atol=1e-6)
                    self.assertEqual((len(history), train.position.step), (5, 5))
            with self.subTest("ranks of a mesh read along its first axis"):
                train = ds.jax.parallel(step, mesh={"dp": 2, "tp": 2}, params=0, batch=1)
                got, history = train.fit(*start, data=own, epochs=5, progress="none")
                np.testing.assert_allclose(got, whole, rtol=1e-5, atol=1e-6)
                self.assertEqual((len(history), train.position.step), (5, 5))
            with self.assertRaisesRegex(ValueError, "data= names files by {rank}, which needs mesh="):
                ds.jax.parallel(step, ranks=4, mode="auto", params=0, batch=1).fit(*start, data=own, progress="none")
            with self.assertRaisesRegex(ValueError, "data= names '.*x.bin' for 'x', which cannot be read: .*No such file"):
                parallel().fit(*start, data=own | {"x": f"{folder}/x.bin"}, progress="none")
        for config, message in (({"num_shards": 2}, "'num_shards' and 'shard_id' are given together, got 'num_shards' alone"),
                                ({"num_shards": 2, "shard_id": 0}, "shard_id is 0 on all 2 ranks, which are threads of one process")):
            with self.subTest(message), self.assertRaisesRegex(RunError, message):
                parallel(**config).fit(*start, data=data, progress="none")

    def test_local_batches_sum_gradients(self):
        def step(params, batch):
            loss, grad = jax.value_and_grad(lambda w: ((batch @ w) ** 2).mean())(params)
            return params - 0.1 * grad, loss

        w, x = np.float32([1, 2]), np.arange(16, dtype=np.float32).reshape(8, 2) / 8
        new, _ = ds.jax.data_parallel(step, ranks=2, params=0, batch=1, config={"batch": "local"})(w, x)
        halves = [w - step(w, part)[0] for part in (x[:4], x[4:])]
        np.testing.assert_allclose(new, w - sum(halves), rtol=1e-5)

    def test_a_label_out_of_range_is_an_error_or_a_warning(self):
        def step(w, x, y):
            loss, gradient = jax.value_and_grad(lambda w: -jax.numpy.mean(jax.nn.one_hot(y, 3) * jax.nn.log_softmax(x @ w)))(w)
            return w - gradient, loss

        w, x, y = np.ones((2, 3), np.float32), np.ones((4, 2), np.float32), np.int32([0, 1, 3, 2])
        make = lambda **options: ds.jax.data_parallel(step, ranks=2, params=0, batch=(1, 2), **options)
        out_of_range = "'y' of step 1 holds 3, expected an index from 0 to 2"
        with self.assertRaisesRegex(RunError, out_of_range + r' \(on_index="warn" trains nevertheless\)'):
            make()(w, x, y)
        with self.assertWarnsRegex(UserWarning, out_of_range.replace(" of step 1", "")) as told:
            close(make(on_index="warn")(w, x, y), step(w, x, y))
        self.assertEqual(told.filename, __file__)                       # the line of the call, not one of the package
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            close(make(on_index="off")(w, x, y), step(w, x, y))
            make()(w, x, np.int32([0, 1, 2, 2]))
        with self.assertRaisesRegex(RunError, "data for 'y' from .*: sample 2 holds 3, expected an index from 0 to 2"):
            make().fit(w, x, y, data={"x": x, "y": y}, progress="none")
        with self.assertRaisesRegex(ValueError, "on_index='maybe', expected 'stop', 'warn' or 'off'"):
            make(on_index="maybe")

    def test_indices_are_found_in_all_ways_of_indexing(self):
        rows, log = np.arange(4), lambda w, x: jax.nn.log_softmax(x @ w)
        wrapped, plain = "from -3 to 2", "from 0 to 2"
        losses = {"one_hot": (plain, lambda w, x, y: jax.nn.one_hot(y, 3) * log(w, x)), "take_along_axis": (wrapped,
                  lambda w, x, y: jax.numpy.take_along_axis(log(w, x), y[:, None], 1)), "index": (wrapped, lambda w, x, y: log(w, x)[rows, y]),
                  "embedding": (wrapped, lambda w, x, y: w.T[y]), "vmap": (wrapped, lambda w, x, y: jax.vmap(lambda a, b: log(w, a)[b])(x, y)),
                  "from one": ("from 1 to 3", lambda w, x, y: jax.nn.one_hot(y - 1, 3) * log(w, x))}
        for name, (expected, loss) in losses.items():
            with self.subTest(name), self.assertRaisesRegex(RunError, f"holds 5, expected an index {expected}"):
                def step(w, x, y):
                    value, gradient = jax.value_and_grad(lambda w: jax.numpy.mean(loss(w, x, y)))(w)
                    return w - gradient, value

                ds.jax.data_parallel(step, ranks=2, params=0, batch=(1, 2))(np.ones((2, 3), np.float32), np.ones((4, 2), np.float32),
                                                                            np.int32([1, 1, 5, 2]))

    def test_bytes_are_unsigned_in_arrays_and_files(self):
        def step(w, x, y):
            loss, gradient = jax.value_and_grad(lambda w: jax.numpy.mean((x.astype(np.float32) / 255 @ w - w[y]) ** 2))(w)
            return w - gradient, loss

        rng = np.random.default_rng(0)
        w, x, y = rng.random(250, np.float32), rng.integers(0, 256, (8, 250), np.uint8), rng.integers(0, 250, 8, np.uint8)
        parallel = ds.jax.data_parallel(step, ranks=2, params=0, batch=(1, 2))
        close(parallel(w, x, y), step(w, x, y))
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", x)
            for data in ({"x": x, "y": y}, {"x": f"{folder}/x.npy", "y": y}):
                close(parallel.fit(w, x, y, data=data, progress="none")[0], step(w, x, y)[0])
        with self.assertRaisesRegex(RunError, "sample 0 holds 251, expected an index from 0 to 249"):
            parallel.fit(w, x, y, data={"x": x, "y": np.full(8, 251, np.uint8)}, progress="none")

    def test_the_interface_says_its_types_and_what_it_is(self):
        self.assertEqual(hints.missing(ds.jax, ds.jax.__all__) + hints.missing(ds, [name for name in dir(ds) if "context" in name]), [])
        exported, _ = lamb_embedding()
        parallel = ds.jax.data_parallel(exported.step, ranks=2, **ROLES)
        self.assertRegex(repr(parallel), r"^dstep\.jax\.DataParallel\(\w+, ranks=2, batch=global, 0 steps\)$")
        self.assertRegex(repr(exported), r"^JaxExport\('.*', \d+ parameters, \d+ states, batch of 24\)$")

    def test_mistakes(self):
        exported, steps = lamb_embedding()
        with self.assertRaisesRegex(ds.jax.FrontendError, "a batch of 24 samples cannot be divided among 5 ranks"):
            ds.jax.data_parallel(exported.step, ranks=5, **ROLES)(*steps[0])
        with self.assertRaisesRegex(ValueError, "ranks= sets on how many"):
            ds.jax.data_parallel(exported.step, **ROLES)
        with self.assertRaisesRegex(RunError, "gradient_mean"):
            ds.jax.data_parallel(exported.step, ranks=2, config={"gradient_mean": True}, **ROLES)(*steps[0])
        self.assertEqual(ds.jax.data_parallel(exported.step, ranks=2, **ROLES).run([]), [])


if __name__ == "__main__":
    unittest.main()

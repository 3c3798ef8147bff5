"""Gradients that a step of JAX marks itself; an axis over which it combines values itself."""
import os
import unittest
from unittest import mock

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

import dstep as ds
import real_steps
import test_local
from dstep.jax.export import share
from programs import communication, marks, program

RANKS = 4
PARAMS = {"dense": {"b": np.zeros(2, np.float32), "w": np.ones((3, 2), np.float32)}}
NAMES = ["params.dense.b", "params.dense.w"]
BATCH = {"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)}


def loss_of(params, batch):
    return ((batch["x"] @ params["dense"]["w"] + params["dense"]["b"] - batch["y"]) ** 2).mean()


def sgd(mark):
    """A step that gives its gradients to `mark`."""
    def step(params, batch):
        loss, grads = jax.value_and_grad(loss_of)(params, batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, mark(grads)), loss
    return step


def export(step, *args, **options):
    return ds.jax.export(step, args or (PARAMS, BATCH), **({"params": 0, "batch": 1} | options))


class Gradients(unittest.TestCase):
    def test_marks_have_the_names_of_parameters(self):
        exported = export(sgd(ds.jax.gradients))
        self.assertEqual(marks(exported.mlir), NAMES)
        self.assertRegex(exported.mlir, r'%\d+ = ds.gradient %\d+ of "params.dense.w" : tensor<3x2xf32>\n')
        self.assertNotIn("custom_call", exported.mlir)

    def test_in_jax_a_mark_changes_nothing(self):
        marked, plain = sgd(ds.jax.gradients), sgd(lambda grads: grads)
        for transform in (lambda f: f, jax.jit):
            jax.tree.map(np.testing.assert_array_equal, transform(marked)(PARAMS, BATCH), transform(plain)(PARAMS, BATCH))
        np.testing.assert_array_equal(export(marked).run(export(marked).flatten((PARAMS, BATCH)))[1], plain(PARAMS, BATCH)[0]["dense"]["w"])

    def test_names_of_other_trees(self):
        def state(train, batch):
            grads = ds.jax.gradients(jax.grad(loss_of)(train["params"], batch))
            return {"params": jax.tree.map(jnp.subtract, train["params"], grads), "count": train["count"] + 1}, 0.0

        train = {"params": PARAMS, "count": jnp.int32(0)}
        self.assertEqual(marks(export(state, train, BATCH, params="train.params").mlir), ["train." + name for name in NAMES])

        def single(w, batch):
            return w - ds.jax.gradients(jax.grad(lambda w: (batch["x"] @ w).mean())(w)), 0.0

        self.assertEqual(marks(export(single, PARAMS["dense"]["w"], BATCH).mlir), ["w"])

        def two(left, right, batch):
            grads = ds.jax.gradients(jax.grad(lambda left, right: loss_of(left, batch) * loss_of(right, batch), argnums=(0, 1))(left, right))
            return *(jax.tree.map(jnp.subtract, p, g) for p, g in zip((left, right), grads)), 0.0

        self.assertEqual(marks(export(two, PARAMS, PARAMS, BATCH, params=(0, 1), batch=2).mlir),
                         ["left.dense.b", "left.dense.w", "right.dense.b", "right.dense.w"])

        def each(left, right, batch):
            one, other = (jax.grad(loss_of)(p, batch) for p in (left, right))
            one, other = ds.jax.gradients(one, of="left"), ds.jax.gradients(other, of=1)
            return jax.tree.map(jnp.subtract, left, one), jax.tree.map(jnp.subtract, right, other), 0.0

        self.assertEqual(marks(export(each, PARAMS, PARAMS, BATCH, params=(0, 1), batch=2).mlir),
                         ["left.dense.b", "left.dense.w", "right.dense.b", "right.dense.w"])

        def part(params, batch):
            grads = jax.grad(lambda dense: loss_of({"dense": dense}, batch))(params["dense"])
            return {"dense": jax.tree.map(jnp.subtract, params["dense"], ds.jax.gradients(grads, of="params.dense"))}, 0.0

        self.assertEqual(marks(export(part).mlir), NAMES)

    def test_marks_inside_of_loops_branches_and_calls(self):
        def step(params, batch):
            def one(total, x):
                grads = jax.jit(lambda p: ds.jax.gradients(jax.grad(loss_of)(p, {"x": x, "y": batch["y"]})))(params)
                return jax.tree.map(jnp.add, total, lax.cond(x.sum() > 0, lambda: grads, lambda: jax.tree.map(jnp.zeros_like, grads))), None
            grads, _ = lax.scan(one, params, jnp.stack([batch["x"]] * 2))
            return grads, 0.0
        self.assertEqual(marks(export(step).mlir), NAMES)

    def test_marks_that_nothing_reads_are_gone(self):
        def step(params, batch):
            grads = ds.jax.gradients(jax.grad(loss_of)(params, batch))
            return {"dense": {"b": params["dense"]["b"], "w": params["dense"]["w"] - grads["dense"]["w"]}}, 0.0
        self.assertEqual(marks(export(step).mlir), NAMES[1:])

    def test_integers_are_no_gradients(self):
        grads = {"w": jnp.ones(2), "n": np.zeros((), jax.dtypes.float0), "k": 3}
        self.assertEqual(ds.jax.gradients(grads)["k"], 3)
        self.assertIs(ds.jax.gradients(grads)["n"], grads["n"])

    def test_marks_under_transformations(self):
        """vmap marks all members at once. Across ranks a mark is a linear map, so a derivative of a marked value is marked."""
        x = jnp.arange(6.0).reshape(2, 3)
        mark = lambda v: ds.jax.gradients({"w": v})["w"]
        count = lambda f, *args: str(jax.make_jaxpr(f)(*args)).count("ds_gradient[")
        for dim in (0, 1):
            np.testing.assert_array_equal(jax.vmap(mark, dim, dim)(x), x)
            self.assertEqual(count(jax.vmap(mark, dim, dim), x), 1)
        np.testing.assert_array_equal(jax.jvp(lambda v: mark(v) ** 2, (x,), (x,))[1], 2 * x * x)
        self.assertEqual(count(lambda v: jax.jvp(mark, (v,), (v,)), x), 2)
        np.testing.assert_array_equal(jax.grad(lambda v: (mark(v) ** 2).sum())(x), 2 * x)
        self.assertEqual(count(jax.grad(lambda v: (mark(v) ** 2).sum()), x), 2)
        np.testing.assert_array_equal(jax.linear_transpose(mark, x)(x)[0], x)
        np.testing.assert_array_equal(jax.jacrev(mark)(x[0]), np.eye(3))

    def test_mistakes(self):
        def per_sample(params, batch):
            grads = jax.vmap(lambda x, y: ds.jax.gradients(jax.grad(loss_of)(params, {"x": x, "y": y})))(batch["x"], batch["y"])
            return jax.tree.map(lambda p, g: p - g.mean(0), params, grads), 0.0

        def twins(left, right, batch):
            grads = ds.jax.gradients(jax.grad(loss_of)(left, batch))
            return jax.tree.map(jnp.subtract, left, grads), right, 0.0

        cases = (
            (per_sample, (PARAMS, BATCH), {}, r"the gradient of 'params.dense.b' is marked where it has the shape \(4, 2\), expected \(2,\)"),
            (twins, (PARAMS, PARAMS, BATCH), dict(params=(0, 1), batch=2),
             "'dense.b' is marked as a gradient of left.dense.b or right.dense.b; of= names which"),
            (sgd(lambda grads: {"dense": ds.jax.gradients(grads["dense"])}), (PARAMS, BATCH), {},
             "'b' is marked as a gradient, but the parameters are params.dense.b, params.dense.w; of= names what the gradients are of"),
            (sgd(lambda grads: ds.jax.gradients(grads, of="batch")), (PARAMS, BATCH), {}, "'dense.b' is marked as a gradient of a part of batch, but"))
        for step, args, options, message in cases:
            with self.subTest(message), self.assertRaisesRegex(ds.jax.FrontendError, message):
                export(step, *args, **options)


class Axis(unittest.TestCase):
    def export(self, step, *args, **options):
        return export(step, *args, **({"axis_name": "ranks", "axis_size": RANKS} | options))

    def test_a_mean_is_a_sum_and_a_division(self):
        exported = self.export(sgd(lambda grads: lax.pmean(grads, "ranks")))
        self.assertEqual(marks(exported.mlir, "combine"), ["sum", "sum"])
        self.assertIn("dense<4.000000e+00>", exported.mlir)
        self.assertEqual(exported.manifest["axis"], {"name": "ranks", "size": 4})
        self.assertIn('ds.config = {batch = "local", device_num = 4 : i64}', exported.mlir)

    def test_the_mean_of_a_loss_is_differentiated_as_jax_does(self):
        def step(params, batch):
            grads = jax.grad(lambda p: lax.pmean(loss_of(p, batch), "ranks"))(params)
            return jax.tree.map(jnp.subtract, params, grads), 0.0
        self.assertEqual(marks(self.export(step).mlir, "combine"), ["sum"])  # of the cotangent, the loss itself is not read

    def test_kinds_stand_wherever_they_are_written(self):
        def step(params, batch):
            @jax.jit
            def inner(x):
                return lax.psum(x, "ranks") / lax.axis_size("ranks")

            def body(total, x):
                total += lax.cond(x.sum() > 0, lambda: lax.pmin(x, "ranks"), lambda: x).sum()
                return total, lax.pmax(x.max(), ("ranks",))

            total, largest = lax.scan(body, inner(batch["x"].sum()), batch["x"])
            alike = lax.pmin(total > 0, "ranks") & lax.pmax(total < 9, "ranks")
            return params, {"total": total, "largest": largest.max(), "alike": alike.astype(np.float32)}

        self.assertEqual(sorted(marks(self.export(step).mlir, "combine")), ["and", "max", "min", "or", "sum"])

    def test_unsigned_integers_keep_their_order(self):
        def step(params, batch):
            return params, lax.pmax((batch["x"] * 3e9).astype(np.uint32), "ranks").max().astype(np.float32)
        mlir = self.export(step).mlir
        self.assertEqual(marks(mlir, "combine"), ["max"])
        self.assertIn("dense<-2147483648> : tensor<i32>", mlir)

    def test_vmap_inside_of_the_axis(self):
        def step(params, batch):
            return params, jax.vmap(lambda x: lax.psum(x * 2, "ranks"))(batch["x"]).sum()
        self.assertRegex(self.export(step).mlir, r"ds.combine sum %\d+ : tensor<4x3xf32>")

    def test_both_kinds_of_marks(self):
        def step(params, batch):
            new, loss = sgd(ds.jax.gradients)(params, batch)
            return new, lax.pmax(loss, "ranks")
        mlir = self.export(step).mlir
        self.assertEqual((marks(mlir), marks(mlir, "combine")), (NAMES, ["max"]))

    def test_both_parts_of_a_complex_sum_are_combined(self):
        def step(params, batch):
            new, loss = sgd(ds.jax.gradients)(params, batch)
            return new, loss + abs(lax.pmean(batch["x"].sum() * 1j + loss, "ranks"))
        self.assertEqual(marks(self.export(step).mlir, "combine"), ["sum", "sum"])

    def test_mistakes(self):
        reads = lambda f: lambda params, batch: (params, f(batch["x"]).sum())
        pmean = sgd(lambda grads: lax.pmean(grads, "ranks"))
        cases = (
            (reads(lambda x: lax.all_gather(x, "ranks")), {}, r"'all_gather' over the axis 'ranks' at .*test_marks.py:\d+ has no form on ranks; psum, "),
            (reads(lambda x: lax.axis_index("ranks") + x), {}, r"'axis_index' over the axis 'ranks' at .*test_marks.py:\d+ has no form on ranks"),
            (reads(lambda x: lax.psum(x, "ranks", axis_index_groups=[[0, 1], [2, 3]])), {}, "'psum' at .* is over a part of the ranks"),
            (reads(lambda x: lax.pmax(x * 1j, "ranks").real), {}, "'pmax' at .* combines complex64, expected real numbers"),
            (reads(lambda x: lax.psum(x, "model")), {}, "the step combines values over the axis 'model', expected only 'ranks'"),
            (pmean, dict(axis_name=None, axis_size=None), "over the axis 'ranks', expected axis_name='ranks', which binds it to the ranks"),
            (pmean, dict(axis_size=None), "axis_name= and axis_size= belong together, got one of them"))
        for step, options, message in cases:
            with self.subTest(message), self.assertRaisesRegex(ds.jax.FrontendError, message):
                self.export(step, **options)
        with self.assertRaisesRegex(ds.jax.FrontendError, "over the axis 'ranks' of 4 ranks, so one device cannot record it"):
            exported = self.export(pmean)
            exported.record([exported.args])
        for config, message in (({"gradients_mean": True}, "gradients_mean=true divides gradients by the number of ranks, expected false"),
                                ({"batch": "global"}, "batch=global computes what one device computes, expected local")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                ds.jax.data_parallel(pmean, ranks=2, axis_name="ranks", config=config, params=0, batch=1)


def unmarked():
    """Steps exported under it have no marks, so that their gradients are detected."""
    return mock.patch.object(ds.jax, "gradients", lambda grads, of=None: grads)


class ProgramsOfRealSteps(unittest.TestCase):
    """Marks of the front end and marks of detection give programs that combine the same."""

    def check(self, name):
        marked, _ = real_steps.ALL[name]()
        with unmarked():
            detected, _ = real_steps.ALL[name]()
        params = [a["name"] for a in marked.manifest["args"] if a["role"] == "param"]
        self.assertEqual((sorted(marks(marked.mlir)), marks(detected.mlir)), (sorted(params), []))
        self.assertEqual(*(communication(program(step.mlir, RANKS)) for step in (marked, detected)))


for step in real_steps.ALL:
    setattr(ProgramsOfRealSteps, f"test_{step}", lambda self, name=step: self.check(name))


class ProgramsOfLocalSteps(test_local.Local):
    """The steps of test_local, whose results without marks are compared with JAX there."""

    def check(self, model, batches, optimizer, rtol=None, atol=None, ranks=(RANKS,), **more):
        step, carried = test_local.steps_of(model, batches, optimizer, **more)
        args, roles = (*carried, batches[0]), dict(params=0, state=1, batch=2)
        of_rank = share(step, args, ranks[0], **roles)
        marked, detected = (ds.jax.export(lambda params, state, batch: step(mean, params, state, batch), of_rank, **roles)
                            for mean in (ds.jax.gradients, lambda grads: grads))
        self.assertEqual((len(marks(marked.mlir)), marks(detected.mlir)), (len(jax.tree.leaves(carried[0])), []))
        self.assertEqual(*(communication(program(step.mlir, ranks[0])) for step in (marked, detected)))

    test_one_sample_per_rank = None  # detection asks for its marks, as test_local tests


class Runs(unittest.TestCase):
    """Marked steps, and steps that combine values over an axis, give what the axis gives under vmap."""

    def check(self, model, batches, optimizer, **more):
        step, carried = test_local.steps_of(model, batches, optimizer, **more)
        pmean = lambda grads: lax.pmean(grads, test_local.ACROSS)
        roles = dict(ranks=RANKS, params=0, state=1, batch=2)
        for written, mean, options in (("marks", ds.jax.gradients, {"config": test_local.CONFIG}),
                                       ("axis", pmean, {"axis_name": test_local.ACROSS, "config": {"local_state": "mean"}})):
            with self.subTest(written):
                parallel = ds.jax.data_parallel(lambda params, state, batch: step(mean, params, state, batch), **roles, **options)
                got = parallel.run([(*carried, batch) for batch in batches])
                for mine, theirs in zip(got, test_local.in_jax(step, RANKS, *carried, batches), strict=True):
                    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5), mine, theirs)

    def compare(self, step, config=None, marked=None, params=PARAMS):
        """A step of (params, batch) whose results all ranks have alike: on ranks, and under vmap. `marked` is the step with marks of its
        gradients instead of means over the axis."""
        rng = np.random.default_rng(0)
        batch = {"x": rng.standard_normal((2 * RANKS, 3), np.float32), "y": rng.standard_normal((2 * RANKS, 2), np.float32)}
        axis = {} if marked else {"axis_name": "ranks"}
        got = ds.jax.data_parallel(marked or step, ranks=RANKS, config=config, params=0, batch=1, **axis)(params, batch)
        shares = jax.tree.map(lambda a: a.reshape(RANKS, -1, *a.shape[1:]), batch)
        for rank in range(RANKS):
            expected = jax.tree.map(lambda a: a[rank], jax.vmap(step, (None, 0), axis_name="ranks")(params, shares))
            jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), got, expected)

    def test_values_that_ranks_have_alike_are_counted_by_each(self):
        def step(params, batch):
            loss, grads = jax.value_and_grad(loss_of)(params, batch)
            grads = lax.pmean(lax.pmean(grads, "ranks"), "ranks")
            decay = jax.tree.map(lambda p: lax.psum(p, "ranks"), params)
            new = jax.tree.map(lambda p, g, d: p - 0.1 * g - 0.01 * d, params, grads, decay)
            return new, {"loss": lax.pmean(loss, "ranks"), "ranks": lax.psum(jnp.ones(()) + 0 * params["dense"]["b"][0], "ranks")}
        self.compare(step)

    def test_decisions_and_metrics(self):
        def step(params, batch):
            loss, grads = jax.value_and_grad(loss_of)(params, batch)
            largest = lax.pmax(loss, "ranks")
            below = lax.psum((batch["x"] < 0).sum(), "ranks")
            high = lax.pmin((batch["x"] > -9).all(), "ranks") & (lax.pmax(jnp.uint32(3e9) + below.astype(np.uint32), "ranks") > 3e9)
            scale = jnp.where(high, below.astype(np.float32), 1.0)
            new = jax.tree.map(lambda p, g: p - 0.1 * scale * lax.pmean(jnp.minimum(g, largest), "ranks"), params, grads)
            return new, {"largest": largest, "below": below.astype(np.float32)}
        self.compare(step)

    def test_loss_that_is_combined_before_it_is_differentiated(self):
        def step(params, batch):
            loss, grads = jax.value_and_grad(lambda p: lax.pmean(loss_of(p, batch), "ranks"))(params)
            return jax.tree.map(lambda p, g: p - 0.1 * lax.pmean(g, "ranks"), params, grads), loss
        self.compare(step)

    def test_batch_norm_of_all_ranks(self):
        """Flax's BatchNorm with an axis, which combines moments forward and their cotangents backward."""
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.BatchNorm(use_running_average=False, axis_name="ranks")(nn.gelu(nn.Dense(2)(x)))

        variables = Net().init(jax.random.key(0), BATCH["x"])

        def step(params, batch):
            def of(p):
                return ((Net().apply({**variables, "params": p}, batch["x"], mutable=["batch_stats"])[0] - batch["y"]) ** 2).mean()
            loss, grads = jax.value_and_grad(of)(params)
            return jax.tree.map(lambda p, g: p - 0.1 * g, params, lax.pmean(grads, "ranks")), lax.pmean(loss, "ranks")
        self.compare(step, params=variables["params"])

    def test_combined_values_inside_of_loops(self):
        def step(params, batch):
            def one(params, row):
                grads = lax.pmean(jax.grad(loss_of)(params, jax.tree.map(lambda a: a[None], row)), "ranks")
                return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), None
            return lax.scan(one, params, batch)[0], 0.0
        self.compare(step)

    def test_gradients_of_marked_gradients(self):
        """An update inside of a loss: what is differentiated through a mark is combined, as through a mean over the axis."""
        def step(mean, loss_mean=lambda loss: loss):
            def step(params, batch):
                def outer(p):
                    inner = mean(jax.grad(loss_of)(p, batch))
                    return loss_of(jax.tree.map(lambda p, g: p - 0.1 * g, p, inner), jax.tree.map(lambda a: a[::-1] * 0.5, batch))
                loss, grads = jax.value_and_grad(outer)(params)
                return jax.tree.map(lambda p, g: p - 0.1 * g, params, mean(grads)), loss_mean(loss)
            return step

        over = lambda value: lax.pmean(value, "ranks")
        self.compare(step(over, over))
        self.compare(step(over, over), test_local.CONFIG, marked=step(ds.jax.gradients))

    def test_batch_norm_by_hand_clipped_by_norm(self):
        optimizer = optax.chain(optax.clip_by_global_norm(0.05), optax.sgd(0.5, momentum=0.9))
        self.check(test_local.HandNorm(), real_steps.two_batches(real_steps.images, 16, 6, 6), optimizer)

    def test_batch_norm_in_microbatches(self):
        self.check(test_local.Convolutions(), real_steps.two_batches(real_steps.images, 32, 8, 8, 3), optax.adamw(1e-2, eps=1e-3), micro=2)

    def test_one_sample_per_rank(self):
        batches = real_steps.two_batches(real_steps.words, RANKS, 8, 30)
        self.check(test_local.Language(), batches, optax.adafactor(1e-2, min_dim_size_to_factor=8), inputs="tokens", targets="targets")


if __name__ == "__main__":
    unittest.main()

"""What shardings of JAX become: the mesh, its order, marks on arguments and values, and what is refused."""
import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P

import dstep as ds

MESH = AbstractMesh((2, 4), ("dp", "tp"))
ROLES = dict(params=0, batch=1)


def at(*dims, mesh=MESH, **more):
    return NamedSharding(mesh, P(*dims, **more))


def shape(*sizes, dtype="float32", sharding=None):
    return jax.ShapeDtypeStruct(sizes, dtype, sharding=sharding)


def step(w, x):
    return w - 0.1 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w), jnp.mean(x @ w)


def exported(w=None, x=None, of=step, **more):
    return ds.jax.export(of, (shape(8, 8, sharding=w), shape(16, 8, sharding=x)), **ROLES, **more)


def marked(*dims, mesh=MESH):
    """`step` with a mark on the product."""
    def of(w, x):
        loss = lambda w: jnp.mean(jnp.tanh(jax.lax.with_sharding_constraint(x @ w, at(*dims, mesh=mesh))) ** 2)
        value, grad = jax.value_and_grad(loss)(w)
        return w - 0.1 * grad, value
    return of


class Mesh(unittest.TestCase):
    def mesh(self, *given, **more):
        return ",".join(f"{axis}={size}" for axis, size in exported(*given, **more).manifest["mesh"].items())

    def test_a_step_without_shardings_has_none(self):
        made = exported()
        self.assertNotIn("mesh", made.manifest)
        self.assertNotIn("ds.config", made.mlir)

    def test_arguments_bring_mesh_and_marks(self):
        made = exported(at(None, "tp"), at("dp"))
        self.assertIn('ds.config = {batch = "global", mesh = "dp=2,tp=4"}', made.mlir)
        self.assertIn('{ds.param = "w", ds.sharding = #ds.sharding<[{}, {"tp"}]>}', made.mlir)
        self.assertIn('ds.name = "x", ds.sharding = #ds.sharding<[{"dp"}, {}]>}', made.mlir)

    def test_the_axis_that_divides_samples_goes_first(self):
        self.assertEqual(self.mesh(at("dp"), at("tp")), "tp=4,dp=2")
        self.assertEqual(self.mesh(at(), at(("tp", "dp"))), "dp=2,tp=4")  # both do

    def test_the_axis_that_divides_all_samples_goes_before_one_that_divides_some(self):
        def two(w, x, y):
            return step(w, x + y)
        made = ds.jax.export(two, (shape(8, 8), shape(16, 8, sharding=at(("dp", "tp"))), shape(16, 8, sharding=at("tp"))), params=0, batch=(1, 2))
        self.assertEqual(list(made.manifest["mesh"]), ["tp", "dp"])

    def test_samples_that_are_not_marked_are_divided_over_the_first_axis(self):
        self.assertEqual(self.mesh(at(None, "tp")), "dp=2,tp=4")
        self.assertEqual(self.mesh(of=marked("dp", "tp")), "dp=2,tp=4")

    def test_where_the_first_axis_divides_something_else_ranks_have_all_samples(self):
        self.assertEqual(self.mesh(at("dp")), "batch=1,dp=2,tp=4")
        self.assertEqual(self.mesh(of=marked("tp", "dp")), "batch=1,dp=2,tp=4")
        tensor = AbstractMesh((4,), ("tp",))
        self.assertEqual(self.mesh(at(None, "tp", mesh=tensor)), "dp=1,tp=4")

    def test_samples_that_are_marked_whole_are_not_divided(self):
        self.assertEqual(self.mesh(at(None, "tp"), at()), "batch=1,dp=2,tp=4")

    def test_an_axis_of_its_own_is_the_batchs(self):
        self.assertEqual(self.mesh(at("all", mesh=AbstractMesh((8,), ("all",))), at("all", mesh=AbstractMesh((8,), ("all",)))), "all=8")

    def test_a_mesh_that_is_given_says_the_order_and_the_axis_of_the_batch(self):
        self.assertEqual(self.mesh(at("tp"), mesh={"tp": 4, "dp": 2}), "tp=4,dp=2")
        self.assertEqual(self.mesh(at("tp"), at("dp"), mesh={"tp": 4, "dp": 2, "ep": 3}), "dp=2,tp=4,ep=3")
        self.assertEqual(self.mesh(mesh=MESH), "dp=2,tp=4")


class Marks(unittest.TestCase):
    def test_a_jitted_steps_shardings_are_those_of_its_arguments(self):
        made = exported(of=jax.jit(jax.jit(step, in_shardings=(at(None, "tp"), at("dp")))))
        self.assertEqual([a["sharding"] for a in made.manifest["args"]], [[[], ["tp"]], [["dp"], []]])

    def test_what_a_step_returns_divided_it_takes_divided(self):
        made = exported(of=jax.jit(step, out_shardings=(at(None, "tp"), at())))
        self.assertEqual([a.get("sharding") for a in made.manifest["args"]], [[[], ["tp"]], None])

    def test_a_value_is_marked_with_its_gradient(self):
        self.assertEqual(exported(of=marked("dp", "tp")).mlir.count('<[{"dp"}, {"tp"}]> : tensor<16x8xf32>'), 2)

    def test_a_dimension_that_is_left_open_stays_so_and_a_mark_that_leaves_all_open_says_nothing(self):
        self.assertIn('<[{?}, {"tp"}]> : tensor<16x8xf32>', exported(of=marked(P.UNCONSTRAINED, "tp")).mlir)
        self.assertNotIn("ds.sharding_constraint ", exported(of=marked(P.UNCONSTRAINED, P.UNCONSTRAINED)).mlir)
        self.assertIn("ds.sharding_constraint %", exported(of=marked()).mlir)  # whole

    def test_hyper_parameters_are_divided_where_they_are_read(self):
        def scaled(w, x, table):
            return step(w, x * table)
        made = ds.jax.export(scaled, (shape(8, 8), shape(16, 8, sharding=at("dp")), shape(8, sharding=at("tp"))), **ROLES)
        self.assertIn('ds.sharding_constraint %arg2 <[{"tp"}]> : tensor<8xf32>', made.mlir)
        self.assertNotIn("sharding", made.manifest["args"][2])

    def test_both_parts_of_a_complex_value_are_marked(self):
        def turned(w, x):
            return step(w, jnp.abs(jnp.fft.ifft(jax.lax.with_sharding_constraint(jnp.fft.fft(x), at("dp", "tp")))))
        self.assertEqual(exported(of=turned).mlir.count('<[{"dp"}, {"tp"}]> : tensor<16x8xf32>'), 2)

    def test_explicit_axes_are_axes(self):
        mesh = jax.make_mesh((2, 4), ("dp", "tp"), axis_types=(AxisType.Explicit,) * 2)
        with jax.set_mesh(mesh):
            made = exported(at(None, "tp", mesh=mesh.abstract_mesh), at("dp", mesh=mesh.abstract_mesh))
        self.assertIn('ds.sharding_constraint', made.mlir)
        self.assertEqual(made.manifest["mesh"], {"dp": 2, "tp": 4})

    def test_shardings_beside_the_step_go_before_its_own(self):
        made = exported(at(None, "tp"), at("dp"), shardings={"w": ("tp",), "x": P(("dp", "tp"))})
        self.assertEqual([a["sharding"] for a in made.manifest["args"]], [[["tp"], []], [["dp", "tp"], []]])

    def test_stablehlo_from_elsewhere_may_be_divided(self):
        made = exported(at(None, "tp"), at("dp"))
        manifest = {"args": [{"role": "param", "name": "w"}, {"role": "batch", "name": "x"}], "results": made.manifest["results"]}
        self.assertEqual(ds.frontend.normalise(made.stablehlo, manifest), made.mlir)
        self.assertEqual(manifest["mesh"], {"dp": 2, "tp": 4})


class Refused(unittest.TestCase):
    def refused(self, message, *given, **more):
        with self.assertRaisesRegex(ds.jax.FrontendError, message):
            exported(*given, **more)

    def test_a_result_that_is_divided_otherwise_than_its_argument(self):
        self.refused(r"the new value of 'w' is sharded as \[\{\}, \{\"tp\"\}\] and the value that the step takes as \[\{\"tp\"\}, \{\}\], expected the same",
                     at("tp"), of=jax.jit(step, out_shardings=(at(None, "tp"), None)))

    def test_shard_map(self):
        def mapped(w, x):
            return step(w, jax.shard_map(lambda x: x * 2, mesh=MESH, in_specs=P("dp"), out_specs=P("dp"))(x))
        self.refused(r"divides values itself by shard_map \(.*test_jax_shardings.py:\d+\), expected a step of whole arrays", of=mapped)

    def test_two_meshes(self):
        self.refused("are of the meshes dp=2,tp=4 and a=8, expected one mesh", at("dp"), of=marked("a", mesh=AbstractMesh((8,), ("a",))))
        self.refused("are of the meshes dp=4 and dp=2,tp=4, expected one mesh", at("dp"), mesh={"dp": 4})

    def test_parts_of_axes_and_incomplete_sums(self):
        text = exported(at(None, "tp"), at("dp")).stablehlo
        for new, message in (('[{}, {"tp":(2)2}]', "'w' is divided over a part of the axis 'tp'"),
                             ('[{}, {}], unreduced={"tp"}', "'w' is left unreduced over 'tp'")):
            manifest = {"args": [{"role": "param", "name": "w"}, {"role": "batch", "name": "x"}], "results": exported().manifest["results"]}
            with self.assertRaisesRegex(ds.jax.FrontendError, message):
                ds.frontend.normalise(text.replace('[{}, {"tp"}]', new, 1), manifest)

    def test_names_of_axes(self):
        mesh = AbstractMesh((2,), ("data.axis",))
        self.refused("an axis 'data.axis', expected a name of letters", at("data.axis", mesh=mesh))

    def test_shardings_beside_the_step(self):
        self.refused("arguments are divided, but no mesh is given", shardings={"w": ("tp",)})
        self.refused("shardings= names 'v', but the arguments are w, x", mesh=MESH, shardings={"v": ("tp",)})
        self.refused("gives 'w' 3 dimensions, expected 2 at most", mesh=MESH, shardings={"w": (None, None, "tp")})
        self.refused("divides 'w' over the axis 'tq', but the mesh has dp, tp", mesh=MESH, shardings={"w": ("tq",)})

    def test_an_axis_that_the_step_combines_over_beside_shardings(self):
        def combined(w, x):
            new, loss = step(w, x)
            return new, jax.lax.pmean(loss, "ranks")
        self.refused("combines values over the axis 'ranks' and is divided by shardings", at(None, "tp"), of=combined, axis_name="ranks", axis_size=8)


class Parallel(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(0)
        self.w, self.x = rng.normal(size=(8, 8)).astype(np.float32), rng.normal(size=(16, 8)).astype(np.float32)

    def test_a_mesh_and_shardings_by_name(self):
        train = ds.jax.parallel(step, mesh={"dp": 2, "tp": 2}, shardings={"w": (None, "tp")}, **ROLES)
        for got, wanted in zip(train(self.w, self.x), step(self.w, self.x), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-6)

    def test_values_come_back_as_they_went(self):
        mesh = jax.make_mesh((2, 2), ("dp", "tp"), axis_types=(AxisType.Auto,) * 2)
        w = jax.device_put(self.w, at(None, "tp", mesh=mesh))
        train = ds.jax.data_parallel(step, ranks=4, **ROLES)
        first = train(w, self.x)[0]
        self.assertEqual(first.sharding, w.sharding)
        second = train(first, self.x)[0]
        np.testing.assert_allclose(second, step(step(self.w, self.x)[0], self.x)[0], rtol=1e-4, atol=1e-6)
        self.assertEqual(len(train.exports), 1)

    def test_a_dataset_is_trained_on(self):
        train = ds.jax.parallel(step, mesh={"dp": 2, "tp": 2}, shardings={"w": (None, "tp")}, **ROLES)
        w, epochs = train.fit(self.w, self.x[:4], data={"x": self.x}, epochs=2, progress="none")
        alone, wanted = ds.jax.data_parallel(step, ranks=1, **ROLES).fit(self.w, self.x[:4], data={"x": self.x}, epochs=2, progress="none")
        np.testing.assert_allclose(w, alone, rtol=1e-4, atol=1e-6)
        self.assertEqual(len(epochs), len(wanted))

    def test_what_does_not_fit_together_is_said(self):
        with self.assertRaisesRegex(ValueError, "mode='full', expected one of 'semi_auto', 'auto'"):
            ds.jax.parallel(step, mode="full", **ROLES)
        with self.assertRaisesRegex(ValueError, "batch=local is what one rank does, expected global: a mesh divides"):
            ds.jax.parallel(step, config={"batch": "local"}, **ROLES)
        with self.assertRaisesRegex(ValueError, "neither mesh= nor ranks= gives how many ranks"):
            ds.jax.parallel(step, **ROLES)(self.w, self.x)
        with self.assertRaisesRegex(ValueError, "batch=local is what one rank does, expected global: shardings divide"):
            ds.jax.data_parallel(step, ranks=4, config={"batch": "local"}, **ROLES)(
                jax.device_put(self.w, at(None, "tp", mesh=jax.make_mesh((2, 2), ("dp", "tp"), axis_types=(AxisType.Auto,) * 2))), self.x)
        with self.assertRaisesRegex(ValueError, "axis_name='ranks' is for a step that combines what ranks compute, expected none beside mesh="):
            ds.jax.data_parallel(step, mesh={"dp": 4}, axis_name="ranks", **ROLES)
        with self.assertRaisesRegex(ds.RunError, "'ds.sharding' of 'x' shards dimension 1 over 'dp', which shards samples"):
            ds.jax.parallel(lambda w, x, y: step(w, x + y), mesh={"dp": 2, "tp": 2}, shardings={"x": (None, "dp"), "y": ("dp",)}, params=0, batch=(1, 2))(
                self.w, self.x, self.x)
        with self.assertRaisesRegex(ds.RunError, "device_num is 4, but --ranks is 3"):
            ds.jax.parallel(step, mesh={"dp": 4}, ranks=3, **ROLES)(self.w, self.x)

    def test_the_mode_is_a_key(self):
        self.assertEqual(ds.jax.parallel(step, mode="auto", ranks=2, **ROLES).runner.config["parallel_mode"], "auto_parallel")

    def test_memory_is_limited_where_a_plan_is_searched(self):
        self.assertEqual(ds.jax.parallel(step, mode="auto", memory_limit=64, ranks=2, **ROLES).runner.config["memory_limit"], 64)
        with self.assertRaisesRegex(ValueError, 'memory_limit= needs mode="auto", which chooses what ranks hold'):
            ds.jax.parallel(step, memory_limit=64, ranks=2, **ROLES)


class Plans(unittest.TestCase):
    """What `plan` tells of a step that is not run."""

    def test_ranks_that_are_not_there(self):
        mesh = AbstractMesh((16, 8), ("dp", "tp"))
        plan = ds.jax.parallel(step, mesh=mesh, mode="auto", **ROLES).plan(shape(1024, 4096), shape(4096, 1024), explain="w")
        self.assertEqual((plan.mesh, plan.ranks), ({"dp": 16, "tp": 8}, 128))
        self.assertLessEqual(plan.bound_ns, plan.time_ns)
        self.assertEqual({a["name"]: a["local_shape"] for a in plan.arguments}["x"][0] % 256, 0)
        self.assertEqual([row["name"] for row in plan.plans[:2]], ["plan, optimizer sharded (level1)", "data parallel"])
        self.assertLessEqual(plan.time_ns, plan.plans[1]["time_ns"])
        chosen = [way for way in plan.explained[0]["ways"] if way["chosen"]]
        self.assertEqual([way["time_ns"] for way in chosen], [plan.time_ns])
        self.assertIn("auto: mesh dp=16 x tp=8, ", str(plan))

    def test_marks_without_a_search(self):
        plan = ds.jax.parallel(step, **ROLES).plan(shape(8, 8, sharding=at(None, "tp")), shape(16, 8, sharding=at("dp")))
        self.assertEqual({a["name"]: (a["sharding"], a["local_shape"]) for a in plan.arguments},
                         {"w": ('[{}, {"tp"}]', [8, 2]), "x": ('[{"dp"}, {}]', [8, 8])})
        self.assertIsNone(plan.time_ns)
        self.assertIn("dp", {c["over"] for c in plan.collectives})

    def test_the_plan_is_what_runs(self):
        w, x = np.ones((8, 8), np.float32), np.ones((16, 8), np.float32)
        train = ds.jax.parallel(step, mode="auto", ranks=4, **ROLES)
        self.assertEqual(train.plan(w, x).ranks, 4)
        np.testing.assert_allclose(train(w, x)[0], step(w, x)[0], rtol=1e-4, atol=1e-6)
        self.assertEqual(len(train.exports), 1)

    def test_what_cannot_be_planned_is_said(self):
        with self.assertRaisesRegex(ds.RunError, "--explain v: the step has no such argument, did you mean 'w'"):
            ds.jax.parallel(step, mesh=MESH, mode="auto", **ROLES).plan(shape(8, 8), shape(16, 8), explain=["v"])
        with self.assertRaisesRegex(ds.RunError, "'memory_limit' is 1 MiB, but parameters, states and samples of a rank take"):
            ds.jax.parallel(step, mesh=MESH, mode="auto", memory_limit=1, **ROLES).plan(shape(4096, 4096), shape(16, 4096))
        with self.assertRaisesRegex(ValueError, "neither mesh= nor ranks= gives how many ranks"):
            ds.jax.parallel(step, mode="auto", **ROLES).plan(shape(8, 8), shape(16, 8))


if __name__ == "__main__":
    unittest.main()

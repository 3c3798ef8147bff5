"""Models of PyTorch that are divided: placements of DTensors become shardings, and ranks train as one process does."""
import copy
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.testing._internal.distributed.fake_pg import FakeStore

import dstep as ds
from dstep.frontend import FrontendError
from dstep.session.run import RunError
from programs import held


LAUNCHERS = (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"], ["mpirun.mpich", "-n", "2"])


class Block(nn.Module):
    """A block of a transformer of four heads. `marks` divide the residual stream's positions."""

    def __init__(self, width=16, heads=4, marks=False):
        super().__init__()
        self.heads, self.marks = heads, marks
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def mark(self, x):
        return ds.torch.shard(x, ("dp", "tp")) if self.marks else x

    def forward(self, x):
        split = lambda y: y.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        x = self.mark(x)
        h = self.norm1(x)
        mixed = F.scaled_dot_product_attention(split(self.q(h)), split(self.k(h)), split(self.v(h)), is_causal=True)
        x = self.mark(x + self.o(mixed.transpose(1, 2).flatten(2)))
        return self.mark(x + self.down(F.gelu(self.up(self.norm2(x)))))


PLAN = {name: ColwiseParallel() for name in ("q", "k", "v", "up")} | {name: RowwiseParallel() for name in ("o", "down")}


def divided(model, mesh):
    """Its copy, as a script for as many processes divides it."""
    return parallelize_module(copy.deepcopy(model), mesh, PLAN)


def batches(count, size=4):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(size, 6, 16, generator=generator), torch.randn(size, 6, 16, generator=generator)) for _ in range(count)]


def bytes_of_rank(module, states=2):
    """Of parameters and Adam's moments and counts."""
    held = [p.to_local() if isinstance(p.data, DTensor) else p for p in module.parameters()]
    return sum((1 + states) * p.numel() * p.element_size() + p.element_size() for p in held)


class Sharded(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=8)
        self.addCleanup(dist.destroy_process_group)
        self.mesh = init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
        self.model = Block()

    def compare(self, model, **options):
        """Training by ds and by PyTorch; returns (ranks, bytes of parameters and states that a rank holds)."""
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        reference, other = copy.deepcopy((model, optimizer))
        train = ds.torch.parallel(model, optimizer, F.mse_loss, clip=1.0, **options)
        data = batches(3)
        losses = [m["loss"] for m in train.run(data[:2])] + [train(data[2])["loss"]]
        for (x, y), got in zip(data, losses, strict=True):
            other.zero_grad()
            loss = F.mse_loss(reference(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reference.parameters(), 1.0)
            other.step()
            self.assertAlmostEqual(got, float(loss), delta=2e-4 * float(loss))
        for (name, got), wanted in zip(model.named_parameters(), reference.parameters(), strict=True):
            if name == "k.bias":
                continue  # attention does not depend on it: its gradient is rounding noise, which Adam amplifies
            torch.testing.assert_close(got, wanted, rtol=2e-4, atol=2e-5, msg=lambda text: f"{name}: {text}")
        return held(train.runner.instance(train.exported))

    def test_columns_and_rows_train_as_one_process(self):
        plan = divided(self.model, self.mesh["tp"])
        self.assertEqual(self.compare(self.model, shardings=plan), (8, bytes_of_rank(plan)))

    def test_processes_do_what_threads_do(self):
        launcher = next((launcher for launcher in LAUNCHERS if shutil.which(launcher[0])), None)
        if not launcher:
            self.skipTest("no mpirun")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*launcher, sys.executable, "-W", "ignore", pathlib.Path(__file__).resolve().with_name("joined_mesh.py"), folder], capture_output=True, text=True,
                                  timeout=600, env={**os.environ, "OMP_NUM_THREADS": "1"})
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            self.assertEqual(sorted(os.listdir(folder)), ["0of2", "1of2"])

    def test_tensor_parallelism_alone_leaves_samples_whole(self):
        mesh = init_device_mesh("cpu", (8,), mesh_dim_names=("tp",))
        found, axes = ds.torch.shardings(parallelize_module(copy.deepcopy(self.model), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()}))
        self.assertEqual(found, {"dp": 1, "tp": 8})
        self.assertEqual(axes, {"up.weight": [["tp"], []], "up.bias": [["tp"]], "down.weight": [[], ["tp"]], "down.bias": [[]]})
        self.compare(self.model, mesh=found, shardings=axes)

    def test_fsdp_and_tensor_parallelism(self):
        plan = fully_shard(divided(self.model, self.mesh["tp"]), mesh=self.mesh["dp"])
        mesh, axes = ds.torch.shardings(plan)
        self.assertEqual(mesh, {"dp": 2, "tp": 4})
        self.assertEqual((axes["up.weight"], axes["down.weight"], axes["norm1.weight"]), ([["tp", "dp"], []], [["dp"], ["tp"]], [["dp"]]))
        self.assertEqual(self.compare(self.model, shardings=plan), (8, bytes_of_rank(plan)))

    def test_values_are_divided_where_they_are_marked(self):
        model = Block(marks=True)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        made = ds.torch.export(model, optimizer, F.mse_loss, batches(1)[0], shardings=divided(model, self.mesh["tp"]))
        self.assertEqual(made.mlir.count('<[{"dp"}, {"tp"}, {}]> : tensor<4x6x16xf32>'), 6 - 1)  # and gradients, but that of the samples
        mesh = init_device_mesh("cpu", (4, 2), mesh_dim_names=("dp", "tp"))
        self.compare(model, shardings=divided(model, mesh["tp"]))

    def test_marks_are_written_as_axes_or_placements(self):
        x = torch.randn(2, 4, 6)
        torch.testing.assert_close(ds.torch.shard(x, ("dp", ("tp",))), x)
        torch.testing.assert_close(ds.torch.shard(x, [Shard(0), Shard(-1)], self.mesh), x)
        for wrong, message in ((([Shard(0)], self.mesh), "one for each axis of mesh=, got 1 and 2 axes"), (([Shard(0)],), "got 1 and no mesh"),
                               (([Shard(0), Partial()], self.mesh), "over the axis 'tp', expected Shard or Replicate"),
                               ((("dp", None, None, "tp"),), "a value of 3 dimensions is divided in 4")):
            with self.assertRaisesRegex(FrontendError, message):
                ds.torch.shard(x, *wrong)

    def test_both_parts_of_a_complex_value_are_marked(self):
        class Turned(nn.Module):
            def __init__(self):
                super().__init__()
                self.turn = nn.Parameter(torch.randn(6, 2))

            def forward(self, x):
                return ds.torch.shard(torch.complex(x, x) * torch.view_as_complex(self.turn), ("dp", "tp")).abs()

        model = Turned()
        made = ds.torch.export(model, torch.optim.SGD(model.parameters(), lr=0.1), F.mse_loss, (torch.randn(4, 6), torch.randn(4, 6)), mesh={"dp": 2, "tp": 2})
        self.assertGreaterEqual(made.mlir.count('<[{"dp"}, {"tp"}]> : tensor<4x6xf32>'), 2)

    def test_states_are_divided_like_their_parameter(self):
        made = ds.torch.export(self.model, torch.optim.Adam(self.model.parameters()), F.mse_loss, batches(1)[0], mesh={"dp": 2, "tp": 2},
                               shardings={"up.weight": (("tp", "dp"),)})
        self.assertEqual({a["name"]: a["sharding"] for a in made.manifest["args"] if "sharding" in a},
                         dict.fromkeys(("up.weight", "up.weight.exp_avg", "up.weight.exp_avg_sq"), [["tp", "dp"], []]))

    def test_a_plan_is_told_without_running(self):
        options = (self.model, torch.optim.SGD(self.model.parameters()), F.mse_loss)
        plan = ds.torch.parallel(*options, mesh={"dp": 2, "tp": 2}, mode="auto").plan(batches(1)[0], explain="up.weight")
        self.assertEqual((plan.mesh, plan.plans[1]["name"]), ({"dp": 2, "tp": 2}, "data parallel"))
        self.assertTrue(plan.bound_ns <= plan.time_ns <= plan.plans[1]["time_ns"])
        self.assertIn(plan.time_ns, [way["time_ns"] for way in plan.explained[0]["ways"] if way["chosen"]])
        with self.assertRaisesRegex(ValueError, 'memory_limit= needs mode="auto"'):
            ds.torch.parallel(*options, ranks=2, memory_limit=4)

    def test_what_does_not_fit_together_is_said(self):
        plan = divided(self.model, self.mesh["tp"])
        with self.assertRaisesRegex(FrontendError, "'q.weight' is a DTensor, of which this process holds one shard; give the model as it was before"):
            ds.torch.export(plan, torch.optim.SGD(plan.parameters()), F.mse_loss, batches(1)[0])
        with self.assertRaisesRegex(FrontendError, "no parameter of the module is a DTensor"):
            ds.torch.shardings(self.model)
        nameless = init_device_mesh("cpu", (8,))
        with self.assertRaisesRegex(FrontendError, "the mesh has no names, expected mesh_dim_names="):
            ds.torch.shardings(divided(self.model, nameless))
        model = Block()
        for name, mesh in (("up", self.mesh), ("down", init_device_mesh("cpu", (8,), mesh_dim_names=("tp",)))):
            layer = getattr(model, name)
            layer.weight = nn.Parameter(distribute_tensor(layer.weight.data, mesh, [Replicate()] * mesh.ndim))
        with self.assertRaisesRegex(FrontendError, "'down.weight' is on the mesh {'tp': 8}, but 'up.weight' on {'dp': 2, 'tp': 4}, expected one mesh"):
            ds.torch.shardings(model)
        options = (self.model, torch.optim.SGD(self.model.parameters()), F.mse_loss)
        with self.assertRaisesRegex(ValueError, "none of mesh=, ranks= and shardings= of a model gives how many ranks"):
            ds.torch.parallel(*options)
        with self.assertRaisesRegex(ValueError, "mode='full', expected one of 'semi_auto', 'auto'"):
            ds.torch.parallel(*options, ranks=2, mode="full")
        with self.assertRaisesRegex(FrontendError, "shardings= names 'Up.weight'"):
            ds.torch.parallel(*options, mesh={"tp": 2}, shardings={"Up.weight": ("tp",)})(batches(1)[0])
        with self.assertRaisesRegex(RunError, "'up.weight', whose 32 elements 3 ranks of .* cannot divide"):
            ds.torch.parallel(*options, mesh={"dp": 1, "tp": 3}, shardings={"up.weight": ("tp",)})(batches(1)[0])


if __name__ == "__main__":
    unittest.main()

"""The configuration of a process: names and values of MindSpore's guides, and what ds-run makes of them."""
import enum
import pathlib
import tempfile
import unittest

import dstep as ds
from dstep.base import config
from dstep.base.config_keys import KEYS

import by_ds_run

STEP = """func.func @step(%w: tensor<2xf32> {ds.param = "w", ds.init = "ones"}) -> (tensor<2xf32> {ds.updates = "w"}) {
  return %w : tensor<2xf32>
}
"""


class ParallelMode(enum.Enum):
    DATA_PARALLEL = "data_parallel"


class Configuration(unittest.TestCase):
    def setUp(self):
        ds.reset_auto_parallel_context()
        self.addCleanup(ds.reset_auto_parallel_context)

    def step(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        step = pathlib.Path(folder.name) / "step.mlir"
        step.write_text(STEP)
        return step

    def in_force(self, **runner):
        [line] = by_ds_run.call(self.step(), "--print-config", **runner)
        return {key: entry["value"] for key, entry in line["keys"].items()}

    def test_what_is_set_is_in_force(self):
        ds.set_auto_parallel_context(parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True, batch="local",
                                     timeout=30,
                                     comm_fusion={"openstate": True,
                                                  "allreduce": {"mode": "index", "config": [20, 35]}})
        ds.set_auto_parallel_context(device_num=2)
        keys = self.in_force()
        self.assertEqual({k: keys[k] for k in ("parallel_mode", "gradients_mean", "batch", "timeout", "comm_fusion",
                                               "device_num")},
                         {"parallel_mode": "data_parallel", "gradients_mean": "true", "batch": "local",
                          "timeout": "30s",
                          "comm_fusion": "index:20:35", "device_num": "2"})

    def test_fusion_is_refused_where_ds_run_would_refuse_it(self):
        entry = {"mode": "size", "config": 25}
        for value in ("all", "size:25", "size:25:1", "ddp", "allgather=auto",
                      "all;allgather=auto;reducescatter=size:64", entry, {"openstate": False},
                      {"allreduce": entry, "allgather": {"mode": "auto", "config": None}},
                      {"allreduce": {"mode": "index", "config": [1]}},
                      "everything", "all;ddp", "allgather=ddp", "gather=all", "size:0", "", {}, {"x": 1},
                      {"allreduce": 25}, {"allgather": {"mode": "index", "config": [1]}},
                      {"mode": "size"}, {"openstate": 1}, {"allreduce": {"mode": "Size", "config": 25}},
                      {"allreduce": {"mode": "size", "config": True}}):
            with self.subTest(value=value):
                try:
                    by_ds_run.call(self.step(), "--print-config", config={"comm_fusion": value})
                except RuntimeError as error:
                    self.assertIn("comm_fusion", str(error))
                    with self.assertRaisesRegex(ValueError, "'comm_fusion' must be all, none, index"):
                        ds.set_auto_parallel_context(comm_fusion=value)
                else:
                    ds.set_auto_parallel_context(comm_fusion=value)

    def test_a_parallel_optimizers_keys_stand_by_themselves(self):
        ds.set_auto_parallel_context(parallel_optimizer_config={"parallel_optimizer_threshold": 64,
                                                                "optimizer_level": "level1"})
        self.assertEqual(ds.get_auto_parallel_context("optimizer_level"), "level1")
        with self.assertRaisesRegex(ValueError, "'gradient_accumulation_shard = true' is not built; leave it out"):
            ds.set_auto_parallel_context(parallel_optimizer_config={"gradient_accumulation_shard": True})

    def test_a_runs_own_settings_go_over_it(self):
        ds.set_auto_parallel_context(gradients_mean=True, all_reduce_fusion_config=[1, 2])
        keys = self.in_force(config={"gradients_mean": False, "batch": "local"})
        self.assertEqual([keys[k] for k in ("gradients_mean", "batch", "all_reduce_fusion_config")],
                         ["false", "local", "[1, 2]"])

    def test_every_default_is_that_of_the_compiler(self):
        keys = self.in_force(config={"batch": "local"})
        for key in KEYS:
            value = ds.get_auto_parallel_context(key)
            if key not in ("device_num", "parallel_mode"):
                self.assertEqual(keys[key], None if value is None else config._text(value), key)

    def test_get_and_reset(self):
        self.assertIs(ds.get_auto_parallel_context("gradients_mean"), False)
        self.assertEqual(ds.get_auto_parallel_context("parallel_mode"), "data_parallel")
        self.assertIsNone(ds.get_auto_parallel_context("device_num"))
        ds.set_auto_parallel_context(parallel_mode="auto_parallel")
        self.assertEqual(ds.get_auto_parallel_context("batch"), "global")
        ds.set_auto_parallel_context(cross_batch=True)
        self.assertEqual(ds.get_auto_parallel_context("batch"), "local")
        ds.reset_auto_parallel_context()
        ds.set_auto_parallel_context(gradients_mean=True, all_reduce_fusion_config=[20, 35])
        self.assertIs(ds.get_auto_parallel_context("gradients_mean"), True)
        self.assertEqual(ds.get_auto_parallel_context("all_reduce_fusion_config"), [20, 35])
        ds.reset_auto_parallel_context()
        self.assertIs(ds.get_auto_parallel_context("gradients_mean"), False)

    def test_mistakes_are_sentences_and_set_nothing(self):
        for keys, sentence in [
                ({"gradients_mean": True, "gradient_mean": True}, "unknown configuration key 'gradient_mean', did you "
                 "mean 'gradients_mean'?"),
                ({"gradients_mean": 1}, "'gradients_mean' must be True or False, got 1"),
                ({"gradients_mean": True, "device_num": True}, "'device_num' must be an integer, 1 to 4096, got True"),
                ({"device_num": 4097}, "'device_num' must be an integer, 1 to 4096, got 4097"),
                ({"optimizer_weight_shard_size": 1}, "'optimizer_weight_shard_size' must be an integer, -1 or 2 to "
                 "4096, got 1"),
                ({"all_reduce_fusion_config": [35, 20]}, "'all_reduce_fusion_config' must be a list of integers from "
                 "0, ascending and not empty, got [35, 20]"),
                ({"all_reduce_fusion_config": []}, "'all_reduce_fusion_config' must be a list of integers from 0, "
                 "ascending and not empty, got []"),
                ({"gradients_mean": True, "pipeline_stages": 2}, "'pipeline_stages = 2' is not built; leave it out: "
                 "every rank runs the whole step"),
                ({"dataset_strategy": ((4, 1), (4,))}, "'dataset_strategy' must be one of data_parallel, full_batch, "
                 "got '((4, 1), (4,))'; say with ds.sharding on batch arguments which axes of the mesh divide them")]:
            with self.subTest(keys), self.assertRaises(ValueError) as caught:
                ds.set_auto_parallel_context(**keys)
            self.assertEqual(str(caught.exception), sentence)
            self.assertEqual(config.context(), {})

    def test_the_docstring_has_every_key(self):
        for key in KEYS:
            self.assertIn(f"\n    {key} (", ds.set_auto_parallel_context.__doc__)


if __name__ == "__main__":
    unittest.main()

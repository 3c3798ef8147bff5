"""Whether bench/traffic.py counts rightly what ds and XLA say, and its bars."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
BUILD = pathlib.Path(os.environ.get("DS_RUN", BENCH.parent / "build/bin/ds-run")).parents[1]
sys.path.insert(0, str(BENCH))

import collectives


def ds(body, mesh="dp=2,tp=4"):
    return collectives.ds_traffic(f'module attributes {{ds.config = {{mesh = "{mesh}"}}}} {{\n' + textwrap.dedent(body))


def hlo(entry, more="", **mesh):
    return collectives.xla_traffic(f"{more}\nENTRY %main.1 (p: f32[4]) -> f32[4] {{\n  {entry}\n}}",
                                   mesh or {"dp": 2, "tp": 4})


class Ir(unittest.TestCase):
    def test_an_all_reduce_goes_twice(self):
        found, = ds('%0 = ds.all_reduce sum %a {group = ["tp"], names = [["w"]]} : tensor<2x3xf32>')
        self.assertEqual((found.kind, found.axes, found.message, found.sent), ("all_reduce", ("tp",), 24, 36))

    def test_the_first_axis_needs_no_group(self):
        found, = ds("%0:2 = ds.all_reduce sum %a, %b : tensor<8xf32>, tensor<f64>")
        self.assertEqual((found.axes, found.message, found.sent), (("dp",), 40, 40))

    def test_a_gather_counts_what_it_makes_and_a_scatter_what_it_reads(self):
        gather, scatter = ds('''
            %0 = ds.all_gather %a into %x along 0 {group = ["tp"]} : tensor<2xi16> into tensor<8xi16>
            %1 = ds.reduce_scatter sum %x into %a along 0 {group = ["tp"]} : tensor<8xi16> into tensor<2xi16>''')
        self.assertEqual([(c.kind, c.message, c.sent) for c in (gather, scatter)],
                         [("all_gather", 16, 12), ("reduce_scatter", 16, 12)])

    def test_several_axes_are_one_group(self):
        found, = ds('%0 = ds.all_to_all %a into %x split 0 concat 0 {group = ["dp", "tp"]} : tensor<8xf32> into '
                    'tensor<8xf32>')
        self.assertEqual((found.axes, found.sent), (("dp", "tp"), 28))

    def test_a_permutation_sends_what_it_moves_once(self):
        found, = ds('%0 = ds.collective_permute %a into %x from [1, 0, 2, -1] {group = ["tp"]} : tensor<8xf32> into '
                    'tensor<8xf32>')
        self.assertEqual((found.kind, found.axes, found.message, found.sent), ("collective_permute", ("tp",), 32, 16))

    def test_a_loop_runs_what_is_in_it_as_often_as_it_says(self):
        inside, behind = ds('''
            %c1 = arith.constant 1 : index
            %c7 = arith.constant 7 : index
            %c2 = arith.constant 2 : index
            %r = scf.for %i = %c1 to %c7 step %c2 iter_args(%x = %a) -> (tensor<4xf32>) {
              %0 = ds.all_reduce sum %x : tensor<4xf32>
            }
            %1 = ds.all_reduce sum %r : tensor<4xf32>''')
        self.assertEqual((inside.times, behind.times), (3, 1))

    def test_an_unknown_number_of_rounds_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "as often as data says"):
            ds("%r = scf.while (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {\n  %0 = ds.all_reduce sum %x : "
               "tensor<4xf32>")

    def test_an_axis_of_one_rank_moves_nothing(self):
        self.assertEqual(ds("%0 = ds.all_reduce sum %a : tensor<4xf32>", "dp=1,tp=4"), [])


class Hlo(unittest.TestCase):
    def test_groups_are_lists_ranges_or_axes(self):
        for groups, axes in (("{{0,1,2,3},{4,5,6,7}}", ("tp",)), ("{{0,4},{1,5},{2,6},{3,7}}", ("dp",)),
                             ("[2,4]<=[8]", ("tp",)), ("[4,2]<=[2,4]T(1,0)", ("dp",)),
                             ("mesh['a'=2,'b'=4] {'b'}", ("tp",)),
                             ("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}", ("dp",)),
                             ("[1,8]<=[8]", ("dp", "tp")),
                             ("{{0,1},{2,3},{4,5},{6,7}}", ("part of axes",))):
            with self.subTest(groups=groups):
                found, = hlo(f"%r = f32[4]{{0}} all-reduce(%p), channel_id=1, replica_groups={groups}, to_apply=%add")
                self.assertEqual((found.kind, found.axes), ("all_reduce", axes))

    def test_bytes(self):
        for line, message, sent in (("%r = (f32[2,3]{1,0}, /*index=1*/bf16[2]{0}) all-reduce(%a, %b), "
                                     "replica_groups=[2,4]<=[8]", 28, 42),
                                    ("%r = f32[8]{0} all-gather(%p), replica_groups=[2,4]<=[8], dimensions={0}", 32,
                                     24),
                                    ("%r = f32[2]{0} reduce-scatter(%p), replica_groups=[2,4]<=[8], dimensions={0}", 32,
                                     24),
                                    ("ROOT %r = (f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}) all-to-all(%a, %b, %c, "
                                     "%d), replica_groups=[2,4]<=[8]", 32, 24),
                                    ("%r = f32[4]{0} collective-permute(%p), "
                                     "source_target_pairs={{0,1},{1,0},{2,2},{3,3},{4,4},{5,5},{6,6},{7,7}}", 16, 4)):
            with self.subTest(line=line):
                found, = hlo(line)
                self.assertEqual((found.message, found.sent), (message, sent))

    def test_a_while_loop_runs_its_body_as_often_as_is_known(self):
        body = ("%body (p: f32[4]) -> f32[4] {\n  %r = f32[4]{0} all-reduce(%p), replica_groups=[2,4]<=[8], "
                "to_apply=%add\n}\n")
        loop = "%w = f32[4]{0} while(%p), condition=%cond, body=%body"
        found, = hlo(loop + ', backend_config={"known_trip_count":{"n":"3"}}', body)
        self.assertEqual(found.times, 3)
        with self.assertRaisesRegex(ValueError, "as often as data says"):
            hlo(loop, body)

    def test_what_is_not_known_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "not counted"):
            hlo("%r = f32[4]{0} all-reduce-start(%p), replica_groups=[2,4]<=[8]")
        with self.assertRaisesRegex(ValueError, "not understood"):
            hlo("%r = f32[4]{0} all-reduce(%p), replica_groups=everyone")


class Bars(unittest.TestCase):
    def rows(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            found = pathlib.Path(folder, "rows.json")
            done = subprocess.run([sys.executable, BENCH / "traffic.py", "--build", BUILD, "--json", found, *options],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return json.loads(found.read_text())

    def test_megatron_takes_two_all_reduces_forward_and_two_backward(self):
        row, = self.rows("--plan", "megatron", "--layers", "2")
        self.assertEqual((row["forward"], row["backward"], row["tp"]["ds"]["message_bytes"],
                          row["tp"]["xla"]["message_bytes"]), (4, 4, 65536, 98304))

    def test_no_marked_program_moves_more_than_in_xla(self):
        self.assertEqual(len(self.rows("--plan", "marked", "--devices", "4")), 8)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What loading samples costs a step: steps on data that is loaded, shuffled, from files or arrays, beside steps on one
batch that stays in memory.

    bench/loading.py [--ranks 1] [--kib 1024] [--hidden 48] [--steps 300] [--rounds 7] [--bytes]

Both run in one process, in turns; the ratio is the median over rounds of the time of `steps` steps, and of
what the first rank's own thread works, which says more where others use the machine. Samples are floats, or with
--bytes bytes that become floats on the way. Where a core is left beside the ranks a thread loads ahead. Needs NumPy and
ml_dtypes.
"""
import argparse
import pathlib
import statistics
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from dstep.session import native

FEATURES = 1024
STEP = """
func.func @step(%w: tensor<{f}x{h}xf32> {{ds.param = "w"}}, %x: tensor<{b}x{f}xf32> {{ds.batch = 0 : i64, ds.name = "x"}})
    -> (tensor<{f}x{h}xf32> {{ds.updates = "w"}}, tensor<f32> {{ds.metric = "loss"}}) {{
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant -1.0e-9 : f32
  %ey = tensor.empty() : tensor<{b}x{h}xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<{b}x{h}xf32>) -> tensor<{b}x{h}xf32>
  %y = linalg.matmul ins(%x, %w : tensor<{b}x{f}xf32>, tensor<{f}x{h}xf32>) outs(%zy : tensor<{b}x{h}xf32>) -> tensor<{b}x{h}xf32>
  %es = tensor.empty() : tensor<f32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}}
      ins(%y : tensor<{b}x{h}xf32>) outs(%zs : tensor<f32>) {{
  ^bb0(%a: f32, %s: f32):
    %q = arith.mulf %a, %a : f32
    %r = arith.addf %s, %q : f32
    linalg.yield %r : f32
  }} -> tensor<f32>
  %ew = tensor.empty() : tensor<{f}x{h}xf32>
  %zw = linalg.fill ins(%zero : f32) outs(%ew : tensor<{f}x{h}xf32>) -> tensor<{f}x{h}xf32>
  %ext = tensor.empty() : tensor<{f}x{b}xf32>
  %xt = linalg.transpose ins(%x : tensor<{b}x{f}xf32>) outs(%ext : tensor<{f}x{b}xf32>) permutation = [1, 0]
  %g = linalg.matmul ins(%xt, %y : tensor<{f}x{b}xf32>, tensor<{b}x{h}xf32>) outs(%zw : tensor<{f}x{h}xf32>) -> tensor<{f}x{h}xf32>
  %new = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%w, %g : tensor<{f}x{h}xf32>, tensor<{f}x{h}xf32>) outs(%ew : tensor<{f}x{h}xf32>) {{
  ^bb0(%a: f32, %d: f32, %o: f32):
    %p = arith.mulf %d, %rate : f32
    %s = arith.addf %a, %p : f32
    linalg.yield %s : f32
  }} -> tensor<{f}x{h}xf32>
  return %new, %loss : tensor<{f}x{h}xf32>, tensor<f32>
}}
"""  # noqa: E501


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--kib", type=int, default=1024, help="of samples that a rank takes in a step")
    parser.add_argument("--hidden", type=int, default=48, help="columns of the parameter: how long a step takes")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bytes", action="store_true")
    options = parser.parse_args()
    batch = options.kib * 1024 // 4 // FEATURES
    program = native.Program(STEP.format(b=batch * options.ranks, f=FEATURES, h=options.hidden), "batch=global")
    samples = np.random.default_rng(1).integers(0, 100,
                                                (64 * batch * options.ranks, FEATURES)).astype(np.uint8 if options.bytes
                                                                                               else np.float32)
    resident, loaded = native.Instance(program, options.ranks), native.Instance(program, options.ranks)
    resident.write(1, samples[:batch * options.ranks].astype(np.float32))
    data = native.Data(loaded, {"x": samples})
    step = 0

    def train():
        nonlocal step
        for _ in range(options.steps):
            data.run(step)
            step += 1

    def stay():
        for _ in range(options.steps):
            resident.run({})
            resident.number(1)  # as the others have their metrics

    ratios, of_thread, times = [], [], []
    for number in range(options.rounds + 1):
        took, busy = {}, {}
        for body in (stay, train) if number % 2 else (train, stay):
            begin, began = time.perf_counter(), time.thread_time()
            body()
            took[body], busy[body] = (time.perf_counter() - begin) / options.steps, time.thread_time() - began
        if number:  # the first one warms up
            ratios.append(took[train] / took[stay])
            of_thread.append(busy[train] / busy[stay])
            times.append(took[stay])
    print(f"{options.ranks} ranks, {options.kib} KiB of {'bytes as floats' if options.bytes else 'floats'} a rank: "
          f"step of {statistics.median(times) * 1e3:.2f} ms, loaded / resident {statistics.median(ratios):.3f} (from "
          f"{min(ratios):.3f} to {max(ratios):.3f}), work of the first rank's thread "
          f"{statistics.median(of_thread):.3f}")


main()

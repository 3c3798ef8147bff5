"""A step whose arguments hold samples in every way there is, against numbers by hand.

several_entries.py DIR

h        a value per sample that goes on in the next step, with the row and not with the sample
near     three rows per sample, together: [samples, 3]
views    two numbers per sample, apart: [2, samples]
pool     five numbers, which are no multiple of the samples: every step takes all of them
"""
import os
import sys

import numpy as np

from step import expect, run

STEP = """
#row = affine_map<(b, j, v) -> (b)>
#near = affine_map<(b, j, v) -> (b, j, v)>
#which = affine_map<(b, j, v) -> (j)>
#weight = affine_map<(b, j, v) -> (v)>
#sample = affine_map<(b, j) -> (b)>
#view = affine_map<(b, j) -> (j, b)>
#sign = affine_map<(b, j) -> (j)>
module {{
  func.func @step(%w: tensor<3xf32> {{ds.param = "w"}}, %h: tensor<{B}xf32> {{ds.state = "h", ds.batch = 0 : i64}},
      %x: tensor<{B}x3xf32> {{ds.batch = 0 : i64, ds.name = "x"}}, %id: tensor<{B}xi32> {{ds.batch = 0 : i64, ds.name = "id"}},
      %near: tensor<{N}x3xf32> {{ds.batch = 0 : i64, ds.name = "near"}},
      %views: tensor<{V}xf32> {{ds.batch = 0 : i64, ds.apart, ds.name = "views"}},
      %pool: tensor<5xf32> {{ds.batch = 0 : i64, ds.name = "pool"}})
      -> (tensor<3xf32> {{ds.updates = "w"}}, tensor<{B}xf32> {{ds.updates = "h", ds.batch = 0 : i64}},
          tensor<f32> {{ds.metric = "loss"}}, tensor<{B}xi32> {{ds.batch = 0 : i64, ds.name = "numbers"}}) {{
    %which = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %sign = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
    %half = arith.constant dense<0.5> : tensor<{B}xf32>
    %mean = arith.constant dense<{mean}> : tensor<{B}xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<{B}xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<{B}xf32>
    %triples = tensor.expand_shape %near [[0, 1], [2]] output_shape [{B}, 3, 3] : tensor<{N}x3xf32> into tensor<{B}x3x3xf32>
    %pairs = tensor.expand_shape %views [[0, 1]] output_shape [2, {B}] : tensor<{V}xf32> into tensor<2x{B}xf32>
    %p = linalg.matvec ins(%x, %w : tensor<{B}x3xf32>, tensor<3xf32>) outs(%z : tensor<{B}xf32>) -> tensor<{B}xf32>
    %n = linalg.generic {{indexing_maps = [#near, #which, #weight, #row], iterator_types = ["parallel", "reduction", "reduction"]}}
        ins(%triples, %which, %w : tensor<{B}x3x3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%p : tensor<{B}xf32>) {{
    ^bb0(%a: f32, %j: f32, %v: f32, %acc: f32):
      %1 = arith.mulf %a, %j : f32
      %2 = arith.mulf %1, %v : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    }} -> tensor<{B}xf32>
    %v = linalg.generic {{indexing_maps = [#view, #sign, #sample], iterator_types = ["parallel", "reduction"]}}
        ins(%pairs, %sign : tensor<2x{B}xf32>, tensor<2xf32>) outs(%n : tensor<{B}xf32>) {{
    ^bb0(%a: f32, %s: f32, %acc: f32):
      %1 = arith.mulf %a, %s : f32
      %2 = arith.addf %acc, %1 : f32
      linalg.yield %2 : f32
    }} -> tensor<{B}xf32>
    %kept = arith.mulf %h, %half : tensor<{B}xf32>
    %new = arith.addf %kept, %v : tensor<{B}xf32>
    %sum = linalg.reduce {{ arith.addf }} ins(%pool : tensor<5xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %sums = linalg.broadcast ins(%sum : tensor<f32>) outs(%e : tensor<{B}xf32>) dimensions = [0]
    %scaled = arith.mulf %new, %sums : tensor<{B}xf32>
    %d = arith.mulf %scaled, %mean : tensor<{B}xf32>
    %squares = arith.mulf %new, %d : tensor<{B}xf32>
    %loss = linalg.reduce {{ arith.addf }} ins(%squares : tensor<{B}xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %g1 = linalg.vecmat ins(%d, %x : tensor<{B}xf32>, tensor<{B}x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %g2 = linalg.generic {{indexing_maps = [#near, #which, #row, #weight], iterator_types = ["reduction", "reduction", "parallel"]}}
        ins(%triples, %which, %d : tensor<{B}x3x3xf32>, tensor<3xf32>, tensor<{B}xf32>) outs(%g1 : tensor<3xf32>) {{
    ^bb0(%a: f32, %j: f32, %s: f32, %acc: f32):
      %1 = arith.mulf %a, %j : f32
      %2 = arith.mulf %1, %s : f32
      %3 = arith.addf %acc, %2 : f32
      linalg.yield %3 : f32
    }} -> tensor<3xf32>
    %step = arith.mulf %g2, %rate : tensor<3xf32>
    %updated = arith.subf %w, %step : tensor<3xf32>
    return %updated, %new, %loss, %id : tensor<3xf32>, tensor<{B}xf32>, tensor<f32>, tensor<{B}xi32>
  }}
}}
"""  # noqa: E501

folder, SAMPLES, STEPS = sys.argv[1], 32, 5
rng = np.random.default_rng(3)
x, near = rng.integers(-8, 9, (SAMPLES, 3)) / 8, rng.integers(-8, 9, (SAMPLES, 3, 3)) / 8
views, pool, start = rng.integers(-8, 9, (2, SAMPLES)) / 8, np.array([1, 2, 0.5, 0.25, 0.25]), np.array([0.5, -1, 0.25])
for name, array in (("x", x), ("near", near.reshape(-1, 3)), ("views", views.reshape(-1)), ("pool", pool)):
    np.save(f"{folder}/{name}.npy", array.astype(np.float32))
np.save(f"{folder}/id.npy", np.arange(SAMPLES, dtype=np.int32))
header = b'{"w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}'
with open(f"{folder}/start.safetensors", "wb") as file:
    file.write(len(header).to_bytes(8, "little") + header + start.astype("<f4").tobytes())
DATA = ",".join(f"{name}={folder}/{name}.npy" for name in ("x", "near", "views", "pool", "id"))


def written(rows):
    path = f"{folder}/step{rows}.mlir"
    with open(path, "w") as file:
        file.write(STEP.format(B=rows, N=3 * rows, V=2 * rows, mean=1 / rows))
    return path


def train(ranks, steps, *flags):
    rows = 16 if "batch=global" in flags else 16 // ranks
    return run(written(rows), folder, ranks, "--data", DATA, "--steps", str(steps), "--init",
               f"{folder}/start.safetensors", *flags)


for ranks, flags in ([(n, ("--config", "batch=global", "--check=5")) for n in (1, 2, 4, 8)] +
                     [(n, ("--config", "gradients_mean=true", "--check=5")) for n in (2, 4)]):
    what = f"{ranks} ranks, {' '.join(flags)}: "
    w, h = start, np.zeros(16)
    for step in range(1, STEPS + 1):
        saved, results = train(ranks, step, *flags)
        number = results[3]
        if step == 1 and not np.array_equal(np.sort(number), np.arange(16)):
            sys.exit(what + f"the first step reads {number}, expected the first rows of the files")
        rows = x[number] + np.tensordot(near[number], [1, 2, 3], (1, 0))
        h = h / 2 + rows @ w + views[0, number] - views[1, number]
        loss = pool.sum() / 16 * h @ h
        w = w - 0.01 * pool.sum() / 16 * h @ rows
        expect(what + "h", saved["h"], h)
        expect(what + "w", saved["w"], w)
        if "batch=global" in flags:
            expect(what + "loss", results[2], loss)
# What goes on with the rows is in the checkpoint, whole, and another number of ranks goes on from it.
whole, _ = train(1, 4, "--config", "batch=global")
os.remove(f"{folder}/end.safetensors")
train(2, 2, "--config", "batch=global", "--resume")
saved, _ = train(4, 4, "--config", "batch=global", "--resume")
expect("resumed h", saved["h"], whole["h"])
expect("resumed w", saved["w"], whole["w"])
print("rows, entries and states go where they belong")

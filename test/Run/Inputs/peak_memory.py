"""peak_memory.py FOLDER RANKS [CONFIG]: how many MiB of memory ds-run takes, at its peak, for 64 MiB of parameters from
a checkpoint, more than for a few bytes."""
import json
import math
import os
import struct
import sys

COUNT = 8


def write(name, rows):
    """A step that changes COUNT matrices of `rows` KiB, and a checkpoint of them."""
    kind = f"tensor<{rows}x256xf32>"
    arguments = ", ".join(f'%p{i}: {kind} {{ds.param = "p{i}"}}' for i in range(COUNT))
    results = ", ".join(f'{kind} {{ds.updates = "p{i}"}}' for i in range(COUNT))
    body = "".join(f"""
  %q{i} = linalg.generic {{indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%p{i}, %loss : {kind}, tensor<f32>) outs(%e : {kind}) {{
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  }} -> {kind}""" for i in range(COUNT))
    with open(f"{name}.mlir", "w") as file:
        file.write(f"""#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
func.func @step({arguments}, %x: tensor<4xf32> {{ds.batch = 0 : i64, ds.name = "x"}}) -> ({results}, tensor<f32> {{ds.metric = "loss"}}) {{
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce {{arith.addf}} ins(%x : tensor<4xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %e = tensor.empty() : {kind}{body}
  return {", ".join(f"%q{i}" for i in range(COUNT))}, %loss : {", ".join([kind] * COUNT)}, tensor<f32>
}}
""")  # noqa: E501
    save(name, {f"p{i}": [rows, 256] for i in range(COUNT)})


def save(name, shapes):
    """Tensors of ones."""
    header, end = {}, 0
    for key, shape in shapes.items():
        size = 4 * math.prod(shape)
        header[key] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(f"{name}.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + struct.pack("<f", 1) * (end // 4))


def peak(name, ranks):
    """MiB of one run, whose output is shown where it fails."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.execvp("ds-run", ["ds-run", f"{name}.mlir", "--ranks", ranks, "--config",
                             ",".join(["batch=global", *config]), "--data", "x=data.safetensors", "--steps", "2",
                             "--init", f"{name}.safetensors"])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(open(f"{name}.log").read())
    return usage.ru_maxrss / 1024


folder, ranks, *config = sys.argv[1:]
os.chdir(folder)
save("data", {"x": [16]})
write("large", 8192)
write("small", 1)
print(round(peak("large", ranks) - peak("small", ranks)))

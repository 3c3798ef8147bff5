"""A step with a state of every type, and two checkpoints of random bits for it: types0, whose values must win, and
types1.

all_types.py FOLDER            writes types.mlir, one.npy and both checkpoints
all_types.py FOLDER compare    types.safetensors holds the values of types0 in every state
"""
import json
import pathlib
import random
import struct
import sys

TYPES = {"f64": ("F64", 8), "f32": ("F32", 4), "f16": ("F16", 2), "bf16": ("BF16", 2), "i64": ("I64", 8),
         "i32": ("I32", 4),
         "i16": ("I16", 2), "i8": ("I8", 1), "i1": ("BOOL", 1)}
ELEMENTS = 37


def read(path):
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    return {name: data[8 + size:][slice(*entry["data_offsets"])]
            for name, entry in header.items() if name != "__metadata__"}


def checkpoint(path, seed):
    rng, header, data = random.Random(seed), {}, b""
    for name, (dtype, size) in {"w": ("F32", 4), **TYPES}.items():
        count = 3 if name == "w" else ELEMENTS
        values = bytes(rng.randrange(2) for _ in range(count)) if dtype == "BOOL" else rng.randbytes(count * size)
        if name == "w":
            values = struct.pack("<3f", *(rng.uniform(-1, 1) for _ in range(3)))
        header[name] = {"dtype": dtype, "shape": [count], "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def step():
    arguments = "".join(f', %{t}: tensor<{ELEMENTS}x{t}> {{ds.state = "{t}"}}' for t in TYPES)
    results = "".join(f', tensor<{ELEMENTS}x{t}> {{ds.updates = "{t}"}}' for t in TYPES)
    values = "".join(f", %{t}" for t in TYPES)
    types = "".join(f", tensor<{ELEMENTS}x{t}>" for t in TYPES)
    return f"""#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
func.func @step(%w: tensor<3xf32> {{ds.param = "w"}}, %x: tensor<2x3xf32> {{ds.batch = 0 : i64, ds.name = "x"}}{arguments})
    -> (tensor<3xf32> {{ds.updates = "w"}}{results}) {{
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %sum = linalg.generic {{indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]}}
      ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) {{
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
  }} -> tensor<3xf32>
  %g = ds.gradient %sum of "w" : tensor<3xf32>
  %new = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}}
      ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {{
    ^bb0(%a: f32, %b: f32, %out: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
  }} -> tensor<3xf32>
  return %new{values} : tensor<3xf32>{types}
}}
"""  # noqa: E501


def main():
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["compare"]:
        expected, got = read(folder / "types0.safetensors"), read(folder / "types.safetensors")
        wrong = [name for name in TYPES if got[name] != expected[name]]
        sys.exit(f"these states are not rank 0's: {', '.join(wrong)}" if wrong else 0)
    (folder / "types.mlir").write_text(step())
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8, 3), }".ljust(117) + "\n"
    (folder / "one.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                                     + struct.pack("<24f", *[1.0] * 24))
    for rank in (0, 1):
        checkpoint(folder / f"types{rank}.safetensors", rank)


main()

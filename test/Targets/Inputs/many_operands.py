"""many_operands.py N: a step whose only kernel adds N samples of one value each."""
import sys

n = int(sys.argv[1])
arguments = ", ".join(f'%x{i}: tensor<4x8xf32> {{ds.batch = 0 : i64}}' for i in range(n))
inputs, types = ", ".join(f"%x{i}" for i in range(n)), ", ".join(["tensor<4x8xf32>"] * n)
same = "affine_map<(r, c) -> (r, c)>"
scalars = ", ".join(f"%s{i}: f32" for i in range(n))
adds = "\n".join(f"    %a{i} = arith.addf {'%s0' if i == 1 else f'%a{i - 1}'}, %s{i} : f32" for i in range(1, n))
print(f"""module {{
  func.func @step({arguments}) -> tensor<4x8xf32> {{
    %empty = tensor.empty() : tensor<4x8xf32>
    %sum = linalg.generic {{indexing_maps = [{", ".join([same] * (n + 1))}], iterator_types = ["parallel", "parallel"]}}
        ins({inputs} : {types}) outs(%empty : tensor<4x8xf32>) {{
    ^bb0({scalars}, %out: f32):
{adds}
      linalg.yield %a{n - 1} : f32
    }} -> tensor<4x8xf32>
    return %sum : tensor<4x8xf32>
  }}
}}""")

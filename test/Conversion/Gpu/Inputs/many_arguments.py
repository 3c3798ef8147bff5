"""many_arguments.py KERNELS INPUTS: a driver whose first kernel sums rows, and KERNELS that take that sum and INPUTS
buffers of their own each."""
import sys

kernels, inputs = map(int, sys.argv[1:])
X, Y = "memref<600x20xf32>", "memref<600xf32>"
names = [f"%x{k}_{i}" for k in range(kernels) for i in range(inputs)]
print("#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>")
print(f"func.func @step(%x: {X}, %y: {Y}, " + ", ".join(f"{name}: {X}" for name in names) + ") {")
print(f"  call @sum(%x, %y) : ({X}, {Y}) -> ()")
for k in range(kernels):
    print(f"  call @add(%y, {', '.join(names[k * inputs:(k + 1) * inputs])}) : ({', '.join([Y] + [X] * inputs)}) -> ()")
print("  return\n}")
print(f"func.func private @sum(%x: {X}, %y: {Y}) attributes {{ds.kernel}} {{")
print(f'  linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}} ins(%x : {X}) '
      f'outs(%y : {Y}) {{')
print("  ^bb0(%a: f32, %b: f32):\n    %s = arith.addf %b, %a : f32\n    linalg.yield %s : f32\n  }\n  return\n}")
own = [f"%x{i}" for i in range(inputs)]
print(f"func.func private @add(%y: {Y}, {', '.join(f'{name}: {X}' for name in own)}) attributes {{ds.kernel}} {{")
print(f'  linalg.generic {{indexing_maps = [#row, {", ".join(["#id"] * inputs)}], iterator_types = ["parallel", '
      f'"parallel"]}} '
      f"ins(%y, {', '.join(own[:-1])} : {', '.join([Y] + [X] * (inputs - 1))}) outs({own[-1]} : {X}) {{")
print("  ^bb0(%s0: f32, " + ", ".join(f"%a{i}: f32" for i in range(inputs)) + "):")
for i in range(inputs):
    print(f"    %s{i + 1} = arith.addf %s{i}, %a{i} : f32")
print(f"    linalg.yield %s{inputs} : f32\n  }}\n  return\n}}")

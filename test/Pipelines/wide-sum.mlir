// A sum of bytes into a wider type is one loop over the bytes: the wide elements have no memory.

// RUN: ds-opt %s --ds-data-parallel='config=batch=global,device_num=2' --ds-lower-to-driver | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
// CHECK: func.func @step({{.*}}memref<{{[0-9][0-9]?[0-9]?}}xi8> {ds.arena}
// CHECK-NOT: 50000000xi64
func.func @step(%w: tensor<f32> {ds.param = "w"}, %n: tensor<i64> {ds.state = "n"}, %x: tensor<1000x100000xi8> {ds.batch = 0 : i64}) -> (tensor<f32> {ds.updates = "w"}, tensor<i64> {ds.updates = "n"}) {
  %zero = arith.constant 0 : i64
  %scalar = tensor.empty() : tensor<i64>
  %start = linalg.fill ins(%zero : i64) outs(%scalar : tensor<i64>) -> tensor<i64>
  %e = tensor.empty() : tensor<1000x100000xi64>
  %wide = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1000x100000xi8>) outs(%e : tensor<1000x100000xi64>) {
  ^bb0(%a: i8, %out: i64):
    %b = arith.extui %a : i8 to i64
    linalg.yield %b : i64
  } -> tensor<1000x100000xi64>
  %sum = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["reduction", "reduction"]} ins(%wide : tensor<1000x100000xi64>) outs(%start : tensor<i64>) {
  ^bb0(%a: i64, %out: i64):
    %s = arith.addi %out, %a : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  return %w, %sum : tensor<f32>, tensor<i64>
}

// A sample's position in the batch is not its position on the rank.
// RUN: split-file %s %t
// RUN: ds-fuzz --file %t/step.mlir --distributed %t/right.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: sed -f %t/wrong.sed %t/right.mlir > %t/wrong.mlir
// RUN: not ds-fuzz --file %t/step.mlir --distributed %t/wrong.mlir | FileCheck %s --check-prefix=WRONG
// RIGHT: equal
// WRONG: DIFFERENT: the distributed step: 'w' differs from one device after step 1 on rank 0 of 2

//--- step.mlir
module attributes {ds.config = #ds.config<batch = global>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %from = arith.constant 0 : index
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in: f32, %s: f32):
    %i = linalg.index 0 : index
    %k = arith.addi %i, %from : index
    %p = arith.index_cast %k : index to i32
    %f = arith.sitofp %p : i32 to f32
    %q = arith.mulf %in, %f : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %new = linalg.sub ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- right.mlir
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.name = "x", ds.layout = "block"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %r = ds.rank : index
  %rows = arith.constant 2 : index
  %from = arith.muli %r, %rows : index
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in: f32, %s: f32):
    %i = linalg.index 0 : index
    %k = arith.addi %i, %from : index
    %p = arith.index_cast %k : index to i32
    %f = arith.sitofp %p : i32 to f32
    %q = arith.mulf %in, %f : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %all = ds.all_reduce sum %g : tensor<3xf32>
  %new = linalg.sub ins(%w, %all : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- wrong.sed
/%r = ds.rank/d
/%rows = /d
s/%from = .*/%from = arith.constant 0 : index/

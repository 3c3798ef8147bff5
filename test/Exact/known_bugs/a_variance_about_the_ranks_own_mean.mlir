// The variance of the batch is about the mean of the batch, not about that of the rank's samples.
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
  %inv = arith.constant 0.25 : f32
  %sum = linalg.reduce ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %s: f32) {
        %t = arith.addf %in, %s : f32
        linalg.yield %t : f32
      }
  %mean = tensor.cast %sum : tensor<3xf32> to tensor<3xf32>
  %var = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
                         iterator_types = ["reduction", "parallel"]}
      ins(%x, %mean : tensor<4x3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in: f32, %m: f32, %s: f32):
    %c = arith.mulf %m, %inv : f32
    %d = arith.subf %in, %c : f32
    %q = arith.mulf %d, %d : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %new = linalg.sub ins(%w, %var : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- right.mlir
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.name = "x", ds.layout = "block"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %inv = arith.constant 0.25 : f32
  %sum = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %s: f32) {
        %t = arith.addf %in, %s : f32
        linalg.yield %t : f32
      }
  %mean = ds.all_reduce sum %sum : tensor<3xf32>
  %var = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
                         iterator_types = ["reduction", "parallel"]}
      ins(%x, %mean : tensor<2x3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in: f32, %m: f32, %s: f32):
    %c = arith.mulf %m, %inv : f32
    %d = arith.subf %in, %c : f32
    %q = arith.mulf %d, %d : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %all = ds.all_reduce sum %var : tensor<3xf32>
  %new = linalg.sub ins(%w, %all : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- wrong.sed
s/%mean = .*/%two = arith.constant 0.5 : f32\n  %mean = tensor.cast %sum : tensor<3xf32> to tensor<3xf32>/
s/%m, %inv/%m, %two/

// The sum over ranks is summed once more.
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
  %g = linalg.reduce ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = math.tanh %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %new = linalg.sub ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- right.mlir
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.name = "x", ds.layout = "block"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = math.tanh %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %all = ds.all_reduce sum %g : tensor<3xf32>
  %new = linalg.sub ins(%w, %all : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- wrong.sed
s/%w, %all/%w, %more/
/ds.all_reduce/a\  %more = ds.all_reduce sum %all : tensor<3xf32>

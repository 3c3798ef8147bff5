// Squares of partial gradients are summed: the norm is not that of the gradient.
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
  %zero0 = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.reduce ins(%g : tensor<3xf32>) outs(%zero0 : tensor<f32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = arith.mulf %in, %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %n = tensor.extract %square[] : tensor<f32>
  %root = math.sqrt %n : f32
  %clipped = linalg.map ins(%g : tensor<3xf32>) outs(%g : tensor<3xf32>)
      (%in: f32, %init: f32) {
        %c = arith.divf %in, %root : f32
        linalg.yield %c : f32
      }
  %new = linalg.sub ins(%w, %clipped : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
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
  %zero0 = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.reduce ins(%all : tensor<3xf32>) outs(%zero0 : tensor<f32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = arith.mulf %in, %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %n = tensor.extract %square[] : tensor<f32>
  %root = math.sqrt %n : f32
  %clipped = linalg.map ins(%all : tensor<3xf32>) outs(%all : tensor<3xf32>)
      (%in: f32, %init: f32) {
        %c = arith.divf %in, %root : f32
        linalg.yield %c : f32
      }
  %new = linalg.sub ins(%w, %clipped : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}
}

//--- wrong.sed
s/%square = linalg.reduce ins(%all/%square = linalg.reduce ins(%g/
s/extract %square/extract %squares/
/tensor.extract/i\  %squares = ds.all_reduce sum %square : tensor<f32>

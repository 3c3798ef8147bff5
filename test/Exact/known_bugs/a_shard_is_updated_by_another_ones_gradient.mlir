// Each rank updates the shard of the rank beside it.
// RUN: split-file %s %t
// RUN: ds-fuzz --file %t/step.mlir --distributed %t/right.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: sed -f %t/wrong.sed %t/right.mlir > %t/wrong.mlir
// RUN: not ds-fuzz --file %t/step.mlir --distributed %t/wrong.mlir | FileCheck %s --check-prefix=WRONG
// RIGHT: equal
// WRONG: DIFFERENT: the distributed step: 'w' differs from one device after step 1 on rank 0 of 2

//--- step.mlir
module attributes {ds.config = #ds.config<batch = global>} {
func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<4x4xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %g = linalg.reduce ins(%x : tensor<4x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = math.tanh %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %new = linalg.sub ins(%w, %g : tensor<4xf32>, tensor<4xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  return %new : tensor<4xf32>
}
}

//--- right.mlir
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<2x4xf32> {ds.batch = 0 : i64, ds.name = "x", ds.layout = "block"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %g = linalg.reduce ins(%x : tensor<2x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
      (%in: f32, %sum: f32) {
        %s = math.tanh %in : f32
        %t = arith.addf %s, %sum : f32
        linalg.yield %t : f32
      }
  %empty = tensor.empty() : tensor<2xf32>
  %s = ds.reduce_scatter sum %g into %empty along 0 : tensor<4xf32> into tensor<2xf32>
  %r = ds.rank : index
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %at = arith.muli %r, %two : index
  %mine = tensor.extract_slice %w[%at] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %n = linalg.sub ins(%mine, %s : tensor<2xf32>, tensor<2xf32>) outs(%mine : tensor<2xf32>) -> tensor<2xf32>
  %space = tensor.empty() : tensor<4xf32>
  %new = ds.all_gather %n into %space along 0 : tensor<2xf32> into tensor<4xf32>
  return %new : tensor<4xf32>
}
}

//--- wrong.sed
s/muli %r/muli %other/
/muli/i\  %other = arith.subi %one, %r : index

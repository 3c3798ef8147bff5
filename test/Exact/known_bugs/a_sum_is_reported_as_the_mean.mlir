// A metric that ranks have added up themselves is reported as it is (`none`): their mean is another number.
// RUN: split-file %s %t
// RUN: ds-fuzz --file %t/step.mlir --distributed %t/right.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: sed -f %t/wrong.sed %t/right.mlir > %t/wrong.mlir
// RUN: not ds-fuzz --file %t/step.mlir --distributed %t/wrong.mlir | FileCheck %s --check-prefix=WRONG
// RIGHT: equal
// WRONG: DIFFERENT: the distributed step: 'loss' differs from one device after step 1 on rank 0 of 2

//--- step.mlir
module attributes {ds.config = #ds.config<batch = local>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<1xf32> {ds.metric = "loss", ds.reduce = "mean"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %s: f32) {
        %t = arith.addf %in, %s : f32
        linalg.yield %t : f32
      }
  %loss = tensor.extract_slice %g[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
  %all = ds.gradient %g of "w" : tensor<3xf32>
  %new = linalg.sub ins(%w, %all : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new, %loss : tensor<3xf32>, tensor<1xf32>
}
}

//--- right.mlir
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<2x3xf32> {ds.batch = 0 : i64, ds.name = "x", ds.layout = "block"})
    -> (tensor<3xf32> {ds.updates = "w"}, tensor<1xf32> {ds.metric = "loss", ds.reduce = "none"}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      (%in: f32, %s: f32) {
        %t = arith.addf %in, %s : f32
        linalg.yield %t : f32
      }
  %loss = tensor.extract_slice %g[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
  %all = ds.all_reduce sum %g : tensor<3xf32>
  %met = ds.all_reduce mean %loss {purpose = #ds<purpose metric>} : tensor<1xf32>
  %new = linalg.sub ins(%w, %all : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>) -> tensor<3xf32>
  return %new, %met : tensor<3xf32>, tensor<1xf32>
}
}

//--- wrong.sed
s/ds.all_reduce mean/ds.all_reduce sum/

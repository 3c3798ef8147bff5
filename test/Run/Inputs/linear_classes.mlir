// Of three samples the class: 0, 1 or 2, where the prediction of linear.mlir passes -0.5 and 0.5; beside it the prediction itself.
#x = affine_map<(i, j) -> (i, j)>
#w = affine_map<(i, j) -> (j)>
#out = affine_map<(i, j) -> (i)>
#row = affine_map<(i) -> (i)>
module {
  func.func @forward(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<3x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xi64> {ds.batch = 0 : i64, ds.name = "half"}, tensor<3xi32> {ds.batch = 0 : i64, ds.name = "predictions"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#x, #w, #out], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<3x3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
    } -> tensor<3xf32>
    %none = tensor.empty() : tensor<3xi32>
    %class = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%y : tensor<3xf32>) outs(%none : tensor<3xi32>) {
      ^bb0(%v: f32, %out: i32):
        %low = arith.constant -0.5 : f32
        %high = arith.constant 0.5 : f32
        %a = arith.cmpf ogt, %v, %low : f32
        %b = arith.cmpf ogt, %v, %high : f32
        %m = arith.extui %a : i1 to i32
        %n = arith.extui %b : i1 to i32
        %c = arith.addi %m, %n : i32
        linalg.yield %c : i32
    } -> tensor<3xi32>
    %half = arith.constant dense<7> : tensor<3xi64>
    return %half, %class : tensor<3xi64>, tensor<3xi32>
  }
}

// Warm-up over two steps, then inverse square root; the step counter is a state of integers.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %count: tensor<i32> {ds.state = "count"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<i32> {ds.updates = "count"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %one = arith.constant dense<1> : tensor<i32>
    %next = arith.addi %count, %one : tensor<i32>
    %t = arith.sitofp %next : tensor<i32> to tensor<f32>
    %half = arith.constant dense<0.5> : tensor<f32>
    %warm = arith.mulf %t, %half : tensor<f32>
    %decay = math.rsqrt %t : tensor<f32>
    %factor = arith.minimumf %warm, %decay : tensor<f32>
    %e = tensor.empty() : tensor<3xf32>
    %factors = linalg.broadcast ins(%factor : tensor<f32>) outs(%e : tensor<3xf32>) dimensions = [0]
    %now = arith.mulf %factors, %rate : tensor<3xf32>
    %s = arith.mulf %g, %now : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new, %next : tensor<3xf32>, tensor<i32>
  }
}

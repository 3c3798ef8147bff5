// The gradient is kept as a state; every second step uses and empties it.
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %acc: tensor<3xf32> {ds.state = "w.gradient"}, %count: tensor<i32> {ds.state = "count"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<16xf32> {ds.batch = 0 : i64, ds.name = "y"})
      -> (tensor<3xf32> {ds.updates = "w"},
          tensor<3xf32> {ds.updates = "w.gradient"}, tensor<i32> {ds.updates = "count"}) {
    %mean = arith.constant dense<0.0625> : tensor<16xf32>
    %rate = arith.constant dense<0.1> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %p = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %d = arith.subf %p, %y : tensor<16xf32>
    %dp = arith.mulf %d, %mean : tensor<16xf32>
    %g = linalg.vecmat ins(%dp, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %kept = arith.addf %acc, %g : tensor<3xf32>
    %one = arith.constant 1 : i32
    %c = tensor.extract %count[] : tensor<i32>
    %odd = arith.andi %c, %one : i32
    %use = arith.cmpi eq, %odd, %one : i32
    %s = arith.mulf %kept, %rate : tensor<3xf32>
    %moved = arith.subf %w, %s : tensor<3xf32>
    %new = arith.select %use, %moved, %w : tensor<3xf32>
    %left = arith.select %use, %z3, %kept : tensor<3xf32>
    %c1 = arith.addi %c, %one : i32
    %next = tensor.from_elements %c1 : tensor<i32>
    return %new, %left, %next : tensor<3xf32>, tensor<3xf32>, tensor<i32>
  }
}

// A recurrence over 5 times, h = tanh(h * u + x[t]), by a loop that keeps all h, and back through time by another that adds
// up the gradient of u.
module {
  func.func @step(%u: tensor<3xf32> {ds.param = "u", ds.init = "normal(0.5)"},
      %series: tensor<16x5x3xf32> {ds.batch = 0 : i64, ds.name = "series"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "u"}) {
    %mean = arith.constant dense<0.0625> : tensor<16x3xf32>
    %rate = arith.constant dense<0.5> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16x3xf32>
    %one = arith.constant dense<1.0> : tensor<16x3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %zh = arith.constant dense<0.0> : tensor<16x6x3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %e = tensor.empty() : tensor<16x3xf32>
    %us = linalg.broadcast ins(%u : tensor<3xf32>) outs(%e : tensor<16x3xf32>) dimensions = [0]
    %last, %all = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %z, %hs = %zh) -> (tensor<16x3xf32>, tensor<16x6x3xf32>) {
      %xt = tensor.extract_slice %series[0, %t, 0] [16, 1, 3] [1, 1, 1] : tensor<16x5x3xf32> to tensor<16x3xf32>
      %hu = arith.mulf %h, %us : tensor<16x3xf32>
      %a = arith.addf %hu, %xt : tensor<16x3xf32>
      %next = math.tanh %a : tensor<16x3xf32>
      %t1 = arith.addi %t, %c1 : index
      %kept = tensor.insert_slice %next into %hs[0, %t1, 0] [16, 1, 3] [1, 1, 1] : tensor<16x3xf32> into tensor<16x6x3xf32>
      scf.yield %next, %kept : tensor<16x3xf32>, tensor<16x6x3xf32>
    }
    %d = arith.subf %last, %x : tensor<16x3xf32>
    %dl = arith.mulf %d, %mean : tensor<16x3xf32>
    %first, %g = scf.for %k = %c0 to %c5 step %c1 iter_args(%dh = %dl, %acc = %z3) -> (tensor<16x3xf32>, tensor<3xf32>) {
      %t = arith.subi %c4, %k : index
      %t1 = arith.addi %t, %c1 : index
      %after = tensor.extract_slice %all[0, %t1, 0] [16, 1, 3] [1, 1, 1] : tensor<16x6x3xf32> to tensor<16x3xf32>
      %before = tensor.extract_slice %all[0, %t, 0] [16, 1, 3] [1, 1, 1] : tensor<16x6x3xf32> to tensor<16x3xf32>
      %square = arith.mulf %after, %after : tensor<16x3xf32>
      %slope = arith.subf %one, %square : tensor<16x3xf32>
      %da = arith.mulf %dh, %slope : tensor<16x3xf32>
      %du = arith.mulf %da, %before : tensor<16x3xf32>
      %more = linalg.reduce { arith.addf } ins(%du : tensor<16x3xf32>) outs(%acc : tensor<3xf32>) dimensions = [0]
      %back = arith.mulf %da, %us : tensor<16x3xf32>
      scf.yield %back, %more : tensor<16x3xf32>, tensor<3xf32>
    }
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %u, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

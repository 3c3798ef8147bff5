module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @step(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x5x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %sum = scf.for %t = %c0 to %c5 step %c1 iter_args(%acc = %w) -> (tensor<3xf32>) {
      %xs = tensor.extract_slice %x[0, %t, 0] [8, 1, 3] [1, 1, 1] : tensor<8x5x3xf32> to tensor<8x3xf32>
      %g = linalg.reduce ins(%xs : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
        (%in: f32, %out: f32) { %s = arith.addf %in, %out : f32 linalg.yield %s : f32 }
      %next = arith.addf %acc, %g : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    %new = arith.mulf %sum, %sum : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// Steps that ds-prepare-step brings to the dialects that placement knows. All train w from x on 16 samples.
module {
  // A dense layer in tosa.
  func.func @tosa(%w: tensor<3x2xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3x2xf32> {ds.updates = "w"}) {
    %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %s0 = tosa.const_shape {values = dense<[1, 16, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %s1 = tosa.const_shape {values = dense<[1, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %s2 = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %x3 = tosa.reshape %x, %s0 : (tensor<16x3xf32>, !tosa.shape<3>) -> tensor<1x16x3xf32>
    %w3 = tosa.reshape %w, %s1 : (tensor<3x2xf32>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %p = tosa.matmul %x3, %w3, %zp, %zp : (tensor<1x16x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x2xf32>
    %t = tosa.tanh %p : (tensor<1x16x2xf32>) -> tensor<1x16x2xf32>
    %xt = tosa.transpose %x3 {perms = array<i32: 0, 2, 1>} : (tensor<1x16x3xf32>) -> tensor<1x3x16xf32>
    %g3 = tosa.matmul %xt, %t, %zp, %zp : (tensor<1x3x16xf32>, tensor<1x16x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x2xf32>
    %g = tosa.reshape %g3, %s2 : (tensor<1x3x2xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
    %lr = "tosa.const"() <{values = dense<0.01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %d = tosa.mul %g, %lr, %shift : (tensor<3x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x2xf32>
    %new = tosa.sub %w, %d : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %new : tensor<3x2xf32>
  }

  // One thread per feature sums its column over the batch and subtracts it from its parameter.
  func.func @forall(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3xf32>
    %sums = scf.forall (%i) in (3) shared_outs(%o = %empty) -> (tensor<3xf32>) {
      %column = tensor.extract_slice %x[0, %i] [16, 1] [1, 1] : tensor<16x3xf32> to tensor<16xf32>
      %e = tensor.empty() : tensor<f32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %sum = linalg.reduce ins(%column : tensor<16xf32>) outs(%z : tensor<f32>) dimensions = [0]
        (%a: f32, %s: f32) {
          %t = arith.addf %a, %s : f32
          linalg.yield %t : f32
        }
      %one = tensor.expand_shape %sum [] output_shape [1] : tensor<f32> into tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
      }
    }
    %new = linalg.sub ins(%w, %sums : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The same with something that is not linear behind each sum: a collective in the loop, on a slice of the result.
  func.func @forall_reduces_inside(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3xf32>
    %sums = scf.forall (%i) in (3) shared_outs(%o = %empty) -> (tensor<3xf32>) {
      %column = tensor.extract_slice %x[0, %i] [16, 1] [1, 1] : tensor<16x3xf32> to tensor<16xf32>
      %e = tensor.empty() : tensor<f32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %sum = linalg.reduce ins(%column : tensor<16xf32>) outs(%z : tensor<f32>) dimensions = [0]
        (%a: f32, %s: f32) {
          %t = arith.addf %a, %s : f32
          linalg.yield %t : f32
        }
      %h = linalg.tanh ins(%sum : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
      %one = tensor.expand_shape %h [] output_shape [1] : tensor<f32> into tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
      }
    }
    %marked = ds.gradient %sums of "w" : tensor<3xf32>
    %new = linalg.sub ins(%w, %marked : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

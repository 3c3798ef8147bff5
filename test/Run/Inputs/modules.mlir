// Steps whose values, types and functions stand as torch-mlir and IREE print them.
ml_program.global private mutable @never_changed(dense_resource<k> : tensor<4x3xf32>) : tensor<4x3xf32>

func.func private @train(%w: tensor<3xf32>, %x: tensor<8x4xf32>, %k: tensor<4x3xf32>) -> tensor<3xf32> {
  %z = arith.constant dense<0.0> : tensor<8x3xf32>
  %y = linalg.matmul ins(%x, %k : tensor<8x4xf32>, tensor<4x3xf32>) outs(%z : tensor<8x3xf32>) -> tensor<8x3xf32>
  %e = tensor.empty() : tensor<8x3xf32>
  %wb = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<8x3xf32>) dimensions = [0]
  %p = arith.mulf %y, %wb : tensor<8x3xf32>
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %g = linalg.reduce { arith.addf } ins(%p : tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
  %lr = arith.constant dense<0.01> : tensor<3xf32>
  %u = arith.mulf %g, %lr : tensor<3xf32>
  %new = arith.subf %w, %u : tensor<3xf32>
  return %new : tensor<3xf32>
}

func.func @external(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %k = arith.constant dense_resource<k> : tensor<4x3xf32>
  %new = call @train(%w, %x, %k) : (tensor<3xf32>, tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}

func.func @written(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %k = arith.constant dense<[[-0.625, 0.25, -0.25], [0.625, 0.125, -0.375], [0.5, 0.0, -0.5], [0.375, -0.125, -0.625]]> : tensor<4x3xf32>
  %new = call @train(%w, %x, %k) : (tensor<3xf32>, tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}

func.func @global(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %k = ml_program.global_load @never_changed : tensor<4x3xf32>
  %new = call @train(%w, %x, %k) : (tensor<3xf32>, tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}

func.func @with_callees(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
  %new = call @global(%w, %x) : (tensor<3xf32>, tensor<8x4xf32>) -> tensor<3xf32>
  return %new : tensor<3xf32>
}

func.func private @step_by(%w: tensor<4xf32>, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<8x4xf32>) outs(%z : tensor<4xf32>) dimensions = [0]
  %lr = arith.constant dense<0.0001> : tensor<4xf32>
  %u = arith.mulf %g, %lr : tensor<4xf32>
  %v = arith.mulf %u, %w : tensor<4xf32>
  %new = arith.subf %w, %v : tensor<4xf32>
  return %new : tensor<4xf32>
}

func.func private @unsigned_sum(%i: tensor<8x4xui8>, %j: tensor<8x4xui8>) -> tensor<8x4xui8> {
  %a = tensor.bitcast %i : tensor<8x4xui8> to tensor<8x4xi8>
  %b = builtin.unrealized_conversion_cast %j : tensor<8x4xui8> to tensor<8x4xi8>
  %two = arith.constant dense<2> : tensor<8x4xi8>
  %c = arith.divui %a, %two : tensor<8x4xi8>
  %d = arith.divui %b, %two : tensor<8x4xi8>
  %e = arith.addi %c, %d : tensor<8x4xi8>
  %r = tensor.bitcast %e : tensor<8x4xi8> to tensor<8x4xui8>
  return %r : tensor<8x4xui8>
}
func.func @unsigned(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %i: tensor<8x4xui8> {ds.batch = 0, ds.name = "i"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %k = tensor.empty() : tensor<8x4xui8>
  %j = linalg.copy ins(%i : tensor<8x4xui8>) outs(%k : tensor<8x4xui8>) -> tensor<8x4xui8>
  %s = call @unsigned_sum(%i, %j) : (tensor<8x4xui8>, tensor<8x4xui8>) -> tensor<8x4xui8>
  %b = tensor.bitcast %s : tensor<8x4xui8> to tensor<8x4xi8>
  %x = arith.uitofp %b : tensor<8x4xi8> to tensor<8x4xf32>
  %new = call @step_by(%w, %x) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %new : tensor<4xf32>
}

func.func private @signed_sum(%i: tensor<8x4xsi32>, %j: tensor<8x4xsi32>) -> tensor<8x4xsi32> {
  %a = tensor.bitcast %i : tensor<8x4xsi32> to tensor<8x4xi32>
  %b = builtin.unrealized_conversion_cast %j : tensor<8x4xsi32> to tensor<8x4xi32>
  %two = arith.constant dense<2> : tensor<8x4xi32>
  %c = arith.divsi %a, %two : tensor<8x4xi32>
  %d = arith.divsi %b, %two : tensor<8x4xi32>
  %e = arith.addi %c, %d : tensor<8x4xi32>
  %r = tensor.bitcast %e : tensor<8x4xi32> to tensor<8x4xsi32>
  return %r : tensor<8x4xsi32>
}
func.func @signed(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %i: tensor<8x4xsi32> {ds.batch = 0, ds.name = "i"}) -> (tensor<4xf32> {ds.updates = "w"}) {
  %k = tensor.empty() : tensor<8x4xsi32>
  %j = linalg.copy ins(%i : tensor<8x4xsi32>) outs(%k : tensor<8x4xsi32>) -> tensor<8x4xsi32>
  %s = call @signed_sum(%i, %j) : (tensor<8x4xsi32>, tensor<8x4xsi32>) -> tensor<8x4xsi32>
  %b = tensor.bitcast %s : tensor<8x4xsi32> to tensor<8x4xi32>
  %x = arith.sitofp %b : tensor<8x4xi32> to tensor<8x4xf32>
  %new = call @step_by(%w, %x) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %new : tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      k: "0x04000000000020BF0000803E000080BE0000203F0000003E0000C0BE0000003F00000000000000BF0000C03E000000BE000020BF"
    }
  }
#-}

// Three matrices of one size, updated in values of other sizes: one direction of the gradient, moments of its projection with
// weight decay, and what is behind a projection by the parameter itself.
#bi = affine_map<(i, j, b) -> (b, i)>
#bj = affine_map<(i, j, b) -> (b, j)>
#ij = affine_map<(i, j, b) -> (i, j)>
module {
  func.func @step(%w: tensor<4x3xf32> {ds.param = "w"}, %v: tensor<4x3xf32> {ds.param = "v"},
      %u: tensor<4x3xf32> {ds.param = "u"}, %p: tensor<2x4xf32> {ds.state = "p"}, %m: tensor<2x3xf32> {ds.state = "m"},
      %refresh: tensor<i32> {ds.state = "refresh"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}, tensor<4x3xf32> {ds.updates = "v"}, tensor<4x3xf32> {ds.updates = "u"},
          tensor<2x4xf32> {ds.updates = "p"}, tensor<2x3xf32> {ds.updates = "m"}, tensor<i32> {ds.updates = "refresh"}) {
    %zero43 = arith.constant dense<0.0> : tensor<4x3xf32>
    %zero83 = arith.constant dense<0.0> : tensor<8x3xf32>
    %zero23 = arith.constant dense<0.0> : tensor<2x3xf32>
    %zero24 = arith.constant dense<0.0> : tensor<2x4xf32>
    %zero4 = arith.constant dense<0.0> : tensor<4xf32>
    %zero3 = arith.constant dense<0.0> : tensor<3xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %xw = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %xv = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x3xf32>) outs(%xw : tensor<8x3xf32>) -> tensor<8x3xf32>
    %y = linalg.matmul ins(%x, %u : tensor<8x4xf32>, tensor<4x3xf32>) outs(%xv : tensor<8x3xf32>) -> tensor<8x3xf32>
    %yy = linalg.mul ins(%y, %y : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %yyy = linalg.mul ins(%yy, %y : tensor<8x3xf32>, tensor<8x3xf32>) outs(%zero83 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %rw = linalg.matmul indexing_maps = [#bi, #bj, #ij] ins(%x, %y : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %rv = linalg.matmul indexing_maps = [#bi, #bj, #ij] ins(%x, %yy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %ru = linalg.matmul indexing_maps = [#bi, #bj, #ij] ins(%x, %yyy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %dw = ds.gradient %rw of "w" : tensor<4x3xf32>
    %dv = ds.gradient %rv of "v" : tensor<4x3xf32>
    %du = ds.gradient %ru of "u" : tensor<4x3xf32>

    %rows = linalg.reduce { arith.addf } ins(%dw : tensor<4x3xf32>) outs(%zero4 : tensor<4xf32>) dimensions = [1]
    %length = linalg.dot ins(%rows, %rows : tensor<4xf32>, tensor<4xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
    %lengths = linalg.broadcast ins(%length : tensor<f32>) outs(%zero4 : tensor<4xf32>) dimensions = [0]
    %q = linalg.div ins(%rows, %lengths : tensor<4xf32>, tensor<4xf32>) outs(%zero4 : tensor<4xf32>) -> tensor<4xf32>
    %along = linalg.vecmat ins(%q, %dw : tensor<4xf32>, tensor<4x3xf32>) outs(%zero3 : tensor<3xf32>) -> tensor<3xf32>
    %left = linalg.broadcast ins(%q : tensor<4xf32>) outs(%zero43 : tensor<4x3xf32>) dimensions = [1]
    %right = linalg.broadcast ins(%along : tensor<3xf32>) outs(%zero43 : tensor<4x3xf32>) dimensions = [0]
    %outer = linalg.mul ins(%left, %right : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %neww = linalg.sub ins(%w, %outer : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>

    // The projection is made anew of the gradient now and then.
    %never = arith.constant 0 : i32
    %when = tensor.extract %refresh[] : tensor<i32>
    %now = arith.cmpi eq, %when, %never : i32
    %newp = scf.if %now -> (tensor<2x4xf32>) {
      %two = tensor.extract_slice %dv[0, 0] [4, 2] [1, 1] : tensor<4x3xf32> to tensor<4x2xf32>
      %turned = linalg.transpose ins(%two : tensor<4x2xf32>) outs(%zero24 : tensor<2x4xf32>) permutation = [1, 0]
      %squared = linalg.mul ins(%turned, %turned : tensor<2x4xf32>, tensor<2x4xf32>) outs(%zero24 : tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %squared : tensor<2x4xf32>
    } else {
      scf.yield %p : tensor<2x4xf32>
    }
    %decayed = linalg.add ins(%dv, %v : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %d = linalg.matmul ins(%newp, %decayed : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %square = linalg.mul ins(%d, %d : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %newm = linalg.add ins(%m, %square : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %scaled = linalg.div ins(%d, %newm : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %back = linalg.matmul indexing_maps = [#bi, #bj, #ij] ins(%newp, %scaled : tensor<2x4xf32>, tensor<2x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %newv = linalg.sub ins(%v, %back : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>

    %basis = tensor.extract_slice %u[0, 0] [4, 2] [1, 1] : tensor<4x3xf32> to tensor<4x2xf32>
    %turned = linalg.transpose ins(%basis : tensor<4x2xf32>) outs(%zero24 : tensor<2x4xf32>) permutation = [1, 0]
    %e = linalg.matmul ins(%turned, %du : tensor<2x4xf32>, tensor<4x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %ee = linalg.mul ins(%e, %e : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero23 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %on = linalg.matmul indexing_maps = [#bi, #bj, #ij] ins(%turned, %ee : tensor<2x4xf32>, tensor<2x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %newu = linalg.sub ins(%u, %on : tensor<4x3xf32>, tensor<4x3xf32>) outs(%zero43 : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %neww, %newv, %newu, %newp, %newm, %refresh : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<i32>
  }
}

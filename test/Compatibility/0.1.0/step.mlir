// Linear regression with momentum: small enough to read, complete enough to train. Written for 4 samples.
#vector = affine_map<(i, j) -> (j)>
#matrix = affine_map<(i, j) -> (i, j)>
#scalar1 = affine_map<(i) -> ()>
#id1 = affine_map<(i) -> (i)>
#xs = affine_map<(j, i) -> (i, j)>
#columns = affine_map<(j, i) -> (j)>
#rows = affine_map<(j, i) -> (i)>
#row = affine_map<(i, j) -> (i)>
module {
  func.func @step(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
                  %m: tensor<3xf32> {ds.state = "w.momentum"},
                  %x: tensor<4x3xf32> {ds.batch = 0 : i64, ds.name = "x"},
                  %y: tensor<4xf32> {ds.batch = 0 : i64, ds.name = "y"},
                  %lr: tensor<f32> {ds.name = "lr"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "w.momentum"},
          tensor<f32> {ds.metric = "loss"}, tensor<4xf32> {ds.batch = 0 : i64, ds.name = "error"}) {
    %zero = arith.constant 0.0 : f32
    %quarter = arith.constant 0.25 : f32
    %half = arith.constant 0.5 : f32
    %e4 = tensor.empty() : tensor<4xf32>
    %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
    %prediction = linalg.generic {indexing_maps = [#matrix, #vector, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<4x3xf32>, tensor<3xf32>) outs(%z4 : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
    } -> tensor<4xf32>
    %error = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
        ins(%prediction, %y : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %d = arith.subf %a, %b : f32
        linalg.yield %d : f32
    } -> tensor<4xf32>
    %e0 = tensor.empty() : tensor<f32>
    %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [#id1, #scalar1], iterator_types = ["reduction"]}
        ins(%error : tensor<4xf32>) outs(%z0 : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %q = arith.mulf %a, %a : f32
        %r = arith.mulf %q, %quarter : f32
        %s = arith.addf %acc, %r : f32
        linalg.yield %s : f32
    } -> tensor<f32>
    %e3 = tensor.empty() : tensor<3xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
    %gradient = linalg.generic {indexing_maps = [#xs, #rows, #columns], iterator_types = ["parallel", "reduction"]}
        ins(%x, %error : tensor<4x3xf32>, tensor<4xf32>) outs(%z3 : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %q = arith.mulf %p, %half : f32
        %s = arith.addf %acc, %q : f32
        linalg.yield %s : f32
    } -> tensor<3xf32>
    %momentum = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
        ins(%m, %gradient : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) {
      ^bb0(%a: f32, %g: f32, %out: f32):
        %h = arith.mulf %a, %half : f32
        %s = arith.addf %h, %g : f32
        linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#id1, #id1, #scalar1, #id1], iterator_types = ["parallel"]}
        ins(%w, %momentum, %lr : tensor<3xf32>, tensor<3xf32>, tensor<f32>) outs(%e3 : tensor<3xf32>) {
      ^bb0(%a: f32, %g: f32, %rate: f32, %out: f32):
        %d = arith.mulf %g, %rate : f32
        %s = arith.subf %a, %d : f32
        linalg.yield %s : f32
    } -> tensor<3xf32>
    return %new, %momentum, %loss, %error : tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<4xf32>
  }
}

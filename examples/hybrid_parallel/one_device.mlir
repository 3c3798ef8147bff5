// The same step for one device: three layers, of which the middle one has a hidden layer of 8 units.
#one = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>
#two = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (j)>
#whole = affine_map<(i, j) -> ()>
module attributes {ds.config = #ds.config<batch = global>} {
  func.func @step(%w0: tensor<3x6xf32> {ds.param = "w0", ds.init = "normal(0.5)"},
      %w1: tensor<6x8xf32> {ds.param = "w1", ds.init = "normal(0.5)"},
      %w2: tensor<8x1xf32> {ds.param = "w2", ds.init = "normal(0.5)"},
      %b: tensor<1xf32> {ds.param = "b", ds.init = "zeros"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %y: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "y"},
      %lr: tensor<f32> {ds.name = "lr"})
      -> (tensor<3x6xf32> {ds.updates = "w0"}, tensor<6x8xf32> {ds.updates = "w1"}, tensor<8x1xf32> {ds.updates = "w2"},
          tensor<1xf32> {ds.updates = "b"}, tensor<f32> {ds.metric = "loss"}) {
    %zero = arith.constant 0.0 : f32
    %eighth = arith.constant 0.125 : f32
    %quarter = arith.constant 0.25 : f32

    // Forward.
    %e_u = tensor.empty() : tensor<8x6xf32>
    %z_u = linalg.fill ins(%zero : f32) outs(%e_u : tensor<8x6xf32>) -> tensor<8x6xf32>
    %u = linalg.matmul ins(%x, %w0 : tensor<8x3xf32>, tensor<3x6xf32>) outs(%z_u : tensor<8x6xf32>) -> tensor<8x6xf32>
    %e_h = tensor.empty() : tensor<8x8xf32>
    %z_h = linalg.fill ins(%zero : f32) outs(%e_h : tensor<8x8xf32>) -> tensor<8x8xf32>
    %h = linalg.matmul ins(%u, %w1 : tensor<8x6xf32>, tensor<6x8xf32>) outs(%z_h : tensor<8x8xf32>) -> tensor<8x8xf32>
    %z_r = arith.constant dense<0.0> : tensor<8x8xf32>
    %r = arith.maximumf %h, %z_r : tensor<8x8xf32>
    %e_q = tensor.empty() : tensor<8x1xf32>
    %z_q = linalg.fill ins(%zero : f32) outs(%e_q : tensor<8x1xf32>) -> tensor<8x1xf32>
    %q = linalg.matmul ins(%r, %w2 : tensor<8x8xf32>, tensor<8x1xf32>) outs(%z_q : tensor<8x1xf32>) -> tensor<8x1xf32>
    %e_d = tensor.empty() : tensor<8x1xf32>
    %y1 = tensor.expand_shape %y [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %d = linalg.generic {indexing_maps = [#two, #last, #two, #two], iterator_types = ["parallel", "parallel"]}
        ins(%q, %b, %y1 : tensor<8x1xf32>, tensor<1xf32>, tensor<8x1xf32>) outs(%e_d : tensor<8x1xf32>) {
      ^bb0(%a: f32, %bias: f32, %label: f32, %out: f32):
        %s = arith.addf %a, %bias : f32
        %t = arith.subf %s, %label : f32
        linalg.yield %t : f32
    } -> tensor<8x1xf32>
    %e_loss = tensor.empty() : tensor<f32>
    %z_loss = linalg.fill ins(%zero : f32) outs(%e_loss : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [#two, #whole], iterator_types = ["reduction", "reduction"]}
        ins(%d : tensor<8x1xf32>) outs(%z_loss : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.mulf %a, %a : f32
        %m = arith.mulf %s, %eighth : f32
        %t = arith.addf %acc, %m : f32
        linalg.yield %t : f32
    } -> tensor<f32>

    // Backward.
    %e_g = tensor.empty() : tensor<8x1xf32>
    %g = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
        ins(%d : tensor<8x1xf32>) outs(%e_g : tensor<8x1xf32>) {
      ^bb0(%a: f32, %out: f32):
        %s = arith.mulf %a, %quarter : f32
        linalg.yield %s : f32
    } -> tensor<8x1xf32>
    %e_db = tensor.empty() : tensor<1xf32>
    %z_db = linalg.fill ins(%zero : f32) outs(%e_db : tensor<1xf32>) -> tensor<1xf32>
    %db = linalg.reduce {arith.addf} ins(%g : tensor<8x1xf32>) outs(%z_db : tensor<1xf32>) dimensions = [0]
    %e_rt = tensor.empty() : tensor<8x8xf32>
    %rt = linalg.transpose ins(%r : tensor<8x8xf32>) outs(%e_rt : tensor<8x8xf32>) permutation = [1, 0]
    %e_dw2 = tensor.empty() : tensor<8x1xf32>
    %z_dw2 = linalg.fill ins(%zero : f32) outs(%e_dw2 : tensor<8x1xf32>) -> tensor<8x1xf32>
    %dw2 = linalg.matmul ins(%rt, %g : tensor<8x8xf32>, tensor<8x1xf32>) outs(%z_dw2 : tensor<8x1xf32>) -> tensor<8x1xf32>
    %e_w2t = tensor.empty() : tensor<1x8xf32>
    %w2t = linalg.transpose ins(%w2 : tensor<8x1xf32>) outs(%e_w2t : tensor<1x8xf32>) permutation = [1, 0]
    %e_dr = tensor.empty() : tensor<8x8xf32>
    %z_dr = linalg.fill ins(%zero : f32) outs(%e_dr : tensor<8x8xf32>) -> tensor<8x8xf32>
    %dr = linalg.matmul ins(%g, %w2t : tensor<8x1xf32>, tensor<1x8xf32>) outs(%z_dr : tensor<8x8xf32>) -> tensor<8x8xf32>
    %on = arith.cmpf ogt, %h, %z_r : tensor<8x8xf32>
    %dh = arith.select %on, %dr, %z_r : tensor<8x8xi1>, tensor<8x8xf32>
    %e_ut = tensor.empty() : tensor<6x8xf32>
    %ut = linalg.transpose ins(%u : tensor<8x6xf32>) outs(%e_ut : tensor<6x8xf32>) permutation = [1, 0]
    %e_dw1 = tensor.empty() : tensor<6x8xf32>
    %z_dw1 = linalg.fill ins(%zero : f32) outs(%e_dw1 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %dw1 = linalg.matmul ins(%ut, %dh : tensor<6x8xf32>, tensor<8x8xf32>) outs(%z_dw1 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %e_w1t = tensor.empty() : tensor<8x6xf32>
    %w1t = linalg.transpose ins(%w1 : tensor<6x8xf32>) outs(%e_w1t : tensor<8x6xf32>) permutation = [1, 0]
    %e_du = tensor.empty() : tensor<8x6xf32>
    %z_du = linalg.fill ins(%zero : f32) outs(%e_du : tensor<8x6xf32>) -> tensor<8x6xf32>
    %du = linalg.matmul ins(%dh, %w1t : tensor<8x8xf32>, tensor<8x6xf32>) outs(%z_du : tensor<8x6xf32>) -> tensor<8x6xf32>
    %e_xt = tensor.empty() : tensor<3x8xf32>
    %xt = linalg.transpose ins(%x : tensor<8x3xf32>) outs(%e_xt : tensor<3x8xf32>) permutation = [1, 0]
    %e_dw0 = tensor.empty() : tensor<3x6xf32>
    %z_dw0 = linalg.fill ins(%zero : f32) outs(%e_dw0 : tensor<3x6xf32>) -> tensor<3x6xf32>
    %dw0 = linalg.matmul ins(%xt, %du : tensor<3x8xf32>, tensor<8x6xf32>) outs(%z_dw0 : tensor<3x6xf32>) -> tensor<3x6xf32>

    // Update.
    %n_w0 = linalg.generic {indexing_maps = [#two, #two, #whole, #two], iterator_types = ["parallel", "parallel"]}
        ins(%w0, %dw0, %lr : tensor<3x6xf32>, tensor<3x6xf32>, tensor<f32>) outs(%w0 : tensor<3x6xf32>) {
      ^bb0(%a: f32, %gradient: f32, %rate: f32, %out: f32):
        %s = arith.mulf %gradient, %rate : f32
        %t = arith.subf %a, %s : f32
        linalg.yield %t : f32
    } -> tensor<3x6xf32>
    %n_w1 = linalg.generic {indexing_maps = [#two, #two, #whole, #two], iterator_types = ["parallel", "parallel"]}
        ins(%w1, %dw1, %lr : tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>) outs(%w1 : tensor<6x8xf32>) {
      ^bb0(%a: f32, %gradient: f32, %rate: f32, %out: f32):
        %s = arith.mulf %gradient, %rate : f32
        %t = arith.subf %a, %s : f32
        linalg.yield %t : f32
    } -> tensor<6x8xf32>
    %n_w2 = linalg.generic {indexing_maps = [#two, #two, #whole, #two], iterator_types = ["parallel", "parallel"]}
        ins(%w2, %dw2, %lr : tensor<8x1xf32>, tensor<8x1xf32>, tensor<f32>) outs(%w2 : tensor<8x1xf32>) {
      ^bb0(%a: f32, %gradient: f32, %rate: f32, %out: f32):
        %s = arith.mulf %gradient, %rate : f32
        %t = arith.subf %a, %s : f32
        linalg.yield %t : f32
    } -> tensor<8x1xf32>
    %n_b = linalg.generic {indexing_maps = [#one, #one, #scalar, #one], iterator_types = ["parallel"]}
        ins(%b, %db, %lr : tensor<1xf32>, tensor<1xf32>, tensor<f32>) outs(%b : tensor<1xf32>) {
      ^bb0(%a: f32, %gradient: f32, %rate: f32, %out: f32):
        %s = arith.mulf %gradient, %rate : f32
        %t = arith.subf %a, %s : f32
        linalg.yield %t : f32
    } -> tensor<1xf32>
    return %n_w0, %n_w1, %n_w2, %n_b, %loss : tensor<3x6xf32>, tensor<6x8xf32>, tensor<8x1xf32>, tensor<1xf32>, tensor<f32>
  }
}

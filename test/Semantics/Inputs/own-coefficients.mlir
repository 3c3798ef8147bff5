// Samples normalised with their own statistics, and parameters whose gradients multiply a sum over the samples by one of these
// statistics and add a decay, all in one operation: the forms in which an addend can stand beside, inside and outside of the
// product. The samples are returned so that a test can compute it again.
#id = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
module {
  func.func @step(%a: tensor<3xf32> {ds.param = "beside", ds.init = "constant(0.5)"},
      %b: tensor<3xf32> {ds.param = "twice", ds.init = "constant(0.25)"},
      %c: tensor<3xf32> {ds.param = "inside", ds.init = "constant(2.0)"},
      %d: tensor<3xf32> {ds.param = "both", ds.init = "constant(1.0)"},
      %e: tensor<3xf32> {ds.param = "chosen", ds.init = "constant(4.0)"},
      %f: tensor<3xf32> {ds.param = "two results", ds.init = "constant(3.0)"},
      %g: tensor<3xf32> {ds.param = "summed", ds.init = "constant(-1.0)"},
      %h: tensor<3xf32> {ds.param = "fused", ds.init = "constant(-2.0)"},
      %v: tensor<3xf32> {ds.param = "statistics", ds.init = "constant(5.0)"},
      %q: tensor<3xf32> {ds.param = "product", ds.init = "constant(6.0)"},
      %kept: tensor<3xf32> {ds.state = "kept"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "beside"}, tensor<3xf32> {ds.updates = "twice"}, tensor<3xf32> {ds.updates = "inside"},
          tensor<3xf32> {ds.updates = "both"}, tensor<3xf32> {ds.updates = "chosen"}, tensor<3xf32> {ds.updates = "two results"},
          tensor<3xf32> {ds.updates = "summed"}, tensor<3xf32> {ds.updates = "fused"}, tensor<3xf32> {ds.updates = "statistics"},
          tensor<3xf32> {ds.updates = "product"}, tensor<3xf32> {ds.updates = "kept"}, tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "samples"}) {
    %share = arith.constant dense<0.0625> : tensor<3xf32>
    %one = arith.constant dense<1.0> : tensor<16x3xf32>
    %small = arith.constant dense<0.25> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %tenth = arith.constant 0.1 : f32
    %half = arith.constant 0.5 : f32
    %zero = arith.constant 0 : index
    %out = tensor.empty() : tensor<3xf32>
    %rows = tensor.empty() : tensor<16x3xf32>
    %all = arith.mulf %x, %x : tensor<16x3xf32>
    %total = linalg.reduce { arith.addf } ins(%all : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    %mean = arith.mulf %total, %share : tensor<3xf32>
    %safe = arith.addf %mean, %small : tensor<3xf32>
    %scale = math.rsqrt %safe : tensor<3xf32>
    %scales = linalg.broadcast ins(%scale : tensor<3xf32>) outs(%rows : tensor<16x3xf32>) dimensions = [0]
    %y = arith.mulf %x, %scales : tensor<16x3xf32>
    %dy = arith.subf %y, %one : tensor<16x3xf32>
    %dx = arith.mulf %dy, %x : tensor<16x3xf32>
    %sum = linalg.reduce { arith.addf } ins(%dx : tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
    // scale * sum + a / 10
    %ga = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %m = arith.mulf %k, %s : f32
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %m, %l : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    // t + t / 2 of t = scale * sum - b / 10
    %gb = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %b : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %m = arith.mulf %k, %s : f32
      %l = arith.mulf %tenth, %w : f32
      %t = arith.subf %m, %l : f32
      %th = arith.mulf %t, %half : f32
      %u = arith.addf %t, %th : f32
      linalg.yield %u : f32
    } -> tensor<3xf32>
    // scale * (sum + c / 10): a factor, which every rank has
    %gc = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %c : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %s, %l : f32
      %m = arith.mulf %k, %t : f32
      linalg.yield %m : f32
    } -> tensor<3xf32>
    // scale * t + t of t = sum + d / 10: the decay of the factor is every rank's, that of the addend counts once
    %gd = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %d : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %s, %l : f32
      %m = arith.mulf %k, %t : f32
      %u = arith.addf %m, %t : f32
      linalg.yield %u : f32
    } -> tensor<3xf32>
    // e / 10 for the first column, and half of scale * sum + e / 10 for the others
    %ge = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %e : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %i = linalg.index 0 : index
      %first = arith.cmpi eq, %i, %zero : index
      %l = arith.mulf %tenth, %w : f32
      %u = scf.if %first -> f32 {
        scf.yield %l : f32
      } else {
        %m = arith.mulf %k, %s : f32
        %t = arith.addf %l, %m : f32
        %th = arith.mulf %t, %half : f32
        scf.yield %th : f32
      }
      linalg.yield %u : f32
    } -> tensor<3xf32>
    // scale * sum + f / 10 is summed, while scale + f / 10 is a statistic, which every rank has whole
    %gf:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %f : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out, %out : tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32, %p: f32):
      %m = arith.mulf %k, %s : f32
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %m, %l : f32
      %u = arith.addf %k, %l : f32
      linalg.yield %t, %u : f32, f32
    } -> (tensor<3xf32>, tensor<3xf32>)
    // The sum over the columns of scale * sum + g / 10, on top of g
    %gg = linalg.generic {indexing_maps = [#column, #column, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%scale, %sum, %g : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%g : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %m = arith.mulf %k, %s : f32
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %m, %l : f32
      %u = arith.addf %o, %t : f32
      linalg.yield %u : f32
    } -> tensor<3xf32>
    // h / 10 + scale * sum by one multiplication and addition
    %gh = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %sum, %h : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %l = arith.mulf %tenth, %w : f32
      %t = math.fma %k, %s, %l : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    // scale * mean + v / 10, both of them statistics
    %gv = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%scale, %mean, %v : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
    ^bb0(%k: f32, %s: f32, %w: f32, %o: f32):
      %m = arith.mulf %k, %s : f32
      %l = arith.mulf %tenth, %w : f32
      %t = arith.addf %m, %l : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    // q times the product over the samples of 1 + x / 10: a factor, which every rank has
    %tenths = arith.constant dense<0.1> : tensor<16x3xf32>
    %tenthOf = arith.mulf %x, %tenths : tensor<16x3xf32>
    %near = arith.addf %tenthOf, %one : tensor<16x3xf32>
    %gq = linalg.reduce { arith.mulf } ins(%near : tensor<16x3xf32>) outs(%q : tensor<3xf32>) dimensions = [0]
    %na = arith.subf %a, %ga : tensor<3xf32>
    %nb = arith.subf %b, %gb : tensor<3xf32>
    %nc = arith.subf %c, %gc : tensor<3xf32>
    %nd = arith.subf %d, %gd : tensor<3xf32>
    %ne = arith.subf %e, %ge : tensor<3xf32>
    %nf = arith.subf %f, %gf#0 : tensor<3xf32>
    %ng = arith.subf %g, %gg : tensor<3xf32>
    %nh = arith.subf %h, %gh : tensor<3xf32>
    %nv = arith.subf %v, %gv : tensor<3xf32>
    %nq = arith.subf %q, %gq : tensor<3xf32>
    return %na, %nb, %nc, %nd, %ne, %nf, %ng, %nh, %nv, %nq, %gf#1, %x : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
        tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<16x3xf32>
  }
}

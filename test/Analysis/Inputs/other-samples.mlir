// Steps that read rows of other samples, so that ranks cannot keep to their own: all samples are gathered for the operand that does.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#row = affine_map<(i, k) -> (i)>
#column = affine_map<(i, k) -> (k)>
#matrix = affine_map<(i, k) -> (i, k)>
#turned = affine_map<(i, k) -> (k, i)>
#diagonal = affine_map<(i) -> (i, i)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#pairs = affine_map<(i, j, k) -> (i, j)>
#scalar = affine_map<(i, j, k) -> ()>
module {
  // h x^T, and its product with the samples: both are divided by the rows of the result.
  func.func @products_of_all_pairs(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %zz = arith.constant dense<0.0> : tensor<16x16xf32>
    %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %x : tensor<16x3xf32>, tensor<16x3xf32>) outs(%zz : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    } -> tensor<16x16xf32>
    %zd = arith.constant dense<0.0> : tensor<16x3xf32>
    %dh = linalg.matmul ins(%l, %x : tensor<16x16xf32>, tensor<16x3xf32>) outs(%zd : tensor<16x3xf32>) -> tensor<16x3xf32>
    %v = linalg.reduce { arith.addf } ins(%dh : tensor<16x3xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The sum over the rows of h x^T is whole on every rank, and sliced.
  func.func @products_of_all_pairs_by_columns(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %zz = arith.constant dense<0.0> : tensor<16x16xf32>
    %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %x : tensor<16x3xf32>, tensor<16x3xf32>) outs(%zz : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    } -> tensor<16x16xf32>
    %v = linalg.reduce { arith.addf } ins(%l : tensor<16x16xf32>) outs(%z : tensor<16xf32>) dimensions = [0]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The rows of one are the columns of the other: ranks exchange them.
  func.func @a_matrix_of_pairs_and_its_transpose(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %zz = arith.constant dense<0.0> : tensor<16x16xf32>
    %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %x : tensor<16x3xf32>, tensor<16x3xf32>) outs(%zz : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    } -> tensor<16x16xf32>
    %ep = tensor.empty() : tensor<16x16xf32>
    %both = linalg.generic {indexing_maps = [#matrix, #turned, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%l, %l : tensor<16x16xf32>, tensor<16x16xf32>) outs(%ep : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.maximumf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<16x16xf32>
    %v = linalg.reduce { arith.addf } ins(%both : tensor<16x16xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The samples in two dimensions of one loop.
  func.func @the_diagonal_of_the_pairs(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %zz = arith.constant dense<0.0> : tensor<16x16xf32>
    %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %x : tensor<16x3xf32>, tensor<16x3xf32>) outs(%zz : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    } -> tensor<16x16xf32>
    %v = linalg.generic {indexing_maps = [#diagonal, #id, #id], iterator_types = ["parallel"]}
        ins(%l, %z : tensor<16x16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The sum of all samples up to one, by a mask of positions: every rank adds its own samples to all sums, and nothing is gathered.
  func.func @prefix_sums(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %h0 = tensor.extract_slice %h[0, 0] [16, 1] [1, 1] : tensor<16x3xf32> to tensor<16xf32>
    %v = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]}
        ins(%h0 : tensor<16xf32>) outs(%z : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %no = arith.constant 0.0 : f32
      %before = arith.cmpi ule, %j, %i : index
      %m = arith.select %before, %a, %no : f32
      %q = arith.addf %o, %m : f32
      linalg.yield %q : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Each sample minus the one that its token names.
  func.func @a_sample_that_data_chooses(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %t0 = tensor.extract_slice %token[0, 0] [16, 1] [1, 1] : tensor<16x2xi32> to tensor<16xi32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t0 : tensor<16xi32>) outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %at = arith.index_cast %t : i32 to index
      %other = tensor.extract %h[%at, %c1] : tensor<16x3xf32>
      %own = tensor.extract %h[%i, %c1] : tensor<16x3xf32>
      %d = arith.subf %other, %own : f32
      linalg.yield %d : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Each sample minus the next; the last minus itself.
  func.func @the_next_sample(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %t0 = tensor.extract_slice %token[0, 0] [16, 1] [1, 1] : tensor<16x2xi32> to tensor<16xi32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t0 : tensor<16xi32>) outs(%e : tensor<16xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %next = arith.addi %i, %c1 : index
      %at = arith.minsi %next, %c15 : index
      %other = tensor.extract %h[%at, %c1] : tensor<16x3xf32>
      %own = tensor.extract %h[%i, %c1] : tensor<16x3xf32>
      %d = arith.subf %other, %own : f32
      linalg.yield %d : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // One number of all pairs: both loops over the samples are reductions.
  func.func @sums_over_all_pairs(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %z0 = arith.constant dense<1.0> : tensor<f32>
    %all = linalg.generic {indexing_maps = [#left, #right, #scalar], iterator_types = ["reduction", "reduction", "reduction"]}
        ins(%h, %x : tensor<16x3xf32>, tensor<16x3xf32>) outs(%z0 : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %m = math.absf %d : f32
      %q = arith.addf %o, %m : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    %v = linalg.broadcast ins(%all : tensor<f32>) outs(%e : tensor<16xf32>) dimensions = [0]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A loop over some of the samples: every rank has their sum.
  func.func @the_first_half_of_the_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %half = tensor.empty() : tensor<8xf32>
    %first = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%half : tensor<8xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %c1 = arith.constant 1 : index
      %a = tensor.extract %h[%i, %c1] : tensor<16x3xf32>
      linalg.yield %a : f32
    } -> tensor<8xf32>
    %all = linalg.reduce { arith.addf } ins(%first : tensor<8xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %v = linalg.broadcast ins(%all : tensor<f32>) outs(%e : tensor<16xf32>) dimensions = [0]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Two times in a loop, and pairs of neighbours, which stay on one rank: the layout is in blocks.
  func.func @all_pairs_in_rounds(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %e3 = tensor.empty() : tensor<16x3xf32>
    %ws = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e3 : tensor<16x3xf32>) dimensions = [0]
    %h = arith.mulf %x, %ws : tensor<16x3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %two = tensor.expand_shape %h [[0, 1], [2]] output_shape [8, 2, 3] : tensor<16x3xf32> into tensor<8x2x3xf32>
    %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %z) -> (tensor<16xf32>) {
      %one = tensor.extract_slice %two[0, %k, 0] [8, 1, 3] [1, 1, 1] : tensor<8x2x3xf32> to tensor<8x3xf32>
      %zr = arith.constant dense<0.0> : tensor<16x8xf32>
      %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %one : tensor<16x3xf32>, tensor<8x3xf32>) outs(%zr : tensor<16x8xf32>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
        %m = arith.mulf %p, %q : f32
        %s = arith.addf %m, %o : f32
        linalg.yield %s : f32
      } -> tensor<16x8xf32>
      %most = linalg.reduce { arith.maximumf } ins(%l : tensor<16x8xf32>) outs(%a : tensor<16xf32>) dimensions = [1]
      scf.yield %most : tensor<16xf32>
    }
    %v = arith.mulf %sum, %sum : tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Pairs within each of two microbatches: the rows of each are divided, rather than all of both computed by every rank, which would gather
  // the samples alone.
  func.func @pairs_of_each_microbatch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.001> : tensor<3xf32>
    %zz = arith.constant dense<0.0> : tensor<8x8xf32>
    %z24 = arith.constant dense<0.0> : tensor<8x24xf32>
    %z = arith.constant dense<0.0> : tensor<8xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %wide = arith.constant dense<0.25> : tensor<3x24xf32>
    %parts = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 8, 3] : tensor<16x3xf32> into tensor<2x8x3xf32>
    %g = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %z3) -> (tensor<3xf32>) {
      %part = tensor.extract_slice %parts[%i, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<8x3xf32>
      %h = linalg.matmul ins(%part, %wide : tensor<8x3xf32>, tensor<3x24xf32>) outs(%z24 : tensor<8x24xf32>) -> tensor<8x24xf32>
      %l = linalg.generic {indexing_maps = [#left, #right, #pairs], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%h, %h : tensor<8x24xf32>, tensor<8x24xf32>) outs(%zz : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %p, %o : f32
        linalg.yield %q : f32
      } -> tensor<8x8xf32>
      %v = linalg.reduce { arith.addf } ins(%l : tensor<8x8xf32>) outs(%z : tensor<8xf32>) dimensions = [1]
      %grad = linalg.vecmat ins(%v, %part : tensor<8xf32>, tensor<8x3xf32>) outs(%sum : tensor<3xf32>) -> tensor<3xf32>
      scf.yield %grad : tensor<3xf32>
    }
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Positions that are a sample's own but for the first and the last: x[max(i, 1)] * x[min(i, B - 2)].
  func.func @own_positions_but_for_the_ends(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %v = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<16xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %c1 = arith.constant 1 : index
      %c14 = arith.constant 14 : index
      %low = arith.maxsi %i, %c1 : index
      %high = arith.minsi %i, %c14 : index
      %a = tensor.extract %x[%low, %c1] : tensor<16x3xf32>
      %b = tensor.extract %x[%high, %c1] : tensor<16x3xf32>
      %d = arith.mulf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// Gathers from a row of the samples at positions that other data gives. Front ends compute the position of the sample itself
// in many ways; whichever it is, a rank reads its own rows. All add up what was gathered times the sample into w.
#id = affine_map<(i) -> (i)>
#matrix = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>
#column = affine_map<(i, k) -> (k)>
#cube = affine_map<(i, k, c) -> (i, k, c)>
module {
  // x[i, token[i, k]] with both positions clamped, the token also if it is negative.
  func.func @clamped_positions(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %picked = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%token : tensor<16x2xi32>) outs(%out : tensor<16x2xf32>) {
    ^bb0(%t: i32, %o: f32):
      %i = linalg.index 0 : index
      %low = arith.maxsi %i, %c0 : index
      %at = arith.minsi %low, %c15 : index
      %wide = arith.index_cast %t : i32 to index
      %atLeast = arith.maxsi %wide, %c0 : index
      %k = arith.minsi %atLeast, %c2 : index
      %v = tensor.extract %x[%at, %k] : tensor<16x3xf32>
      linalg.yield %v : f32
    } -> tensor<16x2xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sums = linalg.reduce { arith.addf } ins(%picked : tensor<16x2xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%sums, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The sample's number, wrapped if negative, stands in a tensor of positions beside the token.
  func.func @positions_beside_those_of_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<16xi32>
    %numbers = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %none = arith.constant 0 : i32
    %samples = arith.constant 16 : i32
    %e1b = tensor.empty() : tensor<16xi32>
    %wrapped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>)
        outs(%e1b : tensor<16xi32>) {
    ^bb0(%n: i32, %o: i32):
      %negative = arith.cmpi slt, %n, %none : i32
      %next = arith.addi %n, %samples : i32
      %p = arith.select %negative, %next, %n : i32
      linalg.yield %p : i32
    } -> tensor<16xi32>
    %e2 = tensor.empty() : tensor<16x2xi32>
    %rows = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%wrapped : tensor<16xi32>) outs(%e2 : tensor<16x2xi32>) {
    ^bb0(%n: i32, %o: i32):
      linalg.yield %n : i32
    } -> tensor<16x2xi32>
    %rows1 = tensor.expand_shape %rows [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %tokens1 = tensor.expand_shape %token [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %places = tensor.concat dim(2) %rows1, %tokens1 : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x2xi32>
    %picked = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]}
        outs(%out : tensor<16x2xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %in = tensor.extract %places[%i, %k, %c0] : tensor<16x2x2xi32>
      %ik = tensor.extract %places[%i, %k, %c1] : tensor<16x2x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %ik : i32 to index
      %li = arith.maxsi %wi, %c0 : index
      %lk = arith.maxsi %wk, %c0 : index
      %pi = arith.minsi %li, %c15 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%pi, %pk] : tensor<16x3xf32>
      linalg.yield %v : f32
    } -> tensor<16x2xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sums = linalg.reduce { arith.addf } ins(%picked : tensor<16x2xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%sums, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // x[:, [2, 0]] by a tensor of positions, the same columns for every sample.
  func.func @positions_beside_those_of_all(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<16xi32>
    %numbers = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %none = arith.constant 0 : i32
    %samples = arith.constant 16 : i32
    %e1b = tensor.empty() : tensor<16xi32>
    %wrapped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>)
        outs(%e1b : tensor<16xi32>) {
    ^bb0(%n: i32, %o: i32):
      %negative = arith.cmpi slt, %n, %none : i32
      %next = arith.addi %n, %samples : i32
      %p = arith.select %negative, %next, %n : i32
      linalg.yield %p : i32
    } -> tensor<16xi32>
    %e2 = tensor.empty() : tensor<16x2xi32>
    %rows = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%wrapped : tensor<16xi32>) outs(%e2 : tensor<16x2xi32>) {
    ^bb0(%n: i32, %o: i32):
      linalg.yield %n : i32
    } -> tensor<16x2xi32>
    %rows1 = tensor.expand_shape %rows [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %chosen = arith.constant dense<[2, 0]> : tensor<2xi32>
    %everywhere = linalg.broadcast ins(%chosen : tensor<2xi32>) outs(%e2 : tensor<16x2xi32>) dimensions = [0]
    %chosen1 = tensor.expand_shape %everywhere [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %places = tensor.concat dim(2) %rows1, %chosen1 : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x2xi32>
    %picked = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]}
        outs(%out : tensor<16x2xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %in = tensor.extract %places[%i, %k, %c0] : tensor<16x2x2xi32>
      %ik = tensor.extract %places[%i, %k, %c1] : tensor<16x2x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %ik : i32 to index
      %li = arith.maxsi %wi, %c0 : index
      %lk = arith.maxsi %wk, %c0 : index
      %pi = arith.minsi %li, %c15 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%pi, %pk] : tensor<16x3xf32>
      linalg.yield %v : f32
    } -> tensor<16x2xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sums = linalg.reduce { arith.addf } ins(%picked : tensor<16x2xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%sums, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The samples' numbers are a constant.
  func.func @positions_of_a_constant(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %wrapped = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
    %e2 = tensor.empty() : tensor<16x2xi32>
    %rows = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%wrapped : tensor<16xi32>) outs(%e2 : tensor<16x2xi32>) {
    ^bb0(%n: i32, %o: i32):
      linalg.yield %n : i32
    } -> tensor<16x2xi32>
    %rows1 = tensor.expand_shape %rows [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %tokens1 = tensor.expand_shape %token [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %places = tensor.concat dim(2) %rows1, %tokens1 : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x2xi32>
    %picked = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]}
        outs(%out : tensor<16x2xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %in = tensor.extract %places[%i, %k, %c0] : tensor<16x2x2xi32>
      %ik = tensor.extract %places[%i, %k, %c1] : tensor<16x2x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %ik : i32 to index
      %li = arith.maxsi %wi, %c0 : index
      %lk = arith.maxsi %wk, %c0 : index
      %pi = arith.minsi %li, %c15 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%pi, %pk] : tensor<16x3xf32>
      linalg.yield %v : f32
    } -> tensor<16x2xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sums = linalg.reduce { arith.addf } ins(%picked : tensor<16x2xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%sums, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The tensor of positions is put together in the body, by cases that a constant decides.
  func.func @positions_by_halves(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<16xi32>
    %numbers = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %picked = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]}
        outs(%out : tensor<16x2xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %isFirst = arith.cmpi ult, %c0, %c1 : index
      %in = scf.if %isFirst -> i32 {
        %n = tensor.extract %numbers[%i] : tensor<16xi32>
        scf.yield %n : i32
      } else {
        %t = tensor.extract %token[%i, %k] : tensor<16x2xi32>
        scf.yield %t : i32
      }
      %t = tensor.extract %token[%i, %k] : tensor<16x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %t : i32 to index
      %lk = arith.maxsi %wk, %c0 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%wi, %pk] : tensor<16x3xf32>
      linalg.yield %v : f32
    } -> tensor<16x2xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %sums = linalg.reduce { arith.addf } ins(%picked : tensor<16x2xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %g = linalg.vecmat ins(%sums, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The gather and the sum over the batch are one operation.
  func.func @gather_inside_of_the_sum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<16xi32>
    %numbers = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %none = arith.constant 0 : i32
    %samples = arith.constant 16 : i32
    %e1b = tensor.empty() : tensor<16xi32>
    %wrapped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>)
        outs(%e1b : tensor<16xi32>) {
    ^bb0(%n: i32, %o: i32):
      %negative = arith.cmpi slt, %n, %none : i32
      %next = arith.addi %n, %samples : i32
      %p = arith.select %negative, %next, %n : i32
      linalg.yield %p : i32
    } -> tensor<16xi32>
    %e2 = tensor.empty() : tensor<16x2xi32>
    %rows = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%wrapped : tensor<16xi32>) outs(%e2 : tensor<16x2xi32>) {
    ^bb0(%n: i32, %o: i32):
      linalg.yield %n : i32
    } -> tensor<16x2xi32>
    %rows1 = tensor.expand_shape %rows [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %tokens1 = tensor.expand_shape %token [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %places = tensor.concat dim(2) %rows1, %tokens1 : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x2xi32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %shape = tensor.empty() : tensor<16x2x3xf32>
    %g = linalg.generic {indexing_maps = [#cube, affine_map<(i, k, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]}
        ins(%shape : tensor<16x2x3xf32>) outs(%z3 : tensor<3xf32>) {
    ^bb0(%e: f32, %o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %c = linalg.index 2 : index
      %in = tensor.extract %places[%i, %k, %c0] : tensor<16x2x2xi32>
      %ik = tensor.extract %places[%i, %k, %c1] : tensor<16x2x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %ik : i32 to index
      %li = arith.maxsi %wi, %c0 : index
      %lk = arith.maxsi %wk, %c0 : index
      %pi = arith.minsi %li, %c15 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%pi, %pk] : tensor<16x3xf32>
      %q = tensor.extract %x[%i, %c] : tensor<16x3xf32>
      %m = arith.mulf %v, %q : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // So, with positions that every rank has whole.
  func.func @gather_of_all_inside_of_the_sum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %out = tensor.empty() : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<16xi32>
    %numbers = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e1 : tensor<16xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    } -> tensor<16xi32>
    %none = arith.constant 0 : i32
    %samples = arith.constant 16 : i32
    %e1b = tensor.empty() : tensor<16xi32>
    %wrapped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>)
        outs(%e1b : tensor<16xi32>) {
    ^bb0(%n: i32, %o: i32):
      %negative = arith.cmpi slt, %n, %none : i32
      %next = arith.addi %n, %samples : i32
      %p = arith.select %negative, %next, %n : i32
      linalg.yield %p : i32
    } -> tensor<16xi32>
    %e2 = tensor.empty() : tensor<16x2xi32>
    %rows = linalg.generic {indexing_maps = [#row, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%wrapped : tensor<16xi32>) outs(%e2 : tensor<16x2xi32>) {
    ^bb0(%n: i32, %o: i32):
      linalg.yield %n : i32
    } -> tensor<16x2xi32>
    %rows1 = tensor.expand_shape %rows [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %chosen = arith.constant dense<[2, 0]> : tensor<2xi32>
    %everywhere = linalg.broadcast ins(%chosen : tensor<2xi32>) outs(%e2 : tensor<16x2xi32>) dimensions = [0]
    %chosen1 = tensor.expand_shape %everywhere [[0], [1, 2]] output_shape [16, 2, 1] : tensor<16x2xi32> into tensor<16x2x1xi32>
    %places = tensor.concat dim(2) %rows1, %chosen1 : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x2xi32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %shape = tensor.empty() : tensor<16x2x3xf32>
    %g = linalg.generic {indexing_maps = [#cube, affine_map<(i, k, c) -> (c)>], iterator_types = ["reduction", "reduction", "parallel"]}
        ins(%shape : tensor<16x2x3xf32>) outs(%z3 : tensor<3xf32>) {
    ^bb0(%e: f32, %o: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %c = linalg.index 2 : index
      %in = tensor.extract %places[%i, %k, %c0] : tensor<16x2x2xi32>
      %ik = tensor.extract %places[%i, %k, %c1] : tensor<16x2x2xi32>
      %wi = arith.index_cast %in : i32 to index
      %wk = arith.index_cast %ik : i32 to index
      %li = arith.maxsi %wi, %c0 : index
      %lk = arith.maxsi %wk, %c0 : index
      %pi = arith.minsi %li, %c15 : index
      %pk = arith.minsi %lk, %c2 : index
      %v = tensor.extract %x[%pi, %pk] : tensor<16x3xf32>
      %q = tensor.extract %x[%i, %c] : tensor<16x3xf32>
      %m = arith.mulf %v, %q : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

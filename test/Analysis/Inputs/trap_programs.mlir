// Small steps, each one thing that a step can do to its batch. All train w from x on 16 samples.
#all = affine_map<(b, i) -> (b, i)>
#feature = affine_map<(b, i) -> (i)>
#sample = affine_map<(b, i) -> (b)>
module {
  func.func private @sgd(%w: tensor<3xf32>, %g: tensor<3xf32>) -> tensor<3xf32> {
    %rate = arith.constant 0.01 : f32
    %new = linalg.map ins(%w, %g : tensor<3xf32>, tensor<3xf32>) outs(%w : tensor<3xf32>)
      (%a: f32, %b: f32, %o: f32) {
        %s = arith.mulf %b, %rate : f32
        %n = arith.subf %a, %s : f32
        linalg.yield %n : f32
      }
    return %new : tensor<3xf32>
  }
  func.func private @total(%y: tensor<16x3xf32>) -> tensor<3xf32> {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %g = linalg.reduce { arith.addf } ins(%y : tensor<16x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    return %g : tensor<3xf32>
  }
  // w - x, for every sample.
  func.func private @residual(%w: tensor<3xf32>, %x: tensor<16x3xf32>) -> tensor<16x3xf32> {
    %e = tensor.empty() : tensor<16x3xf32>
    %r = linalg.generic {indexing_maps = [#feature, #all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%w, %x : tensor<3xf32>, tensor<16x3xf32>) outs(%e : tensor<16x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<16x3xf32>
    return %r : tensor<16x3xf32>
  }

  // An init that is one everywhere counts once.
  func.func @sum_from_one(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %ones = arith.constant dense<1.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %g = linalg.reduce { arith.addf } ins(%r : tensor<16x3xf32>) outs(%ones : tensor<3xf32>) dimensions = [0]
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  func.func @minimum_over_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %high = arith.constant dense<0x7F800000> : tensor<3xf32>
    %least = linalg.reduce { arith.minimumf } ins(%x : tensor<16x3xf32>) outs(%high : tensor<3xf32>) dimensions = [0]
    %r = call @residual(%least, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %g = call @total(%r) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A product that starts at the parameter takes it once.
  func.func @product_over_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %e = tensor.empty() : tensor<16x3xf32>
    %near = linalg.map { math.tanh } ins(%x : tensor<16x3xf32>) outs(%e : tensor<16x3xf32>)
    %one = arith.constant dense<1.5> : tensor<16x3xf32>
    %factor = linalg.map { arith.addf } ins(%near, %one : tensor<16x3xf32>, tensor<16x3xf32>) outs(%e : tensor<16x3xf32>)
    %product = linalg.reduce { arith.mulf } ins(%factor : tensor<16x3xf32>) outs(%w : tensor<3xf32>) dimensions = [0]
    %e3 = tensor.empty() : tensor<3xf32>
    %g = linalg.map { math.tanh } ins(%product : tensor<3xf32>) outs(%e3 : tensor<3xf32>)
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The largest value so far is a state.
  func.func @running_maximum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %m: tensor<3xf32> {ds.state = "m"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "m"}) {
    %most = linalg.reduce { arith.maximumf } ins(%x : tensor<16x3xf32>) outs(%m : tensor<3xf32>) dimensions = [0]
    %r = call @residual(%most, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %g = call @total(%r) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new, %most : tensor<3xf32>, tensor<3xf32>
  }

  // The batch and its residuals side by side are one batch of twice the size.
  func.func @two_batches_in_one(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %both = tensor.concat dim(0) %x, %r : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<32x3xf32>
    %e = tensor.empty() : tensor<32x3xf32>
    %t = linalg.map { math.tanh } ins(%both : tensor<32x3xf32>) outs(%e : tensor<32x3xf32>)
    %g = linalg.reduce { arith.addf } ins(%t : tensor<32x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Neighbours are compared: they must lie on one rank.
  func.func @pairs_of_neighbours(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %pairs = tensor.expand_shape %r [[0, 1], [2]] output_shape [8, 2, 3] : tensor<16x3xf32> into tensor<8x2x3xf32>
    %one = tensor.extract_slice %pairs[0, 0, 0] [8, 1, 3] [1, 1, 1] : tensor<8x2x3xf32> to tensor<8x3xf32>
    %other = tensor.extract_slice %pairs[0, 1, 0] [8, 1, 3] [1, 1, 1] : tensor<8x2x3xf32> to tensor<8x3xf32>
    %e = tensor.empty() : tensor<8x3xf32>
    %p = linalg.map { arith.mulf } ins(%one, %other : tensor<8x3xf32>, tensor<8x3xf32>) outs(%e : tensor<8x3xf32>)
    %g = linalg.reduce { arith.addf } ins(%p : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Rows of padding are samples like any other.
  func.func @padded_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %two = arith.constant 2.0 : f32
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %padded = tensor.pad %r low[16, 0] high[0, 0] {
    ^bb0(%b: index, %i: index):
      tensor.yield %two : f32
    } : tensor<16x3xf32> to tensor<32x3xf32>
    %e = tensor.empty() : tensor<32x3xf32>
    %t = linalg.map { math.tanh } ins(%padded : tensor<32x3xf32>) outs(%e : tensor<32x3xf32>)
    %g = linalg.reduce { arith.addf } ins(%t : tensor<32x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A chain of products that is linear in the sum over the batch: the small end travels.
  func.func @low_rank_chain(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3x3xf32>
    %zero1 = arith.constant dense<0.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<3x16xf32>
    %xt = linalg.transpose ins(%x : tensor<16x3xf32>) outs(%e : tensor<3x16xf32>) permutation = [1, 0]
    %dw = linalg.matmul ins(%xt, %x : tensor<3x16xf32>, tensor<16x3xf32>) outs(%zero : tensor<3x3xf32>) -> tensor<3x3xf32>
    %g = linalg.matvec ins(%dw, %w : tensor<3x3xf32>, tensor<3xf32>) outs(%zero1 : tensor<3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // x[b, y[b]]: each sample reads itself at a position of its own.
  func.func @entry_at_the_label(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %e = tensor.empty() : tensor<16xf32>
    %picked = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>], iterator_types = ["parallel"]}
        outs(%e : tensor<16xf32>) {
    ^bb0(%o: f32):
      %b = linalg.index 0 : index
      %low = arith.maxsi %b, %c0 : index
      %row = arith.minsi %low, %c15 : index
      %first = tensor.extract %x[%row, %c0] : tensor<16x3xf32>
      %integer = arith.fptosi %first : f32 to i32
      %label = arith.index_cast %integer : i32 to index
      %least = arith.maxsi %label, %c0 : index
      %column = arith.minsi %least, %c2 : index
      %entry = tensor.extract %r[%row, %column] : tensor<16x3xf32>
      linalg.yield %entry : f32
    } -> tensor<16xf32>
    %g = linalg.generic {indexing_maps = [#sample, #all, #feature], iterator_types = ["reduction", "parallel"]}
        ins(%picked, %r : tensor<16xf32>, tensor<16x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %v: f32, %o: f32):
      %p = arith.mulf %a, %v : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Features first, then flattened: the batch is the minor dimension.
  func.func @time_major_flatten(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %et = tensor.empty() : tensor<3x16xf32>
    %t = linalg.transpose ins(%r : tensor<16x3xf32>) outs(%et : tensor<3x16xf32>) permutation = [1, 0]
    %flat = tensor.collapse_shape %t [[0, 1]] : tensor<3x16xf32> into tensor<48xf32>
    %e = tensor.empty() : tensor<48xf32>
    %weighted = linalg.generic {indexing_maps = [affine_map<(p) -> (p)>, affine_map<(p) -> (p)>], iterator_types = ["parallel"]}
        ins(%flat : tensor<48xf32>) outs(%e : tensor<48xf32>) {
    ^bb0(%a: f32, %o: f32):
      %p = linalg.index 0 : index
      %i = arith.index_cast %p : index to i32
      %f = arith.sitofp %i : i32 to f32
      %y = arith.mulf %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<48xf32>
    %back = tensor.expand_shape %weighted [[0, 1]] output_shape [3, 16] : tensor<48xf32> into tensor<3x16xf32>
    %g = linalg.reduce { arith.addf } ins(%back : tensor<3x16xf32>) outs(%zero : tensor<3xf32>) dimensions = [1]
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // sum over (g + w) in one body: the parameter counts once.
  func.func @sum_of_gradient_and_parameter(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %g = call @total(%r) : (tensor<16x3xf32>) -> tensor<3xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                         iterator_types = ["reduction"]}
        ins(%g, %w : tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = arith.addf %a, %b : f32
      %u = arith.addf %o, %t : f32
      linalg.yield %u : f32
    } -> tensor<f32>
    %e = tensor.empty() : tensor<3xf32>
    %each = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<3xf32>) dimensions = [0]
    %new = call @sgd(%w, %each) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // An init that holds samples is data like an input.
  func.func @init_holds_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %y = linalg.generic {indexing_maps = [#feature, #all], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<3xf32>) outs(%r : tensor<16x3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %p = arith.mulf %a, %o : f32
      linalg.yield %p : f32
    } -> tensor<16x3xf32>
    %g = call @total(%y) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Microbatches of 8, in which neighbours are compared.
  func.func @pairs_inside_accumulation(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %micro = tensor.expand_shape %r [[0, 1], [2]] output_shape [2, 8, 3] : tensor<16x3xf32> into tensor<2x8x3xf32>
    %g = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (tensor<3xf32>) {
      %part = tensor.extract_slice %micro[%k, 0, 0] [1, 8, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<8x3xf32>
      %pairs = tensor.expand_shape %part [[0, 1], [2]] output_shape [4, 2, 3] : tensor<8x3xf32> into tensor<4x2x3xf32>
      %one = tensor.extract_slice %pairs[0, 0, 0] [4, 1, 3] [1, 1, 1] : tensor<4x2x3xf32> to tensor<4x3xf32>
      %other = tensor.extract_slice %pairs[0, 1, 0] [4, 1, 3] [1, 1, 1] : tensor<4x2x3xf32> to tensor<4x3xf32>
      %e = tensor.empty() : tensor<4x3xf32>
      %p = linalg.map { arith.mulf } ins(%one, %other : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>)
      %more = linalg.reduce { arith.addf } ins(%p : tensor<4x3xf32>) outs(%sum : tensor<3xf32>) dimensions = [0]
      scf.yield %more : tensor<3xf32>
    }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Every sample against every other, as contrastive losses do.
  func.func @products_of_all_pairs(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %zero3 = arith.constant dense<0.0> : tensor<16x3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %et = tensor.empty() : tensor<3x16xf32>
    %rt = linalg.transpose ins(%r : tensor<16x3xf32>) outs(%et : tensor<3x16xf32>) permutation = [1, 0]
    %s = linalg.matmul ins(%r, %rt : tensor<16x3xf32>, tensor<3x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
    %e = tensor.empty() : tensor<16x16xf32>
    %t = linalg.map { math.tanh } ins(%s : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>)
    %y = linalg.matmul ins(%t, %r : tensor<16x16xf32>, tensor<16x3xf32>) outs(%zero3 : tensor<16x3xf32>) -> tensor<16x3xf32>
    %g = call @total(%y) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // x[15 - b]: a sample reads another one.
  func.func @sample_of_another_rank(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c15 = arith.constant 15 : index
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %e = tensor.empty() : tensor<16x3xf32>
    %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%r : tensor<16x3xf32>) outs(%e : tensor<16x3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %partner = arith.subi %c15, %b : index
      %v = tensor.extract %r[%partner, %i] : tensor<16x3xf32>
      %h = arith.constant 0.5 : f32
      %half = arith.mulf %v, %h : f32
      %p = arith.mulf %a, %half : f32
      %t = math.tanh %p : f32
      linalg.yield %t : f32
    } -> tensor<16x3xf32>
    %g = call @total(%y) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Which sample is the largest, per feature: value and position together are no reduction of ours.
  func.func @argmax_over_the_batch(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %low = arith.constant dense<0xFF800000> : tensor<3xf32>
    %none = arith.constant dense<0> : tensor<3xi32>
    %most:2 = linalg.generic {indexing_maps = [#all, #feature, #feature], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<16x3xf32>) outs(%low, %none : tensor<3xf32>, tensor<3xi32>) {
    ^bb0(%a: f32, %m: f32, %at: i32):
      %b = linalg.index 0 : index
      %here = arith.index_cast %b : index to i32
      %more = arith.cmpf ogt, %a, %m : f32
      %value = arith.select %more, %a, %m : f32
      %place = arith.select %more, %here, %at : i32
      linalg.yield %value, %place : f32, i32
    } -> (tensor<3xf32>, tensor<3xi32>)
    %e = tensor.empty() : tensor<3xf32>
    %g = linalg.map ins(%most#1 : tensor<3xi32>) outs(%e : tensor<3xf32>)
      (%p: i32, %o: f32) {
        %f = arith.sitofp %p : i32 to f32
        linalg.yield %f : f32
      }
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Each sample takes in all before it.
  func.func @prefix_sum(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %start = arith.constant dense<0.0> : tensor<3xf32>
    %r = call @residual(%w, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %e = tensor.empty() : tensor<16x3xf32>
    %sums:2 = scf.for %b = %c0 to %c16 step %c1 iter_args(%sofar = %start, %rows = %e) -> (tensor<3xf32>, tensor<16x3xf32>) {
      %row = tensor.extract_slice %r[%b, 0] [1, 3] [1, 1] : tensor<16x3xf32> to tensor<3xf32>
      %e3 = tensor.empty() : tensor<3xf32>
      %next = linalg.map { arith.addf } ins(%sofar, %row : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>)
      %written = tensor.insert_slice %next into %rows[%b, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<16x3xf32>
      scf.yield %next, %written : tensor<3xf32>, tensor<16x3xf32>
    }
    %t = linalg.map { math.tanh } ins(%sums#1 : tensor<16x3xf32>) outs(%e : tensor<16x3xf32>)
    %g = call @total(%t) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // All samples against the first one.
  func.func @first_sample_only(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %first = tensor.extract_slice %x[0, 0] [1, 3] [1, 1] : tensor<16x3xf32> to tensor<3xf32>
    %r = call @residual(%first, %x) : (tensor<3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %e = tensor.empty() : tensor<16x3xf32>
    %t = linalg.map { math.tanh } ins(%r : tensor<16x3xf32>) outs(%e : tensor<16x3xf32>)
    %g = call @total(%t) : (tensor<16x3xf32>) -> tensor<3xf32>
    %new = call @sgd(%w, %g) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

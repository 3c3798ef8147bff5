// Steps with an operation that cannot be divided among the samples: every rank runs it on all of them.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#position = affine_map<(i, k) -> (i)>
#window = affine_map<(i, k) -> (i + k)>
#kernel = affine_map<(i, k) -> (k)>
module {
  // The first sample is subtracted from all.
  func.func @the_first_sample(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %first = tensor.extract %h[%c0] : tensor<16xf32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%h : tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %d = arith.subf %a, %first : f32
      linalg.yield %d : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // The position of the largest sample: a reduction of two values.
  func.func @the_largest_sample(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %low = arith.constant dense<-1000.0> : tensor<f32>
    %at0 = arith.constant dense<0.0> : tensor<f32>
    %most:2 = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]} ins(%h : tensor<16xf32>)
        outs(%low, %at0 : tensor<f32>, tensor<f32>) {
    ^bb0(%a: f32, %m: f32, %p: f32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      %more = arith.cmpf ogt, %a, %m : f32
      %new = arith.select %more, %a, %m : f32
      %at = arith.select %more, %f, %p : f32
      linalg.yield %new, %at : f32, f32
    } -> (tensor<f32>, tensor<f32>)
    %v = linalg.broadcast ins(%most#1 : tensor<f32>) outs(%e : tensor<16xf32>) dimensions = [0]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Three samples of sixteen, which no rank holds alone.
  func.func @three_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %three = tensor.extract_slice %h[2] [3] [1] : tensor<16xf32> to tensor<3xf32>
    %z0 = arith.constant dense<0.0> : tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%three : tensor<3xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %v = linalg.broadcast ins(%sum : tensor<f32>) outs(%e : tensor<16xf32>) dimensions = [0]
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // A row before the samples, and a window over them: the difference to the sample before.
  func.func @a_row_before_the_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %one = tensor.extract_slice %w[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
    %more = tensor.concat dim(0) %one, %h : (tensor<1xf32>, tensor<16xf32>) -> tensor<17xf32>
    %kernel = arith.constant dense<[-1.0, 1.0]> : tensor<2xf32>
    %v = linalg.generic {indexing_maps = [#window, #kernel, #position], iterator_types = ["parallel", "reduction"]}
        ins(%more, %kernel : tensor<17xf32>, tensor<2xf32>) outs(%z : tensor<16xf32>) {
    ^bb0(%a: f32, %k: f32, %o: f32):
      %p = arith.mulf %a, %k : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // One sample is replaced by another value.
  func.func @one_sample_is_overwritten(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %one = tensor.extract_slice %w[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
    %v = tensor.insert_slice %one into %h[5] [1] [1] : tensor<1xf32> into tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Sums of neighbours: the samples are padded by one on both sides.
  func.func @a_window_over_the_samples(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %p0 = arith.constant 0.0 : f32
    %padded = tensor.pad %h low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %p0 : f32
    } : tensor<16xf32> to tensor<18xf32>
    %kernel = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %v = linalg.conv_1d ins(%padded, %kernel : tensor<18xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // Halves of the batch and pairs of neighbours: no layout serves both. A sum of two orders of samples.
  func.func @samples_in_two_orders(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<16xf32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %halves = tensor.expand_shape %h [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
    %et = tensor.empty() : tensor<8x2xf32>
    %turned = linalg.transpose ins(%halves : tensor<2x8xf32>) outs(%et : tensor<8x2xf32>) permutation = [1, 0]
    %mixed = tensor.collapse_shape %turned [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %v = arith.subf %mixed, %h : tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }

  // No rule says where a reshape to a shape that is data puts the samples.
  func.func @an_operation_without_a_rule(%w: tensor<3xf32> {ds.param = "w", ds.init = "normal(0.5)"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %rate = arith.constant dense<0.01> : tensor<3xf32>
    %z = arith.constant dense<0.0> : tensor<16xf32>
    %z4 = arith.constant dense<0.0> : tensor<4xf32>
    %z3 = arith.constant dense<0.0> : tensor<3xf32>
    %square = arith.constant dense<4> : tensor<2xi32>
    %flat = arith.constant dense<16> : tensor<1xi32>
    %h = linalg.matvec ins(%x, %w : tensor<16x3xf32>, tensor<3xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
    %m = tensor.reshape %h(%square) : (tensor<16xf32>, tensor<2xi32>) -> tensor<4x4xf32>
    %c = linalg.reduce { arith.addf } ins(%m : tensor<4x4xf32>) outs(%z4 : tensor<4xf32>) dimensions = [0]
    %e = tensor.empty() : tensor<4x4xf32>
    %b = linalg.broadcast ins(%c : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
    %d = arith.mulf %m, %b : tensor<4x4xf32>
    %v = tensor.reshape %d(%flat) : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<16xf32>
    %g = linalg.vecmat ins(%v, %x : tensor<16xf32>, tensor<16x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
    %s = arith.mulf %g, %rate : tensor<3xf32>
    %new = arith.subf %w, %s : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// One step for each operation that upstream defines by others. 'wrong' is what the operation and the same, written by
// hand, differ by.

#id1 = affine_map<(a) -> (a)>
#id2 = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#sum = affine_map<(a, b) -> ()>

func.func private @update(%w: tensor<4xf32>, %r: tensor<8x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %rate = arith.constant dense<0.01> : tensor<4xf32>
  %g = linalg.reduce { arith.addf } ins(%r : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
  %d = arith.mulf %g, %rate : tensor<4xf32>
  %n = arith.subf %w, %d : tensor<4xf32>
  return %n : tensor<4xf32>
}

func.func private @differ(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %m = linalg.generic {indexing_maps = [#id2, #id2, #sum], iterator_types = ["reduction", "reduction"]}
      ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %s = math.absf %d : f32
    %n = arith.addf %s, %o : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}

func.func @softmax(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %h = arith.mulf %x, %b : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%h : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = math.exp %h : tensor<8x4xf32>
  %s = linalg.reduce { arith.addf } ins(%p : tensor<8x4xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %q = linalg.broadcast ins(%s : tensor<8xf32>) outs(%e : tensor<8x4xf32>) dimensions = [1]
  %t = arith.divf %p, %q : tensor<8x4xf32>
  %wrong = call @differ(%r, %t) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %r) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

func.func @gather(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"},
    %t: tensor<4x4xf32> {ds.param = "t", ds.init = "normal(0.5)"}, %i: tensor<8xi32> {ds.batch = 0, ds.name = "i"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates = "t"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %at = tensor.expand_shape %i [[0, 1]] output_shape [8, 1] : tensor<8xi32> into tensor<8x1xi32>
  %r = tensor.gather %t[%at] gather_dims([0]) : (tensor<4x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %s = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xi32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%k: i32, %o: f32):
    %a = arith.index_cast %k : i32 to index
    %b = linalg.index 1 : index
    %v = tensor.extract %t[%a, %b] : tensor<4x4xf32>
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  %wrong = func.call @differ(%r, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %m = arith.mulf %r, %x : tensor<8x4xf32>
  %n = func.call @update(%w, %m) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %t, %wrong : tensor<4xf32>, tensor<4x4xf32>, tensor<f32>
}

// With coordinates along two dimensions that stay as 1, of all samples' rows.
func.func @scatter(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %zeros = arith.constant dense<0.0> : tensor<8x4xf32>
  %at = arith.constant dense<[[0, 3], [1, 2], [2, 1], [3, 0]]> : tensor<4x2xi32>
  %p = tensor.extract_slice %x[0, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
  %q = tensor.expand_shape %p [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %r = tensor.scatter %q into %zeros[%at] scatter_dims([0, 1]) unique
      : (tensor<4x1x1xf32>, tensor<8x4xf32>, tensor<4x2xi32>) -> tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %s = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x4xf32>) {
  ^bb0(%o: f32):
    %zero = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %sum = arith.addi %a, %b : index
    %is = arith.cmpi eq, %sum, %c3 : index
    %v = tensor.extract %x[%a, %c0] : tensor<8x4xf32>
    %k = arith.select %is, %v, %zero : f32
    linalg.yield %k : f32
  } -> tensor<8x4xf32>
  %wrong = call @differ(%r, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %r) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

// Exponents that are constants, and -2 to 8.
func.func @ipowi(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %bases = arith.constant dense<[-1, 1, -3, 2]> : tensor<4xi32>
  %exponents = arith.constant dense<[-2, -1, 0, 1, 2, 3, 5, 8]> : tensor<8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (b)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%exponents, %bases : tensor<8xi32>, tensor<4xi32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%n: i32, %b: i32, %o: f32):
    %p = math.ipowi %b, %n : i32
    %c3 = arith.constant 3 : i32
    %cube = math.ipowi %b, %c3 : i32
    %minus = arith.constant -3 : i32
    %inverse = math.ipowi %b, %minus : i32
    %s = arith.addi %p, %cube : i32
    %t = arith.addi %s, %inverse : i32
    %f = arith.sitofp %t : i32 to f32
    linalg.yield %f : f32
  } -> tensor<8x4xf32>
  %powers = arith.constant dense<[[1.0, 1.0, 0.0, 0.0], [-1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [-1.0, 1.0, -3.0, 2.0], [1.0, 1.0, 9.0, 4.0],
      [-1.0, 1.0, -27.0, 8.0], [-1.0, 1.0, -243.0, 32.0], [1.0, 1.0, 6561.0, 256.0]]> : tensor<8x4xf32>
  %more = arith.constant dense<[-2.0, 2.0, -27.0, 8.0]> : tensor<4xf32>
  %all = linalg.broadcast ins(%more : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %want = arith.addf %powers, %all : tensor<8x4xf32>
  %wrong = call @differ(%r, %want) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %x) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

ml_program.global private @twos(dense<2.0> : tensor<8x4xf32>) : tensor<8x4xf32>

func.func @global(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %twos = ml_program.global_load_const @twos : tensor<8x4xf32>
  %r = arith.mulf %x, %twos : tensor<8x4xf32>
  %s = arith.addf %x, %x : tensor<8x4xf32>
  %wrong = call @differ(%r, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %r) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

// The real part of exp(x + i) times -i, or of its conjugate.
func.func @complex(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.map ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) (%a: f32, %o: f32) {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %c = complex.create %a, %one : complex<f32>
    %p = complex.exp %c : complex<f32>
    %j = complex.constant [0.0 : f32, -1.0 : f32] : complex<f32>
    %q = complex.mul %p, %j : complex<f32>
    %k = complex.conj %q : complex<f32>
    %is = arith.cmpf ogt, %a, %half : f32
    %z = arith.select %is, %q, %k : complex<f32>
    %re = complex.re %z : complex<f32>
    linalg.yield %re : f32
  }
  %s = linalg.map ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) (%a: f32, %o: f32) {
    %one = arith.constant 1.0 : f32
    %p = math.exp %a : f32
    %q = math.sin %one : f32
    %z = arith.mulf %p, %q : f32
    linalg.yield %z : f32
  }
  %wrong = call @differ(%r, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %r) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

// Integers to 8 have all their digits in each of the types, as values of a tensor, too.
func.func @small_floats(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %e = tensor.empty() : tensor<8x4xf32>
  %s = linalg.map ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) (%a: f32, %o: f32) {
    %eight = arith.constant 8.0 : f32
    %b = arith.mulf %a, %eight : f32
    %c = math.floor %b : f32
    linalg.yield %c : f32
  }
  %n3 = arith.truncf %s : tensor<8x4xf32> to tensor<8x4xf8E3M4>
  %n4 = arith.truncf %s : tensor<8x4xf32> to tensor<8x4xf8E4M3FN>
  %t3 = arith.extf %n3 : tensor<8x4xf8E3M4> to tensor<8x4xf32>
  %t4 = arith.extf %n4 : tensor<8x4xf8E4M3FN> to tensor<8x4xf32>
  %r = arith.maximumf %t3, %t4 : tensor<8x4xf32>
  %wrong = call @differ(%r, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %r) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

func.func @allocations(%w: tensor<4xf32> {ds.param = "w", ds.init = "normal(0.5)"}, %x: tensor<8x4xf32> {ds.batch = 0, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "wrong", ds.reduce = "max"}) {
  %a = bufferization.alloc_tensor() : tensor<8x4xf32>
  %r = linalg.add ins(%x, %x : tensor<8x4xf32>, tensor<8x4xf32>) outs(%a : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = bufferization.alloc_tensor() copy(%r) : tensor<8x4xf32>
  %m = bufferization.materialize_in_destination %c in %a : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = arith.addf %x, %x : tensor<8x4xf32>
  %wrong = call @differ(%m, %s) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = call @update(%w, %m) : (tensor<4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return %n, %wrong : tensor<4xf32>, tensor<f32>
}

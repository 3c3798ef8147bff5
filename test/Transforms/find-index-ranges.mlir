// The integers of the data that a step can index with.

// RUN: ds-opt %s --split-input-file --ds-find-index-ranges | FileCheck %s

// A table is read at the data.
// CHECK-LABEL: @gather
// CHECK-SAME: ds.index_range = array<i64: 0, 10>
func.func @gather(%table: tensor<10x4xf32> {ds.param = "table"}, %tokens: tensor<8x3xi32> {ds.batch = 0 : i64}) -> tensor<24x4xf32> {
  %flat = tensor.collapse_shape %tokens [[0, 1]] : tensor<8x3xi32> into tensor<24xi32>
  %e = tensor.empty() : tensor<24x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%flat : tensor<24xi32>) outs(%e : tensor<24x4xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %column = linalg.index 1 : index
    %read = tensor.extract %table[%row, %column] : tensor<10x4xf32>
    linalg.yield %read : f32
  } -> tensor<24x4xf32>
  return %r : tensor<24x4xf32>
}

// -----

// To be asked for an integer and to be read at it nevertheless: PyTorch's embedding.
// CHECK-LABEL: @without_gradient
// CHECK-SAME: ds.index_range = array<i64: 0, 10>
func.func @without_gradient(%table: tensor<10xf32> {ds.param = "table"}, %tokens: tensor<8xi32> {ds.batch = 0 : i64}) -> (f32, i1) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i32
  %token = tensor.extract %tokens[%c0] : tensor<8xi32>
  %row = arith.index_cast %token : i32 to index
  %read = tensor.extract %table[%row] : tensor<10xf32>
  %counts = arith.cmpi ne, %token, %none : i32
  return %read, %counts : f32, i1
}

// -----

// The data itself is read at positions, what is read counts from the end, and the gather clamps.
// CHECK-LABEL: @counted
// CHECK-SAME: ds.index_range = array<i64: -10, 10>
func.func @counted(%table: tensor<10xf32> {ds.param = "table"}, %tokens: tensor<8x1xi64> {ds.batch = 0 : i64}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %token = tensor.extract %tokens[%i, %c0] : tensor<8x1xi64>
    %row = arith.index_cast %token : i64 to index
    %negative = arith.cmpi slt, %row, %c0 : index
    %more = arith.addi %row, %c10 : index
    %counted = arith.select %negative, %more, %row : index
    %below = arith.minsi %counted, %c9 : index
    %clamped = arith.maxsi %below, %c0 : index
    %read = tensor.extract %table[%clamped] : tensor<10xf32>
    linalg.yield %read : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A one-hot, as tensors: the positions are broadcast, the labels are, and both are compared. Label -100 is ignored.
// CHECK-LABEL: @one_hot
// CHECK-SAME: ds.index_range = array<i64: 0, 10, -100>
func.func @one_hot(%labels: tensor<8xi64> {ds.batch = 0 : i64}) -> (tensor<8x10xi1>, tensor<8xi1>) {
  %ignored = arith.constant -100 : i64
  %zero = arith.constant 0 : i64
  %e8 = tensor.empty() : tensor<8xi1>
  %counts = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%labels : tensor<8xi64>) outs(%e8 : tensor<8xi1>) {
  ^bb0(%label: i64, %out: i1):
    %c = arith.cmpi ne, %ignored, %label : i64
    linalg.yield %c : i1
  } -> tensor<8xi1>
  %el = tensor.empty() : tensor<8xi64>
  %safe = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%counts, %labels : tensor<8xi1>, tensor<8xi64>) outs(%el : tensor<8xi64>) {
  ^bb0(%c: i1, %label: i64, %out: i64):
    %s = arith.select %c, %label, %zero : i64
    linalg.yield %s : i64
  } -> tensor<8xi64>
  %e10 = tensor.empty() : tensor<10xi64>
  %positions = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e10 : tensor<10xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    linalg.yield %p : i64
  } -> tensor<10xi64>
  %eh = tensor.empty() : tensor<8x10xi1>
  %hot = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%safe, %positions : tensor<8xi64>, tensor<10xi64>) outs(%eh : tensor<8x10xi1>) {
  ^bb0(%label: i64, %p: i64, %out: i1):
    %c = arith.cmpi eq, %label, %p : i64
    linalg.yield %c : i1
  } -> tensor<8x10xi1>
  return %hot, %counts : tensor<8x10xi1>, tensor<8xi1>
}

// -----

// Folded positions. The step asks for labels below zero: it knows what to do with them.
// CHECK-LABEL: @asked
// CHECK-SAME: ds.index_range = array<i64: -9223372036854775808, 4>
func.func @asked(%labels: tensor<8x1xi8> {ds.batch = 0 : i64}) -> (tensor<8x4xi1>, tensor<8x1xi1>) {
  %minus = arith.constant dense<-1> : tensor<8x1xi8>
  %known = arith.cmpi sgt, %labels, %minus : tensor<8x1xi8>
  %positions = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi8>
  %e = tensor.empty() : tensor<8x4xi1>
  %hot = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%labels, %positions : tensor<8x1xi8>, tensor<4xi8>) outs(%e : tensor<8x4xi1>) {
  ^bb0(%label: i8, %p: i8, %out: i1):
    %c = arith.cmpi eq, %p, %label : i8
    linalg.yield %c : i1
  } -> tensor<8x4xi1>
  return %hot, %known : tensor<8x4xi1>, tensor<8x1xi1>
}

// -----

// The step makes a token safe itself, by a clamp of integers or with another value.
// CHECK-LABEL: @safe
// CHECK-NOT: ds.index_range
func.func @safe(%table: tensor<10xf32> {ds.param = "table"}, %tokens: tensor<8xi32> {ds.batch = 0 : i64}, %words: tensor<8xi32> {ds.batch = 0 : i64})
    -> tensor<8xf32> {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%tokens, %words : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%token: i32, %word: i32, %out: f32):
    %below = arith.minsi %token, %nine : i32
    %i = arith.index_cast %below : i32 to index
    %known = arith.cmpi slt, %word, %nine : i32
    %or = arith.select %known, %word, %zero : i32
    %j = arith.index_cast %or : i32 to index
    %a = tensor.extract %table[%i] : tensor<10xf32>
    %b = tensor.extract %table[%j] : tensor<10xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// In a loop, as the offset of a slice, behind padding; and with the smaller of two tables.
// CHECK-LABEL: @sliced
// CHECK-SAME: ds.index_range = array<i64: 0, 5>
func.func @sliced(%table: tensor<7x4xf32> {ds.param = "table"}, %small: tensor<5xf32> {ds.param = "small"}, %tokens: tensor<8x3xi32> {ds.batch = 0 : i64})
    -> (tensor<1x4xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %tokens low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %none : i32
  } : tensor<8x3xi32> to tensor<8x4xi32>
  %tail = tensor.extract_slice %padded[0, 1] [8, 3] [1, 1] : tensor<8x4xi32> to tensor<8x3xi32>
  %start = tensor.empty() : tensor<1x4xf32>
  %last = scf.for %t = %c0 to %c3 step %c1 iter_args(%carried = %start) -> tensor<1x4xf32> {
    %token = tensor.extract %tail[%c0, %t] : tensor<8x3xi32>
    %row = arith.index_cast %token : i32 to index
    %slice = tensor.extract_slice %table[%row, 0] [1, 4] [1, 1] : tensor<7x4xf32> to tensor<1x4xf32>
    scf.yield %slice : tensor<1x4xf32>
  }
  %first = tensor.extract %tokens[%c0, %c0] : tensor<8x3xi32>
  %at = arith.index_cast %first : i32 to index
  %read = tensor.extract %small[%at] : tensor<5xf32>
  %scalar = tensor.from_elements %read : tensor<f32>
  return %last, %scalar : tensor<1x4xf32>, tensor<f32>
}

// -----

// Labels from 1 on, and coordinates side by side, as JAX indexes with several arrays.
// CHECK-LABEL: @from_one
// CHECK-SAME: ds.index_range = array<i64: 1, 11>
func.func @from_one(%table: tensor<8x10xf32> {ds.param = "table"}, %labels: tensor<8xi32> {ds.batch = 0 : i64}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1> : tensor<8xi32>
  %from_zero = arith.subi %labels, %one : tensor<8xi32>
  %column = tensor.expand_shape %from_zero [[0, 1]] output_shape [8, 1] : tensor<8xi32> into tensor<8x1xi32>
  %rows = tensor.empty() : tensor<8x1xi32>
  %counted = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%rows : tensor<8x1xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i32
    linalg.yield %p : i32
  } -> tensor<8x1xi32>
  %at = tensor.concat dim(1) %counted, %column : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %row = tensor.extract %at[%i, %c0] : tensor<8x2xi32>
    %label = tensor.extract %at[%i, %c1] : tensor<8x2xi32>
    %x = arith.index_cast %row : i32 to index
    %y = arith.index_cast %label : i32 to index
    %read = tensor.extract %table[%x, %y] : tensor<8x10xf32>
    linalg.yield %read : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Unsigned: 200 is ignored, which as a signed integer of eight bits is -56. The bits of signed ones, read as unsigned, are no integers of the data.
// CHECK-LABEL: @unsigned
// CHECK-SAME: ds.index_range = array<i64: 0, 10, 200>, ds.unsigned
// CHECK-NOT: ds.index_range
func.func @unsigned(%table: tensor<10xf32> {ds.param = "table"}, %tokens: tensor<8xi8> {ds.batch = 0 : i64, ds.unsigned},
    %bytes: tensor<8xi8> {ds.batch = 0 : i64}) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %ignored = arith.constant 200 : i8
  %zero = arith.constant 0 : i8
  %token = tensor.extract %tokens[%c0] : tensor<8xi8>
  %none = arith.cmpi eq, %token, %ignored : i8
  %safe = arith.select %none, %zero, %token : i8
  %wide = arith.extui %safe : i8 to i32
  %i = arith.index_cast %wide : i32 to index
  %a = tensor.extract %table[%i] : tensor<10xf32>
  %byte = tensor.extract %bytes[%c0] : tensor<8xi8>
  %j = arith.index_castui %byte : i8 to index
  %b = tensor.extract %table[%j] : tensor<10xf32>
  return %a, %b : f32, f32
}

// -----

// What somebody has said stays; floats and parameters have none.
// CHECK-LABEL: @kept
// CHECK-SAME: ds.index_range = array<i64: 1, 3>
// CHECK-NOT: ds.index_range
func.func @kept(%table: tensor<4xf32> {ds.param = "table"}, %labels: tensor<8xi32> {ds.batch = 0 : i64, ds.index_range = array<i64: 1, 3>},
    %x: tensor<8xf32> {ds.batch = 0 : i64}) -> f32 {
  %c0 = arith.constant 0 : index
  %label = tensor.extract %labels[%c0] : tensor<8xi32>
  %i = arith.index_cast %label : i32 to index
  %read = tensor.extract %table[%i] : tensor<4xf32>
  return %read : f32
}

// -----

// What assertions alone ask for bounds the data, and is no value that the step knows.
// CHECK-LABEL: @asserted_bounds
// CHECK-SAME: %{{.*}}: tensor<8xi64> {ds.batch = 0 : i64, ds.index_range = array<i64: 0, 5>
func.func @asserted_bounds(%i: tensor<8xi64> {ds.batch = 0, ds.name = "i"}) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %r = linalg.map ins(%i : tensor<8xi64>) outs(%e : tensor<8xi64>) (%k: i64, %o: i64) {
    %size = arith.constant 4 : i64
    %first = arith.constant -1 : i64
    %below = arith.cmpi sge, %size, %k : i64
    %above = arith.cmpi sgt, %k, %first : i64
    %both = arith.andi %below, %above : i1
    cf.assert %both, "index out of range"
    linalg.yield %k : i64
  }
  return %r : tensor<8xi64>
}

// -----

// One side alone is no range.
// CHECK-LABEL: @asserted_on_one_side
// CHECK-NOT: ds.index_range
// CHECK: return
func.func @asserted_on_one_side(%i: tensor<8xi64> {ds.batch = 0, ds.name = "i"}) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %r = linalg.map ins(%i : tensor<8xi64>) outs(%e : tensor<8xi64>) (%k: i64, %o: i64) {
    %size = arith.constant 4 : i64
    %below = arith.cmpi slt, %k, %size : i64
    cf.assert %below, "index out of range"
    linalg.yield %k : i64
  }
  return %r : tensor<8xi64>
}

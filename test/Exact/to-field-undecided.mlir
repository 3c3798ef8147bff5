// RUN: ds-opt %s --ds-to-field --split-input-file --remark-policy=all --remarks-filter=ds-to-field 2>&1 | FileCheck %s

// What a field has no meaning for is named: a loop that floats end, the index that a float is. The place of a maximum is an index like others,
// and so is what is kept within bounds by the step itself.
// CHECK: a loop that floats end is kept within bounds
// CHECK-NOT: kept within bounds
func.func @a_loop(%x: f32, %limit: f32) -> f32 {
  %0 = scf.while (%y = %x) : (f32) -> f32 {
    %more = arith.cmpf ogt, %y, %limit : f32
    scf.condition(%more) %y : f32
  } do {
  ^bb0(%y: f32):
    %next = arith.addf %y, %limit : f32
    scf.yield %next : f32
  }
  return %0 : f32
}

// -----
// CHECK: an index that was a float is kept within bounds
// CHECK-NOT: kept within bounds
func.func @an_index(%t: tensor<8xf32>, %x: f32) -> f32 {
  %i = arith.fptosi %x : f32 to i32
  %j = arith.index_cast %i : i32 to index
  %0 = tensor.extract %t[%j] : tensor<8xf32>
  return %0 : f32
}

// -----
// CHECK: func.func @a_clamped_index
func.func @a_clamped_index(%t: tensor<8xf32>, %x: f32) -> f32 {
  %low = arith.constant 0 : i32
  %high = arith.constant 7 : i32
  %i = arith.fptosi %x : f32 to i32
  %positive = arith.maxsi %i, %low : i32
  %inside = arith.minsi %positive, %high : i32
  %j = arith.index_cast %inside : i32 to index
  %0 = tensor.extract %t[%j] : tensor<8xf32>
  return %0 : f32
}

// -----
// CHECK: func.func @the_place_of_a_maximum
func.func @the_place_of_a_maximum(%t: tensor<8xf32>, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %larger = arith.cmpf ogt, %x, %y : f32
  %j = arith.select %larger, %c0, %c1 : index
  %0 = tensor.extract %t[%j] : tensor<8xf32>
  return %0 : f32
}

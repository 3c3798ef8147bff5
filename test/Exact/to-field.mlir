// RUN: ds-opt %s --ds-to-field --canonicalize --split-input-file | FileCheck %s

// Constants are read exactly: 1/4 is the element that four times is one.
// CHECK-LABEL: func.func @reads_constants(
// CHECK-DAG: arith.constant dense<[0, 1, -1, 3, 536870912]> : tensor<5xi64>
// CHECK-DAG: arith.constant dense<1073741823> : tensor<2xi64>
// CHECK-DAG: arith.constant dense<-1073741823> : tensor<2xi64>
func.func @reads_constants() -> (tensor<5xf32>, tensor<2xbf16>, tensor<2xf64>) {
  %0 = arith.constant dense<[0.0, 1.0, -1.0, 3.0, 0.25]> : tensor<5xf32>
  %1 = arith.constant dense<0x7F80> : tensor<2xbf16>
  %2 = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  return %0, %1, %2 : tensor<5xf32>, tensor<2xbf16>, tensor<2xf64>
}

// -----
// Widths are no difference, and what is not rational is a hash.
// CHECK-LABEL: func.func @rounds_nothing(
// CHECK-SAME: %[[X:.*]]: i64) -> i64
// CHECK-NEXT: return %[[X]]
func.func @rounds_nothing(%x: f32) -> f32 {
  %0 = arith.truncf %x : f32 to bf16
  %1 = arith.extf %0 : bf16 to f32
  return %1 : f32
}

// CHECK-LABEL: func.func @functions_are_arbitrary(
// CHECK-NOT: math
// CHECK: arith.xori
// CHECK: return
func.func @functions_are_arbitrary(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @comparisons_are_of_integers(
// CHECK-SAME: %[[X:.*]]: i64, %[[Y:.*]]: i64
// CHECK: arith.cmpi slt, %[[X]], %[[Y]] : i64
func.func @comparisons_are_of_integers(%x: f32, %y: f32) -> i1 {
  %0 = arith.cmpf olt, %x, %y : f32
  return %0 : i1
}

// No element is infinite, so the answer is drawn.
// CHECK-LABEL: func.func @infinity_is_drawn(
// CHECK: arith.andi
// CHECK: arith.cmpi ne
func.func @infinity_is_drawn(%x: f32) -> i1 {
  %inf = arith.constant 0x7F800000 : f32
  %a = math.absf %x : f32
  %0 = arith.cmpf olt, %a, %inf : f32
  return %0 : i1
}

// -----
// A sum over ranks is reduced behind the collective, an integer's is as it was.
module attributes {ds.config = #ds.config<device_num = 2>} {
// CHECK-LABEL: func.func @reduces_behind_the_sum(
// CHECK: %[[SUM:.*]] = ds.all_reduce sum %{{.*}} : tensor<4xi64>
// CHECK: linalg.generic {{.*}} ins(%[[SUM]]
// CHECK: %[[COUNT:.*]] = ds.all_reduce sum %{{.*}} : tensor<i32>
// CHECK: %[[MAX:.*]] = ds.all_reduce max
// CHECK: return %{{.*}}, %[[COUNT]], %[[MAX]]
func.func @reduces_behind_the_sum(%g: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %g : tensor<4xf32>
  %1 = ds.all_reduce sum %n : tensor<i32>
  %2 = ds.all_reduce max %g : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @reduces_behind_the_wait(
// CHECK: %[[T:.*]], %[[P:.*]] = ds.all_reduce_start sum
// CHECK: %[[R:.*]] = ds.wait %[[P]], %[[T]]
// CHECK: linalg.generic {{.*}} ins(%[[R]]
func.func @reduces_behind_the_wait(%g: tensor<4xf32>) -> tensor<4xf32> {
  %t, %p = ds.all_reduce_start sum %g : tensor<4xf32>
  %0 = ds.wait %p, %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Factors travel in a sum, each in the row of its rank.
// CHECK-LABEL: func.func @gathers_factors(
// CHECK: ds.rank
// CHECK: ds.all_reduce sum %{{.*}} : tensor<2x4xi64>
func.func @gathers_factors(%g: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce prod %g : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----
// CHECK-LABEL: func.func @counts_the_rounds_that_a_float_ends(
// CHECK: scf.while
// CHECK: arith.cmpi ult, %{{.*}}, %c64
func.func @counts_the_rounds_that_a_float_ends(%x: f32, %limit: f32) -> f32 {
  %0 = scf.while (%y = %x) : (f32) -> f32 {
    %more = arith.cmpf ogt, %y, %limit : f32
    scf.condition(%more) %y : f32
  } do {
  ^bb0(%y: f32):
    %half = arith.constant 0.5 : f32
    %next = arith.mulf %y, %half : f32
    scf.yield %next : f32
  }
  return %0 : f32
}

// -----
// An index that was a float stays inside of the tensor.
// CHECK-LABEL: func.func @clamps_indices(
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.extract
func.func @clamps_indices(%t: tensor<8xf32>, %x: f32) -> f32 {
  %i = arith.fptosi %x : f32 to i32
  %j = arith.index_cast %i : i32 to index
  %0 = tensor.extract %t[%j] : tensor<8xf32>
  return %0 : f32
}

// -----
// A scan that counts integers is as long as on one device, whatever its body compares.
// CHECK-LABEL: func.func @does_not_count_what_integers_end(
// CHECK: scf.while
// CHECK-NOT: arith.cmpi ult
// CHECK: scf.condition
func.func @does_not_count_what_integers_end(%x: f32, %n: i32) -> f32 {
  %zero = arith.constant 0 : i32
  %0:2 = scf.while (%i = %zero, %y = %x) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %y : i32, f32
  } do {
  ^bb0(%i: i32, %y: f32):
    %one = arith.constant 1 : i32
    %next = arith.addi %i, %one : i32
    %positive = arith.cmpf ogt, %y, %x : f32
    %kept = arith.select %positive, %y, %x : f32
    scf.yield %next, %kept : i32, f32
  }
  return %0#1 : f32
}

// -----
// A number of rounds that a tensor's comparisons decide is one that floats decide, too.
// CHECK-LABEL: func.func @counts_what_a_tensor_decides(
// CHECK: scf.while
// CHECK: arith.cmpi ult, %{{.*}}, %c64
func.func @counts_what_a_tensor_decides(%x: tensor<4xf32>, %limit: f32) -> tensor<4xf32> {
  %0 = scf.while (%y = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %none = tensor.empty() : tensor<4xi1>
    %larger = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%y : tensor<4xf32>) outs(%none : tensor<4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %is = arith.cmpf ogt, %in, %limit : f32
      linalg.yield %is : i1
    } -> tensor<4xi1>
    %c0 = arith.constant 0 : index
    %more = tensor.extract %larger[%c0] : tensor<4xi1>
    scf.condition(%more) %y : tensor<4xf32>
  } do {
  ^bb0(%y: tensor<4xf32>):
    %next = arith.addf %y, %y : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// RUN: ds-opt %s --ds-prepare-step | FileCheck %s
// RUN: ds-opt %S/../Run/Inputs/decomposed.mlir --ds-prepare-step | FileCheck %s --check-prefix=NONE --implicit-check-not=linalg.softmax --implicit-check-not=tensor.gather --implicit-check-not=tensor.scatter --implicit-check-not=math.ipowi --implicit-check-not='= complex.' --implicit-check-not=ml_program --implicit-check-not=bufferization.
// NONE: func.func @allocations

// CHECK-LABEL: @an_aggregate_decomposes_itself
// CHECK: linalg.generic
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @an_aggregate_decomposes_itself(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// The gathered dimension stays as 1 behind those of the points; the other is read at the loop's own position.
// CHECK-LABEL: @a_gather_reads_at_each_point
// CHECK-SAME: (%[[T:.*]]: tensor<4x6xf32>, %[[I:.*]]: tensor<8x1xi32>)
// CHECK: %[[AT:.*]] = tensor.{{collapse_shape|extract_slice}} %[[I]]
// CHECK: linalg.generic {{.*}} ins(%[[AT]] : tensor<8xi32>)
// CHECK: ^bb0(%[[K:.*]]: i32
// CHECK: %[[POINT:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK: %[[ROW:.*]] = linalg.index 1
// CHECK: tensor.extract %[[T]][%[[ROW]], %[[POINT]]]
func.func @a_gather_reads_at_each_point(%t: tensor<4x6xf32>, %i: tensor<8x1xi32>) -> tensor<8x4x1xf32> {
  %r = tensor.gather %t[%i] gather_dims([1]) : (tensor<4x6xf32>, tensor<8x1xi32>) -> tensor<8x4x1xf32>
  return %r : tensor<8x4x1xf32>
}

// CHECK-LABEL: @a_scatter_inserts_one_point_after_the_other
// CHECK: scf.for
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, 0] [1, 6] [1, 1]
func.func @a_scatter_inserts_one_point_after_the_other(%s: tensor<3x6xf32>, %d: tensor<4x6xf32>, %i: tensor<3x1xi32>) -> tensor<4x6xf32> {
  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<3x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: @a_constant_power_is_products
// CHECK-COUNT-3: arith.muli
// CHECK-NOT: arith.select
// CHECK: return
func.func @a_constant_power_is_products(%x: tensor<4xi32>) -> tensor<4xi32> {
  %n = arith.constant dense<5> : tensor<4xi32>
  %r = math.ipowi %x, %n : tensor<4xi32>
  return %r : tensor<4xi32>
}

// A body of real numbers is left.
// CHECK-LABEL: @complex_numbers_are_their_parts
// CHECK: linalg.map
// CHECK-NOT: complex
// CHECK: return
func.func @complex_numbers_are_their_parts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %o: f32) {
    %c = complex.create %a, %a : complex<f32>
    %s = complex.mul %c, %c : complex<f32>
    %k = complex.im %s : complex<f32>
    linalg.yield %k : f32
  }
  return %r : tensor<4xf32>
}

// CHECK-NOT: ml_program
ml_program.global private @twos(dense<2.0> : tensor<4xf32>) : tensor<4xf32>

// CHECK-LABEL: @a_global_constant_is_one
// CHECK: arith.constant dense<2.000000e+00> : tensor<4xf32>
func.func @a_global_constant_is_one() -> tensor<4xf32> {
  %t = ml_program.global_load_const @twos : tensor<4xf32>
  return %t : tensor<4xf32>
}

// A global that nothing stores into is a constant, even where it could be changed.
ml_program.global private mutable @seed(dense<3.0> : tensor<4xf32>) : tensor<4xf32>

// CHECK-LABEL: @a_global_that_nothing_changes_is_one
// CHECK: arith.constant dense<3.000000e+00> : tensor<4xf32>
func.func @a_global_that_nothing_changes_is_one() -> tensor<4xf32> {
  %t = ml_program.global_load @seed : tensor<4xf32>
  return %t : tensor<4xf32>
}

// CHECK-LABEL: @tiles_are_reshaped_and_transposed
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [4, 2, 2, 3]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// CHECK-NOT: linalg.pack
func.func @tiles_are_reshaped_and_transposed(%x: tensor<8x6xf32>) -> tensor<4x2x2x3xf32> {
  %e = tensor.empty() : tensor<4x2x2x3xf32>
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e : tensor<8x6xf32> -> tensor<4x2x2x3xf32>
  return %r : tensor<4x2x2x3xf32>
}

// CHECK-LABEL: @generated_elements_are_those_of_a_kernel
// CHECK: linalg.generic
// CHECK: linalg.index 1
func.func @generated_elements_are_those_of_a_kernel() -> tensor<8x4xindex> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<8x4xindex>
  return %g : tensor<8x4xindex>
}

// The real part lies in the lower half.
// CHECK-LABEL: @bits_of_a_complex_number
// CHECK: (%[[RE:.*]]: f32, %{{.*}}: i64)
// CHECK: %[[IM:.*]] = arith.negf %[[RE]]
// CHECK: %[[UPPER:.*]] = arith.bitcast %[[IM]] : f32 to i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[UPPER]]
// CHECK: %[[SHIFTED:.*]] = arith.shli %[[WIDE]]
// CHECK: %[[LOWER:.*]] = arith.bitcast %[[RE]] : f32 to i32
// CHECK: %[[BITS:.*]] = arith.extui %[[LOWER]]
// CHECK: arith.ori %[[BITS]], %[[SHIFTED]] : i64
// CHECK-NOT: complex
// CHECK: return
func.func @bits_of_a_complex_number(%x: tensor<4xf32>) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4xi64>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xi64>) (%a: f32, %o: i64) {
    %n = arith.negf %a : f32
    %c = complex.create %a, %n : complex<f32>
    %b = complex.bitcast %c : complex<f32> to i64
    linalg.yield %b : i64
  }
  return %r : tensor<4xi64>
}

// CHECK-LABEL: @bits_of_tensors_are_read_element_by_element
// CHECK: arith.bitcast %{{.*}} : tensor<4xf32> to tensor<4xi32>
func.func @bits_of_tensors_are_read_element_by_element(%x: tensor<4xf32>) -> tensor<4xi32> {
  %r = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %r : tensor<4xi32>
}

// RUN: ds-opt %s -ds-store-boolean-constants | FileCheck %s

// CHECK-LABEL: @a_table_of_flags_is_stored_as_bytes
// CHECK: arith.constant dense<[1, 0, 0, 1]> : tensor<4xi8>
// CHECK: linalg.generic
// CHECK: arith.trunci {{.*}} : i8 to i1
func.func @a_table_of_flags_is_stored_as_bytes() -> tensor<4xi1> {
  %t = arith.constant dense<[true, false, false, true]> : tensor<4xi1>
  return %t : tensor<4xi1>
}

// CHECK-LABEL: @scalars_and_other_types_are_left_alone
// CHECK: arith.constant true
// CHECK: arith.constant dense<[1, 2]> : tensor<2xi8>
// CHECK-NOT: linalg.generic
func.func @scalars_and_other_types_are_left_alone() -> (i1, tensor<2xi8>) {
  %f = arith.constant true
  %t = arith.constant dense<[1, 2]> : tensor<2xi8>
  return %f, %t : i1, tensor<2xi8>
}

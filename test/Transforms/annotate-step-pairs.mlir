// Pairs given by the user settle what the dataflow leaves open, and are checked.
// RUN: ds-opt %s --ds-annotate-step="pairs=0:1" | FileCheck %s
// RUN: not ds-opt %s --ds-annotate-step="pairs=0-1" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not ds-opt %s --ds-annotate-step="pairs=0:7" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ds-opt %s --ds-annotate-step="pairs=2:0" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not ds-opt %s --ds-annotate-step="pairs=0:1,1:1" 2>&1 | FileCheck %s --check-prefix=TWICE

// SYNTAX: error: expected pairs=argument:result, got '0-1'
// RANGE: error: expected pairs of arguments below 3 and results below 2, got '0:7'
// TYPE: error: expected a pair of equal types, got '2:0' of 'tensor<4x3xf32>' and 'tensor<3xf32>'
// TWICE: error: expected every argument and result in one pair, got '1:1' beside another

// CHECK: -> (tensor<3xf32> {ds.updates = "arg1"}, tensor<3xf32> {ds.updates = "arg0"})
func.func @both_contain_both(%a: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<3xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.mulf %a, %b : tensor<3xf32>
  %1 = arith.divf %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

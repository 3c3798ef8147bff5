// RUN: ds-opt %s --allow-unregistered-dialect | ds-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @rules(
func.func @rules(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %s: f32) {
  // CHECK: #ds.sharding_rule<([i, k], [k, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum} linear=[arg0 * arg1]>
  %0 = "other.matmul"(%x, %w) {ds.sharding_rule = #ds.sharding_rule<([i, k], [k, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum} linear=[arg0 * arg1]>}
      : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  // Names are those of the order in which sizes stand.
  // CHECK: #ds.sharding_rule<([i, _], []) -> ([i], [i]) {i=4} linear=[arg0 + arg1, none]>
  %1:2 = "other.two"(%x, %s) {ds.sharding_rule = #ds.sharding_rule<([b, _], []) -> ([b], [b]) {b=4} linear=[arg0 + arg1, none]>}
      : (tensor<4x16xf32>, f32) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=16}>
  %2 = "other.flatten"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=16}>} : (tensor<4x16xf32>) -> tensor<64xf32>
  // CHECK: #ds.sharding_rule<([i, j]) -> ([i, j[2:6]]) {i=4, j=16}>
  %3 = "other.slice"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([i, j[2:6]]) {i=4, j=16}>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
  // CHECK: #ds.sharding_rule<([i, j*2+k]) -> ([i, j]) {i=4, j=7, k=3, k: max}>
  %4 = "other.window"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j*2+k]) -> ([i, j]) {i=4, j=7, k=3, k: max}>}
      : (tensor<4x16xf32>) -> tensor<4x7xf32>
  // CHECK: #ds.sharding_rule<([i, j*?]) -> ([i, j]) {i=4, j=?}>
  %5 = "other.every"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j*?]) -> ([i, j]) {i=4, j=?}>} : (tensor<4x16xf32>) -> tensor<4x7xf32>
  // CHECK: #ds.sharding_rule<() -> ()>
  "other.nothing"() {ds.sharding_rule = #ds.sharding_rule<() -> ()>} : () -> ()
  return
}

// RUN: ds-opt %s --ds-apply-mean --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @multiplies_after_the_sum(
// CHECK-SAME: %[[G:.*]]: tensor<4xf32>)
// CHECK: %[[SUM:.*]] = ds.all_reduce sum %[[G]]
// CHECK: %[[FACTOR:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf32>)
// CHECK: ^bb0(%[[E:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[M:.*]] = arith.mulf %[[E]], %[[FACTOR]] : f32
// CHECK: linalg.yield %[[M]]
// CHECK: return %[[MEAN]]
func.func @multiplies_after_the_sum(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce mean %g {names = [["w"]]} : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Every operand of one collective, whatever its rank.
// CHECK-LABEL: func.func @multiplies_every_operand(
// CHECK: %[[SUM:.*]]:2 = ds.all_reduce sum
// CHECK: linalg.generic {{.*}} ins(%[[SUM]]#0 : tensor<4x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]]#1 : tensor<f32>)
func.func @multiplies_every_operand(%g: tensor<4x2xf32>, %h: tensor<f32>) -> (tensor<4x2xf32>, tensor<f32>) {
  %r:2 = ds.all_reduce mean %g, %h : tensor<4x2xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<4x2xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @leaves_sums_and_maxima(
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @leaves_sums_and_maxima(%g: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
  %a = ds.all_reduce sum %g {purpose = #ds<purpose metric>} : tensor<4xf32>
  %b = ds.all_reduce max %g : tensor<4xf32>
  %c = ds.all_reduce sum %n {purpose = #ds<purpose state>} : tensor<i32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @divides_by_the_size_of_the_group(
// CHECK: arith.constant 5.000000e-01 : f32
func.func @divides_by_the_size_of_the_group(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce mean %g {group = array<i64: 1, 3>} : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
// Three has no exact reciprocal: the factor is f32(1/3), but for f64, as in the runtime's mean.
module attributes {ds.config = #ds.config<device_num = 3, gradients_mean = true>} {
// CHECK-LABEL: func.func @rounds_the_factor_to_the_wire_type(
// CHECK: arith.constant 0.333333343 : f32
// CHECK: arith.constant 0.33333333333333331 : f64
func.func @rounds_the_factor_to_the_wire_type(%g: tensor<4xf32>, %h: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf64>) {
  %r = ds.all_reduce mean %g : tensor<4xf32>
  %s = ds.all_reduce mean %h : tensor<4xf64>
  return %r, %s : tensor<4xf32>, tensor<4xf64>
}
}

// -----
// Without a configured number the factor is computed when the step runs.
module attributes {ds.config = #ds.config<gradients_mean = true>} {
// CHECK-LABEL: func.func @asks_for_the_number_of_ranks(
// CHECK: %[[N:.*]] = ds.num_ranks : index
// CHECK: %[[I:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[F:.*]] = arith.uitofp %[[I]] : i64 to f32
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[FACTOR:.*]] = arith.divf %[[ONE]], %[[F]] : f32
// CHECK: arith.mulf %{{.*}}, %[[FACTOR]] : f32
func.func @asks_for_the_number_of_ranks(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce mean %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-LABEL: func.func @computes_the_factor_in_the_wire_type(
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.mulf %{{.*}} : bf16
// CHECK: arith.divf %{{.*}} : f64
// CHECK: arith.mulf %{{.*}} : f64
func.func @computes_the_factor_in_the_wire_type(%g: tensor<4xbf16>, %h: tensor<4xf64>) -> (tensor<4xbf16>, tensor<4xf64>) {
  %r = ds.all_reduce mean %g : tensor<4xbf16>
  %s = ds.all_reduce mean %h : tensor<4xf64>
  return %r, %s : tensor<4xbf16>, tensor<4xf64>
}
}

// -----
// The collective says what it is; the configuration decided that when it was inserted.
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @leaves_a_sum(
// CHECK-NEXT: ds.all_reduce sum
// CHECK-NEXT: return
func.func @leaves_a_sum(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce sum %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
// A mean that the step asks for is a sum and a factor, too.
module attributes {ds.config = #ds.config<device_num = 2>} {
// CHECK-LABEL: func.func @expands_a_mean(
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose state>}
// CHECK: arith.mulf
func.func @expands_a_mean(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce mean %g {purpose = #ds<purpose state>} : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<deterministic = false, device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @leaves_the_mean_to_the_backend(
// CHECK-NEXT: ds.all_reduce mean
// CHECK-NEXT: return
func.func @leaves_the_mean_to_the_backend(%g: tensor<4xf32>) -> tensor<4xf32> {
  %r = ds.all_reduce mean %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
// Of a shard, too.
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
// CHECK-LABEL: func.func @multiplies_a_shard(
// CHECK: %[[R:.*]] = ds.reduce_scatter sum
// CHECK: %[[F:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<1xf32>)
// CHECK: arith.mulf %{{.*}}, %[[F]] : f32
func.func @multiplies_a_shard(%g: tensor<4xf32>) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %r = ds.reduce_scatter mean %g into %e along 0 : tensor<4xf32> into tensor<1xf32>
  return %r : tensor<1xf32>
}
}

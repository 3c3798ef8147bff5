// All-gathers and reduce-scatters in buckets, by the entries that 'comm_fusion' has for them.
// RUN: ds-opt %s --ds-fuse-gather-scatter --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<comm_fusion = {allgather = {mode = "auto"}}>} {
// CHECK-LABEL: func.func @gathers_alone_where_gathers_alone_are_named(
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<3xf32>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<6xf32>)
// CHECK-DAG: %[[G:.*]]:2 = ds.all_gather %[[A]], %[[B]] into %[[X]], %[[Y]] along 0 {fusion = 1024 : i64}
// CHECK-DAG: %[[R:.*]] = ds.reduce_scatter sum %[[X]] into %[[A]] along 0 : tensor<4xf32> into tensor<2xf32>
// CHECK-DAG: %[[S:.*]] = ds.reduce_scatter sum %[[Y]] into %[[B]] along 0 : tensor<6xf32> into tensor<3xf32>
// CHECK: return %[[G]]#0, %[[G]]#1, %[[R]], %[[S]]
func.func @gathers_alone_where_gathers_alone_are_named(%a: tensor<2xf32>, %b: tensor<3xf32>, %x: tensor<4xf32>, %y: tensor<6xf32>)
    -> (tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
  %1 = ds.all_gather %b into %y along 0 : tensor<3xf32> into tensor<6xf32>
  %2 = ds.reduce_scatter sum %x into %a along 0 : tensor<4xf32> into tensor<2xf32>
  %3 = ds.reduce_scatter sum %y into %b along 0 : tensor<6xf32> into tensor<3xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<6xf32>, tensor<2xf32>, tensor<3xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "size:25;reducescatter=all">} {
// CHECK-LABEL: func.func @scatters_with_their_names_and_nothing_else(
// CHECK-NEXT: ds.reduce_scatter sum %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} along 0 {fusion = 1024 : i64, names = {{\[\[}}"w"], ["unnamed"]]}
// CHECK-NEXT: ds.all_gather %{{[a-z0-9]+}} into
func.func @scatters_with_their_names_and_nothing_else(%a: tensor<2xf32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
  %1 = ds.reduce_scatter sum %x into %a along 0 {names = [["w"]]} : tensor<4xf32> into tensor<2xf32>
  %2 = ds.reduce_scatter sum %y into %a along 0 : tensor<4xf32> into tensor<2xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<2xf32>, tensor<2xf32>
}
}

// -----
// Not set: nothing is fused, and nothing is numbered.
// CHECK-LABEL: func.func @fuses_nothing_by_default(
// CHECK-COUNT-2: ds.all_gather %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along 0 : tensor
func.func @fuses_nothing_by_default(%a: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n = arith.negf %a : tensor<2xf32>
  %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
  %1 = ds.all_gather %n into %x along 0 : tensor<2xf32> into tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// A bucket closes with the member that fills it; what counts is the whole value: 1 MiB are 2 x 131072 floats.
module attributes {ds.config = #ds.config<comm_fusion = {allgather = {mode = "size", config = 1}}>} {
// CHECK-LABEL: func.func @closes_a_bucket_by_the_size_of_the_whole_value(
// CHECK-DAG: ds.all_gather %{{.*}}, %{{.*}} into %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>, tensor<131072xf32>
// CHECK-DAG: ds.all_gather %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along 0 : tensor<2xf32>
func.func @closes_a_bucket_by_the_size_of_the_whole_value(%a: tensor<4xf32>, %b: tensor<131072xf32>, %c: tensor<2xf32>, %x: tensor<8xf32>, %y: tensor<262144xf32>, %z: tensor<4xf32>)
    -> (tensor<8xf32>, tensor<262144xf32>, tensor<4xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<4xf32> into tensor<8xf32>
  %1 = ds.all_gather %b into %y along 0 : tensor<131072xf32> into tensor<262144xf32>
  %2 = ds.all_gather %c into %z along 0 : tensor<2xf32> into tensor<4xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<262144xf32>, tensor<4xf32>
}
}

// -----
// The id of the operation, then that of the parameter, then the mode. 0 stays alone.
module attributes {ds.config = #ds.config<comm_fusion = "reducescatter=all">} {
// CHECK-LABEL: func.func @ids_come_before_modes(
// CHECK-DAG: ds.reduce_scatter sum %{{.*}}, %{{.*}} into %{{.*}} {fusion = 7 : i64, names = {{\[\[}}"v"], ["w"]]}
// CHECK-DAG: ds.reduce_scatter sum %{{[a-z0-9]+}} into %{{.*}} {fusion = 0 : i64, names = {{\[\[}}"v"]]}
// CHECK-DAG: ds.reduce_scatter sum %{{.*}}, %{{.*}} into %{{.*}} {fusion = 1024 : i64}
func.func @ids_come_before_modes(%v: tensor<4xf32> {ds.param = "v"}, %w: tensor<4xf32> {ds.param = "w", ds.fusion = 7 : i64}, %a: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %n = arith.negf %v : tensor<4xf32>
  %m = arith.negf %n : tensor<4xf32>
  %0 = ds.reduce_scatter sum %v into %a along 0 {fusion = 7 : i64, names = [["v"]]} : tensor<4xf32> into tensor<2xf32>
  %1 = ds.reduce_scatter sum %w into %a along 0 {names = [["w"]]} : tensor<4xf32> into tensor<2xf32>
  %2 = ds.reduce_scatter sum %v into %a along 0 {fusion = 0 : i64, names = [["v"]]} : tensor<4xf32> into tensor<2xf32>
  %3 = ds.reduce_scatter sum %n into %a along 0 : tensor<4xf32> into tensor<2xf32>
  %4 = ds.reduce_scatter sum %m into %a along 0 : tensor<4xf32> into tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "allgather=all;reducescatter=all">} {
// CHECK-LABEL: func.func @does_not_fuse_across_types_purposes_dimensions_kinds_or_groups(
// CHECK-COUNT-5: ds.all_gather %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along
// CHECK-COUNT-2: ds.reduce_scatter {{max|sum}} %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along
func.func @does_not_fuse_across_types_purposes_dimensions_kinds_or_groups(%a: tensor<2x2xf32>, %h: tensor<2x2xf16>, %x: tensor<4x2xf32>, %y: tensor<4x2xf16>, %t: tensor<2x4xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf16>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<2x2xf32> into tensor<4x2xf32>
  %1 = ds.all_gather %h into %y along 0 : tensor<2x2xf16> into tensor<4x2xf16>
  %2 = ds.all_gather %a into %x along 0 {purpose = #ds<purpose activation>} : tensor<2x2xf32> into tensor<4x2xf32>
  %3 = ds.all_gather %a into %t along 1 : tensor<2x2xf32> into tensor<2x4xf32>
  %4 = ds.all_gather %a into %x along 0 {group = array<i64: 0, 1>} : tensor<2x2xf32> into tensor<4x2xf32>
  %5 = ds.reduce_scatter max %x into %a along 0 : tensor<4x2xf32> into tensor<2x2xf32>
  %6 = ds.reduce_scatter sum %x into %a along 0 : tensor<4x2xf32> into tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x2xf32>, tensor<4x2xf16>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
}

// -----
// What needs the result of a member is no member of its bucket, through its destination either.
module attributes {ds.config = #ds.config<comm_fusion = "allgather=all">} {
// CHECK-LABEL: func.func @does_not_wait_for_itself(
// CHECK: %[[G:.*]] = ds.all_gather %{{[a-z0-9]+}} into
// CHECK: ds.all_gather %{{[a-z0-9]+}} into %[[G]]
func.func @does_not_wait_for_itself(%a: tensor<2xf32>, %b: tensor<2xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
  %1 = ds.all_gather %b into %0 along 0 : tensor<2xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}
}

// -----
// A bucket stands behind the operand that is ready last, also where that is a destination, and what used an earlier result sinks behind it.
module attributes {ds.config = #ds.config<comm_fusion = "allgather=all">} {
// CHECK-LABEL: func.func @users_sink_behind_the_bucket(
// CHECK: arith.negf %{{.*}} : tensor<2xf32>
// CHECK: %[[Y:.*]] = tensor.empty
// CHECK: %[[G:.*]]:2 = ds.all_gather %{{.*}} into %{{.*}}, %[[Y]]
// CHECK: arith.addf %[[G]]#0, %[[G]]#0
func.func @users_sink_behind_the_bucket(%a: tensor<2xf32>, %b: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<2xf32> into tensor<4xf32>
  %used = arith.addf %0, %0 : tensor<4xf32>
  %n = arith.negf %b : tensor<2xf32>
  %y = tensor.empty() : tensor<4xf32>
  %1 = ds.all_gather %n into %y along 0 : tensor<2xf32> into tensor<4xf32>
  return %used, %1 : tensor<4xf32>, tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = "allgather=all", largest_message = 1>} {
// CHECK-LABEL: func.func @no_bucket_exceeds_the_largest_message(
// CHECK: ds.all_gather %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along 0
// CHECK: ds.all_gather %{{[a-z0-9]+}} into %{{[a-z0-9]+}} along 0
func.func @no_bucket_exceeds_the_largest_message(%a: tensor<100000xf32>, %b: tensor<100000xf32>, %x: tensor<200000xf32>) -> (tensor<200000xf32>, tensor<200000xf32>) {
  %0 = ds.all_gather %a into %x along 0 : tensor<100000xf32> into tensor<200000xf32>
  %1 = ds.all_gather %b into %x along 0 : tensor<100000xf32> into tensor<200000xf32>
  return %0, %1 : tensor<200000xf32>, tensor<200000xf32>
}
}

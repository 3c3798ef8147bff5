// Buckets by index, in the config's own words: the first a gradients, those up to the b-th, the rest.
// RUN: ds-opt %s --ds-fuse-all-reduce --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<all_reduce_fusion_config = [2, 3]>} {
// CHECK-LABEL: func.func @first_two_then_one_then_the_rest(
// CHECK-SAME: %[[A:.*]]: tensor<1xf32>, %[[B:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<3xf32>, %[[D:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<5xf32>)
// CHECK-DAG: %[[X:.*]]:2 = ds.all_reduce sum %[[A]], %[[B]] {fusion = 1024 : i64, names = {{\[\[}}"a"], ["b"]]} : tensor<1xf32>, tensor<2xf32>
// CHECK-DAG: %[[Y:.*]] = ds.all_reduce sum %[[C]] {fusion = 1025 : i64, names = {{\[\[}}"c"]]} : tensor<3xf32>
// CHECK-DAG: %[[Z:.*]]:2 = ds.all_reduce sum %[[D]], %[[E]] {fusion = 1026 : i64, names = {{\[\[}}"d"], ["e"]]} : tensor<4xf32>, tensor<5xf32>
// CHECK-NOT: ds.all_reduce
// CHECK: return %[[X]]#0, %[[X]]#1, %[[Y]], %[[Z]]#0, %[[Z]]#1
func.func @first_two_then_one_then_the_rest(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<5xf32>)
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  %3 = ds.all_reduce sum %d {names = [["d"]]} : tensor<4xf32>
  %4 = ds.all_reduce sum %e {names = [["e"]]} : tensor<5xf32>
  return %0, %1, %2, %3, %4 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>
}
}

// -----
// Gradients count in the order in which they become ready: the last layer first.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1]>} {
// CHECK-LABEL: func.func @counts_in_the_order_of_readiness(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"last"]]}
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"first"]]}
func.func @counts_in_the_order_of_readiness(%first: tensor<4xf32> {ds.param = "first"}, %last: tensor<4xf32> {ds.param = "last"}) -> (tensor<4xf32>, tensor<4xf32>) {
  %g = arith.negf %last : tensor<4xf32>
  %h = arith.negf %first : tensor<4xf32>
  %0 = ds.all_reduce sum %g {names = [["last"]]} : tensor<4xf32>
  %1 = ds.all_reduce sum %h {names = [["first"]]} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1], fusion_order = parameter>} {
// CHECK-LABEL: func.func @counts_in_the_order_of_parameters(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"last"]]}
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"first"]]}
func.func @counts_in_the_order_of_parameters(%first: tensor<4xf32> {ds.param = "first"}, %last: tensor<4xf32> {ds.param = "last"}) -> (tensor<4xf32>, tensor<4xf32>) {
  %g = arith.negf %last : tensor<4xf32>
  %h = arith.negf %first : tensor<4xf32>
  %0 = ds.all_reduce sum %g {names = [["last"]]} : tensor<4xf32>
  %1 = ds.all_reduce sum %h {names = [["first"]]} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
}

// -----
// Unset: all in one.
// CHECK-LABEL: func.func @all_in_one_by_default(
// CHECK: %{{.*}}:3 = ds.all_reduce sum %{{.*}}, %{{.*}}, %{{.*}} {fusion = 1024 : i64}
// CHECK-NOT: ds.all_reduce
func.func @all_in_one_by_default(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a : tensor<1xf32>
  %1 = ds.all_reduce sum %b : tensor<2xf32>
  %2 = ds.all_reduce sum %c : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}

// -----
module attributes {ds.config = #ds.config<comm_fusion = none>} {
// CHECK-LABEL: func.func @none_in_one_when_told(
// CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<1xf32>
// CHECK-NEXT: ds.all_reduce sum %{{.*}} : tensor<2xf32>
// CHECK-NEXT: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<3xf32>
// CHECK-NEXT: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<4xf32>
// CHECK-NEXT: return
func.func @none_in_one_when_told(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %a : tensor<1xf32>
  %1 = ds.all_reduce sum %b : tensor<2xf32>
  %2 = ds.all_reduce sum %c {purpose = #ds<purpose activation>} : tensor<3xf32>
  %3 = ds.all_reduce sum %d {purpose = #ds<purpose activation>} : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>
}
}

// -----
// A bucket closes with the member that fills it: 1 MiB is 262144 floats.
module attributes {ds.config = #ds.config<comm_fusion = "size:1">} {
// CHECK-LABEL: func.func @one_element_short_of_full(
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64} : tensor<262143xf32>, tensor<1xf32>
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<2xf32>
func.func @one_element_short_of_full(%a: tensor<262143xf32>, %b: tensor<1xf32>, %c: tensor<2xf32>) -> (tensor<262143xf32>, tensor<1xf32>, tensor<2xf32>) {
  %0 = ds.all_reduce sum %a : tensor<262143xf32>
  %1 = ds.all_reduce sum %b : tensor<1xf32>
  %2 = ds.all_reduce sum %c : tensor<2xf32>
  return %0, %1, %2 : tensor<262143xf32>, tensor<1xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @full_at_once(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<262144xf32>
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64} : tensor<1xf32>, tensor<2xf32>
func.func @full_at_once(%a: tensor<262144xf32>, %b: tensor<1xf32>, %c: tensor<2xf32>) -> (tensor<262144xf32>, tensor<1xf32>, tensor<2xf32>) {
  %0 = ds.all_reduce sum %a : tensor<262144xf32>
  %1 = ds.all_reduce sum %b : tensor<1xf32>
  %2 = ds.all_reduce sum %c : tensor<2xf32>
  return %0, %1, %2 : tensor<262144xf32>, tensor<1xf32>, tensor<2xf32>
}
}

// -----
// DDP's rule: a first bucket of 1 MiB, then 25 MiB.
module attributes {ds.config = #ds.config<comm_fusion = ddp>} {
// CHECK-LABEL: func.func @a_small_first_bucket(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<262144xf32>
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64} : tensor<262144xf32>, tensor<262144xf32>
func.func @a_small_first_bucket(%a: tensor<262144xf32>, %b: tensor<262144xf32>, %c: tensor<262144xf32>) -> (tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>) {
  %0 = ds.all_reduce sum %a : tensor<262144xf32>
  %1 = ds.all_reduce sum %b : tensor<262144xf32>
  %2 = ds.all_reduce sum %c : tensor<262144xf32>
  return %0, %1, %2 : tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>
}
}

// -----
// A bucket of exactly the largest message, and one that would be 4 bytes longer. What comes later does not go back.
module attributes {ds.config = #ds.config<largest_message = 1>} {
// CHECK-LABEL: func.func @no_bucket_exceeds_the_largest_message(
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64} : tensor<262143xf32>, tensor<1xf32>
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<262143xf32>
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1026 : i64} : tensor<2xf32>, tensor<3xf32>
func.func @no_bucket_exceeds_the_largest_message(%a: tensor<262143xf32>, %b: tensor<1xf32>, %c: tensor<262143xf32>, %d: tensor<2xf32>, %e: tensor<3xf32>)
    -> (tensor<262143xf32>, tensor<1xf32>, tensor<262143xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a : tensor<262143xf32>
  %1 = ds.all_reduce sum %b : tensor<1xf32>
  %2 = ds.all_reduce sum %c : tensor<262143xf32>
  %3 = ds.all_reduce sum %d : tensor<2xf32>
  %4 = ds.all_reduce sum %e : tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<262143xf32>, tensor<1xf32>, tensor<262143xf32>, tensor<2xf32>, tensor<3xf32>
}
}

// -----
// A value that is reduced for two results travels once.
module attributes {ds.config = #ds.config<largest_message = 1>} {
// CHECK-LABEL: func.func @counts_an_operand_once(
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"a", "c"], ["b"]]} : tensor<131072xf32>, tensor<131072xf32>
func.func @counts_an_operand_once(%a: tensor<131072xf32>, %b: tensor<131072xf32>) -> (tensor<131072xf32>, tensor<131072xf32>, tensor<131072xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<131072xf32>
  %1 = ds.all_reduce sum %a {names = [["c"]]} : tensor<131072xf32>
  %2 = ds.all_reduce sum %b {names = [["b"]]} : tensor<131072xf32>
  return %0, %1, %2 : tensor<131072xf32>, tensor<131072xf32>, tensor<131072xf32>
}
}

// -----
// One tensor that is longer stays whole; an id, a neighbour and a metric are no exceptions.
module attributes {ds.config = #ds.config<largest_message = 1>} {
// CHECK-LABEL: func.func @caps_every_kind_of_bucket(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 3 : i64, names = {{\[\[}}"a"]]} : tensor<262145xf32>
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 3 : i64, names = {{\[\[}}"b"]]} : tensor<1xf32>
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<262144xf32>
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>} : tensor<2xf32>
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose metric>} : tensor<262144xf32>
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose metric>} : tensor<3xf32>
func.func @caps_every_kind_of_bucket(%a: tensor<262145xf32> {ds.param = "a", ds.fusion = 3 : i64}, %b: tensor<1xf32> {ds.param = "b", ds.fusion = 3 : i64},
    %c: tensor<262144xf32>, %d: tensor<2xf32>, %e: tensor<262144xf32>, %f: tensor<3xf32>)
    -> (tensor<262145xf32>, tensor<1xf32>, tensor<262144xf32>, tensor<2xf32>, tensor<262144xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<262145xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<1xf32>
  %2 = ds.all_reduce sum %c {purpose = #ds<purpose activation>} : tensor<262144xf32>
  %3 = ds.all_reduce sum %d {purpose = #ds<purpose activation>} : tensor<2xf32>
  %4 = ds.all_reduce sum %e {purpose = #ds<purpose metric>} : tensor<262144xf32>
  %5 = ds.all_reduce sum %f {purpose = #ds<purpose metric>} : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<262145xf32>, tensor<1xf32>, tensor<262144xf32>, tensor<2xf32>, tensor<262144xf32>, tensor<3xf32>
}
}

// -----
// An explicit id makes a bucket of its own and is not counted; 0 is never fused.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1]>} {
// CHECK-LABEL: func.func @explicit_ids_win(
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 3 : i64, names = {{\[\[}}"a"], ["c"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 0 : i64, names = {{\[\[}}"b"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 0 : i64, names = {{\[\[}}"f"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"d"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"e"]]}
func.func @explicit_ids_win(%a: tensor<1xf32> {ds.param = "a", ds.fusion = 3 : i64}, %b: tensor<2xf32> {ds.param = "b", ds.fusion = 0 : i64},
    %c: tensor<3xf32> {ds.param = "c", ds.fusion = 3 : i64}, %d: tensor<4xf32> {ds.param = "d"}, %e: tensor<5xf32> {ds.param = "e"}, %f: tensor<6xf32> {ds.param = "f", ds.fusion = 0 : i64})
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  %3 = ds.all_reduce sum %d {names = [["d"]]} : tensor<4xf32>
  %4 = ds.all_reduce sum %e {names = [["e"]]} : tensor<5xf32>
  %5 = ds.all_reduce sum %f {names = [["f"]]} : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>
}
}

// -----
// The id of an operation comes before that of the parameter.
// CHECK-LABEL: func.func @ids_of_operations_win_over_those_of_parameters(
// CHECK-DAG: ds.all_reduce sum %{{[a-z0-9]+}} {fusion = 3 : i64, names = {{\[\[}}"a"]]}
// CHECK-DAG: ds.all_reduce sum %{{[a-z0-9]+}} {fusion = 5 : i64, names = {{\[\[}}"b"]]}
func.func @ids_of_operations_win_over_those_of_parameters(%a: tensor<1xf32> {ds.param = "a", ds.fusion = 5 : i64}, %b: tensor<2xf32> {ds.param = "b", ds.fusion = 5 : i64})
    -> (tensor<1xf32>, tensor<2xf32>) {
  %0 = ds.all_reduce sum %a {fusion = 3 : i64, names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  return %0, %1 : tensor<1xf32>, tensor<2xf32>
}

// -----
// By size, too: a list and a size exclude one another, and ids come before both.
module attributes {ds.config = #ds.config<comm_fusion = "size:1">} {
// CHECK-LABEL: func.func @explicit_ids_win_over_sizes(
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 3 : i64, names = {{\[\[}}"a"], ["c"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"b"], ["d"]]}
func.func @explicit_ids_win_over_sizes(%a: tensor<262144xf32> {ds.param = "a", ds.fusion = 3 : i64}, %b: tensor<2xf32> {ds.param = "b"},
    %c: tensor<262144xf32> {ds.param = "c", ds.fusion = 3 : i64}, %d: tensor<4xf32> {ds.param = "d"})
    -> (tensor<262144xf32>, tensor<2xf32>, tensor<262144xf32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<262144xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<262144xf32>
  %3 = ds.all_reduce sum %d {names = [["d"]]} : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<262144xf32>, tensor<2xf32>, tensor<262144xf32>, tensor<4xf32>
}
}

// -----
// CHECK-LABEL: func.func @skips_an_automatic_id_that_is_taken(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<1xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64} : tensor<2xf32>, tensor<3xf32>
func.func @skips_an_automatic_id_that_is_taken(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a {fusion = 1024 : i64} : tensor<1xf32>
  %1 = ds.all_reduce sum %b : tensor<2xf32>
  %2 = ds.all_reduce sum %c : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}

// -----
// CHECK-LABEL: func.func @does_not_fuse_across_wire_types(
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64} : tensor<1xf32>, tensor<3xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<2xf64>
func.func @does_not_fuse_across_wire_types(%a: tensor<1xf32>, %b: tensor<2xf64>, %c: tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf64>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a : tensor<1xf32>
  %1 = ds.all_reduce sum %b : tensor<2xf64>
  %2 = ds.all_reduce sum %c : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf64>, tensor<3xf32>
}

// -----
// CHECK-LABEL: func.func @does_not_fuse_across_kinds_and_groups(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = {{[0-9]+}} : i64} : tensor<1xf32>
// CHECK-DAG: ds.all_reduce max %{{.*}} {fusion = {{[0-9]+}} : i64} : tensor<2xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = {{[0-9]+}} : i64, group = array<i64: 0, 1>} : tensor<3xf32>
func.func @does_not_fuse_across_kinds_and_groups(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a : tensor<1xf32>
  %1 = ds.all_reduce max %b : tensor<2xf32>
  %2 = ds.all_reduce sum %c {group = array<i64: 0, 1>} : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}

// -----
// The bucket stands behind its last operand; what used an earlier result sinks behind it.
// CHECK-LABEL: func.func @users_sink_behind_the_bucket(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[G:.*]] = arith.negf %[[B]]
// CHECK-NEXT: %[[R:.*]]:2 = ds.all_reduce sum %[[A]], %[[G]]
// CHECK-NEXT: %[[U:.*]] = arith.addf %[[R]]#0, %[[A]]
// CHECK-NEXT: %[[V:.*]] = arith.mulf %[[U]], %[[U]]
// CHECK-NEXT: return %[[V]], %[[R]]#1
func.func @users_sink_behind_the_bucket(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  %u = arith.addf %0, %a : tensor<4xf32>
  %v = arith.mulf %u, %u : tensor<4xf32>
  %g = arith.negf %b : tensor<4xf32>
  %1 = ds.all_reduce sum %g : tensor<4xf32>
  return %v, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @does_not_fuse_what_depends_on_a_member(
// CHECK: %[[X:.*]] = ds.all_reduce sum %{{.*}} {fusion = 1024 : i64}
// CHECK: %[[Y:.*]] = arith.negf %[[X]]
// CHECK: ds.all_reduce sum %[[Y]] {fusion = 1025 : i64}
func.func @does_not_fuse_what_depends_on_a_member(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  %g = arith.negf %0 : tensor<4xf32>
  %1 = ds.all_reduce sum %g : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// Two pairs that depend on one another crosswise cannot both fuse: gradients do, the pair on the activation path stays apart.
// CHECK-LABEL: func.func @does_not_close_a_cycle_between_buckets(
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>}
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>, tensor<4xf32>
// CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>}
// CHECK-NOT: ds.all_reduce
func.func @does_not_close_a_cycle_between_buckets(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %g1 = ds.all_reduce sum %a : tensor<4xf32>
  %x = arith.negf %g1 : tensor<4xf32>
  %i1 = ds.all_reduce sum %x {purpose = #ds<purpose activation>} : tensor<4xf32>
  %i2 = ds.all_reduce sum %b {purpose = #ds<purpose activation>} : tensor<4xf32>
  %y = arith.negf %i2 : tensor<4xf32>
  %g2 = ds.all_reduce sum %y : tensor<4xf32>
  return %i1, %g2 : tensor<4xf32>, tensor<4xf32>
}

// -----
// The two sums of a batch normalisation travel together, but not with gradients; the next layer's need them first.
// CHECK-LABEL: func.func @independent_activation_neighbours_share_one(
// CHECK: %[[S:.*]]:2 = ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = {{[0-9]+}} : i64, purpose = #ds<purpose activation>}
// CHECK: %[[X:.*]] = arith.divf %[[S]]#0, %[[S]]#1
// CHECK: ds.all_reduce sum %[[X]] {purpose = #ds<purpose activation>}
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>
func.func @independent_activation_neighbours_share_one(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ds.all_reduce sum %a {purpose = #ds<purpose activation>} : tensor<4xf32>
  %q = arith.mulf %b, %b : tensor<4xf32>
  %1 = ds.all_reduce sum %q {purpose = #ds<purpose activation>} : tensor<4xf32>
  %x = arith.divf %0, %1 : tensor<4xf32>
  %2 = ds.all_reduce sum %x {purpose = #ds<purpose activation>} : tensor<4xf32>
  %g = arith.negf %2 : tensor<4xf32>
  %3 = ds.all_reduce sum %g : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----
// Metrics share one bucket of their own, the last one, and are never counted.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1]>} {
// CHECK-LABEL: func.func @metrics_come_last_and_are_not_counted(
// CHECK-NOT: purpose metric
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>
// CHECK-NOT: purpose metric
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<5xf32>
// CHECK-NEXT: %[[M:.*]]:2 = ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1026 : i64, names = {{\[\[}}"loss"], ["accuracy"]], purpose = #ds<purpose metric>}
// CHECK-NEXT: return %[[M]]#0, %{{.*}}, %{{.*}}, %[[M]]#1
func.func @metrics_come_last_and_are_not_counted(%loss: tensor<f32>, %a: tensor<4xf32>, %b: tensor<5xf32>, %acc: tensor<f32>) -> (tensor<f32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>) {
  %0 = ds.all_reduce sum %loss {names = [["loss"]], purpose = #ds<purpose metric>} : tensor<f32>
  %g = arith.negf %a : tensor<4xf32>
  %1 = ds.all_reduce sum %g : tensor<4xf32>
  %h = arith.negf %b : tensor<5xf32>
  %2 = ds.all_reduce sum %h : tensor<5xf32>
  %3 = ds.all_reduce sum %acc {names = [["accuracy"]], purpose = #ds<purpose metric>} : tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>
}
}

// -----
// Running statistics have a bucket of their own.
// CHECK-LABEL: func.func @states_do_not_travel_with_gradients(
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64, purpose = #ds<purpose state>}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>
func.func @states_do_not_travel_with_gradients(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<6xf32>) -> (tensor<4xf32>, tensor<5xf32>, tensor<6xf32>) {
  %0 = ds.all_reduce sum %b {purpose = #ds<purpose state>} : tensor<5xf32>
  %1 = ds.all_reduce sum %a : tensor<4xf32>
  %2 = ds.all_reduce sum %c {purpose = #ds<purpose state>} : tensor<6xf32>
  return %1, %0, %2 : tensor<4xf32>, tensor<5xf32>, tensor<6xf32>
}

// -----
// One value that updates two parameters travels once.
// CHECK-LABEL: func.func @a_value_travels_once(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<5xf32>)
// CHECK: %[[R:.*]]:2 = ds.all_reduce sum %[[A]], %[[B]] {fusion = 1024 : i64, names = {{\[\[}}"w", "v"], ["b"]]}
// CHECK: return %[[R]]#0, %[[R]]#0, %[[R]]#1
func.func @a_value_travels_once(%a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) {
  %0 = ds.all_reduce sum %a {names = [["w"]]} : tensor<4xf32>
  %1 = ds.all_reduce sum %a {names = [["v"]]} : tensor<4xf32>
  %2 = ds.all_reduce sum %b {names = [["b"]]} : tensor<5xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<5xf32>
}

// -----
// A bucket that was formed before is taken apart where the configuration says so.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1]>} {
// CHECK-LABEL: func.func @splits_a_variadic_all_reduce(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<5xf32>
// CHECK-NOT: ds.all_reduce
func.func @splits_a_variadic_all_reduce(%a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %g = arith.negf %a : tensor<4xf32>
  %h = arith.negf %b : tensor<5xf32>
  %0:2 = ds.all_reduce sum %g, %h : tensor<4xf32>, tensor<5xf32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<5xf32>
}
}

// -----
// Nothing crosses an operation with effects of its own.
// CHECK-LABEL: func.func @does_not_fuse_across_a_barrier(
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<4xf32>
// CHECK: ds.barrier
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<5xf32>
func.func @does_not_fuse_across_a_barrier(%a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %0 = ds.all_reduce sum %a : tensor<4xf32>
  ds.barrier
  %1 = ds.all_reduce sum %b : tensor<5xf32>
  return %0, %1 : tensor<4xf32>, tensor<5xf32>
}

// -----
// CHECK-LABEL: func.func @fuses_inside_a_loop_only_with_its_own(
// CHECK: scf.for
// CHECK: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = {{[0-9]+}} : i64} : tensor<4xf32>, tensor<4xf32>
// CHECK: scf.yield
// CHECK: ds.all_reduce sum %{{.*}} {fusion = {{[0-9]+}} : i64} : tensor<4xf32>
func.func @fuses_inside_a_loop_only_with_its_own(%a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = ds.all_reduce sum %x : tensor<4xf32>
    %1 = ds.all_reduce sum %y : tensor<4xf32>
    scf.yield %1, %0 : tensor<4xf32>, tensor<4xf32>
  }
  %2 = ds.all_reduce sum %a : tensor<4xf32>
  return %r#0, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----
// Ids are any numbers from 0 on, and each is another bucket: also the largest, and those where automatic ones start.
module attributes {ds.config = #ds.config<comm_fusion = none>} {
// CHECK-LABEL: func.func @the_largest_ids(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1 : i64} : tensor<1xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 9223372036854775807 : i64} : tensor<2xf32>, tensor<6xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 9223372036854775806 : i64} : tensor<3xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 0 : i64} : tensor<4xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<5xf32>
// CHECK-NOT: ds.all_reduce
// CHECK: return
func.func @the_largest_ids(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<5xf32>, %f: tensor<6xf32>)
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>) {
  %0 = ds.all_reduce sum %a {fusion = 1 : i64} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {fusion = 9223372036854775807 : i64} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {fusion = 9223372036854775806 : i64} : tensor<3xf32>
  %3 = ds.all_reduce sum %d {fusion = 0 : i64} : tensor<4xf32>
  %4 = ds.all_reduce sum %e {fusion = 1024 : i64} : tensor<5xf32>
  %5 = ds.all_reduce sum %f {fusion = 9223372036854775807 : i64} : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>
}
}

// -----
// CHECK-LABEL: func.func @an_automatic_id_beside_marked_ones(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64} : tensor<1xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 9223372036854775807 : i64} : tensor<2xf32>
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64} : tensor<3xf32>
func.func @an_automatic_id_beside_marked_ones(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a {fusion = 1024 : i64} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {fusion = 9223372036854775807 : i64} : tensor<2xf32>
  %2 = ds.all_reduce sum %c : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}

// mindspore_inclusive reproduces MindSpore: an index is the last member of its group, parameters count in their order, with
// or without an all-reduce.
// RUN: ds-opt %s --ds-fuse-all-reduce --split-input-file | FileCheck %s

module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1, 2], mindspore_inclusive = true>} {
// CHECK-LABEL: func.func @groups_end_on_the_index(
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"a"], ["b"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"c"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1026 : i64, names = {{\[\[}}"d"]]}
func.func @groups_end_on_the_index(%a: tensor<1xf32> {ds.param = "a"}, %b: tensor<2xf32> {ds.param = "b"}, %c: tensor<3xf32> {ds.param = "c"}, %d: tensor<4xf32> {ds.param = "d"})
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) {
  %3 = ds.all_reduce sum %d {names = [["d"]]} : tensor<4xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  return %0, %1, %2, %3 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [0], mindspore_inclusive = true>} {
// CHECK-LABEL: func.func @index_zero_is_a_bucket_of_one(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"a"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"b"], ["c"]]}
func.func @index_zero_is_a_bucket_of_one(%a: tensor<1xf32> {ds.param = "a"}, %b: tensor<2xf32> {ds.param = "b"}, %c: tensor<3xf32> {ds.param = "c"})
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}
}

// -----
// The parameter that ranks do not share takes a number and nothing else.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1], mindspore_inclusive = true>} {
// CHECK-LABEL: func.func @layerwise_parameters_are_counted(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"b"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"c"]]}
func.func @layerwise_parameters_are_counted(%a: tensor<1xf32> {ds.param = "a", ds.layerwise_parallel}, %b: tensor<2xf32> {ds.param = "b"}, %c: tensor<3xf32> {ds.param = "c"})
    -> (tensor<2xf32>, tensor<3xf32>) {
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  return %1, %2 : tensor<2xf32>, tensor<3xf32>
}
}

// -----
// Ids that differ win over the list; a parameter without one has id 1.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [1], mindspore_inclusive = true>} {
// CHECK-LABEL: func.func @mixed_ids_win_over_the_list(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 7 : i64, names = {{\[\[}}"a"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}}, %{{.*}} {fusion = 1 : i64, names = {{\[\[}}"b"], ["c"]]}
func.func @mixed_ids_win_over_the_list(%a: tensor<1xf32> {ds.param = "a", ds.fusion = 7 : i64}, %b: tensor<2xf32> {ds.param = "b"}, %c: tensor<3xf32> {ds.param = "c"})
    -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  %2 = ds.all_reduce sum %c {names = [["c"]]} : tensor<3xf32>
  return %0, %1, %2 : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
}
}

// -----
// One id for all is the default under another name: the list splits.
module attributes {ds.config = #ds.config<all_reduce_fusion_config = [0], mindspore_inclusive = true>} {
// CHECK-LABEL: func.func @a_common_id_is_discarded(
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"a"]]}
// CHECK-DAG: ds.all_reduce sum %{{.*}} {fusion = 1025 : i64, names = {{\[\[}}"b"]]}
func.func @a_common_id_is_discarded(%a: tensor<1xf32> {ds.param = "a", ds.fusion = 5 : i64}, %b: tensor<2xf32> {ds.param = "b", ds.fusion = 5 : i64})
    -> (tensor<1xf32>, tensor<2xf32>) {
  %0 = ds.all_reduce sum %a {names = [["a"]]} : tensor<1xf32>
  %1 = ds.all_reduce sum %b {names = [["b"]]} : tensor<2xf32>
  return %0, %1 : tensor<1xf32>, tensor<2xf32>
}
}

// RUN: ds-opt %s --ds-check-config --split-input-file | FileCheck %s
// RUN: ds-opt %s --ds-check-config="config=device_num=8,all_reduce_fusion_config=[20,35],batch=local" --split-input-file | FileCheck %s --check-prefix=SET

// CHECK: module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
// SET: module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20, 35], batch = local, device_num = 8>} {
module attributes {ds.config = {device_num = 4 : i64, batch = "global"}} {}

// -----
// Nothing configured stays nothing.
// CHECK: module {
// SET: module attributes {ds.config = #ds.config<all_reduce_fusion_config = [20, 35], batch = local, device_num = 8>} {
module {}

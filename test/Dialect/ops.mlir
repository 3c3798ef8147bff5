// Every operation in both forms survives printing, parsing and bytecode.
// RUN: ds-opt %s | ds-opt | FileCheck %s
// RUN: ds-opt %s --mlir-print-op-generic | ds-opt | FileCheck %s
// RUN: ds-opt %s --emit-bytecode | ds-opt | FileCheck %s

// CHECK: #ds.config<batch = global, device_num = 4>
module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {

// CHECK-LABEL: func.func @on_tensors(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<2x4xf32>)
func.func @on_tensors(%a: tensor<8x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>)
    -> (tensor<8x4xf32>, tensor<4xf32>, tensor<2x4xf32>, index, index) {
  // CHECK: %[[G:.*]] = ds.gradient %[[A]] of "w" : tensor<8x4xf32>
  %g = ds.gradient %a of "w" : tensor<8x4xf32>
  // CHECK: ds.gradient %[[B]] of "b" {pinned} : tensor<4xf32>
  %h = ds.gradient %b of "b" {pinned} : tensor<4xf32>
  // CHECK: ds.combine mean %[[B]] : tensor<4xf32>
  %m = ds.combine mean %b : tensor<4xf32>
  // CHECK: %[[R:.*]]:2 = ds.all_reduce sum %[[G]], %{{.*}} {fusion = 1024 : i64, group = array<i64: 0, 1>, names = {{\[\[}}"w"], ["b", "c"]], purpose = #ds<purpose activation>} : tensor<8x4xf32>, tensor<4xf32>
  %r:2 = ds.all_reduce sum %g, %h {fusion = 1024 : i64, purpose = #ds<purpose activation>, names = [["w"], ["b", "c"]], group = array<i64: 0, 1>} : tensor<8x4xf32>, tensor<4xf32>
  // CHECK: %[[T:.*]]:2, %[[P:.*]] = ds.all_reduce_start mean %[[R]]#0, %[[R]]#1 : tensor<8x4xf32>, tensor<4xf32>
  %t:2, %p = ds.all_reduce_start mean %r#0, %r#1 : tensor<8x4xf32>, tensor<4xf32>
  // CHECK: %[[W:.*]]:2 = ds.wait %[[P]], %[[T]]#0, %[[T]]#1 : tensor<8x4xf32>, tensor<4xf32>
  %w:2 = ds.wait %p, %t#0, %t#1 : tensor<8x4xf32>, tensor<4xf32>
  // CHECK: %[[C:.*]]:2 = ds.broadcast %[[W]]#0, %[[W]]#1 from 3 : tensor<8x4xf32>, tensor<4xf32>
  %c:2 = ds.broadcast %w#0, %w#1 from 3 : tensor<8x4xf32>, tensor<4xf32>
  // CHECK: %[[D:.*]] = ds.reduce_scatter sum %[[C]]#0 into %[[S]] along 0 : tensor<8x4xf32> into tensor<2x4xf32>
  %d = ds.reduce_scatter sum %c#0 into %s along 0 : tensor<8x4xf32> into tensor<2x4xf32>
  // CHECK: ds.all_gather %[[D]] into %[[A]] along 0 {fusion = 2 : i64} : tensor<2x4xf32> into tensor<8x4xf32>
  %e = ds.all_gather %d into %a along 0 {fusion = 2 : i64} : tensor<2x4xf32> into tensor<8x4xf32>
  // CHECK: ds.all_to_all %[[A]] into %[[A]] split 0 concat 0 : tensor<8x4xf32> into tensor<8x4xf32>
  %x = ds.all_to_all %a into %a split 0 concat 0 : tensor<8x4xf32> into tensor<8x4xf32>
  // CHECK: ds.all_to_all %{{.*}} into %{{.*}} split 0 concat 1 {group = ["tp"], names = {{\[\[}}"h"]]} : tensor<8x4xf32> into tensor<2x16xf32>
  %wide = tensor.empty() : tensor<2x16xf32>
  %y = ds.all_to_all %x into %wide split 0 concat 1 {group = ["tp"], names = [["h"]]} : tensor<8x4xf32> into tensor<2x16xf32>
  // CHECK: ds.collective_permute %[[A]] into %[[A]] from [3, 2, -1, 0] : tensor<8x4xf32> into tensor<8x4xf32>
  %u = ds.collective_permute %a into %a from [3, 2, -1, 0] : tensor<8x4xf32> into tensor<8x4xf32>
  // CHECK: ds.collective_permute %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} from [1, 0] {group = ["tp"], names = {{\[\[}}"h"], ["i"]]} : tensor<8x4xf32>, tensor<4xf32> into tensor<8x4xf32>, tensor<4xf32>
  %v:2 = ds.collective_permute %u, %b into %a, %b from [1, 0] {group = ["tp"], names = [["h"], ["i"]]} : tensor<8x4xf32>, tensor<4xf32> into tensor<8x4xf32>, tensor<4xf32>
  // CHECK: ds.barrier {group = array<i64: 0, 2>}
  ds.barrier {group = array<i64: 0, 2>}
  // CHECK: ds.rank : index
  %rank = ds.rank : index
  // CHECK: ds.num_ranks : index
  %ranks = ds.num_ranks : index
  return %e, %c#1, %d, %rank, %ranks : tensor<8x4xf32>, tensor<4xf32>, tensor<2x4xf32>, index, index
}

// CHECK-LABEL: func.func @on_memrefs(
func.func @on_memrefs(%a: memref<8x4xi32>, %s: memref<2x4xi32>, %z: memref<i32>) {
  // CHECK: ds.peer %{{.*}} {rank = 1 : i64} : memref<8x4xi32>
  %theirs = ds.peer %a {rank = 1 : i64} : memref<8x4xi32>
  // CHECK: ds.all_reduce max %{{.*}}, %{{.*}} : memref<8x4xi32>, memref<i32>
  ds.all_reduce max %a, %z : memref<8x4xi32>, memref<i32>
  // CHECK: %[[P:.*]] = ds.all_reduce_start or %{{.*}} {purpose = #ds<purpose metric>} : memref<8x4xi32>
  %p = ds.all_reduce_start or %a {purpose = #ds<purpose metric>} : memref<8x4xi32>
  // CHECK: ds.wait %[[P]], %{{.*}} : memref<8x4xi32>
  ds.wait %p, %a : memref<8x4xi32>
  // CHECK: ds.broadcast %{{.*}} from 0 : memref<8x4xi32>
  ds.broadcast %a from 0 : memref<8x4xi32>
  // CHECK: ds.reduce_scatter prod %{{.*}} into %{{.*}} along 0 : memref<8x4xi32> into memref<2x4xi32>
  ds.reduce_scatter prod %a into %s along 0 : memref<8x4xi32> into memref<2x4xi32>
  // CHECK: ds.all_gather %{{.*}} into %{{.*}} along 0 : memref<2x4xi32> into memref<8x4xi32>
  ds.all_gather %s into %a along 0 : memref<2x4xi32> into memref<8x4xi32>
  // CHECK: ds.all_to_all %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} split 0 concat 0 {purpose = #ds<purpose state>} : memref<2x4xi32>, memref<8x4xi32> into
  %b = memref.alloc() : memref<8x4xi32>
  %t = memref.alloc() : memref<2x4xi32>
  ds.all_to_all %s, %b into %t, %a split 0 concat 0 {purpose = #ds<purpose state>} : memref<2x4xi32>, memref<8x4xi32> into memref<2x4xi32>, memref<8x4xi32>
  // CHECK: ds.collective_permute %{{.*}} into %{{.*}} from [-1, 0] {group = array<i64: 1, 3>, purpose = #ds<purpose state>} : memref<2x4xi32> into memref<2x4xi32>
  ds.collective_permute %s into %t from [-1, 0] {group = array<i64: 1, 3>, purpose = #ds<purpose state>} : memref<2x4xi32> into memref<2x4xi32>
  return
}

// CHECK-LABEL: func.func private @pending(!ds.pending)
func.func private @pending(!ds.pending)

// CHECK-LABEL: func.func @reshard(
func.func @reshard(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[S:.*]] = ds.reshard %{{.*}} from <partial(sum)> to <sharded(0, 1, 2)> : tensor<8x4xf32>
  %s = ds.reshard %a from <partial(sum)> to <sharded(0, 1, 2)> : tensor<8x4xf32>
  // CHECK: ds.reshard %[[S]] from <sharded(0, 1, 2)> to <replicated> : tensor<8x4xf32>
  %r = ds.reshard %s from <sharded(0, 1, 2)> to <replicated> : tensor<8x4xf32>
  // CHECK: ds.reshard %[[S]] from <sharded(0, 1, 2)> to <sharded(1, 1, 1)> : tensor<8x4xf32>
  %x = ds.reshard %s from <sharded(0, 1, 2)> to <sharded(1, 1, 1)> : tensor<8x4xf32>
  // Blocks of four rows become every second row.
  // CHECK: ds.reshard %{{.*}} from <sharded(0, 1, 4)> to <sharded(0, 4, 1)> : tensor<8x4xf32>
  %y = ds.reshard %a from <sharded(0, 1, 4)> to <sharded(0, 4, 1)> : tensor<8x4xf32>
  // Of nothing every shard is the same.
  %none = tensor.empty() : tensor<0xf32>
  // CHECK: ds.reshard %{{.*}} from <sharded(0, 1, 2)> to <sharded(0, 2, 1)> : tensor<0xf32>
  %z = ds.reshard %none from <sharded(0, 1, 2)> to <sharded(0, 2, 1)> : tensor<0xf32>
  return %r : tensor<8x4xf32>
}

// Attributes by themselves.
// CHECK: test.purpose = #ds<purpose gradient>, test.reduction = #ds<reduction and>
func.func private @attributes() attributes {test.purpose = #ds<purpose gradient>, test.reduction = #ds<reduction and>}

// An empty tensor still is a collective of all ranks.
// CHECK-LABEL: func.func @no_elements(
func.func @no_elements(%a: tensor<0xf32>) -> tensor<0xf32> {
  // CHECK: ds.all_reduce sum %{{.*}} : tensor<0xf32>
  %r = ds.all_reduce sum %a : tensor<0xf32>
  return %r : tensor<0xf32>
}

// CHECK-LABEL: func.func @starts_with_destinations(
func.func @starts_with_destinations(%g: tensor<8x4xf32>, %s: tensor<2x4xf32>, %a: memref<2x4xi32>, %b: memref<8x4xi32>) -> (tensor<2x4xf32>, tensor<8x4xf32>) {
  // CHECK: %[[T:.*]], %[[P:.*]] = ds.reduce_scatter_start sum %{{.*}} into %{{.*}} along 0 : tensor<8x4xf32> into tensor<2x4xf32>
  // CHECK: %[[R:.*]] = ds.wait %[[P]], %[[T]] : tensor<2x4xf32> keeping %{{.*}} : tensor<8x4xf32>
  %t, %p = ds.reduce_scatter_start sum %g into %s along 0 : tensor<8x4xf32> into tensor<2x4xf32>
  %r = ds.wait %p, %t : tensor<2x4xf32> keeping %g : tensor<8x4xf32>
  // CHECK: %[[U:.*]], %[[Q:.*]] = ds.all_gather_start %[[R]] into %{{.*}} along 0 : tensor<2x4xf32> into tensor<8x4xf32>
  // CHECK: ds.wait %[[Q]], %[[U]] : tensor<8x4xf32> keeping %[[R]] : tensor<2x4xf32>
  %u, %q = ds.all_gather_start %r into %g along 0 : tensor<2x4xf32> into tensor<8x4xf32>
  %w = ds.wait %q, %u : tensor<8x4xf32> keeping %r : tensor<2x4xf32>
  // CHECK: %[[M:.*]] = ds.all_gather_start %{{.*}} into %{{.*}} along 0 {group = ["tp"]} : memref<2x4xi32> into memref<8x4xi32>
  // CHECK: ds.wait %[[M]], %{{.*}} : memref<8x4xi32> keeping %{{.*}} : memref<2x4xi32>
  %m = ds.all_gather_start %a into %b along 0 {group = ["tp"]} : memref<2x4xi32> into memref<8x4xi32>
  ds.wait %m, %b : memref<8x4xi32> keeping %a : memref<2x4xi32>
  return %r, %w : tensor<2x4xf32>, tensor<8x4xf32>
}
}

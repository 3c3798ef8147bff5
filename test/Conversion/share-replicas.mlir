// RUN: ds-opt %s -ds-share-replicas -split-input-file | FileCheck %s
// RUN: ds-opt %s -ds-share-replicas -ds-verify-in-flight -split-input-file -o /dev/null
// RUN: ds-opt %s -ds-share-replicas -split-input-file -verify-diagnostics --remarks-filter="ds-share-replicas" --remark-policy=all -o /dev/null

#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#none = affine_map<(i) -> ()>

// Each rank adds the gradients of all for its half, in the order of ranks. The metric still travels.
// CHECK-LABEL: func @adds_gradients_as_it_reads
// CHECK-SAME: %[[W:.*]]: memref<8x16xf32> {ds.param = "w", ds.shared}, %[[M:.*]]: memref<8x16xf32> {ds.shared, ds.state = "m"}
// CHECK-NOT: ds.shared
// CHECK: %[[RANK:.*]] = ds.rank
// CHECK: linalg.generic {{.*}} outs(%[[G:[a-z_0-9]*]] : memref<8x16xf32>)
// CHECK: ds.all_reduce sum %{{.*}} {fusion = 1024 : i64, names = {{\[\[}}"loss"]]} : memref<f32>
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %c64
// CHECK: %[[P0:.*]] = ds.peer %[[G]] {rank = 0 : i64}
// CHECK: %[[C0:.*]] = memref.collapse_shape %[[P0]]
// CHECK: %[[G0:.*]] = memref.subview %[[C0]][%[[FIRST]]] [64] [1]
// CHECK: %[[P1:.*]] = ds.peer %[[G]] {rank = 1 : i64}
// CHECK: %[[C1:.*]] = memref.collapse_shape %[[P1]]
// CHECK: %[[G1:.*]] = memref.subview %[[C1]][%[[FIRST]]] [64] [1]
// CHECK: linalg.generic {{.*}} ins(%[[G0]], %[[G1]] : {{.*}}) outs(%{{.*}}, %{{.*}} : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[OLD:.*]]: f32, %[[SPEED:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[SPEED]], %[[SUM]]
// CHECK: ds.barrier
// CHECK-NEXT: return
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once", arguments=2, bytes=1024, bytesWhole=1024, gradientsAdded=1, private=}}
  func.func @adds_gradients_as_it_reads(%w: memref<8x16xf32> {ds.param = "w"}, %m: memref<8x16xf32> {ds.state = "m"},
      %x: memref<8x16xf32> {ds.batch = 0 : i64}) {
    %g = memref.alloc() : memref<8x16xf32>
    %loss = memref.alloc() : memref<f32>
    linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x16xf32>) outs(%g : memref<8x16xf32>) {
      ^bb0(%a: f32, %out: f32):
        linalg.yield %a : f32
    }
    ds.all_reduce sum %g, %loss {fusion = 1024 : i64, names = [["w"], ["loss"]]} : memref<8x16xf32>, memref<f32>
    linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%g : memref<8x16xf32>) outs(%w, %m : memref<8x16xf32>, memref<8x16xf32>) {
      ^bb0(%d: f32, %old: f32, %speed: f32):
        %faster = arith.addf %speed, %d : f32
        %new = arith.subf %old, %faster : f32
        linalg.yield %new, %faster : f32, f32
    }
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// A norm needs the whole sum, so it is all-reduced; each rank updates its share. Of 100 elements the ranks have 48, 48 and 4.
// CHECK-LABEL: func @norm_needs_the_sum
// CHECK: ds.all_reduce sum %[[G:[a-z_0-9]*]] {names
// CHECK: linalg.generic {{.*}} ins(%[[G]] : memref<100xf32>)
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %c48
// CHECK: %[[FIRST:.*]] = arith.minui %[[BEGIN]], %c100
// CHECK: %[[LEFT:.*]] = arith.subi %c100{{.*}}, %[[FIRST]]
// CHECK: %[[COUNT:.*]] = arith.minui %[[LEFT]], %c48
// CHECK: memref.subview %[[G]][%[[FIRST]]] [%[[COUNT]]] [1]
// CHECK: memref.subview %{{.*}}[%[[FIRST]]] [%[[COUNT]]] [1]
// CHECK-NOT: ds.peer
// CHECK: ds.barrier
module attributes {ds.config = #ds.config<device_num = 3, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once", arguments=1, bytes=400, bytesWhole=400, gradientsAdded=0}}
  func.func @norm_needs_the_sum(%w: memref<100xf32> {ds.param = "w"}) {
    %g = memref.alloc() : memref<100xf32>
    %norm = memref.alloc() : memref<f32>
    ds.all_reduce sum %g {names = [["w"]]} : memref<100xf32>
    linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%g : memref<100xf32>) outs(%norm : memref<f32>) {
      ^bb0(%d: f32, %sum: f32):
        %square = arith.mulf %d, %d : f32
        %next = arith.addf %sum, %square : f32
        linalg.yield %next : f32
    }
    linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]} ins(%g, %norm : memref<100xf32>, memref<f32>) outs(%w : memref<100xf32>) {
      ^bb0(%d: f32, %n: f32, %old: f32):
        %scaled = arith.divf %d, %n : f32
        %new = arith.subf %old, %scaled : f32
        linalg.yield %new : f32
    }
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>

// The backward pass reads the parameter behind the collective, so the ranks meet again before it is written; and before it is read whole
// behind that.
// CHECK-LABEL: func @meets_readers
// CHECK: ds.barrier
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[W:[a-z_0-9]*]] : memref<64xf32>)
// CHECK: ds.barrier
// CHECK: ds.peer
// CHECK: linalg.generic
// CHECK: ds.barrier
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[W]] : memref<64xf32>) outs(%{{.*}} : memref<64xf32>)
// CHECK-NOT: ds.barrier
// CHECK: return
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once", arguments=1, bytes=256, bytesWhole=256, gradientsAdded=1}}
  func.func @meets_readers(%w: memref<64xf32> {ds.param = "w"}, %out: memref<64xf32> {ds.result = 1 : i64}) {
    %g = memref.alloc() : memref<64xf32>
    %dx = memref.alloc() : memref<64xf32>
    ds.all_reduce sum %g {names = [["w"]]} : memref<64xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : memref<64xf32>) outs(%out : memref<64xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%g : memref<64xf32>) outs(%w : memref<64xf32>) {
      ^bb0(%d: f32, %old: f32):
        %new = arith.subf %old, %d : f32
        linalg.yield %new : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : memref<64xf32>) outs(%out : memref<64xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
    }
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// A gradient of another order is read of all ranks by rows of the parameter. 16-bit sums are rounded once, by the all-reduce.
// CHECK-LABEL: func @other_orders
// CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"h"]]} : memref<32xbf16>
// CHECK: ds.peer %[[G:.*]] {rank = 0 : i64} : memref<6x32xf32>
// CHECK-NEXT: memref.subview %{{.*}}[0, %[[FIRST:.*]]] [6, 16] [1, 1] : memref<6x32xf32>
// CHECK: memref.subview %{{.*}}[%[[FIRST]], 0] [16, 6] [1, 1] : memref<32x6xf32>
// CHECK: linalg.generic
// CHECK: memref.subview %{{.*}}[%{{.*}}] [16] [1] : memref<32xbf16>
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once", arguments=2, bytes=832, bytesWhole=832, gradientsAdded=1}}
  func.func @other_orders(%w: memref<32x6xf32> {ds.param = "w"}, %h: memref<32xbf16> {ds.param = "h"}) {
    %g = memref.alloc() : memref<6x32xf32>
    %gh = memref.alloc() : memref<32xbf16>
    ds.all_reduce sum %g {names = [["w"]]} : memref<6x32xf32>
    ds.all_reduce sum %gh {names = [["h"]]} : memref<32xbf16>
    linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]} ins(%g : memref<6x32xf32>) outs(%w : memref<32x6xf32>) {
      ^bb0(%d: f32, %old: f32):
        %new = arith.subf %old, %d : f32
        linalg.yield %new : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%gh : memref<32xbf16>) outs(%h : memref<32xbf16>) {
      ^bb0(%d: bf16, %old: bf16):
        %new = arith.subf %old, %d : bf16
        linalg.yield %new : bf16
    }
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// Private: what is of each rank, what is sharded, what is made otherwise than element by element, and what is made beside that. A state that
// nothing writes is shared.
// CHECK-LABEL: func @private
// CHECK-SAME: ds.param = "own"
// CHECK-NOT: ds.shared
// CHECK-SAME: ds.state = "sum"
// CHECK-NOT: ds.shared
// CHECK-SAME: {ds.shared, ds.state = "frozen"}
// CHECK-NOT: memref.subview
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once", arguments=1, bytes=256, bytesWhole=1028, gradientsAdded=0, private="own, part, beside, sum"}}
  func.func @private(%own: memref<64xf32> {ds.param = "own", ds.layerwise_parallel}, %part: memref<64xf32> {ds.param = "part", ds.sharding = #ds.sharding<[{"dp"}]>},
      %beside: memref<64xf32> {ds.state = "beside"}, %sum: memref<f32> {ds.state = "sum"}, %frozen: memref<64xf32> {ds.state = "frozen"}) {
    %g = memref.alloc() : memref<64xf32>
    ds.all_reduce sum %g {names = [["own"]]} : memref<64xf32>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%frozen : memref<64xf32>) outs(%own, %part : memref<64xf32>, memref<64xf32>) {
      ^bb0(%d: f32, %a: f32, %b: f32):
        linalg.yield %d, %d : f32, f32
    }
    linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction"]} ins(%g : memref<64xf32>) outs(%beside, %sum : memref<64xf32>, memref<f32>) {
      ^bb0(%d: f32, %a: f32, %s: f32):
        %next = arith.addf %s, %d : f32
        linalg.yield %d, %next : f32, f32
    }
    return
  }
}

// -----

#id = affine_map<(i) -> (i)>

// Where nobody has decided, each rank holds all.
// CHECK-LABEL: func @undecided
// CHECK-NOT: ds.shared
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = auto>} {
  func.func @undecided(%w: memref<64xf32> {ds.param = "w"}, %g: memref<64xf32>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%g : memref<64xf32>) outs(%w : memref<64xf32>) {
      ^bb0(%d: f32, %old: f32):
        linalg.yield %d : f32
    }
    return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// A kernel that waits for those who read w reads t whole behind the barrier, so ranks meet once more before t is written.
// CHECK-LABEL: func @reads_behind_its_barrier
// CHECK: ds.barrier
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[W:[a-z_0-9]*]] : memref<8x8xf32>)
// CHECK: ds.barrier
// CHECK: %[[T_READ:.*]] = memref.subview %[[T:[a-z_0-9]*]]
// CHECK-NEXT: %[[W_SHARE:.*]] = memref.subview %[[W]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[T_READ]] : {{.*}}) outs(%[[W_SHARE]] :
// CHECK: memref.collapse_shape %[[T]]
// CHECK-NEXT: ds.barrier
// CHECK: linalg.generic
// CHECK: ds.barrier
// CHECK-NEXT: return
module attributes {ds.config = #ds.config<device_num = 2, shared_replicas = on>} {
  // expected-remark @below {{ranks hold parameters and states once}}
  func.func @reads_behind_its_barrier(%w: memref<8x8xf32> {ds.param = "w"}, %t: memref<8x8xf32> {ds.param = "t"},
                                      %out: memref<8x8xf32> {ds.result = 1 : i64}) {
    %g = memref.alloc() : memref<8x8xf32>
    ds.all_reduce sum %g {names = [["w"]]} : memref<8x8xf32>
    linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%w : memref<8x8xf32>) outs(%out : memref<8x8xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
    }
    linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%t : memref<8x8xf32>) outs(%w : memref<8x8xf32>) {
      ^bb0(%a: f32, %old: f32):
        %new = arith.subf %old, %a : f32
        linalg.yield %new : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : memref<8x8xf32>) outs(%t : memref<8x8xf32>) {
      ^bb0(%d: f32, %old: f32):
        %new = arith.subf %old, %d : f32
        linalg.yield %new : f32
    }
    return
  }
}

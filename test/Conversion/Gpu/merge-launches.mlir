// RUN: ds-opt %s --split-input-file --ds-map-kernels --ds-merge-launches | FileCheck %s

// Kernels that do not depend on one another: one launch, whose blocks are divided. A promise not to overlap stays.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step(%[[L:[a-z0-9]*]]: !llvm.ptr {ds.library}, %{{[a-z0-9]*}}: memref<0xi8> {ds.arena}, %[[X:[a-z0-9]*]]: memref<600xf32>, %[[Y:[a-z0-9]*]]: memref<600xf32>, %[[Z:[a-z0-9]*]]: memref<300xf32>)
// CHECK-NEXT: call @[[BOTH:merged_[0-9a-f]+]](%[[L]], %[[X]], %[[Y]], %[[Z]])
// CHECK-NEXT: return
func.func @step(%x: memref<600xf32>, %y: memref<600xf32>, %z: memref<300xf32>) {
  call @move(%x, %y) : (memref<600xf32>, memref<600xf32>) -> ()
  call @double(%z) : (memref<300xf32>) -> ()
  return
}
// CHECK-NOT: @move
// CHECK: gpu.func @[[BOTH]](%[[X:[a-z0-9]*]]: memref<600xf32> {llvm.align = 16 : i64, llvm.noalias}, %[[Y:[a-z0-9]*]]: memref<600xf32> {llvm.align = 16 : i64, llvm.noalias}, %[[Z:[a-z0-9]*]]: memref<300xf32> {llvm.align = 16 : i64})
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 5, 1, 1>
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %[[THREE]]
// CHECK: scf.if %[[FIRST]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: else
// CHECK: arith.subi %[[BLOCK]]
// CHECK: memref.store %{{.*}}, %[[Z]]
// CHECK-NOT: gpu.func
// CHECK: func.func private @[[BOTH]](!llvm.ptr, memref<600xf32>, memref<600xf32>, memref<300xf32>) attributes {ds.launches = [{kernel = "[[BOTH]]", scheme = "merged", shape = array<i64: 5, 256, 1>
func.func private @move(%x: memref<600xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<600xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @double(%x: memref<300xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<300xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A kernel of several blocks waits for another launch where it writes what one before it reads,
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step
// CHECK-COUNT-2: call @move(
// CHECK-NOT: call
func.func @step(%x: memref<600xf32>, %y: memref<600xf32>, %z: memref<600xf32>) {
  call @move(%x, %y) : (memref<600xf32>, memref<600xf32>) -> ()
  call @move(%z, %x) : (memref<600xf32>, memref<600xf32>) -> ()
  return
}
func.func private @move(%x: memref<600xf32>, %y: memref<600xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<600xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// or reads what one before it writes. What is in the same bytes of the arena is the same memory.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step
// CHECK-COUNT-2: call @move(
// CHECK-NOT: call
func.func @step(%arena: memref<8192xi8> {ds.arena}, %x: memref<600xf32>, %y: memref<600xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] : memref<8192xi8> to memref<600xf32>
  call @move(%x, %a) : (memref<600xf32>, memref<600xf32>) -> ()
  %c1 = arith.constant 2399 : index
  %b = memref.view %arena[%c1][] : memref<8192xi8> to memref<600xf32>
  call @move(%b, %y) : (memref<600xf32>, memref<600xf32>) -> ()
  return
}
func.func private @move(%x: memref<600xf32>, %y: memref<600xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<600xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Bytes behind: nothing in common, and so one launch.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step
// CHECK: call @merged_
// CHECK-NOT: call
func.func @step(%arena: memref<8192xi8> {ds.arena}, %x: memref<600xf32>, %y: memref<600xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] : memref<8192xi8> to memref<600xf32>
  call @move(%x, %a) : (memref<600xf32>, memref<600xf32>) -> ()
  %c1 = arith.constant 2400 : index
  %b = memref.view %arena[%c1][] : memref<8192xi8> to memref<600xf32>
  call @move(%b, %y) : (memref<600xf32>, memref<600xf32>) -> ()
  return
}
func.func private @move(%x: memref<600xf32>, %y: memref<600xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<600xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Kernels of one block that depend on one another run in one, behind barriers, and promise nothing. One thread does what one thread did;
// columns find their thread.
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
#none = affine_map<() -> ()>
#to_none = affine_map<(i) -> ()>
// CHECK: func.func @step(%[[L:[a-z0-9]*]]: !llvm.ptr {ds.library}, %{{[a-z0-9]*}}: memref<0xi8> {ds.arena}, %[[X:[a-z0-9]*]]: memref<40x20xf32>, %[[Y:[a-z0-9]*]]: memref<20xf32>, %[[Z:[a-z0-9]*]]: memref<f32>)
// CHECK-NEXT: call @merged_{{[0-9a-f]+}}(%[[L]], %[[X]], %[[Y]], %[[Z]])
// CHECK-NEXT: return
func.func @step(%x: memref<40x20xf32>, %y: memref<20xf32>, %z: memref<f32>) {
  call @columns(%x, %y) : (memref<40x20xf32>, memref<20xf32>) -> ()
  call @total(%y, %z) : (memref<20xf32>, memref<f32>) -> ()
  call @half(%z) : (memref<f32>) -> ()
  return
}
// CHECK: gpu.func @merged_{{[0-9a-f]+}}(%{{[a-z0-9]*}}: memref<40x20xf32> {llvm.align = 16 : i64}, %[[Y:[a-z0-9]*]]: memref<20xf32> {llvm.align = 16 : i64}, %[[Z:[a-z0-9]*]]: memref<f32> {llvm.align = 16 : i64})
// CHECK-SAME: workgroup(%{{.*}}: memref<8x32xf32, #gpu.address_space<workgroup>>)
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG: arith.remui %[[THREAD]]
// CHECK-DAG: arith.divui %[[THREAD]]
// CHECK-NOT: gpu.thread_id
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[Y]]
// CHECK: memref.store %{{.*}}, %[[Z]]
// CHECK: gpu.barrier
// CHECK: arith.cmpi eq, %[[THREAD]]
// CHECK-NEXT: scf.if
// CHECK: memref.load %[[Z]]
// CHECK: memref.store %{{.*}}, %[[Z]]
// CHECK-NOT: gpu.barrier
func.func private @columns(%x: memref<40x20xf32> {llvm.noalias}, %y: memref<20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<40x20xf32>) outs(%y : memref<20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @total(%y: memref<20xf32> {llvm.noalias}, %z: memref<f32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #to_none], iterator_types = ["reduction"]} ins(%y : memref<20xf32>) outs(%z : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @half(%z: memref<f32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#none], iterator_types = []} outs(%z : memref<f32>) {
  ^bb0(%a: f32):
    %h = arith.constant 0.5 : f32
    %s = arith.mulf %a, %h : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Rounds of one thread after another: 64 in one block, not 65.
#row = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step
// CHECK: call @merged_
// CHECK-NEXT: call @more
// CHECK-NOT: call
func.func @step(%a: memref<4x32xf32>, %b: memref<4xf32>) {
  call @rows(%a, %b) : (memref<4x32xf32>, memref<4xf32>) -> ()
  call @rows(%a, %b) : (memref<4x32xf32>, memref<4xf32>) -> ()
  call @more(%b) : (memref<4xf32>) -> ()
  return
}
func.func private @rows(%x: memref<4x32xf32>, %y: memref<4xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x32xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @more(%x: memref<4xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Products run as soon as they can, kernels when a product waits for one; nothing moves across an exchange. A kernel of 1,056 blocks stays
// alone, one of fewer does not.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step
// CHECK: call @contraction_0
// CHECK-NEXT: call @large
// CHECK-NEXT: call @merged_
// CHECK-NEXT: call @contraction_0
// CHECK-NEXT: call @exchange
// CHECK-NEXT: call @small
// CHECK-NEXT: return
func.func @step(%library: !llvm.ptr {ds.library}, %p: memref<64xf32>, %q: memref<64xf32>, %r: memref<64xf32>, %s: memref<64xf32>, %big: memref<1081344xf32>, %less: memref<1080320xf32>) {
  call @small(%p) : (memref<64xf32>) -> ()
  call @contraction_0(%library, %q, %q, %r) : (!llvm.ptr, memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @large(%big) : (memref<1081344xf32>) -> ()
  call @smaller(%less) : (memref<1080320xf32>) -> ()
  call @contraction_0(%library, %p, %r, %s) : (!llvm.ptr, memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  call @exchange(%s) : (memref<64xf32>) -> ()
  call @small(%q) : (memref<64xf32>) -> ()
  return
}
func.func private @contraction_0(!llvm.ptr, memref<64xf32>, memref<64xf32>, memref<64xf32>) attributes {ds.contraction = {}}
func.func private @exchange(memref<64xf32>) attributes {ds.collective = {}}
func.func private @small(%x: memref<64xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<64xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @large(%x: memref<1081344xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<1081344xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @smaller(%x: memref<1080320xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<1080320xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Threads that meet their own elements alone do not wait for one another, also where one kernel counts rows and columns of what the other
// counts through.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
// CHECK: gpu.func @merged_
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @step(%x: memref<20xf32>, %y: memref<4x5xf32>, %z: memref<4x5xf32>, %r: memref<5xf32>) {
  %flat = memref.collapse_shape %y [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  call @move(%x, %flat) : (memref<20xf32>, memref<20xf32>) -> ()
  call @add_row(%y, %r, %z) : (memref<4x5xf32>, memref<5xf32>, memref<4x5xf32>) -> ()
  return
}
func.func private @move(%x: memref<20xf32>, %y: memref<20xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<20xf32>) outs(%y : memref<20xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @add_row(%x: memref<4x5xf32>, %r: memref<5xf32>, %y: memref<4x5xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %r : memref<4x5xf32>, memref<5xf32>) outs(%y : memref<4x5xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Those that read what is elsewhere do: columns for rows, or under another condition.
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#v = affine_map<(i) -> (i)>
// CHECK: gpu.func @merged_
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.return
func.func @step(%x: memref<4x5xf32>, %y: memref<4x5xf32>, %z: memref<5x4xf32>, %w: memref<12xf32>) {
  call @move(%x, %y) : (memref<4x5xf32>, memref<4x5xf32>) -> ()
  call @turn(%y, %z) : (memref<4x5xf32>, memref<5x4xf32>) -> ()
  %flat = memref.collapse_shape %z [[0, 1]] : memref<5x4xf32> into memref<20xf32>
  %few = memref.reinterpret_cast %flat to offset: [0], sizes: [12], strides: [1] : memref<20xf32> to memref<12xf32>
  call @few(%few, %w) : (memref<12xf32>, memref<12xf32>) -> ()
  return
}
func.func private @move(%x: memref<4x5xf32>, %y: memref<4x5xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x5xf32>) outs(%y : memref<4x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @turn(%x: memref<4x5xf32>, %y: memref<5x4xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x5xf32>) outs(%y : memref<5x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @few(%x: memref<12xf32>, %y: memref<12xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<12xf32>) outs(%y : memref<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

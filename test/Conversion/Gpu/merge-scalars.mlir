// RUN: ds-opt %s --ds-merge-scalars | FileCheck %s

// Two kernels of one point and a view between them: one kernel, in the same order, whose buffers may overlap.
#none = affine_map<() -> ()>
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step(%[[A:.*]]: memref<64xi8>, %[[X:.*]]: memref<f32>, %[[Y:.*]]: memref<8xf32>)
// CHECK: %[[VIEW:.*]] = memref.view %[[A]]
// CHECK-NOT: call @double
// CHECK: call @[[BOTH:kernel_.*]](%[[X]], %[[VIEW]]) : (memref<f32>, memref<f32>) -> ()
// A kernel of many points, and one behind it, stay.
// CHECK: call @fill(%[[Y]])
// CHECK: call @double(%[[X]])
// CHECK: return
func.func @step(%arena: memref<64xi8>, %x: memref<f32>, %y: memref<8xf32>) {
  call @double(%x) : (memref<f32>) -> ()
  %c0 = arith.constant 0 : index
  %view = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  call @move(%x, %view) : (memref<f32>, memref<f32>) -> ()
  call @fill(%y) : (memref<8xf32>) -> ()
  call @double(%x) : (memref<f32>) -> ()
  return
}
// CHECK: func.func private @double
// CHECK-NOT: func.func private @move
// CHECK: func.func private @[[BOTH]](%{{[a-z0-9]*}}: memref<f32>, %{{[a-z0-9]*}}: memref<f32>) attributes {ds.kernel}
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-NOT: arith.addf
func.func private @double(%x: memref<f32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#none], iterator_types = []} outs(%x : memref<f32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @move(%x: memref<f32> {llvm.noalias}, %y: memref<f32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%x : memref<f32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @fill(%x: memref<8xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}

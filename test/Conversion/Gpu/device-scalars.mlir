// RUN: ds-opt %s --ds-device-scalars --split-input-file | FileCheck %s

// A scalar is copied where it is read, to memory behind the arena; the kernel computes from the copy.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step(%[[ARENA:.*]]: memref<128xi8> {ds.arena}, %[[FLAG:.*]]: memref<i8>, %[[X:.*]]: memref<8xf32>)
// CHECK: %[[COPY:.*]] = memref.view %[[ARENA]][%c64][] : memref<128xi8> to memref<i8>
// CHECK: call @[[READ:kernel_.*]](%[[FLAG]], %[[COPY]])
// CHECK-NOT: memref.load
// CHECK: call @[[SCALE:kernel_.*]](%[[X]], %[[COPY]]) : (memref<8xf32>, memref<i8>) -> ()
// CHECK: return
func.func @step(%arena: memref<64xi8> {ds.arena}, %flag: memref<i8>, %x: memref<8xf32>) {
  %0 = memref.load %flag[] : memref<i8>
  %1 = arith.trunci %0 : i8 to i1
  call @scale(%x, %1) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK: func.func private @[[READ]]
// CHECK: linalg.generic
// CHECK: memref.load
// CHECK: func.func private @[[SCALE]](%{{.*}}: memref<8xf32> {llvm.noalias}, %[[FLAG:.*]]: memref<i8>) attributes {ds.kernel}
// CHECK: %[[LOADED:.*]] = memref.load %[[FLAG]][] : memref<i8>
// CHECK: %[[TRUE:.*]] = arith.trunci %[[LOADED]] : i8 to i1
// CHECK: linalg.generic
// CHECK: arith.select %[[TRUE]]
func.func private @scale(%x: memref<8xf32> {llvm.noalias}, %yes: i1) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    %double = arith.addf %a, %a : f32
    %s = arith.select %yes, %double, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A store is a kernel, too; what loops count stays with the host.
// CHECK: func.func @step(%[[ARENA:.*]]: memref<64xi8> {ds.arena}, %[[X:.*]]: memref<8xi32>)
// CHECK: scf.for %[[I:[a-z0-9]*]] =
// CHECK: %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: call @[[STORE:kernel_.*]](%[[X]], %[[I]], %[[N]]) : (memref<8xi32>, index, i32) -> ()
// CHECK-NOT: memref.store
// CHECK: func.func private @[[STORE]]
// CHECK: memref.subview
// CHECK: linalg.yield
func.func @step(%arena: memref<64xi8> {ds.arena}, %x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %x[%i] : memref<8xi32>
  }
  return
}

// -----

// Both ways of a branch are called, each with a word that says whether it is taken.
// CHECK-LABEL: func.func @branch
// CHECK: %[[THEN:.*]] = memref.view {{.*}} to memref<i32>
// CHECK: call @{{.*}}(%[[THEN]],
// CHECK: call @[[ONE:kernel_.*]](%[[X:.*]], %[[THEN]]) : (memref<8xf32>, memref<i32>) -> ()
// CHECK: %[[ELSE:.*]] = memref.view {{.*}} to memref<i32>
// CHECK: call @{{.*}}(%[[ELSE]],
// CHECK: %[[KEPT:.*]] = memref.view {{.*}} to memref<8x8xf32>
// CHECK: call @{{.*}}(%[[OUT:.*]], %[[KEPT]])
// CHECK: call @product
// CHECK: call @{{.*}}(%[[KEPT]], %[[OUT]], %{{.*}}) : (memref<8x8xf32>, memref<8x8xf32>, memref<i32>) -> ()
// CHECK-NOT: scf.if
// CHECK: return
// CHECK: func.func private @[[ONE]](%{{.*}}: memref<8xf32>, %{{.*}}: memref<i32> {ds.guard})
func.func @branch(%flag: memref<i1>, %x: memref<8xf32>, %a: memref<8x8xf32>) {
  %0 = memref.load %flag[] : memref<i1>
  scf.if %0 {
    func.call @ones(%x) : (memref<8xf32>) -> ()
  } else {
    func.call @product(%a, %a) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }
  return
}
func.func private @product(memref<8x8xf32>, memref<8x8xf32>) attributes {ds.contraction}
func.func private @ones(%x: memref<8xf32>) attributes {ds.kernel} {
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %one : f32
  }
  return
}

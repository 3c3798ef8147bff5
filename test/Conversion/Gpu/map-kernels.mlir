// RUN: ds-opt %s --ds-map-kernels --split-input-file | FileCheck %s

// The driver calls a kernel as before, with the library's state in front.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step(%[[LIBRARY:.*]]: !llvm.ptr {ds.library}
// CHECK: call @flat_4(%[[LIBRARY]], %{{.*}}, %{{.*}}, %{{.*}})
func.func @step(%x: memref<32x32xf32>, %y: memref<32xf32>, %z: memref<32x32xf32>) {
  call @flat_4(%x, %y, %z) : (memref<32x32xf32>, memref<32xf32>, memref<32x32xf32>) -> ()
  return
}
// 1024 points: four by a thread, as vectors where they lie side by side.
// CHECK: func.func private @flat_4(!llvm.ptr, memref<32x32xf32>, memref<32xf32>, memref<32x32xf32>)
// CHECK-SAME: kernel = "flat_4", scheme = "flat4", shape = array<i64: 1, 256, 1>
// CHECK: gpu.func @flat_4
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<32x32xf32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}
// CHECK-NOT: scf.if
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<32x32xf32>, vector<4xf32>
// CHECK: memref.load %{{.*}} : memref<32xf32>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64}
func.func private @flat_4(%x: memref<32x32xf32> {llvm.noalias}, %y: memref<32xf32> {llvm.noalias}, %z: memref<32x32xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<32x32xf32>, memref<32xf32>) outs(%z : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Fewer points, or rows of another length, are narrower.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
func.func @step() { return }
// CHECK: @flat_1(!llvm.ptr, {{.*}}scheme = "flat1", shape = array<i64: 4, 256, 1>
// CHECK: @flat_2(!llvm.ptr, {{.*}}scheme = "flat2", shape = array<i64: 3, 256, 1>
// CHECK: @transposed(!llvm.ptr, {{.*}}scheme = "flat4"
// CHECK: @scalar(!llvm.ptr, {{.*}}scheme = "scalar", shape = array<i64: 1, 1, 1>
// CHECK: gpu.func @flat_1
// CHECK: %[[POINTS:.*]] = arith.constant 1023 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[POINTS]]
// CHECK: scf.if
func.func private @flat_1(%x: memref<1023xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<1023xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @flat_2(%x: memref<103x10xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : memref<103x10xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
// What does not lie side by side is read element by element.
// CHECK: gpu.func @transposed
// CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load
// CHECK: vector.store
func.func private @transposed(%x: memref<32x64xf32>, %y: memref<64x32xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<32x64xf32>) outs(%y : memref<64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @scalar(%x: memref<1xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["reduction"]} outs(%x : memref<1xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Reductions at each threshold and one beside it.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @step() { return }
// CHECK: @rows_32(!llvm.ptr, {{.*}}scheme = "serial", shape = array<i64: 1, 256, 1>
func.func private @rows_32(%x: memref<64x32xf32>, %y: memref<64xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x32xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
// CHECK: @rows_33(!llvm.ptr, {{.*}}scheme = "warp", shape = array<i64: 8, 256, 1>
func.func private @rows_33(%x: memref<64x33xf32>, %y: memref<64xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x33xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
// CHECK: @rows_4097(!llvm.ptr, {{.*}}scheme = "block", shape = array<i64: 64, 256, 1>
func.func private @rows_4097(%x: memref<64x4097xf32>, %y: memref<64xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x4097xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
// CHECK: @columns(!llvm.ptr, {{.*}}scheme = "column", shape = array<i64: 3, 32, 8>
func.func private @columns(%x: memref<33x65xf32>, %y: memref<65xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<33x65xf32>) outs(%y : memref<65xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = llvm.intr.maximum(%b, %a) : (f32, f32) -> f32
    linalg.yield %s : f32
  }
  return
}
// Partial results that cannot be combined: each depends on the one before.
// CHECK: @chain(!llvm.ptr, {{.*}}scheme = "serial"
func.func private @chain(%x: memref<64x33xf32>, %y: memref<64xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x33xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Few results of many rounds: slices, in scratch memory behind the arena, and a second kernel.
#v = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
// CHECK: func.func @step(%[[LIBRARY:.*]]: !llvm.ptr {ds.library}, %[[ARENA:.*]]: memref<192xi8> {ds.arena}
// CHECK: %[[AT:.*]] = arith.constant 128 : index
// CHECK: %[[SCRATCH:.*]] = memref.view %[[ARENA]][%[[AT]]][] : memref<192xi8> to memref<16x1xf32>
// CHECK: call @long(%[[LIBRARY]], %{{.*}}, %{{.*}}, %[[SCRATCH]])
func.func @step(%arena: memref<100xi8> {ds.arena}, %x: memref<32768xf32>, %y: memref<f32>) {
  call @long(%x, %y) : (memref<32768xf32>, memref<f32>) -> ()
  return
}
// CHECK: @long(!llvm.ptr, {{.*}}kernel = "long_part", scheme = "split-block", shape = array<i64: 16, 256, 1>
// CHECK-SAME: kernel = "long_join", scheme = "split-join", shape = array<i64: 1, 256, 1>
// CHECK: @shorter(!llvm.ptr, {{.*}}scheme = "block"
func.func private @long(%x: memref<32768xf32>, %y: memref<f32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #none], iterator_types = ["reduction"]} ins(%x : memref<32768xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @shorter(%x: memref<32767xf32>, %y: memref<f32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v, #none], iterator_types = ["reduction"]} ins(%x : memref<32767xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// An assertion is a word for each block, which the host reads; a kernel may have nothing else.
#v = affine_map<(i) -> (i)>
// CHECK: func.func @step(%[[LIBRARY:.*]]: !llvm.ptr {ds.library}, %[[ARENA:.*]]: memref<64xi8> {ds.arena}
// CHECK-SAME: ds.assertions = {bytes = 64 : i64, messages = ["index out of range"], offset = 0 : i64}
// CHECK: %[[WORDS:.*]] = memref.view %[[ARENA]][%c0][] : memref<64xi8> to memref<2xi32>
// CHECK: call @check(%[[LIBRARY]], %{{.*}}, %[[WORDS]])
func.func @step(%x: memref<300xi32>) {
  call @check(%x) : (memref<300xi32>) -> ()
  return
}
// CHECK: gpu.func @check(%{{.*}}: memref<300xi32> {{.*}}, %[[WORD:.*]]: memref<2xi32>)
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge
// CHECK: %[[FAILS:.*]] = arith.xori %[[HOLDS]]
// CHECK: scf.if %[[FAILS]]
// CHECK: %[[NUMBER:.*]] = arith.constant 1 : i32
// CHECK: memref.store %[[NUMBER]], %[[WORD]][%{{.*}}]
func.func private @check(%x: memref<300xi32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} ins(%x : memref<300xi32>) {
  ^bb0(%a: i32):
    %zero = arith.constant 0 : i32
    %holds = arith.cmpi sge, %a, %zero : i32
    cf.assert %holds, "index out of range"
    linalg.yield
  }
  return
}

// RUN: ds-opt %s --split-input-file --ds-chain-rows | FileCheck %s
// RUN: ds-opt %s --split-input-file --ds-chain-rows --ds-map-kernels | FileCheck %s --check-prefix=MAP

// A sum of each row, and what every element of the row makes of it: a block goes through the parts, and its threads meet between them. What is only
// read keeps its promise not to overlap; what is written is read by other threads.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step(%[[X:[a-z0-9]*]]: memref<600x20xf32>, %[[Y:[a-z0-9]*]]: memref<600xf32>, %[[Z:[a-z0-9]*]]: memref<600x20xf32>)
// CHECK-NEXT: call @[[CHAIN:kernel_[0-9a-f]+]](%[[Y]], %[[X]], %[[Z]])
// CHECK-NEXT: return
// CHECK-NOT: @sum
// CHECK: func.func private @[[CHAIN]](%[[Y:[a-z0-9]*]]: memref<600xf32>, %[[X:[a-z0-9]*]]: memref<600x20xf32> {llvm.noalias}, %[[Z:[a-z0-9]*]]: memref<600x20xf32>) attributes {ds.kernel, ds.rows = 600 : i64}
// CHECK: linalg.generic {{.*}}["parallel"]} outs(%[[Y]]
// CHECK: gpu.barrier
// CHECK-NEXT: linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[X]] {{.*}} outs(%[[Y]]
// CHECK: gpu.barrier
// CHECK-NEXT: linalg.generic {{.*}}["parallel", "parallel"]} ins(%[[X]], %[[Y]] {{.*}} outs(%[[Z]]
// CHECK-NOT: gpu.barrier

// 32 rows in each of 19 blocks: 32 threads set sums to 0 and add 20 values each, 160 threads write four elements each.
// MAP: {kernel = "kernel_{{[0-9a-f]+}}", scheme = "rows", shape = array<i64: 19, 256, 1>, thread_rounds = 25 : i64}
func.func @step(%x: memref<600x20xf32>, %y: memref<600xf32>, %z: memref<600x20xf32>) {
  call @zero(%y) : (memref<600xf32>) -> ()
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @less(%x, %y, %z) : (memref<600x20xf32>, memref<600xf32>, memref<600x20xf32>) -> ()
  return
}
func.func private @zero(%y: memref<600xf32>) attributes {ds.kernel} {
  %c = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%y : memref<600xf32>) {
  ^bb0(%b: f32):
    linalg.yield %c : f32
  }
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}, %z: memref<600x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<600x20xf32>, memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Rows of one loop and rows of two are the same where each begins in the same byte,
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK: call @kernel_
// CHECK-NEXT: return
func.func @step(%arena: memref<65536xi8> {ds.arena}, %y: memref<600xf32>) {
  %c = arith.constant 64 : index
  %x = memref.view %arena[%c][] : memref<65536xi8> to memref<600x20xf32>
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  %v = memref.view %arena[%c][] : memref<65536xi8> to memref<12000xf32>
  call @flat(%v) : (memref<12000xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @flat(%x: memref<12000xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<12000xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// and not where one begins four bytes on: its last element is that of another row.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK: call @sum
// CHECK-NEXT: call @flat
// CHECK-NEXT: return
func.func @step(%arena: memref<65536xi8> {ds.arena}, %y: memref<600xf32>) {
  %c = arith.constant 64 : index
  %x = memref.view %arena[%c][] : memref<65536xi8> to memref<600x20xf32>
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  %d = arith.constant 68 : index
  %v = memref.view %arena[%d][] : memref<65536xi8> to memref<12000xf32>
  call @flat(%v) : (memref<12000xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @flat(%x: memref<12000xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<12000xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A row that reads another row waits for all of them. So do columns.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#reversed = affine_map<(i, j) -> (599 - i)>
// CHECK: func.func @step
// CHECK-NEXT: call @sum
// CHECK-NEXT: call @backwards
// CHECK-NEXT: call @columns
// CHECK-NEXT: return
func.func @step(%x: memref<600x20xf32>, %y: memref<600xf32>, %z: memref<600x20xf32>, %c: memref<20xf32>) {
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @backwards(%y, %z) : (memref<600xf32>, memref<600x20xf32>) -> ()
  call @columns(%z, %c) : (memref<600x20xf32>, memref<20xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @backwards(%y: memref<600xf32>, %z: memref<600x20xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#reversed, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
func.func private @columns(%x: memref<600x20xf32>, %y: memref<20xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<600x20xf32>) outs(%y : memref<20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// What a chain writes where another row still reads is in the way, too: %z and %x are one buffer, but for a row.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK: call @sum
// CHECK-NEXT: call @less
// CHECK-NEXT: return
func.func @step(%arena: memref<65536xi8> {ds.arena}, %y: memref<600xf32>) {
  %c = arith.constant 0 : index
  %x = memref.view %arena[%c][] : memref<65536xi8> to memref<600x20xf32>
  %d = arith.constant 80 : index
  %z = memref.view %arena[%d][] : memref<65536xi8> to memref<600x20xf32>
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @less(%x, %y, %z) : (memref<600x20xf32>, memref<600xf32>, memref<600x20xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}, %z: memref<600x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<600x20xf32>, memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Calls in between go before the chain, or behind it where they need it.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step(%[[L:[a-z0-9]*]]: !llvm.ptr {ds.library}, %[[X:[a-z0-9]*]]: memref<600x20xf32>, %[[Y:[a-z0-9]*]]: memref<600xf32>, %[[Z:[a-z0-9]*]]: memref<600x20xf32>, %[[C:[a-z0-9]*]]: memref<20xf32>, %[[P:[a-z0-9]*]]: memref<600x20xf32>
// CHECK-NEXT: call @flat
// CHECK-NEXT: call @kernel_{{[0-9a-f]+}}(%[[X]], %[[Y]], %[[Z]])
// CHECK-NEXT: call @product(%[[L]], %[[Y]], %[[C]], %[[P]])
// CHECK-NEXT: return
func.func @step(%l: !llvm.ptr {ds.library}, %x: memref<600x20xf32>, %y: memref<600xf32>, %z: memref<600x20xf32>, %c: memref<20xf32>, %p: memref<600x20xf32>, %f: memref<12000xf32>) {
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @product(%l, %y, %c, %p) : (!llvm.ptr, memref<600xf32>, memref<20xf32>, memref<600x20xf32>) -> ()
  call @flat(%f) : (memref<12000xf32>) -> ()
  call @less(%x, %y, %z) : (memref<600x20xf32>, memref<600xf32>, memref<600x20xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}, %z: memref<600x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<600x20xf32>, memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @flat(%x: memref<12000xf32>) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%x : memref<12000xf32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @product(!llvm.ptr, memref<600xf32>, memref<20xf32>, memref<600x20xf32>) attributes {ds.contraction}

// -----

// A product that needs a part, and that another part needs, comes between two launches.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK-NEXT: call @sum
// CHECK-NEXT: call @product
// CHECK-NEXT: call @less
// CHECK-NEXT: return
func.func @step(%l: !llvm.ptr {ds.library}, %y: memref<600xf32>, %z: memref<600x20xf32>, %c: memref<20xf32>, %p: memref<600x20xf32>, %x: memref<600x20xf32>) {
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @product(%l, %y, %c, %p) : (!llvm.ptr, memref<600xf32>, memref<20xf32>, memref<600x20xf32>) -> ()
  call @less(%p, %y, %z) : (memref<600x20xf32>, memref<600xf32>, memref<600x20xf32>) -> ()
  return
}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}, %z: memref<600x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<600x20xf32>, memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @product(!llvm.ptr, memref<600xf32>, memref<20xf32>, memref<600x20xf32>) attributes {ds.contraction}

// -----

// Nothing moves across an exchange.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK-NEXT: call @sum
// CHECK-NEXT: call @exchange
// CHECK-NEXT: call @less
func.func @step(%x: memref<600x20xf32>, %y: memref<600xf32>, %z: memref<600x20xf32>) {
  call @sum(%x, %y) : (memref<600x20xf32>, memref<600xf32>) -> ()
  call @exchange() : () -> ()
  call @less(%x, %y, %z) : (memref<600x20xf32>, memref<600xf32>, memref<600x20xf32>) -> ()
  return
}
func.func private @exchange() attributes {ds.collective}
func.func private @sum(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<600x20xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<600x20xf32> {llvm.noalias}, %y: memref<600xf32> {llvm.noalias}, %z: memref<600x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<600x20xf32>, memref<600xf32>) outs(%z : memref<600x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Kernels of one block each are left to ds-merge-launches, which lets them follow one another whatever they read.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK: func.func @step
// CHECK-NEXT: call @zero
// CHECK-NEXT: call @sum
// CHECK-NEXT: call @less
func.func @step(%x: memref<12x20xf32>, %y: memref<12xf32>, %z: memref<12x20xf32>) {
  call @zero(%y) : (memref<12xf32>) -> ()
  call @sum(%x, %y) : (memref<12x20xf32>, memref<12xf32>) -> ()
  call @less(%x, %y, %z) : (memref<12x20xf32>, memref<12xf32>, memref<12x20xf32>) -> ()
  return
}
func.func private @zero(%y: memref<12xf32>) attributes {ds.kernel} {
  %c = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%y : memref<12xf32>) {
  ^bb0(%b: f32):
    linalg.yield %c : f32
  }
  return
}
func.func private @sum(%x: memref<12x20xf32> {llvm.noalias}, %y: memref<12xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<12x20xf32>) outs(%y : memref<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<12x20xf32> {llvm.noalias}, %y: memref<12xf32> {llvm.noalias}, %z: memref<12x20xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<12x20xf32>, memref<12xf32>) outs(%z : memref<12x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A warp adds 40 values; the last block has fewer rows than the others, which its threads ask.
#v = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// MAP: scheme = "rows", shape = array<i64: 265, 256, 1>, thread_rounds = 7 : i64
// MAP: gpu.func @kernel_{{[0-9a-f]+}}(%[[Y:[a-z0-9]*]]: memref<2115xf32> {llvm.align = 16 : i64}, %[[X:[a-z0-9]*]]: memref<2115x40xf32> {llvm.align = 16 : i64, llvm.noalias}, %[[Z:[a-z0-9]*]]: memref<2115x40xf32> {llvm.align = 16 : i64})
// MAP: arith.minui
// MAP: scf.if
// MAP: memref.store %{{.*}}, %[[Y]]
// MAP: gpu.barrier
// MAP: arith.minui
// MAP: scf.if
// MAP: gpu.shuffle xor
// MAP: memref.store %{{.*}}, %[[Y]]
// MAP: gpu.barrier
// MAP: arith.minui
// MAP: vector.load %[[X]]
// MAP: vector.store %{{.*}}, %[[Z]]
// MAP: gpu.return
func.func @step(%x: memref<2115x40xf32>, %y: memref<2115xf32>, %z: memref<2115x40xf32>) {
  call @zero(%y) : (memref<2115xf32>) -> ()
  call @sum(%x, %y) : (memref<2115x40xf32>, memref<2115xf32>) -> ()
  call @less(%x, %y, %z) : (memref<2115x40xf32>, memref<2115xf32>, memref<2115x40xf32>) -> ()
  return
}
func.func private @zero(%y: memref<2115xf32>) attributes {ds.kernel} {
  %c = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%y : memref<2115xf32>) {
  ^bb0(%b: f32):
    linalg.yield %c : f32
  }
  return
}
func.func private @sum(%x: memref<2115x40xf32> {llvm.noalias}, %y: memref<2115xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<2115x40xf32>) outs(%y : memref<2115xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @less(%x: memref<2115x40xf32> {llvm.noalias}, %y: memref<2115xf32> {llvm.noalias}, %z: memref<2115x40xf32> {llvm.noalias}) attributes {ds.kernel} {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<2115x40xf32>, memref<2115xf32>) outs(%z : memref<2115x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

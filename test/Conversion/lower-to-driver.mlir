// RUN: ds-opt %s -ds-lower-to-driver | FileCheck %s

// Kernels and contractions are the same functions when each gradient travels alone.
// RUN: sed -e 's/%g:2 = ds.all_reduce sum %dw, %du .*/%h = ds.all_reduce sum %dw : tensor<8x4xf32>  %i = ds.all_reduce sum %du : tensor<8x6xf32>/' \
// RUN:     -e 's/%g#0/%h/; s/%g#1/%i/' %s > %t.apart.mlir
// RUN: ds-opt %s -ds-lower-to-driver | grep 'func.func private @\(kernel\|contraction\)' | sort > %t.fused
// RUN: ds-opt %t.apart.mlir -ds-lower-to-driver | grep 'func.func private @\(kernel\|contraction\)' | sort > %t.apart
// RUN: diff %t.fused %t.apart
// RUN: ds-opt %t.apart.mlir -ds-lower-to-driver | FileCheck %s --check-prefix=APART
// APART: call @all_reduce_0(
// APART: call @all_reduce_1(

// Two gradients in one bucket: contractions write them next to each other, one call reduces both, and the updates are
// kernels on the parameters themselves. Nothing else is left in the driver.
// CHECK-LABEL: func.func @step
// CHECK-SAME: !llvm.ptr {ds.context}, {{.*}}: !llvm.ptr {ds.library}, %[[ARENA:.*]]: memref<[[BYTES:.*]]xi8> {ds.arena}
// CHECK-NOT: linalg
// CHECK-DAG: call @contraction_
// CHECK-DAG: call @contraction_
// CHECK: call @all_reduce_0(
// CHECK-DAG: call @kernel_
// CHECK-DAG: call @kernel_
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#v = affine_map<(d0, d1) -> (d0, d1)>
func.func @step(%w: tensor<8x4xf32> {ds.param = "w"}, %u: tensor<8x6xf32> {ds.param = "u"},
                %x: tensor<16x8xf32> {ds.batch = 0 : i64}, %y: tensor<16x4xf32> {ds.batch = 0 : i64}, %z: tensor<16x6xf32> {ds.batch = 0 : i64})
    -> (tensor<8x4xf32> {ds.updates = "w"}, tensor<8x6xf32> {ds.updates = "u"}) {
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dw = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<16x8xf32>, tensor<16x4xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %e2 = tensor.empty() : tensor<8x6xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %du = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %z : tensor<16x8xf32>, tensor<16x6xf32>) outs(%f2 : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %g:2 = ds.all_reduce sum %dw, %du {fusion = 1024 : i64} : tensor<8x4xf32>, tensor<8x6xf32>
  %nw = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel", "parallel"]}
      ins(%w, %g#0 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %b, %rate : f32
    %s = arith.subf %a, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %nu = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel", "parallel"]}
      ins(%u, %g#1 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%e2 : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %b, %rate : f32
    %s = arith.subf %a, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %nw, %nu : tensor<8x4xf32>, tensor<8x6xf32>
}

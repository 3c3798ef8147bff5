// RUN: ds-opt %s -ds-fuse-kernels -split-input-file | FileCheck %s

#v = affine_map<(d0) -> (d0)>

// CHECK-LABEL: @fuses_a_chain
// CHECK-COUNT-1: linalg.generic
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
func.func @fuses_a_chain(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%s, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#r = affine_map<(d0, d1) -> (d0)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// Repeating the addition for every reduction step would add it three times.
// CHECK-LABEL: @keeps_a_producer_that_reads_its_init
// CHECK-COUNT-2: linalg.generic
func.func @keeps_a_producer_that_reads_its_init(%o: tensor<2xf32>, %x: tensor<2xf32>, %y: tensor<2x3xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%o : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  } -> tensor<2xf32>
  %t = linalg.generic {indexing_maps = [#r, #f, #r], iterator_types = ["parallel", "reduction"]}
      ins(%s, %y : tensor<2xf32>, tensor<2x3xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.maximumf %a, %b : f32
    %d = arith.addf %c, %p : f32
    linalg.yield %d : f32
  } -> tensor<2xf32>
  return %t : tensor<2xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @keeps_contractions_recognisable
// CHECK: arith.negf
// CHECK-NEXT: linalg.yield
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
func.func @keeps_contractions_recognisable(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %n = linalg.generic {indexing_maps = [#f, #f], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x8xf32>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.negf %x : f32
    linalg.yield %c : f32
  } -> tensor<3x8xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%n, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

// -----

#r = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
#f = affine_map<(d0, d1) -> (d0, d1)>

// One exponential per row must not become one per element.
// CHECK-LABEL: @does_not_repeat_expensive_work_in_a_broadcast
// CHECK-COUNT-2: linalg.generic
func.func @does_not_repeat_expensive_work_in_a_broadcast(%a: tensor<4xf32>, %b: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %c = math.exp %p : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %u = tensor.empty() : tensor<4x64xf32>
  %d = linalg.generic {indexing_maps = [#r, #f, #f], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4xf32>, tensor<4x64xf32>) outs(%u : tensor<4x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %c = arith.mulf %p, %q : f32
    linalg.yield %c : f32
  } -> tensor<4x64xf32>
  return %d : tensor<4x64xf32>
}

// -----

#s = affine_map<() -> ()>

// Every value is used twice, so there are 2^16 paths from the first to the last; each is fused once and repeats nothing.
// CHECK-LABEL: @fuses_a_value_once_whatever_the_number_of_paths
// CHECK: linalg.generic
// CHECK-COUNT-16: arith.xori
// CHECK-NOT: arith.xori
// CHECK-NOT: linalg.generic
func.func @fuses_a_value_once_whatever_the_number_of_paths(%s: tensor<i32>) -> tensor<i32> {
  %c = arith.constant 16 : i32
  %e = tensor.empty() : tensor<i32>
  %a0 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%s : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b0 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%s, %a0 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a1 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b0 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b1 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b0, %a1 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a2 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b1 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b2 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b1, %a2 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a3 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b2 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b3 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b2, %a3 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a4 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b3 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b4 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b3, %a4 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a5 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b4 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b5 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b4, %a5 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a6 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b5 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b6 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b5, %a6 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a7 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b6 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b7 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b6, %a7 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a8 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b7 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b8 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b7, %a8 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a9 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b8 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b9 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b8, %a9 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a10 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b9 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b10 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b9, %a10 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a11 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b10 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b11 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b10, %a11 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a12 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b11 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b12 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b11, %a12 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a13 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b12 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b13 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b12, %a13 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a14 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b13 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b14 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b13, %a14 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %a15 = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%b14 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.shrui %x, %c : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %b15 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%b14, %a15 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.xori %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  return %b15 : tensor<i32>
}

// -----

#vector = affine_map<(d0) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// A dimension of one element that is moved through a kernel comes back in the next; this never ended.
// CHECK-LABEL: func.func @reshapes_do_not_chase_each_other
// CHECK: tensor.expand_shape %{{.*}} output_shape [4, 1]
// CHECK: tensor.pad
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @reshapes_do_not_chase_each_other(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %m: tensor<4x8xf32>, %p: tensor<4x8xf32>) -> (tensor<4x8xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %half = arith.constant 5.000000e-01 : f32
  %11 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %34 = arith.subf %in, %in_6 : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %17 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%11 : tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.mulf %in, %half : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %19 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%17, %c : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %34 = arith.mulf %in, %in_6 : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %21 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%19, %d : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %34 = arith.mulf %in, %in_6 : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %23 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%21 : tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.negf %in : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %24 = linalg.generic {indexing_maps = [#rows, #matrix], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<4xf32>) outs(%m : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %25 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%23 : tensor<4xf32>) outs(%v : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.mulf %in, %half : f32
    linalg.yield %34 : f32
  } -> tensor<4xf32>
  %expanded = tensor.expand_shape %25 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %26 = linalg.generic {indexing_maps = [#matrix, #matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%24, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%m : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %34 = arith.addf %in, %in_6 : f32
    linalg.yield %34 : f32
  } -> tensor<4x8xf32>
  %padded_5 = tensor.pad %expanded low[0, 7] high[0, 0] {
  ^bb0(%arg3: index, %arg4: index):
    tensor.yield %zero : f32
  } : tensor<4x1xf32> to tensor<4x8xf32>
  %27 = linalg.generic {indexing_maps = [#matrix, #matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%26, %padded_5 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%m : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %34 = arith.addf %in, %in_6 : f32
    linalg.yield %34 : f32
  } -> tensor<4x8xf32>
  return %27 : tensor<4x8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// The product has the weights written to memory, through a reshape; their gradient reads them there and computes no exponential again.
// CHECK-LABEL: func.func @weights_that_a_product_reads
// CHECK-COUNT-1: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: math.exp
// CHECK: return
func.func @weights_that_a_product_reads(%x: tensor<64x64xf32>, %v: tensor<64x32xf32>, %g: tensor<64x64xf32>, %o: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %out: f32):
    %0 = math.exp %i : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %heads = tensor.expand_shape %p [[0, 1], [2]] output_shape [8, 8, 64] : tensor<64x64xf32> into tensor<8x8x64xf32>
  %rows = tensor.collapse_shape %heads [[0, 1], [2]] : tensor<8x8x64xf32> into tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%o : tensor<64x32xf32>) {
  ^bb0(%i: f32, %j: f32, %out: f32):
    %0 = arith.mulf %i, %j : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x32xf32>
  %d = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %g : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %out: f32):
    %0 = arith.mulf %i, %j : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %y, %d : tensor<64x32xf32>, tensor<64x64xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#r = affine_map<(d0, d1) -> (d0)>
#m = affine_map<(d0, d1) -> (d0, d1)>

// Indices of 64 bits that are made of bytes and checked against both ends are made again for each of the two that read them, not
// stored at eight times the bytes.
// CHECK-LABEL: @bytes_do_not_grow_to_eight
// CHECK-NOT: tensor<4096xi64>
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @bytes_do_not_grow_to_eight(%x: tensor<4096xi8>, %w: tensor<10x3xf32>, %b: tensor<10xf32>) -> (tensor<4096x3xf32>, tensor<4096xf32>) {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %nine = arith.constant 9 : i64
  %ei = tensor.empty() : tensor<4096xi64>
  %ef = tensor.empty() : tensor<4096x3xf32>
  %eb = tensor.empty() : tensor<4096xf32>
  %i = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<4096xi8>) outs(%ei : tensor<4096xi64>) {
  ^bb0(%a: i8, %o: i64):
    %c = arith.extsi %a : i8 to i64
    %l = arith.cmpi slt, %c, %zero : i64
    %d = arith.addi %c, %ten : i64
    %s = arith.select %l, %d, %c : i64
    %p = arith.maxsi %s, %zero : i64
    %q = arith.minsi %p, %nine : i64
    linalg.yield %q : i64
  } -> tensor<4096xi64>
  %g = linalg.generic {indexing_maps = [#r, #m], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4096xi64>) outs(%ef : tensor<4096x3xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %w[%k, %j] : tensor<10x3xf32>
    linalg.yield %e : f32
  } -> tensor<4096x3xf32>
  %h = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%i : tensor<4096xi64>) outs(%eb : tensor<4096xf32>) {
  ^bb0(%a: i64, %o: f32):
    %k = arith.index_cast %a : i64 to index
    %e = tensor.extract %b[%k] : tensor<10xf32>
    linalg.yield %e : f32
  } -> tensor<4096xf32>
  return %g, %h : tensor<4096x3xf32>, tensor<4096xf32>
}

// RUN: ds-opt %s -ds-call-library -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Strides describe the product; the zero fill becomes a flag; equal products share a declaration.
// CHECK-LABEL: func.func @products_share_a_plan
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}
// CHECK-NOT: linalg.generic
// CHECK: call @contraction_0(%[[L]],
// CHECK: call @contraction_0(%[[L]],
// CHECK: call @contraction_1(%[[L]],
// CHECK: func.func private @contraction_0({{.*}}) attributes {ds.contraction = {accumulate = false, lhs = array<i64: 8, 0, 1>, offsets = array<i64: 0, 0, 0>, out = array<i64: 4, 1, 0>, rhs = array<i64: 0, 1, 4>, sizes = array<i64: 3, 4, 8>}}
// CHECK: func.func private @contraction_1({{.*}}) attributes {ds.contraction = {accumulate = true
func.func @products_share_a_plan(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%d : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%d : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @integers_stay_a_kernel
// CHECK: linalg.generic
func.func @integers_stay_a_kernel(%a: memref<3x8xi32>, %b: memref<8x4xi32>, %c: memref<3x4xi32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xi32>, memref<8x4xi32>) outs(%c : memref<3x4xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %p = arith.muli %x, %y : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

#x = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh + kh, ow + kw, ic)>
#w = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (kh, kw, ic, oc)>
#y = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh, ow, oc)>
#i = affine_map<(a, b, c, d) -> (a, b, c, d)>

// The padded copy is never made: the convolution pads.
// CHECK-LABEL: func.func @convolution_looks_through_padding
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<2x8x8x3xf32>, %[[W:.*]]: memref<3x3x3x4xf32>, %[[Y:.*]]: memref<2x8x8x4xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: call @convolution_0(%[[L]], %[[X]], %[[W]], %[[Y]])
// CHECK: ds.convolution = {destination_sizes = array<i64: 2, 4, 8, 8>
// CHECK-SAME: kind = "forward"
// CHECK-SAME: padding = array<i64: 1, 1>
// CHECK-SAME: source_sizes = array<i64: 2, 3, 8, 8>, source_strides = array<i64: 192, 1, 24, 3>
// CHECK-SAME: weights_sizes = array<i64: 4, 3, 3, 3>, weights_strides = array<i64: 1, 4, 36, 12>
func.func @convolution_looks_through_padding(%x: memref<2x8x8x3xf32>, %w: memref<3x3x3x4xf32>, %y: memref<2x8x8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x10x10x3xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> ()>, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%p : memref<2x10x10x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %v = memref.subview %p[0, 1, 1, 0] [2, 8, 8, 3] [1, 1, 1, 1]
      : memref<2x10x10x3xf32> to memref<2x8x8x3xf32, strided<[300, 30, 3, 1], offset: 33>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x8x8x3xf32>) outs(%v : memref<2x8x8x3xf32, strided<[300, 30, 3, 1], offset: 33>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2x8x8x4xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : memref<2x10x10x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<2x8x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh + kh, ow + kw, ic)>
#w = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (kh, kw, oc, ic)>
#y = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh, ow, oc)>
#i = affine_map<(a, b, c, d) -> (a, b, c, d)>
#r = affine_map<(a, b, c, d) -> (-a + 2, -b + 2, c, d)>

// Reversed weights and a gradient dilated by the stride: the gradient of the source, without copies.
// CHECK-LABEL: func.func @gradient_of_a_strided_convolution
// CHECK-NOT: memref.alloc
// CHECK: call @convolution_0
// CHECK: ds.convolution = {destination_sizes = array<i64: 2, 4, 4, 4>
// CHECK-SAME: kind = "source_gradient"
// CHECK-SAME: padding = array<i64: 0, 0>
// CHECK-SAME: source_sizes = array<i64: 2, 3, 8, 8>
// CHECK-SAME: stride = array<i64: 2, 2>
// CHECK-SAME: weights_sizes = array<i64: 4, 3, 3, 3>
func.func @gradient_of_a_strided_convolution(%g: memref<2x4x4x4xf32>, %w: memref<3x3x3x4xf32>, %d: memref<2x8x8x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x10x10x4xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> ()>, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%p : memref<2x10x10x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %v = memref.subview %p[0, 2, 2, 0] [2, 4, 4, 4] [1, 2, 2, 1]
      : memref<2x10x10x4xf32> to memref<2x4x4x4xf32, strided<[400, 80, 8, 1], offset: 88>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%g : memref<2x4x4x4xf32>) outs(%v : memref<2x4x4x4xf32, strided<[400, 80, 8, 1], offset: 88>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %q = memref.alloc() : memref<3x3x3x4xf32>
  linalg.generic {indexing_maps = [#r, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : memref<3x3x3x4xf32>) outs(%q : memref<3x3x3x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : memref<2x8x8x3xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %q : memref<2x10x10x4xf32>, memref<3x3x3x4xf32>) outs(%d : memref<2x8x8x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// What was written after the fill is part of the sum.
// CHECK-LABEL: func.func @a_write_after_the_fill_is_added_to
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_write_after_the_fill_is_added_to(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : memref<3x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Somebody reads the zeros: they must be there.
// CHECK-LABEL: func.func @a_reader_between_sees_the_fill
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_reader_between_sees_the_fill(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<3x4xf32>) outs(%d : memref<3x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// So does a body.
// CHECK-LABEL: func.func @a_body_that_reads_the_buffer_sees_the_fill
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_body_that_reads_the_buffer_sees_the_fill(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%d : memref<3x4xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = memref.load %c[%i, %j] : memref<3x4xf32>
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Others may be read and written.
// CHECK-LABEL: func.func @a_reader_of_another_buffer_does_not_matter
// CHECK-NOT: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = false
func.func @a_reader_of_another_buffer_does_not_matter(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>, %e: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : memref<3x4xf32>) outs(%e : memref<3x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  %f = memref.alloc() : memref<3x4xf32>
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// What control flow does is not followed.
// CHECK-LABEL: func.func @a_branch_between_may_write
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_branch_between_may_write(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>, %t: i1) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4xf32>)
  scf.if %t {
    linalg.copy ins(%d : memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The last row keeps what it holds.
// CHECK-LABEL: func.func @a_fill_of_a_part_is_not_enough
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_fill_of_a_part_is_not_enough(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %c[0, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  linalg.fill ins(%zero : f32) outs(%part : memref<2x4xf32, strided<[4, 1]>>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Twelve elements in a row are the same twelve.
// CHECK-LABEL: func.func @a_fill_of_a_view_of_all_is_enough
// CHECK-NOT: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = false
func.func @a_fill_of_a_view_of_all_is_enough(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %flat = memref.collapse_shape %c [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  linalg.fill ins(%zero : f32) outs(%flat : memref<12xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// One is not zero.
// CHECK-LABEL: func.func @a_fill_with_one_is_added_to
// CHECK: linalg.fill
// CHECK: call @contraction_0
// CHECK: accumulate = true
func.func @a_fill_with_one_is_added_to(%a: memref<3x8xf32>, %b: memref<8x4xf32>, %c: memref<3x4xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%c : memref<3x4xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x8xf32>, memref<8x4xf32>) outs(%c : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh + kh, ow + kw, ic)>
#w = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (kh, kw, ic, oc)>
#y = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh, ow, oc)>
#i = affine_map<(a, b, c, d) -> (a, b, c, d)>

// What is written behind the convolution is not what it reads: it reads zeros.
// CHECK-LABEL: func.func @a_copy_behind_the_convolution_is_not_read
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<2x8x8x3xf32>, %[[W:.*]]: memref<3x3x3x4xf32>, %[[Y:.*]]: memref<2x8x8x4xf32>
// CHECK: %[[P:.*]] = memref.alloc
// CHECK: call @convolution_0(%[[L]], %[[P]], %[[W]], %[[Y]])
func.func @a_copy_behind_the_convolution_is_not_read(%x: memref<2x8x8x3xf32>, %w: memref<3x3x3x4xf32>, %y: memref<2x8x8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x10x10x3xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> ()>, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%p : memref<2x10x10x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2x8x8x4xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : memref<2x10x10x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<2x8x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  %v = memref.subview %p[0, 1, 1, 0] [2, 8, 8, 3] [1, 1, 1, 1]
      : memref<2x10x10x3xf32> to memref<2x8x8x3xf32, strided<[300, 30, 3, 1], offset: 33>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x8x8x3xf32>) outs(%v : memref<2x8x8x3xf32, strided<[300, 30, 3, 1], offset: 33>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// All pairs of padded rows: both operands skip the same zeros.
// CHECK-LABEL: func.func @both_operands_skip_the_same_padding
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<4x4xf32>, %[[Y:.*]]: memref<4x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @contraction_0(%[[L]], %[[X]], %[[X]], %[[Y]])
// CHECK: lhs = array<i64: 4, 0, 1>, offsets = array<i64: 0, 0, 0>, out = array<i64: 4, 1, 0>, rhs = array<i64: 0, 4, 1>, sizes = array<i64: 4, 4, 4>
func.func @both_operands_skip_the_same_padding(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<4x6xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<4x6xf32>)
  %v = memref.subview %p[0, 1] [4, 4] [1, 1] : memref<4x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x4xf32>) outs(%v : memref<4x4xf32, strided<[6, 1], offset: 1>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<4x4xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %p : memref<4x6xf32>, memref<4x6xf32>) outs(%y : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#lhs = affine_map<(m, n, k, l) -> (m, k, l)>
#rhs = affine_map<(m, n, k, l) -> (n, k, l)>
#mn = affine_map<(m, n, k, l) -> (m, n)>
#i = affine_map<(a, b, c) -> (a, b, c)>

// One is padded in one dimension, the other dilated in another: each reads fewer of the other's elements, from
// its own first one on.
// CHECK-LABEL: func.func @operands_skip_zeros_of_different_loops
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<4x4x5xf32>, %[[W:.*]]: memref<3x6x2xf32>, %[[Y:.*]]: memref<4x3xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @contraction_0(%[[L]], %[[X]], %[[W]], %[[Y]])
// CHECK: lhs = array<i64: 20, 0, 5, 2>, offsets = array<i64: 1, 2, 0>, out = array<i64: 3, 1, 0, 0>, rhs = array<i64: 0, 12, 2, 1>, sizes = array<i64: 4, 3, 4, 2>
func.func @operands_skip_zeros_of_different_loops(%x: memref<4x4x5xf32>, %w: memref<3x6x2xf32>, %y: memref<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<4x6x5xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<4x6x5xf32>)
  %v = memref.subview %p[0, 1, 0] [4, 4, 5] [1, 1, 1] : memref<4x6x5xf32> to memref<4x4x5xf32, strided<[30, 5, 1], offset: 5>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4x4x5xf32>) outs(%v : memref<4x4x5xf32, strided<[30, 5, 1], offset: 5>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %q = memref.alloc() : memref<3x6x5xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<3x6x5xf32>)
  %u = memref.subview %q[0, 0, 1] [3, 6, 2] [1, 1, 2] : memref<3x6x5xf32> to memref<3x6x2xf32, strided<[30, 5, 2], offset: 1>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : memref<3x6x2xf32>) outs(%u : memref<3x6x2xf32, strided<[30, 5, 2], offset: 1>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<4x3xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #mn], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %q : memref<4x6x5xf32>, memref<3x6x5xf32>) outs(%y : memref<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The rounds that meet data of both are neither's: the second operand is read with its zeros.
// CHECK-LABEL: func.func @operands_with_different_padding
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:.*]]: memref<4x4xf32>, %[[W:.*]]: memref<3x4xf32>, %[[Y:.*]]: memref<4x3xf32>
// CHECK: %[[Q:.*]] = memref.alloc() : memref<3x6xf32>
// CHECK: call @contraction_0(%[[L]], %[[X]], %[[Q]], %[[Y]])
// CHECK: lhs = array<i64: 4, 0, 1>, offsets = array<i64: 0, 1, 0>, out = array<i64: 3, 1, 0>, rhs = array<i64: 0, 6, 1>, sizes = array<i64: 4, 3, 4>
func.func @operands_with_different_padding(%x: memref<4x4xf32>, %w: memref<3x4xf32>, %y: memref<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<4x6xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<4x6xf32>)
  %v = memref.subview %p[0, 1] [4, 4] [1, 1] : memref<4x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x4xf32>) outs(%v : memref<4x4xf32, strided<[6, 1], offset: 1>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %q = memref.alloc() : memref<3x6xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<3x6xf32>)
  %u = memref.subview %q[0, 2] [3, 4] [1, 1] : memref<3x6xf32> to memref<3x4xf32, strided<[6, 1], offset: 2>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : memref<3x4xf32>) outs(%u : memref<3x4xf32, strided<[6, 1], offset: 2>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<4x3xf32>)
  linalg.generic {indexing_maps = [#lhs, #rhs, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %q : memref<4x6xf32>, memref<3x6xf32>) outs(%y : memref<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh + kh, ow + kw, ic)>
#w = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (kh, kw, ic, oc)>
#y = affine_map<(n, oh, ow, oc, kh, kw, ic) -> (n, oh, ow, oc)>
#i = affine_map<(a, b, c, d) -> (a, b, c, d)>

// Channels that are padded at their end alone, as for a shortcut into a wider layer, are read with their zeros, and so
// are those of a kernel.
// CHECK-LABEL: func.func @channels_and_kernels_are_not_padded
// CHECK-DAG: %[[P:.*]] = memref.alloc() : memref<2x8x8x5xf32>
// CHECK-DAG: %[[Q:.*]] = memref.alloc() : memref<3x3x5x4xf32>
// CHECK: call @convolution_0({{.*}}, %[[P]], %[[Q]],
// CHECK: source_sizes = array<i64: 2, 5, 8, 8>
// CHECK-SAME: weights_sizes = array<i64: 4, 5, 3, 3>
func.func @channels_and_kernels_are_not_padded(%x: memref<2x8x8x3xf32>, %w: memref<2x3x5x4xf32>, %y: memref<2x6x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x8x8x5xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<2x8x8x5xf32>)
  %v = memref.subview %p[0, 0, 0, 0] [2, 8, 8, 3] [1, 1, 1, 1]
      : memref<2x8x8x5xf32> to memref<2x8x8x3xf32, strided<[320, 40, 5, 1]>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x8x8x3xf32>) outs(%v : memref<2x8x8x3xf32, strided<[320, 40, 5, 1]>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %q = memref.alloc() : memref<3x3x5x4xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<3x3x5x4xf32>)
  %u = memref.subview %q[0, 0, 0, 0] [2, 3, 5, 4] [1, 1, 1, 1]
      : memref<3x3x5x4xf32> to memref<2x3x5x4xf32, strided<[60, 20, 4, 1]>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : memref<2x3x5x4xf32>) outs(%u : memref<2x3x5x4xf32, strided<[60, 20, 4, 1]>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2x6x6x4xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %q : memref<2x8x8x5xf32>, memref<3x3x5x4xf32>) outs(%y : memref<2x6x6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

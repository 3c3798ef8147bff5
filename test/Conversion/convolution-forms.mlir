// RUN: ds-opt %s -ds-call-library -split-input-file | FileCheck %s
// RUN: ds-opt %s -ds-call-library=epilogues=true -split-input-file | FileCheck %s --check-prefix=GPU

// Which convolution a contraction is, follows from what its loops move and from how memory lies; never from extents.

#x = affine_map<(n, oc, oh, ow, ic, kh, kw) -> (n, ic, oh + kh, ow + kw)>
#w = affine_map<(n, oc, oh, ow, ic, kh, kw) -> (oc, ic, kh, kw)>
#y = affine_map<(n, oc, oh, ow, ic, kh, kw) -> (n, oc, oh, ow)>

// An image of 2x2 under a kernel of 3x3.
// CHECK-LABEL: func.func @small_image
// CHECK: destination_sizes = array<i64: 8, 16, 2, 2>
// CHECK-SAME: kind = "forward"
// CHECK-SAME: source_sizes = array<i64: 8, 4, 4, 4>
// CHECK-SAME: weights_sizes = array<i64: 16, 4, 3, 3>
func.func @small_image(%x: memref<8x4x4x4xf32>, %w: memref<16x4x3x3xf32>, %y: memref<8x16x2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x16x2x2xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<8x4x4x4xf32>, memref<16x4x3x3xf32>) outs(%y : memref<8x16x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (n, ic, kh + oh, kw + ow)>
#g = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (n, oc, oh, ow)>
#w = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (oc, ic, kh, kw)>

// Its gradient: the same extents, read the other way.
// CHECK-LABEL: func.func @weights_of_a_small_image
// CHECK: destination_sizes = array<i64: 8, 16, 2, 2>
// CHECK-SAME: kind = "weights_gradient"
// CHECK-SAME: source_sizes = array<i64: 8, 4, 4, 4>
// CHECK-SAME: weights_sizes = array<i64: 16, 4, 3, 3>
func.func @weights_of_a_small_image(%x: memref<8x4x4x4xf32>, %g: memref<8x16x2x2xf32>, %w: memref<16x4x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%w : memref<16x4x3x3xf32>)
  linalg.generic {indexing_maps = [#x, #g, #w], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<8x4x4x4xf32>, memref<8x16x2x2xf32>) outs(%w : memref<16x4x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (ic, n, kh + oh, kw + ow)>
#g = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (n, oc, oh, ow)>
#w = affine_map<(oc, ic, kh, kw, n, oh, ow) -> (oc, ic, kh, kw)>
#t = affine_map<(a, b, c, d) -> (b, a, c, d)>
#i = affine_map<(a, b, c, d) -> (a, b, c, d)>

// A source that was transposed and padded is read as it was.
// CHECK-LABEL: func.func @transposed_source
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:[a-z0-9]+]]: memref<8x4x6x6xf32>, %[[G:[a-z0-9]+]]: memref<8x16x6x6xf32>, %[[W:[a-z0-9]+]]: memref<16x4x3x3xf32>
// CHECK-NOT: linalg.generic
// CHECK: call @convolution_0(%[[L]], %[[X]], %[[G]], %[[W]])
// CHECK: kind = "weights_gradient"
// CHECK-SAME: padding = array<i64: 1, 1>
// CHECK-SAME: source_strides = array<i64: 144, 36, 6, 1>
func.func @transposed_source(%x: memref<8x4x6x6xf32>, %g: memref<8x16x6x6xf32>, %w: memref<16x4x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x8x6x6xf32>
  linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<8x4x6x6xf32>) outs(%t : memref<4x8x6x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %p = memref.alloc() : memref<4x8x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<4x8x8x8xf32>)
  %v = memref.subview %p[0, 0, 1, 1] [4, 8, 6, 6] [1, 1, 1, 1]
      : memref<4x8x8x8xf32> to memref<4x8x6x6xf32, strided<[512, 64, 8, 1], offset: 9>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : memref<4x8x6x6xf32>) outs(%v : memref<4x8x6x6xf32, strided<[512, 64, 8, 1], offset: 9>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%w : memref<16x4x3x3xf32>)
  linalg.generic {indexing_maps = [#x, #g, #w], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %g : memref<4x8x8x8xf32>, memref<8x16x6x6xf32>) outs(%w : memref<16x4x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(g, oc, n, oh, ic, kh) -> (n, g, ic, oh + kh)>
#w = affine_map<(g, oc, n, oh, ic, kh) -> (g, oc, ic, kh)>
#y = affine_map<(g, oc, n, oh, ic, kh) -> (n, g, oc, oh)>
#i = affine_map<(a, b, c) -> (a, b, c)>

// Groups, one dimension, and channels that were split after the padding.
// CHECK-LABEL: func.func @padding_behind_a_reshape
// CHECK-SAME: %[[L:.*]]: !llvm.ptr {ds.library}, %[[X:[a-z0-9]+]]: memref<4x6x9xf32>
// CHECK-NOT: linalg.generic
// CHECK: call @convolution_0(%[[L]], %[[X]],
// CHECK: groups = array<i64: 2, 27, 36, 45>
// CHECK-SAME: padding = array<i64: 1>
// CHECK-SAME: source_sizes = array<i64: 4, 3, 9>
func.func @padding_behind_a_reshape(%x: memref<4x6x9xf32>, %w: memref<2x5x3x3xf32>, %y: memref<4x2x4x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<4x6x11xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<4x6x11xf32>)
  %v = memref.subview %p[0, 0, 1] [4, 6, 9] [1, 1, 1] : memref<4x6x11xf32> to memref<4x6x9xf32, strided<[66, 11, 1], offset: 1>>
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4x6x9xf32>) outs(%v : memref<4x6x9xf32, strided<[66, 11, 1], offset: 1>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %e = memref.expand_shape %p [[0], [1, 2], [3]] output_shape [4, 2, 3, 11] : memref<4x6x11xf32> into memref<4x2x3x11xf32>
  %u = memref.subview %w[0, 0, 0, 0] [2, 4, 3, 3] [1, 1, 1, 1] : memref<2x5x3x3xf32> to memref<2x4x3x3xf32, strided<[45, 9, 3, 1]>>
  linalg.fill ins(%zero : f32) outs(%y : memref<4x2x4x9xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%e, %u : memref<4x2x3x11xf32>, memref<2x4x3x3xf32, strided<[45, 9, 3, 1]>>) outs(%y : memref<4x2x4x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, ow, oc, kh, ic) -> (n, oh + kh, ow, ic)>
#w = affine_map<(n, oh, ow, oc, kh, ic) -> (kh, ic, oc)>
#y = affine_map<(n, oh, ow, oc, kh, ic) -> (n, oh, ow, oc)>

// A kernel of 3x1: the columns are positions without a window.
// CHECK-LABEL: func.func @columns_without_a_window
// CHECK: destination_sizes = array<i64: 2, 4, 6, 5>
// CHECK-SAME: kind = "forward"
// CHECK-SAME: source_sizes = array<i64: 2, 3, 8, 5>
// CHECK-SAME: weights_sizes = array<i64: 4, 3, 3, 1>
func.func @columns_without_a_window(%x: memref<2x8x5x3xf32>, %w: memref<3x3x4xf32>, %y: memref<2x6x5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x6x5x4xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<2x8x5x3xf32>, memref<3x3x4xf32>) outs(%y : memref<2x6x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(c, kh, kw, n, oh, ow) -> (n, c, kh + oh, kw + ow)>
#g = affine_map<(c, kh, kw, n, oh, ow) -> (n, c, oh, ow)>
#w = affine_map<(c, kh, kw, n, oh, ow) -> (c, kh, kw)>

// The weights of each channel alone: what sums over samples is their gradient.
// CHECK-LABEL: func.func @depthwise_weights
// CHECK: groups = array<i64: 96, 16, 9, 4>
// CHECK-SAME: kind = "weights_gradient"
func.func @depthwise_weights(%x: memref<8x96x4x4xf32>, %g: memref<8x96x3x3xf32>, %w: memref<96x2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%w : memref<96x2x2xf32>)
  linalg.generic {indexing_maps = [#x, #g, #w], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<8x96x4x4xf32>, memref<8x96x3x3xf32>) outs(%w : memref<96x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, oc, kh, ic) -> (n, oh + kh, ic)>
#w = affine_map<(n, oh, oc, kh, ic) -> (kh, ic, oc)>
#y = affine_map<(n, oh, oc, kh, ic) -> (n, oh, oc)>
#b = affine_map<(a, b, c) -> (a, 0, c)>
#i = affine_map<(a, b, c) -> (a, b, c)>

// A broadcast is no transpose: it stays.
// CHECK-LABEL: func.func @broadcast_source
// CHECK: %[[P:.*]] = memref.alloc
// CHECK: linalg.generic
// CHECK: call @convolution_0({{.*}}, %[[P]],
func.func @broadcast_source(%x: memref<2x1x3xf32>, %w: memref<3x3x4xf32>, %y: memref<2x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<2x8x3xf32>
  linalg.generic {indexing_maps = [#b, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<2x1x3xf32>) outs(%p : memref<2x8x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<2x6x4xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : memref<2x8x3xf32>, memref<3x3x4xf32>) outs(%y : memref<2x6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, oh, oc, kh, ic) -> (n, oh + kh, ic)>
#w = affine_map<(n, oh, oc, kh, ic) -> (kh, ic, oc)>
#y = affine_map<(n, oh, oc, kh, ic) -> (n, oh, oc)>

// In 16 bits the library sums in f32 and rounds once. What it cannot add to is summed in f32 by a kernel, and rounded by another one.
// CHECK-LABEL: func.func @narrow
// CHECK: call @convolution_0({{.*}}) : (!llvm.ptr, memref<2x8x3xbf16>, memref<3x3x4xbf16>, memref<2x6x4xbf16>) -> ()
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<2x6x4xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<2x6x4xbf16>) outs(%[[SUMS]] :
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<2x8x3xbf16>, memref<3x3x4xbf16>) outs(%[[SUMS]] :
// CHECK: arith.addf {{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] :
// CHECK: arith.truncf
// CHECK: type = bf16
func.func @narrow(%x: memref<2x8x3xbf16>, %w: memref<3x3x4xbf16>, %y: memref<2x6x4xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<2x6x4xbf16>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<2x8x3xbf16>, memref<3x3x4xbf16>) outs(%y : memref<2x6x4xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %m = arith.mulf %a, %b : bf16
    %s = arith.addf %c, %m : bf16
    linalg.yield %s : bf16
  }
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<2x8x3xbf16>, memref<3x3x4xbf16>) outs(%y : memref<2x6x4xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %m = arith.mulf %a, %b : bf16
    %s = arith.addf %c, %m : bf16
    linalg.yield %s : bf16
  }
  return
}

// -----

#x = affine_map<(oc, ic, n, h, w) -> (n, ic, h, w)>
#g = affine_map<(oc, ic, n, h, w) -> (n, oc, h, w)>
#dw = affine_map<(oc, ic, n, h, w) -> (oc, ic)>

// A GPU's library of products would take a call for each sample, that of convolutions takes one. With channels last it is one product.
// CHECK-LABEL: func.func @weights_of_one_element
// CHECK: ds.contraction
// GPU-LABEL: func.func @weights_of_one_element
// GPU: destination_sizes = array<i64: 8, 16, 5, 6>
// GPU-SAME: kind = "weights_gradient"
// GPU-SAME: padding = array<i64: 0, 0>
// GPU-SAME: source_sizes = array<i64: 8, 4, 5, 6>
// GPU-SAME: weights_sizes = array<i64: 16, 4, 1, 1>
func.func @weights_of_one_element(%x: memref<8x4x5x6xf32>, %g: memref<8x16x5x6xf32>, %w: memref<16x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%w : memref<16x4xf32>)
  linalg.generic {indexing_maps = [#x, #g, #dw], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<8x4x5x6xf32>, memref<8x16x5x6xf32>) outs(%w : memref<16x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(oc, ic, n, h, w) -> (n, h, w, ic)>
#g = affine_map<(oc, ic, n, h, w) -> (n, h, w, oc)>
#dw = affine_map<(oc, ic, n, h, w) -> (oc, ic)>

// GPU-LABEL: func.func @weights_of_one_element_channels_last
// GPU-NOT: ds.convolution
// GPU: ds.contraction
func.func @weights_of_one_element_channels_last(%x: memref<8x5x6x4xf32>, %g: memref<8x5x6x16xf32>, %w: memref<16x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%w : memref<16x4xf32>)
  linalg.generic {indexing_maps = [#x, #g, #dw], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<8x5x6x4xf32>, memref<8x5x6x16xf32>) outs(%w : memref<16x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#g = affine_map<(n, ic, oc, h, w) -> (n, oc, h, w)>
#k = affine_map<(n, ic, oc, h, w) -> (oc, ic, h, w)>
#dx = affine_map<(n, ic, oc, h, w) -> (n, ic)>

// An image of one position meets the middle of padded weights alone: one loop is left to reduce, so that it is a product.
// GPU-LABEL: func.func @samples_of_one_position
// GPU-NOT: ds.convolution
// GPU: ds.contraction
func.func @samples_of_one_position(%g: memref<8x16x1x1xf32>, %weights: memref<16x4x3x3xf32>, %dx: memref<8x4xf32>) {
  %k = memref.subview %weights[0, 0, 1, 1] [16, 4, 1, 1] [1, 1, 1, 1] : memref<16x4x3x3xf32> to memref<16x4x1x1xf32, strided<[36, 9, 3, 1], offset: 4>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%dx : memref<8x4xf32>)
  linalg.generic {indexing_maps = [#g, #k, #dx], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%g, %k : memref<8x16x1x1xf32>, memref<16x4x1x1xf32, strided<[36, 9, 3, 1], offset: 4>>) outs(%dx : memref<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(oc, ic, n, h, w) -> (n, ic, h, w)>
#g = affine_map<(oc, ic, n, h, w) -> (n, oc, h, w)>
#dw = affine_map<(oc, ic, n, h, w) -> (oc, ic)>

// What lies in the middle of more is read where it lies: the library crops nothing.
// GPU-LABEL: func.func @weights_of_cropped_images
// GPU: padding = array<i64: 0, 0>
// GPU-SAME: source_sizes = array<i64: 8, 4, 5, 6>, source_strides = array<i64: 224, 56, 8, 1>
func.func @weights_of_cropped_images(%images: memref<8x4x7x8xf32>, %g: memref<8x16x5x6xf32>, %w: memref<16x4xf32>) {
  %x = memref.subview %images[0, 0, 1, 1] [8, 4, 5, 6] [1, 1, 1, 1] : memref<8x4x7x8xf32> to memref<8x4x5x6xf32, strided<[224, 56, 8, 1], offset: 9>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%w : memref<16x4xf32>)
  linalg.generic {indexing_maps = [#x, #g, #dw], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %g : memref<8x4x5x6xf32, strided<[224, 56, 8, 1], offset: 9>>, memref<8x16x5x6xf32>) outs(%w : memref<16x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}

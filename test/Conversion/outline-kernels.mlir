// RUN: ds-opt %s -ds-outline-kernels -split-input-file -verify-diagnostics | FileCheck %s

#v = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @equal_kernels_are_one
// CHECK: call @[[K:kernel_[0-9a-f]+]](%arg0, %arg1)
// CHECK: call @[[K]](%arg1, %arg2)
// CHECK: call @[[S:kernel_[0-9a-f]+]](%arg0)
// CHECK: func.func private @[[K]](%{{.*}}: memref<8xf32> {llvm.noalias}, %{{.*}}: memref<8xf32> {llvm.noalias}) attributes {ds.kernel}
// CHECK: arith.constant 2.000000e+00
// CHECK: func.func private @[[S]](
func.func @equal_kernels_are_one(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %two : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%b : memref<8xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %two : f32
    linalg.yield %r : f32
  }
  // In place: one argument, passed once.
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %two : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#v = affine_map<(d0) -> (d0)>

// Two views of one buffer may overlap: no promise to the optimiser.
// CHECK-LABEL: func.func @views_of_one_buffer
// CHECK: func.func private @kernel_
// CHECK-NOT: llvm.noalias
func.func @views_of_one_buffer(%a: memref<8xf32>) {
  %l = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %h = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%l : memref<4xf32, strided<[1]>>) outs(%h : memref<4xf32, strided<[1], offset: 2>>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#f = affine_map<(d0, d1) -> (d0, d1)>

// Slices of one buffer that differ in where they begin share a kernel, which is told.
// CHECK-LABEL: func.func @slices_share_a_kernel
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: call @[[K:kernel_[0-9a-f]+]](%{{.*}}, %{{.*}}, %[[FOUR]]) : (memref<2x4xf32, strided<[12, 1]>>, memref<2x4xf32>, index) -> ()
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: call @[[K]](%{{.*}}, %{{.*}}, %[[EIGHT]])
// CHECK: func.func private @[[K]](%[[T:.*]]: memref<2x4xf32, strided<[12, 1]>> {llvm.noalias}, %{{.*}}: memref<2x4xf32> {llvm.noalias}, %[[I:.*]]: index)
// CHECK: memref.reinterpret_cast %[[T]] to offset: [%[[I]]], sizes: [2, 4], strides: [12, 1]
func.func @slices_share_a_kernel(%t: memref<2x12xf32>, %a: memref<2x4xf32>, %b: memref<2x4xf32>) {
  %l = memref.subview %t[0, 4] [2, 4] [1, 1] : memref<2x12xf32> to memref<2x4xf32, strided<[12, 1], offset: 4>>
  %h = memref.subview %t[0, 8] [2, 4] [1, 1] : memref<2x12xf32> to memref<2x4xf32, strided<[12, 1], offset: 8>>
  linalg.generic {indexing_maps = [#f, #f], iterator_types = ["parallel", "parallel"]} ins(%l : memref<2x4xf32, strided<[12, 1], offset: 4>>) outs(%a : memref<2x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#f, #f], iterator_types = ["parallel", "parallel"]} ins(%h : memref<2x4xf32, strided<[12, 1], offset: 8>>) outs(%b : memref<2x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#v = affine_map<(d0) -> (d0)>

// A slice at a run-time offset is taken inside of the kernel.
// CHECK-LABEL: func.func @slices_move_into_the_kernel
// CHECK: call @[[K:kernel_[0-9a-f]+]](%{{.*}}, %{{.*}}, %{{.*}}) : (memref<3x4xf32>, index, memref<4xf32>) -> ()
// CHECK: func.func private @[[K]](%[[T:.*]]: memref<3x4xf32>{{.*}}, %[[I:.*]]: index
// CHECK: memref.subview %[[T]][%[[I]], 0]
func.func @slices_move_into_the_kernel(%t: memref<3x4xf32>, %i: index, %o: memref<4xf32>) {
  %s = memref.subview %t[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%s : memref<4xf32, strided<[1], offset: ?>>) outs(%o : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#f = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// The output is walked by rows, whatever the order of the loops was.
// CHECK: #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @innermost_loop_has_unit_stride
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$ROWS]]]
func.func @innermost_loop_has_unit_stride(%a: memref<64x32xf32>, %b: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [#t, #t], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x32xf32>) outs(%b : memref<64x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#v = affine_map<(d0) -> (d0)>

func.func @tensors_are_refused(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.generic' op cannot become a kernel: it still works on tensors}}
  %r = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>

func.func @dynamic_layouts_are_refused(%a: memref<8xf32, strided<[?], offset: ?>>) {
  // expected-error @below {{cannot become a kernel: it uses a buffer of type 'memref<8xf32, strided<[?], offset: ?>>', expected a static layout}}
  linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%a : memref<8xf32, strided<[?], offset: ?>>) {
  ^bb0(%x: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// Rows and columns are one loop, images and channels are not: the bias is one per channel. What is read and written in place is one
// argument.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : memref<2x3x7x7xf32> into memref<2x3x49xf32>
// CHECK: call @[[KERNEL:.*]](%[[X]], %{{.*}}) : (memref<2x3x49xf32>, memref<3xf32>) -> ()
// CHECK: func.func private @[[KERNEL]]
// CHECK: iterator_types = ["parallel", "parallel", "parallel"]
func.func @rows_and_columns(%x: memref<2x3x7x7xf32>, %bias: memref<3xf32>) {
  linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %bias : memref<2x3x7x7xf32>, memref<3xf32>) outs(%x : memref<2x3x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#v = affine_map<(d0, d1) -> (d0, d1)>

// Every second row is no dimension of its own.
// CHECK-LABEL: func.func @every_second_row
// CHECK-NOT: collapse_shape
func.func @every_second_row(%x: memref<8x4xf32, strided<[8, 1]>>, %y: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x4xf32, strided<[8, 1]>>) outs(%y : memref<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// The infinity in place of masked elements is an argument, a constant would keep LLVM from vectorising the maximum; the factor is not.
// CHECK-LABEL: func.func @masked_maximum
// CHECK: %[[INFINITY:.*]] = arith.constant 0xFF800000 : f32
// CHECK: call @[[KERNEL:.*]](%[[INFINITY]], %{{.*}}, %{{.*}}, %{{.*}}) : (f32, memref<64x64xi8>, memref<64x64xf32>, memref<64xf32>) -> ()
// CHECK: func.func private @[[KERNEL]](%[[ARGUMENT:.*]]: f32,
// CHECK-NOT: 0xFF800000
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[ARGUMENT]] : f32
func.func @masked_maximum(%mask: memref<64x64xi8>, %x: memref<64x64xf32>, %y: memref<64xf32>) {
  %infinity = arith.constant 0xFF800000 : f32
  %factor = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#m, #m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%mask, %x : memref<64x64xi8>, memref<64x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%b: i8, %a: f32, %o: f32):
    %taken = arith.trunci %b : i8 to i1
    %scaled = arith.mulf %a, %factor : f32
    %masked = arith.select %taken, %scaled, %infinity : f32
    %max = arith.maximumf %o, %masked : f32
    linalg.yield %max : f32
  }
  return
}

// -----

// A pooling that also looks where its maximum is: rows of windows innermost, and in them the window, whose elements keep their order.
// CHECK: affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func.func @windows_inside_of_rows
// CHECK: func.func private @kernel_
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]{{.*}}ins(%{{.*}} : memref<5x2x7x2xf32>)
// CHECK-SAME: attrs = {ds.window_loops = 2 : i64}
#in = affine_map<(r, i, j, k) -> (r, j, i, k)>
#out = affine_map<(r, i, j, k) -> (r, i)>
func.func @windows_inside_of_rows(%x: memref<5x2x7x2xf32>, %y: memref<5x7xf32>, %n: memref<5x7xindex>) {
  linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : memref<5x2x7x2xf32>) outs(%y, %n : memref<5x7xf32>, memref<5x7xindex>) {
  ^bb0(%a: f32, %max: f32, %at: index):
    %m = arith.maximumf %max, %a : f32
    %j = linalg.index 2 : index
    %c = arith.cmpf ogt, %a, %max : f32
    %w = arith.select %c, %j, %at : index
    linalg.yield %m, %w : f32, index
  }
  return
}

// -----

// Its gradient writes both elements of a window's row together, and a row of windows is a row of memory: the pairs are inside, though they alone lie side by
// side. A long reduction stays outside of the row.
// CHECK: #[[$SOURCE:[a-z0-9]+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK: #[[$ROWS:[a-z0-9]+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @neighbours_are_written_together
// CHECK-DAG: linalg.generic {indexing_maps = [#[[$SOURCE]], #[[$ROWS]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}{{.*}}outs(%{{.*}} : memref<5x2x7x2xf32>) attrs = {ds.window_loops = 1 : i64}
// CHECK-DAG: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : memref<10x14xf32>) outs(%{{.*}} : memref<14xf32>) {
#out4 = affine_map<(r, i, j, k) -> (r, j, i, k)>
#in2 = affine_map<(r, i, j, k) -> (r, i)>
#tall = affine_map<(i, k) -> (k, i)>
#row = affine_map<(i, k) -> (i)>
func.func @neighbours_are_written_together(%g: memref<5x7xf32>, %x: memref<5x2x7x2xf32>, %z: memref<10x14xf32>, %s: memref<14xf32>) {
  linalg.generic {indexing_maps = [#in2, #out4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%g : memref<5x7xf32>) outs(%x : memref<5x2x7x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#tall, #row], iterator_types = ["parallel", "reduction"]} ins(%z : memref<10x14xf32>) outs(%s : memref<14xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  }
  return
}

// -----

// The few elements of a row are taken together, each row by each element of a vector: a product with a factor for each column, and a sum of each row.
// CHECK: #[[$ROWS:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @short_rows_are_written_out
// CHECK-DAG: linalg.generic {indexing_maps = [#[[$ROWS]], {{.*}}iterator_types = ["parallel", "parallel"]}{{.*}}outs(%{{.*}} : memref<64x7xf32>) attrs = {ds.window_loops = 1 : i64}
// CHECK-DAG: linalg.generic {indexing_maps = [#[[$ROWS]], {{.*}}iterator_types = ["parallel", "reduction"]}{{.*}}outs(%{{.*}} : memref<64xf32>) attrs = {ds.window_loops = 1 : i64}
#rows = affine_map<(i, k) -> (i, k)>
#column = affine_map<(i, k) -> (k)>
#row = affine_map<(i, k) -> (i)>
func.func @short_rows_are_written_out(%x: memref<64x7xf32>, %f: memref<7xf32>, %z: memref<64x9xf32>, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#rows, #column, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : memref<64x7xf32>, memref<7xf32>) outs(%x : memref<64x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  }
  linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]} ins(%z : memref<64x9xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  }
  return
}

// -----

// Ten elements are a loop.
// CHECK-LABEL: func.func @long_rows_are_loops
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}{{.*}}outs(%{{.*}} : memref<64xf32>) {
#rows = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>
func.func @long_rows_are_loops(%z: memref<64x10xf32>, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]} ins(%z : memref<64x10xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  }
  return
}

// -----

// What reads several elements of one buffer reads windows, though none of its loops is one.
// CHECK-LABEL: func.func @elements_of_a_window
// CHECK: linalg.generic {{.*}} ins(%[[X:.*]], %[[X]] : memref<8x7x2xf32>, memref<8x7x2xf32>) outs(%{{.*}} : memref<8x7xf32>) attrs = {ds.window_loops = 0 : i64}
#first = affine_map<(i, k) -> (i, k, 0)>
#second = affine_map<(i, k) -> (i, k, 1)>
#out = affine_map<(i, k) -> (i, k)>
func.func @elements_of_a_window(%x: memref<8x7x2xf32>, %y: memref<8x7xf32>) {
  linalg.generic {indexing_maps = [#first, #second, #out], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : memref<8x7x2xf32>, memref<8x7x2xf32>) outs(%y : memref<8x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  }
  return
}

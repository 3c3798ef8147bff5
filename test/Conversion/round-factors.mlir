// RUN: ds-opt %s -split-input-file --ds-round-factors | FileCheck %s
// RUN: ds-opt %s -split-input-file --ds-round-factors=narrow-factors=true | FileCheck %s --check-prefix=NARROW

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#same = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// A value is rounded once, after what computes it, for all products that read it, also transposed; other readers see f32.
// CHECK-LABEL: @rounds_a_value_once
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x4xf32>, %[[W:[^:]*]]: tensor<4x4xf32>,
// CHECK: %[[RW:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32,
// CHECK-NEXT: %[[ROUND:.*]] = arith.truncf %[[A]] : f32 to bf16
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[ROUND]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[WIDE]]
// CHECK: %[[RX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x4xf32>)
// CHECK: arith.truncf
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[RW]] : tensor<4x4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[A]] : f32
// CHECK: ins(%[[RX]], %[[RW]] : tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK: ins(%[[RX]], %[[T]] : tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK: arith.subf
// CHECK-NOT: truncf
// CHECK: return
// NARROW-LABEL: @rounds_a_value_once
// NARROW-SAME: (%[[X:[^:]*]]: tensor<4x4xf32>, %[[W:[^:]*]]: tensor<4x4xf32>,
// NARROW: %[[RW:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xbf16>)
// NARROW: %[[RX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xbf16>)
// NARROW: %[[T:.*]] = linalg.generic {{.*}} ins(%[[RW]] : tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xbf16>)
// NARROW: ins(%[[RX]], %[[RW]] : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
// NARROW-NEXT: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[C:.*]]: f32):
// NARROW-NEXT: arith.extf %[[B]] : bf16 to f32
// NARROW-NEXT: arith.extf %[[A]] : bf16 to f32
// NARROW-NEXT: arith.mulf
// NARROW-NEXT: arith.addf %[[C]], %{{.*}} : f32
// NARROW: ins(%[[RX]], %[[T]] : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
// NARROW-NOT: truncf
// NARROW: return
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @rounds_a_value_once(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %zeros: tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x4xf32>
    %y = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %z = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %new = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%w, %z : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.subf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<4x4xf32>
    return %y, %z, %new : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// A slice is rounded before it is cut if all of its source is a factor, else after.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @rounds_the_source_of_slices
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x8xf32>, %[[Y:[^:]*]]: tensor<4x8xf32>,
// CHECK: %[[CUT:.*]] = tensor.extract_slice %[[Y]][0, 0] [4, 4] [1, 1]
// CHECK: %[[RCUT:.*]] = linalg.generic {{.*}} ins(%[[CUT]] : tensor<4x4xf32>)
// CHECK: arith.truncf
// CHECK: ins(%{{.*}}, %[[RCUT]] : tensor<4x4xf32>, tensor<4x4xf32>)
// NARROW-LABEL: @rounds_the_source_of_slices
// NARROW-SAME: (%[[X:[^:]*]]: tensor<4x8xf32>,
// NARROW: %[[RX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xbf16>)
// NARROW: tensor.extract_slice %[[RX]][0, 0] [4, 4] [1, 1] : tensor<4x8xbf16> to tensor<4x4xbf16>
// NARROW: tensor.extract_slice %[[RX]][0, 4] [4, 4] [1, 1] : tensor<4x8xbf16> to tensor<4x4xbf16>
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @rounds_the_source_of_slices(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %zeros: tensor<4x4xf32>)
      -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>) {
    %q = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
    %k = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
    %v = tensor.extract_slice %y[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
    %s = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %t = arith.addf %c, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x4xf32>
    %o = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%s, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %t = arith.addf %c, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x4xf32>
    return %s, %o, %y : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>
  }
}

// -----

// A convolution is rounded before it is padded. Depthwise ones as well; a product of a single sample as any other, so that the number of
// ranks does not decide.
#image = affine_map<(n, o, f, k, c) -> (n, o + k, c)>
#kernel = affine_map<(n, o, f, k, c) -> (k, c, f)>
#features = affine_map<(n, o, f, k, c) -> (n, o, f)>
#windows = affine_map<(n, o, c, k) -> (n, o + k, c)>
#each = affine_map<(n, o, c, k) -> (k, c)>
#channels = affine_map<(n, o, c, k) -> (n, o, c)>
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// NARROW-LABEL: @rounds_convolutions
// NARROW-SAME: (%[[X:[^:]*]]: tensor<1x4x2xf32>, %[[W:[^:]*]]: tensor<3x2x5xf32>, %[[D:[^:]*]]: tensor<3x2xf32>, %[[R:[^:]*]]: tensor<1x4xf32>, %[[M:[^:]*]]: tensor<4x1xf32>
// NARROW-DAG: ins(%[[X]] : tensor<1x4x2xf32>) outs(%{{.*}} : tensor<1x4x2xbf16>)
// NARROW-DAG: ins(%[[W]] : tensor<3x2x5xf32>) outs(%{{.*}} : tensor<3x2x5xbf16>)
// NARROW-DAG: ins(%[[D]] : tensor<3x2xf32>) outs(%{{.*}} : tensor<3x2xbf16>)
// NARROW: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 1, 0] high[0, 1, 0]
// NARROW: tensor<1x4x2xbf16> to tensor<1x6x2xbf16>
// NARROW: ins(%[[PADDED]], %{{.*}} : tensor<1x6x2xbf16>, tensor<3x2x5xbf16>) outs(%{{.*}} : tensor<1x4x5xf32>)
// NARROW: ins(%[[PADDED]], %{{.*}} : tensor<1x6x2xbf16>, tensor<3x2xbf16>) outs(%{{.*}} : tensor<1x4x2xf32>)
// NARROW: ins(%{{.*}}, %{{.*}} : tensor<1x4xbf16>, tensor<4x1xbf16>) outs(%{{.*}} : tensor<1x1xf32>)
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @rounds_convolutions(%x: tensor<1x4x2xf32>, %w: tensor<3x2x5xf32>, %d: tensor<3x2xf32>, %r: tensor<1x4xf32>, %m: tensor<4x1xf32>,
      %z0: tensor<1x4x5xf32>, %z1: tensor<1x4x2xf32>, %z2: tensor<1x1xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x2xf32>, tensor<1x1xf32>) {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %zero : f32
    } : tensor<1x4x2xf32> to tensor<1x6x2xf32>
    %0 = linalg.generic {indexing_maps = [#image, #kernel, #features],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%padded, %w : tensor<1x6x2xf32>, tensor<3x2x5xf32>) outs(%z0 : tensor<1x4x5xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x4x5xf32>
    %1 = linalg.generic {indexing_maps = [#windows, #each, #channels], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%padded, %d : tensor<1x6x2xf32>, tensor<3x2xf32>) outs(%z1 : tensor<1x4x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x4x2xf32>
    %2 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%r, %m : tensor<1x4xf32>, tensor<4x1xf32>) outs(%z2 : tensor<1x1xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x1xf32>
    return %0, %1, %2 : tensor<1x4x5xf32>, tensor<1x4x2xf32>, tensor<1x1xf32>
  }
}

// -----

// Not rounded: sums and statistics, norms written as products of a vector with itself, products with what is the same in every step or is made
// of booleans, and those of the optimizer, which begin at the new value of its matrix.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
// CHECK-LABEL: @keeps_what_is_no_product_of_the_model
// CHECK-NOT: truncf
// CHECK: return
// NARROW-LABEL: @keeps_what_is_no_product_of_the_model
// NARROW-NOT: truncf
// NARROW: return
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @keeps_what_is_no_product_of_the_model(%m: tensor<4x4xf32> {ds.state = "m"}, %w: tensor<4x4xf32> {ds.param = "w"},
      %g: tensor<4x4xf32>, %v: tensor<4xf32>, %hit: tensor<4x4xi1>, %zeros: tensor<4x4xf32>, %z1: tensor<4xf32>, %z0: tensor<f32>)
      -> (tensor<4x4xf32> {ds.updates = "m"}, tensor<4x4xf32> {ds.updates = "w"}, tensor<4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %new = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%m, %g : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %turned = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%new, %new : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %sums = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%g : tensor<4x4xf32>) outs(%z1 : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    %norm = linalg.generic {indexing_maps = [#one, #one, #none], iterator_types = ["reduction"]}
        ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%z0 : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    %chosen = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%hit : tensor<4x4xi1>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: i1, %b: f32):
      %s = arith.uitofp %a : i1 to f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %looked = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%chosen, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %triangle = arith.constant dense<1.0> : tensor<4x4xf32>
    %cumulative = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%g, %triangle : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    return %new, %turned, %sums, %norm, %looked, %cumulative : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// The boundaries of the last rule: an old state, the new value of a parameter (another model trains with it in the same step), and a hidden
// state are factors as any other.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#same = affine_map<(i, j) -> (i, j)>
// NARROW-LABEL: @rounds_new_parameters_and_hidden_states
// NARROW-SAME: (%[[M:[^:]*]]: tensor<4x4xf32> {ds.state = "m"}
// NARROW: ins(%[[M]] : tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xbf16>)
// NARROW-COUNT-2: tensor<4x4xbf16>, tensor<4x4xbf16>) outs
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @rounds_new_parameters_and_hidden_states(%m: tensor<4x4xf32> {ds.state = "m"}, %w: tensor<4x4xf32> {ds.param = "w"},
      %h: tensor<4x4xf32> {ds.state = "h", ds.batch = 0 : i64}, %g: tensor<4x4xf32>, %zeros: tensor<4x4xf32>)
      -> (tensor<4x4xf32> {ds.updates = "m"}, tensor<4x4xf32> {ds.updates = "w"}, tensor<4x4xf32> {ds.updates = "h", ds.batch = 0 : i64}, tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %old = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%m, %h : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %new = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%m, %g : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %trained = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%w, %new : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.subf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %next = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%old, %trained : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    return %new, %trained, %old, %next : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// Where frameworks chose 16 bits nothing is left to choose; a value that was widened is not rounded again.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#same = affine_map<(i, j) -> (i, j)>
// NARROW-LABEL: @keeps_16_bits
// NARROW-SAME: (%[[X:[^:]*]]: tensor<4x4xbf16>, %[[H:[^:]*]]: tensor<4x4xf16>
// NARROW-NOT: truncf
// NARROW: ins(%[[X]], %[[X]] : tensor<4x4xbf16>, tensor<4x4xbf16>) outs
// NARROW-NOT: truncf
// NARROW: ins(%[[H]], %[[H]] : tensor<4x4xf16>, tensor<4x4xf16>) outs
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @keeps_16_bits(%x: tensor<4x4xbf16>, %h: tensor<4x4xf16>, %zeros: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %wide = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x4xbf16>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: bf16, %b: f32):
      %s = arith.extf %a : bf16 to f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%wide, %wide : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    %1 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %h : tensor<4x4xf16>, tensor<4x4xf16>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %u = arith.extf %a : f16 to f32
      %v = arith.extf %b : f16 to f32
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// Without the key nothing is rounded.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @keeps_f32_without_the_key
// CHECK-NOT: truncf
module attributes {ds.config = #ds.config<precision = tf32>} {
  func.func @keeps_f32_without_the_key(%x: tensor<4x4xf32>, %zeros: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// Shards that are gathered for products alone are rounded before they travel; beside a reader in f32 all of a bucket travels as it is.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: @gathers_rounded_shards
// CHECK-SAME: (%[[A:[^:]*]]: tensor<2x4xf32>, %[[B:[^:]*]]: tensor<2x4xf32>
// CHECK: %[[RA:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<2x4xf32>) outs(%{{.*}} : tensor<2x4xbf16>)
// CHECK: %[[G:.*]] = ds.all_gather %[[RA]] into %{{.*}} along 0 {fusion = 7 : i64} : tensor<2x4xbf16> into tensor<4x4xbf16>
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK: ds.all_gather %[[B]] into %{{.*}} along 0 : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK: ins(%[[W]], %{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>)
// NARROW-LABEL: @gathers_rounded_shards
// NARROW: %[[G:.*]] = ds.all_gather {{.*}} : tensor<2x4xbf16> into tensor<4x4xbf16>
// NARROW: ins(%[[G]], %{{.*}} : tensor<4x4xbf16>, tensor<4x4xbf16>)
module attributes {ds.config = #ds.config<precision = bf16, device_num = 2>} {
  func.func @gathers_rounded_shards(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %zeros: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %e = tensor.empty() : tensor<4x4xf32>
    %x = ds.all_gather %a into %e along 0 {fusion = 7 : i64} : tensor<2x4xf32> into tensor<4x4xf32>
    %y = ds.all_gather %b into %e along 0 : tensor<2x4xf32> into tensor<4x4xf32>
    %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) {
    ^bb0(%c: f32, %d: f32, %s: f32):
      %p = arith.mulf %c, %d : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
    } -> tensor<4x4xf32>
    return %0, %y : tensor<4x4xf32>, tensor<4x4xf32>
  }
}

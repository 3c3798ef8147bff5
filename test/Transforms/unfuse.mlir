// Bodies that compute on their way what is to be combined are unfused, and no others.
// RUN: ds-opt %s --split-input-file --ds-detect-gradients | FileCheck %s

#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // One gradient of 12 bytes instead of two; the sum runs over the loops of its operands.
  // CHECK-LABEL: func.func @sum_before_clipping(
  func.func @sum_before_clipping(%w: tensor<3xf32> {ds.param = "w"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: %[[FIRST:.*]] = linalg.reduce
    %first = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // CHECK: %[[SECOND:.*]] = linalg.reduce
    %second = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[FIRST]], %[[SECOND]] : tensor<3xf32>, tensor<3xf32>)
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: arith.addf
    // CHECK-NEXT: linalg.yield
    // CHECK: %[[G:.*]] = ds.gradient %[[SUM]] of "w"
    // CHECK: linalg.generic {{.*}} ins(%[[G]] : tensor<3xf32>)
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: %[[MOST:.*]] = arith.constant
    // CHECK-NEXT: arith.minimumf %{{.*}}, %[[MOST]]
    // CHECK: arith.subf
    // CHECK-NOT: ds.gradient
    %e = tensor.empty() : tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %first, %second : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %a: f32, %b: f32, %o: f32):
      %most = arith.constant 1.0 : f32
      %s = arith.addf %a, %b : f32
      %c = arith.minimumf %s, %most : f32
      %n = arith.subf %p, %c : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Weighted squares are summed: each operation keeps the loops of its operands, and what accumulates stays where it was.
  // CHECK-LABEL: func.func @sum_inside_of_a_reduction(
  func.func @sum_inside_of_a_reduction(%w: tensor<2xf32> {ds.param = "w"},
      %x: tensor<8x2x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<2xf32> {ds.updates = "w"}) {
    %z2 = arith.constant dense<0.0> : tensor<2x3xf32>
    %z1 = arith.constant dense<0.0> : tensor<3xf32>
    %first = linalg.reduce { arith.addf } ins(%x : tensor<8x2x3xf32>) outs(%z2 : tensor<2x3xf32>) dimensions = [0]
    %second = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%z1 : tensor<3xf32>) dimensions = [0]
    // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]{{.*}} outs(%{{.*}} : tensor<2x3xf32>)
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} outs(%{{.*}} : tensor<3xi32>)
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: linalg.index 0
    // CHECK: %[[SQUARE:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: arith.mulf
    // CHECK-NEXT: linalg.yield
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<2x3xf32>) outs(%arg0 : tensor<2xf32>)
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: arith.subf
    // CHECK-NEXT: linalg.yield
    %new = linalg.generic {indexing_maps = [#bi, #i, affine_map<(b, i) -> (b)>], iterator_types = ["parallel", "reduction"]}
        ins(%first, %second : tensor<2x3xf32>, tensor<3xf32>) outs(%w : tensor<2xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %at = linalg.index 1 : index
      %int = arith.index_cast %at : index to i32
      %scale = arith.sitofp %int : i32 to f32
      %q = arith.mulf %s, %s : f32
      %d = arith.mulf %q, %scale : f32
      %n = arith.subf %o, %d : f32
      linalg.yield %n : f32
    } -> tensor<2xf32>
    return %new : tensor<2xf32>
  }
}

// -----

#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Linear to the end: the cut is behind the body, and the body stays.
  // CHECK-LABEL: func.func @linear_bodies_stay(
  func.func @linear_bodies_stay(%w: tensor<3xf32> {ds.param = "w"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}, %y: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %first = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %second = linalg.reduce { arith.addf } ins(%y : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %e = tensor.empty() : tensor<3xf32>
    // CHECK-COUNT-1: linalg.generic
    // CHECK-NOT: linalg.generic
    %new = linalg.generic {indexing_maps = [#one, #one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %first, %second : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %n = arith.subf %p, %s : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // Both sums are the rank's own, since samples meet them; their product is the gradient, and the square is not linear in it.
  // CHECK-LABEL: func.func @product_of_own_values(
  func.func @product_of_own_values(%w: tensor<3xf32> {ds.param = "w"}, %v: tensor<3xf32> {ds.param = "v"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "v"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%arg2, %arg0 :
    %first = linalg.generic {indexing_maps = [#bi, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%s: f32, %p: f32, %o: f32):
      %y = arith.mulf %s, %p : f32
      %t = arith.addf %o, %y : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    %second = linalg.reduce { arith.maximumf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    %meets = linalg.generic {indexing_maps = [#bi, #i, #i, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x, %first, %second : tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%s: f32, %a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %p, %s : f32
      %t = arith.addf %o, %q : f32
      linalg.yield %t : f32
    } -> tensor<3xf32>
    // CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}}["parallel"]} ins(%[[FIRST]], %reduced : tensor<3xf32>, tensor<3xf32>)
    // CHECK: ds.gradient %[[PRODUCT]] of "w"
    %e = tensor.empty() : tensor<3xf32>
    %neww = linalg.map ins(%w, %first, %second : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>)
      (%p: f32, %a: f32, %b: f32, %o: f32) {
        %g = arith.mulf %a, %b : f32
        %q = arith.mulf %g, %g : f32
        %n = arith.subf %p, %q : f32
        linalg.yield %n : f32
      }
    %newv = linalg.sub ins(%v, %meets : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    return %neww, %newv : tensor<3xf32>, tensor<3xf32>
  }
}

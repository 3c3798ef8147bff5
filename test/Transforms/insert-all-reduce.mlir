// RUN: ds-opt %s -split-input-file -ds-detect-gradients -ds-insert-all-reduce | FileCheck %s

#x = affine_map<(k, n, b) -> (b, k)>
#g = affine_map<(k, n, b) -> (b, n)>
#w = affine_map<(k, n, b) -> (k, n)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @combines_a_gradient_where_it_is_born
  func.func @combines_a_gradient_where_it_is_born(
      %w: tensor<4x3xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}, %dy: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %lr = arith.constant 0.1 : f32
    %e = tensor.empty() : tensor<4x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
    // CHECK: %[[DW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x4xf32>, tensor<8x3xf32>)
    %dw = linalg.generic {indexing_maps = [#x, #g, #w],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %dy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%init : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    // CHECK: %[[ALL:.*]] = ds.all_reduce sum %[[DW]] {names = {{\[\[}}"w"]]} : tensor<4x3xf32>
    // CHECK-NOT: ds.gradient
    %gradient = ds.gradient %dw of "w" : tensor<4x3xf32>
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[ALL]] :
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w, %gradient : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %m = arith.mulf %d, %lr : f32
      %n = arith.subf %p, %m : f32
      linalg.yield %n : f32
    } -> tensor<4x3xf32>
    return %new : tensor<4x3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // Tied weights: two partial sources, one all-reduce after their sum; the weight decay between them counts once.
  // CHECK-LABEL: func.func @combines_the_sum_of_two_sources_once
  func.func @combines_the_sum_of_two_sources_once(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64},
      %y: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sx = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %sy = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK-NOT: ds.all_reduce
    // CHECK: ^bb0(%[[A:.*]]: f32, %[[P:.*]]: f32, %{{.*}}: f32):
    // CHECK: %[[ONCE:.*]] = ds.replicated_to_partial sum %[[P]] : f32
    // CHECK: arith.addf %[[A]], %[[ONCE]] : f32
    %decayed = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%sx, %w : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %p: f32, %o: f32):
      %s = arith.addf %a, %p : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: %[[SUM:.*]] = linalg.generic
    %sum = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%decayed, %sy : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce sum %[[SUM]] {names = {{\[\[}}"w"]]}
    // CHECK-NOT: ds.all_reduce
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // An init that every rank holds counts once; a zero one needs no mark.
  // CHECK-LABEL: func.func @counts_a_replicated_init_once
  func.func @counts_a_replicated_init_once(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    // CHECK: %[[W:.*]] = ds.replicated_to_partial sum %{{.*}} : tensor<3xf32>
    // CHECK: linalg.generic {{.*}} outs(%[[W]] : tensor<3xf32>)
    %new = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce sum
    return %new : tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // A statistic that normalises samples is on the activation path: purpose activation. Maxima are combined as maxima.
  // CHECK-LABEL: func.func @statistics_of_the_batch_are_on_the_activation_path
  func.func @statistics_of_the_batch_are_on_the_activation_path(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %lowest = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %max = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%lowest : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce max %{{.*}} {purpose = #ds<purpose activation>} : tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %s = arith.subf %a, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]}
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, j, b) -> (b, i, j)>
#c = affine_map<(i, j, b) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // The same bytes travel behind the transpose, and the contraction before it can absorb it.
  // CHECK-LABEL: func.func @combines_behind_a_transpose
  func.func @combines_behind_a_transpose(
      %w: tensor<3x4xf32> {ds.param = "w"}, %x: tensor<8x4x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3x4xf32> {ds.updates = "w"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x3xf32>
    %et = tensor.empty() : tensor<3x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<8x4x3xf32>) outs(%init : tensor<4x3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    // CHECK-NOT: ds.all_reduce
    %tr = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : tensor<4x3xf32>) outs(%et : tensor<3x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<3x4xf32>
    // CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]} : tensor<3x4xf32>
    %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w, %tr : tensor<3x4xf32>, tensor<3x4xf32>) outs(%et : tensor<3x4xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %n = arith.subf %p, %d : f32
      linalg.yield %n : f32
    } -> tensor<3x4xf32>
    return %new : tensor<3x4xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // CHECK-LABEL: func.func @a_layerwise_parameter_is_left_to_each_rank
  // CHECK-NOT: ds.all_reduce
  func.func @a_layerwise_parameter_is_left_to_each_rank(
      %w: tensor<3xf32> {ds.param = "w", ds.layerwise_parallel}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}) {
    %new = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%w : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

#x = affine_map<(k, n, b) -> (b, k)>
#g = affine_map<(k, n, b) -> (b, n)>
#w = affine_map<(k, n, b) -> (k, n)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // What math.fma accumulates is a sum, and the product that it adds to a partial value counts once.
  // CHECK-LABEL: func.func @accumulates_by_multiply_and_add
  func.func @accumulates_by_multiply_and_add(
      // CHECK-SAME: %[[W:.*]]: tensor<4x3xf32> {ds.param = "w"}
      %w: tensor<4x3xf32> {ds.param = "w"},
      %x: tensor<8x4xf32> {ds.batch = 0 : i64}, %dy: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<4x3xf32> {ds.updates = "w"}) {
    %decay = arith.constant 0.1 : f32
    %e = tensor.empty() : tensor<4x3xf32>
    %zero = arith.constant dense<0.0> : tensor<4x3xf32>
    // CHECK-NOT: ds.all_reduce
    // CHECK: math.fma %{{.*}}, %{{.*}}, %out
    %dw = linalg.generic {indexing_maps = [#x, #g, #w],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %dy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = math.fma %a, %b, %o : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    // CHECK: %[[DECAYED:.*]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} :
    // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
    // CHECK-NEXT: %[[ONCE:.*]] = ds.replicated_to_partial sum %[[A]] : f32
    // CHECK-NEXT: math.fma %[[ONCE]], %{{.*}}, %[[B]]
    %decayed = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w, %dw : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = math.fma %a, %decay, %b : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    %other = linalg.generic {indexing_maps = [#x, #g, #w],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %dy : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zero : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = math.fma %b, %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    // CHECK: %[[G:.*]] = arith.addf %[[DECAYED]], %{{.*}} : tensor<4x3xf32>
    // CHECK-NEXT: ds.all_reduce sum %[[G]] {names = {{\[\[}}"w"]]} : tensor<4x3xf32>
    %g = arith.addf %decayed, %other : tensor<4x3xf32>
    return %g : tensor<4x3xf32>
  }
}

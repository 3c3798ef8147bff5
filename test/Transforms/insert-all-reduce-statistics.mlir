// RUN: ds-opt %s -split-input-file -ds-detect-gradients -ds-insert-all-reduce | FileCheck %s

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // `global`: the statistic is combined before it scales samples, the gradient's sum before the update.
  // CHECK-LABEL: func.func @global_combines_the_statistic_and_the_sum
  // CHECK: ds.all_reduce sum %{{.*}} {purpose = #ds<purpose activation>}
  // CHECK: ds.all_reduce sum %{{.*}} {names = {{\[\[}}"w"]]}
  // CHECK-NOT: ds.all_reduce
  func.func @global_combines_the_statistic_and_the_sum(
      %w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xf32> {ds.state = "running"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "running"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %scale = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = math.rsqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %scale : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %1 = arith.mulf %a, %m : f32
      linalg.yield %1 : f32
    } -> tensor<8x3xf32>
    %dy = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %dw = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%scale, %dy : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %dw : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.subf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %running = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.addf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>

    return %new, %running : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // `local`: the coefficient is the rank's own, so the product is combined, never the sum alone.
  // CHECK-LABEL: func.func @local_combines_the_product_with_its_own_coefficient
  // CHECK-NOT: ds.all_reduce
  // CHECK: arith.mulf
  // CHECK-NOT: ds.all_reduce
  func.func @local_combines_the_product_with_its_own_coefficient(
      %w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xf32> {ds.state = "running"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "running"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %scale = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = math.rsqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %scale : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %1 = arith.mulf %a, %m : f32
      linalg.yield %1 : f32
    } -> tensor<8x3xf32>
    %dy = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: %[[DW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3xf32>)
    // CHECK: arith.mulf
    %dw = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%scale, %dy : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce sum %[[DW]] {names = {{\[\[}}"w"]]}
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %dw : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.subf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: arith.addf
    %running = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.addf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce mean %{{.*}} {names = {{\[\[}}"running"]], purpose = #ds<purpose state>}
    return %new, %running : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2, local_state = rank0>} {
  // CHECK-LABEL: func.func @local_state_rank0_broadcasts
  func.func @local_state_rank0_broadcasts(
      %w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xf32> {ds.state = "running"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "running"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %scale = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = math.rsqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %scale : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %1 = arith.mulf %a, %m : f32
      linalg.yield %1 : f32
    } -> tensor<8x3xf32>
    %dy = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %dw = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%scale, %dy : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %dw : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.subf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %running = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.addf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: ds.broadcast %{{.*}} from 0 {names = {{\[\[}}"running"]]}
    return %new, %running : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
#bi = affine_map<(b, i) -> (b, i)>
#i = affine_map<(b, i) -> (i)>
#one = affine_map<(i) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2, local_state = per_rank>} {
  // CHECK-LABEL: func.func @local_state_per_rank_leaves_it
  // CHECK-COUNT-1: ds.all_reduce
  // CHECK-NOT: ds.{{all_reduce|broadcast}}
  func.func @local_state_per_rank_leaves_it(
      %w: tensor<3xf32> {ds.param = "w"}, %s: tensor<3xf32> {ds.state = "running"},
      %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "running"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %eb = tensor.empty() : tensor<8x3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %scale = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = math.rsqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %y = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %scale : tensor<8x3xf32>, tensor<3xf32>) outs(%eb : tensor<8x3xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %1 = arith.mulf %a, %m : f32
      linalg.yield %1 : f32
    } -> tensor<8x3xf32>
    %dy = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %dw = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%scale, %dy : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %new = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%w, %dw : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.subf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    %running = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%s, %sum : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%p: f32, %d: f32, %o: f32):
      %1 = arith.addf %p, %d : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>

    return %new, %running : tensor<3xf32>, tensor<3xf32>
  }
}

// -----

#r = affine_map<(i, b) -> (b, i)>
#c = affine_map<(i, b) -> (i)>
module attributes {ds.config = #ds.config<batch = local, device_num = 2, sync_metrics = true>} {
  // A metric is combined as ds.reduce says, the mean without it, and the runner does not combine it again.
  // CHECK-LABEL: func.func @metrics_are_combined_on_request
  // CHECK-SAME: tensor<3xf32> {ds.metric = "loss", ds.reduce = "none"}, tensor<3xf32> {ds.metric = "count", ds.reduce = "none"}
  func.func @metrics_are_combined_on_request(
      %w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.metric = "loss"},
          tensor<3xf32> {ds.metric = "count", ds.reduce = "sum"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %sum = linalg.generic {indexing_maps = [#r, #c], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%init : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = arith.addf %o, %a : f32
      linalg.yield %1 : f32
    } -> tensor<3xf32>
    // CHECK: ds.all_reduce mean %[[SUM:.*]] {names = {{\[\[}}"loss"]], purpose = #ds<purpose metric>}
    // CHECK: ds.all_reduce sum %[[SUM]] {names = {{\[\[}}"count"]], purpose = #ds<purpose metric>}
    return %w, %sum, %sum : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}

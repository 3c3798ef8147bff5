// RUN: ds-opt %s --ds-print-placement --split-input-file | FileCheck %s

// What each rule makes of a sharded, a partial and a replicated operand. `sharded(d, a, b)`: dimension d is [a, ranks, b].

#bi = affine_map<(b, i) -> (b, i)>
#b = affine_map<(b, i) -> (b)>
#i = affine_map<(b, i) -> (i)>
#none = affine_map<(b, i) -> ()>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @linalg(
  // CHECK-SAME: attributes {ds.placement = ["replicated", "sharded(0, 4, 1)"]}
  func.func @linalg(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64})
      -> (tensor<3xf32> {ds.updates = "w"}, tensor<8xf32> {ds.batch = 0 : i64}, tensor<f32> {ds.metric = "largest"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %e = tensor.empty() : tensor<8x3xf32>
    %zeros = arith.constant dense<0.0> : tensor<8xf32>
    // A replicated operand meets samples, and the destination is sliced.
    // CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<8x3xf32>, tensor<3xf32>) outs({{.*}}) attrs = {ds.operands = ["as it is", "as it is", "slice sharded(0, 4, 1)"], ds.placement = ["sharded(0, 4, 1)"]}
    %scaled = linalg.generic {indexing_maps = [#bi, #i, #bi], iterator_types = ["parallel", "parallel"]}
        ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%e : tensor<8x3xf32>) {
    ^bb0(%a: f32, %p: f32, %o: f32):
      %m = arith.mulf %a, %p : f32
      linalg.yield %m : f32
    } -> tensor<8x3xf32>
    // A sum over features stays with the samples; one over samples is partial, and so is a maximum.
    // CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}} attrs = {{.*}}ds.placement = ["sharded(0, 4, 1)"]}
    %each = linalg.generic {indexing_maps = [#bi, #b], iterator_types = ["parallel", "reduction"]}
        ins(%scaled : tensor<8x3xf32>) outs(%zeros : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    // CHECK: linalg.generic {{.*}}["reduction", "parallel"]{{.*}} attrs = {ds.combined = ["gradient w"], ds.placement = ["partial(sum)"]}
    %sum = linalg.generic {indexing_maps = [#bi, #i], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    // CHECK: linalg.generic {{.*}}["reduction", "reduction"]{{.*}} attrs = {ds.combined = ["metric largest"], ds.placement = ["partial(max)"]}
    %largest = linalg.generic {indexing_maps = [#bi, #none], iterator_types = ["reduction", "reduction"]}
        ins(%x : tensor<8x3xf32>) outs(%lowest : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    // The product of a partial value and a replicated one is partial; a square is not linear.
    // CHECK: arith.mulf {{.*}} {ds.operands = ["reduced", "reduced"], ds.placement = ["replicated"]}
    %square = arith.mulf %sum, %sum : tensor<3xf32>
    // CHECK: arith.subf {{.*}} {ds.placement = ["replicated"]}
    %new = arith.subf %w, %square : tensor<3xf32>
    // CHECK: return
    return %new, %each, %largest : tensor<3xf32>, tensor<8xf32>, tensor<f32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @tensor(
  func.func @tensor(%w: tensor<6xf32> {ds.param = "w"}, %x: tensor<8x6xf32> {ds.batch = 0 : i64})
      -> (tensor<6xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %c = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : tensor<6xf32>
    // Reshapes keep the batch where its dimension stays whole, or is major.
    // CHECK: tensor.expand_shape {{.*}} {ds.placement = ["sharded(0, 4, 1)"]}
    %wide = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 2, 3] : tensor<8x6xf32> into tensor<8x2x3xf32>
    // CHECK: tensor.collapse_shape {{.*}} {ds.placement = ["sharded(0, 4, 2)"]}
    %rows = tensor.collapse_shape %wide [[0, 1], [2]] : tensor<8x2x3xf32> into tensor<16x3xf32>
    // CHECK: tensor.expand_shape {{.*}} {ds.placement = ["sharded(0, 4, 1)"]}
    %back = tensor.expand_shape %rows [[0, 1], [2]] output_shape [8, 2, 3] : tensor<16x3xf32> into tensor<8x2x3xf32>
    // CHECK: tensor.collapse_shape {{.*}} {ds.placement = ["sharded(0, 4, 1)"]}
    %flat = tensor.collapse_shape %back [[0], [1, 2]] : tensor<8x2x3xf32> into tensor<8x6xf32>
    // Features may be padded, cut and joined.
    // CHECK: tensor.pad
    // CHECK: } {ds.placement = ["sharded(0, 4, 1)"]} : tensor<8x6xf32> to tensor<8x8xf32>
    %padded = tensor.pad %flat low[0, 1] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c : f32
    } : tensor<8x6xf32> to tensor<8x8xf32>
    // CHECK: tensor.extract_slice {{.*}} {ds.placement = ["sharded(0, 4, 1)"]}
    %slice = tensor.extract_slice %padded[0, 1] [8, 6] [1, 1] : tensor<8x8xf32> to tensor<8x6xf32>
    // CHECK: linalg.reduce
    // CHECK: ds.combined = ["gradient w"]
    %dw = linalg.reduce { arith.addf } ins(%slice : tensor<8x6xf32>) outs(%zero : tensor<6xf32>) dimensions = [0]
    // Linear in a partial value, so it could be combined behind it as well; the return needs it whole.
    // CHECK: arith.subf {{.*}} {ds.placement = ["partial(sum)"]}
    // CHECK: return {ds.operands = ["reduced"
    %new = arith.subf %w, %dw : tensor<6xf32>
    return %new, %padded : tensor<6xf32>, tensor<8x8xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // What a loop carries is partial in every round, and combined behind it; the condition is not divided.
  // CHECK-LABEL: func.func @loops(
  func.func @loops(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: linalg.reduce
    // CHECK: ds.placement = ["partial(sum)"]
    // CHECK: arith.addf {{.*}} {ds.placement = ["partial(sum)"]}
    // CHECK: } {ds.combined = ["gradient w"], ds.placement = ["partial(sum)"]}
    %total = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> tensor<3xf32> {
      %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
      %next = arith.addf %sum, %dw : tensor<3xf32>
      scf.yield %next : tensor<3xf32>
    }
    %new = arith.subf %w, %total : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

module attributes {ds.config = #ds.config<batch = local, device_num = 2>} {
  // In `local` samples vary from rank to rank, and with them what is computed of them; a mark makes a sum over ranks of it.
  // CHECK-LABEL: func.func @local(
  // CHECK-SAME: attributes {ds.placement = ["replicated", "varying"]}
  func.func @local(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x3xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    // CHECK: linalg.reduce
    // CHECK: ds.placement = ["varying"]
    %dw = linalg.reduce { arith.addf } ins(%x : tensor<8x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
    // CHECK: ds.gradient {{.*}} {ds.combined = ["gradient w"], ds.placement = ["partial(sum)"]}
    %g = ds.gradient %dw of "w" : tensor<3xf32>
    // Linear in a partial value, so it could be combined behind it as well; the return needs it whole.
    // CHECK: arith.subf {{.*}} {ds.placement = ["partial(sum)"]}
    // CHECK: return {ds.operands = ["reduced"
    %new = arith.subf %w, %g : tensor<3xf32>
    return %new : tensor<3xf32>
  }
}

// -----

// A rank's samples beside as many of their columns.
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  // CHECK-LABEL: func.func @turned(
  func.func @turned(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<8x8xf32> {ds.batch = 0 : i64}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<8x8xf32> {ds.batch = 0 : i64}) {
    %e = tensor.empty() : tensor<8x8xf32>
    // CHECK: linalg.generic {{.*}} attrs = {ds.operands = ["as it is", "exchanged sharded(1, 4, 1)", "slice sharded(0, 4, 1)"]
    %y = linalg.generic {indexing_maps = [#m, #t, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    return %w, %y : tensor<3xf32>, tensor<8x8xf32>
  }
}

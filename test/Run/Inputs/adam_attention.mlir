#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<() -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> ()>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map19 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map20 = affine_map<(d0, d1, d2) -> (d0)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d0)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d1, d2)>
#map23 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map26 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map27 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map28 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map29 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map30 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map31 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0, d1)>
#map32 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map33 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d0, d1)>
#map34 = affine_map<(d0, d1) -> ()>
#map35 = affine_map<(d0, d1) -> (d0, d1)>
#map36 = affine_map<(d0) -> ()>
#map37 = affine_map<(d0) -> (d0)>
module @jit_flat {
  func.func public @main(%arg0: tensor<2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.key.bias"}, %arg1: tensor<16x2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.key.kernel"}, %arg2: tensor<16xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.out.bias"}, %arg3: tensor<2x8x16xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.out.kernel"}, %arg4: tensor<2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.query.bias"}, %arg5: tensor<16x2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.query.kernel"}, %arg6: tensor<2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.value.bias"}, %arg7: tensor<16x2x8xf32> {ds.param = "params.params.MultiHeadDotProductAttention_0.value.kernel"}, %arg8: tensor<i32> {ds.state = "state.0.0.count"}, %arg9: tensor<2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.key.bias"}, %arg10: tensor<16x2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.key.kernel"}, %arg11: tensor<16xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.out.bias"}, %arg12: tensor<2x8x16xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.out.kernel"}, %arg13: tensor<2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.query.bias"}, %arg14: tensor<16x2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.query.kernel"}, %arg15: tensor<2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.value.bias"}, %arg16: tensor<16x2x8xf32> {ds.state = "state.0.0.mu.params.MultiHeadDotProductAttention_0.value.kernel"}, %arg17: tensor<2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.key.bias"}, %arg18: tensor<16x2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.key.kernel"}, %arg19: tensor<16xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.out.bias"}, %arg20: tensor<2x8x16xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.out.kernel"}, %arg21: tensor<2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.query.bias"}, %arg22: tensor<16x2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.query.kernel"}, %arg23: tensor<2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.value.bias"}, %arg24: tensor<16x2x8xf32> {ds.state = "state.0.0.nu.params.MultiHeadDotProductAttention_0.value.kernel"}, %arg25: tensor<8x6x16xf32> {ds.batch = 0 : i64, ds.name = "batch"}) -> (tensor<2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.key.bias"}, tensor<16x2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.key.kernel"}, tensor<16xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.out.bias"}, tensor<2x8x16xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.out.kernel"}, tensor<2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.query.bias"}, tensor<16x2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.query.kernel"}, tensor<2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.value.bias"}, tensor<16x2x8xf32> {ds.updates = "params.params.MultiHeadDotProductAttention_0.value.kernel"}, tensor<i32> {ds.updates = "state.0.0.count"}, tensor<2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.key.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.key.kernel"}, tensor<16xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.out.bias"}, tensor<2x8x16xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.out.kernel"}, tensor<2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.query.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.query.kernel"}, tensor<2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.value.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.mu.params.MultiHeadDotProductAttention_0.value.kernel"}, tensor<2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.key.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.key.kernel"}, tensor<16xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.out.bias"}, tensor<2x8x16xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.out.kernel"}, tensor<2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.query.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.query.kernel"}, tensor<2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.value.bias"}, tensor<16x2x8xf32> {ds.updates = "state.0.0.nu.params.MultiHeadDotProductAttention_0.value.kernel"}, tensor<f32> {ds.metric = "loss"}) {
    %cst = arith.constant 0.00130208337 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 9.990000e-01 : f32
    %cst_2 = arith.constant 0.899999976 : f32
    %c1_i32 = arith.constant 1 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 7.680000e+02 : f32
    %cst_5 = arith.constant 0xFF800000 : f32
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant dense<-1.000000e-03> : tensor<f32>
    %cst_8 = arith.constant dense<9.99999993E-9> : tensor<f32>
    %cst_9 = arith.constant dense<2147483647> : tensor<i32>
    %cst_10 = arith.constant dense<9.990000e-01> : tensor<f32>
    %cst_11 = arith.constant dense<1.000000e-03> : tensor<f32>
    %cst_12 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_13 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_14 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_15 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_17 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<8x6x2x8xf32>
    %1 = linalg.fill ins(%cst_6 : f32) outs(%0 : tensor<8x6x2x8xf32>) -> tensor<8x6x2x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg25, %arg5 : tensor<8x6x16xf32>, tensor<16x2x8xf32>) outs(%1 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x6x2x8xf32>
    %expanded = tensor.expand_shape %arg4 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x2x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg25, %arg1 : tensor<8x6x16xf32>, tensor<16x2x8xf32>) outs(%1 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x6x2x8xf32>
    %expanded_18 = tensor.expand_shape %arg0 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x1x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x2x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg25, %arg7 : tensor<8x6x16xf32>, tensor<16x2x8xf32>) outs(%1 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x6x2x8xf32>
    %expanded_19 = tensor.expand_shape %arg6 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x1x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x2x8xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map5], iterator_types = []} outs(%11 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_0 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<f32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %13 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x2x8xf32>
    %15 = tensor.empty() : tensor<8x2x6x6xf32>
    %16 = linalg.fill ins(%cst_6 : f32) outs(%15 : tensor<8x2x6x6xf32>) -> tensor<8x2x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map7, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14, %7 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%16 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x6x6xf32>
    %18 = tensor.empty() : tensor<8x2x6xf32>
    %19 = linalg.fill ins(%cst_5 : f32) outs(%18 : tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<8x2x6x6xf32>) outs(%19 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.maximumf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%18 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %20 : tensor<8x2x6xf32>, tensor<8x2x6xf32>) outs(%18 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.maximumf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6xf32>
    %23 = tensor.empty() : tensor<8x2x6x1xf32>
    %24 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<8x2x6xf32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<8x2x6x1xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x6xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %25 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.subf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.exp %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %28 = linalg.fill ins(%cst_6 : f32) outs(%18 : tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<8x2x6x6xf32>) outs(%28 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<8x2x6xf32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x1xf32>
    %31 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<8x2x6x1xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x6xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %31 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %30 : tensor<8x2x6x1xf32>, tensor<8x2x6x1xf32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x1xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15 : tensor<f32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x1xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %33 : tensor<8x2x6x1xf32>, tensor<8x2x6x1xf32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x1xf32>
    %36 = tensor.empty() : tensor<8x2x8x6xf32>
    %37 = linalg.fill ins(%cst_6 : f32) outs(%36 : tensor<8x2x8x6xf32>) -> tensor<8x2x8x6xf32>
    %38 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%10, %32 : tensor<8x6x2x8xf32>, tensor<8x2x6x6xf32>) outs(%37 : tensor<8x2x8x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x8x6xf32>
    %39 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<8x2x8x6xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %40 = tensor.empty() : tensor<8x6x16xf32>
    %41 = linalg.fill ins(%cst_6 : f32) outs(%40 : tensor<8x6x16xf32>) -> tensor<8x6x16xf32>
    %42 = linalg.generic {indexing_maps = [#map14, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%39, %arg3 : tensor<8x6x2x8xf32>, tensor<2x8x16xf32>) outs(%41 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x6x16xf32>
    %expanded_20 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %43 = linalg.generic {indexing_maps = [#map18, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x1x16xf32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x16xf32>
    %44 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %43 : tensor<8x6x16xf32>, tensor<8x6x16xf32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x16xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %44 : tensor<8x6x16xf32>, tensor<8x6x16xf32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x16xf32>
    %46 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x16xf32>
    %47 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %44 : tensor<8x6x16xf32>, tensor<8x6x16xf32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x16xf32>
    %48 = linalg.fill ins(%cst_6 : f32) outs(%11 : tensor<f32>) -> tensor<f32>
    %49 = linalg.generic {indexing_maps = [#map11, #map10], iterator_types = ["reduction", "reduction", "reduction"]} ins(%45 : tensor<8x6x16xf32>) outs(%48 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%49 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.divf %in, %cst_4 : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %51 = linalg.generic {indexing_maps = [#map5], iterator_types = []} outs(%11 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %52 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<f32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x16xf32>
    %53 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %47 : tensor<8x6x16xf32>, tensor<8x6x16xf32>) outs(%40 : tensor<8x6x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x16xf32>
    %54 = tensor.empty() : tensor<16xf32>
    %55 = linalg.fill ins(%cst_6 : f32) outs(%54 : tensor<16xf32>) -> tensor<16xf32>
    %56 = linalg.generic {indexing_maps = [#map19, #map20], iterator_types = ["parallel", "reduction", "reduction"]} ins(%53 : tensor<8x6x16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %57 = tensor.empty() : tensor<16x2x8xf32>
    %58 = linalg.fill ins(%cst_6 : f32) outs(%57 : tensor<16x2x8xf32>) -> tensor<16x2x8xf32>
    %59 = linalg.generic {indexing_maps = [#map21, #map22, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%53, %39 : tensor<8x6x16xf32>, tensor<8x6x2x8xf32>) outs(%58 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<16x2x8xf32>
    %60 = tensor.empty() : tensor<2x8x16xf32>
    %61 = linalg.generic {indexing_maps = [#map23, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<16x2x8xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map24, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%53, %arg3 : tensor<8x6x16xf32>, tensor<2x8x16xf32>) outs(%1 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x6x2x8xf32>
    %63 = linalg.generic {indexing_maps = [#map25, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<8x6x2x8xf32>) outs(%36 : tensor<8x2x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x8x6xf32>
    %64 = linalg.generic {indexing_maps = [#map26, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%63, %10 : tensor<8x2x8x6xf32>, tensor<8x6x2x8xf32>) outs(%16 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x6x6xf32>
    %65 = linalg.generic {indexing_maps = [#map27, #map28, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%63, %32 : tensor<8x2x8x6xf32>, tensor<8x2x6x6xf32>) outs(%37 : tensor<8x2x8x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x8x6xf32>
    %66 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<8x2x8x6xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %67 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<8x2x6x1xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x6xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %67 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %27 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<8x2x6x6xf32>) outs(%28 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6xf32>
    %expanded_21 = tensor.expand_shape %70 [[0], [1], [2, 3]] output_shape [8, 2, 6, 1] : tensor<8x2x6xf32> into tensor<8x2x6x1xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<8x2x6x1xf32>) outs(%23 : tensor<8x2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.negf %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x1xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %31 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<8x2x6x1xf32>) outs(%28 : tensor<8x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6xf32>
    %74 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<8x2x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x6x6xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %74 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %27 : tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) outs(%15 : tensor<8x2x6x6xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x2x6x6xf32>
    %77 = tensor.empty() : tensor<8x2x6x8xf32>
    %78 = linalg.fill ins(%cst_6 : f32) outs(%77 : tensor<8x2x6x8xf32>) -> tensor<8x2x6x8xf32>
    %79 = linalg.generic {indexing_maps = [#map26, #map29, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%76, %14 : tensor<8x2x6x6xf32>, tensor<8x6x2x8xf32>) outs(%78 : tensor<8x2x6x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x6x8xf32>
    %80 = linalg.generic {indexing_maps = [#map30, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<8x2x6x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %81 = linalg.generic {indexing_maps = [#map27, #map29, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%76, %7 : tensor<8x2x6x6xf32>, tensor<8x6x2x8xf32>) outs(%78 : tensor<8x2x6x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<8x2x6x8xf32>
    %82 = linalg.generic {indexing_maps = [#map30, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<8x2x6x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6x2x8xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %13 : tensor<8x6x2x8xf32>, tensor<8x6x2x8xf32>) outs(%0 : tensor<8x6x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<8x6x2x8xf32>
    %84 = tensor.empty() : tensor<2x8xf32>
    %85 = linalg.fill ins(%cst_6 : f32) outs(%84 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %86 = linalg.generic {indexing_maps = [#map31, #map32], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%66 : tensor<8x6x2x8xf32>) outs(%85 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %87 = linalg.fill ins(%cst_6 : f32) outs(%60 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %88 = linalg.generic {indexing_maps = [#map33, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%66, %arg25 : tensor<8x6x2x8xf32>, tensor<8x6x16xf32>) outs(%87 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x8x16xf32>
    %89 = linalg.generic {indexing_maps = [#map19, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x8x16xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %90 = linalg.generic {indexing_maps = [#map31, #map32], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%80 : tensor<8x6x2x8xf32>) outs(%85 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %91 = linalg.generic {indexing_maps = [#map33, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%80, %arg25 : tensor<8x6x2x8xf32>, tensor<8x6x16xf32>) outs(%87 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x8x16xf32>
    %92 = linalg.generic {indexing_maps = [#map19, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x16xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %93 = linalg.generic {indexing_maps = [#map31, #map32], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%83 : tensor<8x6x2x8xf32>) outs(%85 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.addf %out, %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %94 = linalg.generic {indexing_maps = [#map33, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%83, %arg25 : tensor<8x6x2x8xf32>, tensor<8x6x16xf32>) outs(%87 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x8x16xf32>
    %95 = linalg.generic {indexing_maps = [#map19, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x8x16xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %96 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %97 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%96, %90 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %98 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %99 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%98, %arg9 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %100 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%97, %99 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %101 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %102 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %92 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %103 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %104 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %arg10 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %105 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %104 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %106 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %107 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%106, %56 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %108 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %109 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%108, %arg11 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %110 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%107, %109 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %111 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %112 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %61 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %113 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %114 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %arg12 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %115 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %114 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %116 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%96, %93 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %117 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%98, %arg13 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %118 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%116, %117 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %119 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %95 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %120 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %arg14 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %121 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %120 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %122 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%96, %86 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %123 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%98, %arg15 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %124 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%122, %123 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %125 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %89 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %126 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %arg16 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %127 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %126 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %128 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%90, %90 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %129 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %130 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%129, %128 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %131 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %132 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%131, %arg17 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %133 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%130, %132 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %134 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %92 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %135 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %136 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %134 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %137 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %138 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %arg18 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %139 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %138 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %140 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%56, %56 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %141 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %142 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%141, %140 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %143 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %144 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%143, %arg19 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %145 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%142, %144 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %146 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %61 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %147 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %148 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %146 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %149 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %150 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %arg20 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %151 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %150 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %152 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%93, %93 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %153 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%129, %152 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %154 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%131, %arg21 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %155 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%153, %154 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %156 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %95 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %157 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %156 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %158 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %arg22 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %159 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %158 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %160 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%86, %86 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %161 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%129, %160 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %162 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%131, %arg23 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %163 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%161, %162 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %164 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %89 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %165 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %164 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %166 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %arg24 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %167 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %166 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %168 = tensor.empty() : tensor<i1>
    %169 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%arg8 : tensor<i32>) outs(%168 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %262 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %262 : i1
    } -> tensor<i1>
    %170 = tensor.empty() : tensor<i32>
    %171 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%arg8 : tensor<i32>) outs(%170 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %262 = arith.addi %in, %c1_i32 : i32
      linalg.yield %262 : i32
    } -> tensor<i32>
    %172 = call @_where(%169, %171, %cst_9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %173 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%172 : tensor<i32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %262 = arith.sitofp %in : i32 to f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %174 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%173 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.powf %cst_2, %in : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %175 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%174 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.subf %cst_3, %in : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %176 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%175 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %177 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%100, %176 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %178 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %179 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %178 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %180 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%175 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %181 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%110, %180 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %182 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %183 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %182 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %184 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%118, %176 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %185 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %178 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %186 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%124, %176 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %187 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %178 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %188 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%173 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.powf %cst_1, %in : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %189 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%188 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = arith.subf %cst_3, %in : f32
      linalg.yield %262 : f32
    } -> tensor<f32>
    %190 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%189 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %191 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%133, %190 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %192 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %193 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %192 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %194 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%189 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %195 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%145, %194 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %196 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %197 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %196 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %198 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%155, %190 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %199 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %192 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %200 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%163, %190 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %201 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %192 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %202 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %203 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%191, %202 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %204 = linalg.generic {indexing_maps = [#map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%203 : tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %205 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %206 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%204, %205 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %207 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%177, %206 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %208 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %209 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193, %208 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %210 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %211 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %212 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210, %211 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %213 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %212 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %214 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_16 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %215 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%195, %214 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %216 = linalg.generic {indexing_maps = [#map37, #map37], iterator_types = ["parallel"]} ins(%215 : tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %217 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %218 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%216, %217 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %219 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%181, %218 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %220 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %221 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197, %220 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %222 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%221 : tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %223 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %224 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222, %223 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %225 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183, %224 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %226 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%198, %202 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %227 = linalg.generic {indexing_maps = [#map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%226 : tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %228 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%227, %205 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %229 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%184, %228 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %230 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199, %208 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %231 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230 : tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %232 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%231, %211 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %233 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %232 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %234 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%200, %202 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %235 = linalg.generic {indexing_maps = [#map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%234 : tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %236 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%235, %205 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %237 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%186, %236 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %238 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201, %208 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %239 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238 : tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %262 = math.sqrt %in : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %240 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%239, %211 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %241 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187, %240 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.divf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %242 = linalg.generic {indexing_maps = [#map34, #map35], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %243 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%242, %207 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %244 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %245 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244, %213 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %246 = linalg.generic {indexing_maps = [#map36, #map37], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %247 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%246, %219 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %248 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %249 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%248, %225 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %250 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%242, %229 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %251 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244, %233 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %252 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%242, %237 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %253 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244, %241 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.mulf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %254 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%arg0, %243 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %255 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %245 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %256 = linalg.generic {indexing_maps = [#map37, #map37, #map37], iterator_types = ["parallel"]} ins(%arg2, %247 : tensor<16xf32>, tensor<16xf32>) outs(%54 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16xf32>
    %257 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %249 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%60 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8x16xf32>
    %258 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%arg4, %250 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %259 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %251 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    %260 = linalg.generic {indexing_maps = [#map35, #map35, #map35], iterator_types = ["parallel", "parallel"]} ins(%arg6, %252 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%84 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<2x8xf32>
    %261 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7, %253 : tensor<16x2x8xf32>, tensor<16x2x8xf32>) outs(%57 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %262 = arith.addf %in, %in_22 : f32
      linalg.yield %262 : f32
    } -> tensor<16x2x8xf32>
    return %254, %255, %256, %257, %258, %259, %260, %261, %172, %100, %105, %110, %115, %118, %121, %124, %127, %133, %139, %145, %151, %155, %159, %163, %167, %50 : tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<16xf32>, tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<16xf32>, tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<16xf32>, tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

#map = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map14 = affine_map<(d0, d1) -> (0, d1)>
#map15 = affine_map<(d0, d1) -> (d0)>
#map16 = affine_map<(d0) -> ()>
#map17 = affine_map<(d0) -> (d0)>
#map18 = affine_map<(d0, d1) -> (d0, 0)>
#map19 = affine_map<() -> ()>
#map20 = affine_map<(d0, d1) -> (d1, d0)>
#map21 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map22 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map23 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map24 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map26 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map27 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map28 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
#map30 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map31 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3)>
#map32 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d3, d4 + d5, d6)>
#map33 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d5, d1)>
#map34 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d2, d4, d6, d1)>
#map35 = affine_map<(d0, d1, d2) -> ()>
#map36 = affine_map<(d0, d1, d2) -> (d2)>
#map37 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @jit_flat {
  func.func public @main(%arg0: tensor<4xf32> {ds.param = "params.params.Conv_0.bias"}, %arg1: tensor<3x3x3x4xf32> {ds.param = "params.params.Conv_0.kernel"}, %arg2: tensor<5xf32> {ds.param = "params.params.Dense_0.bias"}, %arg3: tensor<64x5xf32> {ds.param = "params.params.Dense_0.kernel"}, %arg4: tensor<4xf32> {ds.param = "params.params.GroupNorm_0.bias"}, %arg5: tensor<4xf32> {ds.param = "params.params.GroupNorm_0.scale"}, %arg6: tensor<i32> {ds.state = "state.0.0.count"}, %arg7: tensor<4xf32> {ds.state = "state.0.0.mu.params.Conv_0.bias"}, %arg8: tensor<3x3x3x4xf32> {ds.state = "state.0.0.mu.params.Conv_0.kernel"}, %arg9: tensor<5xf32> {ds.state = "state.0.0.mu.params.Dense_0.bias"}, %arg10: tensor<64x5xf32> {ds.state = "state.0.0.mu.params.Dense_0.kernel"}, %arg11: tensor<4xf32> {ds.state = "state.0.0.mu.params.GroupNorm_0.bias"}, %arg12: tensor<4xf32> {ds.state = "state.0.0.mu.params.GroupNorm_0.scale"}, %arg13: tensor<4xf32> {ds.state = "state.0.0.nu.params.Conv_0.bias"}, %arg14: tensor<3x3x3x4xf32> {ds.state = "state.0.0.nu.params.Conv_0.kernel"}, %arg15: tensor<5xf32> {ds.state = "state.0.0.nu.params.Dense_0.bias"}, %arg16: tensor<64x5xf32> {ds.state = "state.0.0.nu.params.Dense_0.kernel"}, %arg17: tensor<4xf32> {ds.state = "state.0.0.nu.params.GroupNorm_0.bias"}, %arg18: tensor<4xf32> {ds.state = "state.0.0.nu.params.GroupNorm_0.scale"}, %arg19: tensor<8x8x8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %arg20: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "y"}) -> (tensor<4xf32> {ds.updates = "params.params.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "params.params.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "params.params.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "params.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "params.params.GroupNorm_0.bias"}, tensor<4xf32> {ds.updates = "params.params.GroupNorm_0.scale"}, tensor<i32> {ds.updates = "state.0.0.count"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "state.0.0.mu.params.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "state.0.0.mu.params.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "state.0.0.mu.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.GroupNorm_0.bias"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.GroupNorm_0.scale"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "state.0.0.nu.params.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "state.0.0.nu.params.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "state.0.0.nu.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.GroupNorm_0.bias"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.GroupNorm_0.scale"}, tensor<f32> {ds.metric = "loss"}) {
    %cst = arith.constant 1.250000e-01 : f32
    %cst_0 = arith.constant 9.990000e-01 : f32
    %cst_1 = arith.constant 0.899999976 : f32
    %c1_i32 = arith.constant 1 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 8.000000e+00 : f32
    %cst_4 = arith.constant 0x7F800000 : f32
    %cst_5 = arith.constant 0xFF800000 : f32
    %cst_6 = arith.constant 0.000000e+00 : f32
    %cst_7 = arith.constant dense<-1.000000e-03> : tensor<f32>
    %cst_8 = arith.constant dense<9.99999993E-9> : tensor<f32>
    %cst_9 = arith.constant dense<2147483647> : tensor<i32>
    %cst_10 = arith.constant dense<9.990000e-01> : tensor<f32>
    %cst_11 = arith.constant dense<1.000000e-03> : tensor<f32>
    %cst_12 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_13 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_14 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_15 = arith.constant dense<0> : tensor<i32>
    %cst_16 = arith.constant dense<-5.000000e-01> : tensor<f32>
    %cst_17 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_18 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = arith.constant dense<1.600000e+01> : tensor<f32>
    %cst_20 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_21 = arith.constant dense<2.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x4x4x4xf32>
    %1 = linalg.fill ins(%cst_6 : f32) outs(%0 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %padded = tensor.pad %arg19 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg21: index, %arg22: index, %arg23: index, %arg24: index):
      tensor.yield %cst_6 : f32
    } : tensor<8x8x8x3xf32> to tensor<8x9x9x3xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg1 : tensor<8x9x9x3xf32>, tensor<3x3x3x4xf32>) outs(%1 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %expanded_22 = tensor.expand_shape %4 [[0], [1], [2], [3, 4]] output_shape [8, 4, 4, 4, 1] : tensor<8x4x4x4xf32> into tensor<8x4x4x4x1xf32>
    %5 = tensor.empty() : tensor<8x4x4x4x1xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %expanded_22 : tensor<8x4x4x4x1xf32>, tensor<8x4x4x4x1xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4x1xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_22 : tensor<8x4x4x4x1xf32>, tensor<8x4x4x4x1xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4x1xf32>
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.fill ins(%cst_6 : f32) outs(%9 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded_22 : tensor<8x4x4x4x1xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_19 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %13 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%11, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%6 : tensor<8x4x4x4x1xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%14, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %16 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%13, %13 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %18 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%17, %13 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%15, %16 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.subf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%20, %19 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.maximumf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %22 = tensor.empty() : tensor<8x4xi1>
    %23 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%19, %21 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%22 : tensor<8x4xi1>) {
    ^bb0(%in: f32, %in_35: f32, %out: i1):
      %283 = arith.cmpf oeq, %in, %in_35 : f32
      linalg.yield %283 : i1
    } -> tensor<8x4xi1>
    %24 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %25 = linalg.generic {indexing_maps = [#map7, #map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%23, %24, %20 : tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%20, %21 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%22 : tensor<8x4xi1>) {
    ^bb0(%in: f32, %in_35: f32, %out: i1):
      %283 = arith.cmpf oeq, %in, %in_35 : f32
      linalg.yield %283 : i1
    } -> tensor<8x4xi1>
    %27 = linalg.generic {indexing_maps = [#map7, #map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%26, %17, %24 : tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%25, %27 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %29 = tensor.empty() : tensor<8x4x1xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<8x4xf32>) outs(%29 : tensor<8x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x1xf32>
    %collapsed = tensor.collapse_shape %30 [[0], [1, 2]] : tensor<8x4x1xf32> into tensor<8x4xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<8x4xf32>) outs(%29 : tensor<8x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x1xf32>
    %collapsed_23 = tensor.collapse_shape %31 [[0], [1, 2]] : tensor<8x4x1xf32> into tensor<8x4xf32>
    %32 = tensor.empty() : tensor<8x1x1x4xf32>
    %33 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<8x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1x1x4xf32>
    %34 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_23 : tensor<8x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1x1x4xf32>
    %35 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<8x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %35 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.subf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %37 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1x1x4xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.rsqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %38 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %41 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1x1x4xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %40 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %expanded_24 = tensor.expand_shape %arg5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %43 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<1x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1x1x4xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<8x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %45 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %expanded_25 = tensor.expand_shape %arg4 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %47 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %49 = call @relu(%48) : (tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %50 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %51 = tensor.empty() : tensor<8x4x4x4xi1>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %50 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%51 : tensor<8x4x4x4xi1>) {
    ^bb0(%in: f32, %in_35: f32, %out: i1):
      %283 = arith.cmpf ogt, %in, %in_35 : f32
      linalg.yield %283 : i1
    } -> tensor<8x4x4x4xi1>
    %collapsed_26 = tensor.collapse_shape %49 [[0], [1, 2, 3]] : tensor<8x4x4x4xf32> into tensor<8x64xf32>
    %53 = tensor.empty() : tensor<8x5xf32>
    %54 = linalg.fill ins(%cst_6 : f32) outs(%53 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %55 = linalg.matmul ins(%collapsed_26, %arg3 : tensor<8x64xf32>, tensor<64x5xf32>) outs(%54 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %expanded_27 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 5] : tensor<5xf32> into tensor<1x5xf32>
    %56 = linalg.generic {indexing_maps = [#map14, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded_27 : tensor<1x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %57 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x5xf32>
    %58 = tensor.empty() : tensor<8x1xi32>
    %59 = linalg.generic {indexing_maps = [#map15, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg20 : tensor<8xi32>) outs(%58 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %60:2 = call @take_along_axis(%57, %59) : (tensor<8x5xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>)
    %61:2 = call @_take(%60#0, %cst_15) : (tensor<8x1xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<1xi32>)
    %62 = tensor.empty() : tensor<8xf32>
    %63 = linalg.fill ins(%cst_5 : f32) outs(%62 : tensor<8xf32>) -> tensor<8xf32>
    %64 = linalg.generic {indexing_maps = [#map7, #map15], iterator_types = ["parallel", "reduction"]} ins(%57 : tensor<8x5xf32>) outs(%63 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.maximumf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %65 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %66 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%65, %64 : tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.maximumf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %67 = tensor.empty() : tensor<8xi1>
    %68 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%66 : tensor<8xf32>) outs(%67 : tensor<8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %283 = math.absf %in : f32
      %284 = arith.cmpf one, %283, %cst_4 : f32
      linalg.yield %284 : i1
    } -> tensor<8xi1>
    %69 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_20 : tensor<f32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %70 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = ["parallel"]} ins(%68, %66, %69 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %71 = tensor.empty() : tensor<8x1xf32>
    %72 = linalg.generic {indexing_maps = [#map15, #map7], iterator_types = ["parallel", "parallel"]} ins(%70 : tensor<8xf32>) outs(%71 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %73 = linalg.generic {indexing_maps = [#map18, #map7], iterator_types = ["parallel", "parallel"]} ins(%72 : tensor<8x1xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %74 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%57, %73 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.subf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x5xf32>
    %75 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%74 : tensor<8x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.exp %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x5xf32>
    %76 = linalg.fill ins(%cst_6 : f32) outs(%62 : tensor<8xf32>) -> tensor<8xf32>
    %77 = linalg.generic {indexing_maps = [#map7, #map15], iterator_types = ["parallel", "reduction"]} ins(%75 : tensor<8x5xf32>) outs(%76 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %78 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%77 : tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.absf %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %79 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%77, %69 : tensor<8xf32>, tensor<8xf32>) outs(%67 : tensor<8xi1>) {
    ^bb0(%in: f32, %in_35: f32, %out: i1):
      %283 = arith.cmpf oge, %in, %in_35 : f32
      linalg.yield %283 : i1
    } -> tensor<8xi1>
    %80 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%78 : tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.log %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %81 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%80, %70 : tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %82 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%81, %61#0 : tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.subf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %83 = tensor.empty() : tensor<f32>
    %84 = linalg.fill ins(%cst_6 : f32) outs(%83 : tensor<f32>) -> tensor<f32>
    %85 = linalg.generic {indexing_maps = [#map17, #map16], iterator_types = ["reduction"]} ins(%82 : tensor<8xf32>) outs(%84 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %86 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%85 : tensor<f32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.divf %in, %cst_3 : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %87 = linalg.generic {indexing_maps = [#map19], iterator_types = []} outs(%83 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %88 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%87 : tensor<f32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %89 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%88 : tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.negf %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %90 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%88, %78 : tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %91 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = ["parallel"]} ins(%79, %69, %90 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %92 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = ["parallel"]} ins(%79, %90, %69 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %93 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%91 : tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.negf %in : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %94 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%92, %93 : tensor<8xf32>, tensor<8xf32>) outs(%62 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8xf32>
    %95 = linalg.generic {indexing_maps = [#map15, #map7], iterator_types = ["parallel", "parallel"]} ins(%94 : tensor<8xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %96 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%95, %75 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x5xf32>
    %97 = call @_take_0(%61#1, %89) : (tensor<1xi32>, tensor<8xf32>) -> tensor<8x1xf32>
    %98 = call @take_along_axis_1(%60#1, %97) : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    %99 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%96, %98 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%53 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x5xf32>
    %100 = tensor.empty() : tensor<5xf32>
    %101 = linalg.fill ins(%cst_6 : f32) outs(%100 : tensor<5xf32>) -> tensor<5xf32>
    %102 = linalg.generic {indexing_maps = [#map20, #map15], iterator_types = ["parallel", "reduction"]} ins(%99 : tensor<8x5xf32>) outs(%101 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %103 = tensor.empty() : tensor<5x64xf32>
    %104 = linalg.fill ins(%cst_6 : f32) outs(%103 : tensor<5x64xf32>) -> tensor<5x64xf32>
    %105 = linalg.generic {indexing_maps = [#map21, #map22, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99, %collapsed_26 : tensor<8x5xf32>, tensor<8x64xf32>) outs(%104 : tensor<5x64xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      %284 = arith.addf %out, %283 : f32
      linalg.yield %284 : f32
    } -> tensor<5x64xf32>
    %106 = tensor.empty() : tensor<64x5xf32>
    %107 = linalg.generic {indexing_maps = [#map20, #map7], iterator_types = ["parallel", "parallel"]} ins(%105 : tensor<5x64xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %108 = tensor.empty() : tensor<8x64xf32>
    %109 = linalg.fill ins(%cst_6 : f32) outs(%108 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %110 = linalg.generic {indexing_maps = [#map23, #map24, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99, %arg3 : tensor<8x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      %284 = arith.addf %out, %283 : f32
      linalg.yield %284 : f32
    } -> tensor<8x64xf32>
    %expanded_28 = tensor.expand_shape %110 [[0], [1, 2, 3]] output_shape [8, 4, 4, 4] : tensor<8x64xf32> into tensor<8x4x4x4xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %expanded_28, %50 : tensor<8x4x4x4xi1>, tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: i1, %in_35: f32, %in_36: f32, %out: f32):
      %283 = arith.select %in, %in_35, %in_36 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %112 = tensor.empty() : tensor<4xf32>
    %113 = linalg.fill ins(%cst_6 : f32) outs(%112 : tensor<4xf32>) -> tensor<4xf32>
    %114 = linalg.generic {indexing_maps = [#map25, #map26], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%111 : tensor<8x4x4x4xf32>) outs(%113 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %111 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %116 = linalg.generic {indexing_maps = [#map27, #map28], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%115 : tensor<8x4x4x4xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %expanded_29 = tensor.expand_shape %116 [[0], [1, 2, 3]] output_shape [8, 1, 1, 4] : tensor<8x4xf32> into tensor<8x1x1x4xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %45 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %expanded_29 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %119 = tensor.empty() : tensor<1x1x4xf32>
    %120 = linalg.fill ins(%cst_6 : f32) outs(%119 : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %121 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%118 : tensor<8x1x1x4xf32>) outs(%120 : tensor<1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<1x1x4xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29, %43 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %collapsed_30 = tensor.collapse_shape %121 [[0, 1, 2]] : tensor<1x1x4xf32> into tensor<4xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %42 : tensor<8x1x1x4xf32>, tensor<8x1x1x4xf32>) outs(%32 : tensor<8x1x1x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x1x1x4xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117 : tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.negf %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %125 = linalg.generic {indexing_maps = [#map27, #map28], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%124 : tensor<8x4x4x4xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %expanded_31 = tensor.expand_shape %125 [[0], [1, 2, 3]] output_shape [8, 1, 1, 4] : tensor<8x4xf32> into tensor<8x1x1x4xf32>
    %126 = linalg.generic {indexing_maps = [#map27, #map28], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%123 : tensor<8x1x1x4xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %127 = linalg.generic {indexing_maps = [#map27, #map28], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_31 : tensor<8x1x1x4xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %expanded_32 = tensor.expand_shape %126 [[0], [1, 2]] output_shape [8, 4, 1] : tensor<8x4xf32> into tensor<8x4x1xf32>
    %128 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_32 : tensor<8x4x1xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %expanded_33 = tensor.expand_shape %127 [[0], [1, 2]] output_shape [8, 4, 1] : tensor<8x4xf32> into tensor<8x4x1xf32>
    %129 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_33 : tensor<8x4x1xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %130 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%128, %28 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %131 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%130 : tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.negf %in : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%131, %18 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%129, %132 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %134 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%130, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %135 = linalg.generic {indexing_maps = [#map31, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<8x4xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4x1xf32>
    %136 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%133, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4xf32>
    %137 = linalg.generic {indexing_maps = [#map31, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<8x4xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4x1xf32>
    %138 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%135, %8 : tensor<8x4x4x4x1xf32>, tensor<8x4x4x4x1xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4x1xf32>
    %139 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%137, %138 : tensor<8x4x4x4x1xf32>, tensor<8x4x4x4x1xf32>) outs(%5 : tensor<8x4x4x4x1xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4x1xf32>
    %collapsed_34 = tensor.collapse_shape %139 [[0], [1], [2], [3, 4]] : tensor<8x4x4x4x1xf32> into tensor<8x4x4x4xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %collapsed_34 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<8x4x4x4xf32>
    %141 = linalg.generic {indexing_maps = [#map25, #map26], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%140 : tensor<8x4x4x4xf32>) outs(%113 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.addf %out, %in : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %142 = tensor.empty() : tensor<8x7x7x4xf32>
    %143 = linalg.fill ins(%cst_6 : f32) outs(%142 : tensor<8x7x7x4xf32>) -> tensor<8x7x7x4xf32>
    %inserted_slice = tensor.insert_slice %140 into %143[0, 0, 0, 0] [8, 4, 4, 4] [1, 2, 2, 1] : tensor<8x4x4x4xf32> into tensor<8x7x7x4xf32>
    %144 = tensor.empty() : tensor<3x3x3x4xf32>
    %145 = linalg.fill ins(%cst_6 : f32) outs(%144 : tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xf32>
    %146 = linalg.generic {indexing_maps = [#map32, #map33, #map34], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded, %inserted_slice : tensor<8x9x9x3xf32>, tensor<8x7x7x4xf32>) outs(%145 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      %284 = arith.addf %out, %283 : f32
      linalg.yield %284 : f32
    } -> tensor<3x3x3x4xf32>
    %147 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %148 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%147, %141 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %149 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %150 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%149, %arg7 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %151 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%148, %150 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %152 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152, %146 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %154 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %arg8 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%153, %155 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %157 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %158 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%157, %102 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %159 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %160 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%159, %arg9 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %161 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%158, %160 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %162 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %163 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%162, %107 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %164 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %165 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%164, %arg10 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %166 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%163, %165 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %167 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%147, %114 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %168 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%149, %arg11 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %169 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%167, %168 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %170 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%147, %collapsed_30 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %171 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%149, %arg12 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %172 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%170, %171 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %173 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%141, %141 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %174 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %175 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%174, %173 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %176 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %177 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%176, %arg13 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %178 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%175, %177 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %146 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %180 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%180, %179 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %182 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%182, %arg14 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%181, %183 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %185 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%102, %102 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %186 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %187 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%186, %185 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %188 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %189 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%188, %arg15 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %190 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%187, %189 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %191 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%107, %107 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %192 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %193 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%192, %191 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %194 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %195 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%194, %arg16 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %196 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%193, %195 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %197 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%114, %114 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %198 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%174, %197 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %199 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%176, %arg17 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %200 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%198, %199 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %201 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%collapsed_30, %collapsed_30 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %202 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%174, %201 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %203 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%176, %arg18 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %204 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%202, %203 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %205 = tensor.empty() : tensor<i1>
    %206 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%205 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %283 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %283 : i1
    } -> tensor<i1>
    %207 = tensor.empty() : tensor<i32>
    %208 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%207 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %283 = arith.addi %in, %c1_i32 : i32
      linalg.yield %283 : i32
    } -> tensor<i32>
    %209 = call @_where_2(%206, %208, %cst_9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %210 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%209 : tensor<i32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %283 = arith.sitofp %in : i32 to f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %211 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%210 : tensor<f32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.powf %cst_1, %in : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %212 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%211 : tensor<f32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.subf %cst_2, %in : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %213 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%212 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %214 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%151, %213 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %215 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%212 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %216 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %215 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %217 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%212 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %218 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%161, %217 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %219 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%212 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %220 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%166, %219 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %221 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%169, %213 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %222 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%172, %213 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %223 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%210 : tensor<f32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.powf %cst_0, %in : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %224 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%223 : tensor<f32>) outs(%83 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = arith.subf %cst_2, %in : f32
      linalg.yield %283 : f32
    } -> tensor<f32>
    %225 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%224 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %226 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%178, %225 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %227 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%224 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %228 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%184, %227 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %229 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%224 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %230 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%190, %229 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %231 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%224 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %232 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%196, %231 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %233 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%200, %225 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %234 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%204, %225 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %235 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_20 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %236 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%226, %235 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %237 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%236 : tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %238 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %239 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%237, %238 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %240 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%214, %239 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %241 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %242 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%228, %241 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %243 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%242 : tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %244 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %245 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%243, %244 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %246 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%216, %245 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %247 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_20 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %248 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%230, %247 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %249 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%248 : tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %250 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %251 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%249, %250 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %252 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%218, %251 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %253 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %254 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%232, %253 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %255 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%254 : tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %256 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %257 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%255, %256 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %258 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%220, %257 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %259 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%233, %235 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %260 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%259 : tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %261 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%260, %238 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %262 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%221, %261 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %263 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%234, %235 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %264 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%263 : tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %283 = math.sqrt %in : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %265 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%264, %238 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %266 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%222, %265 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.divf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %267 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %268 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%267, %240 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %269 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %270 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%269, %246 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %271 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %272 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%271, %252 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %273 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %274 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%273, %258 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %275 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%267, %262 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %276 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%267, %266 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.mulf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %277 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%arg0, %268 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %278 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %270 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%144 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<3x3x3x4xf32>
    %279 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%arg2, %272 : tensor<5xf32>, tensor<5xf32>) outs(%100 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<5xf32>
    %280 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg3, %274 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%106 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<64x5xf32>
    %281 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%arg4, %275 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    %282 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%arg5, %276 : tensor<4xf32>, tensor<4xf32>) outs(%112 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %283 = arith.addf %in, %in_35 : f32
      linalg.yield %283 : f32
    } -> tensor<4xf32>
    return %277, %278, %279, %280, %281, %282, %209, %151, %156, %161, %166, %169, %172, %178, %184, %190, %196, %200, %204, %86 : tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x4x4x4xf32>
    %1 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x4x4x4xf32>
    return %2 : tensor<8x4x4x4xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x5xf32>, %arg1: tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant dense<4> : tensor<1xi32>
    %cst_1 = arith.constant dense<5> : tensor<i32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<8x1xi32>
    %1 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %2 = tensor.empty() : tensor<8x1xi1>
    %3 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%2 : tensor<8x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi slt, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %4 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %5 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg1, %4 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %22 = arith.addi %in, %in_3 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %6 = linalg.generic {indexing_maps = [#map7, #map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg1 : tensor<8x1xi1>, tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
      %22 = arith.select %in, %in_3, %in_4 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %expanded = tensor.expand_shape %6 [[0], [1, 2]] output_shape [8, 1, 1] : tensor<8x1xi32> into tensor<8x1x1xi32>
    %7 = tensor.empty() : tensor<8x1x1xi32>
    %8 = linalg.generic {indexing_maps = [#map35, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %9 = tensor.empty() : tensor<8x1x1xi1>
    %10 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sge, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %11 = tensor.empty() : tensor<1x1x1xi32>
    %12 = linalg.generic {indexing_maps = [#map36, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<1xi32>) outs(%11 : tensor<1x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1x1xi32>
    %13 = linalg.generic {indexing_maps = [#map37, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1xi32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %14 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %13 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sle, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %15 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<8x1x1xi1>, tensor<8x1x1xi1>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i1, %in_3: i1, %out: i1):
      %22 = arith.andi %in, %in_3 : i1
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %16 = linalg.fill ins(%true : i1) outs(%2 : tensor<8x1xi1>) -> tensor<8x1xi1>
    %17 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<8x1x1xi1>) outs(%16 : tensor<8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %22 = arith.andi %out, %in : i1
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %18 = tensor.empty() : tensor<8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel", "parallel"]} outs(%18 : tensor<8x1xf32>) {
    ^bb0(%out: f32):
      %22 = linalg.index 0 : index
      %extracted = tensor.extract %expanded[%22, %c0, %c0] : tensor<8x1x1xi32>
      %23 = arith.index_cast %extracted : i32 to index
      %24 = arith.maxsi %23, %c0 : index
      %25 = arith.minsi %24, %c4 : index
      %extracted_3 = tensor.extract %arg0[%22, %25] : tensor<8x5xf32>
      linalg.yield %extracted_3 : f32
    } -> tensor<8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%18 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%17, %19, %20 : tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) outs(%18 : tensor<8x1xf32>) {
    ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32):
      %22 = arith.select %in, %in_3, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<8x1xf32>
    return %21, %expanded : tensor<8x1xf32>, tensor<8x1x1xi32>
  }
  func.func private @_take(%arg0: tensor<8x1xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<1xi32>) {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %1 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<i1>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %20 = arith.addi %in, %c1_i32 : i32
      linalg.yield %20 : i32
    } -> tensor<i32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = tensor.empty() : tensor<1xi32>
    %6 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%4 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %7 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %8 = tensor.empty() : tensor<1xi1>
    %9 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%6, %7 : tensor<1xi32>, tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %20 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %10 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel"]} ins(%6 : tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi sle, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %11 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel"]} ins(%9, %10 : tensor<1xi1>, tensor<1xi1>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %20 = arith.andi %in, %in_1 : i1
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %12 = linalg.fill ins(%true : i1) outs(%0 : tensor<i1>) -> tensor<i1>
    %13 = linalg.generic {indexing_maps = [#map17, #map16], iterator_types = ["reduction"]} ins(%11 : tensor<1xi1>) outs(%12 : tensor<i1>) {
    ^bb0(%in: i1, %out: i1):
      %20 = arith.andi %out, %in : i1
      linalg.yield %20 : i1
    } -> tensor<i1>
    %14 = tensor.empty() : tensor<8xf32>
    %15 = linalg.generic {indexing_maps = [#map17], iterator_types = ["parallel"]} outs(%14 : tensor<8xf32>) {
    ^bb0(%out: f32):
      %20 = linalg.index 0 : index
      %extracted = tensor.extract %6[%c0] : tensor<1xi32>
      %21 = arith.index_cast %extracted : i32 to index
      %22 = arith.maxsi %21, %c0 : index
      %23 = arith.minsi %22, %c0 : index
      %extracted_1 = tensor.extract %arg0[%20, %23] : tensor<8x1xf32>
      linalg.yield %extracted_1 : f32
    } -> tensor<8xf32>
    %16 = tensor.empty() : tensor<8xi1>
    %17 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%13 : tensor<i1>) outs(%16 : tensor<8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8xi1>
    %18 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %19 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = ["parallel"]} ins(%17, %15, %18 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %20 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %20 : f32
    } -> tensor<8xf32>
    return %19, %6 : tensor<8xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map19, #map19, #map19, #map19], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @_take_0(%arg0: tensor<1xi32>, %arg1: tensor<8xf32>) -> tensor<8x1xf32> {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x1xf32>
    %1 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %extracted_slice = tensor.extract_slice %arg0[0] [1] [1] : tensor<1xi32> to tensor<i32>
    %2 = linalg.generic {indexing_maps = [#map6, #map15, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg1, %1 : tensor<i32>, tensor<8xf32>, tensor<8x1xf32>) outs(%0 : tensor<8x1xf32>) {
    ^bb0(%in: i32, %in_1: f32, %in_2: f32, %out: f32):
      %3 = arith.cmpi eq, %in, %c0_i32 : i32
      %4 = arith.select %3, %in_1, %cst : f32
      %5 = arith.addf %in_2, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<8x1xf32>
    return %2 : tensor<8x1xf32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<8x1x1xi32>, %arg1: tensor<8x1xf32>) -> tensor<8x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x5xf32>
    %1 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [8, 1, 1] [1, 1, 1] : tensor<8x1x1xi32> to tensor<8x1xi32>
    %2 = linalg.generic {indexing_maps = [#map23, #map23, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg1 : tensor<8x1xi32>, tensor<8x1xf32>) outs(%1 : tensor<8x5xf32>) {
    ^bb0(%in: i32, %in_1: f32, %out: f32):
      %3 = linalg.index 1 : index
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.cmpi eq, %in, %4 : i32
      %6 = arith.select %5, %in_1, %cst : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<8x5xf32>
    return %2 : tensor<8x5xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map19, #map19, #map19, #map19], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

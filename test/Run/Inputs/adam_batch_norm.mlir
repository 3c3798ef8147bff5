#map = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> (d0)>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<() -> ()>
#map13 = affine_map<(d0, d1) -> (d1, d0)>
#map14 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map15 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map18 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d3, d4 + d5, d6)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d5, d1)>
#map21 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d2, d4, d6, d1)>
#map22 = affine_map<(d0, d1) -> ()>
#map23 = affine_map<(d0, d1, d2) -> ()>
#map24 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map25 = affine_map<(d0, d1, d2) -> (d2)>
#map26 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @jit_flat {
  func.func public @main(%arg0: tensor<4xf32> {ds.param = "params.BatchNorm_0.bias"}, %arg1: tensor<4xf32> {ds.param = "params.BatchNorm_0.scale"}, %arg2: tensor<4xf32> {ds.param = "params.Conv_0.bias"}, %arg3: tensor<3x3x3x4xf32> {ds.param = "params.Conv_0.kernel"}, %arg4: tensor<5xf32> {ds.param = "params.Dense_0.bias"}, %arg5: tensor<64x5xf32> {ds.param = "params.Dense_0.kernel"}, %arg6: tensor<i32> {ds.state = "state.0.0.count"}, %arg7: tensor<4xf32> {ds.state = "state.0.0.mu.BatchNorm_0.bias"}, %arg8: tensor<4xf32> {ds.state = "state.0.0.mu.BatchNorm_0.scale"}, %arg9: tensor<4xf32> {ds.state = "state.0.0.mu.Conv_0.bias"}, %arg10: tensor<3x3x3x4xf32> {ds.state = "state.0.0.mu.Conv_0.kernel"}, %arg11: tensor<5xf32> {ds.state = "state.0.0.mu.Dense_0.bias"}, %arg12: tensor<64x5xf32> {ds.state = "state.0.0.mu.Dense_0.kernel"}, %arg13: tensor<4xf32> {ds.state = "state.0.0.nu.BatchNorm_0.bias"}, %arg14: tensor<4xf32> {ds.state = "state.0.0.nu.BatchNorm_0.scale"}, %arg15: tensor<4xf32> {ds.state = "state.0.0.nu.Conv_0.bias"}, %arg16: tensor<3x3x3x4xf32> {ds.state = "state.0.0.nu.Conv_0.kernel"}, %arg17: tensor<5xf32> {ds.state = "state.0.0.nu.Dense_0.bias"}, %arg18: tensor<64x5xf32> {ds.state = "state.0.0.nu.Dense_0.kernel"}, %arg19: tensor<4xf32> {ds.state = "state.1.BatchNorm_0.mean"}, %arg20: tensor<4xf32> {ds.state = "state.1.BatchNorm_0.var"}, %arg21: tensor<8x8x8x3xf32> {ds.batch = 0 : i64, ds.name = "x"}, %arg22: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "y"}) -> (tensor<4xf32> {ds.updates = "params.BatchNorm_0.bias"}, tensor<4xf32> {ds.updates = "params.BatchNorm_0.scale"}, tensor<4xf32> {ds.updates = "params.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "params.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "params.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "params.Dense_0.kernel"}, tensor<i32> {ds.updates = "state.0.0.count"}, tensor<4xf32> {ds.updates = "state.0.0.mu.BatchNorm_0.bias"}, tensor<4xf32> {ds.updates = "state.0.0.mu.BatchNorm_0.scale"}, tensor<4xf32> {ds.updates = "state.0.0.mu.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "state.0.0.mu.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "state.0.0.mu.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "state.0.0.mu.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.nu.BatchNorm_0.bias"}, tensor<4xf32> {ds.updates = "state.0.0.nu.BatchNorm_0.scale"}, tensor<4xf32> {ds.updates = "state.0.0.nu.Conv_0.bias"}, tensor<3x3x3x4xf32> {ds.updates = "state.0.0.nu.Conv_0.kernel"}, tensor<5xf32> {ds.updates = "state.0.0.nu.Dense_0.bias"}, tensor<64x5xf32> {ds.updates = "state.0.0.nu.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.1.BatchNorm_0.mean"}, tensor<4xf32> {ds.updates = "state.1.BatchNorm_0.var"}, tensor<f32> {ds.metric = "loss"}) {
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
    %cst_17 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_18 = arith.constant dense<0.00999999977> : tensor<f32>
    %cst_19 = arith.constant dense<9.900000e-01> : tensor<f32>
    %cst_20 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_21 = arith.constant dense<1.280000e+02> : tensor<f32>
    %cst_22 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_23 = arith.constant dense<2.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x4x4x4xf32>
    %1 = linalg.fill ins(%cst_6 : f32) outs(%0 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %padded = tensor.pad %arg21 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg23: index, %arg24: index, %arg25: index, %arg26: index):
      tensor.yield %cst_6 : f32
    } : tensor<8x8x8x3xf32> to tensor<8x9x9x3xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %arg3 : tensor<8x9x9x3xf32>, tensor<3x3x3x4xf32>) outs(%1 : tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %expanded = tensor.expand_shape %arg2 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %4 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_23 : tensor<f32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %4 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %8 = tensor.empty() : tensor<4xf32>
    %9 = linalg.fill ins(%cst_6 : f32) outs(%8 : tensor<4xf32>) -> tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%4 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_21 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%10, %11 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%5 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %14 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%13, %11 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%12, %12 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_23 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%16, %12 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %18 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%14, %15 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.subf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_22 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%19, %18 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.maximumf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %21 = tensor.empty() : tensor<4xi1>
    %22 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%18, %20 : tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<4xi1>) {
    ^bb0(%in: f32, %in_31: f32, %out: i1):
      %278 = arith.cmpf oeq, %in, %in_31 : f32
      linalg.yield %278 : i1
    } -> tensor<4xi1>
    %23 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_20 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%22, %23, %19 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%19, %20 : tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<4xi1>) {
    ^bb0(%in: f32, %in_31: f32, %out: i1):
      %278 = arith.cmpf oeq, %in, %in_31 : f32
      linalg.yield %278 : i1
    } -> tensor<4xi1>
    %26 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%25, %16, %23 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %27 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%24, %26 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_19 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%28, %arg19 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_18 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%30, %12 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%29, %31 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%28, %arg20 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%30, %20 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%33, %34 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %36 = tensor.empty() : tensor<1x1x1x4xf32>
    %37 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x4xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x4xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %39 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.subf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %41 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x4xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %41 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.rsqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %42 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x4xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %44 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %expanded_24 = tensor.expand_shape %arg1 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %expanded_24 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %48 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %expanded_25 = tensor.expand_shape %arg0 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %50 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %52 = call @relu(%51) : (tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %54 = tensor.empty() : tensor<8x4x4x4xi1>
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %53 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%54 : tensor<8x4x4x4xi1>) {
    ^bb0(%in: f32, %in_31: f32, %out: i1):
      %278 = arith.cmpf ogt, %in, %in_31 : f32
      linalg.yield %278 : i1
    } -> tensor<8x4x4x4xi1>
    %collapsed = tensor.collapse_shape %52 [[0], [1, 2, 3]] : tensor<8x4x4x4xf32> into tensor<8x64xf32>
    %56 = tensor.empty() : tensor<8x5xf32>
    %57 = linalg.fill ins(%cst_6 : f32) outs(%56 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %58 = linalg.matmul ins(%collapsed, %arg5 : tensor<8x64xf32>, tensor<64x5xf32>) outs(%57 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %expanded_26 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 5] : tensor<5xf32> into tensor<1x5xf32>
    %59 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%expanded_26 : tensor<1x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %60 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%58, %59 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x5xf32>
    %61 = tensor.empty() : tensor<8x1xi32>
    %62 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg22 : tensor<8xi32>) outs(%61 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %63:2 = call @take_along_axis(%60, %62) : (tensor<8x5xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>)
    %64:2 = call @_take(%63#0, %cst_15) : (tensor<8x1xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<1xi32>)
    %65 = tensor.empty() : tensor<8xf32>
    %66 = linalg.fill ins(%cst_5 : f32) outs(%65 : tensor<8xf32>) -> tensor<8xf32>
    %67 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "reduction"]} ins(%60 : tensor<8x5xf32>) outs(%66 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.maximumf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%68, %67 : tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.maximumf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %70 = tensor.empty() : tensor<8xi1>
    %71 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%69 : tensor<8xf32>) outs(%70 : tensor<8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %278 = math.absf %in : f32
      %279 = arith.cmpf one, %278, %cst_4 : f32
      linalg.yield %279 : i1
    } -> tensor<8xi1>
    %72 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_22 : tensor<f32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %73 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%71, %69, %72 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %74 = tensor.empty() : tensor<8x1xf32>
    %75 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<8xf32>) outs(%74 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<8x1xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %77 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%60, %76 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.subf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x5xf32>
    %78 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<8x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.exp %in : f32
      linalg.yield %278 : f32
    } -> tensor<8x5xf32>
    %79 = linalg.fill ins(%cst_6 : f32) outs(%65 : tensor<8xf32>) -> tensor<8xf32>
    %80 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "reduction"]} ins(%78 : tensor<8x5xf32>) outs(%79 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %81 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%80 : tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.absf %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %82 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%80, %72 : tensor<8xf32>, tensor<8xf32>) outs(%70 : tensor<8xi1>) {
    ^bb0(%in: f32, %in_31: f32, %out: i1):
      %278 = arith.cmpf oge, %in, %in_31 : f32
      linalg.yield %278 : i1
    } -> tensor<8xi1>
    %83 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%81 : tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.log %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %84 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%83, %73 : tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %85 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%84, %64#0 : tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.subf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %86 = tensor.empty() : tensor<f32>
    %87 = linalg.fill ins(%cst_6 : f32) outs(%86 : tensor<f32>) -> tensor<f32>
    %88 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["reduction"]} ins(%85 : tensor<8xf32>) outs(%87 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %89 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%88 : tensor<f32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.divf %in, %cst_3 : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %90 = linalg.generic {indexing_maps = [#map12], iterator_types = []} outs(%86 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %91 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%90 : tensor<f32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %92 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%91 : tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.negf %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %93 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%91, %81 : tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %94 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%82, %72, %93 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %95 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%82, %93, %72 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %96 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%94 : tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.negf %in : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %97 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%95, %96 : tensor<8xf32>, tensor<8xf32>) outs(%65 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8xf32>
    %98 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%97 : tensor<8xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %99 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%98, %78 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x5xf32>
    %100 = call @_take_0(%64#1, %92) : (tensor<1xi32>, tensor<8xf32>) -> tensor<8x1xf32>
    %101 = call @take_along_axis_1(%63#1, %100) : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    %102 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%99, %101 : tensor<8x5xf32>, tensor<8x5xf32>) outs(%56 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x5xf32>
    %103 = tensor.empty() : tensor<5xf32>
    %104 = linalg.fill ins(%cst_6 : f32) outs(%103 : tensor<5xf32>) -> tensor<5xf32>
    %105 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "reduction"]} ins(%102 : tensor<8x5xf32>) outs(%104 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %106 = tensor.empty() : tensor<5x64xf32>
    %107 = linalg.fill ins(%cst_6 : f32) outs(%106 : tensor<5x64xf32>) -> tensor<5x64xf32>
    %108 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102, %collapsed : tensor<8x5xf32>, tensor<8x64xf32>) outs(%107 : tensor<5x64xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      %279 = arith.addf %out, %278 : f32
      linalg.yield %279 : f32
    } -> tensor<5x64xf32>
    %109 = tensor.empty() : tensor<64x5xf32>
    %110 = linalg.generic {indexing_maps = [#map13, #map9], iterator_types = ["parallel", "parallel"]} ins(%108 : tensor<5x64xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %111 = tensor.empty() : tensor<8x64xf32>
    %112 = linalg.fill ins(%cst_6 : f32) outs(%111 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %113 = linalg.generic {indexing_maps = [#map17, #map18, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102, %arg5 : tensor<8x5xf32>, tensor<64x5xf32>) outs(%112 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      %279 = arith.addf %out, %278 : f32
      linalg.yield %279 : f32
    } -> tensor<8x64xf32>
    %expanded_27 = tensor.expand_shape %113 [[0], [1, 2, 3]] output_shape [8, 4, 4, 4] : tensor<8x64xf32> into tensor<8x4x4x4xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %expanded_27, %53 : tensor<8x4x4x4xi1>, tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: i1, %in_31: f32, %in_32: f32, %out: f32):
      %278 = arith.select %in, %in_31, %in_32 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %115 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%114 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %114 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %117 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%116 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %expanded_28 = tensor.expand_shape %117 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %48 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %expanded_28 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28, %expanded_24 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %collapsed_29 = tensor.collapse_shape %119 [[0, 1, 2, 3]] : tensor<1x1x1x4xf32> into tensor<4xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %46 : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x1x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<1x1x1x4xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.negf %in : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%122 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %expanded_30 = tensor.expand_shape %123 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%121 : tensor<1x1x1x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %125 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%expanded_30 : tensor<1x1x1x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%124, %27 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %127 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%126 : tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.negf %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %128 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%127, %17 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %129 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%125, %128 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %130 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%126, %11 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %131 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %132 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%129, %11 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132 : tensor<4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4x4x4xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %133 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %7 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %135 : tensor<8x4x4x4xf32>, tensor<8x4x4x4xf32>) outs(%0 : tensor<8x4x4x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<8x4x4x4xf32>
    %137 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%136 : tensor<8x4x4x4xf32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.addf %out, %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %138 = tensor.empty() : tensor<8x7x7x4xf32>
    %139 = linalg.fill ins(%cst_6 : f32) outs(%138 : tensor<8x7x7x4xf32>) -> tensor<8x7x7x4xf32>
    %inserted_slice = tensor.insert_slice %136 into %139[0, 0, 0, 0] [8, 4, 4, 4] [1, 2, 2, 1] : tensor<8x4x4x4xf32> into tensor<8x7x7x4xf32>
    %140 = tensor.empty() : tensor<3x3x3x4xf32>
    %141 = linalg.fill ins(%cst_6 : f32) outs(%140 : tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xf32>
    %142 = linalg.generic {indexing_maps = [#map19, #map20, #map21], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded, %inserted_slice : tensor<8x9x9x3xf32>, tensor<8x7x7x4xf32>) outs(%141 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      %279 = arith.addf %out, %278 : f32
      linalg.yield %279 : f32
    } -> tensor<3x3x3x4xf32>
    %143 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %144 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%143, %115 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %145 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %146 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%145, %arg7 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %147 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%144, %146 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %148 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%143, %collapsed_29 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %149 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%145, %arg8 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %150 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%148, %149 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %151 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%143, %137 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %152 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%145, %arg9 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %153 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%151, %152 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %154 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %142 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %156 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %arg10 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %157 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %159 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %160 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%159, %105 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %162 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%161, %arg11 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %163 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%160, %162 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %164 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %165 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%164, %110 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %166 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %167 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%166, %arg12 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %168 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%165, %167 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %169 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%115, %115 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %170 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %171 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%170, %169 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %172 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %173 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%172, %arg13 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %174 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%171, %173 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %175 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%collapsed_29, %collapsed_29 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %176 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%170, %175 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %177 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%172, %arg14 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %178 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%176, %177 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %179 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%137, %137 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %180 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%170, %179 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %181 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%172, %arg15 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %182 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%180, %181 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142, %142 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %184 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%184, %183 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %186 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%186, %arg16 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185, %187 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %189 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%105, %105 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %190 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %191 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%190, %189 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %192 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %193 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%192, %arg17 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %194 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%191, %193 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %195 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%110, %110 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %196 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %197 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%196, %195 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %198 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %199 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%198, %arg18 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %200 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%197, %199 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %201 = tensor.empty() : tensor<i1>
    %202 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%201 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %278 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %278 : i1
    } -> tensor<i1>
    %203 = tensor.empty() : tensor<i32>
    %204 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%203 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %278 = arith.addi %in, %c1_i32 : i32
      linalg.yield %278 : i32
    } -> tensor<i32>
    %205 = call @_where_2(%202, %204, %cst_9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %206 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%205 : tensor<i32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %278 = arith.sitofp %in : i32 to f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %207 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%206 : tensor<f32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.powf %cst_1, %in : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %208 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%207 : tensor<f32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.subf %cst_2, %in : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %209 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%208 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %210 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%147, %209 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %211 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%150, %209 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %212 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%153, %209 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %213 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%208 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %214 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158, %213 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %215 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%208 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %216 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%163, %215 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %217 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%208 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %218 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%168, %217 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %219 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%206 : tensor<f32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.powf %cst_0, %in : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %220 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%219 : tensor<f32>) outs(%86 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = arith.subf %cst_2, %in : f32
      linalg.yield %278 : f32
    } -> tensor<f32>
    %221 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%220 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %222 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%174, %221 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %223 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%178, %221 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %224 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%182, %221 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %225 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%220 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %226 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%188, %225 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %227 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%220 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %228 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%194, %227 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %229 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%220 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %230 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%200, %229 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %231 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%222, %19 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %232 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%231 : tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %233 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %234 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%232, %233 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %235 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%210, %234 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %236 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%223, %19 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %237 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%236 : tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %238 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%237, %233 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %239 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%211, %238 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %240 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%224, %19 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %241 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%240 : tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %242 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%241, %233 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %243 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%212, %242 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %244 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %245 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%226, %244 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %246 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245 : tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %247 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %248 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%246, %247 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %249 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%214, %248 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %250 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_22 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %251 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%228, %250 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %252 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%251 : tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %253 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %254 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%252, %253 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %255 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%216, %254 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %256 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %257 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%230, %256 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %258 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%257 : tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %278 = math.sqrt %in : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %259 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %260 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%258, %259 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %261 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%218, %260 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.divf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %262 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %263 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%262, %235 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %264 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%262, %239 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %265 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%262, %243 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %266 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x4xf32>
    %267 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%266, %249 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %268 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %269 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%268, %255 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %270 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x5xf32>
    %271 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%270, %261 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.mulf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    %272 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg0, %263 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %273 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg1, %264 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %274 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg2, %265 : tensor<4xf32>, tensor<4xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<4xf32>
    %275 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %267 : tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) outs(%140 : tensor<3x3x3x4xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<3x3x3x4xf32>
    %276 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg4, %269 : tensor<5xf32>, tensor<5xf32>) outs(%103 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<5xf32>
    %277 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg5, %271 : tensor<64x5xf32>, tensor<64x5xf32>) outs(%109 : tensor<64x5xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %278 = arith.addf %in, %in_31 : f32
      linalg.yield %278 : f32
    } -> tensor<64x5xf32>
    return %272, %273, %274, %275, %276, %277, %205, %147, %150, %153, %158, %163, %168, %174, %178, %182, %188, %194, %200, %32, %35, %89 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<5xf32>, tensor<64x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x4x4x4xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x4x4x4xf32>) {
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
    %1 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %2 = tensor.empty() : tensor<8x1xi1>
    %3 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%2 : tensor<8x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi slt, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %4 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %5 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg1, %4 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %22 = arith.addi %in, %in_3 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %6 = linalg.generic {indexing_maps = [#map9, #map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg1 : tensor<8x1xi1>, tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
      %22 = arith.select %in, %in_3, %in_4 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %expanded = tensor.expand_shape %6 [[0], [1, 2]] output_shape [8, 1, 1] : tensor<8x1xi32> into tensor<8x1x1xi32>
    %7 = tensor.empty() : tensor<8x1x1xi32>
    %8 = linalg.generic {indexing_maps = [#map23, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %9 = tensor.empty() : tensor<8x1x1xi1>
    %10 = linalg.generic {indexing_maps = [#map24, #map24, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sge, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %11 = tensor.empty() : tensor<1x1x1xi32>
    %12 = linalg.generic {indexing_maps = [#map25, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<1xi32>) outs(%11 : tensor<1x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1x1xi32>
    %13 = linalg.generic {indexing_maps = [#map26, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1xi32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %14 = linalg.generic {indexing_maps = [#map24, #map24, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %13 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sle, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %15 = linalg.generic {indexing_maps = [#map24, #map24, #map24], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<8x1x1xi1>, tensor<8x1x1xi1>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i1, %in_3: i1, %out: i1):
      %22 = arith.andi %in, %in_3 : i1
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %16 = linalg.fill ins(%true : i1) outs(%2 : tensor<8x1xi1>) -> tensor<8x1xi1>
    %17 = linalg.generic {indexing_maps = [#map24, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<8x1x1xi1>) outs(%16 : tensor<8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %22 = arith.andi %out, %in : i1
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %18 = tensor.empty() : tensor<8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map9], iterator_types = ["parallel", "parallel"]} outs(%18 : tensor<8x1xf32>) {
    ^bb0(%out: f32):
      %22 = linalg.index 0 : index
      %extracted = tensor.extract %expanded[%22, %c0, %c0] : tensor<8x1x1xi32>
      %23 = arith.index_cast %extracted : i32 to index
      %24 = arith.maxsi %23, %c0 : index
      %25 = arith.minsi %24, %c4 : index
      %extracted_3 = tensor.extract %arg0[%22, %25] : tensor<8x5xf32>
      linalg.yield %extracted_3 : f32
    } -> tensor<8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%18 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map9, #map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%17, %19, %20 : tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) outs(%18 : tensor<8x1xf32>) {
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
    %1 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<i1>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %20 = arith.addi %in, %c1_i32 : i32
      linalg.yield %20 : i32
    } -> tensor<i32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = tensor.empty() : tensor<1xi32>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%4 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %7 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %8 = tensor.empty() : tensor<1xi1>
    %9 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%6, %7 : tensor<1xi32>, tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %20 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %10 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%6 : tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi sle, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %11 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%9, %10 : tensor<1xi1>, tensor<1xi1>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %20 = arith.andi %in, %in_1 : i1
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %12 = linalg.fill ins(%true : i1) outs(%0 : tensor<i1>) -> tensor<i1>
    %13 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["reduction"]} ins(%11 : tensor<1xi1>) outs(%12 : tensor<i1>) {
    ^bb0(%in: i1, %out: i1):
      %20 = arith.andi %out, %in : i1
      linalg.yield %20 : i1
    } -> tensor<i1>
    %14 = tensor.empty() : tensor<8xf32>
    %15 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%14 : tensor<8xf32>) {
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
    %17 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%13 : tensor<i1>) outs(%16 : tensor<8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8xi1>
    %18 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel"]} ins(%17, %15, %18 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %20 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %20 : f32
    } -> tensor<8xf32>
    return %19, %6 : tensor<8xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map12, #map12, #map12, #map12], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
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
    %1 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %extracted_slice = tensor.extract_slice %arg0[0] [1] [1] : tensor<1xi32> to tensor<i32>
    %2 = linalg.generic {indexing_maps = [#map22, #map10, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg1, %1 : tensor<i32>, tensor<8xf32>, tensor<8x1xf32>) outs(%0 : tensor<8x1xf32>) {
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
    %1 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x5xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [8, 1, 1] [1, 1, 1] : tensor<8x1x1xi32> to tensor<8x1xi32>
    %2 = linalg.generic {indexing_maps = [#map17, #map17, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg1 : tensor<8x1xi32>, tensor<8x1xf32>) outs(%1 : tensor<8x5xf32>) {
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
    %1 = linalg.generic {indexing_maps = [#map12, #map12, #map12, #map12], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

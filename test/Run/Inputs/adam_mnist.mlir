#map = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0) -> ()>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<() -> ()>
#map11 = affine_map<(d0, d1) -> (d1, d0)>
#map12 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map13 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map15 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map16 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d3, d4 + d5, d6)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d5, d1)>
#map21 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d2, d4, d6, d1)>
#map22 = affine_map<(d0, d1, d2, d3) -> (-d0 + 2, -d1 + 2, d2, d3)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d2 + d3, d4 + d5, d0)>
#map24 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d5, d1, d0)>
#map25 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d2, d4, d1)>
#map26 = affine_map<(d0, d1, d2) -> ()>
#map27 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map28 = affine_map<(d0, d1, d2) -> (d2)>
#map29 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
module @jit_flat {
  func.func public @main(%arg0: tensor<4xf32> {ds.param = "params.params.Conv_0.bias"}, %arg1: tensor<3x3x1x4xf32> {ds.param = "params.params.Conv_0.kernel"}, %arg2: tensor<8xf32> {ds.param = "params.params.Conv_1.bias"}, %arg3: tensor<3x3x4x8xf32> {ds.param = "params.params.Conv_1.kernel"}, %arg4: tensor<16xf32> {ds.param = "params.params.Dense_0.bias"}, %arg5: tensor<72x16xf32> {ds.param = "params.params.Dense_0.kernel"}, %arg6: tensor<10xf32> {ds.param = "params.params.Dense_1.bias"}, %arg7: tensor<16x10xf32> {ds.param = "params.params.Dense_1.kernel"}, %arg8: tensor<i32> {ds.state = "state.0.0.count"}, %arg9: tensor<4xf32> {ds.state = "state.0.0.mu.params.Conv_0.bias"}, %arg10: tensor<3x3x1x4xf32> {ds.state = "state.0.0.mu.params.Conv_0.kernel"}, %arg11: tensor<8xf32> {ds.state = "state.0.0.mu.params.Conv_1.bias"}, %arg12: tensor<3x3x4x8xf32> {ds.state = "state.0.0.mu.params.Conv_1.kernel"}, %arg13: tensor<16xf32> {ds.state = "state.0.0.mu.params.Dense_0.bias"}, %arg14: tensor<72x16xf32> {ds.state = "state.0.0.mu.params.Dense_0.kernel"}, %arg15: tensor<10xf32> {ds.state = "state.0.0.mu.params.Dense_1.bias"}, %arg16: tensor<16x10xf32> {ds.state = "state.0.0.mu.params.Dense_1.kernel"}, %arg17: tensor<4xf32> {ds.state = "state.0.0.nu.params.Conv_0.bias"}, %arg18: tensor<3x3x1x4xf32> {ds.state = "state.0.0.nu.params.Conv_0.kernel"}, %arg19: tensor<8xf32> {ds.state = "state.0.0.nu.params.Conv_1.bias"}, %arg20: tensor<3x3x4x8xf32> {ds.state = "state.0.0.nu.params.Conv_1.kernel"}, %arg21: tensor<16xf32> {ds.state = "state.0.0.nu.params.Dense_0.bias"}, %arg22: tensor<72x16xf32> {ds.state = "state.0.0.nu.params.Dense_0.kernel"}, %arg23: tensor<10xf32> {ds.state = "state.0.0.nu.params.Dense_1.bias"}, %arg24: tensor<16x10xf32> {ds.state = "state.0.0.nu.params.Dense_1.kernel"}, %arg25: tensor<8x14x14x1xf32> {ds.batch = 0 : i64, ds.name = "image"}, %arg26: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "label"}) -> (tensor<4xf32> {ds.updates = "params.params.Conv_0.bias"}, tensor<3x3x1x4xf32> {ds.updates = "params.params.Conv_0.kernel"}, tensor<8xf32> {ds.updates = "params.params.Conv_1.bias"}, tensor<3x3x4x8xf32> {ds.updates = "params.params.Conv_1.kernel"}, tensor<16xf32> {ds.updates = "params.params.Dense_0.bias"}, tensor<72x16xf32> {ds.updates = "params.params.Dense_0.kernel"}, tensor<10xf32> {ds.updates = "params.params.Dense_1.bias"}, tensor<16x10xf32> {ds.updates = "params.params.Dense_1.kernel"}, tensor<i32> {ds.updates = "state.0.0.count"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.Conv_0.bias"}, tensor<3x3x1x4xf32> {ds.updates = "state.0.0.mu.params.Conv_0.kernel"}, tensor<8xf32> {ds.updates = "state.0.0.mu.params.Conv_1.bias"}, tensor<3x3x4x8xf32> {ds.updates = "state.0.0.mu.params.Conv_1.kernel"}, tensor<16xf32> {ds.updates = "state.0.0.mu.params.Dense_0.bias"}, tensor<72x16xf32> {ds.updates = "state.0.0.mu.params.Dense_0.kernel"}, tensor<10xf32> {ds.updates = "state.0.0.mu.params.Dense_1.bias"}, tensor<16x10xf32> {ds.updates = "state.0.0.mu.params.Dense_1.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.Conv_0.bias"}, tensor<3x3x1x4xf32> {ds.updates = "state.0.0.nu.params.Conv_0.kernel"}, tensor<8xf32> {ds.updates = "state.0.0.nu.params.Conv_1.bias"}, tensor<3x3x4x8xf32> {ds.updates = "state.0.0.nu.params.Conv_1.kernel"}, tensor<16xf32> {ds.updates = "state.0.0.nu.params.Dense_0.bias"}, tensor<72x16xf32> {ds.updates = "state.0.0.nu.params.Dense_0.kernel"}, tensor<10xf32> {ds.updates = "state.0.0.nu.params.Dense_1.bias"}, tensor<16x10xf32> {ds.updates = "state.0.0.nu.params.Dense_1.kernel"}, tensor<f32> {ds.metric = "loss"}) {
    %0:26 = call @step(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26) : (tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<8x14x14x1xf32>, tensor<8xi32>) -> (tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17, %0#18, %0#19, %0#20, %0#21, %0#22, %0#23, %0#24, %0#25 : tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<f32>
  }
  func.func private @step(%arg0: tensor<4xf32>, %arg1: tensor<3x3x1x4xf32>, %arg2: tensor<8xf32>, %arg3: tensor<3x3x4x8xf32>, %arg4: tensor<16xf32>, %arg5: tensor<72x16xf32>, %arg6: tensor<10xf32>, %arg7: tensor<16x10xf32>, %arg8: tensor<i32>, %arg9: tensor<4xf32>, %arg10: tensor<3x3x1x4xf32>, %arg11: tensor<8xf32>, %arg12: tensor<3x3x4x8xf32>, %arg13: tensor<16xf32>, %arg14: tensor<72x16xf32>, %arg15: tensor<10xf32>, %arg16: tensor<16x10xf32>, %arg17: tensor<4xf32>, %arg18: tensor<3x3x1x4xf32>, %arg19: tensor<8xf32>, %arg20: tensor<3x3x4x8xf32>, %arg21: tensor<16xf32>, %arg22: tensor<72x16xf32>, %arg23: tensor<10xf32>, %arg24: tensor<16x10xf32>, %arg25: tensor<8x14x14x1xf32>, %arg26: tensor<8xi32>) -> (tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<f32>) {
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
    %cst_16 = arith.constant dense<4.000000e+00> : tensor<f32>
    %cst_17 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x14x14x4xf32>
    %1 = linalg.fill ins(%cst_6 : f32) outs(%0 : tensor<8x14x14x4xf32>) -> tensor<8x14x14x4xf32>
    %padded = tensor.pad %arg25 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg27: index, %arg28: index, %arg29: index, %arg30: index):
      tensor.yield %cst_6 : f32
    } : tensor<8x14x14x1xf32> to tensor<8x16x16x1xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<8x16x16x1xf32>, tensor<3x3x1x4xf32>) outs(%1 : tensor<8x14x14x4xf32>) -> tensor<8x14x14x4xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<4xf32> into tensor<1x1x1x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x1x4xf32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x14x14x4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<8x14x14x4xf32>, tensor<8x14x14x4xf32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x14x14x4xf32>
    %5 = call @relu(%4) : (tensor<8x14x14x4xf32>) -> tensor<8x14x14x4xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x14x14x4xf32>
    %7 = tensor.empty() : tensor<8x14x14x4xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<8x14x14x4xf32>, tensor<8x14x14x4xf32>) outs(%7 : tensor<8x14x14x4xi1>) {
    ^bb0(%in: f32, %in_25: f32, %out: i1):
      %329 = arith.cmpf ogt, %in, %in_25 : f32
      linalg.yield %329 : i1
    } -> tensor<8x14x14x4xi1>
    %9 = tensor.empty() : tensor<2x2xf32>
    %10 = tensor.empty() : tensor<8x7x7x4xf32>
    %11 = linalg.fill ins(%cst_6 : f32) outs(%10 : tensor<8x7x7x4xf32>) -> tensor<8x7x7x4xf32>
    %12 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%5, %9 : tensor<8x14x14x4xf32>, tensor<2x2xf32>) outs(%11 : tensor<8x7x7x4xf32>) -> tensor<8x7x7x4xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%10 : tensor<8x7x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x7x7x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<8x7x7x4xf32>, tensor<8x7x7x4xf32>) outs(%10 : tensor<8x7x7x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x7x7x4xf32>
    %15 = tensor.empty() : tensor<8x7x7x8xf32>
    %16 = linalg.fill ins(%cst_6 : f32) outs(%15 : tensor<8x7x7x8xf32>) -> tensor<8x7x7x8xf32>
    %padded_18 = tensor.pad %14 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg27: index, %arg28: index, %arg29: index, %arg30: index):
      tensor.yield %cst_6 : f32
    } : tensor<8x7x7x4xf32> to tensor<8x9x9x4xf32>
    %17 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_18, %arg3 : tensor<8x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%16 : tensor<8x7x7x8xf32>) -> tensor<8x7x7x8xf32>
    %expanded_19 = tensor.expand_shape %arg2 [[0, 1, 2, 3]] output_shape [1, 1, 1, 8] : tensor<8xf32> into tensor<1x1x1x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x1x1x8xf32>) outs(%15 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x7x7x8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %18 : tensor<8x7x7x8xf32>, tensor<8x7x7x8xf32>) outs(%15 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x7x7x8xf32>
    %20 = call @relu_0(%19) : (tensor<8x7x7x8xf32>) -> tensor<8x7x7x8xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%15 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x7x7x8xf32>
    %22 = tensor.empty() : tensor<8x7x7x8xi1>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<8x7x7x8xf32>, tensor<8x7x7x8xf32>) outs(%22 : tensor<8x7x7x8xi1>) {
    ^bb0(%in: f32, %in_25: f32, %out: i1):
      %329 = arith.cmpf ogt, %in, %in_25 : f32
      linalg.yield %329 : i1
    } -> tensor<8x7x7x8xi1>
    %24 = tensor.empty() : tensor<8x3x3x8xf32>
    %25 = linalg.fill ins(%cst_6 : f32) outs(%24 : tensor<8x3x3x8xf32>) -> tensor<8x3x3x8xf32>
    %26 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%20, %9 : tensor<8x7x7x8xf32>, tensor<2x2xf32>) outs(%25 : tensor<8x3x3x8xf32>) -> tensor<8x3x3x8xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%24 : tensor<8x3x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x3x3x8xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %27 : tensor<8x3x3x8xf32>, tensor<8x3x3x8xf32>) outs(%24 : tensor<8x3x3x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x3x3x8xf32>
    %collapsed = tensor.collapse_shape %28 [[0], [1, 2, 3]] : tensor<8x3x3x8xf32> into tensor<8x72xf32>
    %29 = tensor.empty() : tensor<8x16xf32>
    %30 = linalg.fill ins(%cst_6 : f32) outs(%29 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %31 = linalg.matmul ins(%collapsed, %arg5 : tensor<8x72xf32>, tensor<72x16xf32>) outs(%30 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %expanded_20 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_20 : tensor<1x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%31, %32 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x16xf32>
    %34 = call @relu_1(%33) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %36 = tensor.empty() : tensor<8x16xi1>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%33, %35 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%36 : tensor<8x16xi1>) {
    ^bb0(%in: f32, %in_25: f32, %out: i1):
      %329 = arith.cmpf ogt, %in, %in_25 : f32
      linalg.yield %329 : i1
    } -> tensor<8x16xi1>
    %38 = tensor.empty() : tensor<8x10xf32>
    %39 = linalg.fill ins(%cst_6 : f32) outs(%38 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %40 = linalg.matmul ins(%34, %arg7 : tensor<8x16xf32>, tensor<16x10xf32>) outs(%39 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %expanded_21 = tensor.expand_shape %arg6 [[0, 1]] output_shape [1, 10] : tensor<10xf32> into tensor<1x10xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_21 : tensor<1x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%40, %41 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x10xf32>
    %43 = tensor.empty() : tensor<8x1xi32>
    %44 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg26 : tensor<8xi32>) outs(%43 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %45:2 = call @take_along_axis(%42, %44) : (tensor<8x10xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>)
    %46:2 = call @_take(%45#0, %cst_15) : (tensor<8x1xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<1xi32>)
    %47 = tensor.empty() : tensor<8xf32>
    %48 = linalg.fill ins(%cst_5 : f32) outs(%47 : tensor<8xf32>) -> tensor<8xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "reduction"]} ins(%42 : tensor<8x10xf32>) outs(%48 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.maximumf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %50 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%50, %49 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.maximumf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %52 = tensor.empty() : tensor<8xi1>
    %53 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%51 : tensor<8xf32>) outs(%52 : tensor<8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %329 = math.absf %in : f32
      %330 = arith.cmpf one, %329, %cst_4 : f32
      linalg.yield %330 : i1
    } -> tensor<8xi1>
    %54 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_17 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %55 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel"]} ins(%53, %51, %54 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %56 = tensor.empty() : tensor<8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<8xf32>) outs(%56 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %58 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<8x1xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%42, %58 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.subf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x10xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<8x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.exp %in : f32
      linalg.yield %329 : f32
    } -> tensor<8x10xf32>
    %61 = linalg.fill ins(%cst_6 : f32) outs(%47 : tensor<8xf32>) -> tensor<8xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "reduction"]} ins(%60 : tensor<8x10xf32>) outs(%61 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%62 : tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.absf %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %64 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%62, %54 : tensor<8xf32>, tensor<8xf32>) outs(%52 : tensor<8xi1>) {
    ^bb0(%in: f32, %in_25: f32, %out: i1):
      %329 = arith.cmpf oge, %in, %in_25 : f32
      linalg.yield %329 : i1
    } -> tensor<8xi1>
    %65 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%63 : tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.log %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %66 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%65, %55 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %67 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%66, %46#0 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.subf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %68 = tensor.empty() : tensor<f32>
    %69 = linalg.fill ins(%cst_6 : f32) outs(%68 : tensor<f32>) -> tensor<f32>
    %70 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["reduction"]} ins(%67 : tensor<8xf32>) outs(%69 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %71 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%70 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.divf %in, %cst_3 : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %72 = linalg.generic {indexing_maps = [#map10], iterator_types = []} outs(%68 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %73 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%72 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%73 : tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.negf %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %75 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%73, %63 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %76 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel"]} ins(%64, %54, %75 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %77 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel"]} ins(%64, %75, %54 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%76 : tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.negf %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %79 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%77, %78 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<8xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%80, %60 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x10xf32>
    %82 = call @_take_2(%46#1, %74) : (tensor<1xi32>, tensor<8xf32>) -> tensor<8x1xf32>
    %83 = call @take_along_axis_3(%45#1, %82) : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%81, %83 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%38 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x10xf32>
    %85 = tensor.empty() : tensor<10xf32>
    %86 = linalg.fill ins(%cst_6 : f32) outs(%85 : tensor<10xf32>) -> tensor<10xf32>
    %87 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "reduction"]} ins(%84 : tensor<8x10xf32>) outs(%86 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %88 = tensor.empty() : tensor<10x16xf32>
    %89 = linalg.fill ins(%cst_6 : f32) outs(%88 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %90 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84, %34 : tensor<8x10xf32>, tensor<8x16xf32>) outs(%89 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<10x16xf32>
    %91 = tensor.empty() : tensor<16x10xf32>
    %92 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<10x16xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %93 = linalg.generic {indexing_maps = [#map15, #map16, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84, %arg7 : tensor<8x10xf32>, tensor<16x10xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<8x16xf32>
    %94 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%37, %93, %35 : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8x16xf32>
    %95 = tensor.empty() : tensor<16xf32>
    %96 = linalg.fill ins(%cst_6 : f32) outs(%95 : tensor<16xf32>) -> tensor<16xf32>
    %97 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "reduction"]} ins(%94 : tensor<8x16xf32>) outs(%96 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %98 = tensor.empty() : tensor<16x72xf32>
    %99 = linalg.fill ins(%cst_6 : f32) outs(%98 : tensor<16x72xf32>) -> tensor<16x72xf32>
    %100 = linalg.generic {indexing_maps = [#map12, #map13, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94, %collapsed : tensor<8x16xf32>, tensor<8x72xf32>) outs(%99 : tensor<16x72xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<16x72xf32>
    %101 = tensor.empty() : tensor<72x16xf32>
    %102 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<16x72xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %103 = tensor.empty() : tensor<8x72xf32>
    %104 = linalg.fill ins(%cst_6 : f32) outs(%103 : tensor<8x72xf32>) -> tensor<8x72xf32>
    %105 = linalg.generic {indexing_maps = [#map15, #map16, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94, %arg5 : tensor<8x16xf32>, tensor<72x16xf32>) outs(%104 : tensor<8x72xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<8x72xf32>
    %expanded_22 = tensor.expand_shape %105 [[0], [1, 2, 3]] output_shape [8, 3, 3, 8] : tensor<8x72xf32> into tensor<8x3x3x8xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %27 : tensor<8x3x3x8xf32>, tensor<8x3x3x8xf32>) outs(%24 : tensor<8x3x3x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x3x3x8xf32>
    %107 = tensor.empty() : tensor<8x8x8x8xf32>
    %108 = linalg.fill ins(%cst_6 : f32) outs(%107 : tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %inserted_slice = tensor.insert_slice %106 into %108[0, 1, 1, 0] [8, 3, 3, 8] [1, 2, 2, 1] : tensor<8x3x3x8xf32> into tensor<8x8x8x8xf32>
    %109 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %9 : tensor<8x8x8x8xf32>, tensor<2x2xf32>) outs(%16 : tensor<8x7x7x8xf32>) -> tensor<8x7x7x8xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %109, %21 : tensor<8x7x7x8xi1>, tensor<8x7x7x8xf32>, tensor<8x7x7x8xf32>) outs(%15 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8x7x7x8xf32>
    %111 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%110 : tensor<8x7x7x8xf32>) outs(%61 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %112 = tensor.empty() : tensor<3x3x4x8xf32>
    %113 = linalg.fill ins(%cst_6 : f32) outs(%112 : tensor<3x3x4x8xf32>) -> tensor<3x3x4x8xf32>
    %114 = linalg.generic {indexing_maps = [#map19, #map20, #map21], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_18, %110 : tensor<8x9x9x4xf32>, tensor<8x7x7x8xf32>) outs(%113 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<3x3x4x8xf32>
    %115 = linalg.generic {indexing_maps = [#map22, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %padded_23 = tensor.pad %110 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg27: index, %arg28: index, %arg29: index, %arg30: index):
      tensor.yield %cst_6 : f32
    } : tensor<8x7x7x8xf32> to tensor<8x9x9x8xf32>
    %116 = linalg.generic {indexing_maps = [#map23, #map24, #map25], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_23, %115 : tensor<8x9x9x8xf32>, tensor<3x3x4x8xf32>) outs(%11 : tensor<8x7x7x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<8x7x7x4xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %13 : tensor<8x7x7x4xf32>, tensor<8x7x7x4xf32>) outs(%10 : tensor<8x7x7x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8x7x7x4xf32>
    %118 = tensor.empty() : tensor<8x15x15x4xf32>
    %119 = linalg.fill ins(%cst_6 : f32) outs(%118 : tensor<8x15x15x4xf32>) -> tensor<8x15x15x4xf32>
    %inserted_slice_24 = tensor.insert_slice %117 into %119[0, 1, 1, 0] [8, 7, 7, 4] [1, 2, 2, 1] : tensor<8x7x7x4xf32> into tensor<8x15x15x4xf32>
    %120 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice_24, %9 : tensor<8x15x15x4xf32>, tensor<2x2xf32>) outs(%1 : tensor<8x14x14x4xf32>) -> tensor<8x14x14x4xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %120, %6 : tensor<8x14x14x4xi1>, tensor<8x14x14x4xf32>, tensor<8x14x14x4xf32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: i1, %in_25: f32, %in_26: f32, %out: f32):
      %329 = arith.select %in, %in_25, %in_26 : f32
      linalg.yield %329 : f32
    } -> tensor<8x14x14x4xf32>
    %122 = tensor.empty() : tensor<4xf32>
    %123 = linalg.fill ins(%cst_6 : f32) outs(%122 : tensor<4xf32>) -> tensor<4xf32>
    %124 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%121 : tensor<8x14x14x4xf32>) outs(%123 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.addf %out, %in : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %125 = tensor.empty() : tensor<3x3x1x4xf32>
    %126 = linalg.fill ins(%cst_6 : f32) outs(%125 : tensor<3x3x1x4xf32>) -> tensor<3x3x1x4xf32>
    %127 = linalg.generic {indexing_maps = [#map19, #map20, #map21], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded, %121 : tensor<8x16x16x1xf32>, tensor<8x14x14x4xf32>) outs(%126 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      %330 = arith.addf %out, %329 : f32
      linalg.yield %330 : f32
    } -> tensor<3x3x1x4xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %129 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%128, %124 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %130 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %131 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%130, %arg9 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %132 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%129, %131 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %133 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133, %127 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %135 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %arg10 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %136 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %138 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %139 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%138, %111 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %140 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %141 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%140, %arg11 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %142 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%139, %141 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %143 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143, %114 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %145 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145, %arg12 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %146 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %148 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %149 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%148, %97 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %150 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %151 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%150, %arg13 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %152 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%149, %151 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %153 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %154 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%153, %102 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %155 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %156 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%155, %arg14 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %157 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%154, %156 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %158 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %159 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%158, %87 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %160 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %161 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%160, %arg15 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %162 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%159, %161 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %163 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %164 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%163, %92 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %165 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %166 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%165, %arg16 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %167 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%164, %166 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %168 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%124, %124 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %169 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %170 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%169, %168 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %171 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %172 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%171, %arg17 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %173 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%170, %172 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %127 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %175 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175, %174 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %177 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%177, %arg18 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176, %178 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %180 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%111, %111 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %181 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %182 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%181, %180 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %183 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %184 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%183, %arg19 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %185 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%182, %184 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %114 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %187 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187, %186 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %189 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189, %arg20 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %191 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%188, %190 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %192 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%97, %97 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %193 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %194 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%193, %192 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %195 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %196 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%195, %arg21 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %197 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%194, %196 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %198 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%102, %102 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %199 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %200 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%199, %198 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %201 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %202 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%201, %arg22 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %203 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%200, %202 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %204 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%87, %87 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %205 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %206 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%205, %204 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %207 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %208 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%207, %arg23 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %209 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%206, %208 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %210 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%92, %92 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %211 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %212 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%211, %210 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %213 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %214 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%213, %arg24 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %215 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%212, %214 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %216 = tensor.empty() : tensor<i1>
    %217 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%arg8 : tensor<i32>) outs(%216 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %329 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %329 : i1
    } -> tensor<i1>
    %218 = tensor.empty() : tensor<i32>
    %219 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%arg8 : tensor<i32>) outs(%218 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %329 = arith.addi %in, %c1_i32 : i32
      linalg.yield %329 : i32
    } -> tensor<i32>
    %220 = call @_where_4(%217, %219, %cst_9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %221 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%220 : tensor<i32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %329 = arith.sitofp %in : i32 to f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %222 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%221 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.powf %cst_1, %in : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %223 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%222 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.subf %cst_2, %in : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %224 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%223 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %225 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%132, %224 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %226 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%223 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %227 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137, %226 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %228 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%223 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %229 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%142, %228 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %230 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%223 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %231 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %230 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %232 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%223 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %233 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%152, %232 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %234 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%223 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %235 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%157, %234 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %236 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%223 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %237 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%162, %236 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %238 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%223 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %239 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%167, %238 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %240 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%221 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.powf %cst_0, %in : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %241 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%240 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = arith.subf %cst_2, %in : f32
      linalg.yield %329 : f32
    } -> tensor<f32>
    %242 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%241 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %243 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%173, %242 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %244 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %245 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%179, %244 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %246 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%241 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %247 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%185, %246 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %248 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %249 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%191, %248 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %250 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%241 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %251 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%197, %250 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %252 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %253 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%203, %252 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %254 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%241 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %255 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%209, %254 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %256 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %257 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%215, %256 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %258 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_17 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %259 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%243, %258 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %260 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%259 : tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %261 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %262 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%260, %261 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %263 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%225, %262 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %264 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %265 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %264 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %266 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%265 : tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %267 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %268 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%266, %267 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %269 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%227, %268 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %270 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%247, %54 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %271 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%270 : tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %272 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %273 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%271, %272 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %274 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%229, %273 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %275 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %276 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%249, %275 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %277 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%276 : tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %278 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %279 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%277, %278 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %280 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%231, %279 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %281 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_17 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %282 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%251, %281 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %283 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%282 : tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %284 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %285 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%283, %284 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %286 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%233, %285 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %287 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %288 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%253, %287 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %289 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%288 : tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %290 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %291 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%289, %290 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %292 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%235, %291 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %293 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_17 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %294 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%255, %293 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %295 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%294 : tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %296 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %297 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%295, %296 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %298 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%237, %297 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %299 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %300 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%257, %299 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %301 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%300 : tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %329 = math.sqrt %in : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %302 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %303 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%301, %302 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %304 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%239, %303 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.divf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %305 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %306 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%305, %263 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %307 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x1x4xf32>
    %308 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%307, %269 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %309 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %310 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%309, %274 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %311 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x4x8xf32>
    %312 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%311, %280 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %313 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16xf32>
    %314 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%313, %286 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %315 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<72x16xf32>
    %316 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%315, %292 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %317 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %318 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%317, %298 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %319 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %320 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%319, %304 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.mulf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    %321 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg0, %306 : tensor<4xf32>, tensor<4xf32>) outs(%122 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<4xf32>
    %322 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %308 : tensor<3x3x1x4xf32>, tensor<3x3x1x4xf32>) outs(%125 : tensor<3x3x1x4xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x1x4xf32>
    %323 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg2, %310 : tensor<8xf32>, tensor<8xf32>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<8xf32>
    %324 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %312 : tensor<3x3x4x8xf32>, tensor<3x3x4x8xf32>) outs(%112 : tensor<3x3x4x8xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<3x3x4x8xf32>
    %325 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg4, %314 : tensor<16xf32>, tensor<16xf32>) outs(%95 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16xf32>
    %326 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg5, %316 : tensor<72x16xf32>, tensor<72x16xf32>) outs(%101 : tensor<72x16xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<72x16xf32>
    %327 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg6, %318 : tensor<10xf32>, tensor<10xf32>) outs(%85 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<10xf32>
    %328 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg7, %320 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%91 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_25: f32, %out: f32):
      %329 = arith.addf %in, %in_25 : f32
      linalg.yield %329 : f32
    } -> tensor<16x10xf32>
    return %321, %322, %323, %324, %325, %326, %327, %328, %220, %132, %137, %142, %147, %152, %157, %162, %167, %173, %179, %185, %191, %197, %203, %209, %215, %71 : tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<4xf32>, tensor<3x3x1x4xf32>, tensor<8xf32>, tensor<3x3x4x8xf32>, tensor<16xf32>, tensor<72x16xf32>, tensor<10xf32>, tensor<16x10xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x14x14x4xf32>) -> tensor<8x14x14x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x14x14x4xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x14x14x4xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<8x14x14x4xf32>, tensor<8x14x14x4xf32>) outs(%0 : tensor<8x14x14x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x14x14x4xf32>
    return %2 : tensor<8x14x14x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x7x7x8xf32>) -> tensor<8x7x7x8xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x7x7x8xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x7x7x8xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<8x7x7x8xf32>, tensor<8x7x7x8xf32>) outs(%0 : tensor<8x7x7x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x7x7x8xf32>
    return %2 : tensor<8x7x7x8xf32>
  }
  func.func private @relu_1(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x16xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    %2 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%0 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x16xf32>
    return %2 : tensor<8x16xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x10xf32>, %arg1: tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>) {
    %c9 = arith.constant 9 : index
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant dense<9> : tensor<1xi32>
    %cst_1 = arith.constant dense<10> : tensor<i32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<8x1xi32>
    %1 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %2 = tensor.empty() : tensor<8x1xi1>
    %3 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%2 : tensor<8x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi slt, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %4 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %5 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1, %4 : tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %in_3: i32, %out: i32):
      %22 = arith.addi %in, %in_3 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %6 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg1 : tensor<8x1xi1>, tensor<8x1xi32>, tensor<8x1xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
      %22 = arith.select %in, %in_3, %in_4 : i32
      linalg.yield %22 : i32
    } -> tensor<8x1xi32>
    %expanded = tensor.expand_shape %6 [[0], [1, 2]] output_shape [8, 1, 1] : tensor<8x1xi32> into tensor<8x1x1xi32>
    %7 = tensor.empty() : tensor<8x1x1xi32>
    %8 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %9 = tensor.empty() : tensor<8x1x1xi1>
    %10 = linalg.generic {indexing_maps = [#map27, #map27, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %8 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sge, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %11 = tensor.empty() : tensor<1x1x1xi32>
    %12 = linalg.generic {indexing_maps = [#map28, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<1xi32>) outs(%11 : tensor<1x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1x1xi32>
    %13 = linalg.generic {indexing_maps = [#map29, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1xi32>) outs(%7 : tensor<8x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1x1xi32>
    %14 = linalg.generic {indexing_maps = [#map27, #map27, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %13 : tensor<8x1x1xi32>, tensor<8x1x1xi32>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %22 = arith.cmpi sle, %in, %in_3 : i32
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %15 = linalg.generic {indexing_maps = [#map27, #map27, #map27], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %14 : tensor<8x1x1xi1>, tensor<8x1x1xi1>) outs(%9 : tensor<8x1x1xi1>) {
    ^bb0(%in: i1, %in_3: i1, %out: i1):
      %22 = arith.andi %in, %in_3 : i1
      linalg.yield %22 : i1
    } -> tensor<8x1x1xi1>
    %16 = linalg.fill ins(%true : i1) outs(%2 : tensor<8x1xi1>) -> tensor<8x1xi1>
    %17 = linalg.generic {indexing_maps = [#map27, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<8x1x1xi1>) outs(%16 : tensor<8x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %22 = arith.andi %out, %in : i1
      linalg.yield %22 : i1
    } -> tensor<8x1xi1>
    %18 = tensor.empty() : tensor<8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%18 : tensor<8x1xf32>) {
    ^bb0(%out: f32):
      %22 = linalg.index 0 : index
      %extracted = tensor.extract %expanded[%22, %c0, %c0] : tensor<8x1x1xi32>
      %23 = arith.index_cast %extracted : i32 to index
      %24 = arith.maxsi %23, %c0 : index
      %25 = arith.minsi %24, %c9 : index
      %extracted_3 = tensor.extract %arg0[%22, %25] : tensor<8x10xf32>
      linalg.yield %extracted_3 : f32
    } -> tensor<8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%18 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%17, %19, %20 : tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) outs(%18 : tensor<8x1xf32>) {
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
    %1 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<i1>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %20 = arith.addi %in, %c1_i32 : i32
      linalg.yield %20 : i32
    } -> tensor<i32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = tensor.empty() : tensor<1xi32>
    %6 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%4 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %7 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%5 : tensor<1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1xi32>
    %8 = tensor.empty() : tensor<1xi1>
    %9 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%6, %7 : tensor<1xi32>, tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %20 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %10 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%6 : tensor<1xi32>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %20 = arith.cmpi sle, %in, %c0_i32 : i32
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %11 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%9, %10 : tensor<1xi1>, tensor<1xi1>) outs(%8 : tensor<1xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %20 = arith.andi %in, %in_1 : i1
      linalg.yield %20 : i1
    } -> tensor<1xi1>
    %12 = linalg.fill ins(%true : i1) outs(%0 : tensor<i1>) -> tensor<i1>
    %13 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["reduction"]} ins(%11 : tensor<1xi1>) outs(%12 : tensor<i1>) {
    ^bb0(%in: i1, %out: i1):
      %20 = arith.andi %out, %in : i1
      linalg.yield %20 : i1
    } -> tensor<i1>
    %14 = tensor.empty() : tensor<8xf32>
    %15 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%14 : tensor<8xf32>) {
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
    %17 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%13 : tensor<i1>) outs(%16 : tensor<8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8xi1>
    %18 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %19 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel"]} ins(%17, %15, %18 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%14 : tensor<8xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %20 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %20 : f32
    } -> tensor<8xf32>
    return %19, %6 : tensor<8xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map10, #map10, #map10, #map10], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @_take_2(%arg0: tensor<1xi32>, %arg1: tensor<8xf32>) -> tensor<8x1xf32> {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x1xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %extracted_slice = tensor.extract_slice %arg0[0] [1] [1] : tensor<1xi32> to tensor<i32>
    %2 = linalg.generic {indexing_maps = [#map5, #map6, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg1, %1 : tensor<i32>, tensor<8xf32>, tensor<8x1xf32>) outs(%0 : tensor<8x1xf32>) {
    ^bb0(%in: i32, %in_1: f32, %in_2: f32, %out: f32):
      %3 = arith.cmpi eq, %in, %c0_i32 : i32
      %4 = arith.select %3, %in_1, %cst : f32
      %5 = arith.addf %in_2, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<8x1xf32>
    return %2 : tensor<8x1xf32>
  }
  func.func private @take_along_axis_3(%arg0: tensor<8x1x1xi32>, %arg1: tensor<8x1xf32>) -> tensor<8x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x10xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [8, 1, 1] [1, 1, 1] : tensor<8x1x1xi32> to tensor<8x1xi32>
    %2 = linalg.generic {indexing_maps = [#map15, #map15, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg1 : tensor<8x1xi32>, tensor<8x1xf32>) outs(%1 : tensor<8x10xf32>) {
    ^bb0(%in: i32, %in_1: f32, %out: f32):
      %3 = linalg.index 1 : index
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.cmpi eq, %in, %4 : i32
      %6 = arith.select %5, %in_1, %cst : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<8x10xf32>
    return %2 : tensor<8x10xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map10, #map10, #map10, #map10], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

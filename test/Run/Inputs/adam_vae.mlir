#map = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<() -> ()>
#map7 = affine_map<(d0, d1) -> (d1, d0)>
#map8 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d1, d2)>
module @jit_flat {
  func.func public @main(%arg0: tensor<24xf32> {ds.param = "params.params.Dense_0.bias"}, %arg1: tensor<64x24xf32> {ds.param = "params.params.Dense_0.kernel"}, %arg2: tensor<4xf32> {ds.param = "params.params.Dense_1.bias"}, %arg3: tensor<24x4xf32> {ds.param = "params.params.Dense_1.kernel"}, %arg4: tensor<4xf32> {ds.param = "params.params.Dense_2.bias"}, %arg5: tensor<24x4xf32> {ds.param = "params.params.Dense_2.kernel"}, %arg6: tensor<64xf32> {ds.param = "params.params.Dense_3.bias"}, %arg7: tensor<24x64xf32> {ds.param = "params.params.Dense_3.kernel"}, %arg8: tensor<24xf32> {ds.param = "params.params.Dense_4.bias"}, %arg9: tensor<4x24xf32> {ds.param = "params.params.Dense_4.kernel"}, %arg10: tensor<i32> {ds.state = "state.0.0.count"}, %arg11: tensor<24xf32> {ds.state = "state.0.0.mu.params.Dense_0.bias"}, %arg12: tensor<64x24xf32> {ds.state = "state.0.0.mu.params.Dense_0.kernel"}, %arg13: tensor<4xf32> {ds.state = "state.0.0.mu.params.Dense_1.bias"}, %arg14: tensor<24x4xf32> {ds.state = "state.0.0.mu.params.Dense_1.kernel"}, %arg15: tensor<4xf32> {ds.state = "state.0.0.mu.params.Dense_2.bias"}, %arg16: tensor<24x4xf32> {ds.state = "state.0.0.mu.params.Dense_2.kernel"}, %arg17: tensor<64xf32> {ds.state = "state.0.0.mu.params.Dense_3.bias"}, %arg18: tensor<24x64xf32> {ds.state = "state.0.0.mu.params.Dense_3.kernel"}, %arg19: tensor<24xf32> {ds.state = "state.0.0.mu.params.Dense_4.bias"}, %arg20: tensor<4x24xf32> {ds.state = "state.0.0.mu.params.Dense_4.kernel"}, %arg21: tensor<24xf32> {ds.state = "state.0.0.nu.params.Dense_0.bias"}, %arg22: tensor<64x24xf32> {ds.state = "state.0.0.nu.params.Dense_0.kernel"}, %arg23: tensor<4xf32> {ds.state = "state.0.0.nu.params.Dense_1.bias"}, %arg24: tensor<24x4xf32> {ds.state = "state.0.0.nu.params.Dense_1.kernel"}, %arg25: tensor<4xf32> {ds.state = "state.0.0.nu.params.Dense_2.bias"}, %arg26: tensor<24x4xf32> {ds.state = "state.0.0.nu.params.Dense_2.kernel"}, %arg27: tensor<64xf32> {ds.state = "state.0.0.nu.params.Dense_3.bias"}, %arg28: tensor<24x64xf32> {ds.state = "state.0.0.nu.params.Dense_3.kernel"}, %arg29: tensor<24xf32> {ds.state = "state.0.0.nu.params.Dense_4.bias"}, %arg30: tensor<4x24xf32> {ds.state = "state.0.0.nu.params.Dense_4.kernel"}, %arg31: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "noise"}, %arg32: tensor<8x64xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<24xf32> {ds.updates = "params.params.Dense_0.bias"}, tensor<64x24xf32> {ds.updates = "params.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "params.params.Dense_1.bias"}, tensor<24x4xf32> {ds.updates = "params.params.Dense_1.kernel"}, tensor<4xf32> {ds.updates = "params.params.Dense_2.bias"}, tensor<24x4xf32> {ds.updates = "params.params.Dense_2.kernel"}, tensor<64xf32> {ds.updates = "params.params.Dense_3.bias"}, tensor<24x64xf32> {ds.updates = "params.params.Dense_3.kernel"}, tensor<24xf32> {ds.updates = "params.params.Dense_4.bias"}, tensor<4x24xf32> {ds.updates = "params.params.Dense_4.kernel"}, tensor<i32> {ds.updates = "state.0.0.count"}, tensor<24xf32> {ds.updates = "state.0.0.mu.params.Dense_0.bias"}, tensor<64x24xf32> {ds.updates = "state.0.0.mu.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.Dense_1.bias"}, tensor<24x4xf32> {ds.updates = "state.0.0.mu.params.Dense_1.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.mu.params.Dense_2.bias"}, tensor<24x4xf32> {ds.updates = "state.0.0.mu.params.Dense_2.kernel"}, tensor<64xf32> {ds.updates = "state.0.0.mu.params.Dense_3.bias"}, tensor<24x64xf32> {ds.updates = "state.0.0.mu.params.Dense_3.kernel"}, tensor<24xf32> {ds.updates = "state.0.0.mu.params.Dense_4.bias"}, tensor<4x24xf32> {ds.updates = "state.0.0.mu.params.Dense_4.kernel"}, tensor<24xf32> {ds.updates = "state.0.0.nu.params.Dense_0.bias"}, tensor<64x24xf32> {ds.updates = "state.0.0.nu.params.Dense_0.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.Dense_1.bias"}, tensor<24x4xf32> {ds.updates = "state.0.0.nu.params.Dense_1.kernel"}, tensor<4xf32> {ds.updates = "state.0.0.nu.params.Dense_2.bias"}, tensor<24x4xf32> {ds.updates = "state.0.0.nu.params.Dense_2.kernel"}, tensor<64xf32> {ds.updates = "state.0.0.nu.params.Dense_3.bias"}, tensor<24x64xf32> {ds.updates = "state.0.0.nu.params.Dense_3.kernel"}, tensor<24xf32> {ds.updates = "state.0.0.nu.params.Dense_4.bias"}, tensor<4x24xf32> {ds.updates = "state.0.0.nu.params.Dense_4.kernel"}, tensor<f32> {ds.metric = "loss"}) {
    %0:32 = call @step(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32) : (tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<i32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<8x4xf32>, tensor<8x64xf32>) -> (tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<i32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17, %0#18, %0#19, %0#20, %0#21, %0#22, %0#23, %0#24, %0#25, %0#26, %0#27, %0#28, %0#29, %0#30, %0#31 : tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<i32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<f32>
  }
  func.func private @step(%arg0: tensor<24xf32>, %arg1: tensor<64x24xf32>, %arg2: tensor<4xf32>, %arg3: tensor<24x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<24x4xf32>, %arg6: tensor<64xf32>, %arg7: tensor<24x64xf32>, %arg8: tensor<24xf32>, %arg9: tensor<4x24xf32>, %arg10: tensor<i32>, %arg11: tensor<24xf32>, %arg12: tensor<64x24xf32>, %arg13: tensor<4xf32>, %arg14: tensor<24x4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<24x4xf32>, %arg17: tensor<64xf32>, %arg18: tensor<24x64xf32>, %arg19: tensor<24xf32>, %arg20: tensor<4x24xf32>, %arg21: tensor<24xf32>, %arg22: tensor<64x24xf32>, %arg23: tensor<4xf32>, %arg24: tensor<24x4xf32>, %arg25: tensor<4xf32>, %arg26: tensor<24x4xf32>, %arg27: tensor<64xf32>, %arg28: tensor<24x64xf32>, %arg29: tensor<24xf32>, %arg30: tensor<4x24xf32>, %arg31: tensor<8x4xf32>, %arg32: tensor<8x64xf32>) -> (tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<i32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<f32>) {
    %cst = arith.constant -1.000000e+00 : f32
    %cst_0 = arith.constant 9.990000e-01 : f32
    %cst_1 = arith.constant 0.899999976 : f32
    %c1_i32 = arith.constant 1 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant -5.000000e-01 : f32
    %cst_4 = arith.constant 8.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %cst_6 = arith.constant dense<-1.000000e-03> : tensor<f32>
    %cst_7 = arith.constant dense<9.99999993E-9> : tensor<f32>
    %cst_8 = arith.constant dense<2147483647> : tensor<i32>
    %cst_9 = arith.constant dense<9.990000e-01> : tensor<f32>
    %cst_10 = arith.constant dense<1.000000e-03> : tensor<f32>
    %cst_11 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_12 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_13 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_14 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_16 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x24xf32>
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
    %2 = linalg.matmul ins(%arg32, %arg1 : tensor<8x64xf32>, tensor<64x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x24xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x24xf32>
    %5 = call @relu(%4) : (tensor<8x24xf32>) -> tensor<8x24xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x24xf32>
    %7 = tensor.empty() : tensor<8x24xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%7 : tensor<8x24xi1>) {
    ^bb0(%in: f32, %in_21: f32, %out: i1):
      %346 = arith.cmpf ogt, %in, %in_21 : f32
      linalg.yield %346 : i1
    } -> tensor<8x24xi1>
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.fill ins(%cst_5 : f32) outs(%9 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %11 = linalg.matmul ins(%5, %arg3 : tensor<8x24xf32>, tensor<24x4xf32>) outs(%10 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %expanded_17 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_17 : tensor<1x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %14 = linalg.matmul ins(%5, %arg5 : tensor<8x24xf32>, tensor<24x4xf32>) outs(%10 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %expanded_18 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_18 : tensor<1x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %15 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_15 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %16 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.exp %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19, %arg31 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %20 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %22 = linalg.matmul ins(%21, %arg9 : tensor<8x4xf32>, tensor<4x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
    %expanded_19 = tensor.expand_shape %arg8 [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_19 : tensor<1x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x24xf32>
    %25 = call @relu(%24) : (tensor<8x24xf32>) -> tensor<8x24xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %6 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%7 : tensor<8x24xi1>) {
    ^bb0(%in: f32, %in_21: f32, %out: i1):
      %346 = arith.cmpf ogt, %in, %in_21 : f32
      linalg.yield %346 : i1
    } -> tensor<8x24xi1>
    %27 = tensor.empty() : tensor<8x64xf32>
    %28 = linalg.fill ins(%cst_5 : f32) outs(%27 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %29 = linalg.matmul ins(%25, %arg7 : tensor<8x24xf32>, tensor<24x64xf32>) outs(%28 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %expanded_20 = tensor.expand_shape %arg6 [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_20 : tensor<1x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%29, %30 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %32:3 = call @log_sigmoid(%31) : (tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>)
    %33 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg32, %32#0 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%34, %arg32 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.subf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%32#0 : tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.expm1 %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %34 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.negf %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.log %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%35, %39 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %40 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %42 = tensor.empty() : tensor<8xf32>
    %43 = linalg.fill ins(%cst_5 : f32) outs(%42 : tensor<8xf32>) -> tensor<8xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%41 : tensor<8x64xf32>) outs(%43 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<8xf32>
    %45 = tensor.empty() : tensor<f32>
    %46 = linalg.fill ins(%cst_5 : f32) outs(%45 : tensor<f32>) -> tensor<f32>
    %47 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction"]} ins(%44 : tensor<8xf32>) outs(%46 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %48 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%47 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.divf %in, %cst_4 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%48 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.negf %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %50 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%50, %16 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %13 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%53, %13 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%51, %52 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.subf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.exp %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.subf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%57 : tensor<8x4xf32>) outs(%43 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<8xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction"]} ins(%58 : tensor<8xf32>) outs(%46 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %60 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%59 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.divf %in, %cst_4 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %61 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%60 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.mulf %in, %cst_3 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %62 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = []} ins(%49, %61 : tensor<f32>, tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %63 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%45 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_3 : f32
    } -> tensor<f32>
    %64 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%63 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.divf %in, %cst_4 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %65 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%64 : tensor<f32>) outs(%42 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %66 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<8xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.negf %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67, %56 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%68, %66 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67, %54 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %71 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%45 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%71 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.divf %in, %cst_4 : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %73 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%72 : tensor<f32>) outs(%42 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<8xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%35, %74 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%75, %38 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%76 : tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.negf %in : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%77, %37 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg32, %74 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%78, %79 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%27 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x64xf32>
    %81 = call @log_sigmoid_0(%32#1, %32#2, %80) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %82 = tensor.empty() : tensor<64xf32>
    %83 = linalg.fill ins(%cst_5 : f32) outs(%82 : tensor<64xf32>) -> tensor<64xf32>
    %84 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%81 : tensor<8x64xf32>) outs(%83 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %85 = tensor.empty() : tensor<64x24xf32>
    %86 = linalg.fill ins(%cst_5 : f32) outs(%85 : tensor<64x24xf32>) -> tensor<64x24xf32>
    %87 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81, %25 : tensor<8x64xf32>, tensor<8x24xf32>) outs(%86 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<64x24xf32>
    %88 = tensor.empty() : tensor<24x64xf32>
    %89 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%87 : tensor<64x24xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %90 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81, %arg7 : tensor<8x64xf32>, tensor<24x64xf32>) outs(%1 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<8x24xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26, %90, %6 : tensor<8x24xi1>, tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: i1, %in_21: f32, %in_22: f32, %out: f32):
      %346 = arith.select %in, %in_21, %in_22 : f32
      linalg.yield %346 : f32
    } -> tensor<8x24xf32>
    %92 = tensor.empty() : tensor<24xf32>
    %93 = linalg.fill ins(%cst_5 : f32) outs(%92 : tensor<24xf32>) -> tensor<24xf32>
    %94 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%91 : tensor<8x24xf32>) outs(%93 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %95 = tensor.empty() : tensor<24x4xf32>
    %96 = linalg.fill ins(%cst_5 : f32) outs(%95 : tensor<24x4xf32>) -> tensor<24x4xf32>
    %97 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91, %21 : tensor<8x24xf32>, tensor<8x4xf32>) outs(%96 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<24x4xf32>
    %98 = tensor.empty() : tensor<4x24xf32>
    %99 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%97 : tensor<24x4xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %100 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91, %arg9 : tensor<8x24xf32>, tensor<4x24xf32>) outs(%10 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<8x4xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%70, %100 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%100, %arg31 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%102, %19 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %103 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%69, %104 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x4xf32>
    %106 = tensor.empty() : tensor<4xf32>
    %107 = linalg.fill ins(%cst_5 : f32) outs(%106 : tensor<4xf32>) -> tensor<4xf32>
    %108 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%105 : tensor<8x4xf32>) outs(%107 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %109 = linalg.fill ins(%cst_5 : f32) outs(%98 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %110 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105, %5 : tensor<8x4xf32>, tensor<8x24xf32>) outs(%109 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<4x24xf32>
    %111 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%110 : tensor<4x24xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %112 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105, %arg5 : tensor<8x4xf32>, tensor<24x4xf32>) outs(%1 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<8x24xf32>
    %113 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%101 : tensor<8x4xf32>) outs(%107 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %114 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101, %5 : tensor<8x4xf32>, tensor<8x24xf32>) outs(%109 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<4x24xf32>
    %115 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<4x24xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %116 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101, %arg3 : tensor<8x4xf32>, tensor<24x4xf32>) outs(%1 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<8x24xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%112, %116 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<8x24xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %117, %6 : tensor<8x24xi1>, tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: i1, %in_21: f32, %in_22: f32, %out: f32):
      %346 = arith.select %in, %in_21, %in_22 : f32
      linalg.yield %346 : f32
    } -> tensor<8x24xf32>
    %119 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%118 : tensor<8x24xf32>) outs(%93 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.addf %out, %in : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %120 = linalg.fill ins(%cst_5 : f32) outs(%88 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %121 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%118, %arg32 : tensor<8x24xf32>, tensor<8x64xf32>) outs(%120 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      %347 = arith.addf %out, %346 : f32
      linalg.yield %347 : f32
    } -> tensor<24x64xf32>
    %122 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<24x64xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %123 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%123, %119 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %125 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%125, %arg11 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%124, %126 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %128 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%128, %122 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %130 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%130, %arg12 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%129, %131 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %133 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %134 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%133, %113 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %135 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%135, %arg13 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %137 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%134, %136 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %138 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%138, %115 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %140 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%140, %arg14 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%139, %141 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%133, %108 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %144 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%135, %arg15 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%143, %144 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%138, %111 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%140, %arg16 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%146, %147 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %149 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %150 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%149, %84 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %151 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %152 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%151, %arg17 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %153 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%150, %152 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %154 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%154, %89 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %156 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%156, %arg18 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%155, %157 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %159 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%123, %94 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %160 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%125, %arg19 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %161 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%159, %160 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %162 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%162, %99 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %164 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%164, %arg20 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%163, %165 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %167 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%119, %119 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %168 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %169 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%168, %167 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %170 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %171 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%170, %arg21 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %172 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%169, %171 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%122, %122 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %174 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%174, %173 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %176 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%176, %arg22 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%175, %177 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %179 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%113, %113 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %180 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %181 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%180, %179 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %182 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %183 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%182, %arg23 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %184 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%181, %183 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%115, %115 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %186 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%186, %185 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %188 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%188, %arg24 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%187, %189 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %191 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%108, %108 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %192 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%180, %191 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %193 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%182, %arg25 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %194 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%192, %193 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%111, %111 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %196 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%186, %195 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %197 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%188, %arg26 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %198 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%196, %197 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %199 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%84, %84 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %200 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %201 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%200, %199 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %202 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %203 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%202, %arg27 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %204 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%201, %203 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %205 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%89, %89 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %206 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %207 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%206, %205 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %208 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %209 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%208, %arg28 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %210 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%207, %209 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %211 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%94, %94 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %212 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%168, %211 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %213 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%170, %arg29 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %214 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%212, %213 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %215 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%99, %99 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %216 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %217 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%216, %215 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %218 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %219 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%218, %arg30 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %220 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%217, %219 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %221 = tensor.empty() : tensor<i1>
    %222 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%arg10 : tensor<i32>) outs(%221 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %346 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %346 : i1
    } -> tensor<i1>
    %223 = tensor.empty() : tensor<i32>
    %224 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%arg10 : tensor<i32>) outs(%223 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %346 = arith.addi %in, %c1_i32 : i32
      linalg.yield %346 : i32
    } -> tensor<i32>
    %225 = call @_where(%222, %224, %cst_8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %226 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%225 : tensor<i32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %346 = arith.sitofp %in : i32 to f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %227 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%226 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.powf %cst_1, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %228 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%227 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.subf %cst_2, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %229 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%228 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %230 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%127, %229 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %231 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %232 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%132, %231 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %233 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%228 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %234 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%137, %233 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %235 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %236 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%142, %235 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %237 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%145, %233 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %238 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%148, %235 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %239 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%228 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %240 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%153, %239 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %241 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %242 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%158, %241 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %243 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%161, %229 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %244 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %245 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%166, %244 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %246 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%226 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.powf %cst_0, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %247 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%246 : tensor<f32>) outs(%45 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = arith.subf %cst_2, %in : f32
      linalg.yield %346 : f32
    } -> tensor<f32>
    %248 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%247 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %249 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%172, %248 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %250 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %251 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%178, %250 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %252 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%247 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %253 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%184, %252 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %254 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %255 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%190, %254 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %256 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%194, %252 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %257 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%198, %254 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %258 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%247 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %259 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%204, %258 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %260 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %261 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%210, %260 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %262 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%214, %248 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %263 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %264 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%220, %263 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %265 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_16 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %266 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%249, %265 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %267 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%266 : tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %268 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %269 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%267, %268 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %270 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%230, %269 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %271 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %272 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%251, %271 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %273 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%272 : tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %274 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %275 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%273, %274 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %276 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%232, %275 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %277 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_16 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %278 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%253, %277 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %279 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%278 : tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %280 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %281 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%279, %280 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %282 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%234, %281 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %283 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %284 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%255, %283 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %285 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%284 : tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %286 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %287 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%285, %286 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %288 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%236, %287 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %289 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%256, %277 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %290 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%289 : tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %291 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%290, %280 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %292 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%237, %291 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %293 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%257, %283 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %294 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%293 : tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %295 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%294, %286 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %296 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%238, %295 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %297 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_16 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %298 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%259, %297 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %299 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%298 : tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %300 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_7 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %301 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%299, %300 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %302 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%240, %301 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %303 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %304 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%261, %303 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %305 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%304 : tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %306 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %307 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%305, %306 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %308 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%242, %307 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %309 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%262, %265 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %310 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%309 : tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %311 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%310, %268 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %312 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%243, %311 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %313 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %314 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%264, %313 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %315 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%314 : tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %346 = math.sqrt %in : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %316 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %317 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%315, %316 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %318 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%245, %317 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.divf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %319 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_6 : tensor<f32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24xf32>
    %320 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%319, %270 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %321 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x24xf32>
    %322 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%321, %276 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %323 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_6 : tensor<f32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %324 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%323, %282 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %325 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x4xf32>
    %326 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%325, %288 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %327 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%323, %292 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %328 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%325, %296 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %329 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_6 : tensor<f32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    %330 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%329, %302 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %331 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %332 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%331, %308 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %333 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%319, %312 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %334 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x24xf32>
    %335 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%334, %318 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.mulf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    %336 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg0, %320 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %337 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %322 : tensor<64x24xf32>, tensor<64x24xf32>) outs(%85 : tensor<64x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64x24xf32>
    %338 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg2, %324 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %339 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3, %326 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %340 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg4, %327 : tensor<4xf32>, tensor<4xf32>) outs(%106 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4xf32>
    %341 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5, %328 : tensor<24x4xf32>, tensor<24x4xf32>) outs(%95 : tensor<24x4xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x4xf32>
    %342 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg6, %330 : tensor<64xf32>, tensor<64xf32>) outs(%82 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<64xf32>
    %343 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg7, %332 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%88 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24x64xf32>
    %344 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg8, %333 : tensor<24xf32>, tensor<24xf32>) outs(%92 : tensor<24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<24xf32>
    %345 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9, %335 : tensor<4x24xf32>, tensor<4x24xf32>) outs(%98 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %346 = arith.addf %in, %in_21 : f32
      linalg.yield %346 : f32
    } -> tensor<4x24xf32>
    return %336, %337, %338, %339, %340, %341, %342, %343, %344, %345, %225, %127, %132, %137, %142, %145, %148, %153, %158, %161, %166, %172, %178, %184, %190, %194, %198, %204, %210, %214, %220, %62 : tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<i32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<24xf32>, tensor<64x24xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<4xf32>, tensor<24x4xf32>, tensor<64xf32>, tensor<24x64xf32>, tensor<24xf32>, tensor<4x24xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x24xf32>) -> tensor<8x24xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x24xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x24xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x24xf32>
    return %2 : tensor<8x24xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
    %0 = tensor.empty() : tensor<8x64xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x64xf32>
    %2:3 = call @softplus(%1) : (tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>)
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2#0 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x64xf32>
    return %3, %2#1, %2#2 : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
  }
  func.func private @softplus(%arg0: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0x7F800000> : tensor<f32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x64xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.maximumf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.subf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %4 = tensor.empty() : tensor<8x64xi1>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %3 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%4 : tensor<8x64xi1>) {
    ^bb0(%in: f32, %in_2: f32, %out: i1):
      %28 = arith.cmpf une, %in, %in_2 : f32
      linalg.yield %28 : i1
    } -> tensor<8x64xi1>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.addf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.absf %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.negf %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.log1p %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %10 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.addf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %6, %11 : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
      %28 = arith.select %in, %in_2, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %13 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%4 : tensor<8x64xi1>) {
    ^bb0(%in: f32, %in_2: f32, %out: i1):
      %28 = arith.cmpf oeq, %in, %in_2 : f32
      linalg.yield %28 : i1
    } -> tensor<8x64xi1>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %1, %arg0 : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
      %28 = arith.select %in, %in_2, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%4 : tensor<8x64xi1>) {
    ^bb0(%in: f32, %in_2: f32, %out: i1):
      %28 = arith.cmpf oeq, %in, %in_2 : f32
      linalg.yield %28 : i1
    } -> tensor<8x64xi1>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %1, %12 : tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
      %28 = arith.select %in, %in_2, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.subf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %20 = tensor.empty() : tensor<i1>
    %21 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%20 : tensor<i1>) {
    ^bb0(%out: i1):
      linalg.yield %false : i1
    } -> tensor<i1>
    %22 = tensor.empty() : tensor<f32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%21 : tensor<i1>) outs(%22 : tensor<f32>) {
    ^bb0(%in: i1, %out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %24 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<f32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x64xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %17 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.subf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %26 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %28 = arith.mulf %in, %in_2 : f32
      linalg.yield %28 : f32
    } -> tensor<8x64xf32>
    return %12, %19, %27 : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
  }
  func.func private @log_sigmoid_0(%arg0: tensor<8x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %0 = tensor.empty() : tensor<8x64xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x64xf32>
    %2 = call @softplus_1(%arg0, %arg1, %1) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x64xf32>
    return %3 : tensor<8x64xf32>
  }
  func.func private @softplus_1(%arg0: tensor<8x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %0 = tensor.empty() : tensor<8x64xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %arg0 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<8x64xf32>
    return %1 : tensor<8x64xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d0, d2 + d3, d4 + d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d0, d3, d5)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d1, d2, d4)>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map8 = affine_map<(d0) -> (d0)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d0, d2 * 2 + d3, d4 * 2 + d5)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map15 = affine_map<(d0, d1) -> (d0, d1)>
#map16 = affine_map<(d0, d1) -> (d1, d0)>
#map17 = affine_map<(d0, d1) -> (d1)>
#map18 = affine_map<(d0, d1) -> (d0)>
#map19 = affine_map<(d0, d1) -> ()>
#map20 = affine_map<(d0) -> ()>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d1, -d2, -d3)>
#map22 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d5)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d6, d2 + d3, d4 + d5)>
#map24 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d6, d2, d4)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d1, -d2 + 2, -d3 + 2)>
#map26 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d4, d3, d5)>
module {
  func.func @main(%arg0: tensor<8x3x3x3xf32> {ds.param = "m.0.weight"}, %arg1: tensor<8xf32> {ds.init = "ones", ds.param = "m.1.weight"}, %arg2: tensor<8xf32> {ds.init = "zeros", ds.param = "m.1.bias"}, %arg3: tensor<16x8x3x3xf32> {ds.param = "m.4.body.0.weight"}, %arg4: tensor<16xf32> {ds.init = "ones", ds.param = "m.4.body.1.weight"}, %arg5: tensor<16xf32> {ds.init = "zeros", ds.param = "m.4.body.1.bias"}, %arg6: tensor<16x16x3x3xf32> {ds.param = "m.4.body.3.weight"}, %arg7: tensor<16xf32> {ds.init = "ones", ds.param = "m.4.body.4.weight"}, %arg8: tensor<16xf32> {ds.init = "zeros", ds.param = "m.4.body.4.bias"}, %arg9: tensor<16x8x1x1xf32> {ds.param = "m.4.down.0.weight"}, %arg10: tensor<16xf32> {ds.init = "ones", ds.param = "m.4.down.1.weight"}, %arg11: tensor<16xf32> {ds.init = "zeros", ds.param = "m.4.down.1.bias"}, %arg12: tensor<10x16xf32> {ds.param = "m.7.weight"}, %arg13: tensor<10xf32> {ds.param = "m.7.bias"}, %arg14: tensor<8xf32> {ds.state = "m.1.running_mean"}, %arg15: tensor<8xf32> {ds.init = "ones", ds.state = "m.1.running_var"}, %arg16: tensor<i64> {ds.state = "m.1.num_batches_tracked"}, %arg17: tensor<16xf32> {ds.state = "m.4.body.1.running_mean"}, %arg18: tensor<16xf32> {ds.init = "ones", ds.state = "m.4.body.1.running_var"}, %arg19: tensor<i64> {ds.state = "m.4.body.1.num_batches_tracked"}, %arg20: tensor<16xf32> {ds.state = "m.4.body.4.running_mean"}, %arg21: tensor<16xf32> {ds.init = "ones", ds.state = "m.4.body.4.running_var"}, %arg22: tensor<i64> {ds.state = "m.4.body.4.num_batches_tracked"}, %arg23: tensor<16xf32> {ds.state = "m.4.down.1.running_mean"}, %arg24: tensor<16xf32> {ds.init = "ones", ds.state = "m.4.down.1.running_var"}, %arg25: tensor<i64> {ds.state = "m.4.down.1.num_batches_tracked"}, %arg26: tensor<8x3x3x3xf32> {ds.state = "m.0.weight.momentum_buffer"}, %arg27: tensor<8xf32> {ds.state = "m.1.weight.momentum_buffer"}, %arg28: tensor<8xf32> {ds.state = "m.1.bias.momentum_buffer"}, %arg29: tensor<16x8x3x3xf32> {ds.state = "m.4.body.0.weight.momentum_buffer"}, %arg30: tensor<16xf32> {ds.state = "m.4.body.1.weight.momentum_buffer"}, %arg31: tensor<16xf32> {ds.state = "m.4.body.1.bias.momentum_buffer"}, %arg32: tensor<16x16x3x3xf32> {ds.state = "m.4.body.3.weight.momentum_buffer"}, %arg33: tensor<16xf32> {ds.state = "m.4.body.4.weight.momentum_buffer"}, %arg34: tensor<16xf32> {ds.state = "m.4.body.4.bias.momentum_buffer"}, %arg35: tensor<16x8x1x1xf32> {ds.state = "m.4.down.0.weight.momentum_buffer"}, %arg36: tensor<16xf32> {ds.state = "m.4.down.1.weight.momentum_buffer"}, %arg37: tensor<16xf32> {ds.state = "m.4.down.1.bias.momentum_buffer"}, %arg38: tensor<10x16xf32> {ds.state = "m.7.weight.momentum_buffer"}, %arg39: tensor<10xf32> {ds.state = "m.7.bias.momentum_buffer"}, %arg40: tensor<4x3x16x16xf32> {ds.batch = 0 : i64, ds.name = "x"}, %arg41: tensor<4xi64> {ds.batch = 0 : i64, ds.name = "y"}) -> (tensor<8x3x3x3xf32> {ds.updates = "m.0.weight"}, tensor<8xf32> {ds.updates = "m.1.weight"}, tensor<8xf32> {ds.updates = "m.1.bias"}, tensor<16x8x3x3xf32> {ds.updates = "m.4.body.0.weight"}, tensor<16xf32> {ds.updates = "m.4.body.1.weight"}, tensor<16xf32> {ds.updates = "m.4.body.1.bias"}, tensor<16x16x3x3xf32> {ds.updates = "m.4.body.3.weight"}, tensor<16xf32> {ds.updates = "m.4.body.4.weight"}, tensor<16xf32> {ds.updates = "m.4.body.4.bias"}, tensor<16x8x1x1xf32> {ds.updates = "m.4.down.0.weight"}, tensor<16xf32> {ds.updates = "m.4.down.1.weight"}, tensor<16xf32> {ds.updates = "m.4.down.1.bias"}, tensor<10x16xf32> {ds.updates = "m.7.weight"}, tensor<10xf32> {ds.updates = "m.7.bias"}, tensor<8xf32> {ds.updates = "m.1.running_mean"}, tensor<8xf32> {ds.updates = "m.1.running_var"}, tensor<i64> {ds.updates = "m.1.num_batches_tracked"}, tensor<16xf32> {ds.updates = "m.4.body.1.running_mean"}, tensor<16xf32> {ds.updates = "m.4.body.1.running_var"}, tensor<i64> {ds.updates = "m.4.body.1.num_batches_tracked"}, tensor<16xf32> {ds.updates = "m.4.body.4.running_mean"}, tensor<16xf32> {ds.updates = "m.4.body.4.running_var"}, tensor<i64> {ds.updates = "m.4.body.4.num_batches_tracked"}, tensor<16xf32> {ds.updates = "m.4.down.1.running_mean"}, tensor<16xf32> {ds.updates = "m.4.down.1.running_var"}, tensor<i64> {ds.updates = "m.4.down.1.num_batches_tracked"}, tensor<8x3x3x3xf32> {ds.updates = "m.0.weight.momentum_buffer"}, tensor<8xf32> {ds.updates = "m.1.weight.momentum_buffer"}, tensor<8xf32> {ds.updates = "m.1.bias.momentum_buffer"}, tensor<16x8x3x3xf32> {ds.updates = "m.4.body.0.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.body.1.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.body.1.bias.momentum_buffer"}, tensor<16x16x3x3xf32> {ds.updates = "m.4.body.3.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.body.4.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.body.4.bias.momentum_buffer"}, tensor<16x8x1x1xf32> {ds.updates = "m.4.down.0.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.down.1.weight.momentum_buffer"}, tensor<16xf32> {ds.updates = "m.4.down.1.bias.momentum_buffer"}, tensor<10x16xf32> {ds.updates = "m.7.weight.momentum_buffer"}, tensor<10xf32> {ds.updates = "m.7.bias.momentum_buffer"}, tensor<f32> {ds.metric = "loss"}) {
    %cst = arith.constant -1.000000e-01 : f32
    %cst_0 = arith.constant 9.765625E-4 : f32
    %c-2_i32 = arith.constant -2 : i32
    %c2 = arith.constant 2 : index
    %c-1_i32 = arith.constant -1 : i32
    %cst_1 = arith.constant 1.562500e-02 : f32
    %c-100_i64 = arith.constant -100 : i64
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant 1.600000e+01 : bf16
    %cst_4 = arith.constant 1.01587307 : f32
    %cst_5 = arith.constant 6.400000e+01 : f32
    %cst_6 = arith.constant 1.000000e-01 : f32
    %cst_7 = arith.constant 0.899999976 : f32
    %cst_8 = arith.constant 1.00097752 : f32
    %cst_9 = arith.constant 1.000000e+00 : f32
    %cst_10 = arith.constant 9.99999974E-6 : f32
    %cst_11 = arith.constant 1.024000e+03 : f32
    %c1_i64 = arith.constant 1 : i64
    %cst_12 = arith.constant 0.000000e+00 : f32
    %cst_13 = arith.constant 0.000000e+00 : bf16
    %cst_14 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_16 = arith.constant dense<0xFF80> : tensor<bf16>
    %cst_17 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x3x3x3xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x3x3x3xf32>) outs(%0 : tensor<8x3x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<8x3x3x3xbf16>
    %2 = tensor.empty() : tensor<4x3x16x16xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg40 : tensor<4x3x16x16xf32>) outs(%2 : tensor<4x3x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x3x16x16xbf16>
    %padded = tensor.pad %3 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x3x16x16xbf16> to tensor<4x3x18x18xbf16>
    %4 = tensor.empty() : tensor<4x8x16x16xf32>
    %5 = linalg.fill ins(%cst_12 : f32) outs(%4 : tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded, %1 : tensor<4x3x18x18xbf16>, tensor<8x3x3x3xbf16>) outs(%5 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x8x16x16xf32>
    %7 = tensor.empty() : tensor<4x8x16x16xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<4x8x16x16xf32>) outs(%7 : tensor<4x8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x16x16xbf16>
    %9 = tensor.empty() : tensor<i64>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg16 : tensor<i64>) outs(%9 : tensor<i64>) {
    ^bb0(%in: i64, %out: i64):
      %427 = arith.addi %in, %c1_i64 : i64
      linalg.yield %427 : i64
    } -> tensor<i64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<4x8x16x16xbf16>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %12 = tensor.empty() : tensor<8xf32>
    %13 = linalg.fill ins(%cst_12 : f32) outs(%12 : tensor<8xf32>) -> tensor<8xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%11 : tensor<4x8x16x16xf32>) outs(%13 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %14 [[0, 1, 2, 3]] output_shape [1, 8, 1, 1] : tensor<8xf32> into tensor<1x8x1x1xf32>
    %15 = tensor.empty() : tensor<1x8x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x8x1x1xf32>) outs(%15 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_11 : f32
      linalg.yield %427 : f32
    } -> tensor<1x8x1x1xf32>
    %collapsed = tensor.collapse_shape %16 [[0, 1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<8xf32>
    %17 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %17 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %18 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%19 : tensor<4x8x16x16xf32>) outs(%13 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %expanded_18 = tensor.expand_shape %20 [[0, 1, 2, 3]] output_shape [1, 8, 1, 1] : tensor<8xf32> into tensor<1x8x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x8x1x1xf32>) outs(%15 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_11 : f32
      linalg.yield %427 : f32
    } -> tensor<1x8x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x8x1x1xf32>) outs(%15 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<1x8x1x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x8x1x1xf32>) outs(%15 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.rsqrt %in : f32
      linalg.yield %427 : f32
    } -> tensor<1x8x1x1xf32>
    %collapsed_19 = tensor.collapse_shape %23 [[0, 1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<8xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_19 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %24 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %26 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %28 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<4x8x16x16xf32>) outs(%7 : tensor<4x8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x16x16xbf16>
    %31 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_19, %collapsed_19 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %32 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%31 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %cst_9, %in : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%32 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.subf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %34 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%33 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_8 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg14 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%collapsed : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %37 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%35, %36 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg15 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%34 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %40 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%38, %39 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<4x8x16x16xbf16>) outs(%7 : tensor<4x8x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %427 = arith.maximumf %in, %cst_13 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x16x16xbf16>
    %42 = tensor.empty() : tensor<4x8x8x8xbf16>
    %43 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<bf16>) outs(%42 : tensor<4x8x8x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x8x8x8xbf16>
    %44 = tensor.empty() : tensor<2x2xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%41, %44 : tensor<4x8x16x16xbf16>, tensor<2x2xf32>) outs(%43 : tensor<4x8x8x8xbf16>) {
    ^bb0(%in: bf16, %in_49: f32, %out: bf16):
      %427 = arith.maximumf %out, %in : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x8x8xbf16>
    %46 = tensor.empty() : tensor<16x8x3x3xbf16>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<16x8x3x3xf32>) outs(%46 : tensor<16x8x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x8x3x3xbf16>
    %padded_20 = tensor.pad %45 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x8x8x8xbf16> to tensor<4x8x10x10xbf16>
    %48 = tensor.empty() : tensor<4x16x4x4xf32>
    %49 = linalg.fill ins(%cst_12 : f32) outs(%48 : tensor<4x16x4x4xf32>) -> tensor<4x16x4x4xf32>
    %50 = linalg.generic {indexing_maps = [#map13, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_20, %47 : tensor<4x8x10x10xbf16>, tensor<16x8x3x3xbf16>) outs(%49 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x16x4x4xf32>
    %51 = tensor.empty() : tensor<4x16x4x4xbf16>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg19 : tensor<i64>) outs(%9 : tensor<i64>) {
    ^bb0(%in: i64, %out: i64):
      %427 = arith.addi %in, %c1_i64 : i64
      linalg.yield %427 : i64
    } -> tensor<i64>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %55 = tensor.empty() : tensor<16xf32>
    %56 = linalg.fill ins(%cst_12 : f32) outs(%55 : tensor<16xf32>) -> tensor<16xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%54 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_21 = tensor.expand_shape %57 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %58 = tensor.empty() : tensor<1x16x1x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_22 = tensor.collapse_shape %59 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %60 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_22 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %60 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %61 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%62 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_23 = tensor.expand_shape %63 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.rsqrt %in : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_24 = tensor.collapse_shape %66 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %67 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_24 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %67 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %69 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %69 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %71 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %71 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %74 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_24, %collapsed_24 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %75 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%74 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %cst_9, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %76 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%75 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.subf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %77 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%76 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_4 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg17 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %79 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_22 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %80 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%78, %79 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %81 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg18 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %82 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%77 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %83 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%81, %82 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %427 = arith.maximumf %in, %cst_13 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %85 = tensor.empty() : tensor<16x16x3x3xbf16>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<16x16x3x3xf32>) outs(%85 : tensor<16x16x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x16x3x3xbf16>
    %padded_25 = tensor.pad %84 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x16x4x4xbf16> to tensor<4x16x6x6xbf16>
    %87 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_25, %86 : tensor<4x16x6x6xbf16>, tensor<16x16x3x3xbf16>) outs(%49 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x16x4x4xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %89 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg22 : tensor<i64>) outs(%9 : tensor<i64>) {
    ^bb0(%in: i64, %out: i64):
      %427 = arith.addi %in, %c1_i64 : i64
      linalg.yield %427 : i64
    } -> tensor<i64>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %91 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%90 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_26 = tensor.expand_shape %91 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_27 = tensor.collapse_shape %92 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %93 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_27 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %93 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %94 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%95 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_28 = tensor.expand_shape %96 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.rsqrt %in : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_29 = tensor.collapse_shape %99 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %100 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_29 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %100 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %102 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg7 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %102 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %104 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg8 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %104 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %107 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_29, %collapsed_29 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %108 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%107 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %cst_9, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %109 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%108 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.subf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %110 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%109 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_4 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %111 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg20 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %112 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_27 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %113 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%111, %112 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %114 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg21 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %115 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%110 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %116 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%114, %115 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %117 = tensor.empty() : tensor<16x8x1x1xbf16>
    %118 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg9 : tensor<16x8x1x1xf32>) outs(%117 : tensor<16x8x1x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x8x1x1xbf16>
    %119 = linalg.generic {indexing_maps = [#map13, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%45, %118 : tensor<4x8x8x8xbf16>, tensor<16x8x1x1xbf16>) outs(%49 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x16x4x4xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %121 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg25 : tensor<i64>) outs(%9 : tensor<i64>) {
    ^bb0(%in: i64, %out: i64):
      %427 = arith.addi %in, %c1_i64 : i64
      linalg.yield %427 : i64
    } -> tensor<i64>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %123 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%122 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_30 = tensor.expand_shape %123 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %124 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_31 = tensor.collapse_shape %124 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %125 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_31 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %125 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %126 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %128 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%127 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %expanded_32 = tensor.expand_shape %128 [[0, 1, 2, 3]] output_shape [1, 16, 1, 1] : tensor<16xf32> into tensor<1x16x1x1xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %in, %cst_5 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %130 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<1x16x1x1xf32>) outs(%58 : tensor<1x16x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.rsqrt %in : f32
      linalg.yield %427 : f32
    } -> tensor<1x16x1x1xf32>
    %collapsed_33 = tensor.collapse_shape %131 [[0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_33 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %132 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %134 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg10 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133, %134 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %136 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg11 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %139 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_33, %collapsed_33 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %140 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%139 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %cst_9, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %141 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%140 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.subf %in, %cst_10 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %142 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%141 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_4 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %143 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg23 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %144 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_31 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %145 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%143, %144 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %146 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg24 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %147 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%142 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_6 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %148 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%146, %147 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106, %138 : tensor<4x16x4x4xbf16>, tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: bf16):
      %427 = arith.addf %in, %in_49 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%149 : tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %427 = arith.maximumf %in, %cst_13 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %151 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %152 = tensor.empty() : tensor<f32>
    %153 = linalg.generic {indexing_maps = [#map4], iterator_types = []} outs(%152 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_12 : f32
    } -> tensor<f32>
    %extracted = tensor.extract %153[] : tensor<f32>
    %154 = tensor.empty() : tensor<4x16xf32>
    %155 = linalg.fill ins(%extracted : f32) outs(%154 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map14], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%151 : tensor<4x16x4x4xf32>) outs(%155 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<4x16xf32>
    %157 = tensor.empty() : tensor<4x16xbf16>
    %158 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%156 : tensor<4x16xf32>) outs(%157 : tensor<4x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16xbf16>
    %expanded_34 = tensor.expand_shape %158 [[0], [1, 2, 3]] output_shape [4, 16, 1, 1] : tensor<4x16xbf16> into tensor<4x16x1x1xbf16>
    %159 = tensor.empty() : tensor<4x16x1x1xbf16>
    %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<4x16x1x1xbf16>) outs(%159 : tensor<4x16x1x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %427 = arith.divf %in, %cst_3 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x1x1xbf16>
    %collapsed_35 = tensor.collapse_shape %160 [[0], [1, 2, 3]] : tensor<4x16x1x1xbf16> into tensor<4x16xbf16>
    %161 = tensor.empty() : tensor<10xbf16>
    %162 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg13 : tensor<10xf32>) outs(%161 : tensor<10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<10xbf16>
    %163 = tensor.empty() : tensor<10x16xbf16>
    %164 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<10x16xf32>) outs(%163 : tensor<10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<10x16xbf16>
    %165 = tensor.empty() : tensor<16x10xbf16>
    %166 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel"]} ins(%164 : tensor<10x16xbf16>) outs(%165 : tensor<16x10xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x10xbf16>
    %167 = tensor.empty() : tensor<4x10xf32>
    %168 = linalg.fill ins(%cst_12 : f32) outs(%167 : tensor<4x10xf32>) -> tensor<4x10xf32>
    %169 = linalg.matmul ins(%collapsed_35, %166 : tensor<4x16xbf16>, tensor<16x10xbf16>) outs(%168 : tensor<4x10xf32>) -> tensor<4x10xf32>
    %170 = tensor.empty() : tensor<4x10xbf16>
    %171 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%169 : tensor<4x10xf32>) outs(%170 : tensor<4x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x10xbf16>
    %172 = linalg.generic {indexing_maps = [#map17, #map15], iterator_types = ["parallel", "parallel"]} ins(%162 : tensor<10xbf16>) outs(%170 : tensor<4x10xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x10xbf16>
    %173 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%171, %172 : tensor<4x10xbf16>, tensor<4x10xbf16>) outs(%170 : tensor<4x10xbf16>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: bf16):
      %427 = arith.addf %in, %in_49 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x10xbf16>
    %174 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%173 : tensor<4x10xbf16>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %175 = tensor.empty() : tensor<4xf32>
    %176 = linalg.fill ins(%cst_2 : f32) outs(%175 : tensor<4xf32>) -> tensor<4xf32>
    %177 = linalg.generic {indexing_maps = [#map15, #map18], iterator_types = ["parallel", "reduction"]} ins(%174 : tensor<4x10xf32>) outs(%176 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.maximumf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<4xf32>
    %178 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel"]} ins(%177 : tensor<4xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %179 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%174, %178 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %180 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%179 : tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.exp %in : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %181 = linalg.fill ins(%cst_12 : f32) outs(%175 : tensor<4xf32>) -> tensor<4xf32>
    %182 = linalg.generic {indexing_maps = [#map15, #map18], iterator_types = ["parallel", "reduction"]} ins(%180 : tensor<4x10xf32>) outs(%181 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<4xf32>
    %expanded_36 = tensor.expand_shape %182 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %183 = tensor.empty() : tensor<4x1xf32>
    %184 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%expanded_36 : tensor<4x1xf32>) outs(%183 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.log %in : f32
      linalg.yield %427 : f32
    } -> tensor<4x1xf32>
    %collapsed_37 = tensor.collapse_shape %184 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
    %185 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<4xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %186 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%179, %185 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %187 = tensor.empty() : tensor<10xi64>
    %188 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel"]} outs(%187 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %427 = linalg.index 0 : index
      %428 = arith.index_cast %427 : index to i64
      linalg.yield %428 : i64
    } -> tensor<10xi64>
    %expanded_38 = tensor.expand_shape %arg41 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %189 = tensor.empty() : tensor<4x10xi64>
    %190 = linalg.generic {indexing_maps = [#map17, #map15], iterator_types = ["parallel", "parallel"]} ins(%188 : tensor<10xi64>) outs(%189 : tensor<4x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x10xi64>
    %191 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel"]} ins(%arg41 : tensor<4xi64>) outs(%189 : tensor<4x10xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x10xi64>
    %192 = tensor.empty() : tensor<4x10xi1>
    %193 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%190, %191 : tensor<4x10xi64>, tensor<4x10xi64>) outs(%192 : tensor<4x10xi1>) {
    ^bb0(%in: i64, %in_49: i64, %out: i1):
      %427 = arith.cmpi eq, %in, %in_49 : i64
      linalg.yield %427 : i1
    } -> tensor<4x10xi1>
    %194 = tensor.empty() : tensor<4x1xi1>
    %195 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%expanded_38 : tensor<4x1xi64>) outs(%194 : tensor<4x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %427 = arith.cmpi ne, %in, %c-100_i64 : i64
      linalg.yield %427 : i1
    } -> tensor<4x1xi1>
    %collapsed_39 = tensor.collapse_shape %195 [[0, 1]] : tensor<4x1xi1> into tensor<4xi1>
    %196 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel"]} ins(%collapsed_39 : tensor<4xi1>) outs(%192 : tensor<4x10xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<4x10xi1>
    %197 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%193, %196 : tensor<4x10xi1>, tensor<4x10xi1>) outs(%192 : tensor<4x10xi1>) {
    ^bb0(%in: i1, %in_49: i1, %out: i1):
      %427 = arith.andi %in, %in_49 : i1
      linalg.yield %427 : i1
    } -> tensor<4x10xi1>
    %198 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %199 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %200 = linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%197, %198, %199 : tensor<4x10xi1>, tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: i1, %in_49: f32, %in_50: f32, %out: f32):
      %427 = arith.select %in, %in_49, %in_50 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %201 = linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%197, %186, %199 : tensor<4x10xi1>, tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: i1, %in_49: f32, %in_50: f32, %out: f32):
      %427 = arith.select %in, %in_49, %in_50 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %202 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%201, %200 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %203 = linalg.generic {indexing_maps = [#map15, #map18], iterator_types = ["parallel", "reduction"]} ins(%202 : tensor<4x10xf32>) outs(%181 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<4xf32>
    %204 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%203 : tensor<4xf32>) outs(%175 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.negf %in : f32
      linalg.yield %427 : f32
    } -> tensor<4xf32>
    %205 = linalg.fill ins(%cst_12 : f32) outs(%152 : tensor<f32>) -> tensor<f32>
    %206 = linalg.generic {indexing_maps = [#map15, #map19], iterator_types = ["reduction", "reduction"]} ins(%200 : tensor<4x10xf32>) outs(%205 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<f32>
    %207 = linalg.generic {indexing_maps = [#map8, #map20], iterator_types = ["reduction"]} ins(%204 : tensor<4xf32>) outs(%205 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<f32>
    %208 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = []} ins(%207, %206 : tensor<f32>, tensor<f32>) outs(%152 : tensor<f32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.divf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<f32>
    %209 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%206 : tensor<f32>) outs(%152 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.divf %cst_9, %in : f32
      linalg.yield %427 : f32
    } -> tensor<f32>
    %210 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%200 : tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.negf %in : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %211 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel"]} ins(%209 : tensor<f32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %212 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%210, %211 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %213 = linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%197, %212, %199 : tensor<4x10xi1>, tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: i1, %in_49: f32, %in_50: f32, %out: f32):
      %427 = arith.select %in, %in_49, %in_50 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %214 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%186 : tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = math.exp %in : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %215 = linalg.generic {indexing_maps = [#map15, #map18], iterator_types = ["parallel", "reduction"]} ins(%213 : tensor<4x10xf32>) outs(%181 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<4xf32>
    %216 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel"]} ins(%215 : tensor<4xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %217 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%214, %216 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %218 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%213, %217 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %219 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%218 : tensor<4x10xf32>) outs(%170 : tensor<4x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x10xbf16>
    %220 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<16x10xbf16>) outs(%163 : tensor<10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<10x16xbf16>
    %221 = linalg.fill ins(%cst_12 : f32) outs(%154 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %222 = linalg.matmul ins(%219, %220 : tensor<4x10xbf16>, tensor<10x16xbf16>) outs(%221 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %223 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%222 : tensor<4x16xf32>) outs(%157 : tensor<4x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16xbf16>
    %224 = tensor.empty() : tensor<10x4xbf16>
    %225 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel"]} ins(%219 : tensor<4x10xbf16>) outs(%224 : tensor<10x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<10x4xbf16>
    %226 = tensor.empty() : tensor<10x16xf32>
    %227 = linalg.fill ins(%cst_12 : f32) outs(%226 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %228 = linalg.matmul ins(%225, %collapsed_35 : tensor<10x4xbf16>, tensor<4x16xbf16>) outs(%227 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %229 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%228 : tensor<10x16xf32>) outs(%163 : tensor<10x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<10x16xbf16>
    %230 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel"]} ins(%229 : tensor<10x16xbf16>) outs(%165 : tensor<16x10xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x10xbf16>
    %231 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%219 : tensor<4x10xbf16>) outs(%167 : tensor<4x10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x10xf32>
    %232 = tensor.empty() : tensor<10xf32>
    %233 = linalg.fill ins(%extracted : f32) outs(%232 : tensor<10xf32>) -> tensor<10xf32>
    %234 = linalg.generic {indexing_maps = [#map16, #map18], iterator_types = ["parallel", "reduction"]} ins(%231 : tensor<4x10xf32>) outs(%233 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    %235 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%234 : tensor<10xf32>) outs(%161 : tensor<10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<10xbf16>
    %236 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel"]} ins(%230 : tensor<16x10xbf16>) outs(%163 : tensor<10x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<10x16xbf16>
    %237 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%236 : tensor<10x16xbf16>) outs(%226 : tensor<10x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<10x16xf32>
    %238 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%235 : tensor<10xbf16>) outs(%232 : tensor<10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    %239 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%223 : tensor<4x16xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x16x4x4xbf16>
    %240 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%239 : tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %427 = arith.divf %in, %cst_3 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %241 = tensor.empty() : tensor<4x16x4x4xi1>
    %242 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<4x16x4x4xbf16>) outs(%241 : tensor<4x16x4x4xi1>) {
    ^bb0(%in: bf16, %out: i1):
      %427 = arith.cmpf ole, %in, %cst_13 : bf16
      linalg.yield %427 : i1
    } -> tensor<4x16x4x4xi1>
    %243 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15 : tensor<bf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<4x16x4x4xbf16>
    %244 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%242, %243, %240 : tensor<4x16x4x4xi1>, tensor<4x16x4x4xbf16>, tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: i1, %in_49: bf16, %in_50: bf16, %out: bf16):
      %427 = arith.select %in, %in_49, %in_50 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %245 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%244 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %246 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%245 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %247 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %126 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %248 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%247 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %249 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%246 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_1 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %250 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%248 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_1 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %251 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%250, %139 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %252 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_33, %arg10 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %253 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%251 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %254 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %253 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %255 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %254 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %256 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%249 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %257 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%255, %256 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %258 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%252 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %259 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%257, %258 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %260 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%248, %collapsed_33 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %261 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%259 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %262 = linalg.generic {indexing_maps = [#map21, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118 : tensor<16x8x1x1xbf16>) outs(%117 : tensor<16x8x1x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x8x1x1xbf16>
    %263 = tensor.empty() : tensor<4x16x8x8xbf16>
    %264 = linalg.fill ins(%cst_13 : bf16) outs(%263 : tensor<4x16x8x8xbf16>) -> tensor<4x16x8x8xbf16>
    %inserted_slice = tensor.insert_slice %261 into %264[0, 0, 0, 0] [4, 16, 4, 4] [1, 1, 2, 2] : tensor<4x16x4x4xbf16> into tensor<4x16x8x8xbf16>
    %265 = tensor.empty() : tensor<4x8x8x8xf32>
    %266 = linalg.fill ins(%cst_12 : f32) outs(%265 : tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
    %267 = linalg.generic {indexing_maps = [#map1, #map22, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%inserted_slice, %262 : tensor<4x16x8x8xbf16>, tensor<16x8x1x1xbf16>) outs(%266 : tensor<4x8x8x8xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x8x8x8xf32>
    %268 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%267 : tensor<4x8x8x8xf32>) outs(%42 : tensor<4x8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x8x8xbf16>
    %padded_40 = tensor.pad %45 low[0, 0, 0, 0] high[0, 0, 1, 1] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x8x8x8xbf16> to tensor<4x8x9x9xbf16>
    %extracted_slice = tensor.extract_slice %padded_40[0, 0, 0, 0] [4, 8, 7, 7] [1, 1, 1, 1] : tensor<4x8x9x9xbf16> to tensor<4x8x7x7xbf16>
    %269 = tensor.empty() : tensor<4x16x7x7xbf16>
    %270 = linalg.fill ins(%cst_13 : bf16) outs(%269 : tensor<4x16x7x7xbf16>) -> tensor<4x16x7x7xbf16>
    %inserted_slice_41 = tensor.insert_slice %261 into %270[0, 0, 0, 0] [4, 16, 4, 4] [1, 1, 2, 2] : tensor<4x16x4x4xbf16> into tensor<4x16x7x7xbf16>
    %271 = tensor.empty() : tensor<16x8x1x1xf32>
    %272 = linalg.fill ins(%cst_12 : f32) outs(%271 : tensor<16x8x1x1xf32>) -> tensor<16x8x1x1xf32>
    %273 = linalg.generic {indexing_maps = [#map23, #map22, #map24], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%extracted_slice, %inserted_slice_41 : tensor<4x8x7x7xbf16>, tensor<4x16x7x7xbf16>) outs(%272 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<16x8x1x1xf32>
    %274 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%273 : tensor<16x8x1x1xf32>) outs(%117 : tensor<16x8x1x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x8x1x1xbf16>
    %275 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%274 : tensor<16x8x1x1xbf16>) outs(%271 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<16x8x1x1xf32>
    %276 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %94 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %277 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%276 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %278 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%277 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_1 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %279 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%278, %107 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %280 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_29, %arg7 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %281 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%279 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %282 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %281 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %283 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %282 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %284 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%283, %256 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %285 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%280 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %286 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%284, %285 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %287 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%277, %collapsed_29 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %288 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%286 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %289 = linalg.generic {indexing_maps = [#map25, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<16x16x3x3xbf16>) outs(%85 : tensor<16x16x3x3xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x16x3x3xbf16>
    %padded_42 = tensor.pad %288 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x16x4x4xbf16> to tensor<4x16x6x6xbf16>
    %290 = linalg.generic {indexing_maps = [#map1, #map22, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_42, %289 : tensor<4x16x6x6xbf16>, tensor<16x16x3x3xbf16>) outs(%49 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x16x4x4xf32>
    %291 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%290 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %292 = tensor.empty() : tensor<16x16x3x3xf32>
    %293 = linalg.fill ins(%cst_12 : f32) outs(%292 : tensor<16x16x3x3xf32>) -> tensor<16x16x3x3xf32>
    %294 = linalg.generic {indexing_maps = [#map23, #map22, #map24], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_25, %288 : tensor<4x16x6x6xbf16>, tensor<4x16x4x4xbf16>) outs(%293 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<16x16x3x3xf32>
    %295 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%294 : tensor<16x16x3x3xf32>) outs(%85 : tensor<16x16x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x16x3x3xbf16>
    %296 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%295 : tensor<16x16x3x3xbf16>) outs(%292 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<16x16x3x3xf32>
    %297 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84 : tensor<4x16x4x4xbf16>) outs(%241 : tensor<4x16x4x4xi1>) {
    ^bb0(%in: bf16, %out: i1):
      %427 = arith.cmpf ole, %in, %cst_13 : bf16
      linalg.yield %427 : i1
    } -> tensor<4x16x4x4xi1>
    %298 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%297, %243, %291 : tensor<4x16x4x4xi1>, tensor<4x16x4x4xbf16>, tensor<4x16x4x4xbf16>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: i1, %in_49: bf16, %in_50: bf16, %out: bf16):
      %427 = arith.select %in, %in_49, %in_50 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %299 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%298 : tensor<4x16x4x4xbf16>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %300 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%299 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %301 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%299, %61 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %302 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%301 : tensor<4x16x4x4xf32>) outs(%56 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %303 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%300 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_1 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %304 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%302 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_1 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %305 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%304, %74 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %306 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_24, %arg4 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %307 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%305 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %308 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %307 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %309 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%299, %308 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %310 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%303 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %311 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%309, %310 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %312 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%306 : tensor<16xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x4xf32>
    %313 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%311, %312 : tensor<4x16x4x4xf32>, tensor<4x16x4x4xf32>) outs(%48 : tensor<4x16x4x4xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x16x4x4xf32>
    %314 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%302, %collapsed_24 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %315 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%313 : tensor<4x16x4x4xf32>) outs(%51 : tensor<4x16x4x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x16x4x4xbf16>
    %316 = linalg.generic {indexing_maps = [#map25, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<16x8x3x3xbf16>) outs(%46 : tensor<16x8x3x3xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x8x3x3xbf16>
    %317 = tensor.empty() : tensor<4x16x10x10xbf16>
    %318 = linalg.fill ins(%cst_13 : bf16) outs(%317 : tensor<4x16x10x10xbf16>) -> tensor<4x16x10x10xbf16>
    %inserted_slice_43 = tensor.insert_slice %315 into %318[0, 0, 1, 1] [4, 16, 4, 4] [1, 1, 2, 2] : tensor<4x16x4x4xbf16> into tensor<4x16x10x10xbf16>
    %319 = linalg.generic {indexing_maps = [#map1, #map22, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%inserted_slice_43, %316 : tensor<4x16x10x10xbf16>, tensor<16x8x3x3xbf16>) outs(%266 : tensor<4x8x8x8xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<4x8x8x8xf32>
    %320 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%319 : tensor<4x8x8x8xf32>) outs(%42 : tensor<4x8x8x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x8x8xbf16>
    %padded_44 = tensor.pad %45 low[0, 0, 1, 1] high[0, 0, 0, 0] {
    ^bb0(%arg42: index, %arg43: index, %arg44: index, %arg45: index):
      tensor.yield %cst_13 : bf16
    } : tensor<4x8x8x8xbf16> to tensor<4x8x9x9xbf16>
    %inserted_slice_45 = tensor.insert_slice %315 into %270[0, 0, 0, 0] [4, 16, 4, 4] [1, 1, 2, 2] : tensor<4x16x4x4xbf16> into tensor<4x16x7x7xbf16>
    %321 = tensor.empty() : tensor<16x8x3x3xf32>
    %322 = linalg.fill ins(%cst_12 : f32) outs(%321 : tensor<16x8x3x3xf32>) -> tensor<16x8x3x3xf32>
    %323 = linalg.generic {indexing_maps = [#map23, #map22, #map24], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded_44, %inserted_slice_45 : tensor<4x8x9x9xbf16>, tensor<4x16x7x7xbf16>) outs(%322 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<16x8x3x3xf32>
    %324 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%323 : tensor<16x8x3x3xf32>) outs(%46 : tensor<16x8x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<16x8x3x3xbf16>
    %325 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%268, %320 : tensor<4x8x8x8xbf16>, tensor<4x8x8x8xbf16>) outs(%42 : tensor<4x8x8x8xbf16>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: bf16):
      %427 = arith.addf %in, %in_49 : bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x8x8xbf16>
    %326 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%324 : tensor<16x8x3x3xbf16>) outs(%321 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<16x8x3x3xf32>
    %327 = tensor.empty() : tensor<4x8x16x16xi1>
    %328 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<4x8x16x16xbf16>) outs(%327 : tensor<4x8x16x16xi1>) {
    ^bb0(%in: bf16, %out: i1):
      %427 = arith.cmpf ole, %in, %cst_13 : bf16
      linalg.yield %427 : i1
    } -> tensor<4x8x16x16xi1>
    %expanded_46 = tensor.expand_shape %41 [[0], [1], [2, 3], [4, 5]] output_shape [4, 8, 8, 2, 8, 2] : tensor<4x8x16x16xbf16> into tensor<4x8x8x2x8x2xbf16>
    %expanded_47 = tensor.expand_shape %328 [[0], [1], [2, 3], [4, 5]] output_shape [4, 8, 8, 2, 8, 2] : tensor<4x8x16x16xi1> into tensor<4x8x8x2x8x2xi1>
    %329 = tensor.empty() : tensor<4x8x8x8xi32>
    %330 = linalg.fill ins(%cst_13 : bf16) outs(%42 : tensor<4x8x8x8xbf16>) -> tensor<4x8x8x8xbf16>
    %331 = linalg.fill ins(%c-1_i32 : i32) outs(%329 : tensor<4x8x8x8xi32>) -> tensor<4x8x8x8xi32>
    %332:2 = linalg.generic {indexing_maps = [#map26, #map26, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%expanded_46, %expanded_47 : tensor<4x8x8x2x8x2xbf16>, tensor<4x8x8x2x8x2xi1>) outs(%330, %331 : tensor<4x8x8x8xbf16>, tensor<4x8x8x8xi32>) {
    ^bb0(%in: bf16, %in_49: i1, %out: bf16, %out_50: i32):
      %427 = linalg.index 4 : index
      %428 = arith.muli %427, %c2 : index
      %429 = linalg.index 5 : index
      %430 = arith.addi %428, %429 : index
      %431 = arith.index_cast %430 : index to i32
      %432 = arith.select %in_49, %c-2_i32, %431 : i32
      %433 = arith.cmpi eq, %out_50, %c-1_i32 : i32
      %434 = arith.cmpf ogt, %in, %out : bf16
      %435 = arith.cmpf une, %in, %in : bf16
      %436 = arith.ori %434, %435 : i1
      %437 = arith.ori %433, %436 : i1
      %438 = arith.select %437, %in, %out : bf16
      %439 = arith.select %437, %432, %out_50 : i32
      linalg.yield %438, %439 : bf16, i32
    } -> (tensor<4x8x8x8xbf16>, tensor<4x8x8x8xi32>)
    %333 = tensor.empty() : tensor<4x8x8x2x8x2xbf16>
    %334 = linalg.generic {indexing_maps = [#map12, #map12, #map26], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%325, %332#1 : tensor<4x8x8x8xbf16>, tensor<4x8x8x8xi32>) outs(%333 : tensor<4x8x8x2x8x2xbf16>) {
    ^bb0(%in: bf16, %in_49: i32, %out: bf16):
      %427 = linalg.index 4 : index
      %428 = arith.muli %427, %c2 : index
      %429 = linalg.index 5 : index
      %430 = arith.addi %428, %429 : index
      %431 = arith.index_cast %430 : index to i32
      %432 = arith.cmpi eq, %in_49, %431 : i32
      %433 = arith.select %432, %in, %cst_13 : bf16
      linalg.yield %433 : bf16
    } -> tensor<4x8x8x2x8x2xbf16>
    %collapsed_48 = tensor.collapse_shape %334 [[0], [1], [2, 3], [4, 5]] : tensor<4x8x8x2x8x2xbf16> into tensor<4x8x16x16xbf16>
    %335 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_48 : tensor<4x8x16x16xbf16>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %336 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%335 : tensor<4x8x16x16xf32>) outs(%13 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %337 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%335, %18 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %338 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%337 : tensor<4x8x16x16xf32>) outs(%13 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.addf %out, %in : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %339 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%336 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_0 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %340 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%338 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_0 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %341 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%340, %31 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %342 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%collapsed_19, %arg1 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %343 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%341 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %344 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %343 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %345 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%335, %344 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %346 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%339 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %347 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%345, %346 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.subf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %348 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%342 : tensor<8xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16x16xf32>
    %349 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%347, %348 : tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) outs(%4 : tensor<4x8x16x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<4x8x16x16xf32>
    %350 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%338, %collapsed_19 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.mulf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %351 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%349 : tensor<4x8x16x16xf32>) outs(%7 : tensor<4x8x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<4x8x16x16xbf16>
    %352 = tensor.empty() : tensor<8x3x3x3xf32>
    %353 = linalg.fill ins(%cst_12 : f32) outs(%352 : tensor<8x3x3x3xf32>) -> tensor<8x3x3x3xf32>
    %354 = linalg.generic {indexing_maps = [#map23, #map22, #map24], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%padded, %351 : tensor<4x3x18x18xbf16>, tensor<4x8x16x16xbf16>) outs(%353 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: bf16, %in_49: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      %428 = arith.extf %in_49 : bf16 to f32
      %429 = arith.mulf %427, %428 : f32
      %430 = arith.addf %out, %429 : f32
      linalg.yield %430 : f32
    } -> tensor<8x3x3x3xf32>
    %355 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%354 : tensor<8x3x3x3xf32>) outs(%0 : tensor<8x3x3x3xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %427 = arith.truncf %in : f32 to bf16
      linalg.yield %427 : bf16
    } -> tensor<8x3x3x3xbf16>
    %356 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%355 : tensor<8x3x3x3xbf16>) outs(%352 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %427 = arith.extf %in : bf16 to f32
      linalg.yield %427 : f32
    } -> tensor<8x3x3x3xf32>
    %357 = ds.gradient %356 of "m.0.weight" : tensor<8x3x3x3xf32>
    %358 = ds.gradient %350 of "m.1.weight" : tensor<8xf32>
    %359 = ds.gradient %336 of "m.1.bias" : tensor<8xf32>
    %360 = ds.gradient %326 of "m.4.body.0.weight" : tensor<16x8x3x3xf32>
    %361 = ds.gradient %314 of "m.4.body.1.weight" : tensor<16xf32>
    %362 = ds.gradient %300 of "m.4.body.1.bias" : tensor<16xf32>
    %363 = ds.gradient %296 of "m.4.body.3.weight" : tensor<16x16x3x3xf32>
    %364 = ds.gradient %287 of "m.4.body.4.weight" : tensor<16xf32>
    %365 = ds.gradient %246 of "m.4.body.4.bias" : tensor<16xf32>
    %366 = ds.gradient %275 of "m.4.down.0.weight" : tensor<16x8x1x1xf32>
    %367 = ds.gradient %260 of "m.4.down.1.weight" : tensor<16xf32>
    %368 = ds.gradient %246 of "m.4.down.1.bias" : tensor<16xf32>
    %369 = ds.gradient %237 of "m.7.weight" : tensor<10x16xf32>
    %370 = ds.gradient %238 of "m.7.bias" : tensor<10xf32>
    %371 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg26 : tensor<8x3x3x3xf32>) outs(%352 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<8x3x3x3xf32>
    %372 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%371, %357 : tensor<8x3x3x3xf32>, tensor<8x3x3x3xf32>) outs(%352 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8x3x3x3xf32>
    %373 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%372 : tensor<8x3x3x3xf32>) outs(%352 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<8x3x3x3xf32>
    %374 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %373 : tensor<8x3x3x3xf32>, tensor<8x3x3x3xf32>) outs(%352 : tensor<8x3x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8x3x3x3xf32>
    %375 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg27 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %376 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%375, %358 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %377 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%376 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %378 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg1, %377 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %379 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg28 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %380 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%379, %359 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %381 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%380 : tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %382 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg2, %381 : tensor<8xf32>, tensor<8xf32>) outs(%12 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<8xf32>
    %383 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg29 : tensor<16x8x3x3xf32>) outs(%321 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x3x3xf32>
    %384 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%383, %360 : tensor<16x8x3x3xf32>, tensor<16x8x3x3xf32>) outs(%321 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x3x3xf32>
    %385 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%384 : tensor<16x8x3x3xf32>) outs(%321 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x3x3xf32>
    %386 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %385 : tensor<16x8x3x3xf32>, tensor<16x8x3x3xf32>) outs(%321 : tensor<16x8x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x3x3xf32>
    %387 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg30 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %388 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%387, %361 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %389 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%388 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %390 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg4, %389 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %391 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg31 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %392 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%391, %362 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %393 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%392 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %394 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg5, %393 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %395 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg32 : tensor<16x16x3x3xf32>) outs(%292 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16x16x3x3xf32>
    %396 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%395, %363 : tensor<16x16x3x3xf32>, tensor<16x16x3x3xf32>) outs(%292 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x16x3x3xf32>
    %397 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%396 : tensor<16x16x3x3xf32>) outs(%292 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16x16x3x3xf32>
    %398 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6, %397 : tensor<16x16x3x3xf32>, tensor<16x16x3x3xf32>) outs(%292 : tensor<16x16x3x3xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x16x3x3xf32>
    %399 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg33 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %400 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%399, %364 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %401 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%400 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %402 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg7, %401 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %403 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg34 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %404 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%403, %365 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %405 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%404 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %406 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg8, %405 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %407 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg35 : tensor<16x8x1x1xf32>) outs(%271 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x1x1xf32>
    %408 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%407, %366 : tensor<16x8x1x1xf32>, tensor<16x8x1x1xf32>) outs(%271 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x1x1xf32>
    %409 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%408 : tensor<16x8x1x1xf32>) outs(%271 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x1x1xf32>
    %410 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg9, %409 : tensor<16x8x1x1xf32>, tensor<16x8x1x1xf32>) outs(%271 : tensor<16x8x1x1xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16x8x1x1xf32>
    %411 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg36 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %412 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%411, %367 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %413 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%412 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %414 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg10, %413 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %415 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg37 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %416 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%415, %368 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %417 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%416 : tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %418 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg11, %417 : tensor<16xf32>, tensor<16xf32>) outs(%55 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<16xf32>
    %419 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%arg38 : tensor<10x16xf32>) outs(%226 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<10x16xf32>
    %420 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%419, %369 : tensor<10x16xf32>, tensor<10x16xf32>) outs(%226 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<10x16xf32>
    %421 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%420 : tensor<10x16xf32>) outs(%226 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<10x16xf32>
    %422 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel"]} ins(%arg12, %421 : tensor<10x16xf32>, tensor<10x16xf32>) outs(%226 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<10x16xf32>
    %423 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg39 : tensor<10xf32>) outs(%232 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst_7 : f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    %424 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%423, %370 : tensor<10xf32>, tensor<10xf32>) outs(%232 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    %425 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%424 : tensor<10xf32>) outs(%232 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %427 = arith.mulf %in, %cst : f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    %426 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel"]} ins(%arg13, %425 : tensor<10xf32>, tensor<10xf32>) outs(%232 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %427 = arith.addf %in, %in_49 : f32
      linalg.yield %427 : f32
    } -> tensor<10xf32>
    return %374, %378, %382, %386, %390, %394, %398, %402, %406, %410, %414, %418, %422, %426, %37, %40, %10, %80, %83, %53, %113, %116, %89, %145, %148, %121, %372, %376, %380, %384, %388, %392, %396, %400, %404, %408, %412, %416, %420, %424, %208 : tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16x8x3x3xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16x3x3xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x8x1x1xf32>, tensor<16xf32>, tensor<16xf32>, tensor<10x16xf32>, tensor<10xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i64>, tensor<16xf32>, tensor<16xf32>, tensor<i64>, tensor<16xf32>, tensor<16xf32>, tensor<i64>, tensor<16xf32>, tensor<16xf32>, tensor<i64>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16x8x3x3xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16x3x3xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x8x1x1xf32>, tensor<16xf32>, tensor<16xf32>, tensor<10x16xf32>, tensor<10xf32>, tensor<f32>
  }
}

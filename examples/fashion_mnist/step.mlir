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
#map13 = affine_map<(d0, d1) -> (d0, 0)>
module @jit_flat {
  func.func public @main(%arg0: tensor<512xf32> {ds.init = "zeros", ds.param = "params.Dense_0.bias"}, %arg1: tensor<784x512xf32> {ds.init = "he_normal", ds.param = "params.Dense_0.kernel"}, %arg2: tensor<256xf32> {ds.init = "zeros", ds.param = "params.Dense_1.bias"}, %arg3: tensor<512x256xf32> {ds.init = "he_normal", ds.param = "params.Dense_1.kernel"}, %arg4: tensor<10xf32> {ds.init = "zeros", ds.param = "params.Dense_2.bias"}, %arg5: tensor<256x10xf32> {ds.init = "he_normal", ds.param = "params.Dense_2.kernel"}, %arg6: tensor<i32> {ds.state = "state.count"}, %arg7: tensor<512xf32> {ds.state = "state.momentum.trace.Dense_0.bias"}, %arg8: tensor<784x512xf32> {ds.state = "state.momentum.trace.Dense_0.kernel"}, %arg9: tensor<256xf32> {ds.state = "state.momentum.trace.Dense_1.bias"}, %arg10: tensor<512x256xf32> {ds.state = "state.momentum.trace.Dense_1.kernel"}, %arg11: tensor<10xf32> {ds.state = "state.momentum.trace.Dense_2.bias"}, %arg12: tensor<256x10xf32> {ds.state = "state.momentum.trace.Dense_2.kernel"}, %arg13: tensor<128x28x28xf32> {ds.batch = 0 : i64, ds.name = "x"}, %arg14: tensor<128xi32> {ds.batch = 0 : i64, ds.name = "y"}, %arg15: tensor<f32> {ds.name = "lr"}) -> (tensor<512xf32> {ds.updates = "params.Dense_0.bias"}, tensor<784x512xf32> {ds.updates = "params.Dense_0.kernel"}, tensor<256xf32> {ds.updates = "params.Dense_1.bias"}, tensor<512x256xf32> {ds.updates = "params.Dense_1.kernel"}, tensor<10xf32> {ds.updates = "params.Dense_2.bias"}, tensor<256x10xf32> {ds.updates = "params.Dense_2.kernel"}, tensor<i32> {ds.updates = "state.count"}, tensor<512xf32> {ds.updates = "state.momentum.trace.Dense_0.bias"}, tensor<784x512xf32> {ds.updates = "state.momentum.trace.Dense_0.kernel"}, tensor<256xf32> {ds.updates = "state.momentum.trace.Dense_1.bias"}, tensor<512x256xf32> {ds.updates = "state.momentum.trace.Dense_1.kernel"}, tensor<10xf32> {ds.updates = "state.momentum.trace.Dense_2.bias"}, tensor<256x10xf32> {ds.updates = "state.momentum.trace.Dense_2.kernel"}, tensor<f32> {ds.metric = "loss"}) {
    %cst = arith.constant -1.000000e+00 : f32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant 4.000000e+02 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 1.280000e+02 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_5 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_8 = arith.constant dense<4.471500e-02> : tensor<f32>
    %cst_9 = arith.constant dense<3.000000e+00> : tensor<f32>
    %collapsed = tensor.collapse_shape %arg13 [[0], [1, 2]] : tensor<128x28x28xf32> into tensor<128x784xf32>
    %0 = tensor.empty() : tensor<128x512xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<128x784xf32>, tensor<784x512xf32>) outs(%1 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %4 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %4 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %5 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %6 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %10 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %11 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = math.tanh %in : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %14 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %14 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %17 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %19 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %21 = tensor.empty() : tensor<128x256xf32>
    %22 = linalg.fill ins(%cst_3 : f32) outs(%21 : tensor<128x256xf32>) -> tensor<128x256xf32>
    %23 = linalg.matmul ins(%20, %arg3 : tensor<128x512xf32>, tensor<512x256xf32>) outs(%22 : tensor<128x256xf32>) -> tensor<128x256xf32>
    %expanded_10 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 256] : tensor<256xf32> into tensor<1x256xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_10 : tensor<1x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23, %24 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %25 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26, %25 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28, %26 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%30, %27 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %31 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %32 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = math.tanh %in : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %35 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %35 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %39 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x256xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%39, %38 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %40 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %42 = tensor.empty() : tensor<128x10xf32>
    %43 = linalg.fill ins(%cst_3 : f32) outs(%42 : tensor<128x10xf32>) -> tensor<128x10xf32>
    %44 = linalg.matmul ins(%41, %arg5 : tensor<128x256xf32>, tensor<256x10xf32>) outs(%43 : tensor<128x10xf32>) -> tensor<128x10xf32>
    %expanded_11 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 10] : tensor<10xf32> into tensor<1x10xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_11 : tensor<1x10xf32>) outs(%42 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44, %45 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%42 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x10xf32>
    %47:3 = call @log_softmax(%46) : (tensor<128x10xf32>) -> (tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x1xf32>)
    %48 = call @_one_hot(%arg14) : (tensor<128xi32>) -> tensor<128x10xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%48, %47#0 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%42 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x10xf32>
    %50 = tensor.empty() : tensor<128xf32>
    %51 = linalg.fill ins(%cst_3 : f32) outs(%50 : tensor<128xf32>) -> tensor<128xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%49 : tensor<128x10xf32>) outs(%51 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %out, %in : f32
      linalg.yield %154 : f32
    } -> tensor<128xf32>
    %53 = tensor.empty() : tensor<f32>
    %54 = linalg.fill ins(%cst_3 : f32) outs(%53 : tensor<f32>) -> tensor<f32>
    %55 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction"]} ins(%52 : tensor<128xf32>) outs(%54 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %out, %in : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %56 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%55 : tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.divf %in, %cst_2 : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%56 : tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.negf %in : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %58 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%53 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %59 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%58 : tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.divf %in, %cst_2 : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %60 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%59 : tensor<f32>) outs(%50 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<128xf32>) outs(%42 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%48, %61 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%42 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x10xf32>
    %63 = call @log_softmax_0(%47#1, %47#2, %62) : (tensor<128x10xf32>, tensor<128x1xf32>, tensor<128x10xf32>) -> tensor<128x10xf32>
    %64 = tensor.empty() : tensor<10xf32>
    %65 = linalg.fill ins(%cst_3 : f32) outs(%64 : tensor<10xf32>) -> tensor<10xf32>
    %66 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%63 : tensor<128x10xf32>) outs(%65 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %out, %in : f32
      linalg.yield %154 : f32
    } -> tensor<10xf32>
    %67 = tensor.empty() : tensor<10x256xf32>
    %68 = linalg.fill ins(%cst_3 : f32) outs(%67 : tensor<10x256xf32>) -> tensor<10x256xf32>
    %69 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63, %41 : tensor<128x10xf32>, tensor<128x256xf32>) outs(%68 : tensor<10x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      %155 = arith.addf %out, %154 : f32
      linalg.yield %155 : f32
    } -> tensor<10x256xf32>
    %70 = tensor.empty() : tensor<256x10xf32>
    %71 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<10x256xf32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x10xf32>
    %72 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63, %arg5 : tensor<128x10xf32>, tensor<256x10xf32>) outs(%22 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      %155 = arith.addf %out, %154 : f32
      linalg.yield %155 : f32
    } -> tensor<128x256xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %72 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%72, %40 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%39, %73 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%75, %37 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%76, %35 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%76, %77 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %78 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%74, %79 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%30, %79 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%81, %29 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%80, %82 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%21 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x256xf32>
    %84 = tensor.empty() : tensor<256xf32>
    %85 = linalg.fill ins(%cst_3 : f32) outs(%84 : tensor<256xf32>) -> tensor<256xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%83 : tensor<128x256xf32>) outs(%85 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %out, %in : f32
      linalg.yield %154 : f32
    } -> tensor<256xf32>
    %87 = tensor.empty() : tensor<256x512xf32>
    %88 = linalg.fill ins(%cst_3 : f32) outs(%87 : tensor<256x512xf32>) -> tensor<256x512xf32>
    %89 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83, %20 : tensor<128x256xf32>, tensor<128x512xf32>) outs(%88 : tensor<256x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      %155 = arith.addf %out, %154 : f32
      linalg.yield %155 : f32
    } -> tensor<256x512xf32>
    %90 = tensor.empty() : tensor<512x256xf32>
    %91 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<256x512xf32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x256xf32>
    %92 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83, %arg3 : tensor<128x256xf32>, tensor<512x256xf32>) outs(%1 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      %155 = arith.addf %out, %154 : f32
      linalg.yield %155 : f32
    } -> tensor<128x512xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %92 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%92, %19 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %93 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%95, %16 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%96, %14 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%96, %97 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %98 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%94, %99 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %99 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%101, %8 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%100, %102 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%0 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<128x512xf32>
    %104 = tensor.empty() : tensor<512xf32>
    %105 = linalg.fill ins(%cst_3 : f32) outs(%104 : tensor<512xf32>) -> tensor<512xf32>
    %106 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%103 : tensor<128x512xf32>) outs(%105 : tensor<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %out, %in : f32
      linalg.yield %154 : f32
    } -> tensor<512xf32>
    %107 = tensor.empty() : tensor<512x784xf32>
    %108 = linalg.fill ins(%cst_3 : f32) outs(%107 : tensor<512x784xf32>) -> tensor<512x784xf32>
    %109 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103, %collapsed : tensor<128x512xf32>, tensor<128x784xf32>) outs(%108 : tensor<512x784xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      %155 = arith.addf %out, %154 : f32
      linalg.yield %155 : f32
    } -> tensor<512x784xf32>
    %110 = tensor.empty() : tensor<784x512xf32>
    %111 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%109 : tensor<512x784xf32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<784x512xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_4 : tensor<f32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%112, %arg7 : tensor<512xf32>, tensor<512xf32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512xf32>
    %114 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%106, %113 : tensor<512xf32>, tensor<512xf32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512xf32>
    %115 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<784x512xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%115, %arg8 : tensor<784x512xf32>, tensor<784x512xf32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<784x512xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%111, %116 : tensor<784x512xf32>, tensor<784x512xf32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<784x512xf32>
    %118 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_4 : tensor<f32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%118, %arg9 : tensor<256xf32>, tensor<256xf32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%86, %119 : tensor<256xf32>, tensor<256xf32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256xf32>
    %121 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x256xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%121, %arg10 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512x256xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%91, %122 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512x256xf32>
    %124 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_4 : tensor<f32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %125 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%124, %arg11 : tensor<10xf32>, tensor<10xf32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<10xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%66, %125 : tensor<10xf32>, tensor<10xf32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<10xf32>
    %127 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x10xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%127, %arg12 : tensor<256x10xf32>, tensor<256x10xf32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256x10xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%71, %128 : tensor<256x10xf32>, tensor<256x10xf32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.addf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256x10xf32>
    %130 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %154 = arith.sitofp %in : i32 to f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %131 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%130 : tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.divf %in, %cst_0 : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %132 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%131 : tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %154 = arith.addf %in, %cst_1 : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %133 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = []} ins(%arg15, %132 : tensor<f32>, tensor<f32>) outs(%53 : tensor<f32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.divf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<f32>
    %134 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%133 : tensor<f32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512xf32>
    %135 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%134, %114 : tensor<512xf32>, tensor<512xf32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512xf32>
    %136 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg0, %135 : tensor<512xf32>, tensor<512xf32>) outs(%104 : tensor<512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512xf32>
    %137 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<f32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<784x512xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%137, %117 : tensor<784x512xf32>, tensor<784x512xf32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<784x512xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %138 : tensor<784x512xf32>, tensor<784x512xf32>) outs(%110 : tensor<784x512xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<784x512xf32>
    %140 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%133 : tensor<f32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256xf32>
    %141 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%140, %120 : tensor<256xf32>, tensor<256xf32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256xf32>
    %142 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg2, %141 : tensor<256xf32>, tensor<256xf32>) outs(%84 : tensor<256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256xf32>
    %143 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<f32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x256xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%143, %123 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512x256xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3, %144 : tensor<512x256xf32>, tensor<512x256xf32>) outs(%90 : tensor<512x256xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<512x256xf32>
    %146 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%133 : tensor<f32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10xf32>
    %147 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%146, %126 : tensor<10xf32>, tensor<10xf32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<10xf32>
    %148 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg4, %147 : tensor<10xf32>, tensor<10xf32>) outs(%64 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<10xf32>
    %149 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<f32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x10xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%149, %129 : tensor<256x10xf32>, tensor<256x10xf32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.mulf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256x10xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5, %150 : tensor<256x10xf32>, tensor<256x10xf32>) outs(%70 : tensor<256x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %154 = arith.subf %in, %in_12 : f32
      linalg.yield %154 : f32
    } -> tensor<256x10xf32>
    %152 = tensor.empty() : tensor<i32>
    %153 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%152 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %154 = arith.addi %in, %c1_i32 : i32
      linalg.yield %154 : i32
    } -> tensor<i32>
    return %136, %139, %142, %145, %148, %151, %153, %114, %117, %120, %123, %126, %129, %57 : tensor<512xf32>, tensor<784x512xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<10xf32>, tensor<256x10xf32>, tensor<i32>, tensor<512xf32>, tensor<784x512xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<10xf32>, tensor<256x10xf32>, tensor<f32>
  }
  func.func private @log_softmax(%arg0: tensor<128x10xf32>) -> (tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x1xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<128xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<128xf32>) -> tensor<128xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<128x10xf32>) outs(%1 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.maximumf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<128xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%3, %2 : tensor<128xf32>, tensor<128xf32>) outs(%0 : tensor<128xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.maximumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128xf32>
    %5 = tensor.empty() : tensor<128x1xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<128xf32>) outs(%5 : tensor<128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x1xf32>
    %7 = tensor.empty() : tensor<128x10xf32>
    %8 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<128x1xf32>) outs(%7 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%7 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x10xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<128x10xf32>) outs(%7 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<128x10xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<128xf32>) -> tensor<128xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<128x10xf32>) outs(%11 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<128xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<128xf32>) outs(%5 : tensor<128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.log %in : f32
      linalg.yield %17 : f32
    } -> tensor<128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<128x1xf32>) outs(%7 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %15 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%7 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<128x10xf32>
    return %16, %10, %13 : tensor<128x10xf32>, tensor<128x10xf32>, tensor<128x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<128xi32>) -> tensor<128x10xf32> {
    %0 = tensor.empty() : tensor<128x1xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<128xi32>) outs(%0 : tensor<128x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<128x1xi32>
    %2 = tensor.empty() : tensor<1x10xi32>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<1x10xi32>) {
    ^bb0(%out: i32):
      %11 = linalg.index 1 : index
      %12 = arith.index_cast %11 : index to i32
      linalg.yield %12 : i32
    } -> tensor<1x10xi32>
    %4 = tensor.empty() : tensor<128x10xi32>
    %5 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<128x1xi32>) outs(%4 : tensor<128x10xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<128x10xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<1x10xi32>) outs(%4 : tensor<128x10xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<128x10xi32>
    %7 = tensor.empty() : tensor<128x10xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<128x10xi32>, tensor<128x10xi32>) outs(%7 : tensor<128x10xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %11 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %11 : i1
    } -> tensor<128x10xi1>
    %9 = tensor.empty() : tensor<128x10xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<128x10xi1>) outs(%9 : tensor<128x10xf32>) {
    ^bb0(%in: i1, %out: f32):
      %11 = arith.uitofp %in : i1 to f32
      linalg.yield %11 : f32
    } -> tensor<128x10xf32>
    return %10 : tensor<128x10xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<128x10xf32>, %arg1: tensor<128x1xf32>, %arg2: tensor<128x10xf32>) -> tensor<128x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<128x10xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<128x10xf32>) outs(%0 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.negf %in : f32
      linalg.yield %11 : f32
    } -> tensor<128x10xf32>
    %2 = tensor.empty() : tensor<128xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128xf32>) -> tensor<128xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<128x10xf32>) outs(%3 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %out, %in : f32
      linalg.yield %11 : f32
    } -> tensor<128xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [128, 1] : tensor<128xf32> into tensor<128x1xf32>
    %5 = tensor.empty() : tensor<128x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %arg1 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.divf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<128x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<128x1xf32>) outs(%3 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %out, %in : f32
      linalg.yield %11 : f32
    } -> tensor<128xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<128xf32>) outs(%0 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %arg0 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%0 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.mulf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<128x10xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %9 : tensor<128x10xf32>, tensor<128x10xf32>) outs(%0 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.addf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<128x10xf32>
    return %10 : tensor<128x10xf32>
  }
}

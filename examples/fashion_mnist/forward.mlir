#map = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
module @jit_flat {
  func.func public @main(%arg0: tensor<512xf32> {ds.param = "params.Dense_0.bias"}, %arg1: tensor<784x512xf32> {ds.param = "params.Dense_0.kernel"}, %arg2: tensor<256xf32> {ds.param = "params.Dense_1.bias"}, %arg3: tensor<512x256xf32> {ds.param = "params.Dense_1.kernel"}, %arg4: tensor<10xf32> {ds.param = "params.Dense_2.bias"}, %arg5: tensor<256x10xf32> {ds.param = "params.Dense_2.kernel"}, %arg6: tensor<250x28x28xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<250x10xf32> {ds.batch = 0 : i64, ds.name = "logits"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_3 = arith.constant dense<4.471500e-02> : tensor<f32>
    %collapsed = tensor.collapse_shape %arg6 [[0], [1, 2]] : tensor<250x28x28xf32> into tensor<250x784xf32>
    %0 = tensor.empty() : tensor<250x512xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<250x512xf32>) -> tensor<250x512xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<250x784xf32>, tensor<784x512xf32>) outs(%1 : tensor<250x512xf32>) -> tensor<250x512xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x512xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %4 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %4 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x512xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %6 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %8 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x512xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %9 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.tanh %in : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x512xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %12 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x512xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %14 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %16 : tensor<250x512xf32>, tensor<250x512xf32>) outs(%0 : tensor<250x512xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x512xf32>
    %18 = tensor.empty() : tensor<250x256xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<250x256xf32>) -> tensor<250x256xf32>
    %20 = linalg.matmul ins(%17, %arg3 : tensor<250x512xf32>, tensor<512x256xf32>) outs(%19 : tensor<250x256xf32>) -> tensor<250x256xf32>
    %expanded_4 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 256] : tensor<256xf32> into tensor<1x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_4 : tensor<1x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x256xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20, %21 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %22 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23, %22 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x256xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %24 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %26 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x256xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28, %27 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.tanh %in : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x256xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%31, %30 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x256xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %32 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %34 : tensor<250x256xf32>, tensor<250x256xf32>) outs(%18 : tensor<250x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.mulf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x256xf32>
    %36 = tensor.empty() : tensor<250x10xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<250x10xf32>) -> tensor<250x10xf32>
    %38 = linalg.matmul ins(%35, %arg5 : tensor<250x256xf32>, tensor<256x10xf32>) outs(%37 : tensor<250x10xf32>) -> tensor<250x10xf32>
    %expanded_5 = tensor.expand_shape %arg4 [[0, 1]] output_shape [1, 10] : tensor<10xf32> into tensor<1x10xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x10xf32>) outs(%36 : tensor<250x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<250x10xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%38, %39 : tensor<250x10xf32>, tensor<250x10xf32>) outs(%36 : tensor<250x10xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %41 = arith.addf %in, %in_6 : f32
      linalg.yield %41 : f32
    } -> tensor<250x10xf32>
    return %40 : tensor<250x10xf32>
  }
}

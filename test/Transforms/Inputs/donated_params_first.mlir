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
module @jit_train {
  func.func public @main(%arg0: tensor<6xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<12x6xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<6x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<6xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<12x6xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<6x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x12xf32>, %arg9: tensor<8xi32>) -> (tensor<6xf32> {jax.result_info = "result[0]['Dense_0']['bias']"}, tensor<12x6xf32> {jax.result_info = "result[0]['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[0]['Dense_1']['bias']"}, tensor<6x4xf32> {jax.result_info = "result[0]['Dense_1']['kernel']"}, tensor<6xf32> {jax.result_info = "result[1][0].trace['Dense_0']['bias']"}, tensor<12x6xf32> {jax.result_info = "result[1][0].trace['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1][0].trace['Dense_1']['bias']"}, tensor<6x4xf32> {jax.result_info = "result[1][0].trace['Dense_1']['kernel']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %cst = arith.constant -1.000000e+00 : f32
    %cst_0 = arith.constant 8.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<-1.000000e-01> : tensor<f32>
    %cst_3 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x6xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %2 = linalg.matmul ins(%arg8, %arg1 : tensor<8x12xf32>, tensor<12x6xf32>) outs(%1 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x6xf32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<8x6xf32>
    %5 = call @relu(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6xf32>
    %7 = tensor.empty() : tensor<8x6xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%7 : tensor<8x6xi1>) {
    ^bb0(%in: f32, %in_6: f32, %out: i1):
      %73 = arith.cmpf ogt, %in, %in_6 : f32
      linalg.yield %73 : i1
    } -> tensor<8x6xi1>
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %11 = linalg.matmul ins(%5, %arg3 : tensor<8x6xf32>, tensor<6x4xf32>) outs(%10 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %expanded_5 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_5 : tensor<1x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %12 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<8x4xf32>
    %14 = call @_one_hot(%arg9) : (tensor<8xi32>) -> tensor<8x4xf32>
    %15:3 = call @log_softmax(%13) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>)
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %15#0 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<8x4xf32>
    %17 = tensor.empty() : tensor<8xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<8xf32>) -> tensor<8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<8x4xf32>) outs(%18 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.addf %out, %in : f32
      linalg.yield %73 : f32
    } -> tensor<8xf32>
    %20 = tensor.empty() : tensor<f32>
    %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<f32>) -> tensor<f32>
    %22 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction"]} ins(%19 : tensor<8xf32>) outs(%21 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.addf %out, %in : f32
      linalg.yield %73 : f32
    } -> tensor<f32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%22 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.divf %in, %cst_0 : f32
      linalg.yield %73 : f32
    } -> tensor<f32>
    %24 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%23 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.negf %in : f32
      linalg.yield %73 : f32
    } -> tensor<f32>
    %25 = linalg.generic {indexing_maps = [#map6], iterator_types = []} outs(%20 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %26 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%25 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.divf %in, %cst_0 : f32
      linalg.yield %73 : f32
    } -> tensor<f32>
    %27 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%26 : tensor<f32>) outs(%17 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<8xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %28 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<8x4xf32>
    %30 = call @log_softmax_0(%15#1, %15#2, %29) : (tensor<8x4xf32>, tensor<8x1xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %31 = tensor.empty() : tensor<4xf32>
    %32 = linalg.fill ins(%cst_1 : f32) outs(%31 : tensor<4xf32>) -> tensor<4xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%30 : tensor<8x4xf32>) outs(%32 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.addf %out, %in : f32
      linalg.yield %73 : f32
    } -> tensor<4xf32>
    %34 = tensor.empty() : tensor<4x6xf32>
    %35 = linalg.fill ins(%cst_1 : f32) outs(%34 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30, %5 : tensor<8x4xf32>, tensor<8x6xf32>) outs(%35 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      %74 = arith.addf %out, %73 : f32
      linalg.yield %74 : f32
    } -> tensor<4x6xf32>
    %37 = tensor.empty() : tensor<6x4xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<4x6xf32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x4xf32>
    %39 = linalg.generic {indexing_maps = [#map11, #map12, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30, %arg3 : tensor<8x4xf32>, tensor<6x4xf32>) outs(%1 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      %74 = arith.addf %out, %73 : f32
      linalg.yield %74 : f32
    } -> tensor<8x6xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %39, %6 : tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
      %73 = arith.select %in, %in_6, %in_7 : f32
      linalg.yield %73 : f32
    } -> tensor<8x6xf32>
    %41 = tensor.empty() : tensor<6xf32>
    %42 = linalg.fill ins(%cst_1 : f32) outs(%41 : tensor<6xf32>) -> tensor<6xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "reduction"]} ins(%40 : tensor<8x6xf32>) outs(%42 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = arith.addf %out, %in : f32
      linalg.yield %73 : f32
    } -> tensor<6xf32>
    %44 = tensor.empty() : tensor<6x12xf32>
    %45 = linalg.fill ins(%cst_1 : f32) outs(%44 : tensor<6x12xf32>) -> tensor<6x12xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40, %arg8 : tensor<8x6xf32>, tensor<8x12xf32>) outs(%45 : tensor<6x12xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      %74 = arith.addf %out, %73 : f32
      linalg.yield %74 : f32
    } -> tensor<6x12xf32>
    %47 = tensor.empty() : tensor<12x6xf32>
    %48 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<6x12xf32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<12x6xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_3 : tensor<f32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%49, %arg4 : tensor<6xf32>, tensor<6xf32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%43, %50 : tensor<6xf32>, tensor<6xf32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6xf32>
    %52 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<12x6xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%52, %arg5 : tensor<12x6xf32>, tensor<12x6xf32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<12x6xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%48, %53 : tensor<12x6xf32>, tensor<12x6xf32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<12x6xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_3 : tensor<f32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%55, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<4xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%33, %56 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<4xf32>
    %58 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x4xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58, %arg7 : tensor<6x4xf32>, tensor<6x4xf32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6x4xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%38, %59 : tensor<6x4xf32>, tensor<6x4xf32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6x4xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%61, %51 : tensor<6xf32>, tensor<6xf32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6xf32>
    %63 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<12x6xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%63, %54 : tensor<12x6xf32>, tensor<12x6xf32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<12x6xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%65, %57 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<4xf32>
    %67 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x4xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67, %60 : tensor<6x4xf32>, tensor<6x4xf32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.mulf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6x4xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg0, %62 : tensor<6xf32>, tensor<6xf32>) outs(%41 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %64 : tensor<12x6xf32>, tensor<12x6xf32>) outs(%47 : tensor<12x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<12x6xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg2, %66 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<4xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3, %68 : tensor<6x4xf32>, tensor<6x4xf32>) outs(%37 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %73 = arith.addf %in, %in_6 : f32
      linalg.yield %73 : f32
    } -> tensor<6x4xf32>
    return %69, %70, %71, %72, %51, %54, %57, %60, %24 : tensor<6xf32>, tensor<12x6xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<12x6xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x6xf32>) -> tensor<8x6xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x6xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%0 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.maximumf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x6xf32>
    return %2 : tensor<8x6xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x4xf32> {
    %0 = tensor.empty() : tensor<8x1xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %2 = tensor.empty() : tensor<1x4xi32>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<1x4xi32>) {
    ^bb0(%out: i32):
      %11 = linalg.index 1 : index
      %12 = arith.index_cast %11 : index to i32
      linalg.yield %12 : i32
    } -> tensor<1x4xi32>
    %4 = tensor.empty() : tensor<8x4xi32>
    %5 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x1xi32>) outs(%4 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<1x4xi32>) outs(%4 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %7 = tensor.empty() : tensor<8x4xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%7 : tensor<8x4xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %11 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %11 : i1
    } -> tensor<8x4xi1>
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<8x4xi1>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %11 = arith.uitofp %in : i1 to f32
      linalg.yield %11 : f32
    } -> tensor<8x4xf32>
    return %10 : tensor<8x4xf32>
  }
  func.func private @log_softmax(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x4xf32>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.maximumf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<8xf32>
    %3 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%3, %2 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.maximumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<8xf32>
    %5 = tensor.empty() : tensor<8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8xf32>) outs(%5 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %7 = tensor.empty() : tensor<8x4xf32>
    %8 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x1xf32>) outs(%7 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%7 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<8x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x4xf32>) outs(%7 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x4xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<8x4xf32>) outs(%11 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<8xf32>) outs(%5 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<8x1xf32>) outs(%5 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.log %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<8x1xf32>) outs(%7 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %15 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%7 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<8x4xf32>
    return %16, %10, %13 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<8x4xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.negf %in : f32
      linalg.yield %11 : f32
    } -> tensor<8x4xf32>
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x4xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %out, %in : f32
      linalg.yield %11 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %5 = tensor.empty() : tensor<8x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %arg1 : tensor<8x1xf32>, tensor<8x1xf32>) outs(%5 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.divf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<8x1xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %out, %in : f32
      linalg.yield %11 : f32
    } -> tensor<8xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8xf32>) outs(%0 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %arg0 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.mulf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<8x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %9 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.addf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<8x4xf32>
    return %10 : tensor<8x4xf32>
  }
}

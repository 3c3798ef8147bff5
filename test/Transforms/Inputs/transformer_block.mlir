#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1) -> ()>
#map14 = affine_map<(d0, d1) -> (d0, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map17 = affine_map<() -> ()>
#map18 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map21 = affine_map<(d0, d1) -> (d1, d0)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
module @jit_step {
  func.func public @main(%arg0: tensor<4096x1024xf32> {ds.param = "params.down"}, %arg1: tensor<1024x1024xf32> {ds.param = "params.k"}, %arg2: tensor<1024x1024xf32> {ds.param = "params.proj"}, %arg3: tensor<1024x1024xf32> {ds.param = "params.q"}, %arg4: tensor<1024x4096xf32> {ds.param = "params.up"}, %arg5: tensor<1024x1024xf32> {ds.param = "params.v"}, %arg6: tensor<i32> {ds.state = "state.0.count"}, %arg7: tensor<4096x1024xf32> {ds.state = "state.0.mu.down"}, %arg8: tensor<1024x1024xf32> {ds.state = "state.0.mu.k"}, %arg9: tensor<1024x1024xf32> {ds.state = "state.0.mu.proj"}, %arg10: tensor<1024x1024xf32> {ds.state = "state.0.mu.q"}, %arg11: tensor<1024x4096xf32> {ds.state = "state.0.mu.up"}, %arg12: tensor<1024x1024xf32> {ds.state = "state.0.mu.v"}, %arg13: tensor<4096x1024xf32> {ds.state = "state.0.nu.down"}, %arg14: tensor<1024x1024xf32> {ds.state = "state.0.nu.k"}, %arg15: tensor<1024x1024xf32> {ds.state = "state.0.nu.proj"}, %arg16: tensor<1024x1024xf32> {ds.state = "state.0.nu.q"}, %arg17: tensor<1024x4096xf32> {ds.state = "state.0.nu.up"}, %arg18: tensor<1024x1024xf32> {ds.state = "state.0.nu.v"}, %arg19: tensor<8x512x1024xf32> {ds.batch = 0 : i64, ds.name = "x"}, %arg20: tensor<8x512x1024xf32> {ds.batch = 0 : i64, ds.name = "y"}) -> (tensor<4096x1024xf32> {ds.updates = "params.down"}, tensor<1024x1024xf32> {ds.updates = "params.k"}, tensor<1024x1024xf32> {ds.updates = "params.proj"}, tensor<1024x1024xf32> {ds.updates = "params.q"}, tensor<1024x4096xf32> {ds.updates = "params.up"}, tensor<1024x1024xf32> {ds.updates = "params.v"}, tensor<i32> {ds.updates = "state.0.count"}, tensor<4096x1024xf32> {ds.updates = "state.0.mu.down"}, tensor<1024x1024xf32> {ds.updates = "state.0.mu.k"}, tensor<1024x1024xf32> {ds.updates = "state.0.mu.proj"}, tensor<1024x1024xf32> {ds.updates = "state.0.mu.q"}, tensor<1024x4096xf32> {ds.updates = "state.0.mu.up"}, tensor<1024x1024xf32> {ds.updates = "state.0.mu.v"}, tensor<4096x1024xf32> {ds.updates = "state.0.nu.down"}, tensor<1024x1024xf32> {ds.updates = "state.0.nu.k"}, tensor<1024x1024xf32> {ds.updates = "state.0.nu.proj"}, tensor<1024x1024xf32> {ds.updates = "state.0.nu.q"}, tensor<1024x4096xf32> {ds.updates = "state.0.nu.up"}, tensor<1024x1024xf32> {ds.updates = "state.0.nu.v"}, tensor<f32> {ds.metric = "loss"}) {
    %cst = arith.constant 2.38418579E-7 : f32
    %cst_0 = arith.constant 9.990000e-01 : f32
    %cst_1 = arith.constant 0.899999976 : f32
    %c1_i32 = arith.constant 1 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 0x4A800000 : f32
    %cst_4 = arith.constant 0xFF800000 : f32
    %cst_5 = arith.constant dense<-1.000000e-03> : tensor<f32>
    %cst_6 = arith.constant dense<9.99999993E-9> : tensor<f32>
    %cst_7 = arith.constant dense<2147483647> : tensor<i32>
    %cst_8 = arith.constant dense<9.990000e-01> : tensor<f32>
    %cst_9 = arith.constant dense<1.000000e-03> : tensor<f32>
    %cst_10 = arith.constant dense<0.899999976> : tensor<f32>
    %cst_11 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_12 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_13 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_14 = arith.constant dense<4.471500e-02> : tensor<f32>
    %cst_15 = arith.constant dense<3.000000e+00> : tensor<f32>
    %cst_16 = arith.constant dense<-5.000000e-01> : tensor<f32>
    %cst_17 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_18 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_20 = arith.constant dense<-1.000000e+30> : tensor<f32>
    %cst_21 = arith.constant dense<true> : tensor<i1>
    %cst_22 = arith.constant dense<1.250000e-01> : tensor<f32>
    %cst_23 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_24 = arith.constant dense<0> : tensor<i32>
    %cst_25 = arith.constant dense<1.024000e+03> : tensor<f32>
    %cst_26 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_27 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x512xf32>
    %1 = linalg.fill ins(%cst_27 : f32) outs(%0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg19 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512xf32>
    %3 = tensor.empty() : tensor<8x512x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_25 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19, %8 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.subf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %10 = call @_var(%arg19, %cst_24) : (tensor<8x512x1024xf32>, tensor<i32>) -> tensor<8x512x1xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_23 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.rsqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %14 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %16 = linalg.fill ins(%cst_27 : f32) outs(%7 : tensor<8x512x1024xf32>) -> tensor<8x512x1024xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg3 : tensor<8x512x1024xf32>, tensor<1024x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %expanded = tensor.expand_shape %17 [[0], [1], [2, 3]] output_shape [8, 512, 16, 64] : tensor<8x512x1024xf32> into tensor<8x512x16x64xf32>
    %18 = tensor.empty() : tensor<8x16x512x64xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<8x512x16x64xf32>) outs(%18 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x64xf32>
    %20 = call @_var_0(%arg19, %cst_24) : (tensor<8x512x1024xf32>, tensor<i32>) -> tensor<8x512x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %11 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.rsqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %23 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24, %arg1 : tensor<8x512x1024xf32>, tensor<1024x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %expanded_28 = tensor.expand_shape %25 [[0], [1], [2, 3]] output_shape [8, 512, 16, 64] : tensor<8x512x1024xf32> into tensor<8x512x16x64xf32>
    %26 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<8x512x16x64xf32>) outs(%18 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x64xf32>
    %27 = call @_var_2(%arg19, %cst_24) : (tensor<8x512x1024xf32>, tensor<i32>) -> tensor<8x512x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %11 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.rsqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %30 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31, %arg5 : tensor<8x512x1024xf32>, tensor<1024x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %expanded_29 = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [8, 512, 16, 64] : tensor<8x512x1024xf32> into tensor<8x512x16x64xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<8x512x16x64xf32>) outs(%18 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x64xf32>
    %34 = tensor.empty() : tensor<8x16x512x512xf32>
    %35 = linalg.fill ins(%cst_27 : f32) outs(%34 : tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
    %36 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19, %26 : tensor<8x16x512x64xf32>, tensor<8x16x512x64xf32>) outs(%35 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x512x512xf32>
    %37 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %37 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %39 = tensor.empty() : tensor<512x512xi1>
    %40 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_21 : tensor<i1>) outs(%39 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<512x512xi1>
    %41 = call @tril(%40) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %42:3 = call @_where_4(%41, %38, %cst_20) : (tensor<512x512xi1>, tensor<8x16x512x512xf32>, tensor<f32>) -> (tensor<8x16x512x512xf32>, tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>)
    %43 = tensor.empty() : tensor<8x16x512xf32>
    %44 = linalg.fill ins(%cst_4 : f32) outs(%43 : tensor<8x16x512xf32>) -> tensor<8x16x512xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42#0 : tensor<8x16x512x512xf32>) outs(%44 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.maximumf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512xf32>
    %46 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_19 : tensor<f32>) outs(%43 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %45 : tensor<8x16x512xf32>, tensor<8x16x512xf32>) outs(%43 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.maximumf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512xf32>
    %48 = tensor.empty() : tensor<8x16x512x1xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<8x16x512xf32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x1xf32>
    %50 = linalg.generic {indexing_maps = [#map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<8x16x512x1xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42#0, %50 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.subf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %52 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.exp %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %53 = linalg.fill ins(%cst_27 : f32) outs(%43 : tensor<8x16x512xf32>) -> tensor<8x16x512xf32>
    %54 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<8x16x512x512xf32>) outs(%53 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<8x16x512xf32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x1xf32>
    %56 = linalg.generic {indexing_maps = [#map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<8x16x512x1xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %56 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %58 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %55 : tensor<8x16x512x1xf32>, tensor<8x16x512x1xf32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x1xf32>
    %59 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x1xf32>
    %60 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %58 : tensor<8x16x512x1xf32>, tensor<8x16x512x1xf32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x1xf32>
    %61 = linalg.fill ins(%cst_27 : f32) outs(%18 : tensor<8x16x512x64xf32>) -> tensor<8x16x512x64xf32>
    %62 = linalg.generic {indexing_maps = [#map9, #map16, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%57, %33 : tensor<8x16x512x512xf32>, tensor<8x16x512x64xf32>) outs(%61 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x512x64xf32>
    %63 = tensor.empty() : tensor<8x512x16x64xf32>
    %64 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<8x16x512x64xf32>) outs(%63 : tensor<8x512x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x16x64xf32>
    %collapsed = tensor.collapse_shape %64 [[0], [1], [2, 3]] : tensor<8x512x16x64xf32> into tensor<8x512x1024xf32>
    %65 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg2 : tensor<8x512x1024xf32>, tensor<1024x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19, %65 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %70 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.subf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %72:5 = call @_var_5(%66, %cst_24) : (tensor<8x512x1024xf32>, tensor<i32>) -> (tensor<8x512x1xf32>, tensor<8x512x1024xf32>, tensor<f32>, tensor<i1>, tensor<8x512x1xf32>)
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72#0, %11 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.rsqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %73 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %76 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %75 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %78 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %80 = tensor.empty() : tensor<8x512x4096xf32>
    %81 = linalg.fill ins(%cst_27 : f32) outs(%80 : tensor<8x512x4096xf32>) -> tensor<8x512x4096xf32>
    %82 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%79, %arg4 : tensor<8x512x1024xf32>, tensor<1024x4096xf32>) outs(%81 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x4096xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %82 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %82 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %85 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_15 : tensor<f32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x4096xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %83 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %87 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x4096xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %84 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %88 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %90 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x4096xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %89 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.tanh %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %93 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x4096xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %92 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.subf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %92 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %96 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x4096xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %95 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %97 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %99 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%98, %arg0 : tensor<8x512x4096xf32>, tensor<4096x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %99 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %arg20 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.subf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %103 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %101 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %105 = tensor.empty() : tensor<f32>
    %106 = linalg.fill ins(%cst_27 : f32) outs(%105 : tensor<f32>) -> tensor<f32>
    %107 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "reduction"]} ins(%102 : tensor<8x512x1024xf32>) outs(%106 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %108 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%107 : tensor<f32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.divf %in, %cst_3 : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %109 = linalg.generic {indexing_maps = [#map17], iterator_types = []} outs(%105 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %110 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<f32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %104 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %112 = tensor.empty() : tensor<1024x4096xf32>
    %113 = linalg.fill ins(%cst_27 : f32) outs(%112 : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %114 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%111, %98 : tensor<8x512x1024xf32>, tensor<8x512x4096xf32>) outs(%113 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<1024x4096xf32>
    %115 = tensor.empty() : tensor<4096x1024xf32>
    %116 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<1024x4096xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map22, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%111, %arg0 : tensor<8x512x1024xf32>, tensor<4096x1024xf32>) outs(%81 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x4096xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %117 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %97 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %118 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %94 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %92 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %122 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %123 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %125 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %124 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %124 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %86 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %127 : tensor<8x512x4096xf32>, tensor<8x512x4096xf32>) outs(%80 : tensor<8x512x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x4096xf32>
    %129 = linalg.fill ins(%cst_27 : f32) outs(%115 : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
    %130 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%128, %79 : tensor<8x512x4096xf32>, tensor<8x512x1024xf32>) outs(%129 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<4096x1024xf32>
    %131 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%130 : tensor<4096x1024xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %132 = linalg.generic {indexing_maps = [#map4, #map22, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%128, %arg4 : tensor<8x512x4096xf32>, tensor<1024x4096xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %132 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%133 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512xf32>
    %expanded_30 = tensor.expand_shape %134 [[0], [1, 2]] output_shape [8, 512, 1] : tensor<8x512xf32> into tensor<8x512x1xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %78 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30, %77 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %137 = call @_var_7(%72#1, %72#2, %72#3, %72#4, %136) : (tensor<8x512x1024xf32>, tensor<f32>, tensor<i1>, tensor<8x512x1xf32>, tensor<8x512x1xf32>) -> tensor<8x512x1024xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %137 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.negf %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%139 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512xf32>
    %expanded_31 = tensor.expand_shape %140 [[0], [1, 2]] output_shape [8, 512, 1] : tensor<8x512xf32> into tensor<8x512x1xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %135 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142 : tensor<8x512x1xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x512xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<8x512xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %144 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x512x1024xf32>
    %146 = tensor.empty() : tensor<1024x1024xf32>
    %147 = linalg.fill ins(%cst_27 : f32) outs(%146 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %148 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%145, %collapsed : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%147 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<1024x1024xf32>
    %149 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%148 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %150 = linalg.generic {indexing_maps = [#map4, #map22, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%145, %arg2 : tensor<8x512x1024xf32>, tensor<1024x1024xf32>) outs(%16 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x512x1024xf32>
    %expanded_32 = tensor.expand_shape %150 [[0], [1], [2, 3]] output_shape [8, 512, 16, 64] : tensor<8x512x1024xf32> into tensor<8x512x16x64xf32>
    %151 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<8x512x16x64xf32>) outs(%18 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x64xf32>
    %152 = tensor.empty() : tensor<8x16x64x512xf32>
    %153 = linalg.fill ins(%cst_27 : f32) outs(%152 : tensor<8x16x64x512xf32>) -> tensor<8x16x64x512xf32>
    %154 = linalg.generic {indexing_maps = [#map23, #map16, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%151, %57 : tensor<8x16x512x64xf32>, tensor<8x16x512x512xf32>) outs(%153 : tensor<8x16x64x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x64x512xf32>
    %155 = linalg.generic {indexing_maps = [#map24, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<8x16x64x512xf32>) outs(%18 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x64xf32>
    %156 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%151, %33 : tensor<8x16x512x64xf32>, tensor<8x16x512x64xf32>) outs(%35 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x512x512xf32>
    %157 = linalg.generic {indexing_maps = [#map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<8x16x512x1xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %158 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %157 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %159 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158, %52 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %160 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%159 : tensor<8x16x512x512xf32>) outs(%53 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512xf32>
    %expanded_33 = tensor.expand_shape %160 [[0], [1], [2, 3]] output_shape [8, 16, 512, 1] : tensor<8x16x512xf32> into tensor<8x16x512x1xf32>
    %161 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<8x16x512x1xf32>) outs(%48 : tensor<8x16x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.negf %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x1xf32>
    %162 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156, %56 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %163 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%161 : tensor<8x16x512x1xf32>) outs(%53 : tensor<8x16x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.addf %out, %in : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512xf32>
    %164 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%163 : tensor<8x16x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %165 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%162, %164 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %166 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165, %52 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %167 = call @_where_9(%42#1, %42#2, %166) : (tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
    %168 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167, %37 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%34 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<8x16x512x512xf32>
    %169 = linalg.generic {indexing_maps = [#map23, #map16, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%168, %19 : tensor<8x16x512x512xf32>, tensor<8x16x512x64xf32>) outs(%61 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x512x64xf32>
    %170 = linalg.generic {indexing_maps = [#map9, #map16, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%168, %26 : tensor<8x16x512x512xf32>, tensor<8x16x512x64xf32>) outs(%61 : tensor<8x16x512x64xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<8x16x512x64xf32>
    %171 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155 : tensor<8x16x512x64xf32>) outs(%63 : tensor<8x512x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x16x64xf32>
    %collapsed_34 = tensor.collapse_shape %171 [[0], [1], [2, 3]] : tensor<8x512x16x64xf32> into tensor<8x512x1024xf32>
    %172 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_34, %31 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%147 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<1024x1024xf32>
    %173 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%172 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %174 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169 : tensor<8x16x512x64xf32>) outs(%63 : tensor<8x512x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x16x64xf32>
    %collapsed_35 = tensor.collapse_shape %174 [[0], [1], [2, 3]] : tensor<8x512x16x64xf32> into tensor<8x512x1024xf32>
    %175 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_35, %24 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%147 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<1024x1024xf32>
    %176 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%175 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %177 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170 : tensor<8x16x512x64xf32>) outs(%63 : tensor<8x512x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x16x64xf32>
    %collapsed_36 = tensor.collapse_shape %177 [[0], [1], [2, 3]] : tensor<8x512x16x64xf32> into tensor<8x512x1024xf32>
    %178 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_36, %15 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%147 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      %308 = arith.addf %out, %307 : f32
      linalg.yield %308 : f32
    } -> tensor<1024x1024xf32>
    %179 = linalg.generic {indexing_maps = [#map21, #map14], iterator_types = ["parallel", "parallel"]} ins(%178 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %180 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %181 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%180, %116 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %182 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %183 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%182, %arg7 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %184 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%181, %183 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %185 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %186 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%185, %176 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %187 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %188 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%187, %arg8 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %189 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%186, %188 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %190 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%185, %149 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %191 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%187, %arg9 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %192 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%190, %191 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %193 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%185, %179 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %194 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%187, %arg10 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %195 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%193, %194 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %196 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %197 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%196, %131 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %198 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %199 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%198, %arg11 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %200 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%197, %199 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %201 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%185, %173 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %202 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%187, %arg12 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %203 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%201, %202 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %204 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%116, %116 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %205 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %206 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%205, %204 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %207 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %208 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%207, %arg13 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %209 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%206, %208 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %210 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%176, %176 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %211 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %212 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%211, %210 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %213 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %214 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%213, %arg14 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %215 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%212, %214 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %216 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%149, %149 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %217 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%211, %216 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %218 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%213, %arg15 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %219 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%217, %218 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %220 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%179, %179 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %221 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%211, %220 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %222 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%213, %arg16 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %223 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%221, %222 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %224 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%131, %131 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %225 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %226 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%225, %224 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %227 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %228 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%227, %arg17 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %229 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%226, %228 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %230 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%173, %173 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %231 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%211, %230 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %232 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%213, %arg18 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %233 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%231, %232 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %234 = tensor.empty() : tensor<i1>
    %235 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%234 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %307 = arith.cmpi slt, %in, %c2147483647_i32 : i32
      linalg.yield %307 : i1
    } -> tensor<i1>
    %236 = tensor.empty() : tensor<i32>
    %237 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%236 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %307 = arith.addi %in, %c1_i32 : i32
      linalg.yield %307 : i32
    } -> tensor<i32>
    %238 = call @_where_10(%235, %237, %cst_7) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %239 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%238 : tensor<i32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %307 = arith.sitofp %in : i32 to f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %240 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%239 : tensor<f32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.powf %cst_1, %in : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %241 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%240 : tensor<f32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.subf %cst_2, %in : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %242 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %243 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%184, %242 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %244 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %245 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%189, %244 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %246 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%192, %244 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %247 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%195, %244 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %248 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%241 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %249 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%200, %248 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %250 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%203, %244 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %251 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%239 : tensor<f32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.powf %cst_0, %in : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %252 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%251 : tensor<f32>) outs(%105 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = arith.subf %cst_2, %in : f32
      linalg.yield %307 : f32
    } -> tensor<f32>
    %253 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%252 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %254 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%209, %253 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %255 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%252 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %256 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%215, %255 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %257 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%219, %255 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %258 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%223, %255 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %259 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%252 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %260 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%229, %259 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %261 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%233, %255 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %262 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_26 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %263 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%254, %262 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %264 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%263 : tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %265 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %266 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%264, %265 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %267 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%243, %266 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %268 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_26 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %269 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%256, %268 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %270 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%269 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %271 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %272 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%270, %271 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %273 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%245, %272 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %274 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%257, %268 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %275 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%274 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %276 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%275, %271 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %277 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%246, %276 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %278 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%258, %268 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %279 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%278 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %280 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%279, %271 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %281 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%247, %280 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %282 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_26 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %283 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%260, %282 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %284 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%283 : tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %285 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %286 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%284, %285 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %287 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%249, %286 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %288 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%261, %268 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %289 = linalg.generic {indexing_maps = [#map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%288 : tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %307 = math.sqrt %in : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %290 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%289, %271 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %291 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%250, %290 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.divf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %292 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4096x1024xf32>
    %293 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%292, %267 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %294 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x1024xf32>
    %295 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%294, %273 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %296 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%294, %277 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %297 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%294, %281 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %298 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x4096xf32>
    %299 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%298, %287 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %300 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%294, %291 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.mulf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %301 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg0, %293 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%115 : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<4096x1024xf32>
    %302 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg1, %295 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %303 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg2, %296 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %304 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg3, %297 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    %305 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg4, %299 : tensor<1024x4096xf32>, tensor<1024x4096xf32>) outs(%112 : tensor<1024x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x4096xf32>
    %306 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%arg5, %300 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%146 : tensor<1024x1024xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %307 = arith.addf %in, %in_37 : f32
      linalg.yield %307 : f32
    } -> tensor<1024x1024xf32>
    return %301, %302, %303, %304, %305, %306, %238, %184, %189, %192, %195, %200, %203, %209, %215, %219, %223, %229, %233, %108 : tensor<4096x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x4096xf32>, tensor<1024x1024xf32>, tensor<i32>, tensor<4096x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x4096xf32>, tensor<1024x1024xf32>, tensor<4096x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x4096xf32>, tensor<1024x1024xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<i32>) -> tensor<8x512x1xf32> {
    %cst = arith.constant 1.024000e+03 : f32
    %cst_0 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_1 = arith.constant dense<1.024000e+03> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x512xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %3 = tensor.empty() : tensor<8x512x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.subf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.mulf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %21 = arith.sitofp %in : i32 to f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%12 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.subf %cst, %in : f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %18 = tensor.empty() : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%13 : tensor<f32>) outs(%18 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %21 = arith.cmpf ogt, %in, %cst_2 : f32
      linalg.yield %21 : i1
    } -> tensor<i1>
    %20 = call @_where(%19, %17, %cst_0) : (tensor<i1>, tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512x1xf32>
    return %20 : tensor<8x512x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8x512x1xf32>, %arg2: tensor<f32>) -> tensor<8x512x1xf32> {
    %0 = tensor.empty() : tensor<8x512x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.select %extracted, %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x512x1xf32>
    return %2 : tensor<8x512x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<i32>) -> tensor<8x512x1xf32> {
    %cst = arith.constant 1.024000e+03 : f32
    %cst_0 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_1 = arith.constant dense<1.024000e+03> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x512xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %3 = tensor.empty() : tensor<8x512x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.subf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.mulf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %21 = arith.sitofp %in : i32 to f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%12 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.subf %cst, %in : f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %18 = tensor.empty() : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%13 : tensor<f32>) outs(%18 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %21 = arith.cmpf ogt, %in, %cst_2 : f32
      linalg.yield %21 : i1
    } -> tensor<i1>
    %20 = call @_where_1(%19, %17, %cst_0) : (tensor<i1>, tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512x1xf32>
    return %20 : tensor<8x512x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<8x512x1xf32>, %arg2: tensor<f32>) -> tensor<8x512x1xf32> {
    %0 = tensor.empty() : tensor<8x512x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.select %extracted, %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x512x1xf32>
    return %2 : tensor<8x512x1xf32>
  }
  func.func private @_var_2(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<i32>) -> tensor<8x512x1xf32> {
    %cst = arith.constant 1.024000e+03 : f32
    %cst_0 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_1 = arith.constant dense<1.024000e+03> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x512xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %3 = tensor.empty() : tensor<8x512x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.subf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.mulf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1024xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %21 = arith.sitofp %in : i32 to f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%12 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.subf %cst, %in : f32
      linalg.yield %21 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x512xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %21 = arith.divf %in, %in_3 : f32
      linalg.yield %21 : f32
    } -> tensor<8x512x1xf32>
    %18 = tensor.empty() : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%13 : tensor<f32>) outs(%18 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %21 = arith.cmpf ogt, %in, %cst_2 : f32
      linalg.yield %21 : i1
    } -> tensor<i1>
    %20 = call @_where_3(%19, %17, %cst_0) : (tensor<i1>, tensor<8x512x1xf32>, tensor<f32>) -> tensor<8x512x1xf32>
    return %20 : tensor<8x512x1xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<8x512x1xf32>, %arg2: tensor<f32>) -> tensor<8x512x1xf32> {
    %0 = tensor.empty() : tensor<8x512x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.select %extracted, %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x512x1xf32>
    return %2 : tensor<8x512x1xf32>
  }
  func.func private @tril(%arg0: tensor<512x512xi1>) -> tensor<512x512xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<512x512xi32>
    %1 = linalg.generic {indexing_maps = [#map14], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<512x512xi32>
    %2 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%0 : tensor<512x512xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<512x512xi32>
    %3 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%0 : tensor<512x512xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %9 = arith.addi %in, %in_1 : i32
      linalg.yield %9 : i32
    } -> tensor<512x512xi32>
    %4 = linalg.generic {indexing_maps = [#map14], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %9 = linalg.index 1 : index
      %10 = arith.index_cast %9 : index to i32
      linalg.yield %10 : i32
    } -> tensor<512x512xi32>
    %5 = tensor.empty() : tensor<512x512xi1>
    %6 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%5 : tensor<512x512xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %9 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %9 : i1
    } -> tensor<512x512xi1>
    %7 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%5 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<512x512xi1>
    %8 = linalg.generic {indexing_maps = [#map14, #map14, #map14, #map14], iterator_types = ["parallel", "parallel"]} ins(%6, %arg0, %7 : tensor<512x512xi1>, tensor<512x512xi1>, tensor<512x512xi1>) outs(%5 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1):
      %9 = arith.select %in, %in_1, %in_2 : i1
      linalg.yield %9 : i1
    } -> tensor<512x512xi1>
    return %8 : tensor<512x512xi1>
  }
  func.func private @_where_4(%arg0: tensor<512x512xi1>, %arg1: tensor<8x16x512x512xf32>, %arg2: tensor<f32>) -> (tensor<8x16x512x512xf32>, tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x16x512x512xi1>
    %1 = linalg.generic {indexing_maps = [#map22, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<512x512xi1>) outs(%0 : tensor<8x16x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8x16x512x512xi1>
    %2 = tensor.empty() : tensor<8x16x512x512xf32>
    %3 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %4 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%2 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %6 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<8x16x512x512xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%2 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    return %4, %1, %5 : tensor<8x16x512x512xf32>, tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>
  }
  func.func private @_var_5(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<i32>) -> (tensor<8x512x1xf32>, tensor<8x512x1024xf32>, tensor<f32>, tensor<i1>, tensor<8x512x1xf32>) {
    %cst = arith.constant 1.024000e+03 : f32
    %cst_0 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<1.024000e+03> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x512xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %out, %in : f32
      linalg.yield %23 : f32
    } -> tensor<8x512xf32>
    %3 = tensor.empty() : tensor<8x512x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %23 = arith.divf %in, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<8x512x1xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512x1xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %23 = arith.subf %in, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<8x512x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %23 = arith.mulf %in, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<8x512x1024xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %9 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %23 = arith.mulf %in, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<8x512x1024xf32>
    %13 = tensor.empty() : tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %23 = arith.sitofp %in : i32 to f32
      linalg.yield %23 : f32
    } -> tensor<f32>
    %15 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%14 : tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.subf %cst, %in : f32
      linalg.yield %23 : f32
    } -> tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x512x1024xf32>) outs(%1 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %out, %in : f32
      linalg.yield %23 : f32
    } -> tensor<8x512xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<8x512xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<f32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %18 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%3 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %23 = arith.divf %in, %in_4 : f32
      linalg.yield %23 : f32
    } -> tensor<8x512x1xf32>
    %20 = tensor.empty() : tensor<i1>
    %21 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = []} ins(%15 : tensor<f32>) outs(%20 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %23 = arith.cmpf ogt, %in, %cst_3 : f32
      linalg.yield %23 : i1
    } -> tensor<i1>
    %22:2 = call @_where_6(%21, %19, %cst_0) : (tensor<i1>, tensor<8x512x1xf32>, tensor<f32>) -> (tensor<8x512x1xf32>, tensor<8x512x1xf32>)
    return %22#0, %12, %15, %21, %22#1 : tensor<8x512x1xf32>, tensor<8x512x1024xf32>, tensor<f32>, tensor<i1>, tensor<8x512x1xf32>
  }
  func.func private @_where_6(%arg0: tensor<i1>, %arg1: tensor<8x512x1xf32>, %arg2: tensor<f32>) -> (tensor<8x512x1xf32>, tensor<8x512x1xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x512x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.select %extracted, %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<8x512x1xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    return %2, %3 : tensor<8x512x1xf32>, tensor<8x512x1xf32>
  }
  func.func private @_var_7(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8x512x1xf32>, %arg4: tensor<8x512x1xf32>) -> tensor<8x512x1024xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<1.024000e+03> : tensor<f32>
    %0 = call @_where_8(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<8x512x1xf32>, tensor<8x512x1xf32>) -> tensor<8x512x1xf32>
    %1 = tensor.empty() : tensor<8x512x1xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<f32>) outs(%1 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %2 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%1 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.divf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<8x512x1xf32>
    %4 = tensor.empty() : tensor<8x512xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<8x512x1xf32>) outs(%5 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x512xf32>
    %7 = tensor.empty() : tensor<8x512x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<8x512xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg0 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.mulf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<8x512x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.negf %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x512x1024xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<8x512x1024xf32>) outs(%5 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x512xf32>
    %expanded = tensor.expand_shape %11 [[0], [1, 2]] output_shape [8, 512, 1] : tensor<8x512xf32> into tensor<8x512x1xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%1 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %12 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%1 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.divf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<8x512x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<8x512x1xf32>) outs(%5 : tensor<8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<8x512xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<8x512xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1024xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<8x512x1024xf32>, tensor<8x512x1024xf32>) outs(%7 : tensor<8x512x1024xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.addf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<8x512x1024xf32>
    return %16 : tensor<8x512x1024xf32>
  }
  func.func private @_where_8(%arg0: tensor<i1>, %arg1: tensor<8x512x1xf32>, %arg2: tensor<8x512x1xf32>) -> tensor<8x512x1xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x512x1xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x512x1xf32>
    %extracted = tensor.extract %arg0[] : tensor<i1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %1 : tensor<8x512x1xf32>, tensor<8x512x1xf32>) outs(%0 : tensor<8x512x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.select %extracted, %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x512x1xf32>
    return %2 : tensor<8x512x1xf32>
  }
  func.func private @_where_9(%arg0: tensor<8x16x512x512xi1>, %arg1: tensor<8x16x512x512xf32>, %arg2: tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<8x16x512x512xf32>
    %1 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16x512x512xf32>
    %2 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg2, %1 : tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) outs(%0 : tensor<8x16x512x512xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %3 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %3 : f32
    } -> tensor<8x16x512x512xf32>
    return %2 : tensor<8x16x512x512xf32>
  }
  func.func private @_where_10(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}

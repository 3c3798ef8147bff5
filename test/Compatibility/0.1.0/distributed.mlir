#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<(d0, d1) -> (d1, d0)>
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%arg0: tensor<3xf32> {ds.init = "normal(0.5)", ds.param = "w"}, %arg1: tensor<3xf32> {ds.state = "w.momentum"}, %arg2: tensor<2x3xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"}, %arg3: tensor<2xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "y"}, %arg4: tensor<f32> {ds.name = "lr"}) -> (tensor<3xf32> {ds.updates = "w"}, tensor<3xf32> {ds.updates = "w.momentum"}, tensor<f32> {ds.metric = "loss"}, tensor<2xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "error"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.500000e-01 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg2, %arg0 : tensor<2x3xf32>, tensor<3xf32>) outs(%1 : tensor<2xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      %15 = arith.addf %out, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<2xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%2, %arg3 : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.subf %in, %in_2 : f32
      linalg.yield %14 : f32
    } -> tensor<2xf32>
    %4 = tensor.empty() : tensor<f32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<f32>) -> tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%3 : tensor<2xf32>) outs(%5 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.mulf %in, %in : f32
      %15 = arith.mulf %14, %cst_0 : f32
      %16 = arith.addf %out, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<f32>
    %7 = tensor.empty() : tensor<3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3xf32>) -> tensor<3xf32>
    %9 = linalg.generic {indexing_maps = [#map5, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg2, %3 : tensor<2x3xf32>, tensor<2xf32>) outs(%8 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %in_2 : f32
      %15 = arith.mulf %14, %cst_1 : f32
      %16 = arith.addf %out, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %10 = ds.all_reduce sum %9 {fusion = 1024 : i64, names = [["w"]]} : tensor<3xf32>
    %11 = ds.all_reduce sum %6 {names = [["loss"]], purpose = #ds<purpose metric>} : tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg1, %10 : tensor<3xf32>, tensor<3xf32>) outs(%7 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %14 = arith.mulf %in, %cst_1 : f32
      %15 = arith.addf %14, %in_2 : f32
      linalg.yield %15 : f32
    } -> tensor<3xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel"]} ins(%arg0, %12, %arg4 : tensor<3xf32>, tensor<3xf32>, tensor<f32>) outs(%7 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %in_3: f32, %out: f32):
      %14 = arith.mulf %in_2, %in_3 : f32
      %15 = arith.subf %in, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<3xf32>
    return %13, %12, %11, %3 : tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<2xf32>
  }
}

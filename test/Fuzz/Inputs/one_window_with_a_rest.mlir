// The gradient of a strided window that is applied once and leaves a row over: its rows ran over the whole input, and over memory of
// other parameters.
#map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
module attributes {ds.config = #ds.config<batch = global, comm_fusion = none, device_num = 2, fusion_order = parameter, gradient_fp32_sync = false>} {
  func.func @step(%arg0: tensor<2x2x3x2xf64> {ds.param = "window0"}, %arg1: tensor<1x1x2x1xf64> {ds.param = "window1"}, %arg2: tensor<1x1x1x4xf64> {ds.param = "window2"}, %arg3: tensor<1x1x4x3xf64> {ds.param = "window3"}, %arg4: tensor<1x1x3x1xf64> {ds.param = "window4"}, %arg5: tensor<1x1x1x1xf64> {ds.param = "window5"}, %arg6: tensor<1x3xf64> {ds.param = "w6"}, %arg7: tensor<24x3x3x3xf64> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<1x3xf64> {ds.updates = "w6"}, tensor<1x1x3x1xf64> {ds.updates = "window4"}, tensor<1x1x1x4xf64> {ds.updates = "window2"}, tensor<2x2x3x2xf64> {ds.updates = "window0"}, tensor<1x1x2x1xf64> {ds.updates = "window1"}, tensor<1x1x1x1xf64> {ds.updates = "window5"}, tensor<1x1x4x3xf64> {ds.updates = "window3"}) {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<24x1x1x2xf64>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<24x1x1x2xf64>
    %0 = tensor.empty() : tensor<2x2x3x2xf64>
    %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<2x2x3x2xf64>) -> tensor<2x2x3x2xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map2], iterator_types = ["reduction", "reduction", "reduction", "parallel", "parallel", "parallel", "parallel"]} ins(%arg7, %cst_1, %cst_0 : tensor<24x3x3x3xf64>, tensor<24x1x1x2xf64>, tensor<24x1x1x2xf64>) outs(%1 : tensor<2x2x3x2xf64>) {
    ^bb0(%in: f64, %in_2: f64, %in_3: f64, %out: f64):
      %3 = arith.cmpf ogt, %in_3, %cst : f64
      %4 = arith.select %3, %in_2, %cst : f64
      %5 = arith.mulf %in, %4 : f64
      %6 = arith.addf %out, %5 : f64
      linalg.yield %6 : f64
    } -> tensor<2x2x3x2xf64>
    return %arg6, %arg4, %arg2, %2, %arg1, %arg5, %arg3 : tensor<1x3xf64>, tensor<1x1x3x1xf64>, tensor<1x1x1x4xf64>, tensor<2x2x3x2xf64>, tensor<1x1x2x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x4x3xf64>
  }
}

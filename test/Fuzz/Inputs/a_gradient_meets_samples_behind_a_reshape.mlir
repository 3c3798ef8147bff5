// One sample per rank: the gradient of 'b1' is also multiplied by samples, for that of 'w0'. It was marked above the reshape that both read, so
// that of 'w0' was made of the combined one.
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d0)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map8 = affine_map<(d0, d1) -> (d1)>
module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
  func.func @step(%arg0: tensor<6x8xf64> {ds.param = "w0"}, %arg1: tensor<6xf64> {ds.param = "b1"}, %arg2: tensor<3x4xf64> {ds.param = "wx2"}, %arg3: tensor<4x4xf64> {ds.param = "wh3"}, %arg4: tensor<4x6xf64> {ds.param = "w4"}, %arg5: tensor<4x6xf64> {ds.param = "w5"}, %arg6: tensor<4xf64> {ds.param = "b6"}, %arg7: tensor<2x4xf64> {ds.param = "w7"}, %arg8: tensor<2xf64> {ds.param = "b8"}, %arg9: tensor<1x8xf64> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<4xf64> {ds.updates = "b6"}, tensor<6x8xf64> {ds.updates = "w0"}, tensor<2xf64> {ds.updates = "b8"}, tensor<3x4xf64> {ds.updates = "wx2"}, tensor<2x4xf64> {ds.updates = "w7"}, tensor<4x4xf64> {ds.updates = "wh3"}, tensor<4x6xf64> {ds.updates = "w5"}, tensor<6xf64> {ds.updates = "b1"}, tensor<4x6xf64> {ds.updates = "w4"}) {
    %0 = tensor.empty() : tensor<8x1xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<1x8xf64>) outs(%0 : tensor<8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      linalg.yield %in : f64
    } -> tensor<8x1xf64>
    %cst = arith.constant 0.000000e+00 : f64
    %2 = tensor.empty() : tensor<6x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<6x1xf64>) -> tensor<6x1xf64>
    %4 = linalg.matmul ins(%arg0, %1 : tensor<6x8xf64>, tensor<8x1xf64>) outs(%3 : tensor<6x1xf64>) -> tensor<6x1xf64>
    %5 = tensor.empty() : tensor<1x6xf64>
    %transposed = linalg.transpose ins(%4 : tensor<6x1xf64>) outs(%5 : tensor<1x6xf64>) permutation = [1, 0]
    %expanded = tensor.expand_shape %transposed [[0], [1, 2]] output_shape [1, 2, 3] : tensor<1x6xf64> into tensor<1x2x3xf64>
    %cst_0 = arith.constant 0.000000e+00 : f64
    %6 = tensor.empty() : tensor<1x4xf64>
    %7 = linalg.fill ins(%cst_0 : f64) outs(%6 : tensor<1x4xf64>) -> tensor<1x4xf64>
    %cst_1 = arith.constant 0.000000e+00 : f64
    %8 = tensor.empty() : tensor<2x1x4xf64>
    %9 = linalg.fill ins(%cst_1 : f64) outs(%8 : tensor<2x1x4xf64>) -> tensor<2x1x4xf64>
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %10:3 = scf.while (%arg10 = %c0, %arg11 = %7, %arg12 = %9) : (index, tensor<1x4xf64>, tensor<2x1x4xf64>) -> (index, tensor<1x4xf64>, tensor<2x1x4xf64>) {
      %33 = arith.cmpi slt, %arg10, %c2 : index
      scf.condition(%33) %arg10, %arg11, %arg12 : index, tensor<1x4xf64>, tensor<2x1x4xf64>
    } do {
    ^bb0(%arg10: index, %arg11: tensor<1x4xf64>, %arg12: tensor<2x1x4xf64>):
      %33 = arith.addi %arg10, %c1 : index
      %extracted_slice = tensor.extract_slice %expanded[0, %arg10, 0] [1, 1, 3] [1, 1, 1] : tensor<1x2x3xf64> to tensor<1x3xf64>
      %cst_13 = arith.constant 0.000000e+00 : f64
      %34 = tensor.empty() : tensor<1x4xf64>
      %35 = linalg.fill ins(%cst_13 : f64) outs(%34 : tensor<1x4xf64>) -> tensor<1x4xf64>
      %36 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%extracted_slice, %arg2 : tensor<1x3xf64>, tensor<3x4xf64>) outs(%35 : tensor<1x4xf64>) {
      ^bb0(%in: f64, %in_14: f64, %out: f64):
        %37 = arith.mulf %in_14, %in : f64
        %38 = arith.addf %out, %37 : f64
        linalg.yield %38 : f64
      } -> tensor<1x4xf64>
      scf.yield %33, %36, %arg12 : index, tensor<1x4xf64>, tensor<2x1x4xf64>
    }
    %cst_2 = arith.constant 0.000000e+00 : f64
    %11 = tensor.empty() : tensor<1x2xf64>
    %12 = linalg.fill ins(%cst_2 : f64) outs(%11 : tensor<1x2xf64>) -> tensor<1x2xf64>
    %13 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10#1, %arg7 : tensor<1x4xf64>, tensor<2x4xf64>) outs(%12 : tensor<1x2xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %33 = arith.mulf %in, %in_13 : f64
      %34 = arith.addf %out, %33 : f64
      linalg.yield %34 : f64
    } -> tensor<1x2xf64>
    %cst_3 = arith.constant 0.000000e+00 : f64
    %14 = tensor.empty() : tensor<1x4xf64>
    %15 = linalg.fill ins(%cst_3 : f64) outs(%14 : tensor<1x4xf64>) -> tensor<1x4xf64>
    %16 = linalg.generic {indexing_maps = [#map4, #map6, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13, %arg7 : tensor<1x2xf64>, tensor<2x4xf64>) outs(%15 : tensor<1x4xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %33 = arith.mulf %in, %in_13 : f64
      %34 = arith.addf %out, %33 : f64
      linalg.yield %34 : f64
    } -> tensor<1x4xf64>
    %cst_4 = arith.constant 0.000000e+00 : f64
    %17 = tensor.empty() : tensor<1x2x3xf64>
    %18 = linalg.fill ins(%cst_4 : f64) outs(%17 : tensor<1x2x3xf64>) -> tensor<1x2x3xf64>
    %cst_5 = arith.constant 0.000000e+00 : f64
    %19 = tensor.empty() : tensor<3x4xf64>
    %20 = linalg.fill ins(%cst_5 : f64) outs(%19 : tensor<3x4xf64>) -> tensor<3x4xf64>
    %cst_6 = arith.constant 0.000000e+00 : f64
    %21 = tensor.empty() : tensor<4x4xf64>
    %22 = linalg.fill ins(%cst_6 : f64) outs(%21 : tensor<4x4xf64>) -> tensor<4x4xf64>
    %c0_7 = arith.constant 0 : index
    %c2_8 = arith.constant 2 : index
    %c1_9 = arith.constant 1 : index
    %23:5 = scf.while (%arg10 = %c0_7, %arg11 = %16, %arg12 = %18, %arg13 = %20, %arg14 = %22) : (index, tensor<1x4xf64>, tensor<1x2x3xf64>, tensor<3x4xf64>, tensor<4x4xf64>) -> (index, tensor<1x4xf64>, tensor<1x2x3xf64>, tensor<3x4xf64>, tensor<4x4xf64>) {
      %33 = arith.cmpi slt, %arg10, %c2_8 : index
      scf.condition(%33) %arg10, %arg11, %arg12, %arg13, %arg14 : index, tensor<1x4xf64>, tensor<1x2x3xf64>, tensor<3x4xf64>, tensor<4x4xf64>
    } do {
    ^bb0(%arg10: index, %arg11: tensor<1x4xf64>, %arg12: tensor<1x2x3xf64>, %arg13: tensor<3x4xf64>, %arg14: tensor<4x4xf64>):
      %33 = arith.addi %arg10, %c1_9 : index
      %c1_13 = arith.constant 1 : index
      %34 = arith.subi %c1_13, %arg10 : index
      %cst_14 = arith.constant dense<0.000000e+00> : tensor<1x3xf64>
      %35 = linalg.generic {indexing_maps = [#map7, #map5, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%arg11, %arg2 : tensor<1x4xf64>, tensor<3x4xf64>) outs(%cst_14 : tensor<1x3xf64>) {
      ^bb0(%in: f64, %in_15: f64, %out: f64):
        %36 = arith.mulf %in_15, %in : f64
        %37 = arith.addf %out, %36 : f64
        linalg.yield %37 : f64
      } -> tensor<1x3xf64>
      %inserted_slice = tensor.insert_slice %35 into %arg12[0, %34, 0] [1, 1, 3] [1, 1, 1] : tensor<1x3xf64> into tensor<1x2x3xf64>
      scf.yield %33, %arg11, %inserted_slice, %arg13, %arg14 : index, tensor<1x4xf64>, tensor<1x2x3xf64>, tensor<3x4xf64>, tensor<4x4xf64>
    }
    %collapsed = tensor.collapse_shape %23#2 [[0], [1, 2]] : tensor<1x2x3xf64> into tensor<1x6xf64>
    %cst_10 = arith.constant 0.000000e+00 : f64
    %24 = tensor.empty() : tensor<6xf64>
    %25 = linalg.fill ins(%cst_10 : f64) outs(%24 : tensor<6xf64>) -> tensor<6xf64>
    %26 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["reduction", "parallel"]} ins(%collapsed : tensor<1x6xf64>) outs(%25 : tensor<6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %33 = arith.addf %in, %out : f64
      linalg.yield %33 : f64
    } -> tensor<6xf64>
    %27 = tensor.empty() : tensor<6x1xf64>
    %transposed_11 = linalg.transpose ins(%collapsed : tensor<1x6xf64>) outs(%27 : tensor<6x1xf64>) permutation = [1, 0]
    %cst_12 = arith.constant 0.000000e+00 : f64
    %28 = tensor.empty() : tensor<6x8xf64>
    %29 = linalg.fill ins(%cst_12 : f64) outs(%28 : tensor<6x8xf64>) -> tensor<6x8xf64>
    %30 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%transposed_11, %1 : tensor<6x1xf64>, tensor<8x1xf64>) outs(%29 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %33 = arith.mulf %in_13, %in : f64
      %34 = arith.addf %out, %33 : f64
      linalg.yield %34 : f64
    } -> tensor<6x8xf64>
    %31 = ds.gradient %26 of "b1" : tensor<6xf64>
    %32 = ds.gradient %30 of "w0" : tensor<6x8xf64>
    return %arg6, %32, %arg8, %arg2, %arg7, %arg3, %arg5, %31, %arg4 : tensor<4xf64>, tensor<6x8xf64>, tensor<2xf64>, tensor<3x4xf64>, tensor<2x4xf64>, tensor<4x4xf64>, tensor<4x6xf64>, tensor<6xf64>, tensor<4x6xf64>
  }
}

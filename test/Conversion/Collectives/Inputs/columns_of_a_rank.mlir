// columns.mlir for one of two ranks, written by hand: each reduces and updates its columns,
// and gathers those of the other.
module attributes {ds.config = #ds.config<batch = global, device_num = 2>} {
  func.func @step(%w: tensor<2x4xf32> {ds.param = "w"}, %v: tensor<3x2xf32> {ds.param = "v"}, %x: tensor<4x2x4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"},
                  %y: tensor<4x3x2xf32> {ds.batch = 0 : i64, ds.layout = "cyclic"}) -> (tensor<2x4xf32> {ds.updates = "w"}, tensor<3x2xf32> {ds.updates = "v"}) {
    %zw = arith.constant dense<0.0> : tensor<2x4xf32>
    %zv = arith.constant dense<0.0> : tensor<3x2xf32>
    %sw = linalg.reduce { arith.addf } ins(%x : tensor<4x2x4xf32>) outs(%zw : tensor<2x4xf32>) dimensions = [0]
    %sv = linalg.reduce { arith.addf } ins(%y : tensor<4x3x2xf32>) outs(%zv : tensor<3x2xf32>) dimensions = [0]
    %ow = tensor.empty() : tensor<2x2xf32>
    %ov = tensor.empty() : tensor<3x1xf32>
    %c:2 = ds.reduce_scatter sum %sw, %sv into %ow, %ov along 1 : tensor<2x4xf32>, tensor<3x2xf32> into tensor<2x2xf32>, tensor<3x1xf32>
    %two = arith.constant 2 : index
    %rank = ds.rank : index
    %first = arith.muli %rank, %two : index
    %mw = tensor.extract_slice %w[0, %first] [2, 2] [1, 1] : tensor<2x4xf32> to tensor<2x2xf32>
    %mv = tensor.extract_slice %v[0, %rank] [3, 1] [1, 1] : tensor<3x2xf32> to tensor<3x1xf32>
    %uw = arith.subf %mw, %c#0 : tensor<2x2xf32>
    %uv = arith.subf %mv, %c#1 : tensor<3x1xf32>
    %ew = tensor.empty() : tensor<2x4xf32>
    %ev = tensor.empty() : tensor<3x2xf32>
    %g:2 = ds.all_gather %uw, %uv into %ew, %ev along 1 : tensor<2x2xf32>, tensor<3x1xf32> into tensor<2x4xf32>, tensor<3x2xf32>
    return %g#0, %g#1 : tensor<2x4xf32>, tensor<3x2xf32>
  }
}

// The sum of a feature over the batch is a factor of the gradient, and its square the loss that ranks decide by: the sum was
// combined, not the loss, so the report of the loss was of all ranks' samples.
#all = affine_map<(d0, d1) -> (d0, d1)>
#feature = affine_map<(d0, d1) -> (d1)>
#same = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
#sample = affine_map<(d0, d1, d2) -> (d0, d2)>
#other = affine_map<(d0, d1, d2) -> (d0, d1)>
#pair = affine_map<(d0, d1, d2) -> (d2, d1)>
module attributes {ds.config = #ds.config<batch = local, device_num = 4, gradients_mean = true>} {
  func.func @step(%w: tensor<3x3xf64> {ds.param = "w"}, %x: tensor<6x4x3xf64> {ds.batch = 0})
      -> (tensor<3x3xf64> {ds.updates = "w"}, tensor<f64> {ds.metric = "loss"}) {
    %none = arith.constant dense<0.0> : tensor<f64>
    %none12 = arith.constant dense<0.0> : tensor<12xf64>
    %none3x3 = arith.constant dense<0.0> : tensor<3x3xf64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %limit = arith.constant 2.0 : f64
    %halves = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [2, 3, 4, 3] : tensor<6x4x3xf64> into tensor<2x3x4x3xf64>
    %made:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%last = %none3x3, %lost = %none) -> (tensor<3x3xf64>, tensor<f64>) {
      %half = tensor.extract_slice %halves[%k, 0, 0, 0] [1, 3, 4, 3] [1, 1, 1, 1] : tensor<2x3x4x3xf64> to tensor<3x4x3xf64>
      %samples = tensor.collapse_shape %half [[0], [1, 2]] : tensor<3x4x3xf64> into tensor<3x12xf64>
      %rows = tensor.collapse_shape %half [[0, 1], [2]] : tensor<3x4x3xf64> into tensor<12x3xf64>
      %sum = linalg.generic {indexing_maps = [#all, #feature], iterator_types = ["reduction", "parallel"]}
          ins(%samples : tensor<3x12xf64>) outs(%none12 : tensor<12xf64>) {
      ^bb0(%in: f64, %out: f64):
        %0 = arith.addf %out, %in : f64
        linalg.yield %0 : f64
      } -> tensor<12xf64>
      %space12 = tensor.empty() : tensor<12xf64>
      %squares = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
          ins(%sum : tensor<12xf64>) outs(%space12 : tensor<12xf64>) {
      ^bb0(%in: f64, %out: f64):
        %0 = arith.mulf %in, %in : f64
        linalg.yield %0 : f64
      } -> tensor<12xf64>
      %loss = linalg.generic {indexing_maps = [#same, #one], iterator_types = ["reduction"]}
          ins(%squares : tensor<12xf64>) outs(%none : tensor<f64>) {
      ^bb0(%in: f64, %out: f64):
        %0 = arith.addf %out, %in : f64
        linalg.yield %0 : f64
      } -> tensor<f64>
      %space = tensor.empty() : tensor<3x12xf64>
      %each = linalg.generic {indexing_maps = [#feature, #all], iterator_types = ["parallel", "parallel"]}
          ins(%sum : tensor<12xf64>) outs(%space : tensor<3x12xf64>) {
      ^bb0(%in: f64, %out: f64):
        linalg.yield %in : f64
      } -> tensor<3x12xf64>
      %split = tensor.expand_shape %each [[0], [1, 2]] output_shape [3, 4, 3] : tensor<3x12xf64> into tensor<3x4x3xf64>
      %factors = tensor.collapse_shape %split [[0, 1], [2]] : tensor<3x4x3xf64> into tensor<12x3xf64>
      %dw = linalg.generic {indexing_maps = [#sample, #other, #pair], iterator_types = ["reduction", "parallel", "parallel"]}
          ins(%rows, %factors : tensor<12x3xf64>, tensor<12x3xf64>) outs(%none3x3 : tensor<3x3xf64>) {
      ^bb0(%a: f64, %b: f64, %out: f64):
        %0 = arith.mulf %a, %b : f64
        %1 = arith.addf %out, %0 : f64
        linalg.yield %1 : f64
      } -> tensor<3x3xf64>
      scf.yield %dw, %loss : tensor<3x3xf64>, tensor<f64>
    }
    %g = ds.gradient %made#0 of "w" : tensor<3x3xf64>
    %loss = tensor.extract %made#1[] : tensor<f64>
    %good = arith.cmpf olt, %loss, %limit : f64
    %case = arith.index_castui %good : i1 to index
    %new = scf.index_switch %case -> tensor<3x3xf64>
    case 1 {
      scf.yield %g : tensor<3x3xf64>
    }
    default {
      scf.yield %w : tensor<3x3xf64>
    }
    return %new, %made#1 : tensor<3x3xf64>, tensor<f64>
  }
}

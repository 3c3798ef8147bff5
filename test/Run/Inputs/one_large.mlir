// One parameter of 1.2 MiB that is moved by the sum of the samples.
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
func.func @step(%p: tensor<512x600xf32> {ds.init = "ones", ds.param = "p"}, %x: tensor<8xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<512x600xf32> {ds.updates = "p"}, tensor<f32> {ds.metric = "loss"}) {
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce {arith.addf} ins(%x : tensor<8xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %e = tensor.empty() : tensor<512x600xf32>
  %q = linalg.generic {indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %loss : tensor<512x600xf32>, tensor<f32>) outs(%e : tensor<512x600xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x600xf32>
  return %q, %loss : tensor<512x600xf32>, tensor<f32>
}

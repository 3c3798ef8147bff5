// The logarithms of ten frequencies learn how often a label occurs; label -100 is ignored. A metric reads the value of each label.
#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>
func.func @step(%w: tensor<10xf32> {ds.param = "w", ds.init = "zeros"}, %y: tensor<8xi32> {ds.batch = 0 : i64, ds.name = "y"})
    -> (tensor<10xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "score", ds.reduce = "sum"}) {
  %ignored = arith.constant -100 : i32
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 0.125 : f32
  %z10 = arith.constant dense<0.0> : tensor<10xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %counts = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8xi32>) outs(%z10 : tensor<10xf32>) {
  ^bb0(%label: i32, %sum: f32):
    %class = linalg.index 0 : index
    %c = arith.index_cast %class : index to i32
    %is = arith.cmpi eq, %label, %c : i32
    %one = arith.uitofp %is : i1 to f32
    %more = arith.addf %sum, %one : f32
    linalg.yield %more : f32
  } -> tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %new = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%w, %counts : tensor<10xf32>, tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%old: f32, %count: f32, %out: f32):
    %scaled = arith.mulf %count, %rate : f32
    %sum = arith.addf %old, %scaled : f32
    linalg.yield %sum : f32
  } -> tensor<10xf32>
  %score = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%y : tensor<8xi32>) outs(%z : tensor<f32>) {
  ^bb0(%label: i32, %sum: f32):
    %counted = arith.cmpi ne, %label, %ignored : i32
    %safe = arith.select %counted, %label, %none : i32
    %row = arith.index_cast %safe : i32 to index
    %read = tensor.extract %w[%row] : tensor<10xf32>
    %kept = arith.select %counted, %read, %zero : f32
    %more = arith.addf %sum, %kept : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %new, %score : tensor<10xf32>, tensor<f32>
}

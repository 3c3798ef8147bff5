// Two words per sample: their rows of the table are looked up and added; the gradient is scattered into the rows. A word that
// samples of several ranks hold gets the sum of all of them.
#rows = affine_map<(b, j, t) -> (b, j)>
#words = affine_map<(b, j, t) -> (b, t)>
#table = affine_map<(v, j, b, t) -> (v, j)>
#token = affine_map<(v, j, b, t) -> (b, t)>
#error = affine_map<(v, j, b, t) -> (b, j)>
module {
  func.func @step(%table: tensor<7x3xf32> {ds.param = "table", ds.init = "normal(0.5)"},
      %token: tensor<16x2xi32> {ds.batch = 0 : i64, ds.name = "token"},
      %x: tensor<16x3xf32> {ds.batch = 0 : i64, ds.name = "x"}) -> (tensor<7x3xf32> {ds.updates = "table"}) {
    %mean = arith.constant dense<0.0625> : tensor<16x3xf32>
    %rate = arith.constant dense<0.5> : tensor<7x3xf32>
    %z = arith.constant dense<0.0> : tensor<16x3xf32>
    %zt = arith.constant dense<0.0> : tensor<7x3xf32>
    %h = linalg.generic {indexing_maps = [#words, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%token : tensor<16x2xi32>) outs(%z : tensor<16x3xf32>) {
    ^bb0(%word: i32, %acc: f32):
      %j = linalg.index 1 : index
      %v = arith.index_cast %word : i32 to index
      %row = tensor.extract %table[%v, %j] : tensor<7x3xf32>
      %s = arith.addf %acc, %row : f32
      linalg.yield %s : f32
    } -> tensor<16x3xf32>
    %d = arith.subf %h, %x : tensor<16x3xf32>
    %dh = arith.mulf %d, %mean : tensor<16x3xf32>
    %g = linalg.generic {indexing_maps = [#token, #error, #table],
                         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
        ins(%token, %dh : tensor<16x2xi32>, tensor<16x3xf32>) outs(%zt : tensor<7x3xf32>) {
    ^bb0(%word: i32, %a: f32, %acc: f32):
      %v = linalg.index 0 : index
      %row = arith.index_cast %v : index to i32
      %hit = arith.cmpi eq, %word, %row : i32
      %zero = arith.constant 0.0 : f32
      %take = arith.select %hit, %a, %zero : f32
      %s = arith.addf %acc, %take : f32
      linalg.yield %s : f32
    } -> tensor<7x3xf32>
    %s = arith.mulf %g, %rate : tensor<7x3xf32>
    %new = arith.subf %table, %s : tensor<7x3xf32>
    return %new : tensor<7x3xf32>
  }
}

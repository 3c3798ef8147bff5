// Two logits, -(x . w) and x . w: class 1 is where the prediction of linear.mlir is positive. For 3 samples.
#x = affine_map<(i, c, j) -> (i, j)>
#w = affine_map<(i, c, j) -> (j)>
#out = affine_map<(i, c, j) -> (i, c)>
module {
  func.func @forward(%w: tensor<3xf32> {ds.param = "w"}, %x: tensor<3x3xf32> {ds.batch = 0 : i64, ds.name = "x"})
      -> (tensor<3x2xf32> {ds.batch = 0 : i64, ds.name = "logits"}) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3x2xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x2xf32>) -> tensor<3x2xf32>
    %logits = linalg.generic {indexing_maps = [#x, #w, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<3x3xf32>, tensor<3xf32>) outs(%init : tensor<3x2xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %c = linalg.index 1 : index
        %one = arith.constant 1 : index
        %positive = arith.cmpi eq, %c, %one : index
        %n = arith.negf %p : f32
        %q = arith.select %positive, %p, %n : f32
        %s = arith.addf %acc, %q : f32
        linalg.yield %s : f32
    } -> tensor<3x2xf32>
    return %logits : tensor<3x2xf32>
  }
}

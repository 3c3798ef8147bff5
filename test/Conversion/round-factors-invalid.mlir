// RUN: ds-opt %s -split-input-file -verify-diagnostics --ds-round-factors

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @refuses_a_product_of_f64(%x: tensor<4x4xf64>, %zeros: tensor<4x4xf64>) -> tensor<4x4xf64> {
    // expected-error @below {{'precision' is 'bf16', but this product is of f64; expected factors of f32, or precision=ieee}}
    %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %x : tensor<4x4xf64>, tensor<4x4xf64>) outs(%zeros : tensor<4x4xf64>) {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      linalg.yield %s : f64
    } -> tensor<4x4xf64>
    return %0 : tensor<4x4xf64>
  }
}

// -----

// Other arithmetic of f64 is not refused: a norm, a sum.
#one = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
module attributes {ds.config = #ds.config<precision = bf16>} {
  func.func @takes_a_norm_of_f64(%x: tensor<4xf64>, %zero: tensor<f64>) -> tensor<f64> {
    %0 = linalg.generic {indexing_maps = [#one, #one, #none], iterator_types = ["reduction"]}
        ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%zero : tensor<f64>) {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      linalg.yield %s : f64
    } -> tensor<f64>
    return %0 : tensor<f64>
  }
}

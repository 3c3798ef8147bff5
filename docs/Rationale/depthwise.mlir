func.func @depthwise(%x: memref<8x96x16x16xf32>, %k: memref<96x3x3xf32>, %y: memref<8x96x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x96x14x14xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w, i, j) -> (n, c, h + i, w + j)>,
                       affine_map<(n, c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %k : memref<8x96x16x16xf32>, memref<96x3x3xf32>) outs(%y : memref<8x96x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}

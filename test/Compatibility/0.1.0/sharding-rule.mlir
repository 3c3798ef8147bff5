module {
  func.func @rules(%arg0: tensor<4x16xf32>, %arg1: tensor<16x8xf32>, %arg2: f32) {
    %0 = "other.matmul"(%arg0, %arg1) {ds.sharding_rule = #ds.sharding_rule<([i, k], [k, j]) -> ([i, j]) {i=4, j=8, k=16, k: sum} linear=[arg0 * arg1]>} : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %1:2 = "other.two"(%arg0, %arg2) {ds.sharding_rule = #ds.sharding_rule<([i, _], []) -> ([i], [i]) {i=4} linear=[arg0 + arg1, none]>} : (tensor<4x16xf32>, f32) -> (tensor<4xf32>, tensor<4xf32>)
    %2 = "other.flatten"(%arg0) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=16}>} : (tensor<4x16xf32>) -> tensor<64xf32>
    %3 = "other.slice"(%arg0) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([i, j[2:6]]) {i=4, j=16}>} : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %4 = "other.window"(%arg0) {ds.sharding_rule = #ds.sharding_rule<([i, j*2+k]) -> ([i, j]) {i=4, j=7, k=3, k: max}>} : (tensor<4x16xf32>) -> tensor<4x7xf32>
    %5 = "other.every"(%arg0) {ds.sharding_rule = #ds.sharding_rule<([i, j*?]) -> ([i, j]) {i=4, j=?}>} : (tensor<4x16xf32>) -> tensor<4x7xf32>
    "other.nothing"() {ds.sharding_rule = #ds.sharding_rule<() -> ()>} : () -> ()
    return
  }
}

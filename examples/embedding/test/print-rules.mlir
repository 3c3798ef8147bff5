// RUN: nn-opt %s --ds-print-sharding-rules | FileCheck %s

func.func @f(%x: tensor<8x3xf32>, %w: tensor<3x2xf32>, %v: tensor<2xf32>) -> tensor<8x2xf32> {
  // CHECK: nn.contract {{.*}} {ds.rule = #ds.sharding_rule<([i, j], [j, k]) -> ([i, k]) {i=8, j=3, k=2, j: sum} linear=[arg0 * arg1]>}
  %y = nn.contract "bi,io->bo" %x, %w : tensor<8x3xf32>, tensor<3x2xf32> -> tensor<8x2xf32>
  // CHECK: nn.gate {{.*}} {ds.rule = #ds.sharding_rule<([i, j], [i, j]) -> ([i, j]) {i=8, j=2} linear=[arg0]>}
  %a = nn.gate %y by %y : tensor<8x2xf32>
  // What is written is printed as it is; without a rule there is none.
  // CHECK: nn.add_row {{.*}}ds.rule = #ds.sharding_rule<([i, j], [j]) -> ([i, j]) {i=8, j=2} linear=[arg0 + arg1]>
  %b = nn.add_row %a, %v {ds.sharding_rule = #ds.sharding_rule<([i, j], [j]) -> ([i, j]) {i=8, j=2} linear=[arg0 + arg1]>}
      : tensor<8x2xf32>, tensor<2xf32>
  // CHECK: nn.add_row %{{.*}}, %{{.*}} : tensor
  %c = nn.add_row %b, %v : tensor<8x2xf32>, tensor<2xf32>
  return %c : tensor<8x2xf32>
}

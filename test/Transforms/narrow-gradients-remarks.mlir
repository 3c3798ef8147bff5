// RUN: ds-opt %s --ds-narrow-gradients --verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all

module attributes {ds.config = #ds.config<device_num = 4, wire_type = f16>} {
  func.func @says_what_is_rounded(%g: tensor<4xf32>, %h: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    // expected-remark @below {{gradients are rounded for their way", bits=16, operands=2}}
    %r:2 = ds.all_reduce sum %g, %h : tensor<4xf32>, tensor<4xf32>
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
  }
}

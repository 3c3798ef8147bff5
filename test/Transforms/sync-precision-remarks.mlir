// RUN: ds-opt %s --ds-sync-precision --split-input-file --verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all

func.func @says_what_travels(%g: tensor<4xbf16>, %h: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  // expected-remark @below {{16-bit values travel as f32", operands=2}}
  %r:2 = ds.all_reduce sum %g, %h : tensor<4xbf16>, tensor<4xbf16>
  return %r#0, %r#1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----
func.func @refuses_buffers(%g: memref<4xbf16>) {
  // expected-error @below {{expected a reduction on tensors; run ds-sync-precision before bufferization}}
  ds.all_reduce sum %g : memref<4xbf16>
  return
}

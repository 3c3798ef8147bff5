// RUN: ds-opt %s --ds-narrow-gradients --split-input-file --verify-diagnostics

module attributes {ds.config = #ds.config<device_num = 4, wire_type = bf16>} {
  func.func @in_place(%g: memref<4xf32>) {
    // expected-error @below {{expected a reduction on tensors; run ds-narrow-gradients before bufferization}}
    ds.all_reduce sum %g : memref<4xf32>
    return
  }
}

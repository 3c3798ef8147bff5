// RUN: ds-opt %s --ds-apply-mean --split-input-file --verify-diagnostics --remarks-filter="ds-.*" --remark-policy=all

module attributes {ds.config = #ds.config<device_num = 4, gradients_mean = true>} {
func.func @says_that_it_multiplies(%g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{sum multiplied by 1/n", ranks=4}}
  %r = ds.all_reduce mean %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<deterministic = false, gradients_mean = true>} {
func.func @says_that_the_backend_averages(%g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{mean left to the backend}}
  %r = ds.all_reduce mean %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
}

// -----
module attributes {ds.config = #ds.config<gradients_mean = true>} {
func.func @refuses_buffers(%g: memref<4xf32>) {
  // expected-error @below {{expected a mean on tensors; run ds-apply-mean before bufferization}}
  ds.all_reduce mean %g : memref<4xf32>
  return
}
}

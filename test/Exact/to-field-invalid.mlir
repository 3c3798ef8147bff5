// RUN: ds-opt %s --ds-to-field --split-input-file --verify-diagnostics

func.func @no_reading_of_complex_numbers(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{has the type 'tensor<4xcomplex<f32>>', expected real numbers and ranked tensors of them}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xcomplex<f32>>) outs(%x : tensor<4xcomplex<f32>>) {
  ^bb0(%in: complex<f32>, %out: complex<f32>):
    linalg.yield %in : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----
func.func @no_reading_of_what_no_table_knows(%x: f32) -> f32 {
  // expected-error @+1 {{has no reading over a field}}
  %0 = ds.replicated_to_partial sum %x : f32
  return %0 : f32
}

// -----
func.func @a_mean_of_unknown_ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a mean over ranks whose number is not known has no reading over a field; set device_num}}
  %0 = ds.all_reduce mean %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @a_product_of_unknown_ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a product over ranks whose number is not known has no reading over a field; set device_num}}
  %0 = ds.all_reduce prod %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
module attributes {ds.config = #ds.config<device_num = 2>} {
func.func @a_scattered_product(%x: tensor<4xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{a product over ranks other than ds.all_reduce has no reading over a field}}
  %0 = ds.reduce_scatter prod %x into %init along 0 : tensor<4xf32> into tensor<2xf32>
  return %0 : tensor<2xf32>
}
}

// -----
module attributes {ds.config = #ds.config<device_num = 4>} {
func.func @a_product_of_a_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a product over a list of ranks has no reading over a field}}
  %0 = ds.all_reduce prod %x {group = array<i64: 0, 1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// RUN: ds-opt %s --split-input-file --verify-diagnostics
// Operations with destinations that start a collective: constraints as those of the forms that block, and of their waits.

func.func @reduce_scatter_start_c2_tensor_into_memref(%a: tensor<4xf32>, %o: memref<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<2xf32>'}}
  %p = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into memref<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c4_two_wire_types(%a: tensor<4xf32>, %o: tensor<2xbf16>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected one element type, got 'f32' and 'bf16'}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into tensor<2xbf16>
  return
}

// -----
func.func @reduce_scatter_start_c5_and_of_floats(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected integers for 'and', got 'f32'}}
  %r, %h = ds.reduce_scatter_start and %a into %o along 0 : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c8_negative_fusion(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected 'fusion' to be at least 0, got -2}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 {fusion = -2 : i64} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c9_no_such_dimension(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected dimension 1 in both types, got 'tensor<4xf32>' and 'tensor<2xf32>'}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 1 : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c10_other_dimension_differs(%a: tensor<4x3xf32>, %o: tensor<2x2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected types that agree but along dimension 0, got 'tensor<4x3xf32>' and 'tensor<2x2xf32>'}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4x3xf32> into tensor<2x2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c10_not_a_multiple(%a: tensor<4xf32>, %o: tensor<3xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected dimension 0 to be a multiple, got 4 and 3}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into tensor<3xf32>
  return
}

// -----
func.func @reduce_scatter_start_c10_group_size(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected 4 shares, got 2}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 {group = array<i64: 0, 1, 2, 3>} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @all_gather_start_c1_no_operands() {
  // expected-error @below {{'ds.all_gather_start' op expected at least one operand}}
  %h = "ds.all_gather_start"() {dim = 0 : i64} : () -> !ds.pending
  return
}

// -----
func.func @all_gather_start_c9_no_such_dimension(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected dimension -1 in both types}}
  %r, %h = ds.all_gather_start %a into %o along -1 : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_start_c10_different_shares(%a: tensor<2xf32>, %o: tensor<4xf32>, %p: tensor<8xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected 2 shares, got 4}}
  %r:2, %h = ds.all_gather_start %a, %a into %o, %p along 0 : tensor<2xf32>, tensor<2xf32> into tensor<4xf32>, tensor<8xf32>
  return
}

// -----
func.func @reduce_scatter_start_c1_no_operands() {
  // expected-error @below {{'ds.reduce_scatter_start' op expected at least one operand}}
  %h = "ds.reduce_scatter_start"() {kind = #ds<reduction sum>, dim = 0 : i64} : () -> !ds.pending
  return
}

// -----
func.func @reduce_scatter_start_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected a static shape, got 'tensor<?xf32>'}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<?xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c6_empty_group(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected a group of at least one rank}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 {group = array<i64>} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c7_empty_name(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected names that are not empty}}
  %r, %h = ds.reduce_scatter_start sum %a into %o along 0 {names = [[""]]} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @all_gather_start_c2_tensor_into_memref(%a: tensor<2xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected only tensors or only memrefs, got 'memref<4xf32>' and 'tensor<2xf32>'}}
  %p = ds.all_gather_start %a into %o along 0 : tensor<2xf32> into memref<4xf32>
  return
}

// -----
func.func @all_gather_start_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected a static shape, got 'tensor<?xf32>'}}
  %r, %h = ds.all_gather_start %a into %o along 0 : tensor<?xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_start_c4_two_wire_types(%a: tensor<2xf32>, %o: tensor<4xbf16>) {
  // expected-error @below {{'ds.all_gather_start' op expected one element type, got 'f32' and 'bf16'}}
  %r, %h = ds.all_gather_start %a into %o along 0 : tensor<2xf32> into tensor<4xbf16>
  return
}

// -----
func.func @all_gather_start_c6_empty_group(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected a group of at least one rank}}
  %r, %h = ds.all_gather_start %a into %o along 0 {group = array<i64>} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_start_c7_empty_name(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected names that are not empty}}
  %r, %h = ds.all_gather_start %a into %o along 0 {names = [[""]]} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_start_c8_negative_fusion(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected 'fusion' to be at least 0, got -1}}
  %r, %h = ds.all_gather_start %a into %o along 0 {fusion = -1 : i64} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @reduce_scatter_start_c11_not_waited(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter_start' op expected the handle to be used by exactly one 'ds.wait'}}
  %t, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_start_c12_used_in_flight(%a: tensor<4xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{'ds.reduce_scatter_start' op expected a started tensor to be used by its 'ds.wait' only}}
  %t, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into tensor<2xf32>
  // expected-note @below {{also used here}}
  %s = arith.addf %t, %t : tensor<2xf32>
  %r = ds.wait %h, %t : tensor<2xf32> keeping %a : tensor<4xf32>
  return %s : tensor<2xf32>
}

// -----
func.func @all_gather_start_c11_not_waited(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather_start' op expected the handle to be used by exactly one 'ds.wait'}}
  %t, %h = ds.all_gather_start %a into %o along 0 : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_start_c12_used_in_flight(%a: tensor<2xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'ds.all_gather_start' op expected a started tensor to be used by its 'ds.wait' only}}
  %t, %h = ds.all_gather_start %a into %o along 0 : tensor<2xf32> into tensor<4xf32>
  // expected-note @below {{also used here}}
  %s = arith.addf %t, %t : tensor<4xf32>
  %r = ds.wait %h, %t : tensor<4xf32> keeping %a : tensor<2xf32>
  return %s : tensor<4xf32>
}

// -----
func.func @wait_c3_without_what_leaves(%a: tensor<4xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  %t, %h = ds.reduce_scatter_start sum %a into %o along 0 : tensor<4xf32> into tensor<2xf32>
  // expected-error @below {{'ds.wait' op expected to keep all that its start reads and does not write, in order}}
  %r = ds.wait %h, %t : tensor<2xf32>
  return %r : tensor<2xf32>
}

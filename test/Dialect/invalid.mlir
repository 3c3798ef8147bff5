// Every constraint of every operation, broken once. The function names carry the label of the description.
// RUN: ds-opt %s --split-input-file --verify-diagnostics

func.func @gradient_c1_integers(%a: tensor<4xi32>) {
  // expected-error @below {{'ds.gradient' op expected a tensor of floats, got 'tensor<4xi32>'}}
  %g = ds.gradient %a of "w" : tensor<4xi32>
  return
}

// -----
func.func @gradient_c1_dynamic_shape(%a: tensor<?xf32>) {
  // expected-error @below {{'ds.gradient' op expected a static shape, got 'tensor<?xf32>'}}
  %g = ds.gradient %a of "w" : tensor<?xf32>
  return
}

// -----
func.func @gradient_c2_empty_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.gradient' op expected the name of a parameter, got an empty one}}
  %g = ds.gradient %a of "" : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c1_no_operands() {
  // expected-error @below {{'ds.all_reduce' op expected at least one operand}}
  "ds.all_reduce"() {kind = #ds<reduction sum>} : () -> ()
  return
}

// -----
func.func @all_reduce_c2_tensor_and_memref(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<4xf32>'}}
  %r = ds.all_reduce sum %a, %b : tensor<4xf32>, memref<4xf32>
  return
}

// -----
func.func @all_reduce_c2_result_missing(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected 1 results, got 0}}
  "ds.all_reduce"(%a) {kind = #ds<reduction sum>} : (tensor<4xf32>) -> ()
  return
}

// -----
func.func @all_reduce_c2_result_of_memref(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected 0 results, got 1}}
  %r = "ds.all_reduce"(%a) {kind = #ds<reduction sum>} : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c2_other_result_type(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected a result of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %r = "ds.all_reduce"(%a) {kind = #ds<reduction sum>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----
func.func @all_reduce_c3_dynamic_shape(%a: tensor<?xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.all_reduce sum %a : tensor<?xf32>
  return
}

// -----
func.func @all_reduce_c3_strided_memref(%a: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @below {{'ds.all_reduce' op expected a contiguous memref, got 'memref<4x4xf32, strided<[8, 1]>>'}}
  ds.all_reduce sum %a : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----
func.func @all_reduce_c4_two_wire_types(%a: tensor<4xf32>, %b: tensor<4xbf16>) {
  // expected-error @below {{'ds.all_reduce' op expected one element type, got 'f32' and 'bf16'}}
  %r:2 = ds.all_reduce sum %a, %b : tensor<4xf32>, tensor<4xbf16>
  return
}

// -----
func.func @all_reduce_c4_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @below {{'ds.all_reduce' op expected integers or floats, got 'complex<f32>'}}
  %r = ds.all_reduce sum %a : tensor<4xcomplex<f32>>
  return
}

// -----
func.func @all_reduce_c4_index(%a: tensor<4xindex>) {
  // expected-error @below {{'ds.all_reduce' op expected integers or floats, got 'index'}}
  %r = ds.all_reduce max %a : tensor<4xindex>
  return
}

// -----
func.func @all_reduce_c5_mean_of_integers(%a: tensor<4xi32>) {
  // expected-error @below {{'ds.all_reduce' op expected floats for 'mean', got 'i32'}}
  %r = ds.all_reduce mean %a : tensor<4xi32>
  return
}

// -----
func.func @all_reduce_c5_and_of_floats(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected integers for 'and', got 'f32'}}
  %r = ds.all_reduce and %a : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c5_or_of_floats(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected integers for 'or', got 'f32'}}
  %r = ds.all_reduce or %a : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c5_sum_of_bits(%a: tensor<4xi1>) {
  // expected-error @below {{'ds.all_reduce' op expected floats or integers of at least 8 bits for 'sum', got 'i1'}}
  %r = ds.all_reduce sum %a : tensor<4xi1>
  return
}

// -----
func.func @all_reduce_c6_empty_group(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected a group of at least one rank}}
  %r = ds.all_reduce sum %a {group = array<i64>} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c6_duplicate_rank(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected distinct ranks in 'group', got 1 twice}}
  %r = ds.all_reduce sum %a {group = array<i64: 1, 0, 1>} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c6_negative_rank(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected ranks from 0 in 'group', got -1}}
  %r = ds.all_reduce sum %a {group = array<i64: -1, 0>} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c7_lists_and_operands(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected one list of names per operand, got 1 lists for 2 operands}}
  %r:2 = ds.all_reduce sum %a, %b {names = [["w"]]} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c7_operand_without_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected at least one name per operand}}
  %r = ds.all_reduce sum %a {names = [[]]} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c7_empty_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected names that are not empty}}
  %r = ds.all_reduce sum %a {names = [[""]]} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c8_negative_fusion(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected 'fusion' to be at least 0, got -1}}
  %r = ds.all_reduce sum %a {fusion = -1 : i64} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_c9_buffer_twice(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected distinct buffers, got one twice}}
  ds.all_reduce sum %a, %a : memref<4xf32>, memref<4xf32>
  return
}

// -----
func.func @all_reduce_unknown_kind(%a: memref<4xf32>) {
  // expected-error @below {{unknown reduction 'product', expected sum, mean, max, min, prod, and or or}}
  ds.all_reduce product %a : memref<4xf32>
  return
}

// -----
func.func @all_reduce_start_c4_two_wire_types(%a: tensor<4xf32>, %b: tensor<4xbf16>) {
  // expected-error @below {{'ds.all_reduce_start' op expected one element type, got 'f32' and 'bf16'}}
  %t:2, %p = ds.all_reduce_start sum %a, %b : tensor<4xf32>, tensor<4xbf16>
  return
}

// -----
func.func @all_reduce_start_c10_not_waited(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected the handle to be used by exactly one 'ds.wait'}}
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_start_c10_waited_twice(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected the handle to be used by exactly one 'ds.wait'}}
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  ds.wait %p, %a : memref<4xf32>
  return
}

// -----
func.func @broadcast_c1_no_operands() {
  // expected-error @below {{'ds.broadcast' op expected at least one operand}}
  "ds.broadcast"() {root = 0 : i64} : () -> ()
  return
}

// -----
func.func @broadcast_c5_negative_root(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected a root from 0, got -1}}
  %r = ds.broadcast %a from -1 : tensor<4xf32>
  return
}

// -----
func.func @broadcast_c5_root_outside_group(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected the root to be a rank of 'group', got 2}}
  %r = ds.broadcast %a from 2 {group = array<i64: 0, 1>} : tensor<4xf32>
  return
}

// -----
func.func @reduce_scatter_c2_tensor_into_memref(%a: tensor<4xf32>, %o: memref<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<2xf32>'}}
  ds.reduce_scatter sum %a into %o along 0 : tensor<4xf32> into memref<2xf32>
  return
}

// -----
func.func @reduce_scatter_c4_two_wire_types(%a: tensor<4xf32>, %o: tensor<2xbf16>) {
  // expected-error @below {{'ds.reduce_scatter' op expected one element type, got 'f32' and 'bf16'}}
  %r = ds.reduce_scatter sum %a into %o along 0 : tensor<4xf32> into tensor<2xbf16>
  return
}

// -----
func.func @reduce_scatter_c5_and_of_floats(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected integers for 'and', got 'f32'}}
  %r = ds.reduce_scatter and %a into %o along 0 : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_c8_negative_fusion(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected 'fusion' to be at least 0, got -2}}
  %r = ds.reduce_scatter sum %a into %o along 0 {fusion = -2 : i64} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_c9_no_such_dimension(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected dimension 1 in both types, got 'tensor<4xf32>' and 'tensor<2xf32>'}}
  %r = ds.reduce_scatter sum %a into %o along 1 : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_c10_other_dimension_differs(%a: tensor<4x3xf32>, %o: tensor<2x2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected types that agree but along dimension 0, got 'tensor<4x3xf32>' and 'tensor<2x2xf32>'}}
  %r = ds.reduce_scatter sum %a into %o along 0 : tensor<4x3xf32> into tensor<2x2xf32>
  return
}

// -----
func.func @reduce_scatter_c10_not_a_multiple(%a: tensor<4xf32>, %o: tensor<3xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected dimension 0 to be a multiple, got 4 and 3}}
  %r = ds.reduce_scatter sum %a into %o along 0 : tensor<4xf32> into tensor<3xf32>
  return
}

// -----
func.func @reduce_scatter_c10_group_size(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected 4 shares, got 2}}
  %r = ds.reduce_scatter sum %a into %o along 0 {group = array<i64: 0, 1, 2, 3>} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @all_gather_c1_no_operands() {
  // expected-error @below {{'ds.all_gather' op expected at least one operand}}
  "ds.all_gather"() {dim = 0 : i64} : () -> ()
  return
}

// -----
func.func @all_gather_c9_no_such_dimension(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected dimension -1 in both types}}
  %r = ds.all_gather %a into %o along -1 : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_c10_different_shares(%a: tensor<2xf32>, %o: tensor<4xf32>, %p: tensor<8xf32>) {
  // expected-error @below {{'ds.all_gather' op expected 2 shares, got 4}}
  %r:2 = ds.all_gather %a, %a into %o, %p along 0 : tensor<2xf32>, tensor<2xf32> into tensor<4xf32>, tensor<8xf32>
  return
}

// -----
func.func @barrier_c6_duplicate_rank() {
  // expected-error @below {{'ds.barrier' op expected distinct ranks in 'group', got 0 twice}}
  ds.barrier {group = array<i64: 0, 0>}
  return
}

// -----
func.func @all_reduce_start_c11_started_tensor_used_elsewhere(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'ds.all_reduce_start' op expected a started tensor to be used by its 'ds.wait' only}}
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  // expected-note @below {{also used here}}
  %s = arith.addf %t, %t : tensor<4xf32>
  %r = ds.wait %p, %t : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----
func.func @wait_c1_handle_of_unknown_origin(%p: !ds.pending, %t: tensor<4xf32>) {
  // expected-error @below {{'ds.wait' op expected the handle of an operation that starts a collective}}
  %r = ds.wait %p, %t : tensor<4xf32>
  return
}

// -----
func.func @wait_c2_tensors_swapped(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-note @below {{started here}}
  %t:2, %p = ds.all_reduce_start sum %a, %b : tensor<4xf32>, tensor<4xf32>
  // expected-error @below {{'ds.wait' op expected all values of its start, in order}}
  %r:2 = ds.wait %p, %t#1, %t#0 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----
func.func @wait_c2_other_buffer(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-note @below {{started here}}
  %p = ds.all_reduce_start sum %a : memref<4xf32>
  // expected-error @below {{'ds.wait' op expected all values of its start, in order}}
  ds.wait %p, %b : memref<4xf32>
  return
}

// -----
func.func @all_reduce_start_c1_no_operands() {
  // expected-error @below {{'ds.all_reduce_start' op expected at least one operand}}
  %p = "ds.all_reduce_start"() {kind = #ds<reduction sum>} : () -> !ds.pending
  return
}

// -----
func.func @all_reduce_start_c2_tensor_and_memref(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<4xf32>'}}
  %t, %p = ds.all_reduce_start sum %a, %b : tensor<4xf32>, memref<4xf32>
  return
}

// -----
func.func @all_reduce_start_c3_dynamic_shape(%a: tensor<?xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected a static shape, got 'tensor<?xf32>'}}
  %t, %p = ds.all_reduce_start sum %a : tensor<?xf32>
  return
}

// -----
func.func @all_reduce_start_c5_mean_of_integers(%a: tensor<4xi32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected floats for 'mean', got 'i32'}}
  %t, %p = ds.all_reduce_start mean %a : tensor<4xi32>
  return
}

// -----
func.func @all_reduce_start_c6_duplicate_rank(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected distinct ranks in 'group', got 1 twice}}
  %t, %p = ds.all_reduce_start sum %a {group = array<i64: 1, 1>} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_start_c7_empty_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected names that are not empty}}
  %t, %p = ds.all_reduce_start sum %a {names = [[""]]} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_start_c8_negative_fusion(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected 'fusion' to be at least 0, got -1}}
  %t, %p = ds.all_reduce_start sum %a {fusion = -1 : i64} : tensor<4xf32>
  return
}

// -----
func.func @all_reduce_start_c9_buffer_twice(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_reduce_start' op expected distinct buffers, got one twice}}
  %p = ds.all_reduce_start sum %a, %a : memref<4xf32>, memref<4xf32>
  return
}

// -----
func.func @broadcast_c2_tensor_and_memref(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<4xf32>'}}
  %r = ds.broadcast %a, %b from 0 : tensor<4xf32>, memref<4xf32>
  return
}

// -----
func.func @broadcast_c3_dynamic_shape(%a: tensor<?xf32>) {
  // expected-error @below {{'ds.broadcast' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.broadcast %a from 0 : tensor<?xf32>
  return
}

// -----
func.func @broadcast_c4_two_wire_types(%a: tensor<4xf32>, %b: tensor<4xbf16>) {
  // expected-error @below {{'ds.broadcast' op expected one element type, got 'f32' and 'bf16'}}
  %r:2 = ds.broadcast %a, %b from 0 : tensor<4xf32>, tensor<4xbf16>
  return
}

// -----
func.func @broadcast_c6_duplicate_rank(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected distinct ranks in 'group', got 1 twice}}
  %r = ds.broadcast %a from 0 {group = array<i64: 1, 1>} : tensor<4xf32>
  return
}

// -----
func.func @broadcast_c7_empty_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected names that are not empty}}
  %r = ds.broadcast %a from 0 {names = [[""]]} : tensor<4xf32>
  return
}

// -----
func.func @broadcast_c9_buffer_twice(%a: memref<4xf32>) {
  // expected-error @below {{'ds.broadcast' op expected distinct buffers, got one twice}}
  ds.broadcast %a, %a from 0 : memref<4xf32>, memref<4xf32>
  return
}

// -----
func.func @reduce_scatter_c1_no_operands() {
  // expected-error @below {{'ds.reduce_scatter' op expected at least one operand}}
  "ds.reduce_scatter"() {kind = #ds<reduction sum>, dim = 0 : i64} : () -> ()
  return
}

// -----
func.func @reduce_scatter_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.reduce_scatter sum %a into %o along 0 : tensor<?xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_c6_empty_group(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected a group of at least one rank}}
  %r = ds.reduce_scatter sum %a into %o along 0 {group = array<i64>} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @reduce_scatter_c7_empty_name(%a: tensor<4xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{'ds.reduce_scatter' op expected names that are not empty}}
  %r = ds.reduce_scatter sum %a into %o along 0 {names = [[""]]} : tensor<4xf32> into tensor<2xf32>
  return
}

// -----
func.func @all_gather_c2_tensor_into_memref(%a: tensor<2xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected only tensors or only memrefs, got 'memref<4xf32>' and 'tensor<2xf32>'}}
  ds.all_gather %a into %o along 0 : tensor<2xf32> into memref<4xf32>
  return
}

// -----
func.func @all_gather_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.all_gather %a into %o along 0 : tensor<?xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_c4_two_wire_types(%a: tensor<2xf32>, %o: tensor<4xbf16>) {
  // expected-error @below {{'ds.all_gather' op expected one element type, got 'f32' and 'bf16'}}
  %r = ds.all_gather %a into %o along 0 : tensor<2xf32> into tensor<4xbf16>
  return
}

// -----
func.func @all_gather_c6_empty_group(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected a group of at least one rank}}
  %r = ds.all_gather %a into %o along 0 {group = array<i64>} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_c7_empty_name(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected names that are not empty}}
  %r = ds.all_gather %a into %o along 0 {names = [[""]]} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_gather_c8_negative_fusion(%a: tensor<2xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_gather' op expected 'fusion' to be at least 0, got -1}}
  %r = ds.all_gather %a into %o along 0 {fusion = -1 : i64} : tensor<2xf32> into tensor<4xf32>
  return
}

// -----
func.func @combine_c1_index(%a: index) {
  // expected-error @below {{'ds.combine' op expected an integer or a float, or a tensor of these of a static shape, got 'index'}}
  %r = ds.combine sum %a : index
  return
}

// -----
func.func @combine_c1_dynamic(%a: tensor<?xf32>) {
  // expected-error @below {{'ds.combine' op expected an integer or a float, or a tensor of these of a static shape, got 'tensor<?xf32>'}}
  %r = ds.combine sum %a : tensor<?xf32>
  return
}

// -----
func.func @combine_c2_mean_of_integers(%a: i32) {
  // expected-error @below {{'ds.combine' op expected floats for 'mean', got 'i32'}}
  %r = ds.combine mean %a : i32
  return
}

// -----
func.func @combine_c2_and_of_floats(%a: tensor<2xf32>) {
  // expected-error @below {{'ds.combine' op expected integers for 'and', got 'f32'}}
  %r = ds.combine and %a : tensor<2xf32>
  return
}

// -----
func.func @replicated_to_partial_c1_mean(%a: f32) {
  // expected-error @below {{'ds.replicated_to_partial' op cannot count a value once under 'mean'}}
  %r = ds.replicated_to_partial mean %a : f32
  return
}

// -----
func.func @replicated_to_partial_c2_complex(%a: complex<f32>) {
  // expected-error @below {{'ds.replicated_to_partial' op expected an integer or float element type, got 'complex<f32>'}}
  %r = ds.replicated_to_partial sum %a : complex<f32>
  return
}

// -----

func.func @reshard_c1_dimension(%a: tensor<8xf32>) {
  // expected-error @below {{'ds.reshard' op expected a shard of 'tensor<8xf32>', got #ds.placement<sharded(1, 1, 4)>}}
  %r = ds.reshard %a from <replicated> to <sharded(1, 1, 4)> : tensor<8xf32>
  return
}

// -----

func.func @reshard_c1_factors(%a: tensor<8xf32>) {
  // expected-error @below {{'ds.reshard' op expected a shard of 'tensor<8xf32>', got #ds.placement<sharded(0, 1, 3)>}}
  %r = ds.reshard %a from <sharded(0, 1, 3)> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @reshard_c1_of_factors_that_overflow(%a: tensor<8xf32>) {
  // expected-error @below {{'ds.reshard' op expected a shard of 'tensor<8xf32>', got #ds.placement<sharded(0, 4294967296, 4294967296)>}}
  %r = ds.reshard %a from <sharded(0, 4294967296, 4294967296)> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @reshard_c2_alike(%a: tensor<8xf32>) {
  // expected-error @below {{'ds.reshard' op expected a move to replicated or sharded, got #ds.placement<replicated> to #ds.placement<replicated>}}
  %r = ds.reshard %a from <replicated> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @reshard_c2_to_partial(%a: tensor<8xf32>) {
  // expected-error @below {{'ds.reshard' op expected a move to replicated or sharded, got #ds.placement<replicated> to #ds.placement<partial(sum)>}}
  %r = ds.reshard %a from <replicated> to <partial(sum)> : tensor<8xf32>
  return
}

// -----

func.func @reshard_c3_digits_overlap(%a: tensor<16xf32>) {
  // expected-error @below {{'ds.reshard' op expected shards of as many ranks whose digits do not overlap, got #ds.placement<sharded(0, 1, 4)> to #ds.placement<sharded(0, 2, 2)>}}
  %r = ds.reshard %a from <sharded(0, 1, 4)> to <sharded(0, 2, 2)> : tensor<16xf32>
  return
}

// -----

func.func @reshard_c3_other_ranks(%a: tensor<8x6xf32>) {
  // expected-error @below {{'ds.reshard' op expected shards of as many ranks whose digits do not overlap, got #ds.placement<sharded(0, 1, 4)> to #ds.placement<sharded(1, 2, 1)>}}
  %r = ds.reshard %a from <sharded(0, 1, 4)> to <sharded(1, 2, 1)> : tensor<8x6xf32>
  return
}

// -----

func.func @placement_is_unknown(%a: tensor<8xf32>) {
  // expected-error @below {{unknown placement 'mirrored', expected replicated, sharded or partial}}
  %r = ds.reshard %a from <mirrored> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @placement_of_two_factors(%a: tensor<8xf32>) {
  // expected-error @below {{expected a dimension and two factors of at least 1}}
  %r = ds.reshard %a from <sharded(0, 4)> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @placement_of_an_unknown_reduction(%a: tensor<8xf32>) {
  // expected-error @below {{unknown reduction 'median', expected sum, mean, max, min, prod, and or or}}
  %r = ds.reshard %a from <partial(median)> to <replicated> : tensor<8xf32>
  return
}

// -----

func.func @replicated_to_partial_c3_twice(%a: f32) {
  // expected-error @below {{'ds.replicated_to_partial' op expected distinct axes in 'group', got 'tp' twice}}
  %r = ds.replicated_to_partial sum %a {group = ["tp", "tp"]} : f32
  return
}

// -----

func.func @rank_c1_empty() {
  // expected-error @below {{'ds.rank' op expected a group of at least one axis}}
  %r = ds.rank {group = []} : index
  return
}

// -----

func.func @num_ranks_c1_twice() {
  // expected-error @below {{'ds.num_ranks' op expected distinct axes in 'group', got 'tp' twice}}
  %r = ds.num_ranks {group = ["tp", "tp"]} : index
  return
}

// -----

func.func @shard_of_a_value_without_a_shape(%a: tensor<?x4xf32>) {
  // expected-error @below {{'ds.sharding_constraint' op operand #0 must be statically shaped tensor of any type values, but got 'tensor<?x4xf32>'}}
  %r = ds.sharding_constraint %a <[{"tp"}, {}]> : tensor<?x4xf32>
  return
}

// -----

func.func @sharding_constraint_c1_dimensions(%a: tensor<4x4xf32>) {
  // expected-error @below {{'ds.sharding_constraint' op expected 2 dimensions in the sharding of a 'tensor<4x4xf32>', got 1}}
  %r = ds.sharding_constraint %a <[{"tp"}]> : tensor<4x4xf32>
  return
}

// -----

func.func @shard_open_before_an_axis(%a: tensor<4x4xf32>) {
  // expected-error @below {{expected '}' after '?'}}
  %r = ds.sharding_constraint %a <[{?, "tp"}, {}]> : tensor<4x4xf32>
  return
}

// -----

func.func @all_reduce_c6_axes(%a: tensor<4x4xf32>) {
  // expected-error @below {{'ds.all_reduce' op expected distinct axes in 'group', got 'tp' twice}}
  %r = ds.all_reduce sum %a {group = ["tp", "tp"]} : tensor<4x4xf32>
  return
}

// -----

func.func @peer_c1_rank_is_negative(%g: memref<4xf32>) {
  // expected-error @below {{'ds.peer' op attribute 'rank' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %theirs = ds.peer %g {rank = -1 : i64} : memref<4xf32>
  return
}

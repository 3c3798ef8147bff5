// What no exchange may be; the name of a function has the label of the constraint.
// RUN: ds-opt %s --split-input-file --verify-diagnostics

func.func @all_to_all_c1_no_operands() {
  // expected-error @below {{'ds.all_to_all' op expected at least one operand}}
  "ds.all_to_all"() {split = 0 : i64, concat = 0 : i64} : () -> ()
  return
}

// -----
func.func @all_to_all_c2_tensor_into_memref(%a: tensor<4x2xf32>, %o: memref<2x4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected only tensors or only memrefs, got 'tensor<4x2xf32>' and 'memref<2x4xf32>'}}
  ds.all_to_all %a into %o split 0 concat 1 : tensor<4x2xf32> into memref<2x4xf32>
  return
}

// -----
func.func @all_to_all_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.all_to_all %a into %o split 0 concat 0 : tensor<?xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_to_all_c4_two_wire_types(%a: tensor<4xf32>, %o: tensor<4xbf16>) {
  // expected-error @below {{'ds.all_to_all' op expected one element type, got 'f32' and 'bf16'}}
  %r = ds.all_to_all %a into %o split 0 concat 0 : tensor<4xf32> into tensor<4xbf16>
  return
}

// -----
func.func @all_to_all_c6_duplicate_rank(%a: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected distinct ranks in 'group', got 1 twice}}
  %r = ds.all_to_all %a into %o split 0 concat 0 {group = array<i64: 1, 1>} : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_to_all_c7_empty_name(%a: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected names that are not empty}}
  %r = ds.all_to_all %a into %o split 0 concat 0 {names = [[""]]} : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @all_to_all_c8_in_place(%a: memref<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected distinct buffers, got one twice}}
  ds.all_to_all %a into %a split 0 concat 0 : memref<4xf32> into memref<4xf32>
  return
}

// -----
func.func @all_to_all_c9_no_such_dimension(%a: tensor<4x2xf32>, %o: tensor<2x4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected dimension 2 in both types, got 'tensor<4x2xf32>' and 'tensor<2x4xf32>'}}
  %r = ds.all_to_all %a into %o split 0 concat 2 : tensor<4x2xf32> into tensor<2x4xf32>
  return
}

// -----
func.func @all_to_all_c9_other_rank(%a: tensor<4x2xf32>, %o: tensor<8xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected dimension 0 in both types, got 'tensor<4x2xf32>' and 'tensor<8xf32>'}}
  %r = ds.all_to_all %a into %o split 0 concat 0 : tensor<4x2xf32> into tensor<8xf32>
  return
}

// -----
func.func @all_to_all_c10_other_dimension(%a: tensor<4x2x3xf32>, %o: tensor<2x4x6xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected types that agree but along dimensions 0 and 1, got 'tensor<4x2x3xf32>' and 'tensor<2x4x6xf32>'}}
  %r = ds.all_to_all %a into %o split 0 concat 1 : tensor<4x2x3xf32> into tensor<2x4x6xf32>
  return
}

// -----
func.func @all_to_all_c10_lost_elements(%a: tensor<4x2xf32>, %o: tensor<2x2xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected blocks of dimension 0 one after another in dimension 1, got 'tensor<4x2xf32>' and 'tensor<2x2xf32>'}}
  %r = ds.all_to_all %a into %o split 0 concat 1 : tensor<4x2xf32> into tensor<2x2xf32>
  return
}

// -----
func.func @all_to_all_c10_no_blocks(%a: tensor<5x2xf32>, %o: tensor<2x5xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected blocks of dimension 0 one after another in dimension 1}}
  %r = ds.all_to_all %a into %o split 0 concat 1 : tensor<5x2xf32> into tensor<2x5xf32>
  return
}

// -----
func.func @all_to_all_c10_larger_group(%a: tensor<4x2xf32>, %o: tensor<2x4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected 4 shares, got 2}}
  %r = ds.all_to_all %a into %o split 0 concat 1 {group = array<i64: 0, 1, 2, 3>} : tensor<4x2xf32> into tensor<2x4xf32>
  return
}

// -----
func.func @all_to_all_c10_different_shares(%a: tensor<4x2xf32>, %o: tensor<2x4xf32>, %p: tensor<1x8xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected 2 shares, got 4}}
  %r:2 = ds.all_to_all %a, %a into %o, %p split 0 concat 1 : tensor<4x2xf32>, tensor<4x2xf32> into tensor<2x4xf32>, tensor<1x8xf32>
  return
}

// -----
func.func @all_to_all_c10_uneven_blocks(%a: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.all_to_all' op expected dimension 0 to be a multiple of 3, got 4}}
  %r = ds.all_to_all %a into %o split 0 concat 0 {group = array<i64: 0, 1, 2>} : tensor<4xf32> into tensor<4xf32>
  return
}

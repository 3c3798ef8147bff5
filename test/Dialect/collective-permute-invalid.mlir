// What no permutation may be; the name of a function has the label of the constraint.
// RUN: ds-opt %s --split-input-file --verify-diagnostics

func.func @collective_permute_c1_no_operands() {
  // expected-error @below {{'ds.collective_permute' op expected at least one operand}}
  "ds.collective_permute"() {sources = array<i64: 1, 0>} : () -> ()
  return
}

// -----
func.func @collective_permute_c2_tensor_into_memref(%a: tensor<4xf32>, %o: memref<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected only tensors or only memrefs, got 'tensor<4xf32>' and 'memref<4xf32>'}}
  ds.collective_permute %a into %o from [1, 0] : tensor<4xf32> into memref<4xf32>
  return
}

// -----
func.func @collective_permute_c3_dynamic_shape(%a: tensor<?xf32>, %o: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected a static shape, got 'tensor<?xf32>'}}
  %r = ds.collective_permute %a into %o from [1, 0] : tensor<?xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c4_two_wire_types(%a: tensor<4xf32>, %o: tensor<4xbf16>) {
  // expected-error @below {{'ds.collective_permute' op expected one element type, got 'f32' and 'bf16'}}
  %r = ds.collective_permute %a into %o from [1, 0] : tensor<4xf32> into tensor<4xbf16>
  return
}

// -----
func.func @collective_permute_c6_duplicate_rank(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected distinct ranks in 'group', got 1 twice}}
  %r = ds.collective_permute %a into %a from [1, 0] {group = array<i64: 1, 1>} : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c7_empty_name(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected names that are not empty}}
  %r = ds.collective_permute %a into %a from [1, 0] {names = [[""]]} : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c8_in_place(%a: memref<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected distinct buffers, got one twice}}
  ds.collective_permute %a into %a from [1, 0] : memref<4xf32> into memref<4xf32>
  return
}

// -----
func.func @collective_permute_c9_other_shape(%a: tensor<4xf32>, %o: tensor<2x2xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected operand and destination of one shape, got 'tensor<4xf32>' and 'tensor<2x2xf32>'}}
  %r = ds.collective_permute %a into %o from [1, 0] : tensor<4xf32> into tensor<2x2xf32>
  return
}

// -----
func.func @collective_permute_c10_too_few_sources(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected a source for each of 3 ranks, got 2}}
  %r = ds.collective_permute %a into %a from [1, 0] {group = array<i64: 0, 1, 5>} : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c11_no_such_member(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected sources from -1 below 2, got 2}}
  %r = ds.collective_permute %a into %a from [1, 2] : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c11_negative_member(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected sources from -1 below 2, got -2}}
  %r = ds.collective_permute %a into %a from [-2, 0] : tensor<4xf32> into tensor<4xf32>
  return
}

// -----
func.func @collective_permute_c11_one_member_sends_twice(%a: tensor<4xf32>) {
  // expected-error @below {{'ds.collective_permute' op expected distinct sources, got 0 twice}}
  %r = ds.collective_permute %a into %a from [-1, -1, 0, 0] : tensor<4xf32> into tensor<4xf32>
  return
}

// RUN: ds-opt %s --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @not_a_rule(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' must be #ds.sharding_rule<...>, got "i"}}
  "other.f"(%x) {ds.sharding_rule = "i"} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @sharding_rule_one_operand_of_two(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 1 operands, expected 2}}
  %0 = "other.f"(%x, %x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4}>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_result(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 0 results, expected 1}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> () {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @another_rank(%x: tensor<4x2xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 1 dimensions for operand #0, expected 2}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4}>} : (tensor<4x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @another_size(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 5 elements in dimension 0 of operand #0, expected 4}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=5}>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @a_product_of_another_size(%x: tensor<4x2xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 8 elements in dimension 0 of result #0, expected 9}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=2}>} : (tensor<4x2xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @a_factor_that_is_lost(%x: tensor<4x2xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has factor 'j', which result #0 lacks; expected how it is combined, as in 'j: sum'}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i, j]) -> ([i]) {i=4, j=2}>} : (tensor<4x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @linear_results(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has linear terms of 2 results, expected 1}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4} linear=[arg0, arg0]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @linear_in_nobody(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' is linear in 'arg1', expected one of 1 operands}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4} linear=[arg1]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @a_square(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has 'arg0' twice in the terms of a result, expected once}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4} linear=[arg0 * arg0]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @an_addend_of_its_own(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' has an addend 'whole', which cannot be counted once outside of the operation}}
  %0 = "other.f"(%x) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4} linear=[arg0 + whole]>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @regions(%x: tensor<4xf32>) {
  // expected-error @below {{'other.f' op 'ds.sharding_rule' is for operations without regions; implement ds::PlacementOpInterface for this one}}
  %0 = "other.f"(%x) ({ "other.end"() : () -> () }) {ds.sharding_rule = #ds.sharding_rule<([i]) -> ([i]) {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @below {{factor 'j' has no size; write 'j=..' in {}}}
#unknown = #ds.sharding_rule<([i, j]) -> ([i]) {i=4}>

// -----

// expected-error @below {{factor 'k' has no size; write 'k=..' in {}}}
#unknown_reduction = #ds.sharding_rule<([i]) -> ([i]) {i=4, k: sum}>

// -----

// expected-error @below {{factor 'i' has two sizes}}
#twice = #ds.sharding_rule<([i]) -> ([i]) {i=4, i=5}>

// -----

// expected-error @below {{factor 'i' has size 0, expected at least 1}}
#empty = #ds.sharding_rule<([i]) -> ([i]) {i=0}>

// -----

// expected-error @below {{expected a factor such as 'i' or 'i_1', got 'ij'}}
#two_names = #ds.sharding_rule<([i]) -> ([i]) {ij=4}>

// -----

// expected-error @below {{expected factors such as 'i', 'ij' or 'i_1', got 'Batch'}}
#no_name = #ds.sharding_rule<([Batch]) -> ([i]) {i=4}>

// -----

// expected-error @below {{expected sum, prod, max, min, and, or or none, got 'mean'}}
#mean = #ds.sharding_rule<([i]) -> ([]) {i=4, i: mean}>

// -----

// expected-error @below {{two factors are combined differently}}
#two_kinds = #ds.sharding_rule<([i, j]) -> ([]) {i=4, j=3, i: sum, j: max}>

// -----

// expected-error @below {{[2:6] is no part of one factor}}
#no_part = #ds.sharding_rule<([i]) -> ([i[2:6]]) {i=4}>

// -----

// expected-error @below {{factor 'j' needs a size here}}
#digits = #ds.sharding_rule<([i, j]) -> ([ij]) {i=4, j=?}>

// -----

// expected-error @below {{expected an operand such as 'arg0', got 'x'}}
#operand = #ds.sharding_rule<([i]) -> ([i]) {i=4} linear=[x]>

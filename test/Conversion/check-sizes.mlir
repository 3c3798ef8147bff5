// RUN: ds-opt %s -ds-check-sizes -split-input-file -verify-diagnostics | FileCheck %s

// The largest there is; a zero makes none of the others smaller.
// CHECK-LABEL: func.func @takes_two_to_the_48_bytes
func.func @takes_two_to_the_48_bytes(%a: tensor<281474976710656xi8>, %b: tensor<70368744177664x0xf32>, %c: tensor<?x35184372088832xf64>) {
  return
}

// -----

// expected-error @below {{'tensor<281474976710657xi8>' is too large, expected at most 2^48 bytes}}
func.func @refuses_one_byte_more(%a: tensor<281474976710657xi8>) {
  return
}

// -----

// expected-error @below {{'tensor<2305843009213693952xf32>' is too large}}
func.func @refuses_a_size_that_overflows(%w: tensor<2305843009213693952xf32>) {
  return
}

// -----

// expected-error @below {{'tensor<4294967296x4294967296x0xf32>' is too large}}
func.func private @refuses_sizes_that_a_zero_hides() -> tensor<4294967296x4294967296x0xf32>

// -----

func.func @refuses_what_a_step_makes() {
  // expected-error @below {{'tensor<9223372036854775807x2xi1>' is too large}}
  %e = tensor.empty() : tensor<9223372036854775807x2xi1>
  return
}

// -----

func.func @refuses_what_a_body_takes(%t: tensor<?xf32>, %n: index) {
  %l = scf.for %i = %n to %n step %n iter_args(%a = %t) -> tensor<?xf32> {
    // expected-error @below {{'tensor<70368744177665xcomplex<f32>>' is too large}}
    %e = tensor.empty() : tensor<70368744177665xcomplex<f32>>
    scf.yield %a : tensor<?xf32>
  }
  return
}

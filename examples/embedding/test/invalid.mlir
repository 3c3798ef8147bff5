// RUN: nn-opt %s -split-input-file -verify-diagnostics

func.func @a_letter_of_nowhere(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) {
  // expected-error @below {{has the subscripts 'bi,io->bz', expected letters as in 'bi,io->bo', each once in an operand}}
  %y = nn.contract "bi,io->bz" %x, %w : tensor<4x3xf32>, tensor<3x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @two_sizes(%x: tensor<4x3xf32>, %w: tensor<5x2xf32>) {
  // expected-error @below {{has a dimension that is 3 and 5 long}}
  %y = nn.contract "bi,io->bo" %x, %w : tensor<4x3xf32>, tensor<5x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @too_few_letters(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) {
  // expected-error @below {{has 1 subscripts for 'tensor<4x3xf32>'}}
  %y = nn.contract "b,io->bo" %x, %w : tensor<4x3xf32>, tensor<3x2xf32> -> tensor<4x2xf32>
  return
}

//===- Product.h - A product of matrices as cuBLASLt means it ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_CUDA_PRODUCT_H
#define DSRT_TEST_FAKES_CUDA_PRODUCT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace fake {

enum class Scalar { f32, f16, bf16 };
size_t bytesOf(Scalar type);
float loadScalar(Scalar type, const char *data);
/// Rounded once.
void storeScalar(Scalar type, char *data, double value);

/// A column-major matrix, or a batch of them.
struct Matrix {
  Scalar type = Scalar::f32;
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0; // elements from a column to the next
  int32_t batch = 1;
  int64_t stride = 0;        // elements from a matrix to the next
  bool pointerArray = false; // the address is that of an array of addresses, in place of stride
  uint64_t address = 0;      // of the device

  /// Bytes from the first element of a matrix to the end of the last one.
  size_t span() const;
  /// The device's address of a matrix of the batch; 0 if the array of addresses is no memory.
  uint64_t at(int32_t index) const;
};

/// D = epilogue(alpha op(A) op(B) + beta C), D as C is laid out.
struct Product {
  Matrix a, b, c, d;
  bool transposeA = false, transposeB = false;
  bool tf32 = false; // the inputs are rounded to TF32
  float alpha = 1, beta = 0;
  bool relu = false;
  uint64_t bias = 0;                     // one value for each row of D, of its type; 0 for none
  uint64_t alignments[4] = {1, 1, 1, 1}; // bytes that addresses of A, B, C, D are multiples of

  /// Whether shapes, batches and leading dimensions fit.
  bool fits() const;
};

/// With 10 bits behind the point, as tensor cores read f32.
float roundedToTf32(float value);

/// Sums each element in double and rounds it once. Returns what is wrong with the memory: outside
/// of an allocation, or never written; empty for nothing.
std::string multiply(const Product &product);

} // namespace fake

#endif // DSRT_TEST_FAKES_CUDA_PRODUCT_H

//===- Convolution.h - A convolution as cuDNN means it ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_CUDA_CONVOLUTION_H
#define DSRT_TEST_FAKES_CUDA_CONVOLUTION_H

#include "Product.h"

#include <vector>

namespace fake {

/// Elements anywhere in memory, by their strides.
struct Tensor {
  Scalar type = Scalar::f32;
  std::vector<int64_t> sizes, strides; // in elements
  uint64_t address = 0;                // of the device

  int64_t count() const;
};

/// y = x * w (cross-correlation), or the gradient of x or w of it. x is [n, channels, ..], w
/// [outputs, channels / groups, ..], y [n, outputs, ..].
struct Convolution {
  enum class Wanted { y, x, w } wanted = Wanted::y;
  Tensor x, w, y;
  std::vector<int64_t> strides, dilations, before, after; // of each dimension behind the channels
  double alpha = 1, beta = 0;
  bool tf32 = false; // the inputs are rounded to TF32

  /// Whether the sizes fit one another.
  bool fits() const;
};

/// Sums each element in double and rounds it once; what is wrong with the memory, or empty.
std::string convolve(const Convolution &convolution);

} // namespace fake

#endif // DSRT_TEST_FAKES_CUDA_CONVOLUTION_H

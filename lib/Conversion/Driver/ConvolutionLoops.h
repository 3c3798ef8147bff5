//===- ConvolutionLoops.h - Loops of a convolution by class -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_CONVOLUTIONLOOPS_H
#define DS_CONVERSION_DRIVER_CONVOLUTIONLOOPS_H

#include "BufferSource.h"

#include <array>

namespace ds {

/// Every convolution is O[g, a, b, u..] += I[g, a, c, u * su + v * sv..] * K[g, b, c, v..]: the
/// operands I, K and O, and the classes g, a, c and b.
namespace convolution {
enum Operand { image, kernel, result, numOperands };
enum Class { group, imageResult, imageKernel, kernelResult, numClasses };

/// A loop, or several that are one in memory, with its stride in each operand.
struct Loop {
  int64_t size = 1;
  std::array<int64_t, numOperands> strides = {};
};

/// One dimension of windows.
struct Window {
  Loop positions, elements;                  // u, v: in the result, and in the kernel
  int64_t positionStep = 1, elementStep = 1; // su, sv
  BufferSource::Dimension inImage = {1, 0}, inKernel = {1, 0};
};

struct Loops {
  std::array<llvm::SmallVector<Loop>, numClasses> classes;
  llvm::SmallVector<Window> windows;

  /// Joins loops of one class where the outer stride is the inner size times the inner stride.
  void merge();
  /// True if the layout in memory is that of a forward convolution, not of the gradient of weights.
  bool readForward() const;
  /// Turns loops of samples and channels beyond one of each into windows of one element or one
  /// position. False if that gives too many windows, or if another class has several loops.
  bool spread();
};
} // namespace convolution

} // namespace ds

#endif // DS_CONVERSION_DRIVER_CONVOLUTIONLOOPS_H

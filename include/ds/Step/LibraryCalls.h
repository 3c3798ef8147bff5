//===- LibraryCalls.h - Library calls of a step -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_STEP_LIBRARYCALLS_H
#define DS_STEP_LIBRARYCALLS_H

#include "ds/Step/Manifest.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ds {

/// out[o(i)] += lhs[l(i)] * rhs[r(i)] over all loops i, where l, r, o are linear: one stride per
/// loop, in elements. The fields after `accumulate` are for GPU libraries only.
struct StridedContraction {
  std::vector<int64_t> sizes, lhs, rhs, out;
  int64_t lhsOffset = 0, rhsOffset = 0, outOffset = 0;
  bool accumulate = false; // false: `out` starts from zero, its old contents are ignored
  /// With strides: `out` starts from bias[b(i)], a row of memory that is added to each row of
  /// `out`.
  std::vector<int64_t> bias;
  int64_t biasOffset = 0;
  bool relu = false;                         // negative results become zero
  bool tf32 = false;                         // factors of f32 may be rounded to TF32
  ElementType factors = ElementType::f32;    // of lhs and rhs; or bf16, f16
  ElementType resultType = ElementType::f32; // of out, rounded once; or that of the factors
};

/// A convolution over (sample, channel, positions..), in the direction `kind`: every product of
/// source[n, g, c, o * stride + k * dilation - padding], weights[g, d, c, k] and destination[n, g,
/// d, o] for sample n, group g, channels c and d, position o and kernel element k in one to three
/// dimensions; positions outside the source are zero. `lhs` of a call is the source (forward,
/// weightsGradient) or the destination (sourceGradient), `out` the result, `rhs` the third. Sizes
/// and strides are in elements, of one group.
struct Convolution {
  enum Kind { forward, sourceGradient, weightsGradient } kind = forward;
  struct Tensor {
    std::vector<int64_t> sizes, strides; // (sample, channel, positions..); weights (d, c, kernel..)
    int64_t groupStride = 0;
  };
  Tensor source, destination, weights;
  int64_t groups = 1;
  std::vector<int64_t> stride, dilation, padding; // of each dimension; dilation 1: neighbours
  int64_t lhsOffset = 0, rhsOffset = 0, outOffset = 0;
  ElementType type = ElementType::f32; // of all three; bf16 and f16 for a GPU, with sums of f32
  bool tf32 = false;                   // on a GPU, factors of f32 may be rounded to TF32

  size_t dimensions() const { return stride.size(); }
};

/// A function that the driver calls, and what it computes.
struct LibraryCallSpec {
  std::string name;
  std::variant<StridedContraction, Convolution> what;
};

} // namespace ds

#endif // DS_STEP_LIBRARYCALLS_H

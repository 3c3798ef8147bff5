//===- LibraryPlan.h - A library call decided at compile time ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan is shared by all ranks and never changes; a call is one rank's use of it. Neither
// allocates when it runs: scratch memory belongs to the rank, its size is known from the plan.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXECUTIONENGINE_LIBRARYPLAN_H
#define DS_LIB_EXECUTIONENGINE_LIBRARYPLAN_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ds {

/// out[o(i)] += lhs[l(i)] * rhs[r(i)] over all loops i, where l, r, o are linear: one stride per
/// loop, in elements.
struct StridedContraction {
  std::vector<int64_t> sizes, lhs, rhs, out;
  int64_t lhsOffset = 0, rhsOffset = 0, outOffset = 0;
  bool accumulate = false; // false: `out` starts from zero, whatever it holds
};

/// A convolution over (sample, channel, height, width), in the direction `kind`. `lhs` of a call is
/// the source (forward, weightsGradient) or the destination (sourceGradient), `out` what is
/// computed, `rhs` the third.
struct Convolution {
  enum Kind { forward, sourceGradient, weightsGradient } kind = forward;
  std::vector<int64_t> sourceSizes, sourceStrides;
  std::vector<int64_t> destinationSizes, destinationStrides;
  std::vector<int64_t> weightsSizes,
      weightsStrides; // (destination channel, source channel, height, width)
  std::vector<int64_t> stride, dilation, paddingLeft, paddingRight; // dilation 0: neighbours
  int64_t lhsOffset = 0, rhsOffset = 0, outOffset = 0;
};

/// One rank's use of a plan.
class LibraryCall {
public:
  virtual ~LibraryCall() = default;
  virtual void run(const float *lhs, const float *rhs, float *out, char *scratch) = 0;
};

class LibraryPlan {
public:
  virtual ~LibraryPlan() = default;
  /// Bytes of scratch memory, 64-byte aligned, that a call needs while it runs.
  virtual size_t scratchBytes() const = 0;
  virtual std::unique_ptr<LibraryCall> instantiate() const = 0;
};

/// Matrix products by strides, in any permutation (ContractionPlan.cpp). Never null.
std::unique_ptr<LibraryPlan> planContraction(const StridedContraction &contraction);
/// The same as a loop of single products, and what it costs in nanoseconds, roughly (GemmPlan.cpp).
/// Never null.
std::unique_ptr<LibraryPlan> planGemm(const StridedContraction &contraction, double &cost);
/// The same as one batched primitive, where that is faster (MatmulPlan.cpp); else null.
std::unique_ptr<LibraryPlan> planMatmul(const StridedContraction &contraction);

/// Convolutions (ConvolutionPlan.cpp). Null if the library refuses.
std::unique_ptr<LibraryPlan> planConvolution(const Convolution &convolution);

} // namespace ds

#endif // DS_LIB_EXECUTIONENGINE_LIBRARYPLAN_H

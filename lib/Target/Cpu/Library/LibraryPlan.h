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
#ifndef DS_LIB_TARGET_CPU_LIBRARY_LIBRARYPLAN_H
#define DS_LIB_TARGET_CPU_LIBRARY_LIBRARYPLAN_H

#include "ds/Step/LibraryCalls.h"

#include <cstddef>
#include <memory>
#include <string>

namespace ds {

/// One rank's use of a plan.
class LibraryCall {
public:
  virtual ~LibraryCall() = default;
  virtual void run(const float *lhs, const float *rhs, float *out, char *scratch) = 0;
};

class LibraryPlan {
public:
  virtual ~LibraryPlan() = default;
  /// Returns the bytes of scratch memory, 64-byte aligned, that a call needs while it runs.
  virtual size_t scratchBytes() const = 0;
  /// Names the implementation, for profiles and tests: the library's name of it, and ours.
  virtual std::string implementation() const = 0;
  virtual std::unique_ptr<LibraryCall> instantiate() const = 0;
};

/// Plans matrix products by strides, in any permutation (ContractionPlan.cpp). Never null.
std::unique_ptr<LibraryPlan> planContraction(const StridedContraction &contraction);
/// Plans the same as a loop of single products, and its cost in nanoseconds, roughly
/// (GemmPlan.cpp). Never null.
std::unique_ptr<LibraryPlan> planGemm(const StridedContraction &contraction, double &cost);
/// Plans the same as one batched primitive, where that is faster (MatmulPlan.cpp); else null.
std::unique_ptr<LibraryPlan> planMatmul(const StridedContraction &contraction);

/// Plans convolutions (ConvolutionPlan.cpp). Never null, and never a reference implementation.
std::unique_ptr<LibraryPlan> planConvolution(const Convolution &convolution);
/// True for the gradient of a depthwise convolution's weights, in up to two dimensions.
bool isDepthwiseGradient(const Convolution &convolution);
/// Plans that gradient (DepthwiseGradientPlan.cpp); null for others, and where the library cannot
/// copy.
std::unique_ptr<LibraryPlan> planDepthwiseGradient(const Convolution &convolution);
/// Plans the same as products of the source's windows, copied to a matrix (UnfoldPlan.cpp). Takes
/// every convolution that can be described; never null.
std::unique_ptr<LibraryPlan> planUnfold(const Convolution &convolution);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_LIBRARY_LIBRARYPLAN_H

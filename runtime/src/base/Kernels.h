//===- Kernels.h - Reductions in rank order ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that does arithmetic. Every backend that reduces in rank order calls
// reduceInRankOrder, so their results are equal bit for bit, whatever the bucketing, the share of a
// rank or the instruction set.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_KERNELS_H
#define DSRT_SRC_BASE_KERNELS_H

#include "dsrt/dsrt.h"

namespace dsrt {

/// Returns the reductions of a dtype: bit r for reduction r. The table of dsrt.h in numbers.
uint32_t definedReductions(dsrt_dtype dtype);

/// Computes outputs[j] = sources[0] op sources[1] op ..., from left to right, for every j. Element
/// e is read from all sources before it is written anywhere, so outputs may be sources. Sixteen-bit
/// floats are accumulated in f32 and rounded once. Denormals count as zero on every thread.
void reduceInRankOrder(dsrt_dtype dtype, dsrt_reduction reduction, int64_t numSources,
                       const void *const *sources, int64_t elements, int64_t numOutputs,
                       void *const *outputs);

/// A reduction in rank order in parts: sources so far, in the type that it is carried in, f32 for
/// sixteen-bit floats. Gives the bits of reduceInRankOrder.
dsrt_dtype carrierOf(dsrt_dtype dtype);
/// Continues `before`, or begins if it is null, by more sources. `after` may be `before`.
void continueReduction(dsrt_dtype dtype, dsrt_reduction reduction, const void *before,
                       int64_t numSources, const void *const *sources, int64_t elements,
                       void *after);
/// Ends a reduction over `ranks` sources: divides a mean, and rounds to `dtype`.
void endReduction(dsrt_dtype dtype, dsrt_reduction reduction, int64_t ranks, const void *carried,
                  int64_t elements, void *output);

/// Multiplies by the mean's factor 1/n, for backends whose library computed the sum.
void scaleToMean(dsrt_dtype dtype, int64_t n, int64_t elements, void *data);

//===----------------------------------------------------------------------===//
// The kernels of one instruction set (KernelsSimd.cpp).
//===----------------------------------------------------------------------===//

/// Sixteen-bit floats have no `first` and `next` of their own: they use those of f32 on widened
/// blocks.
struct KernelTable {
  void (*first[DSRT_NUM_DTYPES][DSRT_NUM_REDUCTIONS])(void *out, const void *a, const void *b,
                                                      int64_t n);
  void (*next[DSRT_NUM_DTYPES][DSRT_NUM_REDUCTIONS])(void *acc, const void *b, int64_t n);
  /// sources[0] op sources[1] op ... back into every source, straight from registers; `factor`
  /// scales a mean. Indexed by the number of sources, for the numbers that have a kernel (placeOf).
  void (*inPlace[DSRT_NUM_DTYPES][DSRT_NUM_REDUCTIONS][4])(void *const *sources, int64_t n,
                                                           double factor);
  void (*copy)(void *out, const void *in, int64_t bytes);
  void (*widen[DSRT_NUM_DTYPES])(float *out, const void *in, int64_t n);
  void (*narrow[DSRT_NUM_DTYPES])(void *out, const float *in, int64_t n);
  void (*scaleF32)(float *data, float factor, int64_t n);
  void (*scaleF64)(double *data, double factor, int64_t n);
};

/// Returns the index of a number of sources in KernelTable::inPlace, or -1.
constexpr int placeOf(int64_t sources) {
  return sources == 2 ? 0 : sources == 3 ? 1 : sources == 4 ? 2 : sources == 8 ? 3 : -1;
}

const KernelTable &kernels_baseline();
const KernelTable &kernels_x86_64_v3();
const KernelTable &kernels_x86_64_v4();

} // namespace dsrt

#endif // DSRT_SRC_BASE_KERNELS_H

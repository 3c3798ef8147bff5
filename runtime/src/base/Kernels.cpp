//===- Kernels.cpp - Reductions in rank order -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An in-place reduction goes from registers to registers. Any other reduction works block by block
// so that the running reduction stays in the first-level cache: per block, source 0 op source 1,
// then each further source, then one copy to every output. Memory is read once and written once per
// rank.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "Threads.h"

#include <algorithm>
#include <cstring>

namespace dsrt {

static const KernelTable &chooseKernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return kernels_x86_64_v4();
  if (__builtin_cpu_supports("x86-64-v3"))
    return kernels_x86_64_v3();
#endif
  return kernels_baseline();
}

static const KernelTable &kernels() {
  static const KernelTable &chosen = chooseKernels();
  return chosen;
}

uint32_t definedReductions(dsrt_dtype dtype) {
  auto bit = [](dsrt_reduction reduction) { return 1u << reduction; };
  const uint32_t ordered = bit(DSRT_MAX) | bit(DSRT_MIN);
  const uint32_t bits = bit(DSRT_AND) | bit(DSRT_OR);
  const uint32_t arithmetic = bit(DSRT_SUM) | bit(DSRT_PROD) | ordered;
  switch (dtype) {
  case DSRT_F64:
  case DSRT_F32:
  case DSRT_F16:
  case DSRT_BF16:
    return arithmetic | bit(DSRT_MEAN);
  case DSRT_I64:
  case DSRT_I32:
  case DSRT_I16:
  case DSRT_I8:
  case DSRT_U64:
  case DSRT_U32:
  case DSRT_U16:
  case DSRT_U8:
    return arithmetic | bits;
  case DSRT_I1:
    return ordered | bits;
  }
  return 0;
}

namespace {

constexpr int64_t blockElements = 2048;

const void *offset(const void *base, int64_t bytes) {
  return static_cast<const char *>(base) + bytes;
}
void *offset(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }

/// Memory of one block, large enough for every dtype.
struct Block {
  alignas(64) char bytes[blockElements * 8];
};

/// 1/n, rounded to f32 except for f64.
double meanFactor(dsrt_dtype dtype, int64_t ranks) {
  const double factor = 1.0 / static_cast<double>(ranks);
  return dtype == DSRT_F64 ? factor : static_cast<double>(static_cast<float>(factor));
}

void scaleBlock(dsrt_dtype dtype, void *data, int64_t ranks, int64_t n) {
  if (dtype == DSRT_F64)
    kernels().scaleF64(static_cast<double *>(data), meanFactor(dtype, ranks), n);
  else
    kernels().scaleF32(static_cast<float *>(data), static_cast<float>(meanFactor(dtype, ranks)), n);
}

} // namespace

void reduceInRankOrder(dsrt_dtype dtype, dsrt_reduction reduction, int64_t numSources,
                       const void *const *sources, int64_t elements, int64_t numOutputs,
                       void *const *outputs) {
  const KernelTable &table = kernels();
  const int64_t size = dsrt_dtype_size(dtype);
  const auto widen = table.widen[dtype];
  // The type the reduction is carried in.
  const dsrt_dtype carrier = widen ? DSRT_F32 : dtype;
  const auto first = table.first[carrier][reduction];
  const auto next = table.next[carrier][reduction];
  FlushDenormalsScope flush;
  if (placeOf(numSources) >= 0 && numOutputs == numSources &&
      std::equal(sources, sources + numSources, outputs)) {
    if (const auto inPlace = table.inPlace[carrier][reduction][placeOf(numSources)];
        inPlace && !widen)
      return inPlace(outputs, elements, meanFactor(dtype, numSources));
  }

  Block accumulator, widened, narrowed;
  for (int64_t begin = 0; begin < elements; begin += blockElements) {
    const int64_t n = std::min(blockElements, elements - begin);
    const int64_t at = begin * size;
    if (widen) {
      widen(reinterpret_cast<float *>(accumulator.bytes), offset(sources[0], at), n);
      for (int64_t s = 1; s < numSources; ++s) {
        widen(reinterpret_cast<float *>(widened.bytes), offset(sources[s], at), n);
        next(accumulator.bytes, widened.bytes, n);
      }
    } else if (numSources == 1) {
      std::memcpy(accumulator.bytes, offset(sources[0], at), static_cast<size_t>(n * size));
    } else {
      first(accumulator.bytes, offset(sources[0], at), offset(sources[1], at), n);
      for (int64_t s = 2; s < numSources; ++s)
        next(accumulator.bytes, offset(sources[s], at), n);
    }
    if (reduction == DSRT_MEAN)
      scaleBlock(carrier, accumulator.bytes, numSources, n);
    const void *result = accumulator.bytes;
    if (widen) {
      table.narrow[dtype](narrowed.bytes, reinterpret_cast<float *>(accumulator.bytes), n);
      result = narrowed.bytes;
    }
    for (int64_t o = 0; o < numOutputs; ++o)
      table.copy(offset(outputs[o], at), result, n * size);
  }
}

dsrt_dtype carrierOf(dsrt_dtype dtype) { return kernels().widen[dtype] ? DSRT_F32 : dtype; }

void continueReduction(dsrt_dtype dtype, dsrt_reduction reduction, const void *before,
                       int64_t numSources, const void *const *sources, int64_t elements,
                       void *after) {
  const KernelTable &table = kernels();
  const dsrt_dtype carrier = carrierOf(dtype);
  const auto widen = table.widen[dtype];
  const auto next = table.next[carrier][reduction];
  const int64_t size = dsrt_dtype_size(dtype), carried = dsrt_dtype_size(carrier);
  FlushDenormalsScope flush;
  Block accumulator, widened;
  for (int64_t begin = 0; begin < elements; begin += blockElements) {
    const int64_t n = std::min(blockElements, elements - begin);
    auto read = [&](int64_t s, Block &block) -> const void * {
      const void *source = offset(sources[s], begin * size);
      if (!widen)
        return source;
      widen(reinterpret_cast<float *>(block.bytes), source, n);
      return block.bytes;
    };
    const void *first = before ? offset(before, begin * carried) : read(0, widened);
    std::memcpy(accumulator.bytes, first, static_cast<size_t>(n * carried));
    for (int64_t s = before ? 0 : 1; s < numSources; ++s)
      next(accumulator.bytes, read(s, widened), n);
    std::memcpy(offset(after, begin * carried), accumulator.bytes,
                static_cast<size_t>(n * carried));
  }
}

void endReduction(dsrt_dtype dtype, dsrt_reduction reduction, int64_t ranks, const void *carried,
                  int64_t elements, void *output) {
  const KernelTable &table = kernels();
  const dsrt_dtype carrier = carrierOf(dtype);
  FlushDenormalsScope flush;
  Block block;
  for (int64_t begin = 0; begin < elements; begin += blockElements) {
    const int64_t n = std::min(blockElements, elements - begin);
    const auto bytes = static_cast<size_t>(n * dsrt_dtype_size(carrier));
    std::memcpy(block.bytes, offset(carried, begin * dsrt_dtype_size(carrier)), bytes);
    if (reduction == DSRT_MEAN)
      scaleBlock(carrier, block.bytes, ranks, n);
    void *to = offset(output, begin * dsrt_dtype_size(dtype));
    if (table.narrow[dtype])
      table.narrow[dtype](to, reinterpret_cast<float *>(block.bytes), n);
    else
      std::memcpy(to, block.bytes, bytes);
  }
}

void scaleToMean(dsrt_dtype dtype, int64_t ranks, int64_t elements, void *data) {
  const KernelTable &table = kernels();
  FlushDenormalsScope flush;
  if (!table.widen[dtype]) {
    scaleBlock(dtype, data, ranks, elements);
    return;
  }
  Block widened;
  float *block = reinterpret_cast<float *>(widened.bytes);
  for (int64_t begin = 0; begin < elements; begin += blockElements) {
    const int64_t n = std::min(blockElements, elements - begin);
    void *part = offset(data, begin * dsrt_dtype_size(dtype));
    table.widen[dtype](block, part, n);
    scaleBlock(DSRT_F32, block, ranks, n);
    table.narrow[dtype](part, block, n);
  }
}

} // namespace dsrt

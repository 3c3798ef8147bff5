//===- DepthwiseGradientPlan.cpp - Depthwise weight gradients ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of a depthwise convolution's weights. The library has code for 3x3 alone and takes
// 20 to 80 times as long for 5x5 and 7x7, as a convolution of whole blocks of channels or one
// product per channel. Here source and gradient are copied to channels last, the source with its
// padding, and every product is one vector of channels. Sums of a few rows are added up before they
// join the total, so that a long chain of additions loses little. Two dimensions at most.
//
//===----------------------------------------------------------------------===//
#include "DnnlObjects.h"
#include "LibraryPlan.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cstring>

using namespace ds;

namespace {

constexpr int64_t maxTerms = 512; // of a partial sum
constexpr int64_t numLanes = 16;  // channels at a time: a vector of AVX-512, two of AVX2
using Lanes
    __attribute__((vector_size(numLanes * sizeof(float)), aligned(sizeof(float)), may_alias)) =
        float;

/// Sizes of the loops, and strides in elements of the copies.
struct Loops {
  int64_t samples, height, width, kernelHeight, kernelWidth;
  int64_t sourceSample, sourceRow, sourceColumn; // strides of the padded source
  int64_t rowStep, columnStep, rowDilation, columnDilation;
  int64_t gradientRow; // stride of a row of positions; a column is sourceColumn apart
};

/// Computes sums[k][channel] += source[.., channel] * gradient[.., channel] over samples and
/// positions; `partial` has as many elements as `sums`.
inline __attribute__((always_inline)) void
accumulate(Loops l, const float *source, const float *gradient, float *partial, float *sums) {
  int64_t elements = l.kernelHeight * l.kernelWidth, terms = 0;
  auto *totals = reinterpret_cast<Lanes *>(sums), *parts = reinterpret_cast<Lanes *>(partial);
  auto flush = [&] {
    for (int64_t k = 0; k < elements; ++k) {
      totals[k] += parts[k];
      parts[k] = Lanes{};
    }
    terms = 0;
  };
  for (int64_t k = 0; k < elements; ++k)
    totals[k] = parts[k] = Lanes{};
  for (int64_t n = 0; n < l.samples; ++n)
    for (int64_t p = 0; p < l.height; ++p) {
      if ((terms += l.width) > maxTerms)
        flush();
      for (int64_t q = 0; q < l.width; ++q) {
        const float *x = source + n * l.sourceSample + p * l.rowStep * l.sourceRow +
                         q * l.columnStep * l.sourceColumn;
        const Lanes dy = *reinterpret_cast<const Lanes *>(
            gradient + (n * l.height + p) * l.gradientRow + q * l.sourceColumn);
        Lanes *sum = parts;
        for (int64_t r = 0; r < l.kernelHeight; ++r)
          for (int64_t s = 0; s < l.kernelWidth; ++s)
            *sum++ += dy * *reinterpret_cast<const Lanes *>(x + r * l.rowDilation * l.sourceRow +
                                                            s * l.columnDilation * l.sourceColumn);
      }
    }
  flush();
}

using Accumulate = void (*)(const Loops &, const float *, const float *, float *, float *);

void accumulateBaseline(const Loops &l, const float *source, const float *gradient, float *partial,
                        float *sums) {
  accumulate(l, source, gradient, partial, sums);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void accumulateAvx2(const Loops &l, const float *source,
                                                    const float *gradient, float *partial,
                                                    float *sums) {
  accumulate(l, source, gradient, partial, sums);
}
#if defined(__clang__)
#define DS_AVX512 target("avx512f"), min_vector_width(512)
#else
#define DS_AVX512 target("avx512f,prefer-vector-width=512")
#endif
__attribute__((DS_AVX512)) void accumulateAvx512(const Loops &l, const float *source,
                                                 const float *gradient, float *partial,
                                                 float *sums) {
  accumulate(l, source, gradient, partial, sums);
}

/// Chooses the code for the instructions that the library may use: it knows this CPU, and the limit
/// of `--target-cpu`.
Accumulate chooseAccumulate() {
  dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
  auto has = [&](dnnl_cpu_isa_t least) { return (isa & least) == least; };
  return has(dnnl_cpu_isa_avx512_core) ? accumulateAvx512
         : has(dnnl_cpu_isa_avx2)      ? accumulateAvx2
                                       : accumulateBaseline;
}
#else
Accumulate chooseAccumulate() { return accumulateBaseline; }
#endif

class DepthwiseGradientPlan final : public LibraryPlan {
public:
  explicit DepthwiseGradientPlan(const Convolution &convolution);
  size_t scratchBytes() const override {
    return sizeof(float) * (sourceElements + gradientElements + 2 * sumElements());
  }
  std::string implementation() const override { return "depthwise gradient"; }
  std::unique_ptr<LibraryCall> instantiate() const override;

  int64_t sumElements() const { return loops.kernelHeight * loops.kernelWidth * numLanes; }

  Convolution c;
  Loops loops;
  int64_t lanes; // channels, rounded up
  int64_t sourceElements, gradientElements, firstElement;
  struct Copy {
    dnnl_memory_desc_t from, to;
    Primitive reorder;
  };
  Copy source, gradient;
  bool describable = true; // to the library, which copies
  Accumulate accumulate = chooseAccumulate();
};

struct DepthwiseGradientCall final : LibraryCall {
  explicit DepthwiseGradientCall(const DepthwiseGradientPlan &plan)
      : plan(plan), source(plan.source.from), gradient(plan.gradient.from),
        sourceCopy(plan.source.to), gradientCopy(plan.gradient.to) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override;

  const DepthwiseGradientPlan &plan;
  Stream stream;
  Memory source, gradient, sourceCopy, gradientCopy;
};

DepthwiseGradientPlan::DepthwiseGradientPlan(const Convolution &convolution) : c(convolution) {
  // One dimension is a row of a single one.
  auto of = [&](const std::vector<int64_t> &values, int d, int64_t missing) {
    int64_t at = int64_t(values.size()) - 2 + d;
    return at < int64_t(values.size() - c.dimensions()) ? missing : values[at];
  };
  auto sizeOf = [&](const Convolution::Tensor &t, int d) { return of(t.sizes, d, 1); };
  std::array<int64_t, 2> padded;
  for (int d : {0, 1})
    padded[d] = std::max((sizeOf(c.destination, d) - 1) * of(c.stride, d, 1) +
                             (sizeOf(c.weights, d) - 1) * of(c.dilation, d, 1) + 1,
                         sizeOf(c.source, d) + of(c.padding, d, 0));
  lanes = llvm::alignTo(c.groups, numLanes);
  loops = {c.source.sizes[0],
           sizeOf(c.destination, 0),
           sizeOf(c.destination, 1),
           sizeOf(c.weights, 0),
           sizeOf(c.weights, 1),
           padded[0] * padded[1] * lanes,
           padded[1] * lanes,
           lanes,
           of(c.stride, 0, 1),
           of(c.stride, 1, 1),
           of(c.dilation, 0, 1),
           of(c.dilation, 1, 1),
           sizeOf(c.destination, 1) * lanes};
  sourceElements = loops.samples * loops.sourceSample;
  gradientElements = loops.samples * loops.height * loops.gradientRow;
  firstElement = (of(c.padding, 0, 0) * padded[1] + of(c.padding, 1, 0)) * lanes;

  auto describe = [&](const Convolution::Tensor &tensor, int64_t sampleStride, int64_t rowStride,
                      Copy &copy) {
    int64_t sizes[] = {loops.samples, c.groups, sizeOf(tensor, 0), sizeOf(tensor, 1)};
    int64_t from[] = {tensor.strides[0], tensor.groupStride, of(tensor.strides, 0, 1),
                      of(tensor.strides, 1, 1)};
    int64_t to[] = {sampleStride, 1, rowStride, lanes};
    // A dimension of size 1 may have any stride that is not 0.
    for (int64_t &stride : from)
      stride = std::max<int64_t>(stride, 1);
    if (dnnl_memory_desc_init_by_strides(&copy.from, 4, sizes, dnnl_f32, from) != dnnl_success) {
      describable = false;
      return;
    }
    check(dnnl_memory_desc_init_by_strides(&copy.to, 4, sizes, dnnl_f32, to));
    PrimitiveDesc desc;
    check(dnnl_reorder_primitive_desc_create(desc.receive(), &copy.from, cpuEngine(), &copy.to,
                                             cpuEngine(), nullptr));
    if (!copy.reorder.make(desc))
      check(dnnl_runtime_error);
  };
  describe(c.source, loops.sourceSample, loops.sourceRow, source);
  describe(c.destination, loops.height * loops.gradientRow, loops.gradientRow, gradient);
}

std::unique_ptr<LibraryCall> DepthwiseGradientPlan::instantiate() const {
  return std::make_unique<DepthwiseGradientCall>(*this);
}

void DepthwiseGradientCall::run(const float *lhs, const float *rhs, float *out, char *scratch) {
  auto *sourceData = reinterpret_cast<float *>(scratch);
  float *gradientData = sourceData + plan.sourceElements;
  float *sums = gradientData + plan.gradientElements;
  // Padding, and lanes beyond the last channel.
  std::memset(scratch, 0, sizeof(float) * (plan.sourceElements + plan.gradientElements));
  auto copy = [&](const Primitive &reorder, Memory &from, const float *data, Memory &to,
                  float *place) {
    from.set(data);
    to.set(place);
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
    check(dnnl_primitive_execute(reorder.get(), stream.get(), 2, arguments));
  };
  const Convolution &c = plan.c;
  copy(plan.source.reorder, source, lhs + c.lhsOffset, sourceCopy, sourceData + plan.firstElement);
  copy(plan.gradient.reorder, gradient, rhs + c.rhsOffset, gradientCopy, gradientData);
  const Loops &l = plan.loops;
  int64_t rowStride = c.dimensions() == 2 ? c.weights.strides[2] : 0,
          columnStride = c.weights.strides.back();
  for (int64_t first = 0; first < c.groups; first += numLanes) {
    plan.accumulate(l, sourceData + first, gradientData + first, sums + plan.sumElements(), sums);
    for (int64_t lane = 0; lane < std::min(numLanes, c.groups - first); ++lane)
      for (int64_t r = 0; r < l.kernelHeight; ++r)
        for (int64_t s = 0; s < l.kernelWidth; ++s)
          out[c.outOffset + (first + lane) * c.weights.groupStride + r * rowStride +
              s * columnStride] = sums[(r * l.kernelWidth + s) * numLanes + lane];
  }
}

} // namespace

bool ds::isDepthwiseGradient(const Convolution &c) {
  return c.kind == Convolution::weightsGradient && c.groups > 1 && c.weights.sizes[0] == 1 &&
         c.weights.sizes[1] == 1 && c.dimensions() <= 2 &&
         llvm::all_of(c.padding, [](int64_t padding) { return padding >= 0; });
}

std::unique_ptr<LibraryPlan> ds::planDepthwiseGradient(const Convolution &c) {
  if (!isDepthwiseGradient(c))
    return nullptr;
  auto plan = std::make_unique<DepthwiseGradientPlan>(c);
  return plan->describable ? std::move(plan) : nullptr;
}

//===- UnfoldPlan.cpp - Convolutions as products of windows -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windows of the source become the columns of a matrix (im2col: Chellapilla, Puri, Simard
// 2006), (channel and kernel element) x (sample and position), for as many samples at a time as
// keep the matrix small. The convolution is then a product of that matrix with weights or
// destination as they are stored; for the source's gradient the matrix is the result, and its
// columns are added up where their windows were. The best choice for small images, whose weights
// are larger than all other tensors, and for every convolution that the library refuses.
//
//===----------------------------------------------------------------------===//
#include "LibraryPlan.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace ds;

namespace {

constexpr size_t numSpatial = 3;
/// Elements that the matrix may have beyond those of one sample: large products matter more than
/// how much of the matrix a core's cache holds.
constexpr int64_t maxMatrixElements = int64_t(1) << 24;

/// Elements of a cache line.
constexpr int64_t lineElements = 16;

/// One spatial dimension.
struct Axis {
  int64_t source = 1, destination = 1, kernel = 1; // sizes
  int64_t sourceStride = 0, destinationStride = 0, kernelStride = 0;
  int64_t stride = 1, dilation = 1, padding = 0;
};

class UnfoldPlan final : public LibraryPlan {
public:
  explicit UnfoldPlan(const Convolution &convolution);
  size_t scratchBytes() const override { return matrixBytes() + first->scratchBytes(); }
  std::string implementation() const override { return "unfold + " + first->implementation(); }
  std::unique_ptr<LibraryCall> instantiate() const override;

  size_t matrixBytes() const { return (columnElements() * chunk * sizeof(float) + 63) / 64 * 64; }
  /// Returns the elements of the matrix for one sample.
  int64_t columnElements() const {
    int64_t elements = c.source.sizes[1];
    for (const Axis &axis : axes)
      elements *= axis.kernel * axis.destination;
    return elements;
  }
  /// Calls visit(first element of the source, in bounds along the last axis: first position, last
  /// position, the step between neighbours; first element of the row in the matrix) for every row
  /// of neighbouring positions.
  template <typename Visit> void forEachRow(Visit visit) const;
  void unfold(const float *source, float *matrix) const;
  void fold(const float *matrix, float *source) const;
  void clear(float *source) const;

  Convolution c;
  std::array<Axis, numSpatial> axes;
  int64_t chunk = 1; // samples at a time; divides their number
  int64_t channelRow = 0;
  std::array<int64_t, numSpatial> kernelRow = {}; // strides in the matrix
  std::unique_ptr<LibraryPlan> first, next;       // the product of the first chunk and of others
};

struct UnfoldCall final : LibraryCall {
  explicit UnfoldCall(const UnfoldPlan &plan)
      : plan(plan), first(plan.first->instantiate()), next(plan.next->instantiate()) {}
  void run(const float *lhs, const float *rhs, float *out, char *scratch) override;

  const UnfoldPlan &plan;
  std::unique_ptr<LibraryCall> first, next;
};

UnfoldPlan::UnfoldPlan(const Convolution &convolution) : c(convolution) {
  size_t skipped = numSpatial - c.dimensions();
  for (size_t d = 0; d < c.dimensions(); ++d) {
    Axis &axis = axes[skipped + d];
    axis = {c.source.sizes[2 + d],
            c.destination.sizes[2 + d],
            c.weights.sizes[2 + d],
            c.source.strides[2 + d],
            c.destination.strides[2 + d],
            c.weights.strides[2 + d],
            c.stride[d],
            c.dilation[d],
            c.padding[d]};
  }
  int64_t samples = c.source.sizes[0];
  chunk = std::clamp<int64_t>(maxMatrixElements / std::max<int64_t>(columnElements(), 1), 1,
                              std::max<int64_t>(samples, 1));
  while (samples % chunk != 0)
    --chunk;

  // Rows lie in the order of the weights, so that the two walk memory as one loop.
  StridedContraction product;
  std::array<int64_t, numSpatial + 1> rowSizes = {c.source.sizes[1]},
                                      weightStrides = {c.weights.strides[1]}, rowStrides;
  for (size_t d = 0; d < numSpatial; ++d)
    rowSizes[d + 1] = axes[d].kernel, weightStrides[d + 1] = axes[d].kernelStride;
  std::array<size_t, numSpatial + 1> order;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return weightStrides[a] > weightStrides[b]; });
  int64_t width = chunk;
  for (const Axis &axis : axes)
    width *= axis.destination;
  int64_t rowStride = width;
  for (size_t i = order.size(); i-- > 0;) {
    rowStrides[order[i]] = rowStride;
    rowStride *= rowSizes[order[i]];
  }
  channelRow = rowStrides[0];
  std::copy(rowStrides.begin() + 1, rowStrides.end(), kernelRow.begin());

  auto addLoop = [&](int64_t size, int64_t matrix, int64_t weights, int64_t destination) {
    product.sizes.push_back(size);
    // (lhs, rhs, out) by kind: the call's operands, with the matrix in place of the source.
    switch (c.kind) {
    case Convolution::forward:
      product.lhs.push_back(matrix), product.rhs.push_back(weights),
          product.out.push_back(destination);
      break;
    case Convolution::sourceGradient:
      product.lhs.push_back(destination), product.rhs.push_back(weights),
          product.out.push_back(matrix);
      break;
    case Convolution::weightsGradient:
      product.lhs.push_back(matrix), product.rhs.push_back(destination),
          product.out.push_back(weights);
      break;
    }
  };
  addLoop(c.weights.sizes[0], 0, c.weights.strides[0], c.destination.strides[1]);
  for (size_t i : order)
    addLoop(rowSizes[i], rowStrides[i], weightStrides[i], 0);
  int64_t column = width / chunk;
  addLoop(chunk, column, 0, c.destination.strides[0]);
  for (const Axis &axis : axes) {
    column /= axis.destination;
    addLoop(axis.destination, column, 0, axis.destinationStride);
  }
  first = planContraction(product);
  product.accumulate = c.kind == Convolution::weightsGradient;
  next = planContraction(product);
}

template <typename Visit> void UnfoldPlan::forEachRow(Visit visit) const {
  const Axis &x = axes[0], &y = axes[1], &z = axes[2];
  const int64_t positions = x.destination * y.destination * z.destination;
  // Channels that share a cache line of the source are read together.
  const int64_t channels = c.source.sizes[1],
                together = c.source.strides[1] < z.sourceStride ? lineElements : 1;
  for (int64_t block = 0; block < channels; block += together)
    for (int64_t i = 0; i < x.kernel; ++i)
      for (int64_t j = 0; j < y.kernel; ++j)
        for (int64_t k = 0; k < z.kernel; ++k) {
          // Positions o with 0 <= o * stride + shift < source.
          int64_t shift = k * z.dilation - z.padding;
          int64_t begin = shift >= 0 ? 0 : (-shift + z.stride - 1) / z.stride;
          int64_t end = z.source <= shift ? 0 : (z.source - shift + z.stride - 1) / z.stride;
          begin = std::min(begin, z.destination);
          end = std::clamp(end, begin, z.destination);
          for (int64_t sample = 0; sample < chunk; ++sample)
            for (int64_t p = 0; p < x.destination; ++p)
              for (int64_t q = 0; q < y.destination; ++q) {
                int64_t a = p * x.stride + i * x.dilation - x.padding,
                        b = q * y.stride + j * y.dilation - y.padding;
                bool inside = a >= 0 && a < x.source && b >= 0 && b < y.source;
                int64_t from = sample * c.source.strides[0] + a * x.sourceStride +
                               b * y.sourceStride + shift * z.sourceStride,
                        to = i * kernelRow[0] + j * kernelRow[1] + k * kernelRow[2] +
                             sample * positions + (p * y.destination + q) * z.destination;
                for (int64_t channel = block; channel < std::min(channels, block + together);
                     ++channel)
                  visit(from + channel * c.source.strides[1], inside ? begin : z.destination,
                        inside ? end : z.destination, z.stride * z.sourceStride,
                        to + channel * channelRow);
              }
        }
}

void UnfoldPlan::unfold(const float *source, float *matrix) const {
  int64_t width = axes[2].destination;
  forEachRow([&](int64_t from, int64_t begin, int64_t end, int64_t step, int64_t to) {
    float *row = matrix + to;
    std::fill(row, row + begin, 0.0f);
    for (int64_t o = begin; o < end; ++o)
      row[o] = source[from + o * step];
    std::fill(row + end, row + width, 0.0f);
  });
}

void UnfoldPlan::fold(const float *matrix, float *source) const {
  forEachRow([&](int64_t to, int64_t begin, int64_t end, int64_t step, int64_t from) {
    for (int64_t o = begin; o < end; ++o)
      source[to + o * step] += matrix[from + o];
  });
}

void UnfoldPlan::clear(float *source) const {
  for (int64_t sample = 0; sample < chunk; ++sample)
    for (int64_t channel = 0; channel < c.source.sizes[1]; ++channel)
      for (int64_t i = 0; i < axes[0].source; ++i)
        for (int64_t j = 0; j < axes[1].source; ++j)
          for (int64_t k = 0; k < axes[2].source; ++k)
            source[sample * c.source.strides[0] + channel * c.source.strides[1] +
                   i * axes[0].sourceStride + j * axes[1].sourceStride + k * axes[2].sourceStride] =
                0.0f;
}

std::unique_ptr<LibraryCall> UnfoldPlan::instantiate() const {
  return std::make_unique<UnfoldCall>(*this);
}

void UnfoldCall::run(const float *lhs, const float *rhs, float *out, char *scratch) {
  const Convolution &c = plan.c;
  auto *matrix = reinterpret_cast<float *>(scratch);
  scratch += plan.matrixBytes();
  lhs += c.lhsOffset, rhs += c.rhsOffset, out += c.outOffset;
  for (int64_t group = 0; group < c.groups; ++group) {
    int64_t source = group * c.source.groupStride, weights = group * c.weights.groupStride,
            destination = group * c.destination.groupStride;
    for (int64_t sample = 0; sample < c.source.sizes[0]; sample += plan.chunk) {
      int64_t inSource = source + sample * c.source.strides[0],
              inDestination = destination + sample * c.destination.strides[0];
      LibraryCall &product = sample == 0 ? *first : *next;
      switch (c.kind) {
      case Convolution::forward:
        plan.unfold(lhs + inSource, matrix);
        product.run(matrix, rhs + weights, out + inDestination, scratch);
        break;
      case Convolution::sourceGradient:
        product.run(lhs + inDestination, rhs + weights, matrix, scratch);
        plan.clear(out + inSource);
        plan.fold(matrix, out + inSource);
        break;
      case Convolution::weightsGradient:
        plan.unfold(lhs + inSource, matrix);
        product.run(matrix, rhs + inDestination, out + weights, scratch);
        break;
      }
    }
  }
}

} // namespace

std::unique_ptr<LibraryPlan> ds::planUnfold(const Convolution &convolution) {
  return std::make_unique<UnfoldPlan>(convolution);
}

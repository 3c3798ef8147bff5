//===- ConvolutionPlansTest.cpp - Convolutions against loops ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every planner computes what the definition says, in each direction, in one to three dimensions,
// with groups, strides, dilation and padding of any size, and whatever the order of dimensions in
// memory; it writes nothing else, and nothing is left to a reference implementation.
//
//===----------------------------------------------------------------------===//
#include "PlanFixture.h"

#include <numeric>

using namespace ds;

namespace {

struct Example {
  Convolution convolution;
  int64_t sourceElements = 0, destinationElements = 0, weightsElements = 0;
};

enum Order { channelsFirst, channelsLast, anyOrder };

class Maker {
public:
  explicit Maker(unsigned seed) : random(seed) {}

  Example make() {
    Example example;
    Convolution &c = example.convolution;
    c.kind = static_cast<Convolution::Kind>(below(3));
    int64_t dimensions = 1 + below(3);
    c.groups = below(3) == 0 ? 1 + below(20) : 1;
    bool depthwise = c.groups > 1 && below(2) == 0;
    int64_t samples = 1 + below(4), sourceChannels = depthwise ? 1 : 1 + below(below(4) ? 6 : 20),
            channels = depthwise ? 1 : 1 + below(below(4) ? 6 : 20);
    c.source.sizes = {samples, sourceChannels};
    c.destination.sizes = {samples, channels};
    c.weights.sizes = {channels, sourceChannels};
    for (int64_t d = 0; d < dimensions; ++d) {
      int64_t stride = below(2) ? 1 : 1 + below(3), dilation = below(3) ? 1 : 1 + below(3),
              kernel = 1 + below(dimensions == 3 ? 3 : 5), positions = 1 + below(7),
              padding = below(3) ? below(kernel + 1) : 0;
      int64_t reach = (positions - 1) * stride + (kernel - 1) * dilation + 1;
      // What a stride leaves over, padding at the end, and now and then far more of either.
      int64_t rest = below(4) ? below(stride) : below(6) - 3;
      c.stride.push_back(stride);
      c.dilation.push_back(dilation);
      c.padding.push_back(padding - (below(9) == 0));
      c.source.sizes.push_back(std::max<int64_t>(1, reach - padding + rest - below(2)));
      c.destination.sizes.push_back(positions);
      c.weights.sizes.push_back(kernel);
    }
    auto order = static_cast<Order>(below(3));
    example.sourceElements = layOut(c.source, order, c.groups);
    example.destinationElements =
        layOut(c.destination, below(8) ? order : static_cast<Order>(below(3)), c.groups);
    example.weightsElements = layOut(c.weights, anyOrder, c.groups);
    c.lhsOffset = below(3) ? 0 : below(9);
    c.rhsOffset = below(3) ? 0 : below(9);
    c.outOffset = below(3) ? 0 : below(9);
    return example;
  }

  std::mt19937 random;

private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random() % n); }

  /// Strides in this order, any order with gaps; the number of elements that they reach.
  int64_t layOut(Convolution::Tensor &tensor, Order order, int64_t groups) {
    constexpr size_t group = 100;
    std::vector<size_t> dims = {0, group};
    for (size_t d = 1; d < tensor.sizes.size(); ++d)
      dims.push_back(d);
    if (order == channelsLast)
      std::rotate(dims.begin() + 1, dims.begin() + 3, dims.end());
    if (order == anyOrder)
      std::shuffle(dims.begin(), dims.end(), random);
    tensor.strides.assign(tensor.sizes.size(), 0);
    int64_t next = 1;
    bool everySecond = below(6) == 0; // position, as between the zeros of a dilated gradient
    for (size_t i = dims.size(); i-- > 0;) {
      int64_t size = dims[i] == group ? groups : tensor.sizes[dims[i]];
      int64_t step = everySecond && dims[i] != group && dims[i] >= 2 ? 2 : 1;
      (dims[i] == group ? tensor.groupStride : tensor.strides[dims[i]]) = next * step;
      next *= (size - 1) * step + 1;
      if (order == anyOrder && below(6) == 0)
        next += below(3);
    }
    return next + 16;
  }
};

/// Calls visit(element of the source, of the weights, of the destination) for every product.
template <typename Visit> void forEachProduct(const Convolution &c, Visit visit) {
  std::vector<int64_t> sizes = {c.groups, c.source.sizes[0], c.weights.sizes[0],
                                c.weights.sizes[1]};
  for (size_t d = 0; d < c.dimensions(); ++d)
    sizes.insert(sizes.end(), {c.destination.sizes[2 + d], c.weights.sizes[2 + d]});
  int64_t rounds = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t rest = round;
    std::vector<int64_t> at;
    for (int64_t size : sizes) {
      at.push_back(rest % size);
      rest /= size;
    }
    int64_t source =
        at[0] * c.source.groupStride + at[1] * c.source.strides[0] + at[3] * c.source.strides[1];
    int64_t weights =
        at[0] * c.weights.groupStride + at[2] * c.weights.strides[0] + at[3] * c.weights.strides[1];
    int64_t destination = at[0] * c.destination.groupStride + at[1] * c.destination.strides[0] +
                          at[2] * c.destination.strides[1];
    bool inside = true;
    for (size_t d = 0; d < c.dimensions(); ++d) {
      int64_t position = at[4 + 2 * d], element = at[5 + 2 * d];
      int64_t place = position * c.stride[d] + element * c.dilation[d] - c.padding[d];
      inside &= place >= 0 && place < c.source.sizes[2 + d];
      source += place * c.source.strides[2 + d];
      weights += element * c.weights.strides[2 + d];
      destination += position * c.destination.strides[2 + d];
    }
    if (inside)
      visit(source, weights, destination);
  }
}

/// Calls visit(element) for every element of the tensor.
template <typename Visit>
void forEachElement(const Convolution::Tensor &tensor, int64_t groups, Visit visit) {
  int64_t rounds = groups;
  for (int64_t size : tensor.sizes)
    rounds *= size;
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t element = round % groups * tensor.groupStride, rest = round / groups;
    for (size_t d = 0; d < tensor.sizes.size(); rest /= tensor.sizes[d++])
      element += rest % tensor.sizes[d] * tensor.strides[d];
    visit(element);
  }
}

template <typename Plan> void expectLikeLoops(Plan makePlan, int examples, int atLeast) {
  Maker maker(7);
  int planned = 0;
  for (int i = 0; i < examples && !testing::Test::HasFailure(); ++i) {
    Example example = maker.make();
    const Convolution &c = example.convolution;
    std::unique_ptr<LibraryPlan> plan = makePlan(c);
    if (!plan)
      continue;
    ++planned;
    bool ofSource = c.kind == Convolution::sourceGradient,
         ofWeights = c.kind == Convolution::weightsGradient;
    Values lhs = integers(maker.random, c.lhsOffset + (ofSource ? example.destinationElements
                                                                : example.sourceElements));
    Values rhs = integers(maker.random, c.rhsOffset + (ofWeights ? example.destinationElements
                                                                 : example.weightsElements));
    Values out = integers(maker.random, c.outOffset + (ofSource    ? example.sourceElements
                                                       : ofWeights ? example.weightsElements
                                                                   : example.destinationElements));
    Values want = out;
    forEachElement(ofSource    ? c.source
                   : ofWeights ? c.weights
                               : c.destination,
                   c.groups, [&](int64_t element) { want[c.outOffset + element] = 0; });
    forEachProduct(c, [&](int64_t source, int64_t weights, int64_t destination) {
      int64_t left = ofSource ? destination : source, right = ofWeights ? destination : weights,
              result = ofSource    ? source
                       : ofWeights ? weights
                                   : destination;
      want[c.outOffset + result] += lhs[c.lhsOffset + left] * rhs[c.rhsOffset + right];
    });
    EXPECT_EQ(run(*plan, lhs, rhs, out), want) << "example " << i << ", " << plan->implementation();
    EXPECT_EQ(plan->implementation().find("ref"), std::string::npos) << plan->implementation();
  }
  EXPECT_GE(planned, atLeast);
}

TEST(ConvolutionPlans, TheChosenOne) { expectLikeLoops(planConvolution, 300, 300); }
TEST(ConvolutionPlans, Unfolding) { expectLikeLoops(planUnfold, 600, 600); }
TEST(ConvolutionPlans, DepthwiseGradients) { expectLikeLoops(planDepthwiseGradient, 1200, 20); }

/// A dense convolution in two dimensions, in the orders NCHW and OIHW or NHWC and HWIO.
Convolution dense(Convolution::Kind kind, Order order, int64_t samples, int64_t groups,
                  int64_t sourceChannels, int64_t channels, int64_t size, int64_t kernel,
                  int64_t stride = 1) {
  Convolution c;
  int64_t positions = (size + kernel / 2 * 2 - kernel) / stride + 1;
  c.kind = kind, c.groups = groups;
  c.stride = {stride, stride}, c.dilation = {1, 1}, c.padding = {kernel / 2, kernel / 2};
  auto activation = [&](Convolution::Tensor &tensor, int64_t width, int64_t length) {
    int64_t all = groups * width;
    tensor.sizes = {samples, width, length, length};
    tensor.strides = order == channelsFirst
                         ? std::vector<int64_t>{all * length * length, length * length, length, 1}
                         : std::vector<int64_t>{all * length * length, 1, all * length, all};
    tensor.groupStride = width * tensor.strides[1];
  };
  activation(c.source, sourceChannels, size);
  activation(c.destination, channels, positions);
  c.weights.sizes = {channels, sourceChannels, kernel, kernel};
  int64_t area = kernel * kernel;
  if (order == channelsFirst) {
    c.weights.strides = {sourceChannels * area, area, kernel, 1};
    c.weights.groupStride = channels * sourceChannels * area;
  } else {
    int64_t all = groups * channels;
    c.weights.strides = {1, all, kernel * sourceChannels * all, sourceChannels * all};
    c.weights.groupStride = channels;
  }
  return c;
}

TEST(ConvolutionPlans, FastCodeIsFoundInEveryDirection) {
  for (Convolution::Kind kind :
       {Convolution::forward, Convolution::sourceGradient, Convolution::weightsGradient})
    for (Order order : {channelsFirst, channelsLast}) {
      auto made = [&](int64_t groups, int64_t in, int64_t out, int64_t size, int64_t kernel,
                      int64_t stride = 1) {
        return planConvolution(dense(kind, order, 8, groups, in, out, size, kernel, stride))
            ->implementation();
      };
      if (made(1, 64, 64, 16, 3).find("gemm") != std::string::npos)
        continue; // SSE4.1 has no fast code for gradients
      for (const std::string &implementation :
           {made(1, 64, 128, 16, 3, 2), made(1, 64, 128, 16, 1, 2), made(96, 1, 1, 16, 3),
            made(96, 1, 1, 16, 3, 2), made(96, 1, 1, 14, 5), made(96, 1, 1, 14, 7)})
        EXPECT_EQ(implementation.find("gemm"), std::string::npos)
            << kind << " " << order << " " << implementation;
    }
}

TEST(ConvolutionPlans, SmallImagesAreUnfolded) {
  for (Order order : {channelsFirst, channelsLast})
    EXPECT_EQ(planConvolution(dense(Convolution::forward, order, 8, 1, 512, 512, 2, 3))
                  ->implementation()
                  .rfind("unfold", 0),
              0u);
}

} // namespace

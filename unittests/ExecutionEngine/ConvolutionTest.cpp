//===- ConvolutionTest.cpp - Convolutions and their gradients ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three directions as front ends write them (padded copies, gradients dilated by zeros,
// reversed weights) against the definition y[o] = sum over k of x[o * s + k * d - p] * w[k]. Inputs
// are small integers, so results are exact.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include <random>

using namespace ds;

namespace {

using Values = std::vector<float>;

struct Shape {
  const char *name;
  int64_t n, sourceChannels, channels, height, width, kernelHeight, kernelWidth, stride, dilation,
      padding;
  int64_t outHeight() const { return out(height, kernelHeight); }
  int64_t outWidth() const { return out(width, kernelWidth); }

private:
  int64_t out(int64_t size, int64_t kernel) const {
    return (size + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
  }
};

std::string tensor(std::initializer_list<int64_t> sizes) {
  std::string type = "tensor<";
  for (int64_t size : sizes)
    type += std::to_string(size) + "x";
  return type + "f32>";
}

std::string zeros(const std::string &name, const std::string &type) {
  return "%e_" + name + " = tensor.empty() : " + type + "\n%" + name +
         " = linalg.fill ins(%zero : f32) outs(%e_" + name + " : " + type + ") -> " + type + "\n";
}

/// %result = sum over all loops of %a * %b into zeros.
std::string contraction(const std::string &maps, const std::string &kinds, const std::string &a,
                        const std::string &aType, const std::string &b, const std::string &bType,
                        const std::string &resultType) {
  return zeros("init", resultType) + "%result = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + kinds + "]} ins(" + a + ", " + b + " : " + aType + ", " + bType +
         ") outs(%init : " + resultType +
         ") {\n^bb0(%u: f32, %v: f32, %s: f32):\n%m = arith.mulf %u, %v : f32\n%t = arith.addf %s, "
         "%m : f32\n"
         "linalg.yield %t : f32\n} -> " +
         resultType + "\n";
}

std::string step(const std::string &lhsType, const std::string &rhsType,
                 const std::string &resultType, const std::string &body) {
  return "func.func @step(%a: " + lhsType + ", %b: " + rhsType + ") -> (" + resultType +
         " {ds.metric = \"r\"}) {\n"
         "%zero = arith.constant 0.0 : f32\n" +
         body + "return %result : " + resultType + "\n}\n";
}

std::string times(int64_t factor, const std::string &loop) {
  return loop + " * " + std::to_string(factor);
}

const char *const kThreeSums = "\"parallel\", \"parallel\", \"parallel\", \"parallel\", "
                               "\"reduction\", \"reduction\", \"reduction\"";

class Convolutions : public testing::TestWithParam<Shape> {
protected:
  void SetUp() override {
    std::mt19937 random(11);
    auto fill = [&](Values &values, int64_t count) {
      values.resize(count);
      for (float &value : values)
        value = int(random() % 7) - 3;
    };
    fill(x, s.n * s.height * s.width * s.sourceChannels);
    fill(w, s.kernelHeight * s.kernelWidth * s.sourceChannels * s.channels);
    fill(g, s.n * s.outHeight() * s.outWidth() * s.channels);
  }

  /// Calls visit(index in x, index in w, index in y) for every product of the definition.
  template <typename Visit> void forEachProduct(Visit visit) {
    for (int64_t n = 0; n < s.n; ++n)
      for (int64_t oh = 0; oh < s.outHeight(); ++oh)
        for (int64_t ow = 0; ow < s.outWidth(); ++ow)
          for (int64_t kh = 0; kh < s.kernelHeight; ++kh)
            for (int64_t kw = 0; kw < s.kernelWidth; ++kw) {
              int64_t ih = oh * s.stride + kh * s.dilation - s.padding,
                      iw = ow * s.stride + kw * s.dilation - s.padding;
              if (ih < 0 || ih >= s.height || iw < 0 || iw >= s.width)
                continue;
              for (int64_t ic = 0; ic < s.sourceChannels; ++ic)
                for (int64_t oc = 0; oc < s.channels; ++oc)
                  visit(((n * s.height + ih) * s.width + iw) * s.sourceChannels + ic,
                        ((kh * s.kernelWidth + kw) * s.sourceChannels + ic) * s.channels + oc,
                        ((n * s.outHeight() + oh) * s.outWidth() + ow) * s.channels + oc);
            }
  }

  /// Runs the step on two operands and compares; copies must have become part of one call of the
  /// library.
  void expect(const std::string &text, const Values &lhs, const Values &rhs, const Values &want) {
    auto step = compileText(text);
    ASSERT_TRUE(step);
    // Dimensions of size 1 are folded away by reshapes, which copies are not looked through.
    if (s.n > 1 && s.sourceChannels > 1) {
      EXPECT_TRUE(step->kernelNames().empty()) << "a copy was left over";
    }
    auto instance = step->instantiate();
    set(*instance, 0, lhs);
    set(*instance, 1, rhs);
    instance->run(nullptr);
    EXPECT_EQ(result(*instance, 0, want.size()), want);
  }

  /// The source with its padding, as %padded.
  std::string pad(std::string &type) {
    type = tensor({s.n, s.height + 2 * s.padding, s.width + 2 * s.padding, s.sourceChannels});
    std::string p = std::to_string(s.padding);
    return "%padded = tensor.pad %a low[0, " + p + ", " + p + ", 0] high[0, " + p + ", " + p +
           ", 0] {\n^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\ntensor.yield %zero : "
           "f32\n} : " +
           tensor({s.n, s.height, s.width, s.sourceChannels}) + " to " + type + "\n";
  }

  Shape s = GetParam();
  Values x, w, g;
};

TEST_P(Convolutions, Forward) {
  std::string paddedType, body = pad(paddedType);
  std::string weights = tensor({s.kernelHeight, s.kernelWidth, s.sourceChannels, s.channels});
  std::string y = tensor({s.n, s.outHeight(), s.outWidth(), s.channels});
  std::string loops = "affine_map<(n, oh, ow, oc, kh, kw, ic) -> (";
  body += contraction(loops + "n, " + times(s.stride, "oh") + " + " + times(s.dilation, "kh") +
                          ", " + times(s.stride, "ow") + " + " + times(s.dilation, "kw") +
                          ", ic)>, " + loops + "kh, kw, ic, oc)>, " + loops + "n, oh, ow, oc)>",
                      kThreeSums, "%padded", paddedType, "%b", weights, y);
  Values want(g.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[yi] += x[xi] * w[wi]; });
  expect(step(tensor({s.n, s.height, s.width, s.sourceChannels}), weights, y, body), x, w, want);
}

TEST_P(Convolutions, GradientOfTheSource) {
  int64_t reachHeight = (s.kernelHeight - 1) * s.dilation,
          reachWidth = (s.kernelWidth - 1) * s.dilation;
  std::string gradient = tensor({s.n, s.outHeight(), s.outWidth(), s.channels});
  std::string dilated = tensor({s.n, s.height + reachHeight, s.width + reachWidth, s.channels});
  std::string weights = tensor({s.kernelHeight, s.kernelWidth, s.sourceChannels, s.channels});
  std::string dx = tensor({s.n, s.height, s.width, s.sourceChannels});
  std::string stride = std::to_string(s.stride);
  std::string body =
      zeros("field", dilated) + "%dilated = tensor.insert_slice %a into %field[0, " +
      std::to_string(reachHeight - s.padding) + ", " + std::to_string(reachWidth - s.padding) +
      ", 0] [" + std::to_string(s.n) + ", " + std::to_string(s.outHeight()) + ", " +
      std::to_string(s.outWidth()) + ", " + std::to_string(s.channels) + "] [1, " + stride + ", " +
      stride + ", 1] : " + gradient + " into " + dilated + "\n%e_w = tensor.empty() : " + weights +
      "\n%reversed = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (-a + " +
      std::to_string(s.kernelHeight - 1) + ", -b + " + std::to_string(s.kernelWidth - 1) +
      ", c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = [\"parallel\", "
      "\"parallel\", \"parallel\", "
      "\"parallel\"]} ins(%b : " +
      weights + ") outs(%e_w : " + weights +
      ") {\n^bb0(%u: f32, %v: f32):\nlinalg.yield %u : f32\n} -> " + weights + "\n";
  std::string loops = "affine_map<(n, i, j, ic, kh, kw, oc) -> (";
  body +=
      contraction(loops + "n, i + " + times(s.dilation, "kh") + ", j + " + times(s.dilation, "kw") +
                      ", oc)>, " + loops + "kh, kw, ic, oc)>, " + loops + "n, i, j, ic)>",
                  kThreeSums, "%dilated", dilated, "%reversed", weights, dx);
  Values want(x.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[xi] += g[yi] * w[wi]; });
  expect(step(gradient, weights, dx, body), g, w, want);
}

TEST_P(Convolutions, GradientOfTheWeights) {
  std::string paddedType, body = pad(paddedType);
  std::string gradient = tensor({s.n, s.outHeight(), s.outWidth(), s.channels});
  int64_t dilatedHeight = (s.outHeight() - 1) * s.stride + 1,
          dilatedWidth = (s.outWidth() - 1) * s.stride + 1;
  std::string dilated = tensor({s.n, dilatedHeight, dilatedWidth, s.channels});
  std::string dw = tensor({s.kernelHeight, s.kernelWidth, s.sourceChannels, s.channels});
  std::string stride = std::to_string(s.stride);
  body += zeros("field", dilated) + "%dilated = tensor.insert_slice %b into %field[0, 0, 0, 0] [" +
          std::to_string(s.n) + ", " + std::to_string(s.outHeight()) + ", " +
          std::to_string(s.outWidth()) + ", " + std::to_string(s.channels) + "] [1, " + stride +
          ", " + stride + ", 1] : " + gradient + " into " + dilated + "\n";
  std::string loops = "affine_map<(kh, kw, ic, oc, n, oh, ow) -> (";
  body +=
      contraction(loops + "n, " + times(s.dilation, "kh") + " + oh, " + times(s.dilation, "kw") +
                      " + ow, ic)>, " + loops + "n, oh, ow, oc)>, " + loops + "kh, kw, ic, oc)>",
                  kThreeSums, "%padded", paddedType, "%dilated", dilated, dw);
  Values want(w.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[wi] += x[xi] * g[yi]; });
  expect(step(tensor({s.n, s.height, s.width, s.sourceChannels}), gradient, dw, body), x, g, want);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Convolutions,
                         testing::Values(Shape{"plain", 2, 3, 4, 9, 8, 3, 3, 1, 1, 0},
                                         Shape{"same", 2, 8, 16, 8, 8, 3, 3, 1, 1, 1},
                                         Shape{"one_channel", 2, 1, 8, 10, 10, 3, 3, 1, 1, 1},
                                         Shape{"one_sample", 1, 3, 5, 9, 9, 3, 3, 1, 1, 1},
                                         Shape{"strided", 2, 4, 8, 9, 9, 3, 3, 2, 1, 1},
                                         Shape{"strided_with_a_rest", 2, 4, 8, 10, 10, 3, 3, 2, 1,
                                               1},
                                         Shape{"dilated", 2, 3, 4, 11, 11, 3, 3, 1, 2, 2},
                                         Shape{"wide_kernel", 2, 3, 4, 12, 12, 5, 5, 1, 1, 2},
                                         Shape{"oblong", 2, 3, 4, 9, 13, 3, 5, 1, 1, 1}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace

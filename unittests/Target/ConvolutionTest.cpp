//===- ConvolutionTest.cpp - Convolutions and their gradients ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three directions as front ends write them (padded copies, gradients dilated by zeros,
// reversed weights) against the definition y[o] = sum over k of x[o * s + k * d - p] * w[k], with
// channels first and last. Inputs are small integers, so results are exact.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include <array>
#include <random>

using namespace ds;

namespace {

using Values = std::vector<float>;

/// The order of (sample, height, width, channel) and of (height, width, source channel, channel).
struct Layout {
  std::array<int, 4> activations, weights;
};
constexpr Layout kChannelsLast = {{0, 1, 2, 3}, {0, 1, 2, 3}},
                 kChannelsFirst = {{0, 3, 1, 2}, {3, 2, 0, 1}};

struct Shape {
  const char *name;
  int64_t n, sourceChannels, channels, height, width, kernelHeight, kernelWidth, stride, dilation,
      padding;
  Layout layout = kChannelsLast;
  int64_t outHeight() const { return out(height, kernelHeight); }
  int64_t outWidth() const { return out(width, kernelWidth); }

private:
  int64_t out(int64_t size, int64_t kernel) const {
    return (size + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
  }
};

std::string tensor(const std::vector<int64_t> &sizes) {
  std::string type = "tensor<";
  for (int64_t size : sizes)
    type += std::to_string(size) + "x";
  return type + "f32>";
}

std::string zeros(const std::string &name, const std::string &type) {
  return "%e_" + name + " = tensor.empty() : " + type + "\n%" + name +
         " = linalg.fill ins(%zero : f32) outs(%e_" + name + " : " + type + ") -> " + type + "\n";
}

/// In the order of memory.
template <typename T>
std::vector<T> permuted(std::array<T, 4> list, const std::array<int, 4> &order) {
  return {list[order[0]], list[order[1]], list[order[2]], list[order[3]]};
}

std::string joined(const std::vector<std::string> &list) {
  return list[0] + ", " + list[1] + ", " + list[2] + ", " + list[3];
}

int64_t elementAt(const std::vector<int64_t> &index, const std::vector<int64_t> &sizes) {
  int64_t element = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    element = element * sizes[d] + index[d];
  return element;
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
                  visit(elementAt(activation<int64_t>({n, ih, iw, ic}), sourceSizes()),
                        elementAt(weights<int64_t>({kh, kw, ic, oc}), weightSizes()),
                        elementAt(activation<int64_t>({n, oh, ow, oc}), resultSizes()));
            }
  }

  template <typename T> std::vector<T> activation(std::array<T, 4> nhwc) const {
    return permuted(nhwc, s.layout.activations);
  }
  template <typename T> std::vector<T> weights(std::array<T, 4> hwio) const {
    return permuted(hwio, s.layout.weights);
  }
  std::vector<int64_t> sourceSizes() const {
    return activation<int64_t>({s.n, s.height, s.width, s.sourceChannels});
  }
  std::vector<int64_t> resultSizes() const {
    return activation<int64_t>({s.n, s.outHeight(), s.outWidth(), s.channels});
  }
  std::vector<int64_t> weightSizes() const {
    return weights<int64_t>({s.kernelHeight, s.kernelWidth, s.sourceChannels, s.channels});
  }
  /// A map from the loops to these expressions, in the order of memory.
  static std::string map(const std::string &loops, const std::vector<std::string> &exprs) {
    return "affine_map<(" + loops + ") -> (" + joined(exprs) + ")>";
  }
  /// Numbers of (sample, height, width, channel), as a list in brackets.
  std::string offsets(int64_t height, int64_t width, int64_t rest) const {
    std::string n = std::to_string(rest);
    return "[" +
           joined(activation<std::string>({n, std::to_string(height), std::to_string(width), n})) +
           "]";
  }
  std::string sizes(const std::vector<int64_t> &list) const {
    return "[" +
           joined({std::to_string(list[0]), std::to_string(list[1]), std::to_string(list[2]),
                   std::to_string(list[3])}) +
           "]";
  }

  /// Runs the step on two operands and compares; copies must have become part of one call of the
  /// library.
  void expect(const std::string &text, const Values &lhs, const Values &rhs, const Values &want) {
    auto step = compileText(text);
    ASSERT_TRUE(step);
    ASSERT_EQ(step->libraryCalls().size(), 1u);
    // Without a window the gradient of weights is a product.
    if (s.kernelHeight > 1 && s.kernelWidth > 1) {
      EXPECT_EQ(step->libraryCalls()[0].first.rfind("convolution", 0), 0u) << "not recognised";
      // Dimensions of size 1 are folded away by reshapes, which copies are not always looked
      // through.
      if (s.n > 1 && s.sourceChannels > 1) {
        EXPECT_TRUE(step->kernelNames().empty()) << "a copy was left over";
      }
    }
    auto instance = step->instantiate();
    set(*instance, 0, lhs);
    set(*instance, 1, rhs);
    instance->run(nullptr);
    EXPECT_EQ(result(*instance, 0, want.size()), want);
  }

  /// The source with its padding, as %padded.
  std::string pad(std::string &type) {
    type = tensor(activation<int64_t>(
        {s.n, s.height + 2 * s.padding, s.width + 2 * s.padding, s.sourceChannels}));
    std::string p = offsets(s.padding, s.padding, 0);
    return "%padded = tensor.pad %a low" + p + " high" + p +
           " {\n^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\ntensor.yield %zero : "
           "f32\n} : " +
           tensor(sourceSizes()) + " to " + type + "\n";
  }

  Shape s = GetParam();
  Values x, w, g;
};

TEST_P(Convolutions, Forward) {
  std::string paddedType, body = pad(paddedType);
  std::string kernel = tensor(weightSizes()), y = tensor(resultSizes());
  std::string loops = "n, oh, ow, oc, kh, kw, ic";
  body +=
      contraction(map(loops, activation<std::string>(
                                 {"n", times(s.stride, "oh") + " + " + times(s.dilation, "kh"),
                                  times(s.stride, "ow") + " + " + times(s.dilation, "kw"), "ic"})) +
                      ", " + map(loops, weights<std::string>({"kh", "kw", "ic", "oc"})) + ", " +
                      map(loops, activation<std::string>({"n", "oh", "ow", "oc"})),
                  kThreeSums, "%padded", paddedType, "%b", kernel, y);
  Values want(g.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[yi] += x[xi] * w[wi]; });
  expect(step(tensor(sourceSizes()), kernel, y, body), x, w, want);
}

TEST_P(Convolutions, GradientOfTheSource) {
  int64_t reachHeight = (s.kernelHeight - 1) * s.dilation,
          reachWidth = (s.kernelWidth - 1) * s.dilation;
  std::string gradient = tensor(resultSizes());
  std::string dilated =
      tensor(activation<int64_t>({s.n, s.height + reachHeight, s.width + reachWidth, s.channels}));
  std::string kernel = tensor(weightSizes()), dx = tensor(sourceSizes());
  std::string loops = "a, b, c, d";
  std::string body =
      zeros("field", dilated) + "%dilated = tensor.insert_slice %a into %field" +
      offsets(reachHeight - s.padding, reachWidth - s.padding, 0) + " " + sizes(resultSizes()) +
      " " + offsets(s.stride, s.stride, 1) + " : " + gradient + " into " + dilated +
      "\n%e_w = tensor.empty() : " + kernel + "\n%reversed = linalg.generic {indexing_maps = [" +
      map(loops, weights<std::string>({"-a + " + std::to_string(s.kernelHeight - 1),
                                       "-b + " + std::to_string(s.kernelWidth - 1), "c", "d"})) +
      ", " + map(loops, weights<std::string>({"a", "b", "c", "d"})) +
      "], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%b : " +
      kernel + ") outs(%e_w : " + kernel +
      ") {\n^bb0(%u: f32, %v: f32):\nlinalg.yield %u : f32\n} -> " + kernel + "\n";
  loops = "n, i, j, ic, kh, kw, oc";
  body +=
      contraction(map(loops, activation<std::string>({"n", "i + " + times(s.dilation, "kh"),
                                                      "j + " + times(s.dilation, "kw"), "oc"})) +
                      ", " + map(loops, weights<std::string>({"kh", "kw", "ic", "oc"})) + ", " +
                      map(loops, activation<std::string>({"n", "i", "j", "ic"})),
                  kThreeSums, "%dilated", dilated, "%reversed", kernel, dx);
  Values want(x.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[xi] += g[yi] * w[wi]; });
  expect(step(gradient, kernel, dx, body), g, w, want);
}

TEST_P(Convolutions, GradientOfTheWeights) {
  std::string paddedType, body = pad(paddedType);
  std::string gradient = tensor(resultSizes());
  std::string dilated = tensor(activation<int64_t>(
      {s.n, (s.outHeight() - 1) * s.stride + 1, (s.outWidth() - 1) * s.stride + 1, s.channels}));
  std::string dw = tensor(weightSizes());
  body += zeros("field", dilated) + "%dilated = tensor.insert_slice %b into %field" +
          offsets(0, 0, 0) + " " + sizes(resultSizes()) + " " + offsets(s.stride, s.stride, 1) +
          " : " + gradient + " into " + dilated + "\n";
  std::string loops = "kh, kw, ic, oc, n, oh, ow";
  body +=
      contraction(map(loops, activation<std::string>({"n", times(s.dilation, "kh") + " + oh",
                                                      times(s.dilation, "kw") + " + ow", "ic"})) +
                      ", " + map(loops, activation<std::string>({"n", "oh", "ow", "oc"})) + ", " +
                      map(loops, weights<std::string>({"kh", "kw", "ic", "oc"})),
                  kThreeSums, "%padded", paddedType, "%dilated", dilated, dw);
  Values want(w.size(), 0.0f);
  forEachProduct([&](int64_t xi, int64_t wi, int64_t yi) { want[wi] += x[xi] * g[yi]; });
  expect(step(tensor(sourceSizes()), gradient, dw, body), x, g, want);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Convolutions,
    testing::Values(Shape{"plain", 2, 3, 4, 9, 8, 3, 3, 1, 1, 0},
                    Shape{"same", 2, 8, 16, 8, 8, 3, 3, 1, 1, 1},
                    Shape{"one_channel", 2, 1, 8, 10, 10, 3, 3, 1, 1, 1},
                    Shape{"one_sample", 1, 3, 5, 9, 9, 3, 3, 1, 1, 1},
                    Shape{"strided", 2, 4, 8, 9, 9, 3, 3, 2, 1, 1},
                    Shape{"strided_with_a_rest", 2, 4, 8, 10, 10, 3, 3, 2, 1, 1},
                    Shape{"dilated", 2, 3, 4, 11, 11, 3, 3, 1, 2, 2},
                    Shape{"wide_kernel", 2, 3, 4, 12, 12, 5, 5, 1, 1, 2},
                    Shape{"oblong", 2, 3, 4, 9, 13, 3, 5, 1, 1, 1},
                    // Images smaller than the kernel, and kernels of one element.
                    Shape{"small", 2, 8, 16, 2, 2, 3, 3, 1, 1, 1},
                    Shape{"pointwise_strided", 2, 4, 8, 9, 9, 1, 1, 2, 1, 0},
                    Shape{"first", 2, 8, 16, 8, 8, 3, 3, 1, 1, 1, kChannelsFirst},
                    Shape{"first_strided", 2, 4, 8, 10, 10, 3, 3, 2, 1, 1, kChannelsFirst},
                    Shape{"first_small", 4, 8, 16, 2, 2, 3, 3, 1, 1, 1, kChannelsFirst},
                    Shape{"first_small_strided", 4, 8, 16, 3, 3, 3, 3, 2, 1, 1, kChannelsFirst},
                    Shape{"first_dilated", 2, 3, 4, 11, 11, 3, 3, 1, 2, 2, kChannelsFirst}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace

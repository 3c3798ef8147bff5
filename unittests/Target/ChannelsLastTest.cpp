//===- ChannelsLastTest.cpp - Steps whose activations change order -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small networks of convolutions with what stands between them, compiled as they are written and
// with all optimisations. Inputs are small integers, so results are equal.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

using namespace ds;

namespace {

/// Results of the step in both ways; arguments are integers from -2 to 2.
void expectSame(const std::string &text) {
  CompileOptions asWritten = defaultOptions();
  asWritten.effort = Effort::None;
  std::vector<std::vector<float>> expected;
  for (const CompileOptions &options : {asWritten, defaultOptions()}) {
    auto step = compileText(text, options);
    ASSERT_TRUE(step);
    auto count = [](const auto &spec) {
      size_t elements = 1;
      for (int64_t size : spec.shape)
        elements *= static_cast<size_t>(size);
      return elements;
    };
    auto instance = step->instantiate();
    unsigned number = 0;
    for (unsigned slot = 0; slot < step->manifest().arguments.size(); ++slot) {
      std::vector<float> values(count(step->manifest().arguments[slot]));
      for (float &value : values)
        value = static_cast<float>(static_cast<int>(number++ * 2654435761u >> 16) % 5 - 2);
      set(*instance, slot, values);
    }
    instance->run(nullptr);
    for (unsigned slot = 0; slot < step->manifest().results.size(); ++slot) {
      std::vector<float> values = result(*instance, slot, count(step->manifest().results[slot]));
      if (options.effort == Effort::None)
        expected.push_back(values);
      else
        EXPECT_EQ(values, expected[slot]) << "result " << slot;
    }
  }
}

const std::string kMaps = R"(
#id = affine_map<(n, c, y, x) -> (n, c, y, x)>
#c = affine_map<(n, c, y, x) -> (c)>
#none = affine_map<(n, c, y, x) -> ()>
)";

/// A convolution of 3x3 with padding: `%NAME` of `%of`, whose sizes are 2 x `from` x 8 x 8.
std::string convolution(const std::string &name, const std::string &of, const std::string &weights,
                        int from, int to) {
  const std::string in = "tensor<2x" + std::to_string(from) + "x",
                    out = "tensor<2x" + std::to_string(to) + "x8x8xf32>";
  return "%p_" + name + " = tensor.pad " + of + R"( low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zero : f32
    } : )" +
         in + "8x8xf32> to " + in + "10x10xf32>\n%e_" + name + " = tensor.empty() : " + out +
         "\n%z_" + name + " = linalg.fill ins(%zero : f32) outs(%e_" + name + " : " + out +
         ") -> " + out + "\n%" + name + " = linalg.conv_2d_nchw_fchw ins(%p_" + name + ", " +
         weights + " : " + in + "10x10xf32>, tensor<" + std::to_string(to) + "x" +
         std::to_string(from) + "x3x3xf32>) outs(%z_" + name + " : " + out + ") -> " + out + "\n";
}

} // namespace

// A bias, a residual, a pooling, a statistic of each channel, and rows of features at the end.
TEST(ChannelsLast, KernelsBetweenConvolutions) {
  expectSame(kMaps + R"(
    func.func @step(%x: tensor<2x4x8x8xf32>, %w1: tensor<16x4x3x3xf32>, %b: tensor<16xf32>, %w2: tensor<16x16x3x3xf32>)
        -> (tensor<2x256xf32>, tensor<16xf32>) {
      %zero = arith.constant 0.0 : f32
      %low = arith.constant 0xFF800000 : f32
)" + convolution("c1", "%x", "%w1", 4, 16) +
             R"(
      %e = tensor.empty() : tensor<2x16x8x8xf32>
      %relu = linalg.generic {indexing_maps = [#id, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%c1, %b : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %s = arith.addf %a, %k : f32
        %m = arith.maximumf %s, %zero : f32
        linalg.yield %m : f32
      } -> tensor<2x16x8x8xf32>
)" + convolution("c2", "%relu", "%w2", 16, 16) +
             R"(
      %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%c2, %relu : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %s = arith.addf %a, %k : f32
        linalg.yield %s : f32
      } -> tensor<2x16x8x8xf32>
      %window = tensor.empty() : tensor<2x2xf32>
      %e4 = tensor.empty() : tensor<2x16x4x4xf32>
      %lowest = linalg.fill ins(%low : f32) outs(%e4 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
      %pool = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
          ins(%sum, %window : tensor<2x16x8x8xf32>, tensor<2x2xf32>) outs(%lowest : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
      %rows = tensor.collapse_shape %pool [[0], [1, 2, 3]] : tensor<2x16x4x4xf32> into tensor<2x256xf32>
      %ec = tensor.empty() : tensor<16xf32>
      %zc = linalg.fill ins(%zero : f32) outs(%ec : tensor<16xf32>) -> tensor<16xf32>
      %statistic = linalg.generic {indexing_maps = [#id, #c], iterator_types = ["reduction", "parallel", "reduction", "reduction"]}
          ins(%sum : tensor<2x16x8x8xf32>) outs(%zc : tensor<16xf32>) {
      ^bb0(%a: f32, %o: f32):
        %s = arith.addf %a, %o : f32
        linalg.yield %s : f32
      } -> tensor<16xf32>
      return %rows, %statistic : tensor<2x256xf32>, tensor<16xf32>
    }
)");
}

// As in a DenseNet, and a value that a result of the step needs in the order of before.
TEST(ChannelsLast, ConcatenationAndResults) {
  expectSame(kMaps + R"(
    func.func @step(%x: tensor<2x4x8x8xf32>, %w1: tensor<16x4x3x3xf32>, %w2: tensor<16x16x3x3xf32>, %w3: tensor<16x32x3x3xf32>)
        -> (tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) {
      %zero = arith.constant 0.0 : f32
)" + convolution("c1", "%x", "%w1", 4, 16) +
             convolution("c2", "%c1", "%w2", 16, 16) + R"(
      %e = tensor.empty() : tensor<2x32x8x8xf32>
      %half = tensor.insert_slice %c1 into %e[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf32> into tensor<2x32x8x8xf32>
      %both = tensor.insert_slice %c2 into %half[0, 16, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf32> into tensor<2x32x8x8xf32>
)" + convolution("c3", "%both", "%w3", 32, 16) +
             R"(
      %part = tensor.extract_slice %both[0, 8, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x32x8x8xf32> to tensor<2x16x8x8xf32>
      %es = tensor.empty() : tensor<2x16x8x8xf32>
      %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%c3, %part : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) outs(%es : tensor<2x16x8x8xf32>) {
      ^bb0(%a: f32, %k: f32, %o: f32):
        %s = arith.addf %a, %k : f32
        linalg.yield %s : f32
      } -> tensor<2x16x8x8xf32>
      return %sum, %c2 : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>
    }
)");
}

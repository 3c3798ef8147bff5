//===- HazardsTest.cpp - Writing results in place is sound ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way in which one result may overwrite what another result still needs, checked by running.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

using namespace ds;

namespace {

using Values = std::vector<float>;

const std::string map = "affine_map<(d0) -> (d0)>";

/// A kernel %name = %a op %b on tensor<4xf32>.
std::string binary(const std::string &name, const std::string &op, const std::string &a,
                   const std::string &b) {
  return "%e_" + name + " = tensor.empty() : tensor<4xf32>\n%" + name +
         " = linalg.generic {indexing_maps = [" + map + ", " + map + ", " + map +
         "], iterator_types = [\"parallel\"]} ins(" + a + ", " + b +
         " : tensor<4xf32>, tensor<4xf32>) outs(%e_" + name +
         " : tensor<4xf32>) {\n^bb0(%x_: f32, %y_: f32, %o_: f32):\n  %r_ = " + op +
         " %x_, %y_ : f32\n  linalg.yield %r_ : f32\n} -> tensor<4xf32>\n";
}

std::string twoStates(const std::string &body) {
  return "func.func @step(%w: tensor<4xf32> {ds.param = \"w\"}, %p: tensor<4xf32> {ds.state = "
         "\"p\"}, "
         "%x: tensor<4xf32> {ds.batch = 0 : i64, ds.name = \"x\"}) -> (tensor<4xf32> {ds.updates = "
         "\"w\"}, "
         "tensor<4xf32> {ds.updates = \"p\"}) {\n" +
         body + "}\n";
}

struct State {
  Values w, p, x;
};

State run(const std::string &text, int steps = 1) {
  auto step = compileText(text);
  if (!step)
    return {};
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4});
  set(*instance, 1, {10, 20, 30, 40});
  set(*instance, 2, {100, 200, 300, 400});
  for (int i = 0; i < steps; ++i)
    instance->run(nullptr);
  return {argument(*instance, 0, 4), argument(*instance, 1, 4), argument(*instance, 2, 4)};
}

TEST(Hazards, PreviousValueIsKept) { // p = w; w = w + x
  State end = run(twoStates(binary("n", "arith.addf", "%w", "%x") +
                            "return %n, %w : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{101, 202, 303, 404}));
  EXPECT_EQ(end.p, (Values{1, 2, 3, 4}));
}

TEST(Hazards, TwoStatesAreSwapped) {
  std::string text = twoStates("return %p, %w : tensor<4xf32>, tensor<4xf32>\n");
  State once = run(text);
  EXPECT_EQ(once.w, (Values{10, 20, 30, 40}));
  EXPECT_EQ(once.p, (Values{1, 2, 3, 4}));
  State twice = run(text, 2);
  EXPECT_EQ(twice.w, (Values{1, 2, 3, 4}));
}

TEST(Hazards, OneValueUpdatesTwoNames) {
  State end = run(twoStates(binary("n", "arith.addf", "%w", "%x") +
                            "return %n, %n : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{101, 202, 303, 404}));
  EXPECT_EQ(end.p, end.w);
}

TEST(Hazards, FrozenParameterIsReturnedUnchanged) {
  State end = run(twoStates(binary("n", "arith.mulf", "%w", "%p") +
                            "return %w, %n : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{1, 2, 3, 4}));
  EXPECT_EQ(end.p, (Values{10, 40, 90, 160}));
}

TEST(Hazards, InputIsReturnedAsState) {
  State end = run(twoStates(binary("n", "arith.mulf", "%w", "%p") +
                            "return %n, %x : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{10, 40, 90, 160}));
  EXPECT_EQ(end.p, (Values{100, 200, 300, 400}));
  EXPECT_EQ(end.x, (Values{100, 200, 300, 400}));
}

TEST(Hazards, ViewOfAnotherArgumentIsCopied) {
  State end =
      run(twoStates(binary("n", "arith.addf", "%w", "%x") +
                    "%v = tensor.expand_shape %w [[0, 1]] output_shape [2, 2] : tensor<4xf32> into "
                    "tensor<2x2xf32>\n"
                    "%u = tensor.collapse_shape %v [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>\n"
                    "return %n, %u : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{101, 202, 303, 404}));
  EXPECT_EQ(end.p, (Values{1, 2, 3, 4}));
}

TEST(Hazards, OldValueIsReadAfterItsUpdateWasComputed) { // p = (w + x) * w, w = w + x
  State end =
      run(twoStates(binary("n", "arith.addf", "%w", "%x") + binary("q", "arith.mulf", "%n", "%w") +
                    "return %n, %q : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{101, 202, 303, 404}));
  EXPECT_EQ(end.p, (Values{101, 404, 909, 1616}));
}

TEST(Hazards, CrossedUpdatesUseOldValues) { // w = w + p, p = w - p, both of the old values
  State end =
      run(twoStates(binary("a", "arith.addf", "%w", "%p") + binary("b", "arith.subf", "%w", "%p") +
                    "return %a, %b : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{11, 22, 33, 44}));
  EXPECT_EQ(end.p, (Values{-9, -18, -27, -36}));
}

TEST(Hazards, ConstantResultIsStored) {
  State end = run(twoStates("%c = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>\n"
                            "%z = arith.constant dense<2.0> : tensor<4xf32>\n"
                            "return %c, %z : tensor<4xf32>, tensor<4xf32>\n"));
  EXPECT_EQ(end.w, (Values{5, 6, 7, 8}));
  EXPECT_EQ(end.p, (Values{2, 2, 2, 2}));
}

TEST(Hazards, MetricHasItsOwnSlotAndInputsStay) {
  auto step = compileText("func.func @step(%w: tensor<4xf32> {ds.param = \"w\"}, %x: tensor<4xf32> "
                          "{ds.batch = 0 : i64}) -> "
                          "(tensor<4xf32> {ds.updates = \"w\"}, tensor<4xf32> {ds.metric = \"m\"}, "
                          "tensor<4xf32> {ds.metric = \"x\"}) {\n" +
                          binary("n", "arith.addf", "%w", "%x") +
                          "return %n, %w, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4});
  set(*instance, 1, {1, 1, 1, 1});
  instance->run(nullptr);
  EXPECT_EQ(result(*instance, 0, 4), (Values{2, 3, 4, 5}));
  EXPECT_EQ(result(*instance, 1, 4), (Values{1, 2, 3, 4}));
  EXPECT_EQ(result(*instance, 2, 4), (Values{1, 1, 1, 1}));
  EXPECT_EQ(instance->readResult(0), instance->readArgument(0));
  EXPECT_NE(instance->readResult(2), instance->readArgument(1));
}

} // namespace

//===- ControlFlowTest.cpp - scf in the driver ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

using namespace ds;

namespace {

using Values = std::vector<float>;

const char *const kMaps = "#v = affine_map<(d0) -> (d0)>\n#s = affine_map<(d0) -> ()>\n";

/// %name = %a op %b on vectors of four.
std::string binary(const std::string &name, const std::string &op, const std::string &a,
                   const std::string &b) {
  return "%e_" + name + " = tensor.empty() : tensor<4xf32>\n%" + name +
         " = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]} ins(" +
         a + ", " + b + " : tensor<4xf32>, tensor<4xf32>) outs(%e_" + name +
         " : tensor<4xf32>) {\n^bb0(%x_: f32, %y_: f32, %o_: f32):\n"
         "  %r_ = " +
         op + " %x_, %y_ : f32\n  linalg.yield %r_ : f32\n} -> tensor<4xf32>\n";
}

/// w' = body(w, x), where the body defines %r.
Values run(const std::string &body, const Values &w, const Values &x) {
  auto step =
      compileText(std::string(kMaps) +
                  "func.func @step(%w: tensor<4xf32> {ds.param = \"w\"}, %x: tensor<4xf32>) -> "
                  "(tensor<4xf32> {ds.updates = \"w\"}) {\n" +
                  body + "return %r : tensor<4xf32>\n}\n");
  if (!step)
    return {};
  auto instance = step->instantiate();
  set(*instance, 0, w);
  set(*instance, 1, x);
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 1, 4), x);
  return argument(*instance, 0, 4);
}

const char *const kBounds = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = "
                            "arith.constant 3 : index\n";

TEST(ControlFlow, ForCarriesOneTensor) {
  EXPECT_EQ(
      run(std::string(kBounds) +
              "%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w) -> tensor<4xf32> {\n" +
              binary("n", "arith.addf", "%a", "%x") + "scf.yield %n : tensor<4xf32>\n}\n",
          {1, 2, 3, 4}, {10, 10, 10, 10}),
      (Values{31, 32, 33, 34}));
}

TEST(ControlFlow, ForSwapsItsTensors) { // (a, b) -> (a + b, a): Fibonacci
  EXPECT_EQ(run(std::string(kBounds) +
                    "%r, %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w, %b = %x) -> "
                    "(tensor<4xf32>, tensor<4xf32>) {\n" +
                    binary("n", "arith.addf", "%a", "%b") +
                    "scf.yield %n, %a : tensor<4xf32>, tensor<4xf32>\n}\n",
                {1, 1, 2, 0}, {0, 1, 0, 1}),
            (Values{3, 5, 6, 2}));
}

TEST(ControlFlow, ForKeepsItsInitForLaterUses) {
  EXPECT_EQ(
      run(std::string(kBounds) +
              "%s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w) -> tensor<4xf32> {\n" +
              binary("n", "arith.addf", "%a", "%x") + "scf.yield %n : tensor<4xf32>\n}\n" +
              binary("r", "arith.subf", "%s", "%w"),
          {1, 2, 3, 4}, {1, 2, 3, 4}),
      (Values{3, 6, 9, 12}));
}

TEST(ControlFlow, ForReadsSlicesAtTheLoopIndex) { // r = sum of rows of a table
  auto step = compileText(
      std::string(kMaps) +
      "func.func @step(%w: tensor<4xf32> {ds.param = \"w\"}, %t: tensor<3x4xf32>) -> "
      "(tensor<4xf32> {ds.updates = \"w\"}) {\n" +
      kBounds +
      "%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w) -> tensor<4xf32> {\n"
      "%x = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>\n" +
      binary("n", "arith.addf", "%a", "%x") +
      "scf.yield %n : tensor<4xf32>\n}\nreturn %r : tensor<4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 1, {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 4), (Values{111, 222, 333, 444}));
}

TEST(ControlFlow, ForWritesSlicesAtTheLoopIndex) {
  auto step = compileText(
      std::string(kMaps) +
      "func.func @step(%t: tensor<3x4xf32> {ds.param = \"t\"}, %x: tensor<4xf32>) -> "
      "(tensor<3x4xf32> {ds.updates = \"t\"}) {\n" +
      kBounds +
      "%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t) -> tensor<3x4xf32> {\n"
      "%row = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>\n" +
      binary("n", "arith.addf", "%row", "%x") +
      "%b = tensor.insert_slice %n into %a[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into "
      "tensor<3x4xf32>\n"
      "scf.yield %b : tensor<3x4xf32>\n}\nreturn %r : tensor<3x4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  set(*instance, 1, {100, 200, 300, 400});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 12),
            (Values{101, 202, 303, 404, 105, 206, 307, 408, 109, 210, 311, 412}));
}

TEST(ControlFlow, WhileEndsOnItsTensor) { // doubles until the first element reaches 100
  EXPECT_EQ(
      run("%c0 = arith.constant 0 : index\n%limit = arith.constant 100.0 : f32\n"
          "%r = scf.while (%a = %w) : (tensor<4xf32>) -> tensor<4xf32> {\n"
          "%f = tensor.extract %a[%c0] : tensor<4xf32>\n%go = arith.cmpf olt, %f, %limit : f32\n"
          "scf.condition(%go) %a : tensor<4xf32>\n} do {\n^bb0(%b: tensor<4xf32>):\n" +
              binary("n", "arith.addf", "%b", "%b") + "scf.yield %n : tensor<4xf32>\n}\n",
          {3, 1, 2, 5}, {0, 0, 0, 0}),
      (Values{192, 64, 128, 320}));
}

TEST(ControlFlow, IfPicksABranch) {
  std::string body =
      "%c0 = arith.constant 0 : index\n%zero = arith.constant 0.0 : f32\n"
      "%f = tensor.extract %x[%c0] : tensor<4xf32>\n%p = arith.cmpf ogt, %f, %zero : f32\n"
      "%r = scf.if %p -> tensor<4xf32> {\n" +
      binary("n", "arith.addf", "%w", "%x") +
      "scf.yield %n : tensor<4xf32>\n} else {\nscf.yield %w : tensor<4xf32>\n}\n";
  EXPECT_EQ(run(body, {1, 2, 3, 4}, {1, 1, 1, 1}), (Values{2, 3, 4, 5}));
  EXPECT_EQ(run(body, {1, 2, 3, 4}, {-1, 1, 1, 1}), (Values{1, 2, 3, 4}));
}

TEST(ControlFlow, IndexSwitchPicksACase) {
  std::string body =
      "%c0 = arith.constant 0 : index\n%f = tensor.extract %x[%c0] : tensor<4xf32>\n"
      "%k = arith.fptosi %f : f32 to i32\n%i = arith.index_cast %k : i32 to index\n"
      "%r = scf.index_switch %i -> tensor<4xf32>\ncase 0 {\n" +
      binary("a", "arith.addf", "%w", "%w") + "scf.yield %a : tensor<4xf32>\n}\ncase 1 {\n" +
      binary("b", "arith.mulf", "%w", "%w") +
      "scf.yield %b : tensor<4xf32>\n}\ndefault {\nscf.yield %x : tensor<4xf32>\n}\n";
  EXPECT_EQ(run(body, {1, 2, 3, 4}, {0, 0, 0, 0}), (Values{2, 4, 6, 8}));
  EXPECT_EQ(run(body, {1, 2, 3, 4}, {1, 0, 0, 0}), (Values{1, 4, 9, 16}));
  EXPECT_EQ(run(body, {1, 2, 3, 4}, {7, 0, 0, 0}), (Values{7, 0, 0, 0}));
}

TEST(ControlFlow, TemporariesOfALoopDoNotMeetThoseAroundIt) { // w' = sum over 3 of ((w + x) * x)
                                                              // with w + x kept outside
  EXPECT_EQ(
      run(std::string(kBounds) + binary("t", "arith.addf", "%w", "%x") +
              binary("z", "arith.subf", "%w", "%w") +
              "%u = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> tensor<4xf32> {\n" +
              "%v = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> tensor<4xf32> {\n" +
              binary("m", "arith.addf", "%b", "%t") + "scf.yield %m : tensor<4xf32>\n}\n" +
              "scf.yield %v : tensor<4xf32>\n}\n" + binary("r", "arith.addf", "%u", "%t"),
          {1, 2, 3, 4}, {1, 1, 1, 1}),
      (Values{20, 30, 40, 50}));
}

} // namespace

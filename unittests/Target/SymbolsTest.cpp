//===- SymbolsTest.cpp - What generated code may call -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../lib/Target/Cpu/Symbols.h"
#include "StepFixture.h"

#include <cmath>

using namespace ds;

namespace {

/// A step of two inputs of i64 and one result, %r of `body`, for each of four elements.
std::string step(const std::string &type, const std::string &body) {
  return R"(
#m = affine_map<(i) -> (i)>
func.func @step(%x: tensor<4xi64>, %y: tensor<4xi64>) -> (tensor<4x)" +
         type + R"(> {ds.metric = "r", ds.reduce = "none"}) {
  %e = tensor.empty() : tensor<4x)" +
         type + R"(>
  %z = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4x)" +
         type + R"(>) {
  ^bb0(%a: i64, %b: i64, %o: )" +
         type + R"():
)" + body +
         R"(
    linalg.yield %r : )" +
         type + R"(
  } -> tensor<4x)" +
         type + R"(>
  return %z : tensor<4x)" +
         type + R"(>
}
)";
}

const std::vector<int64_t> lhs = {1, -7, int64_t(1) << 62, INT64_MIN}, rhs = {2, 3, 5, -9};

std::vector<int64_t> runIntegers(const std::string &op) {
  CompileOptions options;
  options.targetCpu = defaultTargetCpu();
  auto compiled = compileText(step("i64", R"(
    %wide = arith.extsi %a : i64 to i128
    %square = arith.muli %wide, %wide : i128
    %by = arith.extsi %b : i64 to i128
    %q = arith.)" + op + R"( %square, %by : i128
    %r = arith.trunci %q : i128 to i64)"),
                              options);
  if (!compiled)
    return {};
  auto instance = compiled->instantiate();
  set<int64_t>(*instance, 0, lhs);
  set<int64_t>(*instance, 1, rhs);
  instance->run(nullptr);
  return result<int64_t>(*instance, 0, 4);
}

TEST(Symbols, IntegersOf128BitsDivide) {
  __extension__ using Wide = __int128;
  __extension__ using UnsignedWide = unsigned __int128;
  auto expected = [](auto divide) {
    std::vector<int64_t> values;
    for (int i = 0; i < 4; ++i)
      values.push_back(int64_t(divide(Wide(lhs[i]) * lhs[i], Wide(rhs[i]))));
    return values;
  };
  EXPECT_EQ(runIntegers("divsi"), expected([](Wide a, Wide b) { return a / b; }));
  EXPECT_EQ(runIntegers("remsi"), expected([](Wide a, Wide b) { return a % b; }));
  EXPECT_EQ(runIntegers("divui"),
            expected([](Wide a, Wide b) { return UnsignedWide(a) / UnsignedWide(b); }));
  EXPECT_EQ(runIntegers("remui"),
            expected([](Wide a, Wide b) { return UnsignedWide(a) % UnsignedWide(b); }));
}

TEST(Symbols, PowersOfIntegersAreOurs) {
  for (const NamedFunction &function : runtimeFunctions()) {
    if (function.first == std::string("__powisf2")) {
      auto *power = reinterpret_cast<float (*)(float, int)>(function.second);
      EXPECT_EQ(power(3, 5), 243);
      EXPECT_EQ(power(2, -3), 0.125f);
      EXPECT_EQ(power(0, 0), 1);
      EXPECT_EQ(power(-1, INT32_MIN), 1);
    }
    if (function.first == std::string("__powidf2")) {
      auto *power = reinterpret_cast<double (*)(double, int)>(function.second);
      EXPECT_EQ(power(-3, 3), -27);
      EXPECT_EQ(power(2, -1000), std::ldexp(1, -1000));
    }
  }
}

TEST(Symbols, AnUnknownFunctionIsNamedWithItsOperation) {
  EXPECT_EQ(
      compileFailure(step("f32", R"(
    %wide = arith.extsi %a : i64 to i128
    %square = arith.muli %wide, %wide : i128
    %r = arith.sitofp %square : i128 to f32)")),
      "the step needs the function '__floattisf' (float of i128 to f32), which neither ds nor "
      "the system's math library holds");
}

TEST(Symbols, SystemFunctionsAreThoseOfLibcAndLibm) {
  for (const char *name : {"memcpy", "memset", "fmodf", "fmod", "roundevenf", "pow", "tanf"})
    EXPECT_TRUE(isSystemFunction(name)) << name;
  for (const char *name : {"", "f", "system", "__truncsfbf2", "tanff", "main"})
    EXPECT_FALSE(isSystemFunction(name)) << name;
}

} // namespace

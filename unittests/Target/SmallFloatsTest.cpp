//===- SmallFloatsTest.cpp - Conversions to and from 8 bits -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value of each type, every tie between two, and what lies next to both, against LLVM's
// arithmetic of arbitrary floats.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ds;
using llvm::APFloat;

namespace {

struct Type {
  const char *name;
  const llvm::fltSemantics &semantics;
};

class SmallFloats : public testing::TestWithParam<Type> {
protected:
  std::string name() const { return GetParam().name; }
  const llvm::fltSemantics &semantics() const { return GetParam().semantics; }
  APFloat number(unsigned code) const { return APFloat(semantics(), llvm::APInt(8, code)); }
  static double widen(APFloat number) {
    bool losesInfo = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return number.convertToDouble();
  }
  /// Bits of what LLVM rounds to; a NaN is any.
  void expectNearest(double value, uint8_t got) const {
    APFloat want(value);
    bool losesInfo = false;
    want.convert(semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    if (want.isNaN())
      EXPECT_TRUE(number(got).isNaN()) << name() << " of " << value << " is " << unsigned(got);
    else
      EXPECT_EQ(unsigned(got), unsigned(want.bitcastToAPInt().getZExtValue()))
          << name() << " of " << value;
  }

  template <typename To, typename From>
  std::vector<To> run(const std::string &from, const std::string &to, const std::string &body,
                      const std::vector<From> &values) {
    const std::string size = std::to_string(values.size()) + "x";
    auto step = compileText("func.func @step(%x: tensor<" + size + from + ">) -> (tensor<" + size +
                            to + "> {ds.name = \"y\"}) {\n  %e = tensor.empty() : tensor<" + size +
                            to + ">\n  %y = linalg.map ins(%x : tensor<" + size + from +
                            ">) outs(%e : tensor<" + size + to + ">) (%a: " + from + ", %o: " + to +
                            ") {\n" + body + "    linalg.yield %r : " + to +
                            "\n  }\n  return %y : tensor<" + size + to + ">\n}\n");
    if (!step)
      return {};
    auto instance = step->instantiate();
    set<From>(*instance, 0, values);
    instance->run(nullptr);
    return result<To>(*instance, 0, values.size());
  }

  template <typename T> std::vector<T> edges() const {
    std::vector<T> values = {std::numeric_limits<T>::infinity(),
                             std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max(),
                             T(0)};
    std::vector<double> finite;
    for (unsigned code = 0; code < 256; ++code)
      if (number(code).isFinite() && !number(code).isNegative())
        finite.push_back(widen(number(code)));
    llvm::sort(finite);
    finite.push_back(2 * finite.back() - finite[finite.size() - 2]);
    for (size_t i = 0; i + 1 < finite.size(); ++i)
      for (double exact : {finite[i], (finite[i] + finite[i + 1]) / 2, finite[i + 1]}) {
        T value = T(exact);
        values.insert(values.end(), {value, std::nextafter(value, T(0)),
                                     std::nextafter(value, std::numeric_limits<T>::infinity())});
      }
    for (size_t i = 0, count = values.size(); i < count; ++i)
      values.push_back(-values[i]);
    return values;
  }

  template <typename T> void checkNarrow(const std::string &wide) {
    const std::vector<T> values = edges<T>();
    const auto codes = run<uint8_t>(wide, "i8",
                                    "    %s = arith.truncf %a : " + wide + " to " + name() +
                                        "\n    %r = arith.bitcast %s : " + name() + " to i8\n",
                                    values);
    ASSERT_EQ(codes.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i)
      expectNearest(double(values[i]), codes[i]);
  }
};

TEST_P(SmallFloats, WidenExactly) {
  std::vector<uint8_t> codes(256);
  for (unsigned i = 0; i < codes.size(); ++i)
    codes[i] = uint8_t(i);
  auto body = [&](const std::string &wide) {
    return "    %s = arith.bitcast %a : i8 to " + name() + "\n    %r = arith.extf %s : " + name() +
           " to " + wide + "\n";
  };
  auto f32 = run<float>("i8", "f32", body("f32"), codes);
  auto f64 = run<double>("i8", "f64", body("f64"), codes);
  ASSERT_EQ(f32.size(), codes.size());
  ASSERT_EQ(f64.size(), codes.size());
  for (unsigned i = 0; i < codes.size(); ++i) {
    const double want = widen(number(i));
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(f32[i]) && std::isnan(f64[i])) << name() << " " << i;
      continue;
    }
    EXPECT_EQ(double(f32[i]), want) << name() << " " << i;
    EXPECT_EQ(f64[i], want) << name() << " " << i;
    EXPECT_EQ(std::signbit(f32[i]), std::signbit(want)) << name() << " " << i;
  }
}

TEST_P(SmallFloats, F32RoundsToNearestEven) { checkNarrow<float>("f32"); }
TEST_P(SmallFloats, F64RoundsOnce) { checkNarrow<double>("f64"); }

INSTANTIATE_TEST_SUITE_P(Types, SmallFloats,
                         testing::Values(Type{"f8E5M2", APFloat::Float8E5M2()},
                                         Type{"f8E4M3", APFloat::Float8E4M3()},
                                         Type{"f8E4M3FN", APFloat::Float8E4M3FN()},
                                         Type{"f8E5M2FNUZ", APFloat::Float8E5M2FNUZ()},
                                         Type{"f8E4M3FNUZ", APFloat::Float8E4M3FNUZ()},
                                         Type{"f8E4M3B11FNUZ", APFloat::Float8E4M3B11FNUZ()},
                                         Type{"f8E3M4", APFloat::Float8E3M4()}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace

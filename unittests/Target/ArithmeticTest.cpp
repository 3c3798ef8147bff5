//===- ArithmeticTest.cpp - Arithmetic is as written ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each body of operations by elements is compared, to the bit, with the same operations done one by
// one here: what an optimiser must not simplify, reorder or contract. Reductions alone may be
// reordered, and are.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ds;

namespace {

struct Body {
  const char *name;
  const char *text; // of %x, %y, %zero, %one to %r; T is the type
  double (*reference)(double, double, bool isF32);
};

/// Rounds after each operation, as a register of the type would.
struct Rounded {
  volatile double value;
  bool isF32;
  Rounded(double v, bool isF32) : value(isF32 ? double(float(v)) : v), isF32(isF32) {}
};
double operator+(const Rounded &a, const Rounded &b) {
  return Rounded(a.value + b.value, a.isF32).value;
}
double operator-(const Rounded &a, const Rounded &b) {
  return Rounded(a.value - b.value, a.isF32).value;
}
double operator*(const Rounded &a, const Rounded &b) {
  return Rounded(a.value * b.value, a.isF32).value;
}
double operator/(const Rounded &a, const Rounded &b) {
  return Rounded(a.value / b.value, a.isF32).value;
}

#define R(expression) Rounded(expression, f)

const Body bodies[] = {
    {"difference_with_itself", "%r = arith.subf %x, %x : T",
     [](double x, double, bool f) { return R(x) - R(x); }},
    {"sum_is_not_undone",
     "%a = arith.addf %x, %y : T\n%b = arith.subf %a, %y : T\n%r = arith.subf %x, %b : T",
     [](double x, double y, bool f) { return R(x) - R(R(R(x) + R(y)) - R(y)); }},
    {"product_with_zero", "%r = arith.mulf %x, %zero : T",
     [](double x, double, bool f) { return R(x) * R(0); }},
    {"sum_with_zero", "%r = arith.addf %x, %zero : T",
     [](double x, double, bool f) { return R(x) + R(0); }},
    {"zero_minus", "%r = arith.subf %zero, %x : T",
     [](double x, double, bool f) { return R(0) - R(x); }},
    {"quotient_with_itself", "%r = arith.divf %x, %x : T",
     [](double x, double, bool f) { return R(x) / R(x); }},
    {"quotient", "%r = arith.divf %x, %y : T",
     [](double x, double y, bool f) { return R(x) / R(y); }},
    {"quotient_by_a_constant", "%c = arith.constant 10.0 : T\n%r = arith.divf %x, %c : T",
     [](double x, double, bool f) { return R(x) / R(10); }},
    {"quotient_by_a_root", "%a = math.sqrt %y : T\n%r = arith.divf %x, %a : T",
     [](double x, double y, bool f) { return R(x) / R(std::sqrt(y)); }},
    {"products_that_are_not_contracted",
     "%a = arith.mulf %x, %y : T\n%b = arith.mulf %y, %x : T\n%r = arith.subf %a, %b : T",
     [](double x, double y, bool f) { return R(R(x) * R(y)) - R(R(y) * R(x)); }},
    {"product_and_sum", "%a = arith.mulf %x, %y : T\n%r = arith.addf %a, %x : T",
     [](double x, double y, bool f) { return R(R(x) * R(y)) + R(x); }},
    {"product_is_not_distributed",
     "%a = arith.mulf %x, %y : T\n%b = arith.mulf %x, %one : T\n%r = arith.subf %a, %b : T",
     [](double x, double y, bool f) { return R(R(x) * R(y)) - R(R(x) * R(1)); }},
    {"sums_in_order",
     "%a = arith.addf %x, %y : T\n%b = arith.addf %a, %one : T\n%r = arith.addf %b, %x : T",
     [](double x, double y, bool f) { return R(R(R(x) + R(y)) + R(1)) + R(x); }},
    {"maximum", "%r = arith.maximumf %x, %y : T",
     [](double x, double y, bool) {
       if (std::isnan(x) || std::isnan(y))
         return std::numeric_limits<double>::quiet_NaN();
       return x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
     }},
    {"minimum", "%r = arith.minimumf %x, %y : T",
     [](double x, double y, bool) {
       if (std::isnan(x) || std::isnan(y))
         return std::numeric_limits<double>::quiet_NaN();
       return x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
     }},
    // Of zeros either may come; adding one says nothing about its sign.
    {"maximum_number", "%a = arith.maxnumf %x, %y : T\n%r = arith.addf %a, %one : T",
     [](double x, double y, bool f) { return R(std::fmax(x, y)) + R(1); }},
    {"minimum_number", "%a = arith.minnumf %x, %y : T\n%r = arith.addf %a, %one : T",
     [](double x, double y, bool f) { return R(std::fmin(x, y)) + R(1); }},
    {"clamp", "%a = math.clampf %x to [%zero, %one] : T\n%r = arith.addf %a, %one : T",
     [](double x, double, bool f) {
       return std::isnan(x) ? x : R(std::min(std::max(x, 0.0), 1.0)) + R(1);
     }},
    {"nan_is_not_itself", "%c = arith.cmpf une, %x, %x : T\n%r = arith.select %c, %zero, %y : T",
     [](double x, double y, bool) { return std::isnan(x) ? 0.0 : y; }},
    {"square", "%c = arith.constant 2.0 : T\n%r = math.powf %x, %c : T",
     [](double x, double, bool f) { return R(x) * R(x); }},
    {"fused_product_and_sum", "%r = math.fma %x, %y, %one : T",
     [](double x, double y, bool f) {
       return f ? double(std::fma(float(x), float(y), 1.0f)) : std::fma(x, y, 1.0);
     }},
};
#undef R

std::vector<double> values(bool isF32) {
  double infinity = std::numeric_limits<double>::infinity();
  double largest =
      isF32 ? double(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max();
  return {0.0,      -0.0,      1.0,          -1.0,    0.1,      0.3,
          -0.7,     1e-8,      7.0,          1e5,     1e30,     -1e30,
          infinity, -infinity, std::nan(""), largest, -largest, isF32 ? 1e-39 : 1e-310,
          1e-30,    1.0 / 3};
}

template <typename T> void compareBodies(const std::string &type) {
  constexpr bool isF32 = std::is_same_v<T, float>;
  std::vector<T> xs, ys;
  for (double x : values(isF32))
    for (double y : values(isF32)) {
      xs.push_back(T(x));
      ys.push_back(T(y));
    }
  std::string tensor = "tensor<" + std::to_string(xs.size()) + "x" + type + ">";
  std::string results, returned, types, ops;
  for (const Body &body : bodies) {
    std::string name = body.name, separator = results.empty() ? "" : ", ", text = body.text;
    for (size_t at; (at = text.find(": T")) != std::string::npos;)
      text.replace(at + 2, 1, type);
    results += separator + tensor + " {ds.metric = \"" + name + "\"}";
    returned += separator + "%" + name;
    types += separator + tensor;
    ops += "%" + name +
           " = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]} "
           "ins(%p, %q : " +
           tensor + ", " + tensor + ") outs(%e : " + tensor + ") {\n^bb0(%x: " + type +
           ", %y: " + type + ", %o: " + type + "):\n" + text + "\nlinalg.yield %r : " + type +
           "\n} -> " + tensor + "\n";
  }
  auto step = compileText(
      "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%p: " + tensor + ", %q: " + tensor +
      ") -> (" + results + ") {\n%zero = arith.constant 0.0 : " + type +
      "\n%one = arith.constant 1.0 : " + type + "\n%e = tensor.empty() : " + tensor + "\n" + ops +
      "return " + returned + " : " + types + "\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, xs);
  set(*instance, 1, ys);
  instance->run(nullptr);
  for (size_t b = 0; b < std::size(bodies); ++b) {
    std::vector<T> got = result<T>(*instance, b, xs.size());
    for (size_t i = 0; i < xs.size(); ++i) {
      T expected = T(bodies[b].reference(xs[i], ys[i], isF32));
      bool same = std::isnan(expected) ? std::isnan(got[i])
                                       : std::memcmp(&expected, &got[i], sizeof expected) == 0;
      EXPECT_TRUE(same) << bodies[b].name << " of " << type << ": x " << xs[i] << ", y " << ys[i]
                        << ", got " << got[i] << ", expected " << expected;
    }
  }
}

TEST(Arithmetic, OfF32IsAsWritten) { compareBodies<float>("f32"); }
TEST(Arithmetic, OfF64IsAsWritten) { compareBodies<double>("f64"); }

/// Added one by one, ones are lost beside 2^25; in vectors all but the first lane's are kept.
TEST(Arithmetic, SumsAreVectors) {
  auto step = compileText(
      "func.func @step(%x: tensor<4096xf32>) -> (tensor<f32> {ds.metric = \"sum\"}) {\n"
      "%c = arith.constant 0.0 : f32\n%e = tensor.empty() : tensor<f32>\n"
      "%z = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>\n"
      "%s = linalg.reduce { arith.addf } ins(%x : tensor<4096xf32>) outs(%z : tensor<f32>) "
      "dimensions = [0]\nreturn %s : tensor<f32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  std::vector<float> x(4096, 1.0f);
  x[0] = 0x1p25f;
  set(*instance, 0, x);
  instance->run(nullptr);
  EXPECT_GT(result(*instance, 0, 1)[0], 0x1p25f + 2048);
}

/// Results are sign-extended, or filled with zeros, to i64.
void compareConversions(const std::string &type, unsigned width, bool isSigned) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  double end = std::exp2(double(width) - isSigned), least = isSigned ? -end : 0;
  std::vector<double> xs = {std::nan(""), inf,  -inf, 0.0,  -0.0, 0.75,
                            -0.75,        -1.5, 3.5,  1e30, -1e30};
  for (double near : {end, least})
    for (double ulps : {-2.0, -1.0, 0.0, 1.0})
      xs.push_back(near + ulps * (type == "f64" ? std::max(1.0, std::exp2(double(width) - 52))
                                                : std::max(1.0, std::exp2(double(width) - 8))));
  xs.resize(48, -2.25); // vectors, and what is left beside them
  std::string count = std::to_string(xs.size()), integer = "i" + std::to_string(width);
  std::string bits = type == "f64" ? "" : "%h = arith.truncf %x : f64 to " + type + "\n";
  std::string value = type == "f64" ? "%x" : "%h";
  std::string letter = isSigned ? "s" : "u", extend = isSigned ? "arith.extsi" : "arith.extui";
  auto step = compileText(
      "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%p: tensor<" + count + "xf64>) -> (tensor<" +
      count + "xi64> {ds.metric = \"n\"}) {\n%e = tensor.empty() : tensor<" + count +
      "xi64>\n%s = linalg.generic {indexing_maps = [#v, #v], iterator_types = "
      "[\"parallel\"]} ins(%p : tensor<" +
      count + "xf64>) outs(%e : tensor<" + count + "xi64>) {\n^bb0(%x: f64, %o: i64):\n" + bits +
      "%n = arith.fpto" + letter + "i " + value + " : " + type + " to " + integer + "\n" +
      (width == 64 ? "linalg.yield %n : i64\n"
                   : "%r = " + extend + " %n : " + integer + " to i64\nlinalg.yield %r : i64\n") +
      "} -> tensor<" + count + "xi64>\nreturn %s : tensor<" + count + "xi64>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set<double>(*instance, 0, xs);
  instance->run(nullptr);
  std::vector<int64_t> got = result<int64_t>(*instance, 0, xs.size());
  for (size_t i = 0; i < xs.size(); ++i) {
    // Rounded to the type first: bf16 has 8 digits, f16 11 and ends at 65504.
    double x = xs[i];
    if (type == "f32")
      x = float(x);
    else if (type != "f64" && std::isfinite(x)) {
      int exponent, digits = type == "bf16" ? 8 : 11;
      double fraction = std::frexp(x, &exponent);
      x = std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
      if (type == "f16" && std::fabs(x) > 65504)
        x = std::copysign(inf, x);
    }
    int64_t expected = std::isnan(x)              ? 0
                       : x <= least               ? (isSigned ? int64_t(~0ull << (width - 1)) : 0)
                       : !(x < end)               ? int64_t(~0ull >> (64 - width + isSigned))
                       : width == 64 && !isSigned ? int64_t(uint64_t(x))
                                                  : int64_t(x);
    EXPECT_EQ(got[i], expected) << type << " to " << letter << integer << ": " << xs[i];
  }
}

TEST(Arithmetic, FloatsThatFitNoIntegerBecomeTheNearest) {
  for (const char *type : {"f16", "bf16", "f32", "f64"})
    for (unsigned width : {4, 8, 16, 32, 64})
      for (bool isSigned : {true, false})
        compareConversions(type, width, isSigned);
}

/// math.fpowi is within one rounding of f64's power, for every exponent.
TEST(Arithmetic, IntegerPowersKeepTheirDigits) {
  auto step = compileText(
      "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%p: tensor<5xf32>, %q: tensor<5xi32>) -> "
      "(tensor<5xf32> {ds.metric = \"power\"}) {\n%e = tensor.empty() : tensor<5xf32>\n"
      "%s = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]} "
      "ins(%p, %q : tensor<5xf32>, tensor<5xi32>) outs(%e : tensor<5xf32>) {\n"
      "^bb0(%x: f32, %n: i32, %o: f32):\n%r = math.fpowi %x, %n : f32, i32\n"
      "linalg.yield %r : f32\n} -> tensor<5xf32>\nreturn %s : tensor<5xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  std::vector<float> x = {1.0001f, -1.0f, -3.0f, 0.0f, 2.0f};
  std::vector<int32_t> n = {100003, 2147483647, 5, 0, -2};
  set(*instance, 0, x);
  set(*instance, 1, n);
  instance->run(nullptr);
  auto got = result(*instance, 0, 5);
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(got[i], float(std::pow(double(x[i]), n[i]))) << x[i] << " to the " << n[i];
}

} // namespace

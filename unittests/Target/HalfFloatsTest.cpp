//===- HalfFloatsTest.cpp - f16 and bf16 on every CPU -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every conversion and operation is compiled for each CPU that this machine can stand in for, and
// compared bit for bit with the nearest value, found among all 65,536 without any bit operation.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "ds/Data/Half.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace ds;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Format {
  const char *name;
  float (*widen)(uint16_t);
  long double overflow; // the first that rounds to infinity
  uint16_t infinite;
  std::vector<std::pair<long double, uint16_t>> finite; // not negative, in order
};

Format makeFormat(const char *name, float (*widen)(uint16_t), uint16_t infinite) {
  Format format{name, widen, 0, infinite, {}};
  for (uint16_t bits = 0; bits < infinite; ++bits)
    format.finite.push_back({widen(bits), bits});
  long double last = format.finite.back().first;
  format.overflow = last + (last - format.finite[infinite - 2].first) / 2;
  return format;
}

const Format &formatOf(const std::string &name) {
  static const Format f16 = makeFormat("f16", f16ToFloat, 0x7c00);
  static const Format bf16 = makeFormat("bf16", bf16ToFloat, 0x7f80);
  return name == "f16" ? f16 : bf16;
}

/// The nearest of all values; of two equally near ones the even one. A NaN is any quiet one.
uint16_t nearest(const Format &format, long double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  long double magnitude = std::fabs(value);
  if (magnitude >= format.overflow)
    return sign | format.infinite;
  auto above = std::lower_bound(format.finite.begin(), format.finite.end(),
                                std::pair(magnitude, uint16_t(0)));
  if (above == format.finite.end())
    return sign | (format.infinite - 1);
  if (above == format.finite.begin() || above->first == magnitude)
    return sign | above->second;
  auto below = above - 1;
  long double up = above->first - magnitude, down = magnitude - below->first;
  if (up != down)
    return sign | (up < down ? above : below)->second;
  return sign | (above->second % 2 ? below : above)->second;
}

bool isNaN(const Format &format, uint16_t bits) { return (bits & 0x7fff) > format.infinite; }
bool isQuiet(const Format &format, uint16_t bits) {
  return isNaN(format, bits) && (bits & (format.infinite == 0x7c00 ? 0x200 : 0x40));
}

/// A step that applies `body`, which defines %r from %a (and %b, %c), to whole tensors.
std::string elementwise(const std::vector<std::string> &inputs, const std::string &output,
                        const std::string &body, size_t count) {
  std::string n = std::to_string(count), names = "abc", text = "func.func @step(", ins, types, args;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string name(1, names[i]), comma = i ? ", " : "",
                                   type = "tensor<" + n + "x" + inputs[i] + ">";
    text += comma + "%t" + name + ": " + type;
    ins += comma + "%t" + name;
    types += comma + type;
    args += "%" + name + ": " + inputs[i] + ", ";
  }
  std::string type = "tensor<" + n + "x" + output + ">", maps;
  for (size_t i = 0; i <= inputs.size(); ++i)
    maps += std::string(i ? ", " : "") + "affine_map<(i) -> (i)>";
  return text + ") -> (" + type +
         " {ds.metric = \"r\", ds.reduce = \"none\"}) {\n  %e = tensor.empty() : " + type +
         "\n  %z = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\"]} ins(" + ins + " : " + types + ") outs(%e : " + type +
         ") {\n  ^bb0(" + args + "%o: " + output + "):\n" + body +
         "\n    linalg.yield %r : " + output + "\n  } -> " + type + "\n  return %z : " + type +
         "\n}\n";
}

class HalfFloats : public testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  void SetUp() override {
    if (llvm::Error error = checkRunsHere(cpu())) {
      // Compiled and checked for symbols by TargetCpus, on any machine.
      absent = true;
      llvm::consumeError(std::move(error));
    }
  }
  std::string cpu() const { return std::get<0>(GetParam()); }
  const Format &format() const { return formatOf(std::get<1>(GetParam())); }
  std::string half() const { return std::get<1>(GetParam()); }

  template <typename To, typename... From>
  std::vector<To> run(const std::vector<std::string> &inputs, const std::string &output,
                      const std::string &body, const std::vector<From> &...values) {
    size_t count = std::get<0>(std::tie(values...)).size();
    CompileOptions options;
    options.targetCpu = cpu();
    auto step = compileText(elementwise(inputs, output, body, count), options);
    if (!step)
      return std::vector<To>(count);
    auto instance = step->instantiate();
    unsigned slot = 0;
    (set<From>(*instance, slot++, values), ...);
    instance->run(nullptr);
    return result<To>(*instance, 0, count);
  }

  std::vector<uint16_t> all() const {
    std::vector<uint16_t> values(0x10000);
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] = uint16_t(i);
    return values;
  }

  /// Every value of the format, every tie between two, and what lies next to both.
  template <typename T> std::vector<T> edges() const {
    std::vector<T> values = {0,
                             T(infinity),
                             std::numeric_limits<T>::max(),
                             std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::denorm_min(),
                             std::numeric_limits<T>::quiet_NaN(),
                             std::numeric_limits<T>::signaling_NaN()};
    auto add = [&](long double exact) {
      T value = T(exact);
      values.insert(values.end(),
                    {value, std::nextafter(value, T(0)), std::nextafter(value, T(infinity))});
    };
    for (size_t i = 0; i < format().finite.size(); ++i) {
      long double value = format().finite[i].first;
      long double next = i + 1 < format().finite.size() ? format().finite[i + 1].first
                                                        : 2 * format().overflow - value;
      add(value);
      add((value + next) / 2);
    }
    for (size_t i = 0, size = values.size(); i < size; ++i)
      values.push_back(-values[i]);
    return values;
  }

  template <typename T>
  void expectNearest(const std::vector<uint16_t> &got, const std::vector<T> &values) {
    ASSERT_EQ(got.size(), values.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (values[i] != values[i])
        ASSERT_TRUE(isQuiet(format(), got[i])) << "NaN gives " << got[i];
      else
        ASSERT_EQ(got[i], nearest(format(), values[i])) << (long double)(values[i]);
    }
  }

  bool absent = false;
};

TEST_P(HalfFloats, WidenExactly) {
  if (absent)
    return;
  std::vector<uint16_t> values = all();
  auto f32 = run<float>({half()}, "f32", "    %r = arith.extf %a : " + half() + " to f32", values);
  auto f64 = run<double>({half()}, "f64", "    %r = arith.extf %a : " + half() + " to f64", values);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (isNaN(format(), values[i])) {
      ASSERT_TRUE(std::isnan(f32[i]) && std::isnan(f64[i])) << i;
      continue;
    }
    ASSERT_EQ(bitsOfFloat(f32[i]), bitsOfFloat(format().widen(values[i]))) << i;
    ASSERT_EQ(f64[i], double(format().widen(values[i]))) << i;
  }
}

TEST_P(HalfFloats, F32RoundsToNearestEven) {
  if (absent)
    return;
  std::vector<float> values = edges<float>();
  expectNearest(
      run<uint16_t>({"f32"}, half(), "    %r = arith.truncf %a : f32 to " + half(), values),
      values);
}

TEST_P(HalfFloats, F64RoundsOnce) {
  if (absent)
    return;
  std::vector<double> values = edges<double>();
  expectNearest(
      run<uint16_t>({"f64"}, half(), "    %r = arith.truncf %a : f64 to " + half(), values),
      values);
}

template <typename T> std::vector<T> integers() {
  std::vector<T> values;
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
    for (unsigned second = 0; second <= bit; ++second)
      for (int off = -2; off <= 2; ++off) {
        uint64_t value = (uint64_t(1) << bit) + (uint64_t(1) << second) + uint64_t(int64_t(off));
        values.insert(values.end(), {T(value), T(~value)});
      }
  for (int i = 65500; i < 65540; ++i)
    values.insert(values.end(), {T(i), T(-i)});
  return values;
}

TEST_P(HalfFloats, IntegersRoundOnce) {
  if (absent)
    return;
  auto check = [&](auto zero, const char *type, const char *op) {
    using T = decltype(zero);
    std::vector<T> values = integers<T>();
    SCOPED_TRACE(std::string(op) + " " + type);
    expectNearest(
        run<uint16_t>({type}, half(),
                      std::string("    %r = arith.") + op + " %a : " + type + " to " + half(),
                      values),
        values);
  };
  check(int8_t(), "i8", "sitofp");
  check(int16_t(), "i16", "sitofp");
  check(int32_t(), "i32", "sitofp");
  check(int64_t(), "i64", "sitofp");
  check(uint8_t(), "i8", "uitofp");
  check(uint16_t(), "i16", "uitofp");
  check(uint32_t(), "i32", "uitofp");
  check(uint64_t(), "i64", "uitofp");
}

TEST_P(HalfFloats, BecomeIntegersTowardsZero) {
  if (absent)
    return;
  std::vector<uint16_t> values;
  for (uint16_t bits : all())
    if (std::fabs(format().widen(bits)) < 0x1p31f)
      values.push_back(bits);
  auto narrow =
      run<int32_t>({half()}, "i32", "    %r = arith.fptosi %a : " + half() + " to i32", values);
  auto wide =
      run<int64_t>({half()}, "i64", "    %r = arith.fptosi %a : " + half() + " to i64", values);
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(narrow[i], int32_t(format().widen(values[i])));
    ASSERT_EQ(wide[i], int64_t(format().widen(values[i])));
  }
}

/// Pairs of random bits, which meet zeros, denormals, infinities and NaNs often enough.
struct Operands {
  std::vector<uint16_t> a, b, c;
  Operands() {
    std::mt19937 random(7);
    const std::vector<uint16_t> special = {0,      0x8000, 1,      0x8001, 0x7c00, 0xfc00,
                                           0x7f80, 0xff80, 0x7e00, 0x7fc0, 0x3c00, 0x3f80};
    auto draw = [&] {
      return uint16_t(random() % 8 ? random() : special[random() % special.size()]);
    };
    for (int i = 0; i < 20000; ++i) {
      a.push_back(draw());
      b.push_back(random() % 8 ? draw() : a.back());
      c.push_back(draw());
    }
  }
};

TEST_P(HalfFloats, ArithmeticIsThatOfF32RoundedOnce) {
  if (absent)
    return;
  Operands in;
  auto check = [&](const char *op, std::function<float(float, float)> exact) {
    SCOPED_TRACE(op);
    auto got =
        run<uint16_t>({half(), half()}, half(),
                      std::string("    %r = arith.") + op + " %a, %b : " + half(), in.a, in.b);
    std::vector<float> expected;
    for (size_t i = 0; i < in.a.size(); ++i)
      expected.push_back(exact(format().widen(in.a[i]), format().widen(in.b[i])));
    for (size_t i = 0; i < got.size(); ++i) {
      if (std::isnan(expected[i]))
        ASSERT_TRUE(isNaN(format(), got[i])) << in.a[i] << " " << in.b[i];
      else if (expected[i] == 0) // its sign is not kept
        ASSERT_EQ(got[i] & 0x7fff, 0) << in.a[i] << " " << in.b[i];
      else
        ASSERT_EQ(got[i], nearest(format(), expected[i])) << in.a[i] << " " << in.b[i];
    }
  };
  check("addf", [](float x, float y) { return x + y; });
  check("subf", [](float x, float y) { return x - y; });
  check("mulf", [](float x, float y) { return x * y; });
  check("remf", [](float x, float y) { return std::fmod(x, y); });
  auto nanOr = [](float x, float y, float z) { return x != x ? x : y != y ? y : z; };
  check("maximumf", [&](float x, float y) { return nanOr(x, y, std::fmax(x, y)); });
  check("minimumf", [&](float x, float y) { return nanOr(x, y, std::fmin(x, y)); });
}

TEST_P(HalfFloats, FusedMultiplyAddRoundsOnce) {
  if (absent)
    return;
  Operands in;
  auto got = run<uint16_t>({half(), half(), half()}, half(),
                           "    %r = math.fma %a, %b, %c : " + half(), in.a, in.b, in.c);
  for (size_t i = 0; i < got.size(); ++i) {
    // The product is exact. Only where the sum needs more than 64 bits can it be a wrong tie, and
    // those are left out.
    long double product = (long double)(format().widen(in.a[i])) * format().widen(in.b[i]);
    long double addend = format().widen(in.c[i]), sum = product + addend;
    if (std::isfinite(sum) && (sum - product != addend || sum - addend != product))
      continue;
    if (std::isnan(sum))
      ASSERT_TRUE(isNaN(format(), got[i]));
    else if (sum == 0)
      ASSERT_EQ(got[i] & 0x7fff, 0);
    else
      ASSERT_EQ(got[i], nearest(format(), sum)) << in.a[i] << " " << in.b[i] << " " << in.c[i];
  }
}

TEST_P(HalfFloats, CompareAndChoose) {
  if (absent)
    return;
  Operands in;
  auto got = run<uint16_t>(
      {half(), half(), half()}, half(),
      "    %p = arith.cmpf ule, %a, %b : " + half() +
          "\n    %q = arith.cmpf one, %a, %c : " + half() + "\n    %n = arith.negf %c : " + half() +
          "\n    %m = math.absf %b : " + half() + "\n    %s = arith.select %p, %n, %m : " + half() +
          "\n    %r = arith.select %q, %s, %a : " + half(),
      in.a, in.b, in.c);
  for (size_t i = 0; i < got.size(); ++i) {
    float a = format().widen(in.a[i]), b = format().widen(in.b[i]), c = format().widen(in.c[i]);
    uint16_t chosen = !(a > b) ? in.c[i] ^ 0x8000 : in.b[i] & 0x7fff;
    ASSERT_EQ(got[i], a < c || a > c ? chosen : in.a[i]) << i;
  }
}

TEST_P(HalfFloats, BelongToTheirOwnClasses) {
  if (absent)
    return;
  std::vector<uint16_t> values = all();
  for (const char *op : {"isfinite", "isnan"}) {
    auto got = run<uint8_t>({half()}, "i8",
                            std::string("    %p = math.") + op + " %a : " + half() +
                                "\n    %r = arith.extui %p : i1 to i8",
                            values);
    for (uint16_t bits : values) {
      float value = format().widen(bits);
      bool expected = op == std::string("isnan") ? std::isnan(value) : std::isfinite(value);
      ASSERT_EQ(got[bits], expected) << op << " " << bits;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, HalfFloats,
                         testing::Combine(testing::Values("x86-64", "x86-64-v2", "x86-64-v3",
                                                          "x86-64-v4", "native"),
                                          testing::Values("f16", "bf16")),
                         [](const auto &info) {
                           std::string name =
                               std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace

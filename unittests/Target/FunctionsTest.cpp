//===- FunctionsTest.cpp - Every function against long double ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step holds a kernel per function; it runs on all values of bf16 and f16, and on samples of
// f32 and f64 that are dense near 0, near 1 and at the ends of each range. The bounds are the table
// in docs/Numerics.md, so that the table is what is tested. DS_ULP_SAMPLES asks for more samples.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"
#include "Ulp.h"
#include "dsrt/dsrt.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <thread>

using namespace ds;

namespace {

struct Function {
  const char *name;
  const char *op; // as MLIR text; %x and, for two operands, %y
  long double (*reference)(long double, long double);
};

#define UNARY(NAME, CALL)                                                                          \
  Function {                                                                                       \
    NAME, "math." NAME " %x", [](long double x, long double) -> long double { return CALL; }       \
  }

const Function functions[] = {
    UNARY("exp", std::exp(x)),
    UNARY("exp2", std::exp2(x)),
    UNARY("expm1", std::expm1(x)),
    UNARY("log", std::log(x)),
    UNARY("log2", std::log2(x)),
    UNARY("log10", std::log10(x)),
    UNARY("log1p", std::log1p(x)),
    UNARY("sin", std::sin(x)),
    UNARY("cos", std::cos(x)),
    UNARY("tan", std::tan(x)),
    UNARY("asin", std::asin(x)),
    UNARY("acos", std::acos(x)),
    UNARY("atan", std::atan(x)),
    UNARY("sinh", std::sinh(x)),
    UNARY("cosh", std::cosh(x)),
    UNARY("tanh", std::tanh(x)),
    UNARY("asinh", std::asinh(x)),
    UNARY("acosh", std::acosh(x)),
    UNARY("atanh", std::atanh(x)),
    UNARY("erf", std::erf(x)),
    UNARY("erfc", std::erfc(x)),
    UNARY("cbrt", std::cbrt(x)),
    UNARY("sqrt", std::sqrt(x)),
    UNARY("rsqrt", 1 / std::sqrt(x)),
    UNARY("floor", std::floor(x)),
    UNARY("ceil", std::ceil(x)),
    UNARY("trunc", std::trunc(x)),
    UNARY("round", std::round(x)),
    UNARY("roundeven", std::rint(x)),
    UNARY("absf", std::abs(x)),
    {"powf", "math.powf %x, %y", [](long double x, long double y) { return std::pow(x, y); }},
    {"atan2", "math.atan2 %x, %y", [](long double x, long double y) { return std::atan2(x, y); }},
    {"remf", "arith.remf %x, %y", [](long double x, long double y) { return std::fmod(x, y); }},
};
#undef UNARY

std::string stepText(const std::string &type, size_t count) {
  std::string tensor = "tensor<" + std::to_string(count) + "x" + type + ">";
  std::string results, values, types, body;
  for (const Function &function : functions) {
    std::string name = function.name, separator = results.empty() ? "" : ", ";
    results += separator + tensor + " {ds.metric = \"" + name + "\"}";
    values += separator + "%" + name;
    types += separator + tensor;
    body += "%" + name +
            " = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]} "
            "ins(%a, %b : " +
            tensor + ", " + tensor + ") outs(%e : " + tensor + ") {\n^bb0(%x: " + type +
            ", %y: " + type + ", %o: " + type + "):\n%r = " + function.op + " : " + type +
            "\nlinalg.yield %r : " + type + "\n} -> " + tensor + "\n";
  }
  return "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%a: " + tensor + ", %b: " + tensor +
         ") -> (" + results + ") {\n%e = tensor.empty() : " + tensor + "\n" + body + "return " +
         values + " : " + types + "\n}\n";
}

/// How values of one type are read.
template <typename Storage> struct Type {
  FloatFormat format;
  long double (*decode)(Storage);
};

long double decodeHalf(uint16_t bits, int mantissaBits, int bias) {
  int exponentBits = 15 - mantissaBits, ones = (1 << exponentBits) - 1;
  int exponent = (bits >> mantissaBits) & ones, mantissa = bits & ((1 << mantissaBits) - 1);
  long double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == ones)
    return mantissa ? std::numeric_limits<long double>::quiet_NaN()
                    : sign * std::numeric_limits<long double>::infinity();
  return exponent == 0 ? sign * std::ldexp((long double)mantissa, 1 - bias - mantissaBits)
                       : sign * std::ldexp((long double)(mantissa + (1 << mantissaBits)),
                                           exponent - bias - mantissaBits);
}

template <typename Storage, typename Bits> std::vector<Storage> sampleFloats(size_t count) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  using Limits = std::numeric_limits<Storage>;
  std::vector<Storage> samples = {0, Storage(-0.0), Limits::infinity(), -Limits::infinity(),
                                  Limits::quiet_NaN()};
  // Where functions change their course, and every power of two, with their neighbours.
  std::vector<Storage> edges = {Limits::max(), Limits::min(), Limits::denorm_min()};
  for (double edge : {0.5,
                      0.625,
                      0.875,
                      1.0,
                      4.0,
                      10.0,
                      25.0,
                      88.7228,
                      89.0,
                      87.3365,
                      103.972,
                      105.0,
                      128.0,
                      126.0,
                      149.0,
                      709.7827,
                      745.1332,
                      1024.0,
                      1074.0,
                      0.25,
                      1e5,
                      1e6,
                      0.7853981633974483,
                      1.5707963267948966,
                      3.141592653589793,
                      1e22})
    edges.push_back(Storage(edge));
  for (int exponent = Limits::min_exponent - Limits::digits; exponent < Limits::max_exponent;
       ++exponent)
    edges.push_back(std::ldexp(Storage(1), exponent));
  for (Storage edge : edges)
    for (Storage value :
         {edge, std::nextafter(edge, Storage(0)), std::nextafter(edge, Limits::infinity())})
      samples.insert(samples.end(), {value, -value});
  while (samples.size() < count) {
    Bits bits = Bits(random());
    Storage any;
    std::memcpy(&any, &bits, sizeof any);
    if (std::isnan(any)) // not a signaling one, of which libraries differ
      any = Limits::quiet_NaN();
    double exponent = unit(random) * 20;
    samples.insert(
        samples.end(),
        {any, Storage(unit(random)), Storage(unit(random) * 10), Storage(unit(random) * 100),
         Storage(1 + unit(random) * std::exp2(-8 + exponent)), Storage(unit(random) * 1e5),
         Storage(unit(random) * std::exp2(exponent)), Storage(unit(random) * 1000)});
  }
  samples.resize(count);
  return samples;
}

/// Columns of the table of docs/Numerics.md: | `function` | f32 | f64 | bf16, f16 | f64, GPU | ...
enum Column { f32Column, f64Column, halfColumn, gpuF64Column, numColumns };

/// The bounds that it gives.
std::map<std::string, std::vector<double>> documentedBounds() {
  std::map<std::string, std::vector<double>> bounds;
  std::ifstream file(DS_NUMERICS_PAGE);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| `", 0) != 0)
      continue;
    std::istringstream cells(line.substr(3));
    std::string name, cell;
    std::getline(cells, name, '`');
    std::getline(cells, cell, '|');
    for (int i = 0; i < numColumns && std::getline(cells, cell, '|'); ++i)
      bounds[name].push_back(std::strtod(cell.c_str(), nullptr));
  }
  return bounds;
}

/// Runs `body` on a thread of its own, which flushes denormals, as a rank's does, or does not.
void onThread(bool flush, const std::function<void()> &body) {
  std::thread([&] {
    if (flush)
      dsrt_flush_denormals();
    body();
  }).join();
}

constexpr size_t chunk = 1 << 14;

template <typename Storage> class FunctionTable {
public:
  FunctionTable(const Type<Storage> &type, Column column, bool flush,
                const std::string &target = kCpuTarget)
      : type(type), column(column), flush(flush), target(target), bounds(documentedBounds()) {}

  void run(std::vector<Storage> xs, std::vector<Storage> ys) {
    CompileOptions options = defaultOptions();
    options.target = target;
    auto step = compileText(stepText(type.format.name, chunk), options);
    ASSERT_TRUE(step);
    auto instance = step->instantiate();
    xs.resize((xs.size() + chunk - 1) / chunk * chunk, Storage());
    ys.resize(xs.size(), Storage());
    for (size_t begin = 0; begin < xs.size(); begin += chunk) {
      std::vector<Storage> x(xs.begin() + begin, xs.begin() + begin + chunk);
      std::vector<Storage> y(ys.begin() + begin, ys.begin() + begin + chunk);
      set(*instance, 0, x);
      set(*instance, 1, y);
      onThread(flush, [&] { instance->run(nullptr); });
      for (size_t f = 0; f < std::size(functions); ++f)
        compare(f, x, y, result<Storage>(*instance, f, chunk));
    }
    report();
  }

private:
  struct Worst {
    long double ulp = -1, x = 0, y = 0, got = 0, expected = 0;
  };

  /// A thread that flushes may take a denormal for 0, and give 0 for one.
  long double error(size_t f, long double x, long double y, long double got,
                    long double expected) const {
    long double ulp = ulpError(type.format, got, expected);
    if (!flush || ulp <= bound(f))
      return ulp;
    long double smallest = type.format.smallestNormal();
    auto flushed = [&](long double v) {
      return std::abs(v) < smallest ? std::copysign(0.0L, v) : v;
    };
    for (long double a : {x, flushed(x)})
      for (long double b : {y, flushed(y)}) {
        long double value = functions[f].reference(a, b);
        ulp = std::min(ulp, ulpError(type.format, got, value));
        if (std::abs(value) < smallest && std::abs(got) <= smallest)
          ulp = 0;
      }
    return ulp;
  }

  void compare(size_t f, const std::vector<Storage> &xs, const std::vector<Storage> &ys,
               const std::vector<Storage> &results) {
    for (size_t i = 0; i < xs.size(); ++i) {
      long double x = type.decode(xs[i]), y = type.decode(ys[i]), got = type.decode(results[i]);
      long double expected = functions[f].reference(x, y);
      long double ulp = error(f, x, y, got, expected);
      if (ulp > worst[f].ulp)
        worst[f] = {ulp, x, y, got, expected};
    }
  }

  double bound(size_t f) const {
    auto row = bounds.find(functions[f].name);
    return row != bounds.end() && row->second.size() == numColumns ? row->second[column] : -1;
  }

  void report() const {
    for (size_t f = 0; f < std::size(functions); ++f) {
      std::ostringstream text;
      text.precision(20);
      text << functions[f].name << " of " << type.format.name << ": x " << worst[f].x << ", y "
           << worst[f].y << ", got " << worst[f].got << ", expected " << worst[f].expected
           << ", error " << double(worst[f].ulp) << " ulp";
      EXPECT_LE(worst[f].ulp, bound(f)) << text.str();
      std::ostringstream rounded;
      rounded.precision(3);
      rounded << double(worst[f].ulp);
      testing::Test::RecordProperty(functions[f].name, rounded.str());
      if (std::getenv("DS_ULP_PRINT"))
        printf("%s\n", text.str().c_str());
    }
  }

  Type<Storage> type;
  Column column;
  bool flush;
  std::string target;
  std::map<std::string, std::vector<double>> bounds;
  Worst worst[std::size(functions)];
};

size_t sampleCount() {
  const char *asked = std::getenv("DS_ULP_SAMPLES");
  return asked ? std::strtoull(asked, nullptr, 10) : size_t(1) << 17;
}

/// Whether denormals are flushed.
class Functions : public testing::TestWithParam<bool> {};

template <typename Storage, typename Bits>
void runFloats(const FloatFormat &format, Column column, bool flush,
               const std::string &target = kCpuTarget, size_t count = sampleCount()) {
  auto xs = sampleFloats<Storage, Bits>(count);
  // Every special value meets every other one; then all pairs are at random.
  std::vector<Storage> ys = xs;
  std::shuffle(ys.begin(), ys.end(), std::mt19937(5));
  std::vector<Storage> special(xs.begin(), xs.begin() + 5);
  for (double value : {1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1e30, -1e30})
    special.push_back(Storage(value));
  for (Storage x : special)
    for (Storage y : special) {
      xs.push_back(x);
      ys.push_back(y);
    }
  Type<Storage> type{format, [](Storage value) { return (long double)value; }};
  FunctionTable<Storage>(type, column, flush, target).run(xs, ys);
}

TEST_P(Functions, OfF32AreWithinTheTable) {
  runFloats<float, uint32_t>(f32Format, f32Column, GetParam());
}

TEST_P(Functions, OfF64AreWithinTheTable) {
  runFloats<double, uint64_t>(f64Format, f64Column, GetParam());
}

void runHalf(const FloatFormat &format, long double (*decode)(uint16_t), bool flush) {
  std::vector<uint16_t> xs(1 << 16);
  for (size_t i = 0; i < xs.size(); ++i)
    xs[i] = uint16_t(i);
  std::vector<uint16_t> ys = xs;
  std::shuffle(ys.begin(), ys.end(), std::mt19937(5));
  FunctionTable<uint16_t>({format, decode}, halfColumn, flush).run(xs, ys);
}

TEST_P(Functions, OfBF16AreRoundedOnce) {
  runHalf(bf16Format, [](uint16_t bits) { return decodeHalf(bits, 7, 127); }, GetParam());
}

TEST_P(Functions, OfF16AreRoundedOnce) {
  runHalf(f16Format, [](uint16_t bits) { return decodeHalf(bits, 10, 15); }, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Denormals, Functions, testing::Bool(), [](const auto &info) {
  return std::string(info.param ? "flushed" : "kept");
});

/// What a CPU leaves to libm is arithmetic there; what has 20 instructions on a CPU may have 300.
class FunctionsOnAGpu : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
  }
  static constexpr size_t fewSamples = chunk - 225; // with the special values a whole chunk
};

TEST_F(FunctionsOnAGpu, OfF32AreWithinTheTable) {
  runFloats<float, uint32_t>(f32Format, f32Column, /*flush=*/true, "cuda:sm_90", fewSamples);
}

TEST_F(FunctionsOnAGpu, OfF64AreWithinTheTable) {
  runFloats<double, uint64_t>(f64Format, gpuF64Column, /*flush=*/true, "cuda:sm_90", fewSamples);
}

TEST(FunctionsTable, HasARowForEveryFunctionAndNoOther) {
  auto bounds = documentedBounds();
  for (const Function &function : functions)
    EXPECT_EQ(bounds.count(function.name), 1u) << function.name;
  EXPECT_EQ(bounds.size(), std::size(functions));
}

/// 67 elements leave a remainder for every width of vectors.
TEST(FunctionsTable, BitsDoNotDependOnThePositionOfAnElement) {
  constexpr size_t count = 67;
  auto step = compileText(stepText("f32", count));
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  for (float x : sampleFloats<float, uint32_t>(2000)) {
    set(*instance, 0, std::vector<float>(count, x));
    set(*instance, 1, std::vector<float>(count, 1.5f));
    instance->run(nullptr);
    for (size_t f = 0; f < std::size(functions); ++f) {
      auto values = result<uint32_t>(*instance, f, count);
      for (size_t i = 1; i < count; ++i)
        ASSERT_EQ(values[i], values[0]) << functions[f].name << " of " << x << " at " << i;
    }
  }
}

} // namespace

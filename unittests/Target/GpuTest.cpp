//===- GpuTest.cpp - Steps on a GPU against steps on a CPU ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same text is compiled for both; the GPU's driver is the tests' own, which executes PTX and
// finds what a device does silently. Functions and elementwise kernels have the same bits.
// Reductions add small integers, so that every order gives the same bits, too.
//
//===----------------------------------------------------------------------===//
#include "GpuFixture.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>
#include <random>

using namespace ds;

namespace {

/// Powers of two with their neighbours, what functions change their course at, and random bits.
std::vector<float> samples(size_t count, unsigned seed) {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               2.0f,
                               0.5f,
                               3.0f,
                               -3.0f,
                               1e30f,
                               -1e30f,
                               88.7f,
                               -104.0f,
                               1e-30f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               1e-40f};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(-4, 4);
  while (values.size() < count / 2)
    values.push_back(unit(random));
  while (values.size() < count)
    values.push_back(llvm::bit_cast<float>(static_cast<uint32_t>(random())));
  return values;
}

std::string elementwise(const std::string &body, size_t count) {
  std::string tensor = "tensor<" + std::to_string(count) + "xf32>";
  return "#v = affine_map<(i) -> (i)>\nfunc.func @step(%a: " + tensor + ", %b: " + tensor +
         ") -> (" + tensor + " {ds.metric = \"r\"}) {\n%e = tensor.empty() : " + tensor +
         "\n%0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]} "
         "ins(%a, %b : " +
         tensor + ", " + tensor + ") outs(%e : " + tensor +
         ") {\n^bb0(%x: f32, %y: f32, %o: f32):\n" + body + "\nlinalg.yield %r : f32\n} -> " +
         tensor + "\nreturn %0 : " + tensor + "\n}\n";
}

TEST_F(Gpu, functions_have_the_bits_of_a_cpu) {
  const char *bodies[] = {"%r = math.exp %x : f32",
                          "%r = math.expm1 %x : f32",
                          "%r = math.log %x : f32",
                          "%r = math.log1p %x : f32",
                          "%r = math.tanh %x : f32",
                          "%r = math.erf %x : f32",
                          "%r = math.sin %x : f32",
                          "%r = math.cos %x : f32",
                          "%r = math.sqrt %x : f32",
                          "%r = math.rsqrt %x : f32",
                          "%r = math.floor %x : f32",
                          "%r = math.ceil %x : f32",
                          "%r = math.roundeven %x : f32",
                          "%r = math.absf %x : f32",
                          "%r = arith.divf %x, %y : f32",
                          "%r = arith.maximumf %x, %y : f32",
                          "%r = arith.minimumf %x, %y : f32",
                          "%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %x : f32",
                          "%i = arith.fptosi %x : f32 to i32\n%r = arith.sitofp %i : i32 to f32",
                          "%h = arith.truncf %x : f32 to bf16\n%r = arith.extf %h : bf16 to f32",
                          "%h = arith.truncf %x : f32 to f16\n%r = arith.extf %h : f16 to f32"};
  for (const char *body : bodies)
    for (size_t count : {512, 4096}) // one point a thread, and four
      expectSame<float>(elementwise(body, count), {samples(count, 1), samples(count, 2)}, count);
}

// libm's result is the nearest f32 but for a few; so is ours.
TEST_F(Gpu, powers_are_within_a_unit_of_libm) {
  const size_t count = 4096;
  std::vector<float> x = samples(count, 3), y = samples(count, 4);
  std::string text = elementwise("%r = math.powf %x, %y : f32", count);
  for (size_t i = 0; i < 64; ++i) { // where x to the y is special
    const float special[] = {0.0f, -0.0f, 1.0f, -1.0f,
                             2.0f, -2.0f, 0.5f, std::numeric_limits<float>::infinity()};
    x[i] = special[i / 8];
    y[i] = special[i % 8];
  }
  std::vector<float> cpu = run<float>(text, "cpu", {x, y}, count),
                     gpu = run<float>(text, "cuda:sm_90", {x, y}, count);
  size_t differing = 0;
  for (size_t i = 0; i < count; ++i) {
    if (std::isnan(cpu[i])) {
      EXPECT_TRUE(std::isnan(gpu[i])) << x[i] << " to the " << y[i];
    } else if (gpu[i] != cpu[i]) {
      ++differing;
      EXPECT_EQ(std::nextafter(gpu[i], cpu[i]), cpu[i]) << x[i] << " to the " << y[i];
    } else {
      EXPECT_EQ(std::signbit(gpu[i]), std::signbit(cpu[i])) << x[i] << " to the " << y[i];
    }
  }
  EXPECT_LE(differing, 4u);
}

/// Reduces one dimension of rows x columns.
std::string reduction(const std::string &op, int64_t rows, int64_t columns, bool alongRows,
                      const std::string &type) {
  std::string in =
      "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  std::string out = "tensor<" + std::to_string(alongRows ? rows : columns) + "x" + type + ">";
  return "#in = affine_map<(i, j) -> (i, j)>\n#out = affine_map<(i, j) -> (" +
         std::string(alongRows ? "i" : "j") + ")>\nfunc.func @step(%x: " + in + ", %start: " + out +
         ") -> (" + out +
         " {ds.metric = \"r\"}) {\n%0 = linalg.generic {indexing_maps = "
         "[#in, #out], iterator_types = [" +
         (alongRows ? "\"parallel\", \"reduction\"" : "\"reduction\", \"parallel\"") +
         "]} ins(%x : " + in + ") outs(%start : " + out + ") {\n^bb0(%a: " + type +
         ", %acc: " + type + "):\n%r = " + op + " %acc, %a : " + type +
         "\nlinalg.yield %r : " + type + "\n} -> " + out + "\nreturn %0 : " + out + "\n}\n";
}

// Each scheme, at the sizes where it begins and with threads that have nothing to do.
TEST_F(Gpu, reductions_of_every_size_are_those_of_a_cpu) {
  struct Size {
    int64_t rows, columns;
    bool alongRows;
  };
  const Size sizes[] = {{5, 32, true},     {5, 33, true},     {9, 33, true},   {300, 40, true},
                        {9, 4096, true},   {9, 4097, true},   {3, 1025, true}, {1, 32768, true},
                        {2, 40001, true},  {32, 9, false},    {33, 9, false},  {33, 70, false},
                        {1000, 33, false}, {40000, 9, false}, {4096, 1, false}};
  for (auto [rows, columns, alongRows] : sizes)
    for (const char *op : {"arith.addf", "arith.maximumf", "arith.minimumf"}) {
      size_t count = alongRows ? rows : columns;
      expectSame<float>(reduction(op, rows, columns, alongRows, "f32"),
                        {integers<float>(rows * columns, 5), integers<float>(count, 6)}, count);
    }
}

TEST_F(Gpu, reductions_of_integers_are_those_of_a_cpu) {
  for (const char *op : {"arith.addi", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui",
                         "arith.andi", "arith.ori", "arith.xori", "arith.muli"})
    for (bool alongRows : {true, false})
      expectSame<int32_t>(reduction(op, 40, 50, alongRows, "i32"),
                          {integers<int32_t>(2000, 7), integers<int32_t>(alongRows ? 40 : 50, 8)},
                          alongRows ? 40 : 50);
}

// Rows look for their updates, and take them in the order of a loop over all: zeros keep their
// signs.
TEST_F(Gpu, scatters_have_the_bits_of_a_cpu) {
  const char *bodies[] = {
      "%s = arith.select %hit, %u1, %zero : f32\n%r = arith.addf %acc, %s : f32",
      "%s = arith.select %hit, %u1, %low : f32\n%r = arith.maximumf %acc, %s : f32",
      "%r = arith.select %hit, %u1, %acc : f32"};
  for (const char *body : bodies)
    for (auto [rows, rounds, columns] : {std::tuple(7, 33, 8), {40, 300, 9}, {3, 512, 300}}) {
      auto type = [](std::initializer_list<int> sizes) {
        std::string text = "tensor<";
        for (int size : sizes)
          text += std::to_string(size) + "x";
        return text + "f32>";
      };
      std::string index = type({rounds}), update = type({rounds, columns}),
                  out = type({rows, columns});
      std::string text =
          "func.func @step(%i: " + index + ", %u: " + update + ", %start: " + out + ") -> (" + out +
          " {ds.metric = \"r\"}) {\n%zero = arith.constant 0.0 : f32\n%low = arith.constant -1.0 : "
          "f32\n"
          "%0 = linalg.generic {indexing_maps = [affine_map<(r, c, n) -> (n)>, affine_map<(r, c, "
          "n) -> (n, c)>, "
          "affine_map<(r, c, n) -> (r, c)>], iterator_types = [\"parallel\", \"parallel\", "
          "\"reduction\"]} "
          "ins(%i, %u : " +
          index + ", " + update + ") outs(%start : " + out +
          ") {\n^bb0(%x: f32, %u1: f32, %acc: f32):\n%w = arith.fptosi %x : f32 to i32\n%p = "
          "linalg.index 0 : index\n"
          "%q = arith.index_cast %p : index to i32\n%hit = arith.cmpi eq, %w, %q : i32\n";
      text += std::string(body) + "\nlinalg.yield %r : f32\n} -> " + out + "\nreturn %0 : " + out +
              "\n}\n";
      std::mt19937 random(static_cast<unsigned>(rounds));
      std::vector<float> indices(rounds), updates = samples(rounds * columns, 11),
                                          start(rows * columns);
      for (float &place : indices)
        place = static_cast<float>(random() % (rows + 1)); // one of them is nobody's
      for (float &value : updates)
        value = value > 1e20f || value < -1e20f || std::isnan(value) ? -0.0f : value;
      for (float &value : start)
        value = random() % 2 ? -0.0f : 0.5f;
      std::vector<std::vector<float>> inputs = {indices, updates, start};
      std::vector<float> cpu = run<float>(text, "cpu", inputs, start.size()),
                         gpu = run<float>(text, "cuda:sm_90", inputs, start.size());
      ASSERT_EQ(gpu.size(), cpu.size());
      for (size_t i = 0; i < cpu.size(); ++i)
        ASSERT_EQ(llvm::bit_cast<uint32_t>(gpu[i]), llvm::bit_cast<uint32_t>(cpu[i]))
            << i << " of " << body;
    }
}

TEST_F(Gpu, constants_go_to_the_device) {
  std::string text = R"(
#v = affine_map<(i) -> (i)>
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32> {ds.metric = "r"}) {
  %table = arith.constant dense<[1.0, 20.0, 300.0, 4000.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x, %table : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
})";
  EXPECT_EQ(run<float>(text, "cuda:sm_90", {{1, 2, 3, 4}}, 4),
            (std::vector<float>{1, 40, 900, 16000}));
}

// A product in each layout that front ends write, with a batch of samples and heads.
TEST_F(Gpu, products_are_those_of_a_cpu) {
  struct Form {
    const char *all, *lhs, *rhs, *out;
  };
  const Form forms[] = {{"mnk", "mk", "kn", "mn"},         {"mnk", "km", "kn", "mn"},
                        {"mnk", "mk", "nk", "mn"},         {"mnk", "km", "nk", "mn"},
                        {"mnk", "mk", "kn", "nm"},         {"bmnk", "bmk", "bkn", "bmn"},
                        {"bhmnk", "bmhk", "bnhk", "bhmn"}, {"bhmnk", "bhmk", "bkhn", "bmhn"},
                        {"bmnk", "bmk", "kn", "bmn"},      {"bmnk", "bmk", "bmn", "kn"}};
  auto sizeOf = [](char loop) {
    return loop == 'b' ? 3 : loop == 'h' ? 2 : loop == 'm' ? 5 : loop == 'n' ? 7 : 6;
  };
  auto typeOf = [&](const std::string &loops) {
    std::string type = "tensor<";
    for (char loop : loops)
      type += std::to_string(sizeOf(loop)) + "x";
    return type + "f32>";
  };
  auto count = [&](const std::string &loops) {
    size_t total = 1;
    for (char loop : loops)
      total *= sizeOf(loop);
    return total;
  };
  for (const Form &form : forms) {
    auto mapOf = [&](const std::string &loops) {
      std::string from, to;
      for (const char *loop = form.all; *loop; ++loop)
        from += std::string(from.empty() ? "" : ", ") + *loop;
      for (char loop : loops)
        to += std::string(to.empty() ? "" : ", ") + loop;
      return "affine_map<(" + from + ") -> (" + to + ")>";
    };
    std::string kinds, out = form.out;
    for (const char *loop = form.all; *loop; ++loop)
      kinds += std::string(kinds.empty() ? "" : ", ") +
               (out.find(*loop) == std::string::npos ? "\"reduction\"" : "\"parallel\"");
    std::string text =
        "func.func @step(%a: " + typeOf(form.lhs) + ", %b: " + typeOf(form.rhs) + ") -> (" +
        typeOf(out) +
        " {ds.metric = \"r\"}) {\n%z = arith.constant 0.0 : f32\n%e = tensor.empty() "
        ": " +
        typeOf(out) + "\n%f = linalg.fill ins(%z : f32) outs(%e : " + typeOf(out) + ") -> " +
        typeOf(out) + "\n%0 = linalg.generic {indexing_maps = [" + mapOf(form.lhs) + ", " +
        mapOf(form.rhs) + ", " + mapOf(out) + "], iterator_types = [" + kinds +
        "]} ins(%a, %b : " + typeOf(form.lhs) + ", " + typeOf(form.rhs) +
        ") outs(%f : " + typeOf(out) +
        ") {\n^bb0(%x: f32, %y: f32, %o: f32):\n%p = arith.mulf %x, %y : f32\n%r = "
        "arith.addf %o, %p : f32\nlinalg.yield %r : f32\n} -> " +
        typeOf(out) + "\nreturn %0 : " + typeOf(out) + "\n}\n";
    expectSame<float>(text,
                      {integers<float>(count(form.lhs), 9), integers<float>(count(form.rhs), 10)},
                      count(out));
  }
}

// From the second step on the calls are a graph.
TEST_F(Gpu, a_graph_does_what_its_calls_do) {
  std::string text = R"(
#v = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @step(%w: tensor<300xf32> {ds.param = "w"}, %x: tensor<300xf32>) -> (tensor<300xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "sum"}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %new = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%w, %x : tensor<300xf32>, tensor<300xf32>) outs(%w : tensor<300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<300xf32>
  %sum = linalg.generic {indexing_maps = [#v, #none], iterator_types = ["reduction"]} ins(%new : tensor<300xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %new, %sum : tensor<300xf32>, tensor<f32>
})";
  for (const char *target : {"cuda:sm_90", "cuda:sm_90:calls"}) {
    CompileOptions options = defaultOptions();
    options.target = target;
    auto step = compileText(text, options);
    ASSERT_TRUE(step);
    auto instance = step->instantiate();
    set<float>(*instance, 0, std::vector<float>(300, 1));
    for (float number = 1; number <= 4; ++number) {
      set<float>(*instance, 1, std::vector<float>(300, number));
      instance->run(nullptr);
      float sum = 300 * (1 + number * (number + 1) / 2);
      EXPECT_EQ(result<float>(*instance, 1, 1)[0], sum) << target << ", step " << number;
    }
    EXPECT_EQ(argument<float>(*instance, 0, 300), std::vector<float>(300, 11)) << target;
  }
}

const char *const assertingStep = R"(
#v = affine_map<(i) -> (i)>
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32> {ds.metric = "r"}) {
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %holds = arith.cmpf oge, %a, %zero : f32
    cf.assert %holds, "x is negative"
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
})";

TEST_F(Gpu, an_assertion_is_an_error_of_its_step) {
  EXPECT_EQ(run<float>(assertingStep, "cuda:sm_90", {{1, 2, 3, 4}}, 4),
            (std::vector<float>{1, 2, 3, 4}));
  EXPECT_DEATH(run<float>(assertingStep, "cuda:sm_90", {{1, 2, -3, 4}}, 4),
               "step 1: the step asserts: x is negative");
}

TEST_F(Gpu, code_is_chosen_by_the_device) {
  std::string text = elementwise("%r = arith.addf %x, %y : f32", 8);
  for (const char *target : {"cuda:sm_80", "cuda:sm_80,sm_90,sm_100"}) // of the same age or older
    EXPECT_EQ(run<float>(text, target, {samples(8, 1), samples(8, 2)}, 8).size(), 8u) << target;
  CompileOptions options = defaultOptions();
  options.target = "cuda:sm_100,sm_120";
  EXPECT_EQ(compileFailure(text, options),
            "the step was compiled for sm_100, sm_120, but fake (PTX on the CPU) is sm_90");
}
} // namespace

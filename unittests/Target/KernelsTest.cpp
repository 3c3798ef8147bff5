//===- KernelsTest.cpp - Contractions, kernels, sharing ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "ds/Support/AssertionError.h"

#include <cmath>
#include <random>

using namespace ds;

namespace {

using Values = std::vector<float>;

/// One contraction over (m, n, k), stored in the given permutations, with batch dimension b where
/// maps use it.
struct Form {
  const char *name, *lhs, *rhs, *out;
};

int64_t sizeOf(char loop) {
  switch (loop) {
  case 'b':
    return 3;
  case 'm':
    return 5;
  case 'n':
    return 7;
  case 'h':
    return 2;
  default:
    return 6; // k
  }
}

std::string typeOf(const std::string &loops) {
  std::string type = "tensor<";
  for (char loop : loops)
    type += std::to_string(sizeOf(loop)) + "x";
  return type + "f32>";
}

std::string mapOf(const std::string &all, const std::string &loops) {
  std::string from, to;
  for (char loop : all)
    from += (from.empty() ? "" : ", ") + std::string(1, loop);
  for (char loop : loops)
    to += (to.empty() ? "" : ", ") + std::string(1, loop);
  return "affine_map<(" + from + ") -> (" + to + ")>";
}

int64_t elements(const std::string &loops) {
  int64_t count = 1;
  for (char loop : loops)
    count *= sizeOf(loop);
  return count;
}

class Contractions : public testing::TestWithParam<Form> {};

TEST_P(Contractions, MatchTheLoops) {
  Form form = GetParam();
  std::string lhs = form.lhs, rhs = form.rhs, out = form.out, all = out;
  for (char loop : lhs + rhs)
    if (all.find(loop) == std::string::npos)
      all += loop;
  std::string kinds;
  for (char loop : all)
    kinds += std::string(kinds.empty() ? "" : ", ") +
             (out.find(loop) == std::string::npos ? "\"reduction\"" : "\"parallel\"");
  std::string text = "func.func @step(%o: " + typeOf(out) +
                     " {ds.state = \"o\"}, %a: " + typeOf(lhs) + ", %b: " + typeOf(rhs) + ") -> (" +
                     typeOf(out) + " {ds.updates = \"o\"}, " + typeOf(out) +
                     " {ds.metric = \"z\"}) {\n";
  std::string generic = "linalg.generic {indexing_maps = [" + mapOf(all, lhs) + ", " +
                        mapOf(all, rhs) + ", " + mapOf(all, out) + "], iterator_types = [" + kinds +
                        "]} ins(%a, %b : " + typeOf(lhs) + ", " + typeOf(rhs) + ") outs(";
  std::string body = " : " + typeOf(out) +
                     ") {\n^bb0(%x: f32, %y: f32, %z: f32):\n%p = arith.mulf %x, %y : f32\n"
                     "%s = arith.addf %z, %p : f32\nlinalg.yield %s : f32\n} -> " +
                     typeOf(out) + "\n";
  text += "%r = " + generic + "%o" + body +
          "%c = arith.constant 0.0 : f32\n%e = tensor.empty() : " + typeOf(out) +
          "\n%f = linalg.fill ins(%c : f32) outs(%e : " + typeOf(out) + ") -> " + typeOf(out) +
          "\n%q = " + generic + "%f" + body + "return %r, %q : " + typeOf(out) + ", " +
          typeOf(out) + "\n}\n";
  auto step = compileText(text);
  ASSERT_TRUE(step);
  bool isProduct = lhs.find('m') != std::string::npos && rhs.find('n') != std::string::npos;
  EXPECT_EQ(step->kernelNames().empty(), isProduct)
      << "products are library calls, all else is kernels";
  auto instance = step->instantiate();
  std::mt19937 random(7);
  auto fill = [&](unsigned slot, int64_t count) {
    Values values(count);
    for (float &value : values)
      value = int(random() % 9) - 4;
    set(*instance, slot, values);
    return values;
  };
  Values before = fill(0, elements(out)), a = fill(1, elements(lhs)), b = fill(2, elements(rhs));
  instance->run(nullptr);
  Values sum(elements(out), 0.0f);
  std::vector<int64_t> index(all.size(), 0);
  auto at = [&](const std::string &loops) {
    int64_t offset = 0;
    for (char loop : loops)
      offset = offset * sizeOf(loop) + index[all.find(loop)];
    return offset;
  };
  for (int64_t i = 0; i < elements(all); ++i) {
    int64_t rest = i;
    for (size_t d = all.size(); d-- > 0; rest /= sizeOf(all[d]))
      index[d] = rest % sizeOf(all[d]);
    sum[at(out)] += a[at(lhs)] * b[at(rhs)];
  }
  EXPECT_EQ(result(*instance, 1, sum.size()), sum);
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] += before[i];
  EXPECT_EQ(argument(*instance, 0, sum.size()), sum);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Contractions,
    testing::Values(Form{"nn", "mk", "kn", "mn"}, Form{"tn", "km", "kn", "mn"},
                    Form{"nt", "mk", "nk", "mn"}, Form{"tt", "km", "nk", "mn"},
                    Form{"transposed_out", "mk", "kn", "nm"}, Form{"batched", "bmk", "bkn", "bmn"},
                    Form{"batch_in_the_middle", "mbk", "nbk", "mbn"},
                    Form{"batch_innermost", "mkb", "knb", "mnb"}, Form{"two_m", "hmk", "kn", "hmn"},
                    Form{"split_m", "mkh", "kn", "mhn"}, Form{"two_k", "mkh", "hkn", "mn"},
                    Form{"matrix_vector", "mk", "k", "m"}, Form{"vector_matrix", "k", "kn", "n"},
                    Form{"dot", "k", "k", ""}, Form{"heads", "bmhk", "bnhk", "bhmn"},
                    Form{"strided_everything", "kmb", "nkb", "nmb"}),
    [](const auto &info) { return std::string(info.param.name); });

std::string scale(const std::string &name, const std::string &factor) {
  return "%e" + name + " = tensor.empty() : tensor<64xf32>\n%c" + name + " = arith.constant " +
         factor + " : f32\n%" + name +
         " = linalg.generic {indexing_maps = [#v, #v], iterator_types = [\"parallel\"]} ins(%" +
         name + "0 : tensor<64xf32>) outs(%e" + name +
         " : tensor<64xf32>) {\n^bb0(%x: f32, %o: f32):\n%r = arith.mulf %x, %c" + name +
         " : f32\nlinalg.yield %r : f32\n} -> tensor<64xf32>\n";
}

std::string twoScales(const std::string &first, const std::string &second) {
  return "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%a0: tensor<64xf32> {ds.param = \"a\"}, "
         "%b0: tensor<64xf32> "
         "{ds.param = \"b\"}) -> (tensor<64xf32> {ds.updates = \"a\"}, tensor<64xf32> {ds.updates "
         "= \"b\"}) {\n" +
         scale("a", first) + scale("b", second) +
         "return %a, %b : tensor<64xf32>, tensor<64xf32>\n}\n";
}

TEST(Kernels, EqualKernelsAreOne) {
  auto step = compileText(twoScales("2.0", "2.0"));
  ASSERT_TRUE(step);
  EXPECT_EQ(step->kernelNames().size(), 1u);
}

TEST(Kernels, DifferentConstantsAreDifferentKernels) {
  auto step = compileText(twoScales("2.0", "3.0"));
  ASSERT_TRUE(step);
  EXPECT_EQ(step->kernelNames().size(), 2u);
}

TEST(Kernels, NamesDependOnTheTextOnly) {
  auto first = compileText(twoScales("2.0", "3.0")), second = compileText(twoScales("3.0", "2.0"));
  ASSERT_TRUE(first && second);
  auto a = first->kernelNames(), b = second->kernelNames();
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
}

TEST(Kernels, ProducerThatReadsItsInitIsNotRepeated) { // s = (o + x), r[i] = sum_j s[i] * y[j]
  auto step =
      compileText("#v = affine_map<(d0) -> (d0)>\n#r = affine_map<(d0, d1) -> (d0)>\n#f = "
                  "affine_map<(d0, d1) -> (d0, d1)>\n"
                  "func.func @step(%o: tensor<2xf32> {ds.state = \"o\"}, %x: tensor<2xf32>, %y: "
                  "tensor<2x3xf32>) -> (tensor<2xf32> {ds.updates = \"o\"}) {\n"
                  "%s = linalg.generic {indexing_maps = [#v, #v], iterator_types = [\"parallel\"]} "
                  "ins(%x : tensor<2xf32>) outs(%o : tensor<2xf32>) {\n"
                  "^bb0(%a: f32, %b: f32):\n%c = arith.addf %b, %a : f32\nlinalg.yield %c : f32\n} "
                  "-> tensor<2xf32>\n"
                  "%z = arith.constant 0.0 : f32\n%e = tensor.empty() : tensor<2xf32>\n"
                  "%i = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>\n"
                  "%t = linalg.generic {indexing_maps = [#r, #f, #r], iterator_types = "
                  "[\"parallel\", \"reduction\"]} "
                  "ins(%s, %y : tensor<2xf32>, tensor<2x3xf32>) outs(%i : tensor<2xf32>) {\n"
                  "^bb0(%a: f32, %b: f32, %c: f32):\n%p = arith.mulf %a, %b : f32\n%q = "
                  "arith.maximumf %p, %p : f32\n%d = arith.addf %c, %q : f32\n"
                  "linalg.yield %d : f32\n} -> tensor<2xf32>\nreturn %t : tensor<2xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {0, 0});
  set(*instance, 1, {1, 2});
  set(*instance, 2, {1, 1, 1, 1, 1, 1});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 2), (Values{3, 6}));
}

/// The sum of 4096 ones of a 16-bit type.
uint16_t sumOfOnes(const std::string &type, uint16_t one) {
  auto step = compileText(
      "func.func @step(%s: tensor<" + type + "> {ds.state = \"s\"}, %x: tensor<4096x" + type +
      ">) -> (tensor<" + type + "> {ds.updates = \"s\"}) {\n%z = arith.constant 0.0 : " + type +
      "\n%e = tensor.empty() : tensor<" + type + ">\n%i = linalg.fill ins(%z : " + type +
      ") outs(%e : tensor<" + type + ">) -> tensor<" + type +
      ">\n%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], "
      "iterator_types = [\"reduction\"]} ins(%x : tensor<4096x" +
      type + ">) outs(%i : tensor<" + type + ">) {\n^bb0(%a: " + type + ", %b: " + type +
      "):\n%c = arith.addf %b, %a : " + type + "\nlinalg.yield %c : " + type + "\n} -> tensor<" +
      type + ">\nreturn %r : tensor<" + type + ">\n}\n");
  if (!step)
    return 0;
  auto instance = step->instantiate();
  set<uint16_t>(*instance, 1, std::vector<uint16_t>(4096, one));
  instance->run(nullptr);
  return argument<uint16_t>(*instance, 0, 1)[0];
}

// Without a wide accumulator 256 + 1 is 256 in bf16, and 2048 + 1 is 2048 in f16.
TEST(Kernels, SixteenBitSumsAccumulateInF32) {
  EXPECT_EQ(sumOfOnes("bf16", 0x3f80), 0x4580);
  EXPECT_EQ(sumOfOnes("f16", 0x3c00), 0x6c00);
}

TEST(Kernels, Bf16ContractionIsAnF32Contraction) {
  auto step = compileText(
      "func.func @step(%s: tensor<2x2xbf16> {ds.state = \"s\"}, %a: tensor<2x512xbf16>, %b: "
      "tensor<512x2xbf16>) -> "
      "(tensor<2x2xbf16> {ds.updates = \"s\"}) {\n%z = arith.constant 0.0 : bf16\n%e = "
      "tensor.empty() : tensor<2x2xbf16>\n"
      "%i = linalg.fill ins(%z : bf16) outs(%e : tensor<2x2xbf16>) -> tensor<2x2xbf16>\n"
      "%r = linalg.matmul ins(%a, %b : tensor<2x512xbf16>, tensor<512x2xbf16>) outs(%i : "
      "tensor<2x2xbf16>) -> tensor<2x2xbf16>\n"
      "return %r : tensor<2x2xbf16>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set<uint16_t>(*instance, 1, std::vector<uint16_t>(1024, 0x3f80));
  set<uint16_t>(*instance, 2, std::vector<uint16_t>(1024, 0x3f80));
  instance->run(nullptr);
  EXPECT_EQ(argument<uint16_t>(*instance, 0, 4), std::vector<uint16_t>(4, 0x4400)); // 512
}

TEST(Kernels, BooleansAreBytes) { // flags = (x > 0); count of old flags
  auto step =
      compileText("#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%f: tensor<4xi1> {ds.state = "
                  "\"f\"}, %x: tensor<4xf32>) -> "
                  "(tensor<4xi1> {ds.updates = \"f\"}, tensor<4xf32> {ds.metric = \"m\"}) {\n%z = "
                  "arith.constant 0.0 : f32\n"
                  "%e = tensor.empty() : tensor<4xi1>\n%g = linalg.generic {indexing_maps = [#v, "
                  "#v], iterator_types = [\"parallel\"]} "
                  "ins(%x : tensor<4xf32>) outs(%e : tensor<4xi1>) {\n^bb0(%a: f32, %o: i1):\n%c = "
                  "arith.cmpf ogt, %a, %z : f32\n"
                  "linalg.yield %c : i1\n} -> tensor<4xi1>\n%d = tensor.empty() : tensor<4xf32>\n"
                  "%m = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = "
                  "[\"parallel\"]} ins(%f, %x : tensor<4xi1>, tensor<4xf32>) "
                  "outs(%d : tensor<4xf32>) {\n^bb0(%a: i1, %b: f32, %o: f32):\n%c = arith.select "
                  "%a, %b, %z : f32\n"
                  "linalg.yield %c : f32\n} -> tensor<4xf32>\nreturn %g, %m : tensor<4xi1>, "
                  "tensor<4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set<uint8_t>(*instance, 0, {1, 0, 0, 1});
  set(*instance, 1, {1, -2, 3, -4});
  instance->run(nullptr);
  EXPECT_EQ(argument<uint8_t>(*instance, 0, 4), (std::vector<uint8_t>{1, 0, 1, 0}));
  EXPECT_EQ(result(*instance, 1, 4), (Values{1, 0, 0, -4}));
}

TEST(Kernels, BooleanTablesAreBytes) {
  auto step = compileText("#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%x: tensor<4xf32> "
                          "{ds.state = \"x\"}) -> (tensor<4xf32> {ds.updates = \"x\"}, "
                          "tensor<4xi1> {ds.metric = \"m\"}) {\n%t = arith.constant dense<[true, "
                          "false, false, true]> : tensor<4xi1>\n"
                          "%z = arith.constant 0.0 : f32\n%d = tensor.empty() : tensor<4xf32>\n"
                          "%m = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = "
                          "[\"parallel\"]} ins(%t, %x : tensor<4xi1>, tensor<4xf32>) "
                          "outs(%d : tensor<4xf32>) {\n^bb0(%a: i1, %b: f32, %o: f32):\n%c = "
                          "arith.select %a, %b, %z : f32\n"
                          "linalg.yield %c : f32\n} -> tensor<4xf32>\nreturn %m, %t : "
                          "tensor<4xf32>, tensor<4xi1>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 4), (Values{1, 0, 0, 4}));
  EXPECT_EQ(result<uint8_t>(*instance, 1, 4), (std::vector<uint8_t>{1, 0, 0, 1}));
}

TEST(Kernels, GatherReadsACapturedTensor) {
  auto step =
      compileText("#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%t: tensor<4xf32> {ds.param = "
                  "\"t\"}, %i: tensor<4xi32>) -> "
                  "(tensor<4xf32> {ds.updates = \"t\"}) {\n%e = tensor.empty() : tensor<4xf32>\n"
                  "%r = linalg.generic {indexing_maps = [#v, #v], iterator_types = [\"parallel\"]} "
                  "ins(%i : tensor<4xi32>) outs(%e : tensor<4xf32>) {\n"
                  "^bb0(%a: i32, %o: f32):\n%k = arith.index_cast %a : i32 to index\n%x = "
                  "tensor.extract %t[%k] : tensor<4xf32>\n"
                  "linalg.yield %x : f32\n} -> tensor<4xf32>\nreturn %r : tensor<4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4});
  set<int32_t>(*instance, 1, {3, 2, 1, 0});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 4), (Values{4, 3, 2, 1}));
}

TEST(Kernels, AssertionsThatHoldPass) { // an index check, as exports of embeddings carry it
  auto step = compileText(
      "#v = affine_map<(d0) -> (d0)>\nfunc.func @step(%t: tensor<4xf32> {ds.param = \"t\"}, %i: "
      "tensor<4xi32>) -> "
      "(tensor<4xf32> {ds.updates = \"t\"}) {\n%e = tensor.empty() : tensor<4xf32>\n%four = "
      "arith.constant 4 : index\n"
      "%r = linalg.generic {indexing_maps = [#v, #v], iterator_types = [\"parallel\"]} ins(%i : "
      "tensor<4xi32>) outs(%e : tensor<4xf32>) {\n"
      "^bb0(%a: i32, %o: f32):\n%k = arith.index_cast %a : i32 to index\n%in = arith.cmpi slt, %k, "
      "%four : index\n"
      "cf.assert %in, \"index out of range\"\n%x = tensor.extract %t[%k] : tensor<4xf32>\n"
      "linalg.yield %x : f32\n} -> tensor<4xf32>\nreturn %r : tensor<4xf32>\n}\n");
  ASSERT_TRUE(step);
  auto instance = step->instantiate();
  set(*instance, 0, {1, 2, 3, 4});
  set<int32_t>(*instance, 1, {3, 2, 1, 0});
  instance->run(nullptr);
  EXPECT_EQ(argument(*instance, 0, 4), (Values{4, 3, 2, 1}));
  set<int32_t>(*instance, 1, {3, 2, 1, 7});
  instance->run(nullptr);
  const std::string told = llvm::toString(takeFailedAssertion());
  EXPECT_TRUE(
      llvm::StringRef(told).ends_with("an assertion of the step does not hold: index out of range"))
      << told;
  EXPECT_FALSE(bool(takeFailedAssertion())); // once
}

} // namespace

//===- GpuProductsTest.cpp - What cuBLASLt does beside products -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of one product and what follows it, on the tests' driver and library against a CPU. Inputs
// are small integers, so that every order of sums has the same bits. Kernels that are left over are
// counted: what the library does needs none.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"
#include "dsrt/dsrt.h"

#include <cstdlib>
#include <random>

using namespace ds;

namespace {

/// Loops by letters.
struct Form {
  std::string all, lhs, rhs, out;
};

int64_t sizeOf(char loop) {
  return loop == 'b' ? 3 : loop == 'h' ? 2 : loop == 'm' ? 5 : loop == 'n' ? 8 : 6;
}

std::string typeOf(const std::string &loops, const std::string &element = "f32") {
  std::string type = "tensor<";
  for (char loop : loops)
    type += std::to_string(sizeOf(loop)) + "x";
  return type + element + ">";
}

size_t countOf(const std::string &loops) {
  size_t total = 1;
  for (char loop : loops)
    total *= sizeOf(loop);
  return total;
}

std::string mapOf(const std::string &all, const std::string &loops) {
  std::string from, to;
  for (char loop : all)
    from += std::string(from.empty() ? "" : ", ") + loop;
  for (char loop : loops)
    to += std::string(to.empty() ? "" : ", ") + loop;
  return "affine_map<(" + from + ") -> (" + to + ")>";
}

/// `%name` = the product of two values, from zero, summed in f32.
std::string productText(const std::string &name, const Form &form, const std::string &lhs,
                        const std::string &rhs, const std::string &element = "f32") {
  std::string kinds, out = typeOf(form.out), widened;
  for (char loop : form.all)
    kinds += std::string(kinds.empty() ? "" : ", ") +
             (form.out.find(loop) == std::string::npos ? "\"reduction\"" : "\"parallel\"");
  std::string x = "%x", y = "%y";
  if (element != "f32") {
    widened = "%wx = arith.extf %x : " + element + " to f32\n%wy = arith.extf %y : " + element +
              " to f32\n";
    x = "%wx";
    y = "%wy";
  }
  return "%e" + name + " = tensor.empty() : " + out + "\n%f" + name +
         " = linalg.fill ins(%zero : f32) outs(%e" + name + " : " + out + ") -> " + out + "\n%" +
         name + " = linalg.generic {indexing_maps = [" + mapOf(form.all, form.lhs) + ", " +
         mapOf(form.all, form.rhs) + ", " + mapOf(form.all, form.out) + "], iterator_types = [" +
         kinds + "]} ins(" + lhs + ", " + rhs + " : " + typeOf(form.lhs, element) + ", " +
         typeOf(form.rhs, element) + ") outs(%f" + name + " : " + out + ") {\n^bb0(%x: " + element +
         ", %y: " + element + ", %o: f32):\n" + widened + "%product = arith.mulf " + x + ", " + y +
         " : f32\n%sum = arith.addf %o, %product : f32\nlinalg.yield %sum : f32\n} -> " + out +
         "\n";
}

/// `%name` = an elementwise operation on values of the loops `out`, and perhaps on one of `other`.
std::string elementwiseText(const std::string &name, const std::string &out,
                            const std::string &value, const std::string &other,
                            const std::string &otherLoops, const std::string &body,
                            const std::string &element = "f32") {
  std::string kinds, type = typeOf(out, element), maps = mapOf(out, out), ins = value,
                     types = typeOf(out), arguments = "%x: f32";
  for (size_t i = 0; i < out.size(); ++i)
    kinds += std::string(i == 0 ? "" : ", ") + "\"parallel\"";
  if (!other.empty()) {
    maps += ", " + mapOf(out, otherLoops);
    ins += ", " + other;
    types += ", " + typeOf(otherLoops);
    arguments += ", %y: f32";
  }
  return "%e" + name + " = tensor.empty() : " + type + "\n%" + name +
         " = linalg.generic {indexing_maps = [" + maps + ", " + mapOf(out, out) +
         "], iterator_types = [" + kinds + "]} ins(" + ins + " : " + types + ") outs(%e" + name +
         " : " + type + ") {\n^bb0(" + arguments + ", %o: " + element + "):\n" + body +
         "\nlinalg.yield %r : " + element + "\n} -> " + type + "\n";
}

const char *const add = "%r = arith.addf %x, %y : f32";
const char *const maximum = "%r = arith.maximumf %x, %zero : f32";

std::string stepText(const std::string &arguments, const std::string &body,
                     const std::string &result, const std::string &type) {
  return "func.func @step(" + arguments + ") -> (" + type +
         " {ds.metric = \"r\"}) {\n%zero = arith.constant 0.0 : f32\n" + body + "return " + result +
         " : " + type + "\n}\n";
}

std::vector<float> integers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return values;
}

class GpuProducts : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("DS_CUDA_LIBRARY", DS_FAKES "/libfake_cuda.so", 1);
    setenv("DS_CUBLASLT_LIBRARY", DS_FAKES "/libfake_cublaslt.so", 1);
    dsrt_flush_denormals(); // as ranks do
  }
  template <typename T>
  std::vector<T> run(const std::string &text, const std::string &target,
                     const std::vector<std::vector<float>> &inputs, size_t count) {
    CompileOptions options = defaultOptions();
    options.target = target;
    auto step = compileText(text, options);
    if (!step)
      return {};
    kernels = step->kernelNames().size();
    products = step->libraryCalls();
    auto instance = step->instantiate();
    for (size_t i = 0; i < inputs.size(); ++i)
      set<float>(*instance, i, inputs[i]);
    instance->run(nullptr);
    instance->run(nullptr); // as a graph
    return result<T>(*instance, 0, count);
  }
  template <typename T = float>
  void expectSame(const std::string &text, const std::vector<std::vector<float>> &inputs,
                  size_t count, size_t kernelsLeft) {
    const std::vector<T> cpu = run<T>(text, "cpu", inputs, count);
    EXPECT_EQ(run<T>(text, "cuda:sm_90", inputs, count), cpu) << text;
    EXPECT_EQ(kernels, kernelsLeft) << text;
  }
  size_t kernels = 0; // of the last step
  std::vector<std::pair<std::string, std::string>> products;
};

// A row of each place that the library adds it to, and such that it cannot.
TEST_F(GpuProducts, start_from_a_row) {
  struct Case {
    Form form;
    std::string row;
    bool isTaken;
  };
  const Case cases[] = {{{"mnk", "mk", "kn", "mn"}, "n", true},
                        {{"mnk", "mk", "nk", "mn"}, "n", true},
                        {{"mnk", "mk", "kn", "nm"}, "m", true},
                        {{"bmnk", "bmk", "kn", "bmn"}, "n", true},
                        {{"bmnk", "bmk", "bkn", "bmn"}, "n", true},
                        {{"bmhnk", "bmk", "khn", "bmhn"}, "hn", true},
                        {{"bmhnk", "bmk", "khn", "bmhn"}, "n", false},
                        {{"bmnhk", "bhmk", "hkn", "bmn"}, "n", true}, // depth in two loops
                        {{"bmnk", "bmk", "kn", "bmn"}, "mn", false},
                        {{"bmnk", "bmk", "bkn", "bmn"}, "mn", false},
                        {{"mnk", "mk", "kn", "mn"}, "m", false}};
  for (const Case &each : cases)
    for (bool isRelu : {false, true}) {
      const Form &form = each.form;
      std::string body = productText("p", form, "%a", "%b") +
                         elementwiseText("s", form.out, "%p", "%row", each.row, add);
      if (isRelu)
        body += elementwiseText("t", form.out, "%s", "", "", maximum);
      expectSame(stepText("%a: " + typeOf(form.lhs) + ", %b: " + typeOf(form.rhs) +
                              ", %row: " + typeOf(each.row),
                          body, isRelu ? "%t" : "%s", typeOf(form.out)),
                 {integers(countOf(form.lhs), 1), integers(countOf(form.rhs), 2),
                  integers(countOf(each.row), 3)},
                 countOf(form.out), each.isTaken ? 0 : 1);
    }
}

// max(z, 0) is computed once, and z > 0 is asked of it.
TEST_F(GpuProducts, end_with_a_maximum) {
  const Form form = {"mnk", "mk", "kn", "mn"};
  const std::string inputs = "%a: " + typeOf("mk") + ", %b: " + typeOf("kn");
  const std::vector<std::vector<float>> values = {integers(countOf("mk"), 4),
                                                  integers(countOf("kn"), 5)};
  const std::string product = productText("p", form, "%a", "%b"),
                    most = elementwiseText("t", "mn", "%p", "", "", maximum);
  expectSame(stepText(inputs, product + most, "%t", typeOf("mn")), values, countOf("mn"), 0);
  const char *select =
      "%c = arith.cmpf ogt, %x, %zero : f32\n%r = arith.select %c, %y, %zero : f32";
  const Form again = {"mnk", "mn", "kn", "mk"};
  const std::string backward = productText("q", again, "%t", "%b") +
                               productText("w", form, "%q", "%b") +
                               elementwiseText("g", "mn", "%p", "%w", "mn", select);
  expectSame(stepText(inputs, product + most + backward, "%g", typeOf("mn")), values, countOf("mn"),
             1);
  // Another reader needs z itself.
  const std::string both = elementwiseText("g", "mn", "%w", "%p", "mn", add);
  expectSame(stepText(inputs,
                      product + most + productText("q", again, "%t", "%b") +
                          productText("w", form, "%q", "%b") + both,
                      "%g", typeOf("mn")),
             values, countOf("mn"), 2);
}

TEST_F(GpuProducts, start_from_another_product) {
  const Form form = {"mnk", "mk", "kn", "mn"};
  const std::string text = stepText(
      "%a: " + typeOf("mk") + ", %b: " + typeOf("kn") + ", %c: " + typeOf("mk"),
      productText("p", form, "%a", "%b") + productText("q", {"mnk", "mk", "kn", "mn"}, "%c", "%b") +
          elementwiseText("t", "mn", "%p", "", "", "%r = arith.mulf %x, %x : f32") +
          elementwiseText("u", "mn", "%p", "%q", "mn", add) +
          elementwiseText("s", "mn", "%t", "%u", "mn", add),
      "%s", typeOf("mn"));
  // %p is read by another, so that nothing may be added to it.
  expectSame(text,
             {integers(countOf("mk"), 6), integers(countOf("kn"), 7), integers(countOf("mk"), 8)},
             countOf("mn"), 1);
  const std::string sum = stepText("%a: " + typeOf("mk") + ", %b: " + typeOf("kn") +
                                       ", %c: " + typeOf("mh") + ", %d: " + typeOf("hn"),
                                   productText("p", form, "%a", "%b") +
                                       productText("q", {"mnh", "mh", "hn", "mn"}, "%c", "%d") +
                                       elementwiseText("s", "mn", "%p", "%q", "mn", add),
                                   "%s", typeOf("mn"));
  expectSame(sum,
             {integers(countOf("mk"), 6), integers(countOf("kn"), 7), integers(countOf("mh"), 8),
              integers(countOf("hn"), 9)},
             countOf("mn"), 0);
}

// Samples and heads are a batch by an array of addresses, in one call of the library.
TEST_F(GpuProducts, of_attention_are_one_call) {
  for (const Form &form :
       {Form{"bhmnk", "bmhk", "bnhk", "bhmn"}, {"bhmkn", "bhmn", "bnhk", "bmhk"}}) {
    const std::string text = stepText("%a: " + typeOf(form.lhs) + ", %b: " + typeOf(form.rhs),
                                      productText("p", form, "%a", "%b"), "%p", typeOf(form.out));
    expectSame(text, {integers(countOf(form.lhs), 10), integers(countOf(form.rhs), 11)},
               countOf(form.out), 0);
    ASSERT_EQ(products.size(), 1u);
    EXPECT_EQ(products[0].second, "cublasLt 1 product");
  }
}

// Factors of 16 bits reach the library as they are, sums are in f32, and results are rounded once.
TEST_F(GpuProducts, of_16_bits_sum_in_f32) {
  const Form form = {"mnk", "mk", "kn", "mn"};
  for (const std::string element : {"bf16", "f16"}) {
    auto narrow = [&](const std::string &name, const std::string &loops, const std::string &value) {
      return elementwiseText(name, loops, value, "", "", "%r = arith.truncf %x : f32 to " + element,
                             element);
    };
    const std::string product = narrow("u", "mk", "%a") + narrow("v", "kn", "%b") +
                                productText("p", form, "%u", "%v", element);
    const std::string inputs = "%a: " + typeOf("mk") + ", %b: " + typeOf("kn");
    std::vector<float> a = integers(countOf("mk"), 12), b = integers(countOf("kn"), 13);
    for (float &value : a)
      value *= 0x1.02p0f; // f16 and bf16 have it; its products are no numbers of bf16
    expectSame(stepText(inputs, product, "%p", typeOf("mn")), {a, b}, countOf("mn"), 2);
    // No third kernel rounds the result.
    expectSame<uint16_t>(
        stepText(inputs, product + narrow("t", "mn", "%p"), "%t", typeOf("mn", element)), {a, b},
        countOf("mn"), 2);
  }
}

} // namespace

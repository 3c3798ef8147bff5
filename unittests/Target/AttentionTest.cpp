//===- AttentionTest.cpp - Attention in blocks, and as written --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random attentions and their gradients: shapes, layouts, scales, causal and other masks, dropout.
// Each is computed in blocks and as it is written. DS_ATTENTION_CASES says how many.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <cmath>
#include <cstdlib>
#include <random>

using namespace ds;

namespace {

/// A tensor: its name, and a letter for each dimension.
struct Tensor {
  std::string name, letters;
};

class Writer {
public:
  explicit Writer(std::map<char, int64_t> sizes) : sizes(std::move(sizes)) {}

  std::string type(const std::string &letters) const {
    std::string text = "tensor<";
    for (char letter : letters)
      text += std::to_string(sizes.at(letter)) + "x";
    return text + "f32>";
  }

  size_t elements(const std::string &letters) const {
    size_t count = 1;
    for (char letter : letters)
      count *= sizes.at(letter);
    return count;
  }

  /// `body` computes %r from %a, %b, .. and %out.
  Tensor generic(const std::string &out, const std::vector<Tensor> &inputs, const std::string &init,
                 const std::string &body) {
    std::string loops = out, maps, kinds, names, types, arguments;
    for (const Tensor &input : inputs)
      for (char letter : input.letters)
        if (loops.find(letter) == std::string::npos)
          loops += letter;
    auto list = [](const std::string &letters) {
      std::string text;
      for (char letter : letters)
        text += std::string(text.empty() ? "" : ", ") + letter;
      return "(" + text + ")";
    };
    for (auto [i, input] : llvm::enumerate(inputs)) {
      maps += "affine_map<" + list(loops) + " -> " + list(input.letters) + ">, ";
      names += (i ? ", " : "") + input.name;
      types += (i ? ", " : "") + type(input.letters);
      arguments += std::string("%") + char('a' + i) + ": f32, ";
    }
    for (char letter : loops)
      kinds += std::string(kinds.empty() ? "" : ", ") +
               (out.find(letter) == std::string::npos ? "\"reduction\"" : "\"parallel\"");
    std::string name = "%t" + std::to_string(count++);
    text += name + " = linalg.generic {indexing_maps = [" + maps + "affine_map<" + list(loops) +
            " -> " + list(out) + ">], iterator_types = [" + kinds + "]} ins(" + names + " : " +
            types + ") outs(" + init + " : " + type(out) + ") {\n^bb0(" + arguments +
            "%out: f32):\n" + body + "linalg.yield %r : f32\n} -> " + type(out) + "\n";
    return {name, out};
  }

  std::string empty(const std::string &letters) {
    std::string name = "%e" + std::to_string(count++);
    text += name + " = tensor.empty() : " + type(letters) + "\n";
    return name;
  }

  Tensor map(const std::string &out, const std::vector<Tensor> &inputs, const std::string &body) {
    return generic(out, inputs, empty(out), body);
  }

  Tensor reduce(const std::string &out, const std::vector<Tensor> &inputs, const std::string &start,
                const std::string &body) {
    std::string from = empty(out), filled = "%f" + std::to_string(count++);
    text += filled + "c = arith.constant " + start + " : f32\n" + filled + " = linalg.fill ins(" +
            filled + "c : f32) outs(" + from + " : " + type(out) + ") -> " + type(out) + "\n";
    return generic(out, inputs, filled, body);
  }

  Tensor contract(const std::string &out, const Tensor &x, const Tensor &y) {
    return reduce(out, {x, y}, "0.0",
                  "%p = arith.mulf %a, %b : f32\n%r = arith.addf %out, %p : f32\n");
  }

  std::string text;

private:
  std::map<char, int64_t> sizes;
  unsigned count = 0;
};

/// Keeps about three of four weights, by their positions.
const char *const kDropout =
    "%b_ = linalg.index 0 : index\n%h_ = linalg.index 1 : index\n%i_ = linalg.index 2 : index\n"
    "%j_ = linalg.index 3 : index\n%m_ = arith.constant 31 : index\n%b1 = arith.muli %b_, %m_ : "
    "index\n"
    "%b2 = arith.addi %b1, %h_ : index\n%b3 = arith.muli %b2, %m_ : index\n"
    "%b4 = arith.addi %b3, %i_ : index\n%b5 = arith.muli %b4, %m_ : index\n"
    "%b6 = arith.addi %b5, %j_ : index\n%four = arith.constant 4 : index\n"
    "%rest = arith.remui %b6, %four : index\n%no = arith.constant 0 : index\n"
    "%drop = arith.cmpi eq, %rest, %no : index\n%nought = arith.constant 0.0 : f32\n"
    "%more = arith.constant 1.333 : f32\n%kept = arith.mulf %a, %more : f32\n"
    "%r = arith.select %drop, %nought, %kept : f32\n";

struct Case {
  std::string text;
  std::vector<size_t> arguments, results; // elements
  std::string description;
};

Case makeCase(std::mt19937 &random) {
  auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  auto choose = [&](std::vector<std::string> words) { return words[draw(0, words.size() - 1)]; };
  const bool causal = draw(0, 1), dropout = draw(0, 2) == 0;
  // One block of queries, or several.
  auto length = [&] { return draw(0, 1) ? draw(2, 60) : draw(280, 700); };
  const int64_t queries = length(), keys = causal ? queries : length();
  Writer writer(
      {{'b', draw(1, 3)}, {'h', draw(1, 3)}, {'q', queries}, {'k', keys}, {'d', draw(2, 9)}});
  const std::string bias = choose({"", "", "bk", "qk", "bhqk"});
  const std::string fill = choose({"0xFF800000", "-1.0e30", "-3.40282347E+38", "-1.0e4"});
  const std::string later =
      causal ? "%i = linalg.index 2 : index\n%j = linalg.index 3 : index\n%later = arith.cmpi " +
                   choose({"ugt, %j, %i", "slt, %i, %j"}) + " : index\n"
             : "";
  const std::string scale = "%s = arith.constant 0.35 : f32\n";
  Tensor q{"%q", choose({"bhqd", "bqhd"})}, k{"%k", choose({"bhkd", "bkhd", "bhdk"})},
      v{"%v", choose({"bhkd", "bkhd"})}, g{"%g", choose({"bhqd", "bqhd", "bhdq"})};
  std::vector<Tensor> arguments = {q, k, v, g};
  if (!bias.empty())
    arguments.push_back({"%bias", bias});

  Tensor scores = writer.contract("bhqk", q, k);
  std::string mask = scale + later + "%x = arith.mulf %a, %s : f32\n";
  if (!bias.empty())
    mask += "%y = arith.addf %x, %b : f32\n";
  mask += std::string("%none = arith.constant ") + fill + " : f32\n";
  const std::string value = bias.empty() ? "%x" : "%y";
  mask += causal ? "%r = arith.select %later, %none, " + value + " : f32\n"
                 : "%r = arith.maximumf " + value + ", %none : f32\n";
  std::vector<Tensor> masked = {scores};
  if (!bias.empty())
    masked.push_back(arguments.back());
  Tensor logits = writer.map("bhqk", masked, mask);
  Tensor most =
      writer.reduce("bhq", {logits}, "0xFF800000", "%r = arith.maximumf %out, %a : f32\n");
  Tensor powers =
      writer.map("bhqk", {logits, most}, "%x = arith.subf %a, %b : f32\n%r = math.exp %x : f32\n");
  Tensor sum = writer.reduce("bhq", {powers}, "0.0", "%r = arith.addf %out, %a : f32\n");
  Tensor weights = writer.map("bhqk", {powers, sum}, "%r = arith.divf %a, %b : f32\n");
  Tensor kept = dropout ? writer.map("bhqk", {weights}, kDropout) : weights;
  Tensor out = writer.contract(g.letters, kept, v);
  // A loss makes the gradient depend on the result, so that it is computed in a loop of its own.
  if (draw(0, 3) > 0)
    g = writer.map(g.letters, {g, out}, "%r = arith.addf %a, %b : f32\n");
  Tensor dv = writer.contract(v.letters, kept, g);
  Tensor dkept = writer.contract("bhqk", g, v);
  Tensor dweights = dropout ? writer.map("bhqk", {dkept}, kDropout) : dkept;
  Tensor both = writer.map("bhqk", {dweights, weights}, "%r = arith.mulf %a, %b : f32\n");
  Tensor along = writer.reduce("bhq", {both}, "0.0", "%r = arith.addf %out, %a : f32\n");
  Tensor dlogits = writer.map("bhqk", {dweights, along, weights},
                              "%x = arith.subf %a, %b : f32\n%r = arith.mulf %x, %c : f32\n");
  Tensor dscores = writer.map(
      "bhqk", {dlogits},
      scale + later + "%x = arith.mulf %a, %s : f32\n" +
          (causal ? "%none = arith.constant 0.0 : f32\n%r = arith.select %later, %none, %x : f32\n"
                  : "%none = arith.constant 1.0 : f32\n%r = arith.mulf %x, %none : f32\n"));
  Tensor dq = writer.contract(q.letters, dscores, k), dk = writer.contract(k.letters, dscores, q);

  Case made;
  std::string signature, results, types, values;
  for (const Tensor &argument : arguments) {
    signature +=
        (signature.empty() ? "" : ", ") + argument.name + ": " + writer.type(argument.letters);
    made.arguments.push_back(writer.elements(argument.letters));
  }
  for (const Tensor &result : {out, dq, dk, dv}) {
    values += (values.empty() ? "" : ", ") + result.name;
    types += (types.empty() ? "" : ", ") + writer.type(result.letters);
    made.results.push_back(writer.elements(result.letters));
  }
  made.text = "func.func @step(" + signature + ") -> (" + types + ") {\n" + writer.text +
              "return " + values + " : " + types + "\n}\n";
  made.description = writer.type("bhqkd") + (causal ? " causal " + fill : "") +
                     (dropout ? " dropout" : "") + " bias " + bias + " " + q.letters + " " +
                     k.letters + " " + v.letters + " " + g.letters;
  return made;
}

using Results = std::vector<std::vector<float>>;

Results run(const Case &made, const std::string &form, const Results &arguments) {
  auto step = compileText("module attributes {ds.config = #ds.config<attention = " + form +
                          ">} {\n" + made.text + "}\n");
  if (!step)
    return {};
  auto instance = step->instantiate();
  for (auto [slot, values] : llvm::enumerate(arguments))
    set(*instance, slot, values);
  instance->run(nullptr);
  Results results;
  for (auto [slot, count] : llvm::enumerate(made.results))
    results.push_back(result(*instance, slot, count));
  return results;
}

TEST(Attention, BlocksComputeWhatIsWritten) {
  const char *asked = std::getenv("DS_ATTENTION_CASES");
  const int cases = asked ? std::atoi(asked) : 12;
  std::mt19937 random(7);
  for (int i = 0; i < cases; ++i) {
    Case made = makeCase(random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + made.description);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Results arguments;
    for (size_t count : made.arguments) {
      arguments.emplace_back(count);
      for (float &value : arguments.back())
        value = uniform(random);
    }
    if (arguments.size() > 4) // some keys are masked
      for (float &value : arguments[4])
        if (uniform(random) > 0.7f)
          value = -1e5f;
    Results plain = run(made, "plain", arguments), blocked = run(made, "blocked", arguments);
    ASSERT_EQ(plain.size(), blocked.size());
    for (auto [slot, expected] : llvm::enumerate(plain)) {
      float largest = 1e-6f, error = 0;
      for (auto [a, b] : llvm::zip_equal(expected, blocked[slot])) {
        ASSERT_EQ(std::isnan(a), std::isnan(b)) << "result " << slot;
        if (std::isnan(a))
          continue;
        largest = std::max(largest, std::abs(a));
        error = std::max(error, std::abs(a - b));
      }
      EXPECT_LE(error, 1e-5f * largest) << "result " << slot;
    }
  }
}

} // namespace

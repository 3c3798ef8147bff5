//===- GpuRowsTest.cpp - Rows that a block goes through ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ds-chain-rows against loops of a CPU. The tests' driver finds what one block reads of
// another one, and threads that do not meet between a write and a read.
//
//===----------------------------------------------------------------------===//
#include "GpuFixture.h"

#include <algorithm>

using namespace ds;

namespace {

class GpuRows : public Gpu {};

std::string tensor(std::initializer_list<int64_t> sizes) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

/// For each row the maximum, then a sum of each of its parts, then every element of both:
/// y[r, p, c] = x[r, p, c] - max[r] + sum[r, p].
std::string partsOfRows(int64_t rows, int64_t parts, int64_t columns) {
  std::string x = tensor({rows, parts, columns}), row = tensor({rows}),
              part = tensor({rows, parts});
  std::string text = R"(
#all = affine_map<(r, p, c) -> (r, p, c)>
#part = affine_map<(r, p, c) -> (r, p)>
#row = affine_map<(r, p, c) -> (r)>
func.func @step(%x: X) -> (X {ds.metric = "y"}) {
  %low = arith.constant -1.0e+30 : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : ROW
  %lows = linalg.fill ins(%low : f32) outs(%er : ROW) -> ROW
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : X) outs(%lows : ROW) {
  ^bb0(%a: f32, %m: f32):
    %r = arith.maximumf %m, %a : f32
    linalg.yield %r : f32
  } -> ROW
  %ep = tensor.empty() : PART
  %zeros = linalg.fill ins(%zero : f32) outs(%ep : PART) -> PART
  %sum = linalg.generic {indexing_maps = [#all, #row, #part], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %max : X, ROW) outs(%zeros : PART) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %d = arith.subf %a, %m : f32
    %r = arith.addf %s, %d : f32
    linalg.yield %r : f32
  } -> PART
  %ex = tensor.empty() : X
  %y = linalg.generic {indexing_maps = [#all, #row, #part, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max, %sum : X, ROW, PART) outs(%ex : X) {
  ^bb0(%a: f32, %m: f32, %s: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = arith.addf %d, %s : f32
    linalg.yield %r : f32
  } -> X
  return %y : X
})";
  for (auto [name, type] : {std::pair("ROW", row), {"PART", part}, {"X", x}})
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += type.size())
      text.replace(at, std::string(name).size(), type);
  return text;
}

// One thread for a sum, a warp, and a block, with one result in a row or two; as many rows as the
// blocks have, and fewer; elements one by one, and four.
TEST_F(GpuRows, are_those_of_a_cpu) {
  for (auto [rows, parts, columns] : {std::tuple(600, 1, 20),
                                      {37, 1, 33},
                                      {2115, 1, 40},
                                      {300, 2, 70},
                                      {301, 3, 16},
                                      {7, 1, 1500},
                                      {9, 2, 4100}}) {
    size_t count = rows * parts * columns;
    expectSame<float>(partsOfRows(rows, parts, columns), {integers<float>(count, 12)}, count);
  }
}

/// Reductions and elements of rows, each of what was made before it: values of all elements (0), of
/// a part of each row (1) and of each row (2). Between steps values are cut to [-4, 4], so that
/// sums are exact.
class RandomRows {
public:
  RandomRows(unsigned seed, int64_t rows, int64_t parts, int64_t columns)
      : random(seed), types{tensor({rows, parts, columns}), tensor({rows, parts}), tensor({rows})} {
  }

  std::string write() {
    text = "#m0 = affine_map<(r, p, c) -> (r, p, c)>\n#m1 = affine_map<(r, p, c) -> (r, p)>\n"
           "#m2 = affine_map<(r, p, c) -> (r)>\nfunc.func @step(%v0: " +
           types[0] + ") -> (" + types[0] +
           " {ds.metric = \"y\"}) {\n%low = arith.constant -4.0 : f32\n"
           "%high = arith.constant 4.0 : f32\n%zero = arith.constant 0.0 : f32\n";
    for (int i = 0; i < 7; ++i)
      add(random() % 3, {pick(), pick()});
    add(0, unread);
    return text + "return %v" + std::to_string(kinds.size() - 1) + " : " + types[0] + "\n}\n";
  }

private:
  size_t pick() { return random() % kinds.size(); }

  /// A value of a kind from others: loops that it has not are reduced.
  void add(unsigned kind, std::vector<size_t> from) {
    const std::string number = std::to_string(kinds.size());
    const bool isMaximum = random() % 2;
    std::string maps, operands, operandTypes, arguments, body, last = "%low";
    bool reducesAll = kind != 0;
    if (reducesAll) // something has to have the loops
      from.push_back(0);
    for (size_t i = 0; i < from.size(); ++i) {
      const std::string name = "%a" + std::to_string(i);
      unread.erase(std::remove(unread.begin(), unread.end(), from[i]), unread.end());
      maps += "#m" + std::to_string(kinds[from[i]]) + ", ";
      operands += (i ? ", %v" : "%v") + std::to_string(from[i]);
      operandTypes += (i ? ", " : "") + types[kinds[from[i]]];
      arguments += name + ": f32, ";
      const std::string joined = "%j" + std::to_string(i), cut = "%c" + std::to_string(i);
      body += joined + " = arith." + (i % 2 ? "subf " : "addf ") + last + ", " + name +
              " : f32\n%l" + std::to_string(i) + " = arith.maximumf " + joined + ", %low : f32\n" +
              cut + " = arith.minimumf %l" + std::to_string(i) + ", %high : f32\n";
      last = cut;
    }
    const char *const reduced = "\"reduction\"", *const parallel = "\"parallel\"";
    text += "%e" + number + " = tensor.empty() : " + types[kind] + "\n%f" + number +
            " = linalg.fill ins(" + (isMaximum ? "%low" : "%zero") + " : f32) outs(%e" + number +
            " : " + types[kind] + ") -> " + types[kind] + "\n%v" + number +
            " = linalg.generic {indexing_maps = [" + maps + "#m" + std::to_string(kind) +
            "], iterator_types = [" + parallel + ", " + (kind > 1 ? reduced : parallel) + ", " +
            (kind > 0 ? reduced : parallel) + "]} ins(" + operands + " : " + operandTypes +
            ") outs(%f" + number + " : " + types[kind] + ") {\n^bb0(" + arguments +
            "%acc: f32):\n" + body;
    if (reducesAll) {
      text += std::string("%r = arith.") + (isMaximum ? "maximumf" : "addf") + " %acc, " + last +
              " : f32\n";
      last = "%r";
    }
    text += "linalg.yield " + last + " : f32\n} -> " + types[kind] + "\n";
    unread.push_back(kinds.size());
    kinds.push_back(kind);
  }

  std::mt19937 random;
  const std::string types[3];
  std::string text;
  std::vector<unsigned> kinds = {0};
  std::vector<size_t> unread;
};

TEST_F(GpuRows, of_any_parts_are_those_of_a_cpu) {
  const std::tuple<int64_t, int64_t, int64_t> sizes[] = {
      {37, 3, 33}, {300, 1, 70}, {601, 2, 16}, {264, 2, 64}};
  for (unsigned seed = 1; seed <= 12; ++seed) {
    auto [rows, parts, columns] = sizes[seed % 4];
    const size_t count = rows * parts * columns;
    expectSame<float>(RandomRows(seed, rows, parts, columns).write(),
                      {integers<float>(count, seed)}, count);
  }
}

} // namespace

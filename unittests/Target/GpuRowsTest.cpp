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

using namespace ds;

namespace {

class GpuRows : public Gpu {};

/// For each row the maximum, then a sum of each of its parts, then every element of both:
/// y[r, p, c] = x[r, p, c] - max[r] + sum[r, p].
std::string partsOfRows(int64_t rows, int64_t parts, int64_t columns) {
  auto tensor = [](std::initializer_list<int64_t> sizes) {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += std::to_string(size) + "x";
    return text + "f32>";
  };
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

} // namespace

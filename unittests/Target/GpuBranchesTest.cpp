//===- GpuBranchesTest.cpp - Branches that a step decides -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuFixture.h"

using namespace ds;

namespace {

class GpuBranches : public Gpu {};

// Both ways of a branch are launched, and one of them does nothing: kernels, a product, a scalar
// that is handed on, a branch in a branch, in each round of a loop.
TEST_F(GpuBranches, go_the_way_of_a_cpu) {
  std::string text = R"(
#m = affine_map<(i, j) -> (i, j)>
func.func @step(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: tensor<f32>) -> (tensor<8x8xf32> {ds.metric = "r"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %last = scf.for %round = %c0 to %c3 step %c1 iter_args(%old = %x) -> tensor<8x8xf32> {
    %v = tensor.extract %n[] : tensor<f32>
    %isNegative = arith.cmpf olt, %v, %zero : f32
    %r, %s = scf.if %isNegative -> (tensor<8x8xf32>, f32) {
      %start = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %p = linalg.matmul ins(%old, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
      %first = tensor.extract %p[%c0, %round] : tensor<8x8xf32>
      scf.yield %p, %first : tensor<8x8xf32>, f32
    } else {
      %i = arith.fptosi %v : f32 to i32
      %k = arith.index_cast %i : i32 to index
      %chosen = scf.index_switch %k -> tensor<8x8xf32>
      case 1 {
        %sums = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%old, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %t = arith.addf %a, %b : f32
          linalg.yield %t : f32
        } -> tensor<8x8xf32>
        scf.yield %sums : tensor<8x8xf32>
      }
      case 2 {
        scf.yield %w : tensor<8x8xf32>
      }
      default {
        %start = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
        %q = linalg.matmul ins(%w, %old : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
        scf.yield %q : tensor<8x8xf32>
      }
      scf.yield %chosen, %v : tensor<8x8xf32>, f32
    }
    %new = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.subf %a, %s : f32
      linalg.yield %t : f32
    } -> tensor<8x8xf32>
    scf.yield %new : tensor<8x8xf32>
  }
  return %last : tensor<8x8xf32>
})";
  for (float way : {-1.0f, 0.0f, 1.0f, 2.0f, 7.0f})
    expectSame<float>(text, {integers<float>(64, 13), integers<float>(64, 14), {way}}, 64);
}

} // namespace

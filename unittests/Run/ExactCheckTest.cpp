//===- ExactCheckTest.cpp - a wrong program is told from a right one ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks and one device are compiled from two texts that differ in a factor by one unit in the last
// place, as a mistake of the compiler would: in floats less than every tolerance.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Exact/Certify.h"

#include "ds/Run/Program/Program.h"

#include "TestSupport.h"

#include <gtest/gtest.h>

namespace ds {
namespace {

constexpr const char *stepText = R"(
func.func @step(%w: tensor<4xf32> {ds.param = "w"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "w"}) {
  %rate = arith.constant RATE : f32
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %g = linalg.reduce ins(%x : tensor<8x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
      (%a: f32, %sum: f32) {
        %t = math.tanh %a : f32
        %n = arith.addf %t, %sum : f32
        linalg.yield %n : f32
      }
  %new = linalg.map ins(%w, %g : tensor<4xf32>, tensor<4xf32>) outs(%w : tensor<4xf32>)
      (%a: f32, %b: f32, %init: f32) {
        %d = arith.mulf %b, %rate : f32
        %n = arith.subf %a, %d : f32
        linalg.yield %n : f32
      }
  return %new : tensor<4xf32>
})";

class ExactChecks : public TemporaryDirectory {
protected:
  std::unique_ptr<Program> load(const std::string &rate) {
    std::string text = stepText;
    text.replace(text.find("RATE"), 4, rate);
    return llvm::cantFail(Program::load(write("step.mlir", text), "", {"batch=global"}));
  }
  Equivalence compare(const std::string &ofRanks, const std::string &alone) {
    auto ranks = load(ofRanks), oneDevice = load(alone);
    return llvm::cantFail(compareExactly(*ranks, *oneDevice, 2, {})).found;
  }
};

TEST_F(ExactChecks, TheSameStepIsEqual) {
  Equivalence found = compare("0.1", "0.1");
  EXPECT_EQ(found.verdict, Equivalence::Verdict::equal);
  // w on each of two ranks after each of two steps, modulo two primes.
  EXPECT_EQ(found.elements, 4 * 2 * 2 * 2);
}

TEST_F(ExactChecks, AFactorThatIsOffByOneUnitIsFound) {
  Equivalence found = compare("0.100000009", "0.1");
  EXPECT_EQ(found.verdict, Equivalence::Verdict::different);
  EXPECT_EQ(llvm::toString(toError(found)),
            "the ranks do not compute what one device does: 'w' differs from one device after step "
            "1 on rank 0 of 2, in 4 of 4 elements, over integers modulo 2147483647");
}

} // namespace
} // namespace ds

//===- DiagnosisTest.cpp - An error that only the ranks make ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of `b` is a sum of deviations from the mean, so zero but for rounding, and its
// update is the gradient's sign. Ranks and one device are compiled from two texts that differ in
// an error planted into that gradient, as a mistake of the compiler would. `b` itself cannot show
// it, and nothing else is recorded.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program.h"
#include "ds/Run/Replay.h"

#include "TestSupport.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace ds {
namespace {

constexpr const char *stepText = R"(
#rows = affine_map<(j, i) -> (i, j)>
#columns = affine_map<(j, i) -> (j)>
#id = affine_map<(i) -> (i)>
func.func @step(%b: tensor<4xf32> {ds.param = "b"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<4xf32> {ds.updates = "b"}) {
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant 0.125 : f32
  %error = arith.constant ERROR : f32
  %tiny = arith.constant 1.0e-20 : f32
  %rate = arith.constant 0.01 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %mean = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4xf32>) outs(%start : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %part = arith.mulf %a, %eighth : f32
      %s = arith.addf %acc, %part : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  %gradient = linalg.generic {indexing_maps = [#rows, #columns, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %mean : tensor<8x4xf32>, tensor<4xf32>) outs(%start : tensor<4xf32>) {
    ^bb0(%a: f32, %m: f32, %acc: f32):
      %d = arith.subf %a, %m : f32
      %e = arith.addf %d, %error : f32
      %s = arith.addf %acc, %e : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%b, %gradient : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%old: f32, %g: f32, %out: f32):
      %size = math.absf %g : f32
      %divisor = arith.addf %size, %tiny : f32
      %sign = arith.divf %g, %divisor : f32
      %by = arith.mulf %rate, %sign : f32
      %w = arith.subf %old, %by : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  return %new : tensor<4xf32>
})";

/// Keeps everything that is said.
struct Listener final : Sink {
  explicit Listener(std::string &text) : text(text) {}
  bool write(std::string line, Need) override {
    text += line;
    return true;
  }
  bool isBehind() const override { return false; }
  std::string &text;
};

class DiagnosisTest : public TemporaryDirectory {
protected:
  std::unique_ptr<Program> load(const std::string &name, const std::string &error) {
    std::string text = stepText;
    text.replace(text.find("ERROR"), 5, error);
    return llvm::cantFail(Program::load(write(name, text), "", {"batch=global"}));
  }

  /// Replays one step on two ranks that have the error, against the step that has none.
  bool replayWith(const std::string &error) {
    auto ranks = load("ranks.mlir", error), reference = load("reference.mlir", "0.0");
    auto step = llvm::cantFail(ranks->compile(2));
    auto world = llvm::cantFail(World::create(2, "local", {}));
    Metrics metrics(step->manifest(), 2, false);
    std::vector<float> x;
    for (int i = 0; i < 32; ++i)
      x.push_back(std::sin(1.0f + i * i));
    std::vector<RecordedStep> recording(1);
    recording[0].arguments = {{0, arrayOf<float>(DataType::f32, {4}, {0, 0, 0, 0})},
                              {1, arrayOf(DataType::f32, {8, 4}, x)}};
    // The signs that another program's rounding had.
    recording[0].results = {
        {0, arrayOf<float>(DataType::f32, {4}, {0.01f, -0.01f, 0.01f, -0.01f})}};
    Diagnosis diagnosis([&] { return ranks->compileGradients(2); },
                        [&] { return reference->compilePerturbed(2); }, 2, {});
    Listener listener(said);
    Report report(listener, ReportStyle::lines);
    return llvm::cantFail(replay({*world, *step, recording, metrics, report, diagnosis, {}, ""}));
  }

  std::string said;
};

TEST_F(DiagnosisTest, RoundingAloneIsNoDifference) {
  EXPECT_TRUE(replayWith("0.0")) << said;
  EXPECT_NE(said.find(": equal within its conditioning: "), std::string::npos) << said;
}

TEST_F(DiagnosisTest, AnErrorOfTheRanksIsSeenInTheGradient) {
  EXPECT_FALSE(replayWith("1.0e-5")) << said;
  EXPECT_NE(said.find(": DIFFERENT, from the gradient of 'b' of step 1 on: "), std::string::npos)
      << said;
  EXPECT_EQ(said.find("'b' is "), std::string::npos) << said;
}

} // namespace
} // namespace ds

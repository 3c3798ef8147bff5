//===- StepPlan.h - The choices of a step -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_STEPPLAN_H
#define DS_LIB_FUZZ_STEPPLAN_H

#include "Generator.h"
#include "Optimizer.h"
#include "ds/Dialect/IR/Config.h"

#include <set>

namespace ds::fuzz {

struct StepPlan {
  StepPlan(mlir::MLIRContext &context, uint64_t seed, Random &random,
           const GeneratorOptions &options);

  Model model;
  Shape input; // dimension 0 is the batch
  LossChoice loss;
  OptimizerChoice optimizer;
  Config config;
  std::set<std::string> frozen;
  std::string variant;
  int64_t numRanks, rows, microbatches = 1;
  bool loop = false, neighbours = false; // how microbatches are run and chosen
  bool batchSecond = false, tiedOutput = false;
  bool similarity = false; // samples are compared with all others
  bool ordered = false;    // samples are mixed with those that an argument names
  bool reportSamples = false, reportLargest = false, reportPenalty = false;
  bool reportMeanSquare = false, reportSlope = false;
  bool skipsByLoss = false; // a step of too large a loss changes no parameter
  bool earlyDecay = false;  // weight decay enters between the gradients of two microbatches

  bool usesLabels() const {
    return loss.kind == Loss::crossEntropy || loss.kind == Loss::validCrossEntropy;
  }
  std::string summary() const;

private:
  void pickTypes(mlir::MLIRContext &context, Random &random);
  void pickNetwork(uint64_t seed, Random &random);
  void pickBatch(uint64_t seed, Random &random, const GeneratorOptions &options);
  void pickConfig(Random &random);
  void pickOverlap(Random random);
};

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_STEPPLAN_H

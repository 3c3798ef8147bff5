//===- Optimizer.h - What happens to a gradient -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything behind the gradients: decay, scaling, clipping, moments, schedules, averages. The
// formulas are damped (large epsilons, ratios bounded away from zero), so that a rounding error of
// a gradient stays one of the parameter.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_OPTIMIZER_H
#define DS_FUZZ_OPTIMIZER_H

#include "Model.h"

namespace ds::fuzz {

enum class Rule { descent, momentum, adam, trustRatio, factored };
enum class Clip { none, norm, value };
enum class Guard { none, select, branch };

struct OptimizerChoice {
  Rule rule;
  Clip clip;
  Guard guard; // skip the step where a gradient is too large, and halve the loss scale
  bool decayLoss, decayStep, average, schedule;
  bool remember; // the parameters before the step, and a copy of those behind it
};

OptimizerChoice pickOptimizer(const Model &model, Random &random);
/// Declares the states that `choice` needs for the model's parameters.
void planOptimizer(Model &model, const OptimizerChoice &choice);
/// The factor that the loss is multiplied by; null if there is none.
mlir::Value lossScale(Build &build, const OptimizerChoice &choice);
/// New parameters and states from gradients, which are those of the scaled loss.
struct Update {
  std::map<std::string, mlir::Value> parameters;
  mlir::Value gradientNorm; // null unless something computed it
};
Update applyOptimizer(Build &build, const Model &model, const OptimizerChoice &choice,
                      const std::map<std::string, mlir::Value> &gradients, mlir::Value rate);

} // namespace ds::fuzz

#endif // DS_FUZZ_OPTIMIZER_H

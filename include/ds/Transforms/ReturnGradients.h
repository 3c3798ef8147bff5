//===- ReturnGradients.h - A step that shows its gradients ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimizer may hide what is wrong with a gradient, or make much of what is not. To look at the
// gradients themselves, a step returns them behind its own results.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_RETURNGRADIENTS_H
#define DS_TRANSFORMS_RETURNGRADIENTS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

/// What the results of a step that returns its gradients are. The first `ownResults` are the
/// step's.
struct ReturnedGradients {
  unsigned ownResults = 0;
  /// Results, the gradients among them, in the order in which their values become ready.
  std::vector<unsigned> readiness;
  /// The parameters of each result's gradient: of a gradient its own; of a parameter or a state
  /// that is computed from a gradient, those of the nearest one. As a result number.
  std::vector<std::optional<unsigned>> gradientOf;
  /// By number of the gradient (from 0): its parameters, "a, b" where they share it.
  std::vector<std::string> parameters;
};

/// Rewrites the step of `module`, whose arguments have their roles, in place: every value that
/// ranks combine as the gradient of a parameter is marked, pinned, and returned whole. Gradients
/// inside of control flow stay there.
mlir::FailureOr<ReturnedGradients> returnGradients(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace ds

#endif // DS_TRANSFORMS_RETURNGRADIENTS_H

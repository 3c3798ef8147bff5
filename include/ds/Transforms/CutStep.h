//===- CutStep.h - Cut a step in two at its gradients -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_CUTSTEP_H
#define DS_TRANSFORMS_CUTSTEP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace ds {

/// The parts of a step with gradient annotations, each for one device.
struct CutStep {
  /// Samples, parameters and states -> metrics, results of samples, and gradients, called
  /// `gradient.0`, `gradient.1`, ..
  mlir::OwningOpRef<mlir::ModuleOp> gradients;
  /// Gradients and the parameters and states of a shard -> their new values. A state that depends
  /// on no gradient, such as a count of updates, is in each shard that reads it.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> updates;
};

/// Cuts the step at its gradient annotations, for update = asynchronous. Values that are updated
/// together are in one shard; there are at most `numShards`, of about equal bytes. Emits a located
/// error and fails if the step does not allow it.
mlir::FailureOr<CutStep> cutAtGradients(mlir::ModuleOp marked, llvm::StringRef entry,
                                        int64_t numShards);

} // namespace ds

#endif // DS_TRANSFORMS_CUTSTEP_H

//===- CutStep.h - A step in two at its gradients ---------------*- C++ -*-===//
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

/// The parts of a step whose gradients are marked, for one device each.
struct CutStep {
  /// Samples, parameters and states -> metrics, results of samples, and gradients, called
  /// `gradient.0`, `gradient.1`, ..
  mlir::OwningOpRef<mlir::ModuleOp> gradients;
  /// Gradients and the parameters and states of a shard -> their new values. A state that changes
  /// by itself, as a count of updates does, is in each shard that reads it.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> updates;
};

/// Cuts the step at its marks, for update = asynchronous. What is updated together is in one shard;
/// there are `numShards` at most, with about equal bytes. Emits a located error and fails where
/// the step does not allow it.
mlir::FailureOr<CutStep> cutAtGradients(mlir::ModuleOp marked, llvm::StringRef entry,
                                        int64_t numShards);

} // namespace ds

#endif // DS_TRANSFORMS_CUTSTEP_H

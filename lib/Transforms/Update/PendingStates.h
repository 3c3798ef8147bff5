//===- PendingStates.h - States that an update mode adds --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the states of an update mode to a step, which start as zeros, and refuses steps with states
// that the mode does not allow.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UPDATE_PENDINGSTATES_H
#define DS_TRANSFORMS_UPDATE_PENDINGSTATES_H

#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ds {

/// Adds a state as the last argument, with a new value that the caller sets later.
mlir::BlockArgument addState(mlir::func::FuncOp step, const llvm::Twine &name,
                             mlir::RankedTensorType type, bool perRank);

/// Returns `value` as the new value of the state.
void setNewValue(mlir::func::FuncOp step, mlir::BlockArgument state, mlir::Value value);

/// Returns the type on one rank of a tensor with an entry of `type` per rank: 1 x type.
mlir::RankedTensorType entryType(mlir::Type type);

/// Converts a rank's entry to its value, and a value to an entry.
mlir::Value readEntry(mlir::OpBuilder &b, mlir::Value entry);
mlir::Value makeEntry(mlir::OpBuilder &b, mlir::Value value);

/// The number of steps before this one and including it: a state called `update.step`, which each
/// step increments.
struct StepCount {
  mlir::Value before, now; // i64
};
StepCount countSteps(mlir::func::FuncOp step, mlir::OpBuilder &b);

/// Returns the step's gradient annotations, one per value. Refuses an annotation inside of control
/// flow: "`what` a gradient that is marked inside of control flow".
llvm::FailureOr<llvm::SmallVector<GradientOp>> collectGradients(mlir::func::FuncOp step,
                                                                llvm::StringRef what);

/// Refuses a state that gradients depend on and that their update changes, as a loss scale: under
/// `mode` a gradient would be applied with another value of that state.
llvm::LogicalResult checkStatesOfGradients(const StepFlow &flow, llvm::ArrayRef<GradientOp> marks,
                                           llvm::StringRef mode);

/// Returns an i64 constant.
mlir::Value integerConstant(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// Returns a tensor of the type of the first of `tensors`, which have equal shapes, computed
/// element by element.
using ElementsBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange elements)>;
mlir::Value zipElements(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange tensors,
                        ElementsBody body);

} // namespace ds

#endif // DS_TRANSFORMS_UPDATE_PENDINGSTATES_H

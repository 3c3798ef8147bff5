//===- PendingStates.h - What is pending from step to step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States that an update mode adds to a step, which start as zeros, and those that it refuses.
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

/// Adds a state behind the other arguments, and its new value, which the caller gives later.
mlir::BlockArgument addState(mlir::func::FuncOp step, const llvm::Twine &name,
                             mlir::RankedTensorType type, bool perRank);

/// Returns `value` as the new value of the state.
void setNewValue(mlir::func::FuncOp step, mlir::BlockArgument state, mlir::Value value);

/// The type of what all ranks have of `type`, on one of them: 1 x type.
mlir::RankedTensorType entryType(mlir::Type type);

/// The value of a rank's entry, and the entry of a value.
mlir::Value readEntry(mlir::OpBuilder &b, mlir::Value entry);
mlir::Value makeEntry(mlir::OpBuilder &b, mlir::Value value);

/// Steps taken before this one: a state called `update.step`, which is one more behind it.
struct StepCount {
  mlir::Value before, now; // i64
};
StepCount countSteps(mlir::func::FuncOp step, mlir::OpBuilder &b);

/// The step's gradients, but those of values that are marked already. One that is marked inside of
/// control flow is refused: "`what` a gradient that is marked inside of control flow".
llvm::FailureOr<llvm::SmallVector<GradientOp>> collectGradients(mlir::func::FuncOp step,
                                                                llvm::StringRef what);

/// Refuses a state that gradients are made with and that changes their update, as a loss scale
/// does: `mode` lets a gradient meet another value of it.
llvm::LogicalResult checkStatesOfGradients(const StepFlow &flow, llvm::ArrayRef<GradientOp> marks,
                                           llvm::StringRef mode);

/// Constants of a scalar type.
mlir::Value integerConstant(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// A tensor like the first of `tensors`, of equal shapes and types, element by element.
using ElementsBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange elements)>;
mlir::Value zipElements(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange tensors,
                        ElementsBody body);

} // namespace ds

#endif // DS_TRANSFORMS_UPDATE_PENDINGSTATES_H

//===- LoopRule.h - An operation as loops over its operands -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contraction, a broadcast or a reduction of another dialect says of itself: which loop runs
// over which dimension. Placement, demand and addends that count once follow from it. What one
// round of the loops computes of the elements is the operation's `ds::ScalarRuleOpInterface`; one
// without is linear in nothing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_LOOPRULE_H
#define DS_ANALYSIS_LOOPRULE_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"

namespace ds {

struct LoopRule {
  llvm::SmallVector<mlir::utils::IteratorType, 4> loops;
  /// From the loops to a position in each operand and each result.
  llvm::SmallVector<mlir::AffineMap, 4> operands;
  llvm::SmallVector<mlir::AffineMap, 1> results;
  /// How the rounds of the loops that are reductions come together.
  ReductionKind combiner = ReductionKind::Sum;

  /// The loops that some result does not run over are reductions.
  static LoopRule of(llvm::ArrayRef<mlir::AffineMap> operands,
                     llvm::ArrayRef<mlir::AffineMap> results,
                     ReductionKind combiner = ReductionKind::Sum);
};

} // namespace ds

#endif // DS_ANALYSIS_LOOPRULE_H

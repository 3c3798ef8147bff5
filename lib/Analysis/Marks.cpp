//===- Marks.cpp - Annotations where ranks reduce -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations are between operations, never in the bodies of linalg operations;
// `ds.replicated_to_partial` may be in both.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Marks.h"

#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"

using namespace mlir;

namespace ds {

bool isMark(Operation *op) { return isa<GradientOp, CombineOp>(op); }

bool hasMarks(func::FuncOp step) {
  return walkOutsideBodies(step,
                           [](Operation *op) {
                             return isMark(op) ? WalkResult::interrupt() : WalkResult::advance();
                           })
      .wasInterrupted();
}

bool holdsOnce(Operation *op) {
  return op->walk([](ReplicatedToPartialOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace ds

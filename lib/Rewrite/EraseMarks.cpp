//===- EraseMarks.cpp - A step without annotations ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/EraseMarks.h"

#include "ds/Analysis/Marks.h"
#include "ds/Analysis/StepFlow.h"

using namespace mlir;

namespace ds {

void eraseMarks(Operation *root) {
  SmallVector<Operation *> marks;
  walkOutsideBodies(root, [&](Operation *op) {
    if (isMark(op))
      marks.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *mark : marks) {
    mark->getResult(0).replaceAllUsesWith(mark->getOperand(0));
    mark->erase();
  }
}

} // namespace ds

//===- FieldWork.cpp - The work of a step over a field --------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products over a field are loops, so the number of scalar operations in bodies estimates the time
// of a step.
//
//===----------------------------------------------------------------------===//
#include "FieldWork.h"

#include "ds/Analysis/StepFlow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ds {

static double ofBody(Block &block) {
  double work = 0;
  for (Operation &op : block) {
    double inside = 0;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        inside += ofBody(nested);
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<APInt> rounds = loop ? loop.getStaticTripCount() : std::nullopt;
    work += 1 + inside * (rounds ? rounds->getZExtValue() : 1);
  }
  return work;
}

double countFieldWork(ModuleOp module) {
  double work = 0;
  module.walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    StepFlow flow(function);
    for (Operation *op : flow.operations()) {
      if (op->getNumResults() == 0)
        continue;
      double times = flow.tripCount(op->getResult(0));
      if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
        double points = 1;
        for (int64_t range : loops.getStaticLoopRanges())
          points *= std::max<int64_t>(range, 1);
        work += times * points * ofBody(*loops.getBlock());
      } else if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
                 type && type.hasStaticShape()) {
        work += times * type.getNumElements();
      }
    }
  });
  return work;
}

} // namespace ds

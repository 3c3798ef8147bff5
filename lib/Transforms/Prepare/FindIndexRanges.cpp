//===- FindIndexRanges.cpp - Annotate ranges of index data ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before the step is sharded, since a rank then holds only a part of an indexed dimension.
//
//===----------------------------------------------------------------------===//
#include "ds/Transforms/Passes.h"

#include "ds/Analysis/IndexRanges.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Dialect/IR/Ds.h" // IWYU pragma: keep (generated code names the dialect)
#include "ds/Dialect/IR/Roles.h"

namespace ds {
#define GEN_PASS_DEF_FINDINDEXRANGESPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace ds {
namespace {

struct FindIndexRanges final : impl::FindIndexRangesPassBase<FindIndexRanges> {
  using FindIndexRangesPassBase::FindIndexRangesPassBase;

  void runOnOperation() override {
    func::FuncOp step = getStep(getOperation(), entry);
    if (!step)
      return signalPassFailure();
    for (const auto &[data, range] : findIndexRanges(step)) {
      if (step.getArgAttr(data.getArgNumber(), role::indexRange))
        continue;
      SmallVector<int64_t> numbers = {range.low, range.high};
      llvm::append_range(numbers, range.others);
      step.setArgAttr(data.getArgNumber(), role::indexRange,
                      DenseI64ArrayAttr::get(&getContext(), numbers));
    }
  }
};

} // namespace
} // namespace ds

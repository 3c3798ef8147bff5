//===- GatherRows.cpp - A sum of single rows is an all-gather -*- C++ -*---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank's addend is zero in the rows of all other ranks, so every row of the sum comes from one
// rank.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace ds {
#define GEN_PASS_DEF_GATHERROWSPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// Returns this rank's row if all other rows of the tensor of `numRanks` rows are zero; else null.
static Value getOwnRow(Value value, int64_t numRanks) {
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !(matchPattern(insert.getDest(), m_AnyZeroFloat()) ||
                   matchPattern(insert.getDest(), m_Zero())))
    return nullptr;
  auto type = cast<RankedTensorType>(insert.getType());
  RankedTensorType row = insert.getSourceType();
  auto rank = dyn_cast_or_null<Value>(insert.getMixedOffsets().front());
  auto isZero = [](OpFoldResult offset) { return isZeroInteger(offset); };
  bool isWholeRow = row.getRank() == type.getRank() && row.getDimSize(0) == 1 &&
                    row.getShape().drop_front() == type.getShape().drop_front() &&
                    llvm::all_of(llvm::drop_begin(insert.getMixedOffsets()), isZero);
  auto number = rank ? rank.getDefiningOp<RankOp>() : RankOp();
  bool isOfAll = number && !number->getAttr("group") && type.getDimSize(0) == numRanks;
  return isWholeRow && isOfAll && insert.hasUnitStride() ? insert.getSource() : Value();
}

namespace {

struct GatherRows final : ds::impl::GatherRowsPassBase<GatherRows> {
  using GatherRowsPassBase::GatherRowsPassBase;

  void runOnOperation() final {
    for (auto step : getOperation().getOps<FunctionOpInterface>())
      for (AllReduceOp reduce : collectUnits<AllReduceOp>(step))
        gather(reduce);
  }

private:
  static void gather(AllReduceOp reduce) {
    std::optional<int64_t> ranks = getGroupSize(reduce, reduce.getGroupAttr());
    if (reduce.getKind() != ReductionKind::Sum || reduce.getGroupAttr() || !ranks ||
        reduce->getNumResults() == 0)
      return;
    OpBuilder b(reduce);
    SmallVector<Value> rows, outs;
    for (Value value : reduce.getInputs()) {
      rows.push_back(getOwnRow(value, *ranks));
      if (!rows.back())
        return;
      auto type = cast<RankedTensorType>(value.getType());
      outs.push_back(
          tensor::EmptyOp::create(b, reduce.getLoc(), type.getShape(), type.getElementType()));
    }
    auto all = AllGatherOp::create(b, reduce.getLoc(), reduce.getResultTypes(), rows, outs,
                                   /*dim=*/int64_t(0), /*group=*/Attribute(),
                                   reduce.getFusionAttr(), reduce.getPurpose(), reduce.getNames());
    reduce.replaceAllUsesWith(all.getResults());
    reduce.erase();
  }
};

} // namespace

//===- Tables.cpp - Rows of a sharded table, read by their owners ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body reads a table at a position that data gives, and an axis shards the table along that
// dimension. Every rank runs all rounds: it reads the rows that it owns and takes zero for the
// others, so the results are partial sums. This is done where summing the results moves less than
// gathering the table.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "ds/Analysis/Rules/Localizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {

static bool isSummed(Type element) {
  return isa<FloatType>(element) || (element.isInteger() && element.getIntOrFloatBitWidth() >= 8);
}

/// Returns the sharded operands, if all of them are tables that are read at positions from data.
/// `sums` are the partial operands, to which the rows are added.
static SmallVector<OpOperand *> findTables(const LinalgLoops &loops, PlacementRule &placement,
                                           SmallVectorImpl<OpOperand *> &sums) {
  SmallVector<OpOperand *> tables;
  for (OpOperand *operand : placement.reads()) {
    Placement at = placement.operand(*operand);
    if (at.isReplicated())
      continue;
    if (at == Placement::partial(ReductionKind::Sum)) {
      sums.push_back(operand);
      continue;
    }
    auto extract = dyn_cast<tensor::ExtractOp>(operand->getOwner());
    if (!at.isSharded() || !extract || operand->getOperandNumber() != 0 ||
        !isSummed(extract.getType()) || loops.findLoopOfCapture(*operand, at.sharding.dim))
      return {};
    tables.push_back(operand);
  }
  return tables;
}

bool LinalgLoops::placeByOwner(PlacementRule &placement) const {
  // In the batch, other ranks' rows are gathered, as the step declares.
  if (placement.ranks().dividesBatch)
    return false;
  SmallVector<OpOperand *> sums, tables = findTables(*this, placement, sums);
  if (tables.empty())
    return false;
  auto kindsWith = [&](ArrayRef<OpOperand *> partial) {
    LinalgBodyKinds body(linalgOp, placement.reads(), [&](OpOperand &operand) {
      return llvm::is_contained(tables, &operand) || llvm::is_contained(partial, &operand)
                 ? Linearity::Linear
             : placement.operand(operand).zero ? Linearity::Zero
                                               : Linearity::Replicated;
    });
    return body.results();
  };
  SmallVector<Linearity> kinds = kindsWith(sums), ofTables = kindsWith({});
  int64_t gathered = 0, summed = 0;
  llvm::SmallDenseSet<Value> seen;
  for (OpOperand *table : tables)
    if (seen.insert(table->get()).second)
      gathered += getStoredBytes(table->get());
  for (auto [result, kind] : llvm::zip(linalgOp->getResults(), kinds)) {
    if (kind == Linearity::NonLinear ||
        (kind == Linearity::Linear && !isSummed(getElementTypeOrSelf(result))))
      return false;
    if (kind == Linearity::Linear)
      summed += 2 * getStoredBytes(result);
  }
  if (summed >= gathered)
    return false;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    Placement at;
    at.zero = kind == Linearity::Zero;
    placement.setResult(i, at);
    if (kind != Linearity::Linear)
      continue;
    if (ofTables[i] == Linearity::Linear)
      placement.makePartial(i, ReductionKind::Sum);
    else
      placement.setResult(i, Placement::partial(ReductionKind::Sum));
    for (OpOperand *sum : sums)
      placement.keep(*sum, i);
  }
  return true;
}

void readOwnRows(tensor::ExtractOp extract, const Sharding &sharding, const Localizer &localizer) {
  Location loc = extract.getLoc();
  OpBuilder b(extract);
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  // The dimension is [a, n, b], with the rank in the middle.
  OpOperand &index = extract.getIndicesMutable()[sharding.dim];
  Value minor = constant(sharding.b), ranks = constant(localizer.numRanks());
  Value block = arith::DivUIOp::create(b, loc, index.get(), minor);
  Value within = arith::RemUIOp::create(b, loc, index.get(), minor);
  Value owner = arith::RemUIOp::create(b, loc, block, ranks);
  Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, owner, localizer.rank());
  Value major = arith::DivUIOp::create(b, loc, block, ranks);
  index.set(arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, major, minor), within));
  b.setInsertionPointAfter(extract);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(extract.getType()));
  auto row = arith::SelectOp::create(b, loc, isOwn, extract.getResult(), zero);
  extract.getResult().replaceAllUsesExcept(row, row);
}

} // namespace ds

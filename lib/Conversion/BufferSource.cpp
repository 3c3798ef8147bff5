//===- BufferSource.cpp - What a copied buffer was made from ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tensor.pad and insert_slice into zeros become a zero fill and a copy into a subview; a reversal
// becomes a copy with negative coefficients. A buffer whose only writers are these, in one block
// and before the user, is a view of what was copied, provided that nothing writes the original in
// between. One scan of the block per question.
//
//===----------------------------------------------------------------------===//
#include "BufferSource.h"
#include "Buffers.h"
#include "ds/Conversion/Contraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace {

/// All operations that use the memory of an allocation, through views.
void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (ds::isView(user))
      collectUsers(user->getResult(0), users);
    else
      users.push_back(user);
  }
}

bool isWriter(Operation *op, Value root) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return !isa<memref::LoadOp>(op); // whatever it is, it may write
  return llvm::any_of(generic.getDpsInits(), [&](Value init) { return ds::rootOf(init) == root; });
}

/// True if no operation between the two, in their block, may write the memory of `root`.
bool isUnchanged(Value root, Operation *from, Operation *to) {
  SmallVector<Operation *> users;
  collectUsers(root, users);
  for (Operation *user : users) {
    Operation *inBlock = to->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock)
      return false;
    if (isWriter(user, root) && from->isBeforeInBlock(inBlock) && inBlock->isBeforeInBlock(to))
      return false;
  }
  return true;
}

/// A copy with one input: yields it unchanged.
bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() && llvm::hasSingleElement(*op.getBody()) &&
         op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0) &&
         isa<MemRefType>(op.getDpsInputs()[0].getType());
}

/// d or size - 1 - d in dimension d of `map`: step and low of each dimension.
bool readReversal(AffineMap map, ArrayRef<int64_t> shape, ds::BufferSource &source) {
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    SmallVector<int64_t> zero(map.getNumDims(), 0), one(map.getNumDims(), 0);
    if (!expr.isFunctionOfDim(d) && !isa<AffineConstantExpr>(expr))
      return false;
    one[d] = 1;
    int64_t low = map.compose(zero)[d], step = map.compose(one)[d] - low;
    for (unsigned other = 0; other < map.getNumDims(); ++other)
      if (other != d && expr.isFunctionOfDim(other))
        return false;
    if (!(low == 0 && step == 1) && !(low == shape[d] - 1 && step == -1) && shape[d] != 1)
      return false;
    source.low.push_back(low);
    source.step.push_back(shape[d] == 1 ? 1 : step);
  }
  return true;
}

/// One copy behind `buffer`; null base if there is none.
ds::BufferSource findDirectSource(Value buffer, Operation *user) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != user->getBlock())
    return {};
  SmallVector<Operation *> users;
  collectUsers(buffer, users);
  Operation *fill = nullptr;
  linalg::GenericOp copy;
  for (Operation *op : users) {
    if (!isWriter(op, buffer))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (op->getBlock() != user->getBlock() || !op->isBeforeInBlock(user))
      return {};
    if (ds::isZeroFill(op) && !fill)
      fill = op;
    else if (generic && isCopy(generic) && !copy && ds::rootOf(generic.getDpsInputs()[0]) != buffer)
      copy = generic;
    else
      return {};
  }
  if (!copy || (fill && (!fill->isBeforeInBlock(copy) ||
                         cast<linalg::LinalgOp>(fill).getDpsInits()[0] != buffer)))
    return {};
  Value base = copy.getDpsInputs()[0], written = copy.getDpsInits()[0];
  auto maps = copy.getIndexingMapsArray();
  auto baseType = cast<MemRefType>(base.getType());
  if (!maps[1].isIdentity() || baseType.getRank() != cast<MemRefType>(buffer.getType()).getRank() ||
      !ds::hasStaticLayout(baseType) || !isUnchanged(ds::rootOf(base), copy, user))
    return {};
  ds::BufferSource source;
  source.base = base;
  if (!fill)
    return written == buffer && readReversal(maps[0], baseType.getShape(), source)
               ? source
               : ds::BufferSource();
  auto view = written.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSource() != buffer || !maps[0].isIdentity() ||
      !view.getDroppedDims().none() || ShapedType::isDynamicShape(view.getStaticOffsets()) ||
      ShapedType::isDynamicShape(view.getStaticStrides()))
    return {};
  source.low.assign(view.getStaticOffsets().begin(), view.getStaticOffsets().end());
  source.step.assign(view.getStaticStrides().begin(), view.getStaticStrides().end());
  return source;
}

} // namespace

ds::BufferSource ds::findSource(Value buffer, Operation *user) {
  unsigned rank = cast<MemRefType>(buffer.getType()).getRank();
  BufferSource source{buffer, SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 1)};
  while (true) {
    BufferSource next = findDirectSource(source.base, user);
    if (!next.base)
      return source;
    // outer low + outer step * (inner low + inner step * i)
    for (unsigned d = 0; d < rank; ++d) {
      source.low[d] += source.step[d] * next.low[d];
      source.step[d] *= next.step[d];
    }
    source.base = next.base;
  }
}

void ds::eraseUnreadBuffers(Operation *root) {
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<memref::AllocOp> allocs;
    root->walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    for (memref::AllocOp alloc : llvm::reverse(allocs)) {
      SmallVector<Operation *> users;
      collectUsers(alloc.getResult(), users);
      bool unread = llvm::all_of(users, [&](Operation *user) {
        auto generic = dyn_cast<linalg::LinalgOp>(user);
        return generic && generic.getNumDpsInits() == 1 &&
               generic.getMatchingBlockArgument(generic.getDpsInitOperand(0)).use_empty() &&
               llvm::none_of(generic.getDpsInputs(),
                             [&](Value v) { return rootOf(v) == alloc.getResult(); });
      });
      if (!unread)
        continue;
      llvm::SmallPtrSet<Operation *, 4> erased;
      for (Operation *user : users)
        if (erased.insert(user).second)
          user->erase();
      // Views are left without uses, innermost first.
      while (!alloc->use_empty()) {
        Operation *view = *alloc->getUsers().begin();
        while (!view->use_empty())
          view = *view->getUsers().begin();
        view->erase();
      }
      alloc.erase();
      changed = true;
    }
  }
}

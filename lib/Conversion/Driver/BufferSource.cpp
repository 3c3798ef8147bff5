//===- BufferSource.cpp - The source of a copied buffer ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tensor.pad and insert_slice into zeros become a zero fill and a copy into a subview; a reversal
// becomes a copy with negative coefficients, a transpose one with permuted loops. A buffer whose
// only writers are these, in one block and before the user, is a view of the copied buffer,
// provided that nothing writes the original in between. Reshapes of such buffers are followed where
// they split or join whole dimensions. One scan of the block per query.
//
//===----------------------------------------------------------------------===//
#include "BufferSource.h"
#include "Utils/Buffers.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace {

/// Collects all operations that use the memory of an allocation, also through views.
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
    return !isa<memref::LoadOp>(op); // any other operation may write
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

/// True for a copy with one input, which the body yields unchanged.
bool isCopy(linalg::GenericOp op) {
  return ds::yieldsItsInput(op) && isa<MemRefType>(op.getDpsInputs()[0].getType());
}

/// Returns the dimensions that a copy reads, in the order of its loops, which is that of its
/// output: each dimension of the input is one loop, forward or backward. Sizes and strides are
/// those of `input`, lows and steps count iterations.
std::optional<SmallVector<ds::BufferSource::Dimension>>
readLoops(AffineMap map, ArrayRef<int64_t> loopSizes, ds::BufferSource input) {
  SmallVector<std::optional<ds::BufferSource::Dimension>> found(map.getNumDims());
  SmallVector<int64_t> zero(map.getNumDims(), 0);
  for (auto [expr, dimension] : llvm::zip_equal(map.getResults(), input.dimensions)) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (constant.getValue() != 0 || !dimension.isWhole(1))
        return std::nullopt;
      continue;
    }
    int loop = -1;
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      if (expr.isFunctionOfDim(d)) {
        if (loop >= 0)
          return std::nullopt;
        loop = d;
      }
    if (loop < 0 || found[loop])
      return std::nullopt;
    SmallVector<int64_t> one = zero;
    one[loop] = 1;
    AffineMap single = AffineMap::get(map.getNumDims(), 0, expr);
    int64_t size = loopSizes[loop], low = single.compose(zero)[0],
            step = single.compose(one)[0] - low;
    bool forward = low == 0 && step == 1, backward = low == size - 1 && step == -1;
    if (!forward && !backward)
      return std::nullopt;
    if (backward && size > 1) {
      dimension.low = size - 1 - dimension.low;
      dimension.step = -dimension.step;
    }
    found[loop] = dimension;
  }
  SmallVector<ds::BufferSource::Dimension> loops;
  for (auto [size, dimension] : llvm::zip_equal(loopSizes, found)) {
    if (!dimension && size != 1)
      return std::nullopt; // a broadcast
    loops.push_back(dimension.value_or(ds::BufferSource::Dimension{1, 1}));
  }
  return loops;
}

/// The only writers of an allocation: a copy, or a zero fill and a copy into a part.
struct Writers {
  Operation *fill = nullptr;
  linalg::GenericOp copy;
};

Writers findWriters(Value buffer, Operation *user) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != user->getBlock())
    return {};
  SmallVector<Operation *> users;
  collectUsers(buffer, users);
  Writers writers;
  for (Operation *op : users) {
    if (!isWriter(op, buffer))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (op->getBlock() != user->getBlock() || !op->isBeforeInBlock(user))
      return {};
    if (ds::isZeroFill(op) && !writers.fill)
      writers.fill = op;
    else if (generic && isCopy(generic) && !writers.copy &&
             ds::rootOf(generic.getDpsInputs()[0]) != buffer)
      writers.copy = generic;
    else
      return {};
  }
  if (writers.copy && writers.fill &&
      (!writers.fill->isBeforeInBlock(writers.copy) ||
       cast<linalg::LinalgOp>(writers.fill).getDpsInits()[0] != buffer))
    return {};
  return writers;
}

ds::BufferSource findCopied(Value buffer, Operation *user) {
  Writers writers = findWriters(buffer, user);
  linalg::GenericOp copy = writers.copy;
  if (!copy)
    return {};
  Value input = copy.getDpsInputs()[0], written = copy.getDpsInits()[0];
  auto maps = copy.getIndexingMapsArray();
  if (!maps[1].isPermutation() || !isUnchanged(ds::rootOf(input), copy, user))
    return {};
  ds::BufferSource source = ds::findSource(input, user);
  if (!source.base)
    return {};
  std::optional<SmallVector<ds::BufferSource::Dimension>> loops =
      readLoops(maps[0].compose(inversePermutation(maps[1])),
                cast<MemRefType>(written.getType()).getShape(), source);
  if (!loops)
    return {};
  source.dimensions = *loops;
  if (!writers.fill)
    return written == buffer ? source : ds::BufferSource();
  auto view = written.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSource() != buffer || !view.getDroppedDims().none() ||
      ShapedType::isDynamicShape(view.getStaticOffsets()) ||
      ShapedType::isDynamicShape(view.getStaticStrides()))
    return {};
  for (auto [dimension, offset, stride] :
       llvm::zip_equal(source.dimensions, view.getStaticOffsets(), view.getStaticStrides())) {
    dimension.low = offset + stride * dimension.low;
    dimension.step *= stride;
  }
  return source;
}

/// Returns the only dimension of `sizes` that is not 1; -1 if there are several, the last dimension
/// if there is none.
int onlyDimension(ArrayRef<int64_t> sizes) {
  int only = -1;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size != 1) {
      if (only >= 0)
        return -1;
      only = d;
    }
  return only >= 0 ? only : sizes.size() - 1;
}

/// Splits one dimension of `source` into several of these sizes; false if its layout does not allow
/// it.
bool split(const ds::BufferSource::Dimension &source, ArrayRef<int64_t> sizes,
           SmallVectorImpl<ds::BufferSource::Dimension> &parts) {
  int only = onlyDimension(sizes);
  int64_t whole = 1, stride = source.stride;
  for (int64_t size : sizes)
    whole *= size;
  if (only < 0 && !source.isWhole(whole))
    return false;
  SmallVector<ds::BufferSource::Dimension> inner(sizes.size());
  for (unsigned i = sizes.size(); i-- > 0;) {
    inner[i] = only == int(i) ? source : ds::BufferSource::Dimension{sizes[i], stride};
    stride *= sizes[i];
  }
  parts.append(inner);
  return true;
}

/// Joins several dimensions of `source`, which have these sizes in the buffer; false if their
/// layout does not allow it.
bool join(ArrayRef<ds::BufferSource::Dimension> source, ArrayRef<int64_t> sizes,
          SmallVectorImpl<ds::BufferSource::Dimension> &parts) {
  if (int only = onlyDimension(sizes); only >= 0) {
    for (auto [d, dimension] : llvm::enumerate(source))
      if (int(d) != only && !dimension.isWhole(1))
        return false;
    parts.push_back(source[only]);
    return true;
  }
  ds::BufferSource::Dimension joined = {1, 1};
  for (auto [dimension, size] : llvm::zip_equal(source, sizes)) {
    if (!dimension.isWhole(size) ||
        (size != 1 && joined.size != 1 && joined.stride != size * dimension.stride))
      return false;
    if (size != 1)
      joined = {joined.size * size, dimension.stride};
  }
  parts.push_back(joined);
  return true;
}

ds::BufferSource findReshaped(Value buffer, Operation *user) {
  auto expand = buffer.getDefiningOp<memref::ExpandShapeOp>();
  auto collapse = buffer.getDefiningOp<memref::CollapseShapeOp>();
  if (!expand && !collapse)
    return {};
  Value input = expand ? expand.getSrc() : collapse.getSrc();
  ds::BufferSource source = ds::findSource(input, user);
  if (!source.base)
    return {};
  SmallVector<ds::BufferSource::Dimension> dimensions;
  auto groups = expand ? expand.getReassociationIndices() : collapse.getReassociationIndices();
  ArrayRef<int64_t> sizes =
      cast<MemRefType>(expand ? buffer.getType() : input.getType()).getShape();
  for (auto [d, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> members = sizes.slice(group.front(), group.size());
    auto parts = ArrayRef(source.dimensions);
    if (expand ? !split(parts[d], members, dimensions)
               : !join(parts.slice(group.front(), group.size()), members, dimensions))
      return {};
  }
  source.dimensions = dimensions;
  bool complete = int64_t(dimensions.size()) == cast<MemRefType>(buffer.getType()).getRank();
  return complete ? source : ds::BufferSource();
}

} // namespace

ds::BufferSource ds::describeBuffer(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  BufferSource source;
  SmallVector<int64_t> strides;
  if (!hasStaticLayout(type) || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, source.offset)))
    return {};
  source.base = buffer;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    source.dimensions.push_back({size, stride});
  return source;
}

ds::BufferSource ds::findSource(Value buffer, Operation *user) {
  if (BufferSource copied = findCopied(buffer, user); copied.base)
    return copied;
  // A reshape alone leads to no other memory.
  if (BufferSource reshaped = findReshaped(buffer, user);
      reshaped.base && rootOf(reshaped.base) != rootOf(buffer))
    return reshaped;
  return describeBuffer(buffer);
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
      // Only views are left: the innermost ones are erased first.
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

//===- EmitRounds.cpp - Loops over heads and blocks of queries ---* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the heads of all samples holds a loop over blocks of queries, which computes the
// region (AttentionRegion.h) for one block and all keys. The forward pass stores its result and
// what it reduced of each row; the gradient computes the values of pairs again from these, and sums
// up the gradients of keys and values from block to block. So values of pairs exist for one block
// at a time. If keys after a query have no effect, the blocks are in a few groups, and each group
// reads the keys up to its last query.
//
// Rows are whole, so their softmax is that of the plain step. Products read dense copies, whose
// layout is known at compile time: a call of the library needs that.
//
//===----------------------------------------------------------------------===//
#include "Rounds.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

using namespace mlir;
using namespace ds;

namespace {

class BlockedRegion {
public:
  BlockedRegion(const AttentionRegion &region, RewriterBase &rewriter)
      : region(region), rewriter(rewriter), block(region.ops.front().first->getBlock()),
        groups(groupsOf(region)) {}

  void emit(const Round &round) {
    if (round.outputs.empty())
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    if (last)
      rewriter.setInsertionPointAfter(last);
    else
      rewriter.setInsertionPointToStart(block);
    if (round.after && (!last || last->isBeforeInBlock(round.after)))
      rewriter.setInsertionPointAfter(round.after);
    Location loc = rewriter.getFusedLoc(
        llvm::map_to_vector(round.outputs, [](Operation *op) { return op->getLoc(); }));
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value).getResult();
    };
    SmallVector<Value> wholes;
    for (Operation *op : round.outputs)
      // Not an empty tensor, which would become the memory of the step's result.
      wholes.push_back(allocate(cast<RankedTensorType>(op->getResult(0).getType()), loc));
    auto heads = scf::ForOp::create(rewriter, loc, index(0), index(region.heads), index(1), wholes);
    last = heads;
    rewriter.setInsertionPointToStart(heads.getBody());
    digits.clear();
    dense.clear();
    head = heads.getInductionVar();
    // Sums over queries are of the head, and stored when all blocks are added.
    SmallVector<Value> results(heads.getRegionIterArgs());
    for (auto [op, result] : llvm::zip_equal(round.outputs, results))
      if (!isOfQueries(op))
        result = zeros(cast<linalg::GenericOp>(op));
    for (const Group &each : groups)
      emitGroup(each, round, results);
    for (auto [op, result, whole] :
         llvm::zip_equal(round.outputs, results, heads.getRegionIterArgs()))
      if (!isOfQueries(op)) {
        Axes axes = region.axesOf(op->getResult(0));
        Slice slice = sliceOf(axes, region.queries, region.keys, loc);
        result = tensor::InsertSliceOp::create(rewriter, loc, result, whole, slice.offsets,
                                               slice.sizes, slice.strides);
      }
    scf::YieldOp::create(rewriter, loc, results);
    for (auto [op, result] : llvm::zip_equal(round.outputs, heads.getResults()))
      rewriter.replaceAllUsesWith(op->getResult(0), result);
  }

private:
  bool isOfQueries(Operation *op) const {
    return hasAxis(region.axesOf(op->getResult(0)), Axis::query);
  }

  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> shape; // without heads
  };

  /// Describes the part of a tensor that a block of `queries` from `first` on, and `keys` keys of
  /// the current head read.
  Slice sliceOf(ArrayRef<Axis> axes, int64_t queries, int64_t keys, Location loc,
                OpFoldResult first = {}) {
    Slice slice;
    for (const Axis &axis : axes) {
      const int64_t size = axis.kind == Axis::head    ? 1
                           : axis.kind == Axis::query ? queries
                           : axis.kind == Axis::key   ? keys
                                                      : axis.size;
      OpFoldResult offset = rewriter.getIndexAttr(0);
      if (axis.kind == Axis::head)
        offset = digitOf(axis, loc);
      else if (axis.kind == Axis::query && first)
        offset = first;
      slice.offsets.push_back(offset);
      slice.sizes.push_back(rewriter.getIndexAttr(size));
      slice.strides.push_back(rewriter.getIndexAttr(1));
      if (axis.kind != Axis::head)
        slice.shape.push_back(size);
    }
    return slice;
  }

  /// Returns the index of the current head along an axis, computed at the begin of its iteration.
  Value digitOf(const Axis &axis, Location loc) {
    Value &digit = digits[{axis.stride, axis.size}];
    if (digit)
      return digit;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(head.getParentBlock());
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value).getResult();
    };
    digit = head;
    if (axis.stride > 1)
      digit = arith::DivUIOp::create(rewriter, loc, digit, index(axis.stride));
    if (axis.stride * axis.size < region.heads)
      digit = arith::RemUIOp::create(rewriter, loc, digit, index(axis.size));
    return digit;
  }

  Value fill(TypedAttr value, Value tensor, Location loc) {
    Value scalar = arith::ConstantOp::create(rewriter, loc, value);
    return linalg::FillOp::create(rewriter, loc, scalar, tensor).getResult(0);
  }

  /// Returns memory that is no part of another tensor's, so that its layout is known.
  Value allocate(RankedTensorType type, Location loc, Value copied = {}) {
    return bufferization::AllocTensorOp::create(rewriter, loc, type, ValueRange(), copied);
  }

  /// Returns what a sum over queries starts from.
  Value zeros(linalg::GenericOp op) {
    TypedAttr zero = fillOf(op.getDpsInits()[0]);
    Slice slice = sliceOf(region.axesOf(op.getResult(0)), region.queries, region.keys, op.getLoc());
    return fill(zero, allocate(RankedTensorType::get(slice.shape, zero.getType()), op.getLoc()),
                op.getLoc());
  }

  /// Emits the loop over the blocks of a group, which continues `results`.
  void emitGroup(const Group &each, const Round &round, MutableArrayRef<Value> results) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = round.outputs.front()->getLoc();
    group = &each;
    SmallVector<Value> begin(results);
    // The sums of a group are of its keys.
    SmallVector<Slice> sums(results.size());
    for (auto [op, value, slice] : llvm::zip_equal(round.outputs, begin, sums))
      if (!isOfQueries(op) && each.keys != region.keys) {
        slice =
            sliceOf(withoutHeads(region.axesOf(op->getResult(0))), region.queries, each.keys, loc);
        value = tensor::ExtractSliceOp::create(rewriter, loc, value, slice.offsets, slice.sizes,
                                               slice.strides);
      }
    // Copies for products that all blocks read are made once.
    for (Operation *op : round.ops)
      if (auto product = dyn_cast<linalg::GenericOp>(op); product && isMatrixProduct(product))
        for (OpOperand *input : product.getDpsInputOperands()) {
          Axes axes =
              axesThrough(product.getMatchingIndexingMap(input), region.ops.find(op)->second);
          if (!hasAxis(axes, Axis::query) && !region.contains(input->get()))
            copyOfHead(input->get(), axes, op->getLoc());
        }
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value).getResult();
    };
    auto loop = scf::ForOp::create(rewriter, loc, index(each.begin),
                                   index(each.begin + each.blocks * each.queries),
                                   index(each.queries), begin);
    rewriter.setInsertionPointToStart(loop.getBody());
    first = loop.getInductionVar();
    tiles.clear();
    copies.clear();
    accumulators.clear();
    for (auto [op, value] : llvm::zip_equal(round.outputs, loop.getRegionIterArgs()))
      if (!isOfQueries(op))
        accumulators[op] = value;
    for (Operation *op : round.ops)
      emitOp(op);
    SmallVector<Value> yielded;
    for (auto [op, value] : llvm::zip_equal(round.outputs, loop.getRegionIterArgs())) {
      Value tile = tiles.lookup(op->getResult(0));
      if (isOfQueries(op)) {
        Slice slice = sliceOf(region.axesOf(op->getResult(0)), each.queries, each.keys, loc, first);
        tile = tensor::InsertSliceOp::create(rewriter, loc, tile, value, slice.offsets, slice.sizes,
                                             slice.strides);
      }
      yielded.push_back(tile);
    }
    scf::YieldOp::create(rewriter, loc, yielded);
    rewriter.setInsertionPointAfter(loop);
    for (auto [result, next, slice] : llvm::zip_equal(results, loop.getResults(), sums)) {
      Value sum = next;
      if (!slice.sizes.empty())
        sum = tensor::InsertSliceOp::create(rewriter, loc, sum, result, slice.offsets, slice.sizes,
                                            slice.strides);
      result = sum;
    }
  }

  /// Returns the part of an operand that the block reads.
  Value tileOf(Value value, Operation *op, ArrayRef<Axis> axes) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() == 0)
      return value;
    if (Value tile = tiles.lookup(value))
      return tile;
    Slice slice = sliceOf(axes, group->queries, group->keys, op->getLoc(), first);
    if (isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      if (TypedAttr number = fillOf(value))
        return arith::ConstantOp::create(
            rewriter, op->getLoc(),
            DenseElementsAttr::get(RankedTensorType::get(slice.shape, type.getElementType()),
                                   ArrayRef<Attribute>(number)));
    const bool isFactor = isProduct(op);
    if (isFactor && !hasAxis(axes, Axis::query)) {
      Value copy = copyOfHead(value, axes, op->getLoc());
      if (group->keys == region.keys || !hasAxis(axes, Axis::key))
        return copy;
      Slice part = sliceOf(withoutHeads(axes), group->queries, group->keys, op->getLoc());
      return tensor::ExtractSliceOp::create(rewriter, op->getLoc(), copy, part.offsets, part.sizes,
                                            part.strides);
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(first.getParentBlock());
    if (!isFactor) // one tensor of positions may be of queries and of keys
      return extract(value, slice, false, op->getLoc());
    Value &copy = copies[value];
    if (!copy)
      copy = extract(value, slice, true, op->getLoc());
    return copy;
  }

  static bool isProduct(Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && isMatrixProduct(generic);
  }

  static Axes withoutHeads(ArrayRef<Axis> axes) {
    Axes rest(axes);
    llvm::erase_if(rest, [](const Axis &axis) { return axis.kind == Axis::head; });
    return rest;
  }

  Value extract(Value value, const Slice &slice, bool copy, Location loc) {
    auto type = cast<RankedTensorType>(value.getType());
    auto part = RankedTensorType::get(slice.shape, type.getElementType());
    Value extracted = tensor::ExtractSliceOp::create(rewriter, loc, part, value, slice.offsets,
                                                     slice.sizes, slice.strides);
    return copy ? allocate(part, loc, extracted) : extracted;
  }

  /// Returns a dense copy of the current head's part of a factor that is the same for all queries.
  Value copyOfHead(Value value, ArrayRef<Axis> axes, Location loc) {
    Value &copy = dense[value];
    if (!copy)
      copy = extract(value, sliceOf(axes, region.queries, region.keys, loc), true, loc);
    return copy;
  }

  void emitOp(Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) { // of heads, which a block has one of
      Axes axes = *axesBeforeReshape(op, region.axesOf(op->getResult(0)));
      tiles[op->getResult(0)] = tileOf(op->getOperand(0), op, axes);
      return;
    }
    Location loc = op->getLoc();
    const Axes &loops = region.ops.find(op)->second;
    SmallVector<utils::IteratorType> iterators;
    SmallVector<int64_t> places;
    unsigned numLoops =
        llvm::count_if(loops, [](const Axis &axis) { return axis.kind != Axis::head; });
    for (auto [axis, iterator] : llvm::zip_equal(loops, generic.getIteratorTypesArray())) {
      places.push_back(iterators.size());
      if (axis.kind != Axis::head)
        iterators.push_back(iterator);
    }
    auto tileMap = [&](AffineMap map) {
      SmallVector<AffineExpr> results;
      for (AffineExpr expr : map.getResults()) {
        unsigned loop = cast<AffineDimExpr>(expr).getPosition();
        if (loops[loop].kind != Axis::head)
          results.push_back(rewriter.getAffineDimExpr(places[loop]));
      }
      return AffineMap::get(numLoops, 0, results, rewriter.getContext());
    };
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      inputs.push_back(tileOf(input->get(), op, axesThrough(map, loops)));
      maps.push_back(tileMap(map));
    }
    OpOperand *output = generic.getDpsInitOperand(0);
    maps.push_back(tileMap(generic.getMatchingIndexingMap(output)));
    Value init = accumulators.lookup(op);
    if (!init) {
      Slice slice = sliceOf(axesThrough(generic.getMatchingIndexingMap(output), loops),
                            group->queries, group->keys, loc);
      auto type = RankedTensorType::get(
          slice.shape, cast<RankedTensorType>(output->get().getType()).getElementType());
      if (isProduct(op)) {
        // At the begin, since kernels are not fused across an allocation.
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(first.getParentBlock());
        init = allocate(type, loc);
      } else {
        init = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
      }
      if (generic.getNumReductionLoops())
        init = fill(fillOf(output->get()), init, loc);
    }
    auto emitted = linalg::GenericOp::create(
        rewriter, loc, TypeRange(init.getType()), inputs, ValueRange(init), maps, iterators,
        [&](OpBuilder &builder, Location, ValueRange args) {
          IRMapping mapping;
          mapping.map(generic.getBody()->getArguments(), args);
          for (Operation &inner : generic.getBody()->without_terminator()) {
            auto position = dyn_cast<linalg::IndexOp>(inner);
            if (!position) {
              builder.clone(inner, mapping);
              continue;
            }
            const Axis &axis = loops[position.getDim()];
            Value value =
                axis.kind == Axis::head
                    ? digitOf(axis, loc)
                    : linalg::IndexOp::create(builder, inner.getLoc(), places[position.getDim()])
                          .getResult();
            if (axis.kind == Axis::query)
              value = arith::AddIOp::create(builder, inner.getLoc(), value, first);
            mapping.map(position.getResult(), value);
          }
          linalg::YieldOp::create(
              builder, loc,
              mapping.lookupOrDefault(generic.getBody()->getTerminator()->getOperand(0)));
        });
    tiles[op->getResult(0)] = emitted->getResult(0);
  }

  const AttentionRegion &region;
  RewriterBase &rewriter;
  Block *block;
  SmallVector<Group> groups;
  Operation *last = nullptr; // the loop of the round before
  // Of the loop that is emitted.
  const Group *group = nullptr;
  Value head, first;
  std::map<std::pair<int64_t, int64_t>, Value> digits;
  llvm::DenseMap<Value, Value> dense;  // copies of a head's factors
  llvm::DenseMap<Value, Value> tiles;  // of values of the region
  llvm::DenseMap<Value, Value> copies; // of factors of the block
  llvm::DenseMap<Operation *, Value> accumulators;
};

} // namespace

void ds::emitRounds(const AttentionRegion &region, ArrayRef<Round> rounds, RewriterBase &rewriter) {
  BlockedRegion blocked(region, rewriter);
  for (const Round &round : rounds)
    blocked.emit(round);
}

//===- Unfuse.cpp - Split the body of a linalg operation ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverses elementwise fusion for bodies that hide a value which must be reduced over the ranks.
// Each new operation runs only over the loops that index its operands, so an intermediate value is
// no larger than they are. Kernels are fused again after the collectives are placed.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/Unfuse.h"
#include "ds/Analysis/BodyLinearity.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ds {
namespace {

/// True for constants and indices, which each new operation may repeat.
bool isShared(Operation *statement) {
  return statement->hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(statement);
}

class Body {
public:
  explicit Body(linalg::GenericOp generic) : generic(generic), block(generic.getBody()) {}

  /// Returns the statements that can stand alone; all but one of them if nothing else would be
  /// left.
  SmallVector<Operation *> findParts() {
    if (!hasPlainMaps())
      return {};
    SmallVector<Operation *> parts;
    llvm::SmallDenseSet<Value> accumulating;
    if (!isParallel())
      accumulating.insert(block->getArguments().begin() + generic.getNumDpsInputs(),
                          block->getArguments().end());
    bool leavesSome = false;
    for (Operation &statement : block->without_terminator()) {
      if (isShared(&statement))
        continue;
      bool accumulates = llvm::any_of(readsOf(&statement),
                                      [&](Value read) { return accumulating.contains(read); });
      if (accumulates)
        accumulating.insert(statement.result_begin(), statement.result_end());
      else
        parts.push_back(&statement);
      leavesSome |= accumulates;
    }
    if (!leavesSome && !parts.empty())
      parts.pop_back();
    return parts;
  }

  /// Turns destinations that a body without a reduction reads into inputs, since nothing
  /// accumulates in them.
  void readInitsAsInputs() {
    if (!isParallel() || !hasPlainMaps())
      return;
    for (unsigned init = 0; init < generic.getNumDpsInits(); ++init) {
      BlockArgument element = generic.getRegionOutputArgs()[init];
      if (element.use_empty())
        continue;
      OpOperand *operand = generic.getDpsInitOperand(init);
      Value read = addInput(operand->get(), generic.getMatchingIndexingMap(operand));
      generic.getRegionOutputArgs()[init].replaceAllUsesWith(read);
    }
  }

  void moveOut(Operation *statement) {
    OpBuilder b(generic);
    SmallVector<Value> inputs;
    SmallVector<Operation *> repeated;
    llvm::SmallSetVector<unsigned, 4> loops;
    for (Value read : readsOf(statement)) {
      Operation *op = read.getDefiningOp();
      if (op && op->getBlock() == block) {
        repeated.push_back(op);
        if (auto index = dyn_cast<linalg::IndexOp>(op))
          loops.insert(index.getDim());
      } else if (auto argument = dyn_cast<BlockArgument>(read);
                 argument && argument.getOwner() == block) {
        inputs.push_back(read);
        for (AffineExpr loop : mapOf(argument).getResults())
          loops.insert(cast<AffineDimExpr>(loop).getPosition());
      }
    }
    auto order = loops.takeVector();
    llvm::sort(order);
    SmallVector<int64_t> ranges = generic.getStaticLoopRanges(), shape;
    SmallVector<AffineExpr> renumbered(ranges.size()), original;
    for (auto [i, loop] : llvm::enumerate(order)) {
      shape.push_back(ranges[loop]);
      renumbered[loop] = b.getAffineDimExpr(i);
      original.push_back(b.getAffineDimExpr(loop));
    }

    SmallVector<Value> operands, inits;
    SmallVector<AffineMap> maps;
    for (Value input : inputs) {
      auto argument = cast<BlockArgument>(input);
      operands.push_back(generic.getMatchingOpOperand(argument)->get());
      maps.push_back(AffineMap::get(
          order.size(), 0,
          llvm::map_to_vector(
              mapOf(argument).getResults(),
              [&](AffineExpr loop) { return renumbered[cast<AffineDimExpr>(loop).getPosition()]; }),
          b.getContext()));
    }
    for (Value result : statement->getResults()) {
      inits.push_back(tensor::EmptyOp::create(b, statement->getLoc(), shape, result.getType()));
      maps.push_back(b.getMultiDimIdentityMap(order.size()));
    }
    SmallVector<utils::IteratorType> iterators(order.size(), utils::IteratorType::parallel);
    auto alone = linalg::GenericOp::create(
        b, statement->getLoc(), ValueRange(inits).getTypes(), operands, inits, maps, iterators,
        [&](OpBuilder &in, Location loc, ValueRange arguments) {
          IRMapping map;
          map.map(inputs, arguments.take_front(inputs.size()));
          for (Operation *op : repeated) {
            Operation *copy = in.clone(*op);
            if (auto index = dyn_cast<linalg::IndexOp>(copy))
              index.setDim(llvm::find(order, index.getDim()) - order.begin());
            map.map(op->getResults(), copy->getResults());
          }
          linalg::YieldOp::create(in, loc, in.clone(*statement, map)->getResults());
        });
    AffineMap back = AffineMap::get(ranges.size(), 0, original, b.getContext());
    for (auto [result, tensor] : llvm::zip(statement->getResults(), alone.getResults()))
      result.replaceAllUsesWith(addInput(tensor, back));
    statement->erase();
  }

private:
  AffineMap mapOf(BlockArgument argument) {
    return generic.getMatchingIndexingMap(generic.getMatchingOpOperand(argument));
  }

  bool isParallel() { return generic.getNumParallelLoops() == generic.getNumLoops(); }

  bool hasPlainMaps() {
    return llvm::none_of(generic.getStaticLoopRanges(), ShapedType::isDynamic) &&
           llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) {
             return llvm::all_of(map.getResults(),
                                 [](AffineExpr expr) { return isa<AffineDimExpr>(expr); });
           });
  }

  /// Adds an operand; returns the element that the body reads of it.
  Value addInput(Value tensor, AffineMap map) {
    unsigned number = generic.getNumDpsInputs();
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    maps.insert(maps.begin() + number, map);
    generic.getInputsMutable().append(tensor);
    generic.setIndexingMapsAttr(OpBuilder(generic).getAffineMapArrayAttr(maps));
    return block->insertArgument(number, getElementTypeOrSelf(tensor.getType()), tensor.getLoc());
  }

  linalg::GenericOp generic;
  Block *block;
};

} // namespace

/// Turns every statement of the body that can stand alone into its own `linalg.generic`;
/// accumulating statements stay. False if there is none. Either way `op` may be replaced.
bool unfuse(Operation *op) {
  IRRewriter rewriter(op);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    if (auto general = linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
        succeeded(general))
      generic = *general;
  if (!generic)
    return false;
  Body(generic).readInitsAsInputs();
  SmallVector<Operation *> parts = Body(generic).findParts();
  if (parts.empty())
    return false;
  for (Operation *statement : parts)
    Body(generic).moveOut(statement);
  // Drops operands that only the moved statements read.
  RewritePatternSet patterns(generic.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyOpPatternsGreedily(generic.getOperation(), std::move(patterns));
  return true;
}

} // namespace ds

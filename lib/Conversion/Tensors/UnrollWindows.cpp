//===- UnrollWindows.cpp - Reductions over a window have no loops -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolls a reduction over the few elements of a window: each element is read by a separate map, in
// which the loops of the window are constants, and the body is repeated for each, in the order of
// the loops. The accumulator is never in memory: if it starts from a constant, no fill is needed,
// and an accumulator that only the reduction itself reads (the maximum, if only its index is used)
// is no result. LoopOrder.cpp chooses the windows to unroll, except that those which overlap keep
// their loops: LLVM generates better code for these. One walk, and a copy of the body for each
// element.
//
//===----------------------------------------------------------------------===//
#include "Utils/KernelInputs.h"
#include "Utils/LoopOrder.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

namespace ds {
#define GEN_PASS_DEF_UNROLLWINDOWSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Returns the constant with which a kernel fills all of `tensor`; null if there is none.
Value splatOf(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::GenericOp>();
  if (!fill || !llvm::hasSingleElement(*fill.getBody()) || !fill.isAllParallelLoops())
    return {};
  auto result = cast<OpResult>(tensor);
  Value value = fill.getBody()->getTerminator()->getOperand(result.getResultNumber());
  bool isWhole = fill.getIndexingMapMatchingResult(result).isPermutation();
  return isWhole && matchPattern(value, m_Constant()) ? value : Value();
}

/// True if each output has one element per iteration of the parallel loops.
bool storesOncePerWindow(linalg::GenericOp op) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.getNumResults() == op.getNumParallelLoops();
  });
}

/// True if a single loop indexes each dimension of each input, which is false for windows that
/// overlap.
bool readsSideBySide(linalg::GenericOp op) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input).isProjectedPermutation();
  });
}

/// True if each loop has a constant number of iterations, at least one.
bool hasKnownRounds(linalg::GenericOp op) {
  return llvm::all_of(op.getStaticLoopRanges(),
                      [](int64_t rounds) { return !ShapedType::isDynamic(rounds) && rounds > 0; });
}

bool isWindow(linalg::GenericOp op) {
  auto nests = [](Operation &inner) { return inner.getNumRegions() != 0; };
  if (ds::isContraction(op) || !op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      !hasKnownRounds(op) || !storesOncePerWindow(op) || !readsSideBySide(op) ||
      llvm::any_of(*op.getBody(), nests))
    return false;
  ds::LoopOrder order = ds::chooseLoopOrder(op);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::all_of(reductions, [&](unsigned loop) {
    return llvm::is_contained(ArrayRef(order.permutation).take_back(order.windowLoops), loop);
  });
}

class Unroller {
public:
  Unroller(linalg::GenericOp op, IRRewriter &rewriter) : op(op), rewriter(rewriter) {
    unsigned next = 0;
    for (utils::IteratorType kind : op.getIteratorTypesArray())
      at.push_back(kind == utils::IteratorType::parallel ? rewriter.getAffineDimExpr(next++)
                                                         : rewriter.getAffineConstantExpr(0));
  }

  void run() {
    rewriter.setInsertionPoint(op);
    do
      placeInputs();
    while (advance());
    SmallVector<AffineMap> maps = inputs.maps;
    SmallVector<Value> inits;
    for (auto [result, init] : llvm::zip_equal(op.getResults(), op.getDpsInitsMutable())) {
      if (result.use_empty() && splatOf(init.get()))
        continue;
      results.push_back(result);
      inits.push_back(destinationOf(init.get()));
      maps.push_back(mapHere(op.getMatchingIndexingMap(&init)));
    }
    SmallVector<utils::IteratorType> loops(op.getNumParallelLoops(), utils::IteratorType::parallel);
    auto unrolled = linalg::GenericOp::create(
        rewriter, op.getLoc(), ValueRange(inits).getTypes(), inputs.values, inits, maps, loops,
        [&](OpBuilder &builder, Location, ValueRange args) { buildBody(builder, args); });
    for (auto [result, value] : llvm::zip_equal(results, unrolled.getResults()))
      rewriter.replaceAllUsesWith(result, value);
    llvm::SmallSetVector<Operation *, 4> starts; // several outputs may share one fill
    for (Value init : op.getOutputs())
      starts.insert(init.getDefiningOp());
    rewriter.eraseOp(op);
    for (Operation *fill : starts)
      if (fill && isOpTriviallyDead(fill))
        rewriter.eraseOp(fill);
    DominanceInfo dominance(unrolled);
    eliminateCommonSubExpressions(rewriter, dominance, unrolled);
  }

private:
  /// Advances to the next element of the window; false after the last one, where it wraps to the
  /// first.
  bool advance() {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    for (unsigned loop = sizes.size(); loop-- > 0;)
      if (auto index = dyn_cast<AffineConstantExpr>(at[loop])) {
        int64_t next = (index.getValue() + 1) % sizes[loop];
        at[loop] = rewriter.getAffineConstantExpr(next);
        if (next)
          return true;
      }
    return false;
  }

  AffineMap mapHere(AffineMap map) {
    return map.replaceDimsAndSymbols(at, {}, op.getNumParallelLoops(), 0);
  }

  /// Records the input of the new operation for each input at this element. An input that only
  /// gives the size of a window is dropped.
  void placeInputs() {
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (op.getMatchingBlockArgument(input).use_empty())
        continue;
      places.push_back(inputs.placeOf(input->get(), mapHere(op.getMatchingIndexingMap(input))));
    }
  }

  /// Returns where a result is stored: the destination of the fill, if there is one, which is then
  /// not needed.
  static Value destinationOf(Value init) {
    if (!splatOf(init))
      return init;
    return init.getDefiningOp<linalg::GenericOp>().getTiedOpOperand(cast<OpResult>(init))->get();
  }

  void buildBody(OpBuilder &builder, ValueRange args) {
    SmallVector<Value> sums;
    ValueRange stored = args.drop_front(inputs.values.size());
    for (auto [result, init] : llvm::zip_equal(op.getResults(), op.getOutputs())) {
      Value splat = splatOf(init);
      sums.push_back(splat ? splat : stored.front());
      if (llvm::is_contained(results, result))
        stored = stored.drop_front();
    }
    ArrayRef<unsigned> left = places;
    do {
      IRMapping mapping;
      for (BlockArgument input : op.getRegionInputArgs())
        if (!input.use_empty())
          mapping.map(input, args[left.consume_front()]);
      mapping.map(op.getRegionOutputArgs(), sums);
      for (Operation &inner : op.getBody()->without_terminator())
        cloneHere(builder, inner, mapping);
      for (auto [sum, next] : llvm::zip_equal(sums, op.getBody()->getTerminator()->getOperands()))
        sum = mapping.lookupOrDefault(next);
    } while (advance());
    linalg::YieldOp::create(builder, op.getLoc(), llvm::map_to_vector(results, [&](OpResult kept) {
                              return sums[kept.getResultNumber()];
                            }));
  }

  void cloneHere(OpBuilder &builder, Operation &inner, IRMapping &mapping) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!index) {
      builder.clone(inner, mapping);
      return;
    }
    Location loc = index.getLoc();
    AffineExpr expr = at[index.getDim()];
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      mapping.map(index.getResult(),
                  arith::ConstantIndexOp::create(builder, loc, constant.getValue()).getResult());
    else
      mapping.map(index.getResult(),
                  linalg::IndexOp::create(builder, loc, cast<AffineDimExpr>(expr).getPosition())
                      .getResult());
  }

  linalg::GenericOp op;
  IRRewriter &rewriter;
  SmallVector<AffineExpr>
      at; // per loop: a loop of the new operation, or the position in the window
  ds::KernelInputs inputs;
  SmallVector<unsigned>
      places; // the indices in `inputs` that each element reads, one after another
  SmallVector<OpResult> results; // results that are stored
};

struct UnrollWindows final : ds::impl::UnrollWindowsPassBase<UnrollWindows> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> windows;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isWindow(op))
        windows.push_back(op);
    });
    for (linalg::GenericOp op : windows)
      if (!op.use_empty())
        Unroller(op, rewriter).run();
  }
};

} // namespace

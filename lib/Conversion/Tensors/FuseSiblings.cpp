//===- FuseSiblings.cpp - Fuse kernels that share inputs --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses two kernels over the same loops into one with the results of both, if the later one shares
// an input with the earlier one or reads its result element by element. The earlier kernel moves
// down to the later one if it has no use in between, else the later one moves up if its operands
// are ready. No kernel moves across a loop. Each operation is compared with the last one that reads
// each of its inputs.
//
// The positions of collectives do not matter: a reduced value counts as used at once. So buckets do
// not affect which kernels are formed, nor the order in which a sum is added up.
//
//===----------------------------------------------------------------------===//
#include "Utils/KernelInputs.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ds {
#define GEN_PASS_DEF_FUSESIBLINGSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// More pointers than this spill in the innermost loop.
constexpr unsigned maxOperands = 24;
constexpr unsigned maxResults = 4;
/// The shared input should be at least this fraction of the iterations: smaller ones are in the
/// cache.
constexpr int64_t minSharedPart = 4;

/// True for kernels that LLVM vectorises: a loop that it cannot vectorise would slow the other one
/// down.
bool isCandidate(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && !ds::isContraction(op) && op.getNumLoops() > 0 &&
         llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic) &&
         llvm::none_of(*op.getBody(), llvm::IsaPred<tensor::ExtractOp, math::PowFOp>);
}

bool isOfDs(Operation *op) { return op->getName().getDialectNamespace() == "ds"; }

/// True for an operation across which kernels may move.
bool isPassable(Operation &op) {
  if (isa<linalg::LinalgOp, tensor::PadOp>(op))
    return true;
  return op.getNumRegions() == 0 && !isa<bufferization::MaterializeInDestinationOp>(op) &&
         (isMemoryEffectFree(&op) || isOfDs(&op));
}

int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// Returns the result of `first` that `input` of `second` reads; null if it reads none.
OpResult readResult(linalg::GenericOp first, OpOperand *input) {
  return input->get().getDefiningOp() == first ? cast<OpResult>(input->get()) : OpResult();
}

bool haveSameLoops(linalg::GenericOp first, linalg::GenericOp second) {
  return first.getStaticLoopRanges() == second.getStaticLoopRanges() &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray();
}

/// True if `second` reads no result of `first`, or only the element of the same iteration.
bool readsElementByElement(linalg::GenericOp first, linalg::GenericOp second) {
  for (OpOperand &operand : second->getOpOperands()) {
    OpResult read = readResult(first, &operand);
    if (!read)
      continue;
    if (!second.isDpsInput(&operand) || !first.isAllParallelLoops() ||
        second.getMatchingIndexingMap(&operand) != first.getIndexingMapMatchingResult(read))
      return false;
  }
  return true;
}

/// True if the fused kernel reads a large input once instead of twice.
bool shareInput(linalg::GenericOp first, linalg::GenericOp second) {
  int64_t volume = ShapedType::getNumElements(first.getStaticLoopRanges());
  return llvm::any_of(second.getDpsInputOperands(), [&](OpOperand *input) {
    bool isShared = bool(readResult(first, input));
    for (OpOperand *other : first.getDpsInputOperands())
      isShared |= other->get() == input->get() &&
                  first.getMatchingIndexingMap(other) == second.getMatchingIndexingMap(input);
    return isShared && elementsOf(input->get()) * minSharedPart >= volume;
  });
}

llvm::SetVector<Value> valuesUsedBy(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

/// True if `value` is defined before `first`, or is a tensor of constants that can be moved there.
bool isReadyBefore(Value value, linalg::GenericOp first) {
  Operation *def = value.getDefiningOp();
  if (!def || def == first || def->getBlock() != first->getBlock() || def->isBeforeInBlock(first))
    return true;
  if (isa<tensor::EmptyOp>(def))
    return true;
  auto fill = dyn_cast<linalg::LinalgOp>(def);
  return fill && llvm::all_of(valuesUsedBy(fill), [&](Value used) {
           return matchPattern(used, m_Constant()) ||
                  isa_and_nonnull<tensor::EmptyOp>(used.getDefiningOp());
         });
}

/// Returns where the two can be computed together: at `second` if possible, else at `first`, else
/// null.
Operation *findPlace(linalg::GenericOp first, linalg::GenericOp second) {
  bool usedBefore = llvm::any_of(first->getUsers(), [&](Operation *user) {
    Operation *inBlock = first->getBlock()->findAncestorOpInBlock(*user);
    return isOfDs(user) || (inBlock && inBlock != second && inBlock->isBeforeInBlock(second));
  });
  if (!usedBefore)
    return second;
  bool isReady =
      llvm::all_of(valuesUsedBy(second), [&](Value used) { return isReadyBefore(used, first); });
  return isReady ? first : nullptr;
}

/// Moves a tensor of constants, and the empty one that it fills, before `first`.
void moveBefore(linalg::GenericOp first, Operation *def, IRRewriter &rewriter) {
  if (!def || def == first || def->getBlock() != first->getBlock() || def->isBeforeInBlock(first))
    return;
  for (Value used : valuesUsedBy(def))
    moveBefore(first, used.getDefiningOp(), rewriter);
  rewriter.moveOpBefore(def, first);
}

linalg::GenericOp fuse(linalg::GenericOp first, linalg::GenericOp second, Operation *place,
                       IRRewriter &rewriter) {
  ds::KernelInputs inputs{first.getInputs(), {}};
  SmallVector<Value> outputs(first.getOutputs());
  SmallVector<AffineMap> outputMaps;
  for (OpOperand *input : first.getDpsInputOperands())
    inputs.maps.push_back(first.getMatchingIndexingMap(input));
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &output : op.getDpsInitsMutable())
      outputMaps.push_back(op.getMatchingIndexingMap(&output));
  llvm::append_range(outputs, second.getOutputs());

  // The input of the new kernel for each input of `second`; -1: a result of `first`.
  SmallVector<int> places;
  for (OpOperand *input : second.getDpsInputOperands()) {
    AffineMap map = second.getMatchingIndexingMap(input);
    places.push_back(readResult(first, input) ? -1 : int(inputs.placeOf(input->get(), map)));
  }
  SmallVector<AffineMap> maps = inputs.maps;
  llvm::append_range(maps, outputMaps);

  rewriter.setInsertionPoint(place);
  if (place == first)
    for (Value used : valuesUsedBy(second))
      moveBefore(first, used.getDefiningOp(), rewriter);
  Location loc = rewriter.getFusedLoc({first.getLoc(), second.getLoc()});
  auto fused = linalg::GenericOp::create(
      rewriter, loc, ValueRange(outputs).getTypes(), inputs.values, outputs, maps,
      first.getIteratorTypesArray(), [&](OpBuilder &builder, Location, ValueRange args) {
        ValueRange inputArgs = args.take_front(inputs.values.size()),
                   outputArgs = args.drop_front(inputs.values.size());
        IRMapping mapping;
        SmallVector<Value> yielded;
        auto clone = [&](linalg::GenericOp op) {
          for (Operation &inner : op.getBody()->without_terminator())
            builder.clone(inner, mapping);
          for (Value value : op.getBody()->getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        };
        mapping.map(first.getRegionInputArgs(), inputArgs.take_front(first.getNumDpsInputs()));
        mapping.map(first.getRegionOutputArgs(), outputArgs.take_front(first.getNumDpsInits()));
        clone(first);
        for (auto [input, arg, at] :
             llvm::zip_equal(second.getDpsInputOperands(), second.getRegionInputArgs(), places))
          mapping.map(arg, at >= 0 ? inputArgs[at]
                                   : yielded[readResult(first, input).getResultNumber()]);
        mapping.map(second.getRegionOutputArgs(), outputArgs.drop_front(first.getNumDpsInits()));
        clone(second);
        linalg::YieldOp::create(builder, loc, yielded);
      });
  rewriter.replaceAllUsesWith(first.getResults(),
                              fused.getResults().take_front(first.getNumResults()));
  rewriter.replaceAllUsesWith(second.getResults(),
                              fused.getResults().drop_front(first.getNumResults()));
  rewriter.eraseOp(second);
  rewriter.eraseOp(first);
  DominanceInfo dominance(fused);
  eliminateCommonSubExpressions(rewriter, dominance, fused);
  return fused;
}

bool isWorthFusing(linalg::GenericOp first, linalg::GenericOp second) {
  return haveSameLoops(first, second) && readsElementByElement(first, second) &&
         first->getNumOperands() + second->getNumOperands() <= maxOperands &&
         first->getNumResults() + second->getNumResults() <= maxResults &&
         shareInput(first, second);
}

class BlockFuser {
public:
  explicit BlockFuser(IRRewriter &rewriter) : rewriter(rewriter) {}

  void run(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto kernel = dyn_cast<linalg::GenericOp>(op);
      if (!isPassable(op)) {
        last.clear();
      } else if (kernel && isCandidate(kernel)) {
        while (fuseWithEarlier(kernel))
          continue;
        remember(kernel);
      }
    }
  }

private:
  /// Fuses `kernel` with the last kernel that shares one of its inputs, and replaces it; true if
  /// there may be another.
  bool fuseWithEarlier(linalg::GenericOp &kernel) {
    for (Value input : kernel.getDpsInputs()) {
      linalg::GenericOp first = last.lookup(input);
      if (!first || !isWorthFusing(first, kernel))
        continue;
      if (Operation *place = findPlace(first, kernel)) {
        bool stays = place == kernel;
        kernel = replace(first, kernel, place);
        return stays; // a kernel that moved up precedes others that share its inputs
      }
    }
    return false;
  }

  linalg::GenericOp replace(linalg::GenericOp first, linalg::GenericOp second, Operation *place) {
    for (Value input : first.getInputs())
      if (last.lookup(input) == first)
        last.erase(input);
    // Readers of the first kernel's results are kept.
    SmallVector<linalg::GenericOp> readers;
    for (Value computed : first.getResults()) {
      readers.push_back(last.lookup(computed));
      last.erase(computed);
    }
    linalg::GenericOp fused = fuse(first, second, place, rewriter);
    remark::passed(fused.getLoc(),
                   remark::RemarkOpts::name("SiblingsFused").category("ds-fuse-siblings"))
        << "two kernels that read the same values"
        << remark::metric("inputs", fused.getNumDpsInputs());
    for (auto [reader, computed] : llvm::zip(readers, fused.getResults()))
      if (reader && reader != first)
        last[computed] = reader;
    return fused;
  }

  void remember(linalg::GenericOp op) {
    for (Value input : op.getInputs())
      last[input] = op;
    for (Value computed : op.getResults())
      last.try_emplace(computed, op);
  }

  IRRewriter &rewriter;
  llvm::DenseMap<Value, linalg::GenericOp> last; // the last kernel that read or computed each value
};

struct FuseSiblings final : ds::impl::FuseSiblingsPassBase<FuseSiblings> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        BlockFuser(rewriter).run(*block);
    });
  }
};

} // namespace

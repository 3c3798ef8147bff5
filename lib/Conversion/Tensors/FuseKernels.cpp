//===- FuseKernels.cpp - Which elementwise operations to fuse ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's fusion patterns under our own control: a kernel is a pass over memory, so a producer
// with one use is fused unless that repeats expensive arithmetic, and a producer with several uses
// only if repeating it is cheaper than storing it. Reshapes are moved through kernels so that they
// do not stand between producers and consumers.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Repeating up to this many operations on up to this many large inputs costs less than a store and
/// a load.
constexpr size_t maxCheapOps = 4;
constexpr int maxCheapInputs = 3;
/// .. and up to this many if the result takes several times the bytes of what it is made of: bytes
/// of images as floats, or as indices of 64 bits that are checked against both ends.
constexpr size_t maxWideningOps = 12;
constexpr unsigned manyTimes = 4;
/// A body that repeats producers grows up to this size. Without a limit a chain in which every
/// value is used twice (the rounds of a random number generator) grows exponentially.
constexpr size_t maxRepeatedOps = 24;
/// A body grows up to this size: each fusion writes it anew, and so would take quadratic time for a
/// chain of thousands of operations. A pass over memory is nothing beside as much arithmetic.
constexpr size_t maxOps = 256;
/// A function of math becomes as many instructions, more or less. LLVM's vectoriser takes quadratic
/// time in those of a loop.
constexpr size_t opsOfFunction = 16;
/// A value of so many uses is worth its memory.
constexpr unsigned manyUses = 64;
/// More inputs than this spill the pointers of the innermost loop.
constexpr unsigned maxInputs = 24;

bool readsInit(linalg::GenericOp op) {
  return llvm::any_of(op.getRegionOutputArgs(), [](BlockArgument arg) { return !arg.use_empty(); });
}

/// Transcendental functions and reads of whole captured tensors; division counts as cheap.
bool isHeavy(linalg::GenericOp op) {
  return llvm::any_of(*op.getBody(), [](Operation &inner) {
    return inner.getDialect() &&
           (isa<math::MathDialect>(inner.getDialect()) || isa<tensor::ExtractOp>(inner));
  });
}

/// Operations of the body, or more than any limit.
size_t opsOf(linalg::GenericOp op) {
  size_t count = 0;
  for (auto it = op.getBody()->begin(); it != op.getBody()->end() && count <= maxOps; ++it)
    ++count;
  return count;
}

bool isOneInstruction(Operation &op) {
  return isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::FmaOp, math::CopySignOp, math::FloorOp,
             math::CeilOp, math::TruncOp, math::RoundEvenOp>(op);
}

/// What the limit of a body's size counts.
size_t workOf(linalg::GenericOp op) {
  size_t work = 0;
  for (Operation &inner : *op.getBody())
    work += isa_and_nonnull<math::MathDialect>(inner.getDialect()) && !isOneInstruction(inner)
                ? opsOfFunction
                : 1;
  return work;
}

/// The rounds of all loops.
int64_t volume(linalg::GenericOp op) {
  return ShapedType::getNumElements(op.getStaticLoopRanges());
}

/// A producer that only renames elements or yields constants: always worth removing.
bool isTrivial(linalg::GenericOp op) {
  return llvm::hasSingleElement(*op.getBody()) && !readsInit(op);
}

/// Bits of an element that is stored; 0 for what is no number.
unsigned bitsOf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isIntOrFloat() ? std::max(8u, element.getIntOrFloatBitWidth()) : 0;
}

/// True if the result takes many times the memory of what its elements are made of, each of one.
bool isWidening(linalg::GenericOp op) {
  unsigned bits = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (type && type.getNumElements() * 4 > volume(op))
      bits += op.getMatchingIndexingMap(input).isPermutation() ? bitsOf(input->get()) : 1 << 16;
  }
  return op->getNumResults() == 1 && bits > 0 && bits * manyTimes <= bitsOf(op->getResult(0));
}

/// True if a user that no kernel can be fused into has the value written to memory anyway; with
/// many users nobody looks for one, each time anew.
bool isStoredAnyway(Value value) {
  if (value.hasNUsesOrMore(manyUses))
    return true;
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto kernel = dyn_cast<linalg::GenericOp>(user))
      return ds::isContraction(kernel);
    return !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user) ||
           isStoredAnyway(user->getResult(0));
  });
}

/// True if the consumer reads all that the producer reads of its own size.
bool readsInputsOf(linalg::GenericOp producer, linalg::GenericOp consumer) {
  return llvm::all_of(producer.getDpsInputOperands(), [&](OpOperand *input) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    return !type || type.getNumElements() * 4 <= volume(producer) ||
           llvm::is_contained(consumer.getDpsInputs(), input->get());
  });
}

bool isWorthFusing(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock())
    return false;
  if (ds::isContraction(producer) || ds::isContraction(consumer) ||
      !producer.isAllParallelLoops() || readsInit(producer) || !consumer.isDpsInput(operand))
    return false;
  if (!consumer.getMatchingIndexingMap(operand).isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  if (producer.getNumDpsInputs() + consumer.getNumDpsInputs() > maxInputs)
    return false;
  if (isTrivial(producer))
    return true;
  if (workOf(producer) + workOf(consumer) > maxOps)
    return false;
  // Reading what is there costs no more than reading what it was made of, which need not be kept.
  if (llvm::any_of(producer->getResults(), isStoredAnyway) && !readsInputsOf(producer, consumer))
    return false;
  bool heavy = isHeavy(producer);
  if (producer->hasOneUse() || llvm::all_of(producer->getUsers(), [&](Operation *user) {
        return user == consumer.getOperation();
      }))
    return !heavy || volume(consumer) <= volume(producer);
  if (opsOf(producer) + opsOf(consumer) > maxRepeatedOps)
    return false;
  if (heavy)
    return consumer.isAllParallelLoops() && volume(consumer) == volume(producer) &&
           consumer.getMatchingIndexingMap(operand).isIdentity();
  int largeInputs = llvm::count_if(producer.getDpsInputOperands(), [&](OpOperand *input) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    return type && type.getNumElements() * 4 > volume(producer);
  });
  size_t cheap = isWidening(producer) ? maxWideningOps : maxCheapOps;
  return opsOf(producer) - 1 <= cheap && largeInputs <= maxCheapInputs;
}

/// The order of the program while it is rewritten: a new operation takes the place of the one
/// before which it is made. A block's own order is numbered anew, as a whole, after a few
/// insertions at one place, which is quadratic for a chain of fusions.
class ProgramOrder final : public RewriterBase::Listener {
public:
  explicit ProgramOrder(ArrayRef<Operation *> program) {
    place.reserve(program.size());
    for (Operation *op : program)
      place[op] = place.size();
  }

  bool isBefore(Operation *a, Operation *b) const { return place.lookup(a) < place.lookup(b); }

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    Operation *next = op->getNextNode();
    place[op] = next ? place.lookup(next) : unsigned(-1);
  }

private:
  DenseMap<Operation *, unsigned> place;
};

/// The nearest producer goes first. The other order walks a chain in which a value is used twice
/// per step (x ^ x >> 16 in a hash of positions) once for every path through it.
bool shouldFuse(OpOperand *operand, const ProgramOrder &order) {
  if (!isWorthFusing(operand))
    return false;
  Operation *producer = operand->get().getDefiningOp();
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  return llvm::none_of(consumer.getDpsInputOperands(), [&](OpOperand *other) {
    Operation *nearer = other->get().getDefiningOp();
    return nearer && nearer->getBlock() == producer->getBlock() &&
           order.isBefore(producer, nearer) && linalg::areElementwiseOpsFusable(other) &&
           isWorthFusing(other);
  });
}

/// True if a reshape only adds or drops dimensions of one element. Kernels have none, and moved
/// through one such a dimension comes back in the next: two reshapes of a padded value chase each
/// other for ever.
template <typename ReshapeOp> bool isOfUnitDims(ReshapeOp reshape, RankedTensorType expanded) {
  return llvm::all_of(reshape.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return expanded.getDimSize(dim) != 1; }) <= 1;
  });
}

bool shouldMoveReshape(OpOperand *operand) {
  for (Operation *op : {operand->get().getDefiningOp(), operand->getOwner()}) {
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    if (generic &&
        (ds::isContraction(generic) || !generic.isAllParallelLoops() || readsInit(generic)))
      return false;
    if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
      if (isOfUnitDims(expand, expand.getResultType()))
        return false;
    if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
      if (isOfUnitDims(collapse, collapse.getSrcType()))
        return false;
  }
  return true;
}

/// Merges what fusion repeated in a body: a producer that was fused on two ways to one consumer.
struct MergeEqualScalars final : OpRewritePattern<linalg::GenericOp> {
  explicit MergeEqualScalars(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    DominanceInfo dominance(op);
    bool changed = false;
    eliminateCommonSubExpressions(rewriter, dominance, op, &changed);
    return success(changed);
  }
};

struct FuseKernels final : ds::impl::FuseKernelsPassBase<FuseKernels> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // A second round finds what the first one's reshapes uncovered.
    for (int round = 0; round < 2; ++round) {
      SmallVector<Operation *> ops;
      getOperation().getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
      ProgramOrder order(ops);
      auto fuses = [&](OpOperand *operand) { return shouldFuse(operand, order); };
      RewritePatternSet patterns(context);
      patterns.add<MergeEqualScalars>(context);
      linalg::populateElementwiseOpsFusionPatterns(patterns, fuses);
      linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldMoveReshape);
      linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
      linalg::populateConstantFoldLinalgOperations(patterns, fuses);
      tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
      tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
      tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
      linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
      GreedyRewriteConfig config;
      config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
      // The return is left out: it has an operand for every result, and would be looked at again
      // whenever one of them is rewritten.
      config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
      llvm::erase_if(ops, llvm::IsaPred<func::ReturnOp>);
      config.setListener(&order);
      // The driver takes the last one first.
      std::reverse(ops.begin(), ops.end());
      if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
        return signalPassFailure();
    }
  }
};

} // namespace

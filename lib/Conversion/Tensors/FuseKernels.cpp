//===- FuseKernels.cpp - Choose elementwise operations to fuse --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's fusion patterns with a cost model of ds: a kernel is a pass over memory, so a producer
// with one use is fused unless that repeats expensive arithmetic, and a producer with several uses
// only if repeating it is cheaper than storing it. Reshapes are moved through kernels so that they
// do not separate producers from consumers.
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
#include "mlir/IR/Remarks.h"
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
/// .. and up to this many if the result has several times the bytes of its inputs: bytes of images
/// as floats, or as indices of 64 bits that are checked against both ends.
constexpr size_t maxWideningOps = 12;
constexpr unsigned manyTimes = 4;
/// The largest body that repeats producers. Without a limit a chain in which every value is used
/// twice (the rounds of a random number generator) would grow exponentially.
constexpr size_t maxRepeatedOps = 24;
/// The largest body: each fusion rewrites it, which would take quadratic time for a chain of
/// thousands of operations. Compared with that much arithmetic a pass over memory costs little.
constexpr size_t maxOps = 256;
/// A function of math becomes about this many instructions. The time of LLVM's vectoriser is
/// quadratic in the instructions of a loop.
constexpr size_t opsOfFunction = 16;
/// A value with this many uses is worth its memory.
constexpr unsigned manyUses = 64;
/// More inputs than this spill the pointers of the innermost loop.
constexpr unsigned maxInputs = 24;

bool readsInit(linalg::GenericOp op) {
  return llvm::any_of(op.getRegionOutputArgs(), [](BlockArgument arg) { return !arg.use_empty(); });
}

/// True for transcendental functions and reads of whole captured tensors; division counts as cheap.
bool isHeavy(linalg::GenericOp op) {
  return llvm::any_of(*op.getBody(), [](Operation &inner) {
    return inner.getDialect() &&
           (isa<math::MathDialect>(inner.getDialect()) || isa<tensor::ExtractOp>(inner));
  });
}

/// Returns the number of operations in the body, or a number above any limit.
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

/// Returns the size of a body that is compared with maxOps.
size_t workOf(linalg::GenericOp op) {
  size_t work = 0;
  for (Operation &inner : *op.getBody())
    work += isa_and_nonnull<math::MathDialect>(inner.getDialect()) && !isOneInstruction(inner)
                ? opsOfFunction
                : 1;
  return work;
}

/// Returns the number of iterations of all loops.
int64_t volume(linalg::GenericOp op) {
  return ShapedType::getNumElements(op.getStaticLoopRanges());
}

/// True for a producer that only renames elements or yields constants, which is always worth
/// removing.
bool isTrivial(linalg::GenericOp op) {
  return llvm::hasSingleElement(*op.getBody()) && !readsInit(op);
}

/// Returns the bits of a stored element; 0 if it is no number.
unsigned bitsOf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isIntOrFloat() ? std::max(8u, element.getIntOrFloatBitWidth()) : 0;
}

/// True if the result has many times the memory of its inputs, and each element depends on one
/// element of each.
bool isWidening(linalg::GenericOp op) {
  unsigned bits = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (type && type.getNumElements() * 4 > volume(op))
      bits += op.getMatchingIndexingMap(input).isPermutation() ? bitsOf(input->get()) : 1 << 16;
  }
  return op->getNumResults() == 1 && bits > 0 && bits * manyTimes <= bitsOf(op->getResult(0));
}

/// True if the value is stored in any case, since no kernel can be fused into one of its users.
/// Values with many users count as stored: searching all users each time would be slow.
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

/// True if the consumer reads all inputs of the producer that are as large as its result.
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
  // A value that is stored anyway is as cheap to read as the producer's inputs, which then need not
  // be kept.
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

/// Keeps the order of the program while it is rewritten: a new operation gets the position of the
/// one before which it is created. A block renumbers all its operations after a few insertions at
/// one place, which is quadratic for a chain of fusions.
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

/// Fuses the nearest producer first. The reverse order would visit a chain in which a value is used
/// twice per step (x ^ x >> 16 in a hash of positions) once for every path through it.
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

/// True if a reshape only adds or drops dimensions of one element. Kernels have no such dimensions,
/// and one that is moved through a kernel returns in the next reshape: two reshapes of a padded
/// value would alternate for ever.
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

/// Merges operations that fusion repeated in a body: a producer may be fused into one consumer on
/// two paths.
struct MergeEqualScalars final : OpRewritePattern<linalg::GenericOp> {
  explicit MergeEqualScalars(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    DominanceInfo dominance(op);
    bool changed = false;
    eliminateCommonSubExpressions(rewriter, dominance, op, &changed);
    return success(changed);
  }
};

int64_t countKernels(func::FuncOp step) {
  int64_t count = 0;
  step.walk([&](linalg::LinalgOp) { ++count; });
  return count;
}

struct FuseKernels final : ds::impl::FuseKernelsPassBase<FuseKernels> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    const bool remarks = context->getRemarkEngine();
    const int64_t before = remarks ? countKernels(getOperation()) : 0;
    // A second round fuses what the moved reshapes of the first one have uncovered.
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
      // The return is left out: it has an operand for every result, and would be visited again
      // whenever one of them is rewritten.
      config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
      llvm::erase_if(ops, llvm::IsaPred<func::ReturnOp>);
      config.setListener(&order);
      // The driver starts from the last operation.
      std::reverse(ops.begin(), ops.end());
      if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
        return signalPassFailure();
    }
    if (remarks)
      remark::passed(getOperation().getLoc(),
                     remark::RemarkOpts::name("KernelsFused").category("ds-fuse-kernels"))
          << "kernels of the step" << remark::metric("before", before)
          << remark::metric("after", countKernels(getOperation()));
  }
};

} // namespace

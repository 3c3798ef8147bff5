//===- VerifySpmd.cpp - all ranks meet in the same collectives --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank runs the same program, so ranks can only part where control depends on a value that
// differs between them. Both branches of such a condition must hold the same sequence of
// collectives, and such a loop none. A started collective is waited for in the block of its start,
// and nothing between the two touches its buffers. Ranks and shares named by an operation must
// exist in the configuration. One walk per function, and one
// fixpoint of rank dependence where control flow holds a collective.
//
//===----------------------------------------------------------------------===//

#include "RankDependence.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace ds {
#define GEN_PASS_DEF_VERIFYSPMDPASS
#include "ds/Transforms/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

//===----------------------------------------------------------------------===//
// Sequences of collectives
//===----------------------------------------------------------------------===//

static SmallVector<Operation *> collectivesIn(Region &region) {
  SmallVector<Operation *> collectives;
  region.walk([&](Operation *op) {
    if (isCollective(op) || isa<CallOpInterface>(op))
      collectives.push_back(op);
  });
  return collectives;
}

/// Whether ranks that run 'a' and ranks that run 'b' meet; bucket and names are nothing ranks
/// exchange.
static bool meet(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getOperandTypes() != b->getOperandTypes())
    return false;
  return llvm::all_of(ArrayRef<StringRef>{"kind", "group", "root", "dim", "callee"},
                      [&](StringRef name) { return a->getAttr(name) == b->getAttr(name); });
}

static bool holdsCollective(ArrayRef<Operation *> ops) { return llvm::any_of(ops, isCollective); }

/// The first place where two regions part; null if they hold the same sequence.
static Operation *findDifference(ArrayRef<Operation *> a, ArrayRef<Operation *> b) {
  for (auto [first, second] : llvm::zip(a, b))
    if (!meet(first, second))
      return first;
  if (a.size() == b.size())
    return nullptr;
  return a.size() > b.size() ? a[b.size()] : b[a.size()];
}

static LogicalResult verifyBranches(Operation *branch,
                                    ArrayRef<SmallVector<Operation *>> sequences) {
  for (size_t i = 1; i < sequences.size(); ++i)
    if (Operation *lone = findDifference(sequences[0], sequences[i])) {
      InFlightDiagnostic diag = branch->emitError(
          "the condition can differ between ranks, and its branches hold different collectives");
      diag.attachNote(lone->getLoc()) << "some ranks would wait here for the others";
      return diag;
    }
  return success();
}

/// Operands that decide which region runs or how often.
static ValueRange controlOperands(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return op->getOperands().take_front(3);
  return op->getOperands();
}

static LogicalResult verifyControl(Operation *op,
                                   llvm::function_ref<const RankDependence &()> getDependence) {
  SmallVector<SmallVector<Operation *>> sequences;
  bool any = false;
  for (Region &region : op->getRegions()) {
    sequences.push_back(collectivesIn(region));
    any |= holdsCollective(sequences.back());
  }
  if (!any)
    return success();
  const RankDependence &dependence = getDependence();
  bool differs = llvm::any_of(controlOperands(op), [&](Value v) { return dependence.differs(v); });
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    differs = dependence.differs(loop.getConditionOp().getCondition());
  if (!differs)
    return success();
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return verifyBranches(op, sequences);
  return op->emitError("the number of iterations can differ between ranks, and the loop holds a "
                       "collective");
}

static LogicalResult verifyBlocks(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (body.empty() || body.hasOneBlock() || !holdsCollective(collectivesIn(body)))
    return success();
  return function.emitError("expected structured control flow around collectives, got ")
         << llvm::range_size(body) << " blocks";
}

//===----------------------------------------------------------------------===//
// Started collectives
//===----------------------------------------------------------------------===//

/// The value a buffer is a view of.
static Value baseOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether the operation, or one inside it, may read or write memory of 'base'.
static bool touches(Operation *op, Value base) {
  return op
      ->walk([&](Operation *inner) {
        bool uses = llvm::any_of(inner->getOperands(), [&](Value operand) {
          return isa<BaseMemRefType>(operand.getType()) && baseOf(operand) == base;
        });
        return uses && !isMemoryEffectFree(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult verifyFlight(AllReduceStartOp start) {
  Operation *wait = *start.getPending().user_begin();
  if (wait->getBlock() != start->getBlock()) {
    InFlightDiagnostic diag =
        start.emitError("expected its 'ds.wait' in the same block, so that every path waits");
    diag.attachNote(wait->getLoc()) << "waited for here";
    return diag;
  }
  for (Value buffer : start.getInputs()) {
    if (!isa<BaseMemRefType>(buffer.getType()))
      continue;
    for (Operation *op = start->getNextNode(); op != wait; op = op->getNextNode())
      if (touches(op, baseOf(buffer))) {
        InFlightDiagnostic diag = op->emitError("touches a buffer in flight");
        diag.attachNote(start.getLoc()) << "started here";
        diag.attachNote(wait->getLoc()) << "waited for here";
        return diag;
      }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ranks of the configuration
//===----------------------------------------------------------------------===//

static LogicalResult verifyRanks(CollectiveOpInterface op, int64_t ranks) {
  DenseI64ArrayAttr group = op.getRanks();
  for (int64_t rank : group ? group.asArrayRef() : ArrayRef<int64_t>())
    if (rank >= ranks)
      return op->emitError("expected ranks of 'group' below ") << ranks << ", got " << rank;
  if (auto root = op->getAttrOfType<IntegerAttr>("root"); root && root.getInt() >= ranks)
    return op->emitError("expected a root below ") << ranks << ", got " << root.getInt();
  std::optional<int64_t> dim = op.getSharedDim();
  if (!dim || group)
    return success();
  auto size = [&](ValueRange values) {
    return cast<ShapedType>(values.front().getType()).getDimSize(*dim);
  };
  int64_t n = size(op.getWholes()) / size(op.getParts());
  if (n != ranks)
    return op->emitError("expected ") << ranks << " shares, got " << n;
  return success();
}

namespace {

struct VerifySpmd final : ds::impl::VerifySpmdPassBase<VerifySpmd> {
  using VerifySpmdPassBase::VerifySpmdPassBase;

  void runOnOperation() final {
    FailureOr<Config> config = getConfig(getOperation());
    if (failed(config))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(verify(function, config->deviceNum())))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult verify(FunctionOpInterface function, std::optional<int64_t> ranks) {
    if (failed(verifyBlocks(function)))
      return failure();
    // Only control flow that holds collectives asks.
    std::optional<RankDependence> dependence;
    auto getDependence = [&]() -> const RankDependence & {
      return dependence ? *dependence : dependence.emplace(function);
    };
    auto verifyOperation = [&](Operation *op) {
      if (auto collective = dyn_cast<CollectiveOpInterface>(op);
          ranks && collective && failed(verifyRanks(collective, *ranks)))
        return WalkResult::interrupt();
      auto start = dyn_cast<AllReduceStartOp>(op);
      if (start && failed(verifyFlight(start)))
        return WalkResult::interrupt();
      return op->getNumRegions() > 0 ? WalkResult(verifyControl(op, getDependence))
                                     : WalkResult::advance();
    };
    return failure(walkUnits(function, verifyOperation).wasInterrupted());
  }
};

} // namespace

//===- VerifySpmd.cpp - all ranks run equal collectives ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank runs the same program, so ranks diverge only where control flow depends on a value
// that differs between them. Both branches of such a condition must hold the same sequence of
// collectives, and such a loop none. The wait of a started collective is in the block of its start,
// and no operation between the two accesses its buffers. Ranks and shares named by an operation
// must exist in the configuration. One walk per function, and one fixpoint of rank dependence where
// control flow holds a collective.
//
//===----------------------------------------------------------------------===//

#include "Utils/RankDependence.h"
#include "ds/Analysis/InFlight.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"

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

/// True if ranks that run 'a' and ranks that run 'b' take part in one collective. Bucket and names
/// may differ, since ranks do not exchange them.
static bool meet(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getOperandTypes() != b->getOperandTypes())
    return false;
  return llvm::all_of(
      ArrayRef<StringRef>{"kind", "group", "root", "dim", "split", "concat", "sources", "callee"},
      [&](StringRef name) { return a->getAttr(name) == b->getAttr(name); });
}

static bool holdsCollective(ArrayRef<Operation *> ops) { return llvm::any_of(ops, isCollective); }

/// Returns the first collective in which two regions differ; null if they hold the same sequence.
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

/// Returns the axes along which a difference between ranks matters: those of the collectives, or
/// all axes for a collective of all ranks. Without a mesh a single null, for any difference.
static SmallVector<StringAttr> axesOf(ArrayRef<SmallVector<Operation *>> sequences,
                                      Operation *holder) {
  std::vector<MeshAxis> mesh = getMesh(holder);
  if (mesh.empty())
    return {StringAttr()};
  llvm::SetVector<StringAttr> axes;
  for (ArrayRef<Operation *> sequence : sequences)
    for (Operation *op : sequence) {
      auto collective = dyn_cast<CollectiveOpInterface>(op);
      if (auto group = collective ? dyn_cast_if_present<ArrayAttr>(collective.getRanks()) : nullptr)
        for (auto axis : group.getAsRange<StringAttr>())
          axes.insert(axis);
      else
        for (const MeshAxis &axis : mesh)
          axes.insert(StringAttr::get(op->getContext(), axis.name));
    }
  return axes.takeVector();
}

static LogicalResult
verifyControl(Operation *op,
              llvm::function_ref<const RankDependence &(StringAttr axis)> getDependence) {
  SmallVector<SmallVector<Operation *>> sequences;
  bool any = false;
  for (Region &region : op->getRegions()) {
    sequences.push_back(collectivesIn(region));
    any |= holdsCollective(sequences.back());
  }
  if (!any)
    return success();
  SmallVector<Value> decides = getDeciders(op).value_or(SmallVector<Value>(op->getOperands()));
  bool differs = llvm::any_of(axesOf(sequences, op), [&](StringAttr axis) {
    const RankDependence &dependence = getDependence(axis);
    return llvm::any_of(decides, [&](Value value) { return dependence.differs(value); });
  });
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
// Ranks of the configuration
//===----------------------------------------------------------------------===//

static LogicalResult verifyRanks(CollectiveOpInterface op) {
  Attribute group = op.getRanks();
  std::optional<int64_t> ranks = getGroupSize(op, Attribute());
  if (auto listed = dyn_cast_if_present<DenseI64ArrayAttr>(group); listed && ranks)
    for (int64_t rank : listed.asArrayRef())
      if (rank >= *ranks)
        return op->emitError("expected ranks of 'group' below ") << *ranks << ", got " << rank;
  std::optional<int64_t> members = getGroupSize(op, group);
  std::optional<int64_t> roots = isa_and_present<ArrayAttr>(group) ? members : ranks;
  if (auto root = op->getAttrOfType<IntegerAttr>("root"); root && roots && root.getInt() >= *roots)
    return op->emitError("expected a root below ") << *roots << ", got " << root.getInt();
  if (isa_and_present<ArrayAttr>(group) && !members)
    return op->emitError("expected axes of the mesh in 'group', got ") << group;
  if (auto sources = op.getSources();
      sources && members && static_cast<int64_t>(sources->size()) != *members)
    return op->emitError("expected a source for each of ")
           << *members << " ranks, got " << sources->size();
  if ((!op.getSplitDim() && !op.getConcatDim()) || !members)
    return success();
  if (std::optional<int64_t> n = getNumShares(op)) {
    if (*n != *members)
      return op->emitError("expected ") << *members << " shares, got " << *n;
    return success();
  }
  int64_t dim = *op.getSplitDim();
  for (Value whole : op.getWholes())
    if (int64_t size = cast<ShapedType>(whole.getType()).getDimSize(dim); size % *members != 0)
      return op->emitError("expected a multiple of ")
             << *members << " in dimension " << dim << ", got " << size;
  return success();
}

namespace {

struct VerifySpmd final : ds::impl::VerifySpmdPassBase<VerifySpmd> {
  using VerifySpmdPassBase::VerifySpmdPassBase;

  void runOnOperation() final {
    if (failed(getConfig(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(verify(function)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult verify(FunctionOpInterface function) {
    if (failed(verifyBlocks(function)))
      return failure();
    // Computed on demand: only control flow that holds collectives needs it.
    llvm::MapVector<StringAttr, std::unique_ptr<RankDependence>> dependences; // by axis
    auto getDependence = [&](StringAttr axis) -> const RankDependence & {
      std::unique_ptr<RankDependence> &known = dependences[axis];
      if (!known)
        known = std::make_unique<RankDependence>(function, axis);
      return *known;
    };
    auto verifyOperation = [&](Operation *op) {
      if (auto collective = dyn_cast<CollectiveOpInterface>(op);
          collective && failed(verifyRanks(collective)))
        return WalkResult::interrupt();
      return op->getNumRegions() > 0 ? WalkResult(verifyControl(op, getDependence))
                                     : WalkResult::advance();
    };
    if (walkOutsideBodies(function, verifyOperation).wasInterrupted())
      return failure();
    return verifyInFlight(function);
  }
};

} // namespace

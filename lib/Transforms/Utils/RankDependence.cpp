//===- RankDependence.cpp - which values differ between ranks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward fixpoint that only ever adds values. An operation's results differ if an operand does
// or a value used inside it does; memory counts as different, because writes are not tracked.
//
//===----------------------------------------------------------------------===//

#include "RankDependence.h"
#include "ds/Analysis/StepFlow.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ds;

RankDependence::RankDependence(FunctionOpInterface function, StringAttr axis) : axis(axis) {
  std::vector<MeshAxis> mesh = getMesh(function);
  isBatchAxis = !axis || mesh.empty() || mesh.front().name == axis.getValue();
  // If one argument of samples has a layout, one without is replicated.
  dividesSamples = llvm::any_of(function.getArguments(), [&](BlockArgument argument) {
    return function.getArgAttr(argument.getArgNumber(), role::batch) &&
           function.getArgAttr(argument.getArgNumber(), role::layout);
  });
  for (BlockArgument argument : function.getArguments())
    if (startsDifferent(function, argument))
      differing.insert(argument);
  bool changed = true;
  while (changed) {
    changed = false;
    walkOutsideBodies(function, [&](Operation *op) {
      changed |= visit(op);
      return WalkResult::advance();
    });
    changed |= markCarried(function);
  }
}

bool RankDependence::startsDifferent(FunctionOpInterface function, BlockArgument argument) const {
  unsigned number = argument.getArgNumber();
  if (!function.isPublic() || isa<BaseMemRefType>(argument.getType()))
    return true;
  if (isBatchAxis) { // an annotation alone shards nothing yet: `ds-shard-optimizer` writes the
                     // layout
    bool holdsSamples = function.getArgAttr(number, role::batch) != nullptr;
    return function.getArgAttr(number, role::layout) ||
           function.getArgAttr(number, role::perRank) || (holdsSamples && !dividesSamples) ||
           isOfEachRank(function, number);
  }
  if (isOfEachRank(function, number))
    return true;
  auto sharding = function.getArgAttrOfType<ShardingAttr>(number, role::sharding);
  return axis && sharding && llvm::any_of(sharding.getDims(), [&](ArrayAttr axes) {
           return llvm::is_contained(axes, axis);
         });
}

/// True if the group spans ranks along the axis.
bool RankDependence::isAlong(Attribute group) const {
  auto axes = dyn_cast_if_present<ArrayAttr>(group);
  return !group || (axes && axis && llvm::is_contained(axes, axis));
}

/// A value that differs at the end of a step differs at the start of the next one.
bool RankDependence::markCarried(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || !body.front().mightHaveTerminator())
    return false;
  bool changed = false;
  for (OpOperand &result : body.front().getTerminator()->getOpOperands()) {
    auto updates =
        function.getResultAttrOfType<StringAttr>(result.getOperandNumber(), role::updates);
    if (!updates || !differs(result.get()))
      continue;
    for (BlockArgument argument : function.getArguments())
      if (paramOrState(function, argument.getArgNumber()) == updates.getValue())
        changed |= mark(argument);
  }
  return changed;
}

bool RankDependence::mark(ValueRange values) {
  bool changed = false;
  for (Value value : values)
    changed |= differing.insert(value).second;
  return changed;
}

bool RankDependence::anyDiffers(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return differs(value); });
}

bool RankDependence::visit(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (isa<RankOp, ReplicatedToPartialOp>(op) && (!axis || isAlong(op->getAttr("group"))))
    return mark(op->getResults());
  if (collective && !collective.makesAlike() && (!axis || isAlong(collective.getRanks())))
    return mark(op->getResults());
  // The result is equal on all participating ranks for any operands.
  if (collective && collective.makesAlike() && isAlong(collective.getRanks()))
    return false;
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op))
    return visitControl(cast<RegionBranchOpInterface>(op));
  WalkResult found = op->walk([&](Operation *inner) {
    bool readsMemory = llvm::any_of(inner->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    return readsMemory || anyDiffers(inner->getOperands()) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return false;
  bool changed = mark(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      changed |= mark(block.getArguments());
  return changed;
}

/// Follows carried values one by one, so that a loop over samples does not make its counter differ.
/// Where a condition or bound differs, all results differ.
bool RankDependence::visitControl(RegionBranchOpInterface control) {
  RegionBranchSuccessorMapping forwarded;
  control.getSuccessorOperandInputMapping(forwarded);
  bool changed = false, decides = false;
  auto visitOperands = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!differs(operand.get()))
        continue;
      auto targets = forwarded.find(&operand);
      if (targets == forwarded.end())
        decides = true;
      else
        changed |= mark(targets->second);
    }
  };
  visitOperands(control);
  for (Region &region : control->getRegions())
    for (Block &block : region)
      visitOperands(block.getTerminator());
  if (!decides)
    return changed;
  changed |= mark(control->getResults());
  for (Region &region : control->getRegions())
    for (Block &block : region)
      changed |= mark(block.getArguments());
  return changed;
}

std::optional<SmallVector<Value>> ds::getDeciders(Operation *op) {
  if (isa<scf::ForOp>(op)) // bounds and step
    return SmallVector<Value>(op->getOperands().take_front(3));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return SmallVector<Value>{loop.getConditionOp().getCondition()};
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return SmallVector<Value>(op->getOperands());
  return std::nullopt;
}

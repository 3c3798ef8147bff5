//===- ShardedBatch.cpp - A global step, placed for its ranks -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A replicated operand next to one that holds samples is required as a slice, unless its producer
// can compute the slice itself (demand). Values without data are cloned per use first, so that an
// activation and a weight of equal type do not share them.
//
//===----------------------------------------------------------------------===//
#include "ShardedBatch.h"

#include "Utils/StepPlan.h"

#include "ds/Dialect/IR/Roles.h"
#include "ds/Rewrite/InsertReshards.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {

//===----------------------------------------------------------------------===//
// Values without data
//===----------------------------------------------------------------------===//

/// True for empty tensors, splat constants, fills and broadcasts of constants: a copy per use costs
/// nothing.
static bool isConstantLike(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  DenseElementsAttr constant;
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (matchPattern(op, m_Constant(&constant)))
    return constant.isSplat();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() != 0)
    return false;
  auto isConstant = [&](OpOperand &operand) {
    if (operand.getOwner() == op && !linalgOp.payloadUsesValueFromOperand(&operand))
      return operand.get().getDefiningOp<tensor::EmptyOp>() != nullptr;
    return matchPattern(operand.get(), m_Constant());
  };
  // Own operands first: if one of them holds data, the body is not visited.
  return llvm::all_of(op->getOpOperands(), isConstant) &&
         llvm::all_of(llvm::make_pointee_range(getReadOperands(op)), isConstant);
}

void cloneConstantsPerUse(func::FuncOp step) {
  SmallVector<Operation *> shared;
  walkOutsideBodies(step, [&](Operation *op) {
    if (isConstantLike(op) && !op->use_empty())
      shared.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(shared)) {
    OpBuilder b(op);
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
      use.set(b.clone(*op)->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

LogicalResult checkPlaced(const StepFlow &flow, const StepPlacement &placement) {
  if (failed(checkSharded(placement)))
    return failure();
  auto isOpen = [&](OpOperand *operand) {
    return placement.wantsWhole(*operand) && placement.of(operand->get()).isPartial();
  };
  if (llvm::none_of(placement.required, [&](auto &entry) { return isOpen(entry.first); }))
    return success();
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (isOpen(operand))
        return op->emitError("operand #")
               << operand->getOperandNumber()
               << " is partial but must be whole here; run ds-insert-all-reduce first";
  llvm_unreachable("every use is one of an operation of the step");
}

/// Every rank holds all samples (`full_batch`): a use of an argument that requires a shard takes a
/// slice, and one that requires the whole reads the argument.
static void holdWhole(const StepFlow &flow, StepPlacement &placement) {
  llvm::DenseMap<Value, Placement> shards;
  func::FuncOp step = flow.step();
  for (const BatchArgument &argument : getBatchArguments(step)) {
    if (!placement.of(argument.argument).isSharded() ||
        !paramOrState(step, argument.argument.getArgNumber()).empty())
      continue; // its samples stay on the rank that computes them, from step to step
    shards[argument.argument] = placement.of(argument.argument);
    placement.placements[argument.argument] = Placement::replicated();
  }
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (auto shard = shards.find(operand->get()); shard != shards.end())
        placement.required.insert({operand, shard->second}); // unless another placement is required
}

FailureOr<std::unique_ptr<ShardedBatch>> shardBatch(ModuleOp module, StringRef entry) {
  FailureOr<Config> config = getConfig(module);
  if (failed(config))
    return failure();
  if (runsAlone(*config) || config->batch() == BatchSemantics::Local)
    return std::unique_ptr<ShardedBatch>();
  func::FuncOp step = getStep(module, entry);
  if (!step)
    return failure();
  std::optional<ReplicaGroup> ranks = getBatchRanks(module.getContext(), *config);
  if (!ranks)
    return step.emitError("batch = global needs the number of ranks; set device_num");
  cloneConstantsPerUse(step);
  auto batch = std::make_unique<ShardedBatch>(step, *ranks);
  auto &[flow, sharded] = *batch;
  if (failed(checkPlaced(flow, sharded.placement)))
    return failure();
  if (config->fullBatch())
    holdWhole(flow, sharded.placement);
  for (const PlacementConflict &conflict : sharded.placement.unsharded)
    conflict.op->emitWarning("every rank computes this for all samples: ")
        << conflict.reason << "; " << getGatheredBytes(flow, sharded.placement, conflict.op)
        << " bytes are gathered for it in each step";
  propagateBackward(flow, sharded.placement);
  insertReshards(flow, sharded.placement);
  return batch;
}

} // namespace ds

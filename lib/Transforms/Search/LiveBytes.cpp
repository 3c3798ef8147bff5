//===- LiveBytes.cpp - The memory of live values within a step ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep backward over each block: a value dies where it is read last. The live bytes of a
// nested block count at the operation that contains the block.
//
//===----------------------------------------------------------------------===//
#include "LiveBytes.h"

#include "ds/Analysis/StepRoles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {
namespace {

class LiveSweep {
public:
  LiveSweep(func::FuncOp step, const StrategyTask &task, bool gathersLate)
      : task(task), gathersLate(gathersLate) {
    for (const StepResult &result : getStepResults(step))
      if (result.parameter || result.state) // written over the old value
        inPlace.insert(result.operand->get());
  }

  int64_t ofBlock(Block &block) {
    llvm::DenseMap<Value, int64_t> alive;
    int64_t now = 0, most = 0;
    for (Operation &op : llvm::reverse(block)) {
      int64_t inside = 0;
      if (!isa<linalg::LinalgOp>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            inside = std::max(inside, ofBlock(inner));
      int64_t late = 0; // gathered for this operation alone
      op.walk([&](Operation *reader) {
        for (Value operand : reader->getOperands()) {
          Value memory = sourceOf(operand);
          if (gathersLate && task.gathered.contains(memory))
            late = std::max(late, getStoredBytes(memory));
          else if (memory.getParentBlock() == &block && !alive.contains(memory)) {
            alive[memory] = bytesOf(memory);
            now += alive[memory];
          }
        }
      });
      most = std::max(most, now + inside + late);
      for (Value result : op.getResults()) {
        auto it = alive.find(result);
        if (it == alive.end())
          continue;
        now -= it->second;
        alive.erase(it);
      }
    }
    return most;
  }

private:
  /// Returns the value whose memory `value` shows in another shape.
  static Value sourceOf(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
               ShardingConstraintOp>(op))
        break;
      value = op->getOperand(0);
    }
    return value;
  }

  int64_t bytesOf(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) || inPlace.contains(value) ||
        (op && (isa<tensor::EmptyOp, linalg::FillOp>(op) || op->hasTrait<OpTrait::ConstantLike>())))
      return 0;
    if (isa<BlockArgument>(value) && !task.gathered.contains(value))
      return 0;
    bool sharded = task.ofSamples.contains(value) ||
                   (task.ofUpdate.contains(value) && !task.gathered.contains(value));
    return getStoredBytes(value) / (sharded ? task.batchRanks : 1);
  }

  const StrategyTask &task;
  bool gathersLate;
  llvm::DenseSet<Value> inPlace;
};

} // namespace

int64_t estimateLiveBytes(func::FuncOp step, const StrategyTask &task, bool gathersLate) {
  return LiveSweep(step, task, gathersLate).ofBlock(step.getBody().front());
}

} // namespace ds

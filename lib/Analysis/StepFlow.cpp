//===- StepFlow.cpp - Control flow of a step, flattened -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk, linear in the number of operations. RegionBranchOpInterface gives which operands become
// which values, so every structured operation that implements it is followed alike. An operation
// with a result that no operand becomes (scf.parallel reduces its results itself) is not control
// flow here but one unit.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/StepFlow.h"

#include "ds/Analysis/Placement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace ds {

static constexpr int64_t unknownTripCount = 1000;

WalkResult walkOutsideBodies(Operation *root, llvm::function_ref<WalkResult(Operation *)> visit) {
  return root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (op == root)
      return WalkResult::advance();
    WalkResult result = visit(op);
    return result.wasInterrupted()     ? result
           : isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                       : WalkResult::advance();
  });
}

/// Collects which operands become which values; false if the operation is not control flow, or has
/// results that are made otherwise.
static bool forwardedOperands(Operation *op, RegionBranchSuccessorMapping &mapping) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return false;
  for (Region &region : op->getRegions())
    if (!region.empty() &&
        (!region.hasOneBlock() || !isa<RegionBranchTerminatorOpInterface>(region.front().back())))
      return false;
  branch.getSuccessorOperandInputMapping(mapping);
  llvm::DenseSet<Value> targets;
  for (auto &[operand, values] : mapping)
    targets.insert(values.begin(), values.end());
  return llvm::all_of(op->getResults(), [&](Value v) { return targets.contains(v); });
}

/// Returns the constant trip count of a loop; 1 for operations that are not loops.
static int64_t tripCountOf(Operation *op) {
  auto branch = cast<RegionBranchOpInterface>(op);
  if (!branch.hasLoop())
    return 1;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<APInt> count = loop ? loop.getStaticTripCount() : std::nullopt;
  return count && count->isIntN(62) ? std::max<int64_t>(1, count->getZExtValue())
                                    : unknownTripCount;
}

StepFlow::StepFlow(func::FuncOp step) : function(step) {
  enter(step.getBody().front(), 1, RegionBranchSuccessorMapping());
}

void StepFlow::addOperands(ArrayRef<OpOperand *> operands,
                           const RegionBranchSuccessorMapping &forwarded) {
  auto isRead = [&](OpOperand *operand) { return !forwarded.contains(operand); };
  unsigned begin = allOperands.size();
  llvm::copy_if(operands, std::back_inserter(allOperands), isRead);
  unsigned endOfReads = allOperands.size();
  llvm::copy_if(operands, std::back_inserter(allOperands), std::not_fn(isRead));
  operandsOf.push_back({begin, endOfReads, unsigned(allOperands.size())});
}

/// `forwarded` is the mapping that the operation around the block gives for itself and its
/// terminators.
void StepFlow::enter(Block &block, int64_t tripCount,
                     const RegionBranchSuccessorMapping &forwarded) {
  tripCounts[&block] = tripCount;
  for (Operation &op : block) {
    order[&op] = program.size();
    program.push_back(&op);
    RegionBranchSuccessorMapping mapping;
    if (!forwardedOperands(&op, mapping)) {
      addOperands(getReadOperands(&op), forwarded);
      continue;
    }
    addOperands(llvm::to_vector(llvm::make_pointer_range(op.getOpOperands())), mapping);
    auto addEdges = [&](Operation *from) {
      for (OpOperand &operand : from->getOpOperands()) {
        auto it = mapping.find(&operand);
        if (it == mapping.end()) {
          controlled[&op].push_back(&operand);
          continue;
        }
        for (Value target : it->second) {
          allEdges.push_back({&operand, target});
          targetsOf[&operand].push_back(target);
          sourcesOf[target].push_back(&operand);
        }
      }
    };
    controlled[&op];
    addEdges(&op);
    int64_t inner = 0;
    if (llvm::MulOverflow(tripCount, tripCountOf(&op), inner) || inner > (int64_t(1) << 40))
      inner = int64_t(1) << 40;
    for (Region &region : op.getRegions()) {
      if (region.empty())
        continue;
      enter(region.front(), inner, mapping);
      addEdges(region.front().getTerminator());
    }
  }
}

ArrayRef<OpOperand *> StepFlow::operands(Operation *op) const {
  OperandRange range = operandsOf[order.at(op)];
  return ArrayRef(allOperands).slice(range.begin, range.end - range.begin);
}

ArrayRef<OpOperand *> StepFlow::reads(Operation *op) const {
  OperandRange range = operandsOf[order.at(op)];
  return ArrayRef(allOperands).slice(range.begin, range.endOfReads - range.begin);
}

ArrayRef<OpOperand *> StepFlow::inputs(Value value) const {
  if (ArrayRef<OpOperand *> forwarded = sources(value); !forwarded.empty())
    return forwarded;
  Operation *op = value.getDefiningOp();
  return op ? reads(op) : ArrayRef<OpOperand *>();
}

ArrayRef<OpOperand *> StepFlow::decisions(Value value) const {
  auto it = controlled.find(isa<OpResult>(value) ? value.getDefiningOp()
                                                 : value.getParentBlock()->getParentOp());
  return it == controlled.end() ? ArrayRef<OpOperand *>() : ArrayRef<OpOperand *>(it->second);
}

ArrayRef<Value> StepFlow::targets(OpOperand &operand) const {
  auto it = targetsOf.find(&operand);
  return it == targetsOf.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

ArrayRef<OpOperand *> StepFlow::sources(Value value) const {
  auto it = sourcesOf.find(value);
  return it == sourcesOf.end() ? ArrayRef<OpOperand *>() : ArrayRef<OpOperand *>(it->second);
}

bool StepFlow::isControl(Operation *op) const {
  return holdsOperations(op) ||
         (op->hasTrait<OpTrait::IsTerminator>() && holdsOperations(op->getParentOp()));
}

void StepFlow::addDependents(llvm::DenseSet<Value> &values,
                             llvm::function_ref<bool(Operation *)> ends) const {
  auto depends = [&](OpOperand *operand) { return values.contains(operand->get()); };
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : operations()) {
      for (OpOperand &operand : op->getOpOperands())
        if (depends(&operand))
          for (Value target : targets(operand))
            changed |= values.insert(target).second && isa<BlockArgument>(target);
      if (ends(op) || !llvm::any_of(reads(op), depends))
        continue;
      // After a condition, the values that control flow makes depend on it.
      Operation *decided = isControl(op) && !holdsOperations(op) ? op->getParentOp() : op;
      values.insert(decided->result_begin(), decided->result_end());
    }
  }
}

void StepFlow::addOrigins(llvm::DenseSet<Value> &values,
                          llvm::function_ref<bool(Value)> ends) const {
  SmallVector<Value> work(values.begin(), values.end());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (ends(value))
      continue;
    for (OpOperand *input : llvm::concat<OpOperand *const>(inputs(value), decisions(value)))
      if (values.insert(input->get()).second)
        work.push_back(input->get());
  }
}

Operation *StepFlow::unitOf(Operation *op) const {
  while (!order.contains(op))
    op = op->getParentOp();
  return op;
}

int64_t StepFlow::tripCount(Value value) const { return tripCounts.lookup(value.getParentBlock()); }

std::pair<unsigned, unsigned> StepFlow::position(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {order.lookup(&argument.getOwner()->front()), 0};
  // Results of control flow are ready after everything inside it; no other value is ready there.
  Operation *op = value.getDefiningOp();
  Operation *last = op;
  while (holdsOperations(last)) {
    Region *region = nullptr;
    for (Region &each : last->getRegions())
      region = each.empty() ? region : &each;
    last = region->front().getTerminator();
  }
  return {order.lookup(last), cast<OpResult>(value).getResultNumber() + 1};
}

} // namespace ds

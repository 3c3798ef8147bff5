//===- StepFlow.h - Control flow of a step, flattened -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses sweep a step as one list of operations in program order: an operation with control
// flow (loops, branches) comes before the operations inside it. Where control flow forwards an
// operand (the start and the yield of a loop-carried value, the yields of a branch), the operand is
// a source of the value it becomes, not an operand that its operation computes with. A sweep over a
// step with loops is repeated until nothing changes.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_STEPFLOW_H
#define DS_ANALYSIS_STEPFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace ds {

/// Visits the operations below `root` in program order, but not the bodies of linalg operations,
/// which contain two thirds of all operations and no collective.
mlir::WalkResult walkOutsideBodies(mlir::Operation *root,
                                   llvm::function_ref<mlir::WalkResult(mlir::Operation *)> visit);

/// Returns all operations of one kind that `walkOutsideBodies` visits.
template <typename OpTy> llvm::SmallVector<OpTy> collectUnits(mlir::Operation *root) {
  llvm::SmallVector<OpTy> found;
  walkOutsideBodies(root, [&](mlir::Operation *op) {
    if (auto required = mlir::dyn_cast<OpTy>(op))
      found.push_back(required);
    return mlir::WalkResult::advance();
  });
  return found;
}

class StepFlow {
public:
  explicit StepFlow(mlir::func::FuncOp step);
  mlir::func::FuncOp step() const { return function; }

  /// All operations in program order, the return last. Bodies of operations that are one unit of
  /// work (linalg) are not entered. Valid until the step is rewritten.
  llvm::ArrayRef<mlir::Operation *> operations() const { return program; }

  /// Every operand of an operation of the list and of its body, except those of other operations of
  /// the list.
  llvm::ArrayRef<mlir::OpOperand *> operands(mlir::Operation *op) const;
  /// The operands that an operation computes with, without those that control flow forwards.
  llvm::ArrayRef<mlir::OpOperand *> reads(mlir::Operation *op) const;
  /// The operands that a value is computed from: the reads of its operation, or its sources.
  llvm::ArrayRef<mlir::OpOperand *> inputs(mlir::Value value) const;
  /// The conditions and bounds of the control flow that makes the value.
  llvm::ArrayRef<mlir::OpOperand *> decisions(mlir::Value value) const;

  /// The loop-carried values and results that an operand becomes.
  llvm::ArrayRef<mlir::Value> targets(mlir::OpOperand &operand) const;
  /// The operands that become the value; empty for all values but targets.
  llvm::ArrayRef<mlir::OpOperand *> sources(mlir::Value value) const;
  /// All pairs, in program order.
  struct Edge {
    mlir::OpOperand *operand;
    mlir::Value target;
  };
  llvm::ArrayRef<Edge> edges() const { return allEdges; }

  /// True if the operation is control flow: it contains operations of the list, or terminates a
  /// region.
  bool isControl(mlir::Operation *op) const;
  /// Returns the operation of the list to which `op` belongs: itself, or the one whose body
  /// contains it.
  mlir::Operation *unitOf(mlir::Operation *op) const;
  /// True if the operation is in the list and contains others of it.
  bool holdsOperations(mlir::Operation *op) const { return controlled.contains(op); }

  /// Adds every value that is computed from, or decided by, one of the values. Operations for which
  /// `ends` holds are not passed through.
  void addDependents(
      llvm::DenseSet<mlir::Value> &values, llvm::function_ref<bool(mlir::Operation *)> ends =
                                               [](mlir::Operation *) { return false; }) const;

  /// Adds every value from which one of the values is computed, or by which it is decided, but not
  /// the origins of values for which `ends` holds.
  void addOrigins(
      llvm::DenseSet<mlir::Value> &values,
      llvm::function_ref<bool(mlir::Value)> ends = [](mlir::Value) { return false; }) const;

  /// Returns how often a step computes the value: the product of the trip counts of its loops. A
  /// loop of unknown trip count counts as 1000.
  int64_t tripCount(mlir::Value value) const;
  /// The point at which the value becomes ready, increasing in program order.
  std::pair<unsigned, unsigned> position(mlir::Value value) const;

private:
  void enter(mlir::Block &block, int64_t tripCount,
             const mlir::RegionBranchSuccessorMapping &forwarded);
  void addOperands(llvm::ArrayRef<mlir::OpOperand *> operands,
                   const mlir::RegionBranchSuccessorMapping &forwarded);

  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Operation *> program;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  /// The operands of all operations, contiguous for each: first its reads, then those that control
  /// flow forwards. They are queried so often that looking into bodies each time would be half the
  /// cost of an analysis.
  struct OperandRange {
    unsigned begin, endOfReads, end;
  };
  std::vector<mlir::OpOperand *> allOperands;
  llvm::SmallVector<OperandRange> operandsOf; // by number in `program`
  llvm::DenseMap<mlir::Block *, int64_t> tripCounts;
  /// Operations with control flow, with the conditions and bounds that they and their terminators
  /// read.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::OpOperand *>> controlled;
  llvm::SmallVector<Edge> allEdges;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value, 2>> targetsOf;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpOperand *, 2>> sourcesOf;
};

} // namespace ds

#endif // DS_ANALYSIS_STEPFLOW_H

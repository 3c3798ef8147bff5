//===- StepFlow.h - Control flow of a step, flattened -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses sweep a step as one list of operations in program order: an operation with control
// flow (loops, branches) comes before the operations it holds. Where control flow forwards an
// operand (the start and the yield of a loop-carried value, the yields of a branch), the operand is
// a source of the value it becomes, not something its operation computes with. A sweep over a step
// with loops is repeated until nothing changes.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_STEPFLOW_H
#define DS_ANALYSIS_STEPFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace ds {

/// Visits the operations below `root` in program order, but not the bodies of linalg operations:
/// they hold two thirds of all operations, and no collective.
mlir::WalkResult walkOutsideBodies(mlir::Operation *root,
                                   llvm::function_ref<mlir::WalkResult(mlir::Operation *)> visit);

/// All operations of one kind that `walkOutsideBodies` visits.
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

  /// Every operand of an operation of the list and of its body, but for those of other operations
  /// of the list.
  llvm::ArrayRef<mlir::OpOperand *> operands(mlir::Operation *op) const;
  /// What an operation computes with: its operands without those that control flow forwards.
  llvm::ArrayRef<mlir::OpOperand *> reads(mlir::Operation *op) const;
  /// What the data of a value is made of: the reads of its operation, or its sources.
  llvm::ArrayRef<mlir::OpOperand *> inputs(mlir::Value value) const;
  /// The conditions and bounds of the control flow that makes the value.
  llvm::ArrayRef<mlir::OpOperand *> decisions(mlir::Value value) const;

  /// The loop-carried values and results that take over an operand.
  llvm::ArrayRef<mlir::Value> targets(mlir::OpOperand &operand) const;
  /// The operands that become the value; empty for anything but a target.
  llvm::ArrayRef<mlir::OpOperand *> sources(mlir::Value value) const;
  /// All pairs, in program order.
  struct Edge {
    mlir::OpOperand *operand;
    mlir::Value target;
  };
  llvm::ArrayRef<Edge> edges() const { return allEdges; }

  /// Whether the operation is of control flow: it holds operations of the list, or ends a region.
  bool isControl(mlir::Operation *op) const;
  /// The operation of the list to which `op` belongs: itself, or the one whose body holds it.
  mlir::Operation *unitOf(mlir::Operation *op) const;
  /// Whether the operation is of the list and holds others of it.
  bool holdsOperations(mlir::Operation *op) const { return controlled.contains(op); }

  /// Adds everything that is computed from, or decided by, one of the values. Operations for which
  /// `ends` holds hand nothing on.
  void addDependents(
      llvm::DenseSet<mlir::Value> &values, llvm::function_ref<bool(mlir::Operation *)> ends =
                                               [](mlir::Operation *) { return false; }) const;

  /// Adds everything that one of the values is computed from, or decided by, but not what those are
  /// for which `ends` holds.
  void addOrigins(
      llvm::DenseSet<mlir::Value> &values,
      llvm::function_ref<bool(mlir::Value)> ends = [](mlir::Value) { return false; }) const;

  /// How often a step computes the value: the product of the trip counts of its loops. A loop of
  /// unknown trip count counts as 1000.
  int64_t tripCount(mlir::Value value) const;
  /// Where the value becomes ready, increasing in program order.
  std::pair<unsigned, unsigned> position(mlir::Value value) const;

private:
  void enter(mlir::Block &block, int64_t tripCount,
             const mlir::RegionBranchSuccessorMapping &forwarded);
  void addOperands(llvm::ArrayRef<mlir::OpOperand *> operands,
                   const mlir::RegionBranchSuccessorMapping &forwarded);

  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Operation *> program;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  /// The operands of all operations, those of one side by side: first its reads, then what control
  /// flow forwards. Asked for so often that looking into bodies each time would be half the cost of
  /// an analysis.
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

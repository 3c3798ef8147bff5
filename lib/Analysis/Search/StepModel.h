//===- StepModel.h - A step as a model of choices ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation, an argument and a value that control flow carries is a variable, and so is a value
// with several readers: its labels give the placement in which it is made and that of a second
// version, which is paid once.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_STEPMODEL_H
#define DS_ANALYSIS_SEARCH_STEPMODEL_H

#include "StrategyCosts.h"

#include "ds/Analysis/Search/ShardingCandidates.h"
#include "ds/Plan/StrategySearch.h"

#include "llvm/ADT/MapVector.h"

namespace ds {

class StepModel {
public:
  StepModel(const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task);

  std::optional<StepStrategy> search() const;
  /// Returns the cost of each placement in which the value may be made.
  std::vector<Alternative> explain(mlir::Value value) const;

private:
  /// A variable, and a placement for each of its labels.
  struct Choice {
    unsigned variable;
    llvm::SmallVector<Placement> placements;
  };
  /// A value as it is made, and for each label a second version of it.
  struct Delivery {
    Choice made;
    llvm::SmallVector<Placement> second;
  };
  using Uses = llvm::SmallVector<std::pair<mlir::OpOperand *, Choice>, 2>;

  bool isSharded(mlir::Operation *op) const;
  void addVariable(mlir::Value value, llvm::SmallVector<Placement> placements, bool isHeld = false);
  void addTarget(mlir::Value target);
  void addArgument(mlir::BlockArgument argument);
  void addOperation(mlir::Operation *op);
  void addUse(mlir::OpOperand &operand, Choice choice);
  void addWhole(mlir::OpOperand &operand);
  void addUses(mlir::Operation *op);
  int64_t costOfUse(mlir::OpOperand &operand, const Placement &from, const Placement &to) const;
  void pair(const Choice &first, const Choice &second,
            llvm::function_ref<int64_t(unsigned, unsigned)> costOf);
  void connect(mlir::Value value, const Uses &uses);
  void share(mlir::Value value, const Choice &maker, llvm::ArrayRef<Placement> made,
             llvm::ArrayRef<Placement> versions, const Uses &uses);

  const StepFlow &flow;
  const StrategyTask &task;
  StrategyCosts costs;
  ShardingCandidates candidates;
  StrategyModel model;
  llvm::DenseMap<mlir::Value, Choice> makers;
  llvm::MapVector<mlir::Operation *, unsigned> variableOf;
  llvm::MapVector<mlir::Value, Uses> usesOf;
  llvm::DenseMap<mlir::Value, Delivery> deliveries; // of values with several readers
  std::optional<unsigned> always;
};

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_STEPMODEL_H

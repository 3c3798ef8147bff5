//===- Localizer.h - Rewriting a step to the shapes of one rank -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries for an operation's `localize`: the shard in which each operand is taken, and the global
// position of a local one.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_RULES_LOCALIZER_H
#define DS_ANALYSIS_RULES_LOCALIZER_H

#include "ds/Analysis/Placement.h"

#include "mlir/IR/Builders.h"

#include <functional>

namespace ds {

class Localizer {
public:
  using OperandView = std::function<std::optional<Sharding>(mlir::OpOperand &)>;
  using ResultView = std::function<std::optional<Sharding>(mlir::Value)>;
  Localizer(const ReplicaGroup &ranks, mlir::Value rank, OperandView operands, ResultView results)
      : group(ranks), n(ranks.size), rankValue(rank), operands(std::move(operands)),
        results(std::move(results)) {}

  const ReplicaGroup &ranks() const { return group; }
  int64_t numRanks() const { return n; }
  /// The index of this rank in the group, defined at the start of the step.
  mlir::Value rank() const { return rankValue; }
  /// The shard in which the operand is taken; none: replicated.
  std::optional<Sharding> shardingOf(mlir::OpOperand &operand) const { return operands(operand); }
  std::optional<Sharding> shardingOf(mlir::Value result) const { return results(result); }

  /// Returns the global position of local position `index`.
  mlir::Value toGlobal(mlir::OpBuilder &b, mlir::Location loc, mlir::Value index,
                       const Sharding &sharding) const;
  /// Returns the value in another placement: as a slice, or by a collective with purpose and names.
  mlir::Value reshard(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      const Placement &from, const Placement &to,
                      Purpose purpose = Purpose::Activation, mlir::ArrayAttr names = {}) const;

private:
  mlir::Value slice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                    const Sharding &sharding) const;
  mlir::Value gather(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                     const Sharding &sharding, Purpose purpose, mlir::ArrayAttr names) const;
  mlir::Value exchange(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                       const Sharding &from, const Sharding &to, Purpose purpose,
                       mlir::ArrayAttr names) const;
  mlir::Value scatter(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, ReductionKind kind,
                      const Sharding &sharding, Purpose purpose, mlir::ArrayAttr names) const;

  ReplicaGroup group;
  int64_t n;
  mlir::Value rankValue;
  OperandView operands;
  ResultView results;
};

/// Returns the type of one rank's shard.
mlir::RankedTensorType getLocalType(mlir::RankedTensorType type, const Sharding &sharding);

} // namespace ds

#endif // DS_ANALYSIS_RULES_LOCALIZER_H

//===- PlanAttrs.h - What a module says of a searched plan ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DIALECT_IR_PLANATTRS_H
#define DS_DIALECT_IR_PLANATTRS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// A dictionary of the figures of the plan that was found.
inline constexpr mlir::StringLiteral planAttrName = "ds.plan";

/// A dictionary of the figures of planned buckets: their hash, and in ps what the step computes,
/// what its exchanges add to that, and the least that any contiguous buckets add.
inline constexpr mlir::StringLiteral bucketPlanAttrName = "ds.bucket_plan";

/// What a plan took of a rank when it was compiled, in bytes; for a search within a memory limit.
struct PlanMemory {
  std::string mesh;               // empty for one axis
  int64_t level;                  // of a parallel optimizer; 0: none
  int64_t taken, live, estimated; // in all, within a step, and what was estimated of the latter
};

/// A module tells a search of the plans that have been compiled.
llvm::SmallVector<PlanMemory> getPlanMemory(mlir::ModuleOp module);
void setPlanMemory(mlir::ModuleOp module, llvm::ArrayRef<PlanMemory> plans);
void removePlanMemory(mlir::ModuleOp module);

} // namespace ds

#endif // DS_DIALECT_IR_PLANATTRS_H

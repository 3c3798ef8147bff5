//===- PlanAttrs.h - Attributes of a searched plan --------------*- C++ -*-===//
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

/// A dictionary with the figures of the plan that was found.
inline constexpr mlir::StringLiteral planAttrName = "ds.plan";

/// A dictionary with the figures of planned buckets: their hash, and in ps the time that the step
/// computes, the time that its exchanges add, and the least time that any contiguous buckets add.
inline constexpr mlir::StringLiteral bucketPlanAttrName = "ds.bucket_plan";

/// Memory that a compiled plan took on a rank, in bytes; for a search within a memory limit.
struct PlanMemory {
  std::string mesh;               // empty for one axis
  int64_t level;                  // of a parallel optimizer; 0: none
  int64_t taken, live, estimated; // in all, within a step, and the estimate of the latter
};

/// The plans that have been compiled, which a module records for a search.
llvm::SmallVector<PlanMemory> getPlanMemory(mlir::ModuleOp module);
void setPlanMemory(mlir::ModuleOp module, llvm::ArrayRef<PlanMemory> plans);
void removePlanMemory(mlir::ModuleOp module);

} // namespace ds

#endif // DS_DIALECT_IR_PLANATTRS_H

//===- MemoryLimit.cpp - Compile until a plan fits ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryLimit.h"

#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/UserError.h"

namespace ds {

/// Three levels of the sharded optimizer on three meshes.
static constexpr size_t mostPlans = 9;

void MemoryLimit::tell(mlir::ModuleOp module) const {
  if (!plans.empty())
    setPlanMemory(module, plans);
}

llvm::Expected<bool> MemoryLimit::fits(const CompiledStep &step) {
  int64_t taken = step.memoryBytes();
  if (!limit || taken <= *limit)
    return true;
  const std::optional<PlanFigures> &plan = step.manifest().plan; // none: one rank has no choice
  if (plan && plans.size() + 1 < mostPlans) {
    plans.push_back({meshKey(step.manifest()), plan->optimizerLevel, taken, taken - plan->heldBytes,
                     std::max<int64_t>(plan->liveBytes, 1)});
    return false;
  }
  for (const PlanMemory &other : plans)
    taken = std::min(taken, other.taken);
  constexpr int64_t mebibyte = 1 << 20;
  return userError("'memory_limit' is " + llvm::Twine(*limit / mebibyte) +
                   " MiB, but a rank takes " + llvm::Twine((taken + mebibyte - 1) / mebibyte) +
                   " MiB by the smallest of the plans that were compiled");
}

} // namespace ds

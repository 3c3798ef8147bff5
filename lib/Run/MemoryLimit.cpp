//===- MemoryLimit.cpp - Compile until a plan fits ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryLimit.h"

#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Support/UserError.h"

#include "mlir/IR/BuiltinOps.h"

namespace ds {

static constexpr int mostPlans = 5;

void MemoryLimit::tell(mlir::ModuleOp module) const {
  if (!took.empty())
    module->setAttr(planMemoryAttrName, mlir::DenseI64ArrayAttr::get(module.getContext(), took));
}

llvm::Expected<bool> MemoryLimit::fits(const CompiledStep &step) {
  if (!limit || step.memoryBytes() <= *limit)
    return true;
  least = std::min(least, step.memoryBytes());
  const std::optional<PlanFigures> &plan = step.manifest().plan; // none: one rank has no choice
  if (plan && ++plans < mostPlans) {
    took = {step.memoryBytes() - plan->heldBytes, std::max<int64_t>(plan->liveBytes, 1)};
    return false;
  }
  constexpr int64_t mebibyte = 1 << 20;
  return userError("'memory_limit' is " + llvm::Twine(*limit / mebibyte) +
                   " MiB, but a rank takes " + llvm::Twine((least + mebibyte - 1) / mebibyte) +
                   " MiB by the smallest of the plans that were compiled");
}

} // namespace ds

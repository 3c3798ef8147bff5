//===- MemoryLimit.h - Compile until a plan fits ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_MEMORYLIMIT_H
#define DS_RUN_PROGRAM_MEMORYLIMIT_H

#include "ds/Dialect/IR/Config.h"
#include "ds/Dialect/IR/PlanAttrs.h"
#include "ds/Target/CompiledStep.h"

namespace ds {

/// What a rank takes is known when its step is compiled. A plan that takes more than `memory_limit`
/// is searched again with what it took, a few times at most.
class MemoryLimit {
public:
  explicit MemoryLimit(const Config &config) : limit(config.memoryLimit()) {}

  /// Tells the search what the plan before this one took.
  void tell(mlir::ModuleOp module) const;
  /// Whether the step is the one to run; if not, another one is worth a try. Fails when none is.
  llvm::Expected<bool> fits(const CompiledStep &step);

private:
  std::optional<int64_t> limit;
  std::vector<PlanMemory> plans; // that took more
};

} // namespace ds

#endif // DS_RUN_PROGRAM_MEMORYLIMIT_H

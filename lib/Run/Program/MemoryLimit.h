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

/// The memory of a rank is known once its step is compiled. If a plan exceeds `memory_limit`, the
/// search runs again with the measured memory, a few times at most.
class MemoryLimit {
public:
  explicit MemoryLimit(const Config &config) : limit(config.memoryLimit()) {}

  /// Passes the memory of the plans before to the search.
  void tell(mlir::ModuleOp module) const;
  /// True if the step is the one to run; false if another plan is worth a try. Fails if none fits.
  llvm::Expected<bool> fits(const CompiledStep &step);

private:
  std::optional<int64_t> limit;
  std::vector<PlanMemory> plans; // that exceeded the limit
};

} // namespace ds

#endif // DS_RUN_PROGRAM_MEMORYLIMIT_H

//===- Diagnostics.h - What MLIR says, as one sentence ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_DIAGNOSTICS_H
#define DS_RUN_PROGRAM_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <mutex>
#include <string>
#include <vector>

namespace ds {

/// Keeps the first error and all warnings that are emitted while it lives.
class Diagnostics {
public:
  Diagnostics(mlir::MLIRContext &context, std::vector<std::string> &warnings);

  /// What happened, or `otherwise` if no pass said anything.
  llvm::Error error(const llvm::Twine &otherwise);
  bool hasError() const { return !first.empty(); }

private:
  std::mutex mutex;
  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace ds

#endif // DS_RUN_PROGRAM_DIAGNOSTICS_H

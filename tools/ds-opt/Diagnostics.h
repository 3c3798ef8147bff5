//===- Diagnostics.h - What ds-opt prints of a diagnostic -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TOOLS_DS_OPT_DIAGNOSTICS_H
#define DS_TOOLS_DS_OPT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ds {

/// Prints diagnostics that MLIR's main would print badly: of a module that is on no line, of names
/// that would steer a terminal, and of lines that are longer than a screen, of which it shows a
/// part. MLIR's handler is asked only after this one, which comes with the first dialect of a step.
class Diagnostics {
public:
  explicit Diagnostics(mlir::DialectRegistry &registry);
  /// Sets the file whose lines are shown; it outlives the diagnostics.
  void setSource(llvm::MemoryBufferRef file) { source = file; }
  /// Leaves diagnostics to the checks of --verify-diagnostics.
  void leaveToVerifier() { verifies = true; }

private:
  bool print(const mlir::Diagnostic &diagnostic) const;
  llvm::StringRef lineAt(mlir::FileLineColLoc place) const;

  llvm::MemoryBufferRef source;
  bool verifies = false;
};

} // namespace ds

#endif // DS_TOOLS_DS_OPT_DIAGNOSTICS_H

//===- FirstError.h - What MLIR says, as one sentence -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_FIRSTERROR_H
#define DS_SUPPORT_FIRSTERROR_H

#include "ds/Support/CodedError.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <mutex>
#include <string>
#include <vector>

namespace ds {

/// Keeps the first error that MLIR reports while it lives: a failure shall be one sentence. Other
/// errors are dropped. May be used by several threads.
class FirstError {
public:
  /// What becomes of warnings and remarks.
  enum class Others { passedOn, dropped };
  explicit FirstError(mlir::MLIRContext *context, Others others = Others::passedOn);
  /// Warnings are kept, a line each, and remarks dropped.
  FirstError(mlir::MLIRContext *context, std::vector<std::string> &warnings);

  bool isSet() const { return !sentence.empty(); }
  /// As the pass has worded it, without its place.
  const std::string &message() const { return bare; }
  /// With its place, those of its notes and its kind, or `otherwise` if no pass said anything.
  llvm::Error take(const llvm::Twine &otherwise);

private:
  FirstError(mlir::MLIRContext *context, Others others, std::vector<std::string> *warnings);

  std::mutex mutex;
  std::string bare, sentence;
  ErrorKind kind;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace ds

#endif // DS_SUPPORT_FIRSTERROR_H

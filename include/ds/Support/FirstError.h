//===- FirstError.h - MLIR's diagnostics as one sentence --------*- C++ -*-===//
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

/// Keeps the first error that MLIR reports while it lives, so that a failure is one sentence. Other
/// errors are dropped. May be used by several threads.
class FirstError {
public:
  /// Whether warnings and remarks are passed on.
  enum class Others { passedOn, dropped };
  explicit FirstError(mlir::MLIRContext *context, Others others = Others::passedOn);
  /// Collects warnings, a line each, and drops remarks.
  FirstError(mlir::MLIRContext *context, std::vector<std::string> &warnings);

  bool isSet() const { return !sentence.empty(); }
  /// The message of the pass, without its location.
  const std::string &message() const { return bare; }
  /// The error with its location, those of its notes and its kind, or `otherwise` if no pass
  /// reported one; then what the user can do, if there is advice.
  llvm::Error take(const llvm::Twine &otherwise, llvm::StringRef advice = "");

private:
  FirstError(mlir::MLIRContext *context, Others others, std::vector<std::string> *warnings);

  std::mutex mutex;
  std::string bare, sentence;
  ErrorKind kind;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace ds

#endif // DS_SUPPORT_FIRSTERROR_H

//===- Diagnostics.cpp - What MLIR says, as one sentence ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"

#include "ds/Support/UserError.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::StringRef;

/// A module that no line holds is told by its file.
static std::string placeOf(mlir::FileLineColLoc location) {
  std::string place = location.getFilename().getValue().str();
  if (location.getLine() > 0)
    place += ":" + std::to_string(location.getLine()) + ":" + std::to_string(location.getColumn());
  return place;
}

static std::string toText(const mlir::Diagnostic &diagnostic, const char *severity) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto location = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    stream << placeOf(location) << ": ";
  std::string message = diagnostic.str();
  stream << severity << ": " << StringRef(message).split('\n').first;
  if (StringRef(message).contains("not found for custom op"))
    stream << "; steps are of linalg, tensor, arith and math, as ds.jax and ds.torch write them";
  // A note points at the other place; it is part of the sentence.
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    if (auto location = note.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
        location && note.getLocation() != diagnostic.getLocation()) {
      std::string what = note.str();
      stream << " (" << StringRef(what).split('\n').first << ", line " << location.getLine() << ")";
    }
  return text;
}

Diagnostics::Diagnostics(mlir::MLIRContext &context, std::vector<std::string> &warnings)
    : handler(&context, [this, &warnings](mlir::Diagnostic &diagnostic) {
        std::lock_guard<std::mutex> lock(mutex);
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && first.empty())
          first = toText(diagnostic, "error");
        else if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
          warnings.push_back(toText(diagnostic, "warning"));
        return mlir::success();
      }) {}

llvm::Error Diagnostics::error(const llvm::Twine &otherwise) {
  return userError(first.empty() ? otherwise : first);
}

} // namespace ds

//===- FirstError.cpp - MLIR's diagnostics as one sentence ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/FirstError.h"

#include "ds/Support/DiagnosticKind.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

using llvm::StringRef;

static StringRef firstLineOf(StringRef text) { return text.split('\n').first; }

/// A module that is not on a line is located by its file.
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
  stream << severity << ": " << firstLineOf(message);
  // A note points at another place, which becomes part of the sentence.
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    if (auto location = note.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
        location && note.getLocation() != diagnostic.getLocation()) {
      std::string what = note.str();
      stream << " (" << firstLineOf(what) << ", line " << location.getLine() << ")";
    }
  return text;
}

FirstError::FirstError(mlir::MLIRContext *context, Others others)
    : FirstError(context, others, nullptr) {}

FirstError::FirstError(mlir::MLIRContext *context, std::vector<std::string> &warnings)
    : FirstError(context, Others::dropped, &warnings) {}

FirstError::FirstError(mlir::MLIRContext *context, Others others,
                       std::vector<std::string> *warnings)
    : handler(context, [this, others, warnings](mlir::Diagnostic &diagnostic) {
        std::lock_guard<std::mutex> lock(mutex);
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) {
          if (warnings && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
            warnings->push_back(toText(diagnostic, "warning"));
          return mlir::success(others == Others::dropped);
        }
        if (sentence.empty()) {
          bare = firstLineOf(diagnostic.str()).str();
          sentence = toText(diagnostic, "error");
          kind = kindOf(diagnostic);
        }
        return mlir::success();
      }) {}

llvm::Error FirstError::take(const llvm::Twine &otherwise, StringRef advice) {
  std::string text = isSet() ? sentence : otherwise.str();
  return codedError(kind, advice.empty() ? text : text + "; " + advice.str());
}

} // namespace ds

//===- Diagnostics.cpp - What ds-opt prints of a diagnostic -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signature of an exported step is one line of many kilobytes; a part of it around the column
// is shown, as wide as `widest`.
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"

#include "ds/Dialect/IR/Ds.h"
#include "ds/Support/Escape.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::StringRef;

static constexpr size_t widest = 120; // characters of a line

namespace ds {
/// Registers the handler in each context that loads the dialect.
template <typename Dialect>
struct DiagnosticsExtension final : DialectExtension<DiagnosticsExtension<Dialect>, Dialect> {
  explicit DiagnosticsExtension(std::function<LogicalResult(Diagnostic &)> handler)
      : handler(std::move(handler)) {}
  void apply(MLIRContext *context, Dialect *) const final {
    context->getDiagEngine().registerHandler(handler);
  }
  std::function<LogicalResult(Diagnostic &)> handler;
};

template <typename Dialect>
static void addTo(DialectRegistry &registry, std::function<LogicalResult(Diagnostic &)> handler) {
  using Extension = DiagnosticsExtension<Dialect>;
  registry.addExtension(TypeID::get<Extension>(), std::make_unique<Extension>(std::move(handler)));
}
} // namespace ds

ds::Diagnostics::Diagnostics(DialectRegistry &registry) {
  auto handler = [this](Diagnostic &diagnostic) { return success(print(diagnostic)); };
  addTo<func::FuncDialect>(registry, handler);
  addTo<DsDialect>(registry, handler);
}

/// Returns the line of the source; empty if the place is in another file.
StringRef ds::Diagnostics::lineAt(FileLineColLoc place) const {
  if (place.getFilename().getValue() != source.getBufferIdentifier())
    return "";
  StringRef rest = source.getBuffer(), line;
  for (unsigned i = 0; i < place.getLine(); ++i)
    std::tie(line, rest) = rest.split('\n');
  return line;
}

static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("a severity without a name");
}

/// Prints the part of the line around the column, and a mark below the column.
static void printPart(StringRef line, unsigned column) {
  size_t at = std::min<size_t>(column ? column - 1 : 0, line.size());
  size_t begin = at < widest / 2 ? 0 : at - widest / 2;
  StringRef part = line.substr(begin, widest);
  const bool isCutBefore = begin > 0, isCutAfter = begin + part.size() < line.size();
  llvm::errs() << (isCutBefore ? "..." : "") << ds::oneLine(part) << (isCutAfter ? "..." : "")
               << "\n";
  llvm::errs().indent(at - begin + (isCutBefore ? 3 : 0)) << "^\n";
}

bool ds::Diagnostics::print(const Diagnostic &diagnostic) const {
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (!place || verifies)
    return false;
  const std::string said = diagnostic.str(), text = printable(said);
  StringRef line = lineAt(place);
  const bool isOnLine = place.getLine() > 0, isLong = line.size() > widest;
  if (isOnLine && text == said && !isLong)
    return false;
  auto print = [&](FileLineColLoc place, DiagnosticSeverity severity, StringRef text) {
    llvm::errs() << printable(place.getFilename().getValue());
    if (place.getLine() > 0)
      llvm::errs() << ":" << place.getLine() << ":" << place.getColumn();
    llvm::errs() << ": " << severityName(severity) << ": " << text << "\n";
    if (StringRef line = lineAt(place); !line.empty())
      printPart(line, place.getColumn());
  };
  print(place, diagnostic.getSeverity(), text);
  for (const Diagnostic &note : diagnostic.getNotes())
    if (auto noted = note.getLocation()->findInstanceOf<FileLineColLoc>())
      print(noted, note.getSeverity(), printable(note.str()));
  return true;
}

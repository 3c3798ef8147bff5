//===- Page.h - A training as one page of HTML ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_PAGE_H
#define DS_RUN_REPORT_PAGE_H

#include "ds/Run/Report/Report.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace ds {

/// Draws the log of a run by python/dstep/report.py, which is embedded in this program: it needs
/// Python 3.10 and no package.
class Page {
public:
  /// Prepares --report FILE; fails if there is no such Python. Without `logFolder` the log is in a
  /// temporary folder that this object removes.
  static llvm::Expected<std::unique_ptr<Page>> create(llvm::StringRef file,
                                                      llvm::StringRef logFolder);
  ~Page();

  const std::string &logFolder() const { return folder; }
  /// Writes the page and reports it. A failure is an error of one sentence.
  llvm::Error write(Report &report) const;

private:
  Page() = default;

  std::string python, file, folder;
  bool isTemporary = false;
};

/// Opens the log of --log-dir or --report. Returns the page of --report, or null.
llvm::Expected<std::unique_ptr<Page>> keepLog(Report &report, llvm::StringRef logDir,
                                              llvm::StringRef file);

} // namespace ds

#endif // DS_RUN_REPORT_PAGE_H

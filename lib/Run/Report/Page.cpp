//===- Page.cpp - A training as one page of HTML ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Page.h"

#include "ReportScript.h" // written by CMake

#include "ds/Support/UserError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Runs `script` with these arguments, isolated from the user's modules. Returns its exit code.
static int runScript(const std::string &python, StringRef script,
                     llvm::ArrayRef<StringRef> arguments, std::string *why) {
  std::vector<StringRef> command = {python, "-I", "-c", script};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const StringRef nowhere; // an empty path is /dev/null
  const std::optional<StringRef> redirects[] = {nowhere, nowhere, std::nullopt};
  return llvm::sys::ExecuteAndWait(python, command, /*Env=*/std::nullopt, redirects,
                                   /*SecondsToWait=*/600, /*MemoryLimit=*/0, why);
}

Expected<std::unique_ptr<Page>> Page::create(StringRef file, StringRef logFolder) {
  std::unique_ptr<Page> page(new Page());
  page->file = file.str();
  auto python = llvm::sys::findProgramByName("python3");
  std::string why;
  if (!python ||
      runScript(*python, "import sys; sys.exit(sys.version_info < (3, 10))", {}, &why) != 0)
    return userError("--report draws with Python 3.10 or a newer one, but there is no such python3 "
                     "on PATH; --log-dir needs none, and keeps what python -m dstep.report draws "
                     "elsewhere");
  page->python = *python;
  page->folder = logFolder.str();
  if (!logFolder.empty())
    return page;
  llvm::SmallString<128> made;
  if (std::error_code code = fs::createUniqueDirectory("ds-run-log", made))
    return userError("cannot make a folder for the log of --report: " + code.message());
  page->folder = made.str().str();
  page->isTemporary = true;
  return page;
}

Page::~Page() {
  if (isTemporary)
    (void)fs::remove_directories(folder);
}

Error Page::write(Report &report) const {
  std::string why;
  if (runScript(python, kReportScript, {folder, "-o", file}, &why) != 0)
    return userError("cannot draw '" + file + "' of --report" + (why.empty() ? "" : ": " + why));
  report.fact("report", "wrote '" + file + "'", llvm::json::Object{{"file", file}});
  return Error::success();
}

Expected<std::unique_ptr<Page>> keepLog(Report &report, StringRef logDir, StringRef file) {
  std::unique_ptr<Page> page;
  if (!file.empty())
    if (Error error = Page::create(file, logDir).moveInto(page))
      return error;
  const std::string folder = page ? page->logFolder() : logDir.str();
  if (folder.empty())
    return page;
  auto log = RunLog::open(folder);
  if (!log)
    return log.takeError();
  report.keep(std::move(*log));
  return page;
}

} // namespace ds

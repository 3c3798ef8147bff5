//===- ToolMain.h - Start and end of every tool -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output that could not be written is an error of the tool. LLVM reports it in its own words, for
// the streams that it opens and for --help; here the tool's words replace them.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_TOOLMAIN_H
#define DS_SUPPORT_TOOLMAIN_H

#include "ds/Support/FaultReport.h"

#include "StandardStreams.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

namespace ds {

/// Returns the exit code of a tool that would end with `code`, after its last output.
inline int endTool(const char *tool, int code) {
  llvm::outs().flush();
  const int lost = llvm::outs().error().value();
  // Reported here; the destructors of LLVM's streams would abort the process.
  llvm::outs().clear_error();
  llvm::errs().clear_error();
  return dsrt::closeStandardStreams(tool, code, lost);
}

/// Runs a tool and returns its exit code.
inline int toolMain(const char *tool, llvm::function_ref<int()> body) {
  dsrt::openStandardStreams();
  reportFaults(tool);
  llvm::install_fatal_error_handler(
      [](void *tool, const char *reason, bool) {
        llvm::StringRef text = reason;
        const char *before = "", *behind = "";
        if (text.consume_front("IO failure on output stream: "))
          before = "cannot write its output: ";
        const bool noThread = text.consume_front("pthread_create failed: ");
        if (noThread) {
          before = "cannot start a thread: ";
          behind = "; a limit of processes or of memory may be too low (ulimit -u, -v)";
        }
        std::fprintf(stderr, "%s: error: %s%s%s\n", static_cast<const char *>(tool), before,
                     text.str().c_str(), behind);
        if (noThread) // not a mistake of LLVM's, which would abort
          std::_Exit(1);
      },
      const_cast<char *>(tool));
  return endTool(tool, body());
}

} // namespace ds

#endif // DS_SUPPORT_TOOLMAIN_H

//===- Trace.h - The calls of ranks within a step ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a step that was compiled to time its calls: all calls of every rank's last step, and the
// times of calls over all steps. Times are those of the wall clock, so ranks of several hosts are
// aligned as well as the clocks of the hosts.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_TRACE_H
#define DS_RUN_RANKS_TRACE_H

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/Support/JSON.h"

namespace ds {

/// The outputs for the timed calls of steps.
struct TraceRequest {
  std::string file;     // for trace events, or empty
  bool asTable = false; // on the report
  bool inLog = false;
  /// The library's implementation of each library call, by name.
  std::vector<std::pair<std::string, std::string>> libraryCalls;

  bool isAsked() const { return !file.empty() || asTable || inLog; }
};

/// Returns the kind of a call by its name: `compute`, `communicate` (a blocking collective),
/// `start` and `wait` (of an asynchronous collective) or `copy`.
llvm::StringRef kindOfCall(llvm::StringRef name);

/// Returns the trace of one rank after its last step.
llvm::json::Object traceOf(Rank &rank);

/// Writes and reports the requested outputs, on rank 0. `ofRanks` are the traces of this process.
/// Collective over processes.
llvm::Error tellTrace(const TraceRequest &request, World &world, Report &report,
                      std::vector<llvm::json::Object> ofRanks);

} // namespace ds

#endif // DS_RUN_RANKS_TRACE_H

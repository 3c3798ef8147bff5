//===- Trace.h - What ranks do within a step --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a step that was compiled to time its calls: all calls of the last step of every rank, and what
// calls took in all steps. Times are those of the wall clock, so that ranks of several hosts lie as
// close as their clocks do.
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

/// Where the timed calls of steps go.
struct TraceRequest {
  std::string file;     // of trace events, or empty
  bool asTable = false; // on the report
  bool inLog = false;
  /// What the library runs for its calls, by name.
  std::vector<std::pair<std::string, std::string>> libraryCalls;

  bool isAsked() const { return !file.empty() || asTable || inLog; }
};

/// What a call does, by its name: `compute`, `communicate` (a collective from its call to its end),
/// `start` and `wait` (of one in flight) or `copy`.
llvm::StringRef kindOfCall(llvm::StringRef name);

/// Of one rank, behind its last step.
llvm::json::Object traceOf(Rank &rank);

/// Writes and tells what is asked for, on rank 0. `ofRanks` are those of this process. Collective
/// over processes.
llvm::Error tellTrace(const TraceRequest &request, World &world, Report &report,
                      std::vector<llvm::json::Object> ofRanks);

} // namespace ds

#endif // DS_RUN_RANKS_TRACE_H

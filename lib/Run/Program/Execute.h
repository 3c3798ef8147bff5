//===- Execute.h - The stages of ds-run after its options -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_EXECUTE_H
#define DS_RUN_PROGRAM_EXECUTE_H

#include "ds/Run/Options/Options.h"
#include "ds/Run/Program/Embedding.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Report/Output.h"
#include "ds/Run/Report/Report.h"

namespace ds {

class CompiledStep;
struct Moves;
class Program;
class World;

/// Runs what the options request and returns the exit code. The world is left when it returns.
/// `moves`, if not null, goes from one world to the next; it says whether there is a next one.
llvm::Expected<int> execute(const RunOptions &options, const Embedding &embedding, Output &output,
                            Moves *moves = nullptr);

/// The same as a member of the roster of `options`, in one world after the other.
llvm::Expected<int> executeMoving(const RunOptions &options, const Embedding &embedding,
                                  Output &output);

/// Runs `--check=exact` on threads of the first process. Collective over processes.
llvm::Error checkExactly(Program &program, World &world, int64_t numRanks,
                         const RunOptions &options, Report &report);

/// Reports the start of a run: ranks, plan, the memory of each rank, the route of messages.
void reportStart(Report &report, const Program &program, const CompiledStep &step,
                 const World &world, const BatchFacts &facts, int64_t numRanks);

/// Reports that ranks go on after `step` steps in another world, and reports on in that style.
void reportMove(Report &report, const Moves &moves, const World &world, int64_t step,
                ReportStyle style);

/// Logs every collective of the step, to the log alone.
void logCollectives(Report &report, const Program &program);

/// Prints the configuration in force, and the source of each value. Returns the exit code.
int showSettings(Report &report, const Program &program, int64_t numRanks, bool givesRanks);

/// Returns how standard output is written.
ReportStyle styleOf(const RunOptions &options);

} // namespace ds

#endif // DS_RUN_PROGRAM_EXECUTE_H

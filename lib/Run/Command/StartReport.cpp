//===- StartReport.cpp - What a run says before its first step --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"

#include "ds/Data/Memory.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/BucketReport.h"

#include "llvm/Support/FormatVariadic.h"

namespace ds {

void reportStart(Report &report, const Program &program, const CompiledStep &step,
                 const World &world, const BatchFacts &facts, int64_t numRanks) {
  const Manifest &manifest = step.manifest();
  const Config &config = program.config();
  std::string line = describeRun(manifest, facts, numRanks);
  report.fact("start", line,
              llvm::json::Object{{"in_force", line},
                                 {"ranks", numRanks},
                                 {"samples_per_step", facts.rowsPerStep}});
  if (const std::optional<PlanFigures> &plan = manifest.plan)
    report.fact("plan", describePlan(manifest, step.memoryBytes()),
                planToJson(*plan, step.memoryBytes()));
  if (const std::optional<BucketFigures> &plan = manifest.bucketPlan)
    report.fact("buckets", describeBuckets(*plan), bucketsToJson(*plan));
  bool byOptimizer = config.enableParallelOptimizer();
  if (CarriedBytes bytes = carriedBytes(manifest, numRanks); bytes.held < bytes.whole)
    report.fact(byOptimizer ? "parallel_optimizer" : "sharded",
                std::string(byOptimizer ? "parallel optimizer" : "sharded") + ": each rank holds " +
                    bytesToString(bytes.held) + " of parameters and states, of " +
                    bytesToString(bytes.whole),
                llvm::json::Object{{"bytes", bytes.held}, {"bytes_global", bytes.whole}});
  if (std::string staging = world.describeStaging(); !staging.empty()) {
    if (std::optional<int64_t> largest = config.largestMessage())
      staging += llvm::formatv("; buckets hold {0} MiB at most", *largest >> 20);
    report.fact("backend", staging, llvm::json::Object{{"staging", staging}});
  }
}

} // namespace ds

//===- StepPreview.h - The report of a step on n ranks ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a plan's report: figures, arguments, collectives, and explanations of values.
// Plain data, for people and for programs.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PREVIEW_STEPPREVIEW_H
#define DS_PREVIEW_STEPPREVIEW_H

#include "ds/Run/Exact/Certify.h"
#include "ds/Step/Manifest.h"
#include "ds/Transforms/Search/ExplainShardings.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

/// A plan to compare with others, by the same costs.
struct PlanRow {
  std::string name, mesh;
  std::optional<int64_t> timeNs, boundNs, heldBytes;
};

/// A collective of the step of one rank.
struct CollectiveRow {
  std::string operation, axes; // `all ranks` without axes
  int64_t ranks = 1;           // that take part
  int64_t count = 1;           // in a step
  int64_t bytes = 0;           // each time: of the whole value, or of the exchanged shard
  int64_t timeNs = 0;          // all of them, by the costs of the configuration
  std::string of, place;       // the value that it moves, and where that is made
};

struct StepPreview {
  Manifest manifest;
  bool roundsFactors = false; // precision=bf16
  std::string searchMode;     // empty: nothing was searched
  std::vector<PlanRow> rows;  // the plan first
  std::vector<CollectiveRow> collectives;
  std::optional<ExactReport> check; // if requested
  int64_t heldByte = 0;             // the price of memory in the search
  std::vector<std::pair<std::string, std::vector<ValueOverAxis>>> explained; // by request
};

/// Reads the step of one rank after `ds-data-parallel`.
mlir::FailureOr<StepPreview> readPreview(mlir::ModuleOp module, llvm::StringRef entry);

void printPreview(llvm::raw_ostream &out, const StepPreview &preview);
llvm::json::Object toJson(const StepPreview &preview);

/// Returns the axes of each dimension of an argument in the form of `ds.sharding`: `[{"dp"}, {}]`;
/// empty if every rank has all of it.
std::string describeSharding(const Manifest &manifest, const ArgumentSpec &argument);

} // namespace ds

#endif // DS_PREVIEW_STEPPREVIEW_H

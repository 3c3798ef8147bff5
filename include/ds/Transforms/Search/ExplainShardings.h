//===- ExplainShardings.h - What each way to divide a value costs --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan says how a value is sharded; this says why: what the best plan costs that divides it
// otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H
#define DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H

#include "ds/Plan/StrategySearch.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

/// A way to divide a value over an axis, and what the best plan takes that does.
struct ExplainedCandidate {
  std::string how;
  int64_t boundNs = 0;           // no plan that has it takes less
  std::optional<int64_t> timeNs; // none: there is no such plan
  bool isChosen = false;
};

/// The ways of one value over one axis.
struct ValueOverAxis {
  unsigned value = 0; // by number of `explained`
  std::string axis;
  int64_t ranks = 1;
  std::string type; // as the axes behind this one have left it
  std::vector<ExplainedCandidate> ways;
};

/// Which values are asked about: arguments by number, and the results of operations by the name of
/// their location (`NameLoc`), which the passes before have kept.
struct ExplainedValue {
  std::optional<unsigned> argument;
  std::string name;
};

/// The model of choices that the search over an axis has solved, and what it found.
struct SearchedModel {
  std::string axis;
  StrategyModel choices;
  int64_t cost = 0, bound = 0;
};

/// Searches the step of `module`, as `ds-shard-axes` receives it, over `mesh` again. `heldByte` is
/// the price of memory that the plan was found with. Fills `models` unless it is null. Emits an
/// error and fails where the step cannot be sharded.
mlir::FailureOr<std::vector<ValueOverAxis>>
explainShardings(mlir::ModuleOp module, llvm::StringRef entry, llvm::StringRef mesh,
                 int64_t heldByte, const std::vector<ExplainedValue> &explained,
                 std::vector<SearchedModel> *models = nullptr);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H

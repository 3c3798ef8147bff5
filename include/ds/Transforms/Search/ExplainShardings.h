//===- ExplainShardings.h - What each sharding of a value costs -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan shows how a value is sharded. This explains why: the cost of the best plan for each other
// sharding of that value.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H
#define DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

/// A sharding candidate of a value over an axis, and the time of the best plan that uses it.
struct ExplainedCandidate {
  std::string how;
  int64_t boundNs = 0;           // lower bound of all plans with this candidate
  std::optional<int64_t> timeNs; // none: no plan has this candidate
  bool isChosen = false;
};

/// The sharding candidates of one value over one axis.
struct ValueOverAxis {
  unsigned value = 0; // index into `explained`
  std::string axis;
  int64_t ranks = 1;
  std::string type; // as the axes sharded before this one have left it
  std::vector<ExplainedCandidate> ways;
};

/// A value to explain: an argument by its number, or the result of an operation by the name of its
/// location (`NameLoc`), which earlier passes have kept.
struct ExplainedValue {
  std::optional<unsigned> argument;
  std::string name;
};

/// Searches the step of `module`, as `ds-shard-axes` receives it, over `mesh` again. `heldByte` is
/// the price of memory that the plan was found with. Emits an error and
/// fails where the step cannot be sharded.
mlir::FailureOr<std::vector<ValueOverAxis>>
explainShardings(mlir::ModuleOp module, llvm::StringRef entry, llvm::StringRef mesh,
                 int64_t heldByte, const std::vector<ExplainedValue> &explained);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_EXPLAINSHARDINGS_H

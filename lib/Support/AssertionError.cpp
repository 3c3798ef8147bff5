//===- AssertionError.cpp - An assertion of a step that fails ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/AssertionError.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <utility>

using namespace ds;

char AssertionError::ID = 0;

namespace {
struct Failed {
  const char *place, *message; // in the code of the step
};
thread_local std::optional<Failed> failed;
} // namespace

void ds::recordFailedAssertion(const char *place, const char *message) {
  failed = {place, message};
}

llvm::Error ds::takeFailedAssertion() {
  const std::optional<Failed> taken = std::exchange(failed, std::nullopt);
  if (!taken)
    return llvm::Error::success();
  return llvm::make_error<AssertionError>(taken->place, taken->message);
}

void AssertionError::name(llvm::ArrayRef<int64_t> ranks, int64_t numRanks) {
  where = numRanks == 1 ? "" : ranks.size() == 1 ? " on rank " : " on ranks ";
  for (size_t i = 0; numRanks > 1 && i < ranks.size(); ++i)
    where += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  if (numRanks > 1)
    where += " of " + std::to_string(numRanks);
}

void AssertionError::log(llvm::raw_ostream &stream) const {
  if (!place.empty())
    stream << place << ": error: ";
  stream << "an assertion of the step does not hold" << where << ": " << message;
}

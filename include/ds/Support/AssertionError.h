//===- AssertionError.h - An assertion of a step that fails -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_ASSERTIONERROR_H
#define DS_SUPPORT_ASSERTIONERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace ds {

/// A `cf.assert` of the step failed, which is a mistake in its inputs.
class AssertionError final : public llvm::ErrorInfo<AssertionError> {
public:
  static char ID;
  /// `place` is file:line:column, or empty.
  AssertionError(std::string place, std::string message)
      : place(std::move(place)), message(std::move(message)) {}

  const std::string place, message;

  /// Names the ranks, out of `numRanks`, on which it failed, in ascending order.
  void name(llvm::ArrayRef<int64_t> ranks, int64_t numRanks);
  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string where; // on which ranks
};

/// Returns an error if an assertion ended the last step of the calling thread; only once for each.
llvm::Error takeFailedAssertion();

/// Called by the code that runs steps: an assertion has ended the calling thread's step.
void recordFailedAssertion(const char *place, const char *message);

} // namespace ds

#endif // DS_SUPPORT_ASSERTIONERROR_H

//===- Certify.h - The exact check of a program -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_EXACT_CERTIFY_H
#define DS_RUN_EXACT_CERTIFY_H

#include "ds/Run/Exact/Equivalence.h"
#include "ds/Run/Options/ExactRequest.h"
#include "ds/Run/Report/Certificate.h"

namespace ds {

class Program;

/// Compares `ofRanks` on this number of ranks with `oneDevice` on one. Calls `before` with a
/// description of both before they run.
llvm::Expected<Certificate>
compareExactly(Program &ofRanks, Program &oneDevice, int64_t numRanks, EquivalenceOptions options,
               llvm::function_ref<llvm::Error(const Certificate &)> before = {});

/// Returns an error for programs that are different, or whose equality is undecided.
llvm::Error toError(const Equivalence &found);

/// The result of the check, as a line for people and as JSON.
struct ExactReport {
  std::string text;
  llvm::json::Object json;
};

/// Compares `program` on this number of ranks with itself on one device, on threads of this
/// process. An unequal result, or a certificate that does not hold, is an error of one sentence.
llvm::Expected<ExactReport> checkExactly(Program &program, int64_t numRanks, uint64_t seed,
                                         const ExactRequest &request);

} // namespace ds

#endif // DS_RUN_EXACT_CERTIFY_H

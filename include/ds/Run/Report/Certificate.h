//===- Certificate.h - A verdict that others can replay ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A certificate holds the hashes of the compared programs, the method and the result, as JSON. With
// the step, anyone can repeat the check: the configuration, the primes and the seeds are in the
// certificate.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_CERTIFICATE_H
#define DS_RUN_REPORT_CERTIFICATE_H

#include "ds/Run/Report/EquivalenceResult.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace ds {

struct Certificate {
  /// The keys that are set, in the form of --config, including the number of ranks.
  std::map<std::string, std::string> configuration;
  /// SHA-256 of texts: the original `step`, the `distributed` step of a rank, its `oneDevice`
  /// reference, and the `plan` of shards, collectives and buckets.
  std::map<std::string, std::string> hashes;
  Equivalence found;
  /// The contents of the file; empty for a certificate that was made here.
  llvm::json::Object text;

  llvm::json::Object toJson() const;
  /// Reads a file; one that holds no certificate of this version of ds is an error of one sentence.
  static llvm::Expected<Certificate> read(llvm::StringRef path);
  llvm::Error write(llvm::StringRef path) const;

  /// The keys that name files to write: they do not influence the certified result, and are in no
  /// certificate.
  static const std::vector<std::string> &keysThatWrite();
  /// Returns the configuration for --config, one assignment each.
  std::vector<std::string> assignments() const;
};

/// Succeeds if `again` certifies the same inputs as `certified`; otherwise returns a sentence that
/// names the first difference.
llvm::Error compareInputs(llvm::StringRef path, const Certificate &certified,
                          const Certificate &again);
/// Does the same for the result, and for all other contents of `certified`.
llvm::Error compareResults(llvm::StringRef path, const Certificate &certified,
                           const Certificate &again);

} // namespace ds

#endif // DS_RUN_REPORT_CERTIFICATE_H

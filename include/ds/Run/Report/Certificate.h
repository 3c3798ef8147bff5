//===- Certificate.h - A verdict that others can replay ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was compared, by hashes, how, and what came of it, as JSON. Whoever has the step can find
// the same again: the configuration, the primes and the seeds are in the certificate.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_CERTIFICATE_H
#define DS_RUN_REPORT_CERTIFICATE_H

#include "ds/Run/Report/EquivalenceResult.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace ds {

struct Certificate {
  /// The keys that are set, as --config writes them; the number of ranks is one of them.
  std::map<std::string, std::string> configuration;
  /// SHA-256 of texts: `step` as it was written, `distributed` for one of the ranks, `oneDevice`
  /// what these are compared with, `plan` of divisions, collectives and buckets.
  std::map<std::string, std::string> hashes;
  Equivalence found;
  /// All that a file said; empty of one that was found here.
  llvm::json::Object text;

  llvm::json::Object toJson() const;
  /// A file that holds no certificate of this ds is an error of one sentence.
  static llvm::Expected<Certificate> read(llvm::StringRef path);
  llvm::Error write(llvm::StringRef path) const;

  /// Keys that name files to write: they change nothing that is certified, and are in none.
  static const std::vector<std::string> &keysThatWrite();
  /// For --config, one assignment each.
  std::vector<std::string> assignments() const;
};

/// Nothing if `again` is about what `certified` is about; else a sentence that names the first
/// thing that is another one.
llvm::Error compareInputs(llvm::StringRef path, const Certificate &certified,
                          const Certificate &again);
/// The same of what was found, and of everything else that `certified` says.
llvm::Error compareResults(llvm::StringRef path, const Certificate &certified,
                           const Certificate &again);

} // namespace ds

#endif // DS_RUN_REPORT_CERTIFICATE_H

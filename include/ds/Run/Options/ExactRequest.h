//===- ExactRequest.h - The options of --check=exact ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that ds-run and ds-plan share: `--check=exact[:SECONDS]`, `--certificate FILE` and
// `--verify FILE`.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_EXACTREQUEST_H
#define DS_RUN_OPTIONS_EXACTREQUEST_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ds {

struct ExactRequest {
  bool isAsked = false; // by any of the three options
  int64_t seconds = 600;
  std::string certificate, verify; // files, or empty

  /// Parses the value of --check if it is `exact` or `exact:SECONDS`. Returns whether it is.
  llvm::Expected<bool> read(llvm::StringRef text);

  /// Called when the names of the files are known, which request the check, too. Takes the
  /// configuration of the certificate to verify, unless the run `isConfigured` otherwise. Fails if
  /// that file cannot be read, or the other one cannot be written.
  llvm::Error takeFiles(bool isConfigured, std::vector<std::string> &config);
};

} // namespace ds

#endif // DS_RUN_OPTIONS_EXACTREQUEST_H

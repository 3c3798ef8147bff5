//===- ExactRequest.h - What --check=exact asks for -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same options of ds-run and ds-plan: `--check=exact[:SECONDS]`, `--certificate FILE` and
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
  bool isAsked = false; // by any of the three
  int64_t seconds = 600;
  std::string certificate, verify; // files, or empty

  /// Reads the value of --check if it is `exact` or `exact:SECONDS`; whether it is.
  llvm::Expected<bool> read(llvm::StringRef text);

  /// When the files are known: they ask for the check as well. The certificate that is verified has
  /// the configuration of a run that `isConfigured` by nothing else. An error if one file cannot be
  /// read, or the other one written.
  llvm::Error takeFiles(bool isConfigured, std::vector<std::string> &config);
};

} // namespace ds

#endif // DS_RUN_OPTIONS_EXACTREQUEST_H

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

  /// Takes the files, which ask for the check as well; an error if one cannot be written.
  llvm::Error addFiles(llvm::StringRef certificate, llvm::StringRef verify);

  /// The configuration of the certificate that is verified, for a run that gives none itself.
  llvm::Expected<std::vector<std::string>> configuration() const;
};

} // namespace ds

#endif // DS_RUN_OPTIONS_EXACTREQUEST_H

//===- RosterAddress.h - Where processes join a training --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_ROSTERADDRESS_H
#define DS_RUN_OPTIONS_ROSTERADDRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ds {

struct RunOptions;

struct RosterAddress {
  std::string host = "127.0.0.1";
  int32_t port = 0; // any free one

  /// Parses `HOST:PORT`, where the port is 1 to 65535. An error is one sentence.
  static llvm::Expected<RosterAddress> parse(llvm::StringRef text);
  std::string text() const { return host + ":" + std::to_string(port); }
};

/// Checks the options of a training whose processes come and go (--min-processes).
llvm::Error checkProcesses(const RunOptions &options);

} // namespace ds

#endif // DS_RUN_OPTIONS_ROSTERADDRESS_H

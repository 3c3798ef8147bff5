//===- Options.h - The command line of ds-compile ------------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_AHEADOFTIME_OPTIONS_H
#define DS_LIB_AHEADOFTIME_OPTIONS_H

#include "ds/Target/Target.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

struct AheadOptions {
  std::string step, entry, output, target = kCpuTarget, targetCpu;
  std::optional<int64_t> ranks;
  std::vector<std::string> config;
  bool json = false;
};

llvm::Expected<AheadOptions> parseAheadOptions(const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_LIB_AHEADOFTIME_OPTIONS_H

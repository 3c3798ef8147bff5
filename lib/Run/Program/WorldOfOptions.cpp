//===- WorldOfOptions.cpp - The options of a world --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Program/WorldOfOptions.h"

ds::WorldOptions ds::worldOptionsOf(const Config &config, const RunOptions &options) {
  WorldOptions result;
  result.timeoutMs = config.timeoutMs();
  result.deterministic = config.deterministic();
  result.link = Link::parse(options.link);
  return result;
}

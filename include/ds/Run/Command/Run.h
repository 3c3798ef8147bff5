//===- Run.h - ds-run as a function -----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses, compiles, runs: all of ds-run as a function that returns its exit code.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_COMMAND_RUN_H
#define DS_RUN_COMMAND_RUN_H

#include "ds/Run/Program/Embedding.h"

#include <string>
#include <vector>

namespace ds {

/// Runs ds-run with the `arguments` after the program's name.
int runMain(const std::vector<std::string> &arguments, const Embedding &embedding = {});

} // namespace ds

#endif // DS_RUN_COMMAND_RUN_H

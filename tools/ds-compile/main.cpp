//===- main.cpp - Compile a step ahead of time ----------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program is lib/AheadOfTime.
//
//===----------------------------------------------------------------------===//
#include "ds/AheadOfTime/AheadOfTime.h"
#include "ds/Support/ToolMain.h"

int main(int argc, char **argv) {
  return ds::toolMain("ds-compile", [&] {
    return ds::compileMain(std::vector<std::string>(argv + 1, argv + argc));
  });
}

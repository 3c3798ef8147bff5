//===- main.cpp - Train a step of ds-compile without a compiler -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program is lib/Bundle.
//
//===----------------------------------------------------------------------===//
#include "ds/Bundle/RunBundle.h"
#include "ds/Support/ToolMain.h"

int main(int argc, char **argv) {
  return ds::toolMain("ds-run-bundle", [&] {
    return ds::runBundleMain(std::vector<std::string>(argv + 1, argv + argc));
  });
}

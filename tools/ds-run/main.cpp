//===- main.cpp - Train with a compiled step --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program is lib/Run. Loading and initialising its libraries takes longer than most signals
// need, so they are caught before any of them is initialised.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Command/Run.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Support/ToolMain.h"

#ifndef DS_IN_LIBRARY // whose program does it (tools/static)
static void catchEarly(int, char **, char **environment) { ds::catchSignals(environment); }

[[gnu::section(".preinit_array"), gnu::used]] static void (*const early)(int, char **,
                                                                         char **) = catchEarly;
#endif

int main(int argc, char **argv) {
  return ds::toolMain("ds-run",
                      [&] { return ds::runMain(std::vector<std::string>(argv + 1, argv + argc)); });
}

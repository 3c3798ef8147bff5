//===- Program.c - One tool as a program --------------------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"

#ifdef DS_CATCHES_SIGNALS
static void begin(int argc, char **argv, char **environment) {
  (void)argc, (void)argv;
  ds_tool_begin(environment);
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **,
                                                                            char **) = begin;
#endif

int main(int argc, char **argv) { return ds_tool_main(DS_TOOL, argc, argv); }

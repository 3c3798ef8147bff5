//===- Tools.cpp - The tools that are in libds.so ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"

#include "ds/Run/Ranks/Interrupt.h"

#include <cstdio>
#include <cstring>

// main of each tool, which its compilation has called so.
int ds_lsp_server_main(int argc, char **argv);
int ds_opt_main(int argc, char **argv);
int ds_plan_main(int argc, char **argv);
int ds_run_main(int argc, char **argv);

void ds_tool_begin(char **environment) { ds::catchSignals(environment); }

int ds_tool_main(const char *name, int argc, char **argv) {
  constexpr struct {
    const char *name;
    int (*main)(int argc, char **argv);
  } tools[] = {{"ds-lsp-server", ds_lsp_server_main},
               {"ds-opt", ds_opt_main},
               {"ds-plan", ds_plan_main},
               {"ds-run", ds_run_main}};
  for (const auto &tool : tools)
    if (!std::strcmp(name, tool.name))
      return tool.main(argc, argv);
  std::fprintf(stderr, "%s: error: libds.so holds no such tool\n", name);
  return 1;
}

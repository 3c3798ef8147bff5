//===- Tools.h - The tools that are in libds.so -------------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of a wheel are a call of these. They belong to one version of ds, and are no interface.
//
//===----------------------------------------------------------------------===//

#ifndef DS_TOOLS_STATIC_TOOLS_H
#define DS_TOOLS_STATIC_TOOLS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Before the libraries of the process are initialised: catches signals, as ds-run does.
void ds_tool_begin(char **environment);

/// The exit code of a tool, such as "ds-run".
int ds_tool_main(const char *name, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // DS_TOOLS_STATIC_TOOLS_H

//===- CommandLine.h - Options whose mistakes are one sentence --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_COMMANDLINE_H
#define DS_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ds {

/// Sets the options of LLVM's CommandLine that are registered now from the `arguments` after the
/// program's name. Prints help or the version and exits if asked to; any mistake is one sentence.
/// `severalHint` ends the one about a second STEP.mlir, `unknownHint` that about an option that is
/// like none.
llvm::Error parseCommandLine(const char *tool, const char *overview,
                             const std::vector<std::string> &arguments,
                             llvm::StringRef severalHint = "", llvm::StringRef unknownHint = "");

} // namespace ds

#endif // DS_SUPPORT_COMMANDLINE_H

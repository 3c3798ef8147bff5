//===- AskedValues.h - Values that a user names -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_PREVIEW_ASKEDVALUES_H
#define DS_LIB_PREVIEW_ASKEDVALUES_H

#include "ds/Transforms/Search/ExplainShardings.h"

#include "llvm/Support/Error.h"

namespace ds {

/// Finds the values that `--explain` names in a module that was read from the file `path`: `%name`,
/// an argument's name, or a place `FILE:LINE`. The locations of operations get names by which the
/// operations are found after the passes.
llvm::Expected<std::vector<ExplainedValue>> findAsked(mlir::ModuleOp module, llvm::StringRef entry,
                                                      llvm::StringRef path,
                                                      const std::vector<std::string> &asked);

} // namespace ds

#endif // DS_LIB_PREVIEW_ASKEDVALUES_H

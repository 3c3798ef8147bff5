//===- StableHLO.h - What to do with a module of StableHLO ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_STABLEHLO_H
#define DS_SUPPORT_STABLEHLO_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ds {

/// Returns what makes a step of the text in the file `path` if it holds operations of StableHLO,
/// which no tool of ds reads; else nothing. For a text that could not be read.
std::string adviceOnStableHLO(llvm::StringRef text, llvm::StringRef path);

} // namespace ds

#endif // DS_SUPPORT_STABLEHLO_H

//===- StableHLO.cpp - What to do with a module of StableHLO --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/StableHLO.h"

#include "ds/Support/Escape.h"

namespace ds {

std::string adviceOnStableHLO(llvm::StringRef text, llvm::StringRef path) {
  // As "%0 = stablehlo.add", or in quotes in the generic form.
  if (!text.contains(" stablehlo.") && !text.contains("\"stablehlo."))
    return "";
  const bool isFile = path != "-" && !path.starts_with("<");
  return "it holds operations of StableHLO; 'python -m dstep.frontend " +
         shellWord(isFile ? path : "FILE") + "' makes a step of it";
}

} // namespace ds

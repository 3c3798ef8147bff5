//===- Nesting.h - How deep brackets nest ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_NESTING_H
#define DS_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace ds {

/// The parsers of MLIR and of JSON in LLVM call themselves for every bracket inside another.
inline constexpr int deepestNesting = 500;

/// Whether the brackets of a module nest no deeper than the parser's stack is good for. A module
/// in bytes has none.
bool isShallow(llvm::StringRef text);
/// Whether brackets of JSON nest no deeper, outside of strings.
bool isShallowJson(llvm::StringRef text, int deepest);

/// llvm::json::parse for text that others wrote: what would use up the stack is an error, too.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace ds

#endif // DS_SUPPORT_NESTING_H

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

/// The parsers of MLIR and of JSON in LLVM recurse for every nested bracket.
inline constexpr int deepestNesting = 500;

/// True if the brackets of a module nest no deeper than the parser's stack allows. Bytecode has no
/// brackets.
bool isShallow(llvm::StringRef text);
/// True if brackets of JSON nest no deeper, outside strings.
bool isShallowJson(llvm::StringRef text, int deepest);

/// Calls llvm::json::parse for text from elsewhere: text that would exhaust the stack is an error,
/// too.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace ds

#endif // DS_SUPPORT_NESTING_H

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

namespace ds {

/// MLIR's parser calls itself for every bracket inside another.
inline constexpr int deepestNesting = 500;

/// Whether the brackets of a module nest no deeper than the parser's stack is good for. A module
/// in bytes has none.
bool isShallow(llvm::StringRef text);

} // namespace ds

#endif // DS_SUPPORT_NESTING_H

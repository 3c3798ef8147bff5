//===- Suggestion.h - The nearest known name --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_SUGGESTION_H
#define DS_SUPPORT_SUGGESTION_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ds {

/// Returns `, did you mean 'NEAREST'?` if one of `names` is a likely misspelling, else nothing.
std::string suggestion(llvm::StringRef name, const std::vector<std::string> &names);

} // namespace ds

#endif // DS_SUPPORT_SUGGESTION_H

//===- Suggestion.cpp - The nearest known name ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Suggestion.h"

using llvm::StringRef;

namespace ds {

std::string suggestion(StringRef name, const std::vector<std::string> &names) {
  const std::string *nearest = nullptr;
  unsigned best = name.size() / 3 + 2; // with a third of the letters wrong, it is another word
  for (const std::string &candidate : names) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? ", did you mean '" + *nearest + "'?" : "";
}

} // namespace ds

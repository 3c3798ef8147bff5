//===- Nesting.cpp - How deep brackets nest ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Nesting.h"

#include <algorithm>

namespace ds {

using llvm::StringRef;

bool isShallow(StringRef text) {
  if (text.starts_with("ML\xefR"))
    return true;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      while (++i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\';
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (StringRef pair = text.substr(i, 2); pair == "->" || pair == "<=" || pair == ">=") {
      ++i; // no bracket
    } else if (StringRef("([{<").contains(text[i])) {
      if (++depth > deepestNesting)
        return false;
    } else if (StringRef(")]}>").contains(text[i])) {
      --depth;
    }
  }
  return true;
}

bool isShallowJson(StringRef text, int deepest) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest)
        return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

llvm::Expected<llvm::json::Value> parseJson(StringRef text) {
  if (!isShallowJson(text, deepestNesting))
    return llvm::createStringError("more than %d brackets inside each other", deepestNesting);
  return llvm::json::parse(text);
}

} // namespace ds

//===- Escape.cpp - Text of a user, escaped for its readers -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Escape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace ds {

/// False for controls of ASCII and Latin 1, line separators, and characters that change the
/// direction of the text after them.
static bool isShown(llvm::UTF32 code) {
  return code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0x2028 || code > 0x202e) &&
         (code < 0x2066 || code > 0x2069);
}

std::string printable(StringRef text) {
  std::string shown;
  const auto *at = text.bytes_begin(), *end = text.bytes_end();
  while (at != end) {
    const auto *begin = at;
    llvm::UTF32 code = 0;
    if (llvm::convertUTF8Sequence(&at, end, &code, llvm::strictConversion) != llvm::conversionOK)
      at = begin + 1;
    if (code == '\n' || isShown(code))
      shown.append(begin, at);
    else
      shown += '?';
  }
  return shown;
}

std::string oneLine(StringRef text) {
  std::string line = printable(text);
  llvm::replace(line, '\n', ' ');
  return line;
}

std::string inComment(StringRef text) {
  std::string result;
  for (char c : oneLine(text)) {
    if (!result.empty() &&
        ((result.back() == '*' && c == '/') || (result.back() == '/' && c == '*')))
      result += ' ';
    result += c;
  }
  return result;
}

std::string quotedForC(StringRef text) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  stream << '"';
  for (char c : text)
    if (c == '"' || c == '\\' || c == '?' || !llvm::isPrint(c))
      stream << llvm::format("\\%03o", static_cast<unsigned>(static_cast<uint8_t>(c)));
    else
      stream << c;
  stream << '"';
  return result;
}

std::string shellWord(StringRef text) {
  const bool isPlain = !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || StringRef("_-./:@%+,=").contains(c);
  });
  if (isPlain)
    return text.str();
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

} // namespace ds

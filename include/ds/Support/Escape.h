//===- Escape.h - Text of a user, escaped for its readers -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a parameter, a metric or a file may contain any text. These functions escape it for
// each medium that would interpret part of it; LLVM escapes JSON, the report HTML.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_ESCAPE_H
#define DS_SUPPORT_ESCAPE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ds {

/// For a terminal, several lines: control characters, changes of text direction and invalid UTF-8
/// become '?'.
std::string printable(llvm::StringRef text);
/// The same, in one line.
std::string oneLine(llvm::StringRef text);
/// For a C comment that begins and ends with a space: the comment does not end within the text.
std::string inComment(llvm::StringRef text);
/// As a C string literal.
std::string quotedForC(llvm::StringRef text);
/// As one word of a shell command.
std::string shellWord(llvm::StringRef text);

} // namespace ds

#endif // DS_SUPPORT_ESCAPE_H

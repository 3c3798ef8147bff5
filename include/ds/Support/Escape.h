//===- Escape.h - Text of a user in places that read it ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a parameter or metric, or of a file, may hold anything. Here is what becomes of it
// in each medium that takes some of it for more than text; JSON is LLVM's, HTML the report's.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_ESCAPE_H
#define DS_SUPPORT_ESCAPE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ds {

/// For a terminal, in lines: what steers one, turns the direction of text, or is no UTF-8 is '?'.
std::string printable(llvm::StringRef text);
/// The same in one line.
std::string oneLine(llvm::StringRef text);
/// For a comment of C that begins and ends with a space: it does not end within the text.
std::string inComment(llvm::StringRef text);
/// As a string of C.
std::string quotedForC(llvm::StringRef text);
/// As one word of a command line of a shell.
std::string shellWord(llvm::StringRef text);

} // namespace ds

#endif // DS_SUPPORT_ESCAPE_H

//===- OptionPages.h - Options as a manual page, for shells -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_OPTIONPAGES_H
#define DS_SUPPORT_OPTIONPAGES_H

#include "ds/Support/OptionTable.h"

namespace ds {

/// Returns a page in roff (man(7)): the content of --help, in sections.
std::string manualPage(const OptionTable::Words &words, llvm::ArrayRef<OptionRow> rows);

/// Returns a script for bash, zsh or fish. It completes options, values that are words, files and
/// folders.
llvm::Expected<std::string> completionFor(llvm::StringRef shell, const OptionTable::Words &words,
                                          llvm::ArrayRef<OptionRow> rows);

} // namespace ds

#endif // DS_SUPPORT_OPTIONPAGES_H

//===- SealedLibrary.h - Is a compiled step complete ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libNAME.so of ds-compile ends with a line that has the checksum of NAME.h and with a seal of
// everything before it (ds/Support/Seal.h). Loaders ignore bytes after the sections of a library.
//
//===----------------------------------------------------------------------===//
#ifndef DS_STEP_SEALEDLIBRARY_H
#define DS_STEP_SEALEDLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ds {

/// Returns the contents of a file with this library and header.
std::string sealLibrary(llvm::StringRef library, llvm::StringRef headerName,
                        llvm::StringRef header);
/// Fails if the library, or the header if that is beside it, is not as it was sealed. Returns false
/// if the library has no seal.
llvm::Expected<bool> checkLibrary(llvm::StringRef path);

} // namespace ds

#endif // DS_STEP_SEALEDLIBRARY_H

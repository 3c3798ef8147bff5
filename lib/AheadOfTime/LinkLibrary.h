//===- LinkLibrary.h - Objects and sources to a library ------- -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_AHEADOFTIME_LINKLIBRARY_H
#define DS_LIB_AHEADOFTIME_LINKLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ds {

struct LibraryParts {
  std::string name, header, source, exports;
  llvm::ArrayRef<std::string> objects;
};

/// Writes libNAME.so and NAME.h into the folder once this machine's C compiler has linked the
/// library.
llvm::Error linkLibrary(const LibraryParts &parts, llvm::StringRef folder);

} // namespace ds

#endif // DS_LIB_AHEADOFTIME_LINKLIBRARY_H

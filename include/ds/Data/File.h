//===- File.h - Reading and atomically writing whole files ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers map a file; writers write beside the destination, flush to disk and rename, so that a
// reader never sees half a file and a failed write leaves the old one in place.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_FILE_H
#define DS_DATA_FILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace llvm {
class raw_ostream;
class Twine;
} // namespace llvm

namespace ds {

/// One sentence about one file: `cannot read 'PATH': WHAT`.
llvm::Error readError(llvm::StringRef path, const llvm::Twine &what);
/// `cannot write 'PATH': WHAT`.
llvm::Error writeError(llvm::StringRef path, const llvm::Twine &what);

using FileBytes = std::shared_ptr<llvm::MemoryBuffer>;
llvm::Expected<FileBytes> openFile(llvm::StringRef path);

/// Runs `write` on a temporary file in the destination's directory and renames it to `path`.
llvm::Error writeFileAtomically(llvm::StringRef path,
                                llvm::function_ref<void(llvm::raw_ostream &)> write);
/// Fails now if writeFileAtomically(path) would fail later: asked before hours of training, not
/// after.
llvm::Error checkWritable(llvm::StringRef path);

} // namespace ds

#endif // DS_DATA_FILE_H

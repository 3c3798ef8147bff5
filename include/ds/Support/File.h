//===- File.h - Reading and atomically writing whole files ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers read a file whole, or each part of it once, so that what was checked is what is used,
// whatever happens to the file afterwards; writers write beside the destination, flush to disk and
// rename, so that a reader never sees half a file and a failed write leaves the old one in place.
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_FILE_H
#define DS_SUPPORT_FILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
class Twine;
} // namespace llvm

namespace ds {

/// One sentence about one file: `cannot read 'PATH': WHAT`.
llvm::Error readError(llvm::StringRef path, const llvm::Twine &what);
/// `cannot write 'PATH': WHAT`.
llvm::Error writeError(llvm::StringRef path, const llvm::Twine &what);

/// Whether the directory in which `path` lies, or would lie, exists.
bool hasDirectory(llvm::StringRef path);

/// A regular file that is open for reading front to back. Devices and pipes are refused: they may
/// never end, or never begin.
class InputFile {
public:
  static llvm::Expected<InputFile> open(llvm::StringRef path);
  /// A file of this user that nobody else can write, and no link: what is run.
  static llvm::Expected<InputFile> openOwn(llvm::StringRef path);
  InputFile(InputFile &&other) : name(std::move(other.name)), length(other.length) {
    std::swap(descriptor, other.descriptor);
  }
  ~InputFile();

  /// As it was opened.
  int64_t size() const { return length; }
  const std::string &path() const { return name; }
  /// The next `count` bytes, of those that the file had when it was opened; less is an error.
  llvm::Error read(uint8_t *bytes, int64_t count);
  /// The same from byte `offset` on.
  llvm::Error readAt(int64_t offset, uint8_t *bytes, int64_t count) const;
  /// Hands the file over to a library that reads from a stream; null with errno if that cannot be.
  FILE *stream() &&;

private:
  InputFile() = default;
  static llvm::Expected<InputFile> openBy(llvm::StringRef path, int flags);
  std::string name;
  int descriptor = -1;
  int64_t length = 0, position = 0;
};

using FileBytes = std::shared_ptr<llvm::MemoryBuffer>;
/// All of a regular file, from its first byte on.
llvm::Expected<FileBytes> readAll(InputFile file);
/// All of a regular file.
llvm::Expected<FileBytes> openFile(llvm::StringRef path);
/// The first bytes of a regular file, up to `count` of them.
llvm::Expected<std::string> firstBytes(llvm::StringRef path, int64_t count);
/// All of a regular file or pipe, which must be of a size that a person could have meant.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(llvm::StringRef path);
/// The same; an error is the reason alone, for a sentence that names the file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readText(llvm::StringRef path);

/// Runs `write` on a temporary file in the destination's directory and renames it to `path`. The
/// file has `mode`, else that of the one it replaces.
llvm::Error writeFileAtomically(llvm::StringRef path,
                                llvm::function_ref<void(llvm::raw_ostream &)> write,
                                std::optional<unsigned> mode = std::nullopt);
/// The permissions of a file, if it is there.
std::optional<unsigned> modeOf(llvm::StringRef path);
/// Fails now if writeFileAtomically(path) would fail later: asked before hours of training, not
/// after.
llvm::Error checkWritable(llvm::StringRef path);

/// The file that writeFileAtomically(path) replaces: `path`, or where it leads to as a link.
llvm::Expected<std::string> writtenFile(llvm::StringRef path);

} // namespace ds

#endif // DS_SUPPORT_FILE_H

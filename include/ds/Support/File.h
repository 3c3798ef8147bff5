//===- File.h - Reading and atomically writing whole files ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers read a file whole, or each part of it once, so that the checked bytes are the bytes used,
// even if the file changes afterwards; writers write beside the destination, flush to disk and
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

/// Returns the error `cannot read 'PATH': WHAT`.
llvm::Error readError(llvm::StringRef path, const llvm::Twine &what);
/// Returns the error `cannot write 'PATH': WHAT`.
llvm::Error writeError(llvm::StringRef path, const llvm::Twine &what);

/// True if the parent directory of `path` exists.
bool hasDirectory(llvm::StringRef path);

/// A regular file that is open for reading front to back. Devices and pipes are refused: they may
/// never end, or never begin.
class InputFile {
public:
  static llvm::Expected<InputFile> open(llvm::StringRef path);
  /// Opens a file to be run: it must be this user's, writable by no other user, and not a link.
  static llvm::Expected<InputFile> openOwn(llvm::StringRef path);
  InputFile(InputFile &&other) noexcept : name(std::move(other.name)), length(other.length) {
    std::swap(descriptor, other.descriptor);
  }
  ~InputFile();

  /// The size at opening.
  int64_t size() const { return length; }
  const std::string &path() const { return name; }
  /// Reads the next `count` bytes of those that the file had at opening; fewer is an error.
  llvm::Error read(uint8_t *bytes, int64_t count);
  /// Reads `count` bytes from byte `offset` on.
  llvm::Error readAt(int64_t offset, uint8_t *bytes, int64_t count) const;
  /// Passes the file to a library that reads from a stream; null with errno on failure.
  FILE *stream() &&;

private:
  InputFile() = default;
  static llvm::Expected<InputFile> openBy(llvm::StringRef path, int flags);
  std::string name;
  int descriptor = -1;
  int64_t length = 0, position = 0;
};

using FileBytes = std::shared_ptr<llvm::MemoryBuffer>;
/// Reads all of a regular file, from its first byte on.
llvm::Expected<FileBytes> readAll(InputFile file);
/// Reads all of a regular file.
llvm::Expected<FileBytes> openFile(llvm::StringRef path);
/// Reads the first bytes of a regular file, up to `count` of them.
llvm::Expected<std::string> firstBytes(llvm::StringRef path, int64_t count);
/// Reads all of a regular file or pipe, which must have a plausible size for a text.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(llvm::StringRef path);
/// The same; the error is only the reason, for a message that names the file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readText(llvm::StringRef path);

/// Runs `write` on a temporary file in the destination's directory and renames it to `path`. The
/// file has `mode`, or else that of the file it replaces.
llvm::Error writeFileAtomically(llvm::StringRef path,
                                llvm::function_ref<void(llvm::raw_ostream &)> write,
                                std::optional<unsigned> mode = std::nullopt);
/// Returns the permissions of a file, if it exists.
std::optional<unsigned> modeOf(llvm::StringRef path);
/// Fails now if writeFileAtomically(path) would fail later: called before hours of training, not
/// after.
llvm::Error checkWritable(llvm::StringRef path);

/// Returns the file that writeFileAtomically(path) replaces: `path`, or the target of a link.
llvm::Expected<std::string> writtenFile(llvm::StringRef path);

} // namespace ds

#endif // DS_SUPPORT_FILE_H

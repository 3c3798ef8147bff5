//===- File.cpp - Reading and atomically writing whole files ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The temporary file lives in the destination's directory because rename is atomic only within one
// file system. It is flushed before the rename, the directory after it, so that a power cut leaves
// the old file or the new one. Where the file system can, it has no name before it is whole, so
// that a process that is killed leaves no part of a file behind.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/File.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

static Error fileError(const char *verb, StringRef path, const Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 Twine("cannot ") + verb + " '" + path + "': " + what);
}

Error readError(StringRef path, const Twine &what) { return fileError("read", path, what); }
Error writeError(StringRef path, const Twine &what) { return fileError("write", path, what); }

/// Operating systems start these with a capital; ours are in mid-sentence.
static std::string lowerCase(const std::string &message) {
  std::string text = message;
  if (!text.empty())
    text[0] = tolower(text[0]);
  return text;
}

llvm::Expected<FileBytes> openFile(StringRef path) {
  if (fs::is_directory(path))
    return readError(path, "it is a directory");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return readError(path, lowerCase(buffer.getError().message()));
  return FileBytes(std::move(*buffer));
}

namespace {
/// A file that disappears unless it is kept.
struct Temporary {
  llvm::SmallString<128> path; // empty without a name
  int descriptor = -1;

  ~Temporary() {
    if (descriptor >= 0)
      close(descriptor);
    if (!path.empty())
      unlink(path.c_str());
  }

  Error create(StringRef destination) {
    if (fs::is_directory(destination))
      return writeError(destination, "it is a directory");
    StringRef directory = llvm::sys::path::parent_path(destination);
    if (!directory.empty() && !fs::is_directory(directory))
      return writeError(destination, "there is no directory '" + directory + "'");
    std::string folder = directory.empty() ? "." : directory.str();
    descriptor = open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (descriptor >= 0 && fs::exists(ownLink()))
      return Error::success();
    return nameBy(destination, [&] {
      if (descriptor >= 0)
        close(descriptor);
      descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return descriptor >= 0;
    });
  }

  /// Gives the file a name beside the destination, if it has none yet.
  Error name(StringRef destination) {
    if (!path.empty())
      return Error::success();
    std::string link = ownLink();
    return nameBy(destination, [&] {
      return linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
  }

private:
  std::string ownLink() const { return "/proc/self/fd/" + std::to_string(descriptor); }

  /// Tries names by process and attempt: a file left by a process that was killed is in nobody's
  /// way.
  Error nameBy(StringRef destination, llvm::function_ref<bool()> take) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      path = destination;
      path += (".tmp-" + Twine(getpid()) + "-" + Twine(attempt)).str();
      if (take())
        return Error::success();
      if (errno != EEXIST)
        break;
    }
    int error = errno;
    path.clear();
    return writeError(destination, lowerCase(strerror(error)));
  }
};
} // namespace

Error writeFileAtomically(StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  Temporary temporary;
  if (Error error = temporary.create(path))
    return error;
  {
    llvm::raw_fd_ostream stream(temporary.descriptor, /*shouldClose=*/false);
    write(stream);
    stream.flush();
    if (stream.has_error()) {
      std::error_code error = stream.error();
      stream.clear_error(); // otherwise the destructor ends the process
      return writeError(path, lowerCase(error.message()));
    }
  }
  if (fsync(temporary.descriptor) != 0)
    return writeError(path, lowerCase(strerror(errno)));
  if (Error error = temporary.name(path))
    return error;
  if (std::error_code error = fs::rename(temporary.path, path))
    return writeError(path, lowerCase(error.message()));
  temporary.path.clear();

  StringRef directory = llvm::sys::path::parent_path(path);
  int handle = open(directory.empty() ? "." : directory.str().c_str(), O_RDONLY);
  if (handle >= 0) {
    // Not every file system can flush a directory; the data itself is safe already.
    (void)fsync(handle);
    close(handle);
  }
  return Error::success();
}

Error checkWritable(StringRef path) {
  Temporary temporary;
  if (Error error = temporary.create(path))
    return error;
  return temporary.name(path);
}

} // namespace ds

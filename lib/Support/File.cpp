//===- File.cpp - Reading and atomically writing whole files ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is read through one descriptor, with the size that it had at opening; a file that ends
// before that size was truncated meanwhile.
//
// The temporary file is created in the destination's directory because rename is atomic only within
// one file system. It is flushed before the rename and the directory after it, so that a power cut
// leaves the old file or the new one. Where the file system supports it, the file has no name until
// it is complete, so a killed process leaves no partial file. A link is followed, and a replaced
// file keeps its mode; a destination that is not a regular file, such as a device, is not replaced.
//
//===----------------------------------------------------------------------===//
#include "ds/Support/File.h"

#include "ds/Support/Memory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
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

bool hasDirectory(StringRef path) {
  StringRef directory = llvm::sys::path::parent_path(path);
  return directory.empty() || fs::is_directory(directory);
}

/// Operating systems start messages with a capital; ours continue a sentence.
static std::string lowerCase(const std::string &message) {
  std::string text = message;
  if (!text.empty())
    text[0] = tolower(text[0]);
  return text;
}

static Error systemError(StringRef path) { return readError(path, lowerCase(strerror(errno))); }

llvm::Expected<InputFile> InputFile::openBy(StringRef path, int flags) {
  InputFile file;
  file.name = path.str();
  // Opening a pipe would wait for its other end.
  file.descriptor = ::open(file.name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
  struct stat info;
  if (file.descriptor < 0 || fstat(file.descriptor, &info) != 0)
    return systemError(path);
  if (!S_ISREG(info.st_mode))
    return readError(path, S_ISDIR(info.st_mode) ? "it is a directory" : "it is no regular file");
  if ((flags & O_NOFOLLOW) && (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH))))
    return readError(path, "it is not this user's alone to write (chmod go-w)");
  file.length = info.st_size;
  return file;
}

llvm::Expected<InputFile> InputFile::open(StringRef path) { return openBy(path, 0); }
llvm::Expected<InputFile> InputFile::openOwn(StringRef path) { return openBy(path, O_NOFOLLOW); }

InputFile::~InputFile() {
  if (descriptor >= 0)
    close(descriptor);
}

Error InputFile::readAt(int64_t offset, uint8_t *bytes, int64_t count) const {
  constexpr int64_t chunk = int64_t(1) << 30; // a call reads less than 2^31 bytes
  while (count > 0) {
    ssize_t got = ::pread(descriptor, bytes, std::min(count, chunk), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(name);
    if (got == 0)
      return readError(name, "it became shorter while it was read: it had " + Twine(length) +
                                 " bytes, now it ends at " + Twine(offset));
    bytes += got;
    count -= got;
    offset += got;
  }
  return Error::success();
}

Error InputFile::read(uint8_t *bytes, int64_t count) {
  if (Error error = readAt(position, bytes, count))
    return error;
  position += count;
  return Error::success();
}

FILE *InputFile::stream() && {
  FILE *made = fdopen(descriptor, "rb");
  if (made)
    descriptor = -1;
  return made;
}

llvm::Expected<FileBytes> readAll(InputFile file) {
  if (Error error = checkMemory("the file", file.size()))
    return readError(file.path(), llvm::toString(std::move(error)));
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(file.size(), file.path());
  if (!buffer)
    llvm::report_bad_alloc_error("no memory for a file");
  if (Error error = file.read(reinterpret_cast<uint8_t *>(buffer->getBufferStart()), file.size()))
    return error;
  return FileBytes(std::move(buffer));
}

llvm::Expected<FileBytes> openFile(StringRef path) {
  auto file = InputFile::open(path);
  if (!file)
    return file.takeError();
  return readAll(std::move(*file));
}

llvm::Expected<std::string> firstBytes(StringRef path, int64_t count) {
  auto file = InputFile::open(path);
  if (!file)
    return file.takeError();
  std::string bytes(std::min(count, file->size()), '\0');
  if (Error error = file->read(reinterpret_cast<uint8_t *>(bytes.data()), bytes.size()))
    return error;
  return bytes;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readText(StringRef path) {
  auto reason = [](const Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
  };
  constexpr size_t longest = size_t(1) << 30;
  std::string name = path.str();
  auto closeIt = [](int *descriptor) { close(*descriptor); };
  int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return reason(lowerCase(strerror(errno)));
  std::unique_ptr<int, decltype(closeIt)> closing(&descriptor, closeIt);
  struct stat info;
  if (fstat(descriptor, &info) != 0)
    return reason(lowerCase(strerror(errno)));
  if (S_ISDIR(info.st_mode))
    return reason("it is a directory");
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
    return reason("it is no file");
  llvm::SmallVector<char, 0> text;
  bool tooLong = S_ISREG(info.st_mode) && uint64_t(info.st_size) > longest;
  while (!tooLong) {
    size_t have = text.size();
    text.resize_for_overwrite(have + std::max<size_t>(have, 16384));
    ssize_t got = ::read(descriptor, text.data() + have, text.size() - have);
    text.truncate(have + std::max<ssize_t>(got, 0));
    if (got < 0 && errno != EINTR)
      return reason(lowerCase(strerror(errno)));
    tooLong = text.size() > longest;
    if (got == 0)
      break;
  }
  if (tooLong)
    return reason("it has more than " + bytesToString(longest));
  return llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openText(StringRef path) {
  auto text = readText(path);
  if (!text)
    return readError(path, llvm::toString(text.takeError()));
  return text;
}

namespace {
/// A file that is removed unless it is kept.
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
    if (!hasDirectory(destination))
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

  /// Tries names made from process and attempt, so that a file left by a killed process does not
  /// block others.
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

/// True if the kernel would follow this link where it protects users from each other
/// (fs.protected_symlinks): in a sticky folder that everybody may write to, only the user's own
/// links and those of the folder's owner. The kernel does not see that links are followed here.
static bool mayFollow(StringRef link, const struct stat &info) {
  StringRef directory = llvm::sys::path::parent_path(link);
  struct stat folder;
  if (stat(directory.empty() ? "." : directory.str().c_str(), &folder) != 0)
    return true; // the next call reports the problem
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  return (folder.st_mode & shared) != shared || info.st_uid == geteuid() ||
         info.st_uid == folder.st_uid;
}

/// Returns the file to be replaced: the target of a link, which need not exist yet. `mode` is set
/// to its permissions, if it exists.
static llvm::Expected<std::string> destinationOf(StringRef path, std::optional<mode_t> &mode) {
  llvm::SmallString<128> file(path);
  constexpr int mostLinks = 40; // the kernel's limit
  for (int links = 0; links < mostLinks; ++links) {
    struct stat info;
    if (lstat(file.c_str(), &info) != 0) // a new file, or a folder whose error comes later
      return file.str().str();
    if (!S_ISLNK(info.st_mode)) {
      if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) // a folder has its own message
        return writeError(path, "it is no regular file");
      mode = info.st_mode & 07777;
      return file.str().str();
    }
    if (!mayFollow(file, info))
      return writeError(path, "it is a link of another user, in a folder that everybody may write "
                              "to");
    char target[PATH_MAX];
    ssize_t length = readlink(file.c_str(), target, sizeof target);
    if (length < 0)
      return writeError(path, lowerCase(strerror(errno)));
    StringRef next(target, length);
    if (llvm::sys::path::is_absolute(next))
      file.clear();
    else
      llvm::sys::path::remove_filename(file);
    llvm::sys::path::append(file, next);
  }
  return writeError(path, lowerCase(strerror(ELOOP)));
}

std::optional<unsigned> modeOf(StringRef path) {
  struct stat info;
  return stat(path.str().c_str(), &info) == 0 ? std::optional<unsigned>(info.st_mode & 07777)
                                              : std::nullopt;
}

Error writeFileAtomically(StringRef asked, llvm::function_ref<void(llvm::raw_ostream &)> write,
                          std::optional<unsigned> given) {
  std::optional<mode_t> mode;
  auto destination = destinationOf(asked, mode);
  if (!destination)
    return destination.takeError();
  if (given)
    mode = *given;
  StringRef path = *destination;
  Temporary temporary;
  if (Error error = temporary.create(path))
    return error;
  if (mode && fchmod(temporary.descriptor, *mode) != 0)
    return writeError(path, lowerCase(strerror(errno)));
  {
    llvm::raw_fd_ostream stream(temporary.descriptor, /*shouldClose=*/false);
    write(stream);
    stream.flush();
    if (stream.has_error()) {
      std::error_code error = stream.error();
      stream.clear_error(); // otherwise the destructor aborts the process
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
    // Not every file system can flush a directory; the data itself is already safe.
    (void)fsync(handle);
    close(handle);
  }
  return Error::success();
}

llvm::Expected<std::string> writtenFile(StringRef path) {
  std::optional<mode_t> mode;
  return destinationOf(path, mode);
}

Error checkWritable(StringRef path) {
  std::optional<mode_t> mode;
  auto destination = destinationOf(path, mode);
  if (!destination)
    return destination.takeError();
  Temporary temporary;
  if (Error error = temporary.create(*destination))
    return error;
  return temporary.name(*destination);
}

} // namespace ds

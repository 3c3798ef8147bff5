//===- SmallFile.cpp - Reads a file that must be small ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kind of the file and its contents are read by one descriptor, so that the file cannot be
// exchanged in between. O_NONBLOCK lets a FIFO without a writer be opened, to be refused.
//
//===----------------------------------------------------------------------===//
#include "SmallFile.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dsrt::bootstrap {

/// The system's messages start with a capital; ours are in mid-sentence.
static bool systemError(std::string &why) {
  why = std::strerror(errno);
  why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  return false;
}

static bool readAll(int descriptor, size_t limit, std::string &out, struct stat &info,
                    std::string &why) {
  if (fstat(descriptor, &info) != 0)
    return systemError(why);
  if (!S_ISREG(info.st_mode)) {
    why = S_ISDIR(info.st_mode) ? "it is a directory" : "it is no regular file";
    return false;
  }
  // The size is not queried: it may change, and files of /proc have none.
  out.clear();
  char buffer[16384];
  while (true) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return systemError(why);
    if (n == 0)
      return true;
    if (static_cast<size_t>(n) > limit - out.size()) {
      why = "it has more than " + std::to_string(limit) + " bytes";
      return false;
    }
    out.append(buffer, static_cast<size_t>(n));
  }
}

bool readSmallFile(const char *path, size_t limit, std::string &out, struct stat &info,
                   std::string &why) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(why);
  const bool good = readAll(descriptor, limit, out, info, why);
  ::close(descriptor);
  return good;
}

} // namespace dsrt::bootstrap

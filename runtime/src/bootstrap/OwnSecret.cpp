//===- OwnSecret.cpp - One user's secret on a machine -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job within one machine needs no secret from its user: a process that can read a file of the
// user could not be kept out anyway. Another user may have made the folder, so its owner and its
// mode are checked, and ranks that start at once may all make the file: the first link counts.
//
//===----------------------------------------------------------------------===//
#include "OwnSecret.h"
#include "SmallFile.h"
#include "Wire.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace dsrt::bootstrap {

static bool isOwn(const struct stat &info) {
  return info.st_uid == geteuid() && !(info.st_mode & (S_IRWXG | S_IRWXO));
}

static std::string hex(const std::string &bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : bytes)
    text += {digits[byte >> 4], digits[byte & 15]};
  return text;
}

/// Makes the file unless it exists.
static bool makeSecret(const std::string &path, std::string &why) {
  const std::string draft = path + "." + hex(randomBytes(8));
  const int descriptor =
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    why = std::strerror(errno);
    return false;
  }
  const std::string secret = hex(randomBytes(32));
  const bool written = !secret.empty() && ::write(descriptor, secret.data(), secret.size()) ==
                                              static_cast<ssize_t>(secret.size());
  ::close(descriptor);
  const bool linked = written && (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  if (!linked)
    why = written ? std::strerror(errno) : "it cannot be written";
  ::unlink(draft.c_str());
  return linked;
}

bool readOwnSecret(std::string &out, std::string &why) {
  const char *temporary = std::getenv("TMPDIR");
  const std::string folder = std::string(temporary && *temporary == '/' ? temporary : "/tmp") +
                             "/dsrt-" + std::to_string(geteuid());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    why = "cannot make '" + folder + "': " + std::strerror(errno);
    return false;
  }
  struct stat info;
  if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || !isOwn(info)) {
    why = "'" + folder + "' is not a folder of this user alone";
    return false;
  }
  const std::string path = folder + "/secret";
  std::string wrong;
  if (::access(path.c_str(), F_OK) != 0 && !makeSecret(path, wrong)) {
    why = "cannot make '" + path + "': " + wrong;
    return false;
  }
  if (!readSmallFile(path.c_str(), 4096, out, info, wrong) || !isOwn(info) || out.size() < 32) {
    why = "'" + path + "' " + (wrong.empty() ? "is not a secret of this user alone" : wrong);
    return false;
  }
  return true;
}

} // namespace dsrt::bootstrap

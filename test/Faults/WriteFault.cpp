//===- WriteFault.cpp - A death at a chosen moment of writing a file --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands before the C library. Of files in the folder DS_TEST_FOLDER, at the moment DS_TEST_AT
// (write: half of the bytes are written; fsync, rename: before it; renamed: after it) the process
// gets SIGKILL; or, with DS_TEST_PAUSE, makes that file and goes on when it has disappeared; or,
// with DS_TEST_ERROR, the call fails with that number, then and from then on (also at open: before
// the file is made).
//
//===----------------------------------------------------------------------===//
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace {

template <typename Function> Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/// Whether the call is to fail.
bool reach(const char *moment) {
  static bool reached = false;
  const char *at = std::getenv("DS_TEST_AT"), *error = std::getenv("DS_TEST_ERROR");
  if (!at || std::strcmp(at, moment) != 0)
    return false;
  if (error) {
    errno = std::atoi(error);
    return true;
  }
  if (reached)
    return false;
  reached = true;
  const char *pause = std::getenv("DS_TEST_PAUSE");
  if (!pause)
    std::raise(SIGKILL);
  close(creat(pause, 0666));
  while (access(pause, F_OK) == 0)
    usleep(1000);
  return false;
}

bool inFolder(const std::string &path) {
  const char *folder = std::getenv("DS_TEST_FOLDER");
  return folder && path.rfind(std::string(folder) + "/", 0) == 0;
}

bool inFolder(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 && inFolder(std::string(path, static_cast<size_t>(length)));
}

} // namespace

extern "C" {

ssize_t write(int descriptor, const void *data, size_t bytes) {
  static const auto original = next<ssize_t(int, const void *, size_t)>("write");
  if (!inFolder(descriptor))
    return original(descriptor, data, bytes);
  const ssize_t first = original(descriptor, data, bytes / 2);
  if (first < 0)
    return first;
  if (reach("write"))
    return -1;
  const size_t half = static_cast<size_t>(first);
  const ssize_t rest = original(descriptor, static_cast<const char *>(data) + half, bytes - half);
  return rest < 0 ? rest : first + rest;
}

int open(const char *path, int flags, ...) {
  static const auto original = next<int(const char *, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
  // O_TMPFILE takes the folder itself.
  if (writes && inFolder(std::string(path) + "/") && reach("open"))
    return -1;
  return original(path, flags, mode);
}

int fsync(int descriptor) {
  static const auto original = next<int(int)>("fsync");
  if (inFolder(descriptor) && reach("fsync"))
    return -1;
  return original(descriptor);
}

int rename(const char *from, const char *to) {
  static const auto original = next<int(const char *, const char *)>("rename");
  if (!inFolder(to))
    return original(from, to);
  if (reach("rename"))
    return -1;
  const int result = original(from, to);
  return reach("renamed") ? -1 : result;
}
}

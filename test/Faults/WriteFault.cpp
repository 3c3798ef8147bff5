//===- WriteFault.cpp - A death at a chosen moment of writing a file --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands before the C library. Of files in the folder DS_TEST_FOLDER, at the moment DS_TEST_AT
// (write: half of the bytes are written; fsync, rename: before it; renamed: after it) the process
// gets SIGKILL; or, with DS_TEST_PAUSE, makes that file and goes on when it has disappeared.
//
//===----------------------------------------------------------------------===//
#include <csignal>
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

void reach(const char *moment) {
  static bool reached = false;
  const char *at = std::getenv("DS_TEST_AT");
  if (reached || !at || std::strcmp(at, moment) != 0)
    return;
  reached = true;
  const char *pause = std::getenv("DS_TEST_PAUSE");
  if (!pause)
    std::raise(SIGKILL);
  close(creat(pause, 0666));
  while (access(pause, F_OK) == 0)
    usleep(1000);
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
  reach("write");
  const size_t half = static_cast<size_t>(first);
  const ssize_t rest = original(descriptor, static_cast<const char *>(data) + half, bytes - half);
  return rest < 0 ? rest : first + rest;
}

int fsync(int descriptor) {
  static const auto original = next<int(int)>("fsync");
  if (inFolder(descriptor))
    reach("fsync");
  return original(descriptor);
}

int rename(const char *from, const char *to) {
  static const auto original = next<int(const char *, const char *)>("rename");
  if (!inFolder(to))
    return original(from, to);
  reach("rename");
  const int result = original(from, to);
  reach("renamed");
  return result;
}
}

//===- StandardStreams.cpp - Descriptors 0, 1 and 2 of a program --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StandardStreams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

namespace dsrt {

void openStandardStreams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", O_RDWR); // takes the lowest number that is free: this one
}

int closeStandardStreams(const char *program, int code, int lost) {
  // What stdio lost earlier it remembers without a reason.
  const bool failedBefore = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) != 0 && lost == 0)
    lost = errno;
  if (lost == 0 && !failedBefore)
    return code;
  std::fprintf(stderr, "%s: error: cannot write standard output: %s\n", program,
               lost ? std::strerror(lost) : "a part of it is lost");
  return code ? code : 1;
}

} // namespace dsrt

//===- SmallFile.h - Reads a file that must be small ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank tables and secrets are named by variables that any other program may have set. Only a
// regular file is read, since a FIFO may never write and a device never stop, and only up to a
// limit.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_SMALLFILE_H
#define DSRT_SRC_BOOTSTRAP_SMALLFILE_H

#include <string>
#include <sys/stat.h>

namespace dsrt::bootstrap {

/// Reads all of a regular file of at most `limit` bytes, and what fstat reports of it. False: `why`
/// is the reason.
bool readSmallFile(const char *path, size_t limit, std::string &out, struct stat &info,
                   std::string &why);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SMALLFILE_H

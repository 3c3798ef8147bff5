//===- LibraryCpu.h - The CPU of the library's own code ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXECUTIONENGINE_LIBRARYCPU_H
#define DS_LIB_EXECUTIONENGINE_LIBRARYCPU_H

#include <string>

namespace ds {

/// Holds oneDNN to the instructions of this CPU, so that a step runs here as it does there. The
/// library takes this once per process, before its first call; a second CPU changes nothing.
void limitLibrary(const std::string &targetCpu);

} // namespace ds

#endif // DS_LIB_EXECUTIONENGINE_LIBRARYCPU_H

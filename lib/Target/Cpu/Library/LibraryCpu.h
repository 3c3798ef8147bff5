//===- LibraryCpu.h - The CPU of the library's own code ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_LIBRARY_LIBRARYCPU_H
#define DS_LIB_TARGET_CPU_LIBRARY_LIBRARYCPU_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace ds {

/// Holds oneDNN to the instructions of a CPU that has these features, so that a step runs here as
/// it does there. The library takes this once per process, before its first call; a second CPU
/// changes nothing.
void limitLibraryTo(llvm::function_ref<bool(const char *feature)> has);
/// Does the same for the CPU that --target-cpu names.
void limitLibrary(const std::string &targetCpu);
/// Returns oneDNN's version, and the instructions that it uses in this process for steps of a
/// target CPU: `oneDNN 2.6.0 (52b5f107) with AVX512_CORE_BF16`. The call settles them.
std::string describeLibrary(const std::string &targetCpu);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_LIBRARY_LIBRARYCPU_H

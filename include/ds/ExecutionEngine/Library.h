//===- Library.h - The library that steps call ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_EXECUTIONENGINE_LIBRARY_H
#define DS_EXECUTIONENGINE_LIBRARY_H

#include <string>

namespace ds {

/// oneDNN's version, and the instructions that it uses in this process for steps of a target CPU:
/// `oneDNN 2.6.0 (52b5f107) with AVX512_CORE_BF16`. It settles them.
std::string describeLibrary(const std::string &targetCpu);

} // namespace ds

#endif // DS_EXECUTIONENGINE_LIBRARY_H

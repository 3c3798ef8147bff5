//===- CompleteDriver.h - Entry, library calls, profile marks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_COMPLETEDRIVER_H
#define DS_LIB_TARGET_CPU_COMPLETEDRIVER_H

#include "ds/Step/Executable.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ds {

/// Adds to the driver's LLVM module: bodies of library calls, the entry, and marks for profiles,
/// whose names go to `executable`.
void completeDriver(llvm::Module &module, Executable &executable, bool profile);

} // namespace ds

#endif // DS_LIB_TARGET_CPU_COMPLETEDRIVER_H

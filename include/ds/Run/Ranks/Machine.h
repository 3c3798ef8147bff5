//===- Machine.h - Inputs of a step's bits beside the step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that update copies of one value must round alike, without exchanging anything. The rounding
// of a step depends on its text, the compiler, the instructions that the compiled code may contain,
// and the libraries that it calls.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_MACHINE_H
#define DS_RUN_RANKS_MACHINE_H

#include "ds/Run/Ranks/Agreement.h"

namespace ds {

/// Adds the builds of ds, LLVM and MLIR, the target CPU, the instructions that code may contain,
/// oneDNN as it runs here, and a hash of results of functions of the C library.
void addMachine(llvm::StringRef targetCpu, StartRecord &record);

/// Returns the linker's build id of the object that holds an address; "" if it has none.
std::string buildIdOf(const void *address);

} // namespace ds

#endif // DS_RUN_RANKS_MACHINE_H

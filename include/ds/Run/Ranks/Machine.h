//===- Machine.h - What the bits of a step depend on beside it --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that update copies of one value must round alike, and need not meet to do so. How a step
// rounds follows from its text, the compiler that makes code of it, the instructions that this code
// may hold, and the libraries that it calls.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_MACHINE_H
#define DS_RUN_RANKS_MACHINE_H

#include "ds/Run/Ranks/Agreement.h"

namespace ds {

/// Adds the builds of ds, LLVM and MLIR, the CPU that code is made for, the instructions that it
/// may hold, oneDNN as it runs here, and a hash of what functions of the C library return.
void addMachine(llvm::StringRef targetCpu, StartRecord &record);

/// The id that the linker gave to what holds an address; "" if it gave none.
std::string buildIdOf(const void *address);

} // namespace ds

#endif // DS_RUN_RANKS_MACHINE_H

//===- CpuTarget.h - Steps on the cores of this machine ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_CPU_CPUTARGET_H
#define DS_TARGET_CPU_CPUTARGET_H

#include "ds/Target/Target.h"

namespace ds {

/// Returns the target `cpu`: code by LLVM, matrix products and convolutions by oneDNN, memory of
/// this process.
const Target &cpuTarget();

} // namespace ds

#endif // DS_TARGET_CPU_CPUTARGET_H

//===- ReduceStep.h - The smallest step that is still interesting --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_REDUCESTEP_H
#define DS_FUZZ_REDUCESTEP_H

namespace ds::fuzz {

/// Registers 'reduce-step', a pass for mlir-reduce's driver.
void registerReduceStepPass();

} // namespace ds::fuzz

#endif // DS_FUZZ_REDUCESTEP_H
